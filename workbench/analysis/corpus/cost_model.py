"""Forecast of the cost of counting and training at any text length, from runs measured on short
texts.

Sizes follow from a law of frequencies (``frequency_law``): types, the words kept by min_count,
their tokens, and the cells of the table of co-occurrences, of which there would be

    E = Σ_wc 1 − exp(−k·n(w)·n(c)/N)

with k neighbours a token (``counts.cooccurrence.expected_cells``)

if words were placed at random. They do not: a text repeats itself, and speaks of other things as it
continues. So where the law expects E, a text comes to a·E^g, with a and g measured for each size by
itself (Correction). Seconds of a stage are linear in what drives it (DRIVERS), with coefficients
that are not negative (Lawson & Hanson 1974), each run counted by its relative error and its length.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.corpus.frequency_law import FrequencyLaw, Spectrum, fit_law
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.models.base import MODELS

# Bytes of a cell that is moved or kept: a column, int32, and a number, float64; of the text, as a
# number.
CELL_BYTES, TOKEN_BYTES = 12, 4
# The driver of the seconds of each stage, beside a constant. read: text to numbers; count: one part
# of the text; merge: the counts of all parts into one. The others are passes of algorithms.
DRIVERS: Mapping[str, tuple[str, ...]] = {
    "read": ("tokens", "types"),
    "count": ("pairs", "cells"),
    "merge": ("added_cells",),
}

# Corrections for text that differs from words drawn one by one.
CORRECTED = ("types", "vocabulary", "cells", "shuffled_bytes", "added_cells")


@dataclass(frozen=True)
class CountSetting:
    """Settings of counting. least : min_count; neighbours : contexts of a token, 2L for a window of
    L on both sides;
    part : tokens that are counted at a time, on one machine, before parts are merged; vocabulary :
    at most so many words, the most frequent ones (0: all)
    """

    least: int = 5
    neighbours: int = 10
    part: int = 1_000_000
    vocabulary: int = 0


@dataclass(frozen=True)
class MeasuredRun:
    """One run. vocabulary : words kept; kept_tokens : theirs; cells : not 0 in their table;
    shuffled_bytes : of the parts' tables, before they are merged; added_cells : of every two tables
    that were added until there was one, as ``counts.cluster.pieces.summed`` does; seconds : by
    stage, where it was measured
    """

    spectrum: Spectrum
    vocabulary: int
    kept_tokens: int
    cells: int
    shuffled_bytes: int
    added_cells: int
    seconds: Mapping[str, float]


@dataclass(frozen=True)
class Sizes:
    """Sizes of a text of ``tokens`` tokens; see MeasuredRun. pairs : tokens times neighbours; heaps
    : β there.
    """

    tokens: float
    types: float
    vocabulary: float
    kept_tokens: float
    pairs: float
    cells: float
    shuffled_bytes: float
    added_cells: float
    heaps: float

    @property
    def cell_bytes(self) -> float:
        """Bytes of the cells of the merged table."""
        return CELL_BYTES * self.cells


@dataclass(frozen=True)
class Correction:
    """Measured size where the law expects E: factor · E^exponent."""

    factor: float = 1.0
    exponent: float = 1.0

    def of(self, expected: float) -> float:
        return self.factor * expected**self.exponent if expected > 0 else 0.0


@dataclass(frozen=True)
class CostStage:
    """Seconds of a stage: ``constant`` and so many for one of each driver."""

    constant: float
    rates: Mapping[str, float]

    def seconds(self, sizes: Sizes) -> float:
        return self.constant + sum(
            rate * float(getattr(sizes, name)) for name, rate in self.rates.items()
        )


@dataclass(frozen=True)
class CostModel:
    """law : of frequencies; corrections : of CORRECTED, those that were measured; stages :
    likewise
    """

    law: FrequencyLaw
    setting: CountSetting
    corrections: Mapping[str, Correction]
    stages: Mapping[str, CostStage]

    def sizes(self, tokens: float) -> Sizes:
        """Expected sizes of a text of this length."""
        most = self.setting.vocabulary
        words, counts = _most_frequent(*self.law.vocabulary(tokens, self.setting.least), most)
        kept = float(words @ counts)
        parts = max(tokens / self.setting.part, 1.0)
        expected = expected_cells(words, counts, self.setting.neighbours)
        of_part = expected_cells(words, counts, self.setting.neighbours, 1.0 / parts)
        types = self._correct("types", self.law.expected_words(tokens))
        vocabulary = min(self._correct("vocabulary", float(words.sum())), types)
        if most:
            vocabulary = min(vocabulary, most)
        cells = min(self._correct("cells", expected), vocabulary**2)
        moved = self._correct("shuffled_bytes", CELL_BYTES * parts * of_part)
        added = self._correct("added_cells", self._added_cells(words, counts, parts))
        heaps = (
            self.law.heaps_exponent(tokens) * self.corrections.get("types", Correction()).exponent
        )
        return Sizes(
            float(tokens),
            types,
            vocabulary,
            kept,
            kept * self.setting.neighbours,
            cells,
            moved,
            added,
            heaps,
        )

    def seconds(self, tokens: float) -> dict[str, float]:
        """Seconds of every measured stage, on the machine of the measurement."""
        sizes = self.sizes(tokens)
        return {name: stage.seconds(sizes) for name, stage in self.stages.items()}

    def _added_cells(self, words: Doubles, counts: Doubles, parts: float) -> float:
        """Cells of all tables that are added by twos: parts/2ʲ tables of 2ʲ parts each, for 2ʲ
        below ``parts``.
        """
        total, together = 0.0, 1.0
        while together < parts:
            share = together / parts
            total += (
                parts / together * expected_cells(words, counts, self.setting.neighbours, share)
            )
            together *= 2.0
        return total

    def _correct(self, name: str, expected: float) -> float:
        return self.corrections.get(name, Correction()).of(expected)


def drivers_of(stage: str) -> tuple[str, ...]:
    """The driver of the seconds of a stage: for an epoch of an algorithm, tokens or cells."""
    if stage in DRIVERS:
        return DRIVERS[stage]
    if MODELS[stage].scans_tokens:
        return ("kept_tokens",)
    return ("cells",)


def expected_cells(words: Doubles, counts: Doubles, neighbours: float, share: float = 1.0) -> float:
    """Cells that words in random order meet: ``words[i]`` of them are seen ``counts[i]`` times
    each.

    share : in a part of the text alone, in which every word is seen that share of its times
    """
    total = float(words @ counts)
    if not total:
        return 0.0
    return float(words @ -np.expm1(-neighbours * share * np.outer(counts, counts) / total) @ words)


def fit_cost_model(runs: Sequence[MeasuredRun], setting: CountSetting) -> CostModel:
    """The model nearest to the runs, which should have at least three lengths. Raises UserError for
    fewer.
    """
    if len({run.spectrum.tokens for run in runs}) < 3:
        raise UserError(
            "At least three corpus lengths are needed to estimate how costs grow.",
            "Measure more lengths.",
        )
    law = fit_law([run.spectrum for run in runs])
    plain = CostModel(law, setting, {}, {})
    expected = [plain.sizes(run.spectrum.tokens) for run in runs]
    stages = dict.fromkeys(name for run in runs for name in run.seconds)
    met = [sizes_of(run, setting) for run in runs]
    return CostModel(
        law,
        setting,
        {name: _correction(name, expected, met) for name in CORRECTED},
        {name: stage for name in stages if (stage := _stage(name, runs, setting)) is not None},
    )


def sizes_of(run: MeasuredRun, setting: CountSetting) -> Sizes:
    """Measured sizes of a run, without Heaps' exponent."""
    return Sizes(
        run.spectrum.tokens,
        run.spectrum.words[run.spectrum.least.index(1)],
        run.vocabulary,
        run.kept_tokens,
        run.kept_tokens * setting.neighbours,
        run.cells,
        run.shuffled_bytes,
        run.added_cells,
        float("nan"),
    )


def _correction(name: str, expected: Sequence[Sizes], met: Sequence[Sizes]) -> Correction:
    """A line through logarithms, longer texts counting for more, as in fit_law."""
    known = np.array(
        [(getattr(e, name), getattr(m, name)) for e, m in zip(expected, met, strict=True)]
    )
    # Of a text that is one part, nothing is added.
    there = (known > 0).all(axis=1)
    if not there.any():
        return Correction()
    x, y = np.log(known[there]).T
    if np.ptp(x) < 1e-3:
        # The same at all lengths, as where max_vocab cuts.
        return Correction(float(np.exp((y - x).mean())), 1.0)
    weights = np.array([sizes.tokens for sizes in met])[there] ** 0.25
    exponent, intercept = np.polyfit(x, y, 1, w=weights)
    return Correction(float(np.exp(intercept)), float(exponent))


def _stage(name: str, runs: Sequence[MeasuredRun], setting: CountSetting) -> CostStage | None:
    from scipy.optimize import nnls

    observations = [
        (sizes_of(run, setting), run.seconds[name])
        for run in runs
        if run.seconds.get(name, 0.0) > 0
    ]
    if len(observations) < 2:
        return None
    drivers = drivers_of(name)
    rows = np.array(
        [[1.0, *(getattr(sizes, driver) for driver in drivers)] for sizes, _ in observations]
    )
    seconds = np.array([taken for _, taken in observations])
    # Relative errors, of a text twice as long counted twice: short texts fit in caches, which makes
    # them faster than any longer one. Columns of about one size.
    weights = np.array([float(sizes.tokens) for sizes, _ in observations])
    weights /= weights.max()
    scale = rows.max(axis=0)
    scale[scale == 0] = 1.0
    found = nnls(rows / scale * (weights / seconds)[:, None], weights)[0] / scale
    return CostStage(float(found[0]), dict(zip(drivers, map(float, found[1:]), strict=True)))


def _most_frequent(words: Doubles, counts: Doubles, most: int) -> tuple[Doubles, Doubles]:
    """The first ``most`` words of groups in falling order of counts (0: all)."""
    if not most or words.sum() <= most:
        return words, counts
    before = np.cumsum(words) - words
    taken = np.clip(most - before, 0.0, words)
    return taken[taken > 0], counts[taken > 0]
