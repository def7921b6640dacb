"""The Huffman tree of a vocabulary, as word2vec builds it over the corpus frequencies n(w).

Hierarchical softmax (Morin & Bengio 2005; Mikolov et al. 2013b, section 2.1) replaces the softmax
over V words by one decision at every inner node between the root and a word. In a Huffman tree,
frequent words have short paths, so the mean number of decisions per token is about the entropy of
the corpus in bits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.jit import kernel

# Key of the vectors of inner nodes in ``Embeddings.state``.
NODES = "nodes"


class HuffmanTree(NamedTuple):
    """Every word's path from the root, one after another in flat arrays.

    offsets : int64[V + 1]; the path of word w is offsets[w]..offsets[w + 1]
    nodes : int32[steps], inner nodes 0..V − 2, the root V − 2 first
    codes : int8[steps], the branch taken there: 0, or 1 for the more frequent child of the two
        (of equal ones, the one joined second)
    """

    offsets: npt.NDArray[np.int64]
    nodes: npt.NDArray[np.int32]
    codes: npt.NDArray[np.int8]

    @property
    def words(self) -> int:
        """V."""
        return len(self.offsets) - 1

    @property
    def inner(self) -> int:
        """Number of inner nodes: V − 1."""
        return self.words - 1

    @property
    def lengths(self) -> npt.NDArray[np.int64]:
        """int64[V], number of decisions on the path to each word."""
        return np.diff(self.offsets)

    def path(self, word: int) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int8]]:
        """The inner nodes from the root to ``word``, and the branches taken at them."""
        part = slice(int(self.offsets[word]), int(self.offsets[word + 1]))
        return self.nodes[part], self.codes[part]


def huffman_tree(counts: npt.NDArray[np.int64]) -> HuffmanTree:
    """The Huffman tree for int64[V], most frequent first. Among equal weights, a node is joined
    before a word, and the last word first. A single word has an empty path.
    """
    size = len(counts)
    # A copy: numba would compile again for a read-only array, such as of a run from the store.
    parent, branch = _join(np.array(counts, dtype=np.int64))
    depth = _depths(parent, size)
    offsets = np.concatenate([[0], np.cumsum(depth[:size])])
    nodes, codes = np.empty(offsets[-1], np.int32), np.empty(offsets[-1], np.int8)
    _write_paths(parent, branch, offsets, nodes, codes)
    return HuffmanTree(offsets, nodes, codes)


def log_probabilities(
    tree: HuffmanTree, scores: npt.NDArray[np.floating]
) -> npt.NDArray[np.float64]:
    """log P(w) of every word, in nats: float64[V], whose exponentials sum to 1.

    log P(w) = Σ_j log σ(±s_j) along w's path, + for branch 0 and − for branch 1
    (Mikolov et al. 2013b, eq. 3)

    scores : [V − 1], s_j = u_j·h of every inner node with the hidden vector h
    """
    s = np.asarray(scores, dtype=np.float64)[tree.nodes]
    steps = -np.logaddexp(0.0, np.where(tree.codes == 1, s, -s))
    words = np.repeat(np.arange(tree.words), tree.lengths)
    return np.bincount(words, weights=steps, minlength=tree.words).astype(np.float64)


@kernel
def _join(
    counts: npt.NDArray[np.int64],
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int8]]:
    """Join the two lightest remaining entries repeatedly. Entries 0..V − 1 are words, followed by
    inner nodes in order of creation, which is by increasing weight: two queues, no heap.

    Returns parents int64[2V − 1] (−1 for the root) and branches int8[2V − 1].
    """
    size = len(counts)
    total = 2 * size - 1
    weights = np.empty(total, np.int64)
    weights[:size] = counts
    parent = np.full(total, -1, np.int64)
    branch = np.zeros(total, np.int8)
    word, node = size - 1, size
    for new_node in range(size, total):
        weight = 0
        for taken in range(2):
            # Take a node only if it exists and isn’t heavier than the rarest remaining word, or if
            # no word remains.
            if word >= 0 and (node >= new_node or weights[word] < weights[node]):
                least = word
                word -= 1
            else:
                least = node
                node += 1
            parent[least] = new_node
            branch[least] = taken
            weight += weights[least]
        weights[new_node] = weight
    return parent, branch


@kernel
def _depths(parent: npt.NDArray[np.int64], size: int) -> npt.NDArray[np.int64]:
    depth = np.zeros(len(parent), np.int64)
    for entry in range(len(parent) - 2, -1, -1):
        depth[entry] = depth[parent[entry]] + 1
    return depth


@kernel
def _write_paths(
    parent: npt.NDArray[np.int64],
    branch: npt.NDArray[np.int8],
    offsets: npt.NDArray[np.int64],
    nodes: npt.NDArray[np.int32],
    codes: npt.NDArray[np.int8],
) -> None:
    size = len(offsets) - 1
    for word in range(size):
        entry = word
        for step in range(offsets[word + 1] - 1, offsets[word] - 1, -1):
            codes[step] = branch[entry]
            entry = parent[entry]
            nodes[step] = entry - size
