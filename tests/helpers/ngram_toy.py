"""A model made of n-grams, small enough for its answers to be known."""

from __future__ import annotations

import dataclasses

import numpy as np

from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import compose

WORDS = [
    "the",
    "happy",
    "unhappy",
    "happily",
    "selfish",
    "childish",
    "kind",
    "unkind",
    "man",
    "woman",
]
BUCKETS = 5000


def ngram_model(**metadata: object) -> Embeddings:
    """A model of ten words with n-grams of 3 to 5 characters, nearly each in its own bucket."""
    random = np.random.default_rng(11)
    size, dim = len(WORDS), 12
    plain = Embeddings(
        WORDS,
        np.zeros((size, dim), np.float32),
        np.arange(1000, 1000 - 10 * size, -10),
        contexts=random.normal(size=(size, dim)).astype(np.float32),
        word_rows=random.normal(size=(size, dim)).astype(np.float32),
        ngram_vectors=random.normal(size=(BUCKETS // 2, dim)).astype(np.float32),
        ngram_buckets=np.arange(0, BUCKETS, 2),
        metadata={"subwords": {"min_n": 3, "max_n": 5, "buckets": BUCKETS}, **metadata},
    )
    return dataclasses.replace(
        plain, vectors=np.stack([compose(plain, word).vector for word in WORDS])
    )
