"""Contexts that a word gains or loses in a group, compared with all other groups.

A context is gained if its PMI with the word is higher in the group than elsewhere. Because PMI of
few pairs is uncertain, contexts are ordered by the log-likelihood ratio of the two rates (Dunning
1993, Accurate Methods for the Statistics of Surprise and Coincidence, Computational Linguistics
19), which is large only with enough pairs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ids
from workbench.counts.association import Margins

# 95th percentile of χ² with one degree of freedom: contexts below it may differ by chance.
LEAST = 3.841


@dataclass(frozen=True)
class ContextChange:
    """A context in a group and elsewhere.

    count, elsewhere : #(w, c) there; pmi, pmi_elsewhere : in nats, NaN without a pair
    evidence : log-likelihood ratio G², negative for a lost context
    """

    context: str
    count: float
    elsewhere: float
    pmi: float
    pmi_elsewhere: float
    evidence: float


def context_changes(
    rows: Doubles, group: int, margins: Margins, words: Sequence[str], n: int
) -> tuple[tuple[ContextChange, ...], tuple[ContextChange, ...]]:
    """Up to ``n`` contexts that a word gains, and up to ``n`` that it loses, in a group.

    rows : float64[G, V], its counts in each group
    margins : of the whole text, whose P(c) is that of every group

    Contexts with less evidence than LEAST are left out.
    """
    here = rows[group]
    there = np.delete(rows, group, axis=0).sum(axis=0)
    evidence = log_likelihood(here, there)
    order = np.argsort(-np.abs(evidence), kind="stable")
    order = order[np.abs(evidence[order]) >= LEAST]
    pmi, elsewhere = _pmi(here, margins), _pmi(there, margins)

    def change(column: int) -> ContextChange:
        return ContextChange(
            words[column],
            float(here[column]),
            float(there[column]),
            float(pmi[column]),
            float(elsewhere[column]),
            float(evidence[column]),
        )

    gained, lost = order[evidence[order] > 0][:n], order[evidence[order] < 0][:n]
    return tuple(map(change, gained.tolist())), tuple(map(change, lost.tolist()))


def log_likelihood(here: Doubles, there: Doubles) -> Doubles:
    """float64[V]: G² of the rate of each context in two rows of counts, float64[V] each; negative
    if it is lower here. 0 if a row is empty.
    """
    first, second = float(here.sum()), float(there.sum())
    if not first or not second:
        return np.zeros(len(here))
    both = here + there
    expected = both * (first / (first + second))
    signs = np.sign(here - expected)
    rest = _terms(first - here, (first + second - both) * (first / (first + second)))
    rest += _terms(second - there, (first + second - both) * (second / (first + second)))
    own = _terms(here, expected) + _terms(there, both - expected)
    return np.asarray(signs * 2.0 * np.maximum(own + rest, 0.0))


def _terms(counts: Doubles, expected: Doubles) -> Doubles:
    """counts · log(counts / expected), 0 for a count of 0."""
    found = np.zeros(len(counts))
    seen = (counts > 0) & (expected > 0)
    found[seen] = counts[seen] * np.log(counts[seen] / expected[seen])
    return found


def _pmi(row: Doubles, margins: Margins) -> Doubles:
    found = np.full(len(row), np.nan)
    seen = np.flatnonzero(row > 0)
    if len(seen):
        chance = np.log(row.sum()) + margins.log_contexts[seen]
        found[seen] = np.log(row[seen]) - chance
    return found


def rows_of(contexts: sp.csr_matrix, groups: Ids, size: int) -> Doubles:
    """float64[G, V], the sums over the units of each group. contexts : CSR [U, V]"""
    known = np.flatnonzero(groups >= 0)
    chosen = sp.csr_matrix((np.ones(len(known)), (groups[known], known)), shape=(size, len(groups)))
    return np.asarray((chosen @ contexts).toarray())
