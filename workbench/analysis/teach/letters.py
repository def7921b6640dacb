"""What a fastText model expects of a word by its letters: the mean of its n-grams' vectors."""

from __future__ import annotations

import numpy as np

from workbench.analysis.rows.build import Row
from workbench.analysis.rows.newton import Prior
from workbench.analysis.rows.still_model import WORDS, StillModel
from workbench.core.arrays import Doubles
from workbench.vectors.subwords import bucket_rows, subwords_of, word_ngrams


def letters_prior(still: StillModel, word: str, row: Row, prior: Prior) -> Prior:
    """The prior with the mean of the word's n-grams as its mean; unchanged for contexts, and
    if the model doesn't know any n-gram of the word.

    Its width stays that of words of like frequency. How far these are from their own n-grams would
    be too narrow, because their n-grams were trained with them.
    """
    mean = ngram_mean(still, word) if row.side == WORDS else None
    return prior if mean is None else Prior(mean, prior.precision)


def ngram_mean(still: StillModel, word: str) -> Doubles | None:
    """float64[d], the mean of the vectors of a word's n-grams, without its own row; None without
    n-grams.
    """
    how = subwords_of(still.embeddings)
    if how is None or not how.buckets:
        return None
    places = [place for _, place in word_ngrams(still.embeddings, word, how)]
    if not places:
        return None
    rows = bucket_rows(still.embeddings, np.array(places, dtype=np.int64))
    return np.asarray(rows.astype(np.float64).mean(axis=0))


def own_row(still: StillModel, word: str, vector: Doubles) -> Doubles:
    """The own row with which a word has this vector: (n + 1)·vector − Σ n-grams."""
    how, mean = subwords_of(still.embeddings), ngram_mean(still, word)
    if how is None or mean is None:
        return vector
    number = sum(1 for _ in word_ngrams(still.embeddings, word, how))
    return (number + 1) * vector - number * mean
