"""Weights of words: each type alike, or as often as it occurs (Yokoi, Bao, Kurita & Shimodaira
2024, Zipfian Whitening).
"""

from __future__ import annotations

import numpy as np

from workbench.core.arrays import Doubles, Ints
from workbench.corpus.corpus import Corpus
from workbench.corpus.word_lookup import look_up
from workbench.vectors.embeddings import Embeddings


def frequencies(embeddings: Embeddings, corpus: Corpus | None = None) -> Ints | None:
    """int64[V], how often each word occurs, from the vectors or else from their text; None if both
    are unknown.
    """
    if embeddings.counts is not None:
        return embeddings.counts
    if corpus is None:
        return None
    index = corpus.vocabulary().index
    rows = (look_up(word, index, corpus.options) for word in embeddings.words)
    return np.array([0 if row is None else corpus.counts[row] for row in rows], dtype=np.int64)


def shares(counts: Ints, beta: float) -> Doubles:
    """q_w = n(w)^β / Σ n^β: float64[n] with sum 1; β = 0 weighs types, β = 1 tokens. Words that
    never occur count as if they occurred once.
    """
    powers = np.maximum(counts, 1).astype(np.float64) ** beta
    return np.asarray(powers / powers.sum())
