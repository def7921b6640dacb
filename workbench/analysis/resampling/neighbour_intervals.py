"""Neighbours of a word with the uncertainty of the text: intervals of cosine and rank, and how
often each stays.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.analysis.evaluation.bootstrap import Interval
from workbench.analysis.neighbours.nearest import nearest
from workbench.analysis.resampling.intervals import quantile_interval, spread_interval
from workbench.analysis.resampling.statistics import neighbours_of
from workbench.analysis.resampling.texts_drawn import TextDraws, resample
from workbench.core.job_control import JobControl


@dataclass(frozen=True)
class NeighbourInterval:
    """A neighbour of a word in the text itself.

    cosine, rank : there, rank 1 is the nearest
    cosines, ranks : 95 % intervals
    stays : share of drawn texts in which it is among the n nearest, 0 to 1
    """

    word: str
    cosine: float
    cosines: Interval
    rank: int
    ranks: Interval
    stays: float


@dataclass(frozen=True, eq=False)
class NeighbourIntervals:
    """The n nearest words of a word. unit, documents : what was drawn, and its number; texts :
    number of drawn texts
    """

    word: str
    neighbours: tuple[NeighbourInterval, ...]
    unit: str
    documents: int
    texts: int


def neighbour_intervals(
    draws: TextDraws, word: str, n: int, texts: int, run: JobControl | None = None
) -> NeighbourIntervals:
    """The ``n`` nearest words of a word in ``texts`` texts of drawn documents.

    Raises UnknownWord, UserError and Cancelled.
    """
    run = run or JobControl()
    refit = draws.whole(run)
    whole = refit.embeddings
    row = whole.row(word)
    found = nearest(whole, whole.words[row], n)
    others = [one.word for one in found]
    sampled = resample(draws, neighbours_of(whole.words[row], others), texts, run, refit)
    estimate, values = sampled.estimate.reshape(2, -1), sampled.values.reshape(texts, 2, -1)
    neighbours = tuple(
        NeighbourInterval(
            one.word,
            float(estimate[0, at]),
            spread_interval(float(estimate[0, at]), values[:, 0, at], -1.0, 1.0),
            at + 1,
            quantile_interval(values[:, 1, at]),
            float(np.mean(values[:, 1, at] <= n)),
        )
        for at, one in enumerate(found)
    )
    return NeighbourIntervals(whole.words[row], neighbours, sampled.unit, sampled.documents, texts)
