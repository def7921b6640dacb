"""Collocates of a word by PMI or by log-likelihood (Dunning 1993, Accurate Methods for the
Statistics of Surprise and Coincidence).

A pair is a word and another at most ``window`` words away in its sentence, on either side; all
pairs weigh 1. With O = #(w, c), the sums R = #(w) and C = #(c), all pairs N, and E = R·C/N:

    PMI    log(O/E), in nats
    G²     2 Σ O log(O/E) over the four cells of the table (w or not, c or not); negative here for
           pairs that occur less often than expected
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.collocations.dispersion import Dispersion, Parts, dispersion
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.params import Params, param
from workbench.corpus.concordance import row_of
from workbench.corpus.context_iterator import outwards, places_of
from workbench.corpus.corpus import Corpus
from workbench.counts.contexts import context_row, context_totals

PMI, LOG_LIKELIHOOD = "pmi", "log-likelihood"


@dataclass(frozen=True)
class CollocationParams(Params):
    """Which words are collocates."""

    measure: str = param(
        LOG_LIKELIHOOD,
        "Measure that ranks collocates. pmi: how many times as often as by chance a pair occurs, "
        "which favours rare words; log-likelihood: how sure it is that this isn’t chance.",
        label="Measure",
        choices=(LOG_LIKELIHOOD, PMI),
        source="Dunning 1993",
        basic=True,
    )
    window: int = param(
        5,
        "Number of words on each side that count as near.",
        label="Window",
        low=1,
        high=100,
        unit="words",
        source="five words, as usual for collocations",
        basic=True,
    )
    least: int = param(
        5,
        "Minimum number of times that a pair must occur.",
        label="Minimum count",
        low=1,
        high=1_000_000,
        unit="pairs",
        grows="fewer, more reliable collocates",
        basic=True,
    )
    first: int = param(
        15,
        "Number of collocates of the word.",
        label="Collocates",
        low=1,
        high=1000,
        unit="words",
        basic=True,
    )
    second: int = param(
        0,
        "Number of collocates of each collocate in the network. 0 = only those of the word.",
        label="Second order",
        low=0,
        high=100,
        unit="words",
        basic=True,
    )


@dataclass(frozen=True)
class Collocate:
    """A pair of words. times : number of pairs; expected : by chance; pmi in nats"""

    word: str
    other: str
    times: int
    expected: float
    pmi: float
    log_likelihood: float

    def score(self, measure: str) -> float:
        """Value of PMI or LOG_LIKELIHOOD."""
        return self.pmi if measure == PMI else self.log_likelihood


@dataclass(frozen=True)
class Network:
    """Collocates of a word and, of second order, theirs.

    first : best first; dispersions : of the pairs of each, empty if the text has no parts
    second : pairs of collocates with theirs, by the order of the first, then best first
    occurrences : number of times that the word occurs; parts_unit : of the dispersions, or ""
    """

    word: str
    occurrences: int
    first: tuple[Collocate, ...]
    second: tuple[Collocate, ...]
    dispersions: tuple[Dispersion, ...]
    own_dispersion: Dispersion | None
    parts_unit: str


def log_likelihood(pairs: Doubles, row: float, columns: Doubles, total: float) -> Doubles:
    """Signed G² of pairs O float64[n] of one word with sum R and others with sums C float64[n]:
    float64[n].
    """
    observed = np.stack([pairs, row - pairs, columns - pairs, total - row - columns + pairs])
    sides = np.stack([np.full(len(pairs), row), np.full(len(pairs), total - row)])
    margins = np.stack([columns, total - columns])
    expected = np.stack(
        [sides[i] * margins[j] / total for i, j in ((0, 0), (0, 1), (1, 0), (1, 1))]
    )
    with np.errstate(divide="ignore", invalid="ignore"):
        terms = np.where(observed > 0, observed * np.log(observed / expected), 0.0)
    found = 2 * terms.sum(axis=0)
    return np.asarray(np.where(pairs < expected[0], -found, found))


def collocates(
    corpus: Corpus, row: int, params: CollocationParams, n: int, run: JobControl | None = None
) -> tuple[Collocate, ...]:
    """The ``n`` best collocates of the word of this rank that occur more often than by chance.
    Raises UserError for a corpus of counts with another window, and Cancelled.
    """
    size = corpus.types
    totals = context_totals(corpus, size, params.window, "fixed", run)
    found = context_row(corpus, size, row, params.window, "fixed", run)
    times = found.times.astype(np.float64)
    columns = totals[found.columns]
    total, own = float(totals.sum()), float(totals[row])
    expected = own * columns / total
    pmi = np.log(times) - np.log(expected)
    surprise = log_likelihood(times, own, columns, total)
    usable = (times >= params.least) & (pmi > 0) & (found.columns != row)
    scores = pmi if params.measure == PMI else surprise
    order = np.flatnonzero(usable)
    order = order[np.argsort(-scores[order], kind="stable")[:n]]
    return tuple(
        Collocate(
            corpus.words[row],
            corpus.words[int(found.columns[at])],
            int(found.times[at]),
            float(expected[at]),
            float(pmi[at]),
            float(surprise[at]),
        )
        for at in order.tolist()
    )


def collocation_network(
    corpus: Corpus,
    word: str,
    params: CollocationParams,
    parts: Parts | None = None,
    run: JobControl | None = None,
) -> Network:
    """The collocates of a word, with their dispersion over ``parts``, and theirs. Raises
    UnknownWord, UserError if the word has no collocates, and Cancelled.
    """
    row = row_of(corpus, word)
    first = collocates(corpus, row, params, params.first, run)
    if not first:
        raise UserError(
            tr("“{word}” has no collocates.", word=corpus.words[row]),
            tr("Lower the minimum count, or choose a larger window."),
        )
    index = {each: number for number, each in enumerate(corpus.words)}
    second: list[Collocate] = []
    for at, one in enumerate(first if params.second else ()):
        if run is not None:
            run.check()
            run.advance(at / len(first), tr("Counting collocates of collocates"))
        # The way back is known already.
        others = collocates(corpus, index[one.other], params, params.second + 1, run)
        kept = [each for each in others if each.other != corpus.words[row]]
        second += kept[: params.second]
    spread: tuple[Dispersion, ...] = ()
    own = None
    if parts is not None:
        places = places_of(corpus, row, run)
        own = dispersion(np.bincount(parts.number_of(places), minlength=len(parts)), parts.sizes)
        rows = [index[one.other] for one in first]
        spread = _dispersions(corpus, places, rows, params.window, parts, run)
    return Network(
        corpus.words[row],
        int(corpus.counts[row]),
        first,
        tuple(second),
        spread,
        own,
        "" if parts is None else parts.unit,
    )


def _dispersions(
    corpus: Corpus,
    places: Ints,
    rows: Sequence[int],
    window: int,
    parts: Parts,
    run: JobControl | None,
) -> tuple[Dispersion, ...]:
    """Dispersion of the pairs of the word at these places with each of some others."""
    number = np.full(corpus.types, -1, dtype=np.int64)
    number[list(rows)] = np.arange(len(rows))
    counts = np.zeros(len(rows) * len(parts), dtype=np.int64)
    for step in outwards(corpus, places, window, run=run):
        which = number[step.ids]
        hits = which >= 0
        cells = which[hits] * len(parts) + parts.number_of(step.places[hits])
        counts += np.bincount(cells, minlength=len(counts))
    return tuple(dispersion(row, parts.sizes) for row in counts.reshape(len(rows), len(parts)))


def strength(score: float, largest: float) -> float:
    """A score as a share of the largest one, 0 for a score that isn't positive."""
    if largest <= 0 or not math.isfinite(score):
        return 0.0
    return max(0.0, min(1.0, score / largest))
