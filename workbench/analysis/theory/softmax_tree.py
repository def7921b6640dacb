"""Hierarchical softmax of trained vectors: the path from the root to a word, decision by decision.

Huffman's tree follows from the counts alone (:func:`workbench.counts.huffman.huffman_tree`); the
vectors u_j of its inner nodes are in ``state["nodes"]``, row j for node j, the root last. With a
hidden vector h the branch 0 is taken at node j with the probability σ(u_j·h), and

    P(w | h) = Π_j σ(±u_j·h) along w's path, + for branch 0, − for branch 1

(Mikolov et al. 2013b, eq. 3)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.counts.huffman import NODES, HuffmanTree, huffman_tree, log_probabilities
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class LeafPath:
    """A word's path in the tree.

    nodes : int32[n], from the root (V − 2) down; branches : int8[n], the branch taken at each
    probabilities : float64[n], of that branch at its node; their product is P(word | given)
    log_probability : log P(word | given), in nats
    """

    word: str
    given: tuple[str, ...]
    nodes: npt.NDArray[np.int32]
    branches: npt.NDArray[np.int8]
    probabilities: npt.NDArray[np.float64]
    log_probability: float


def leaf_path(embeddings: Embeddings, word: str, given: Sequence[str]) -> LeafPath:
    """The path to ``word`` and its probabilities, given the words of a window (for skip-gram: one
    word).

    Raises UnknownWord, and UserError for vectors without a tree.
    """
    tree, nodes = softmax_tree(embeddings)
    row = embeddings.row(word)
    path, branches = tree.path(row)
    scores = nodes[path].astype(np.float64) @ hidden_vector(embeddings, given)
    steps = -np.logaddexp(0.0, np.where(branches == 1, scores, -scores))
    return LeafPath(
        embeddings.words[row], tuple(given), path, branches, np.exp(steps), float(steps.sum())
    )


def leaf_log_probabilities(embeddings: Embeddings, given: Sequence[str]) -> npt.NDArray[np.float64]:
    """log P(w | given) of every word, in nats: float64[V], whose exponentials sum to 1. Raises as
    ``leaf_path``.
    """
    tree, nodes = softmax_tree(embeddings)
    return log_probabilities(tree, nodes.astype(np.float64) @ hidden_vector(embeddings, given))


def softmax_tree(embeddings: Embeddings) -> tuple[HuffmanTree, npt.NDArray[np.float32]]:
    """The tree and the vectors of its inner nodes, float32[V − 1, d]. Raises UserError without a
    tree.
    """
    nodes, counts = embeddings.state.get(NODES), embeddings.counts
    if (
        nodes is None
        or counts is None
        or nodes.shape != (len(embeddings) - 1, embeddings.inputs.shape[1])
    ):
        raise UserError(
            tr("These vectors have no hierarchical softmax tree."),
            tr(
                "Train skipgram-hs or cbow-hs and save as .npz, the format that includes the "
                "tree’s nodes."
            ),
        )
    return huffman_tree(counts), nodes


def hidden_vector(embeddings: Embeddings, given: Sequence[str]) -> npt.NDArray[np.float64]:
    """h of a window: the mean of its words' trained vectors, or their sum if the model was trained
    with sums.

    float64[d]. Raises UnknownWord, and UserError without a word.
    """
    if not given:
        raise UserError(
            tr("The prediction needs at least one word."),
            tr("Enter a word, or the words of a window."),
        )
    rows = np.asarray(embeddings.inputs)[[embeddings.row(word) for word in given]].astype(
        np.float64
    )
    parameters = embeddings.metadata.get("parameters")
    joined = parameters.get("hidden") if isinstance(parameters, Mapping) else None
    total: npt.NDArray[np.float64] = rows.sum(axis=0) if joined == "sum" else rows.mean(axis=0)
    return total
