"""The contexts of one word, counted separately for each part of a text: a document, or what a
document has of a group.

A word's row is counted once; the row of any set of parts, or of parts drawn with replacement, is
then a product with their weights.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ids, Ints
from workbench.core.job_control import JobControl
from workbench.corpus.context_iterator import outwards, places_of
from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import window_weights

# Pairs that are collected before they are added up.
_MOST = 1 << 22


def contexts_by_unit(
    corpus: Corpus,
    size: int,
    row: int,
    units: Ints,
    number: int,
    window: int = 5,
    weighting: str = "dynamic",
    run: JobControl | None = None,
) -> sp.csr_matrix:
    """The row of a word in ``cooccurrence`` of the ``size`` first words, split by units.

    row : rank of the word, from 0
    units : int64[S], the unit of each sentence, below ``number``; −1 leaves the sentence out

    Returns CSR float64[number, size], whose sum over all units is the row of #(w, c) with contexts
    on both sides. Raises UserError for an invalid window or weighting, and
    Cancelled.
    """
    whole, divisor = window_weights(window, weighting)
    total = sp.csr_matrix((number, size))
    places = places_of(corpus, row, run)
    own = units[np.searchsorted(corpus.sentences, places, side="right") - 1]
    places, own = places[own >= 0], own[own >= 0]
    keys: list[Ints] = []
    weights = []
    collected = 0
    for step in outwards(corpus, places, window, size, run):
        keys.append(own[step.which] * size + step.ids)
        weights.append(whole[step.distance - 1])
        collected += len(step.ids)
        if collected > _MOST:
            total = total + _sum_pairs(keys, weights, (number, size))
            collected = 0
    if keys:
        total = total + _sum_pairs(keys, weights, (number, size))
    return sp.csr_matrix(total / divisor)


def occurrences_by_unit(
    corpus: Corpus, row: int, units: Ints | Ids, number: int, run: JobControl | None = None
) -> Ints:
    """int64[number], how often a word occurs in the sentences of each unit. Raises Cancelled."""
    places = places_of(corpus, row, run)
    own = units[np.searchsorted(corpus.sentences, places, side="right") - 1]
    return np.bincount(own[own >= 0], minlength=number)


def _sum_pairs(keys: list[Ints], weights: list[Doubles], shape: tuple[int, int]) -> sp.csr_matrix:
    """The sum of the collected pairs, whose lists are emptied."""
    rows, columns = np.divmod(np.concatenate(keys), shape[1])
    added = sp.coo_matrix((np.concatenate(weights), (rows, columns)), shape=shape).tocsr()
    keys.clear()
    weights.clear()
    return added
