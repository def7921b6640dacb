"""Huffman tree of the words of vectors, with the tokens and words below its nodes; cached."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.counts.huffman import HuffmanTree, huffman_tree
from workbench.vectors.embeddings import Embeddings

_grown: WeakKeyDictionary[Embeddings, Grown] = WeakKeyDictionary()
_growing = threading.Lock()


@dataclass(frozen=True, eq=False)
class Grown:
    """A tree with facts about the words below its nodes.

    children : int64[V − 1, 2], by branch: an inner node, or −1 − word
    tokens : int64[V − 1], number of tokens below; first : int64[V − 1], the most frequent word
    below
    """

    tree: HuffmanTree
    children: npt.NDArray[np.int64]
    tokens: npt.NDArray[np.int64]
    first: npt.NDArray[np.int64]


def grow_tree(embeddings: Embeddings) -> Grown:
    """The tree of these vectors' counts, cached. Raises UserError without counts."""
    counts = embeddings.counts
    if counts is None:
        raise UserError(
            tr("These vectors have no counts to build the tree from."),
            tr("Train a model here."),
        )
    with _growing:
        found = _grown.get(embeddings)
        if found is None:
            tree = huffman_tree(counts)
            words = np.repeat(np.arange(tree.words), tree.lengths)
            children = np.zeros((max(tree.inner, 0), 2), dtype=np.int64)
            below = np.append(tree.nodes[1:].astype(np.int64), 0)
            ends = tree.offsets[1:] - 1
            below[ends[tree.lengths > 0]] = -1 - np.flatnonzero(tree.lengths > 0)
            children[tree.nodes, tree.codes] = below
            tokens = np.zeros(len(children), dtype=np.int64)
            np.add.at(tokens, tree.nodes, np.repeat(counts, tree.lengths))
            first = np.full(len(children), tree.words, dtype=np.int64)
            np.minimum.at(first, tree.nodes, words)
            found = _grown[embeddings] = Grown(tree, children, tokens, first)
        return found
