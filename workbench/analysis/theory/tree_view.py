"""View of a Huffman tree: the path to a word, node by node, and the levels below any node.

The tree follows from the counts alone. If the vectors of its nodes were saved, the branch taken at
node j has the probability σ(±u_j·h) (see ``softmax_tree``); otherwise only its share of the tokens
is known. Along a path, the product of the shares is n(w)/N, that of the probabilities P(w | h).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.analysis.theory.softmax_tree import hidden_vector, softmax_tree
from workbench.analysis.word_tree import Grown, grow_tree
from workbench.counts.huffman import NODES
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class TreeDecision:
    """One decision on the path. ``share``: the share of the node's tokens on the branch taken;
    ``probability`` of that branch given a word, or None; ``other``: the most frequent word on the
    other branch.
    """

    node: int
    branch: int
    tokens: int
    share: float
    probability: float | None
    other: str


@dataclass(frozen=True)
class TreeBox:
    """A box of the picture: ``left`` and ``right`` in 0..1 by tokens, ``level`` from 0; ``word`` of
    a leaf, or the most frequent word below; ``node`` is −1 for a leaf.
    """

    level: int
    left: float
    right: float
    node: int
    word: str
    tokens: int
    branch: int
    chosen: bool


@dataclass(frozen=True, eq=False)
class TreeView:
    """The path to ``word``, given ``given`` ("": from the tree alone), and the boxes below the node
    at ``begin`` steps from the root on that path.
    """

    word: str
    given: str
    turns: tuple[TreeDecision, ...]
    share: float
    probability: float | None
    begin: int
    boxes: tuple[TreeBox, ...]

    @property
    def code(self) -> str:
        return "".join(str(turn.branch) for turn in self.turns)


def has_nodes(embeddings: Embeddings) -> bool:
    """Whether the embeddings contain the vectors of the nodes."""
    return NODES in embeddings.state


def look_at_tree(
    embeddings: Embeddings, word: str, given: str, begin: int = 0, levels: int = 5
) -> TreeView:
    """The path to a word, and ``levels`` levels of the tree from the path's node number ``begin``.

    Raises UnknownWord, and UserError for vectors without counts.
    """
    grown = grow_tree(embeddings)
    row = embeddings.row(word)
    nodes, codes = grown.tree.path(row)
    counts = embeddings.counts
    assert counts is not None
    probabilities: list[float | None] = [None] * len(nodes)
    if given and has_nodes(embeddings):
        _, vectors = softmax_tree(embeddings)
        scores = vectors[nodes].astype(np.float64) @ hidden_vector(embeddings, [given])
        probabilities = np.exp(-np.logaddexp(0.0, np.where(codes == 1, scores, -scores))).tolist()
    turns = []
    for node, code, probability in zip(nodes.tolist(), codes.tolist(), probabilities, strict=True):
        taken, other = int(grown.children[node, code]), int(grown.children[node, 1 - code])
        share = _tokens(grown, counts, taken) / int(grown.tokens[node])
        beside = embeddings.words[_first_entry(grown, other)]
        turns.append(TreeDecision(node, code, int(grown.tokens[node]), share, probability, beside))
    total = (
        None
        if None in probabilities or not turns
        else float(np.prod(np.array(probabilities, float)))
    )
    begin = min(max(begin, 0), max(len(nodes) - 1, 0))
    boxes = _boxes(embeddings, grown, row, int(nodes[begin]) if len(nodes) else -1 - row, levels)
    name = embeddings.words[row]
    return TreeView(
        name, given, tuple(turns), float(counts[row] / counts.sum()), total, begin, boxes
    )


def _tokens(grown: Grown, counts: npt.NDArray[np.int64], entry: int) -> int:
    if entry < 0:
        return int(counts[-1 - entry])
    return int(grown.tokens[entry])


def _first_entry(grown: Grown, entry: int) -> int:
    if entry < 0:
        return -1 - entry
    return int(grown.first[entry])


def _boxes(
    embeddings: Embeddings, grown: Grown, row: int, top: int, levels: int
) -> tuple[TreeBox, ...]:
    """Boxes level by level, each as wide as its share of the tokens below ``top``."""
    counts = embeddings.counts
    assert counts is not None
    on_path = {int(node) for node in grown.tree.path(row)[0]} | {-1 - row}
    boxes = []
    line = [(top, 0.0, 1.0, -1)]
    for level in range(levels + 1):
        following = []
        for entry, left, right, branch in line:
            tokens = _tokens(grown, counts, entry)
            word = embeddings.words[_first_entry(grown, entry)]
            boxes.append(
                TreeBox(level, left, right, max(entry, -1), word, tokens, branch, entry in on_path)
            )
            if entry >= 0:
                zero, one = (int(child) for child in grown.children[entry])
                middle = left + (right - left) * _tokens(grown, counts, zero) / tokens
                following += [(zero, left, middle, 0), (one, middle, right, 1)]
        line = following
    return tuple(boxes)
