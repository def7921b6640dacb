"""Cosines of a word with chosen words, group by group, with bands and a control.

The bands are over documents: within each group, as many documents as it has are drawn with
replacement. The contexts and the chosen words stay those of the whole text, so a band says how much
a word’s row depends on the documents of its group. The control shuffles the groups over the
documents: it shows how much cosines differ between groups of this size by chance.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.analysis.groups.params import GroupedParams
from workbench.analysis.groups.spaces import GroupSpace
from workbench.analysis.resampling.intervals import spread_interval
from workbench.core.arrays import Doubles, Ids, Ints
from workbench.core.job_control import JobControl
from workbench.corpus.documents import Documents
from workbench.corpus.groups import SentenceGroups

_TAIL = 2.5
# Rows of counts that are made at once.
_AT_ONCE = 64


@dataclass(frozen=True, eq=False)
class Series:
    """Cosines of a word with another one, in G groups.

    cosines : float64[G], NaN where the word doesn’t occur
    low, high : float64[G], the 95 % band over documents; NaN with fewer than two documents
    control : float64[G], the mean of the cosine in shuffled groups; control_low, control_high :
    float64[G], the 2.5th and 97.5th percentile
    whole : the cosine in the whole text
    p : probability of cosines that differ at least as much from the control, in shuffled groups
    turn : number of the first group after the largest change of the mean, 0 if groups have no order
    """

    word: str
    to: str
    cosines: Doubles
    low: Doubles
    high: Doubles
    control: Doubles
    control_low: Doubles
    control_high: Doubles
    whole: float
    p: float
    turn: int


@dataclass(frozen=True, eq=False)
class Units:
    """The parts of a text that are drawn and shuffled: what each document has of each group.

    of_sentences : int64[S], the unit of each sentence; groups : int32[U], the group of each unit,
    −1 without one
    """

    of_sentences: Ints
    groups: Ids

    @classmethod
    def of(cls, groups: SentenceGroups, documents: Documents) -> Units:
        cut = documents.cut(groups.codes)
        return cls(cut.of_sentences(), groups.codes[cut.begins[:-1]])


@dataclass(frozen=True, eq=False)
class Samples:
    """Cosines of a word with k others. whole : float64[k]; found : float64[G, k]; drawn :
    float64[B, G, k] in resampled texts; shuffled : float64[S, G, k]
    """

    whole: Doubles
    found: Doubles
    drawn: Doubles
    shuffled: Doubles


def sample_cosines(
    space: GroupSpace,
    contexts: sp.csr_matrix,
    units: Units,
    size: int,
    others: Ints,
    params: GroupedParams,
    seed: Sequence[int],
    run: JobControl | None = None,
) -> Samples:
    """The cosines of a word with ``others`` in G = ``size`` groups.

    contexts : CSR float64[U, V], its contexts in each unit (``contexts_by_unit``)
    seed : of the draws and shuffles

    Advances the progress. Raises Cancelled.
    """
    run = run or JobControl()
    draw, shuffle = (np.random.default_rng([*seed, number]) for number in (0, 1))
    occupied = np.flatnonzero(np.diff(contexts.indptr))
    rows = contexts[occupied]
    found = _by_group(space, rows, units.groups[occupied], size, others)
    drawn = np.full((params.texts_drawn, size, len(others)), np.nan)
    steps = size + params.shuffled
    for group in range(size):
        run.advance(group / steps)
        drawn[:, group] = _draw_group(space, rows, occupied, units, group, others, draw, drawn, run)
    shuffled = np.full((params.shuffled, size, len(others)), np.nan)
    grouped = np.flatnonzero(units.groups >= 0)
    codes = units.groups.copy()
    for number in range(len(shuffled)):
        run.check()
        run.advance((size + number) / steps)
        codes[grouped] = shuffle.permutation(units.groups[grouped])
        shuffled[number] = _by_group(space, rows, codes[occupied], size, others)
    whole = space.cosines(sp.csr_matrix(rows.sum(axis=0)), others)[0]
    return Samples(whole, found, drawn, shuffled)


def _by_group(
    space: GroupSpace, rows: sp.csr_matrix, codes: Ids, size: int, others: Ints
) -> Doubles:
    """float64[G, k], the cosines of the sums of the rows of each group."""
    known = np.flatnonzero(codes >= 0)
    chosen = (np.ones(len(known)), (codes[known], known))
    return space.cosines(sp.csr_matrix(chosen, shape=(size, len(codes))) @ rows, others)


def _draw_group(
    space: GroupSpace,
    rows: sp.csr_matrix,
    occupied: Ints,
    units: Units,
    group: int,
    others: Ints,
    draw: np.random.Generator,
    like: Doubles,
    run: JobControl,
) -> Doubles:
    """float64[B, k], the cosines of a group with its units drawn with replacement."""
    found = np.full((len(like), len(others)), np.nan)
    number = int((units.groups == group).sum())
    here = np.flatnonzero(units.groups[occupied] == group)
    if number < 2 or not len(here):
        return found
    # Units without the word are drawn, too, but add nothing: they are one further outcome.
    chances = np.append(np.full(len(here), 1 / number), 1 - len(here) / number)
    for first in range(0, len(found), _AT_ONCE):
        run.check()
        part = min(_AT_ONCE, len(found) - first)
        times = draw.multinomial(number, np.maximum(chances, 0.0), size=part)[:, :-1]
        found[first : first + part] = space.cosines(
            sp.csr_matrix(times, dtype=np.float64) @ rows[here], others
        )
    return found


def series_of(
    word: str,
    to: str,
    at: int,
    samples: Samples,
    occurrences: Ints,
    units: Ints,
    ordered: bool,
) -> Series:
    """The series with the word number ``at`` of the others.

    occurrences, units : int64[G], of the word, and of what was shuffled, in each group
    """
    found, drawn, shuffled = (
        samples.found[:, at],
        samples.drawn[:, :, at],
        samples.shuffled[:, :, at],
    )
    bands = [
        spread_interval(float(one), drawn[:, group], -1.0, 1.0) for group, one in enumerate(found)
    ]
    control, low, high = _control(shuffled)
    return Series(
        word,
        to,
        found,
        np.array([band.low for band in bands]),
        np.array([band.high for band in bands]),
        control,
        low,
        high,
        float(samples.whole[at]),
        chance_of(found, shuffled, units),
        turn_of(found, occurrences) if ordered else 0,
    )


def _control(shuffled: Doubles) -> tuple[Doubles, Doubles, Doubles]:
    """Means and percentiles of float64[S, G], each float64[G]; NaN without values."""
    known = np.isfinite(shuffled)
    mean, low, high = (np.full(shuffled.shape[1], np.nan) for _ in range(3))
    for group in np.flatnonzero(known.any(axis=0)):
        values = shuffled[known[:, group], group]
        mean[group] = values.mean()
        low[group], high[group] = np.percentile(values, (_TAIL, 100 - _TAIL))
    return mean, low, high


def chance_of(found: Doubles, shuffled: Doubles, units: Ints) -> float:
    """The share of all orders, the shuffled ones and the real one, in which cosines differ from
    their mean over orders at least as much as really: Σ_g u_g (x_g − mean_g)², u_g units. A group
    without the word adds nothing.

    Shuffles don’t change the numbers of units, so under the hypothesis that groups don’t matter,
    the real order is one of equals, and the share is at most p with probability p.
    """
    if not len(shuffled) or not np.isfinite(found).any():
        return math.nan
    orders = np.vstack([found, shuffled])
    known = np.isfinite(orders)
    sums = np.where(known, orders, 0.0).sum(axis=0)
    means = sums / np.maximum(known.sum(axis=0), 1)
    away = np.where(known, orders - means, 0.0)
    spread = (away * away) @ units.astype(np.float64)
    return float((spread >= spread[0] * (1 - 1e-12)).mean())


def turn_of(cosines: Doubles, occurrences: Ints) -> int:
    """The number of the first group after the largest change of the mean, 0 without a change:
    the cut that explains most of the variance, with groups weighted by occurrences.
    """
    known = np.flatnonzero(np.isfinite(cosines) & (occurrences > 0))
    values, weights = cosines[known], occurrences[known].astype(np.float64)
    best, turn = 1e-12, 0
    for cut in range(1, len(known)):
        before, after = weights[:cut].sum(), weights[cut:].sum()
        change = np.average(values[cut:], weights=weights[cut:]) - np.average(
            values[:cut], weights=weights[:cut]
        )
        explained = float(change**2 * before * after / (before + after))
        if explained > best:
            best, turn = explained, int(known[cut])
    return turn
