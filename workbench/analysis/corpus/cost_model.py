"""Forecast of the cost of counting and training at any text length, from runs measured on short
texts.

Sizes follow from a law of frequencies (``frequency_law``): types, the words kept by min_count,
their tokens, and the cells of the co-occurrence table. If words were placed at random, their
expected number would be

    E = Σ_wc 1 − exp(−k·n(w)·n(c)/N)

with k neighbours per token (``counts.cooccurrence.expected_cells``).

But a text repeats itself, and changes its topic. So where the law expects E, a text has a·E^g, with
a and g fitted separately for each size (Correction). Seconds of a stage are linear in its drivers
(DRIVERS), with non-negative coefficients (Lawson & Hanson 1974), fitted to relative errors weighted
by the length of each run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.corpus.frequency_law import FrequencyLaw, Spectrum, fit_law
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.models.base import MODELS

# Bytes of a cell in transfer or memory: a column, int32, and a value, float64; and of a token, as
# an int32.
CELL_BYTES, TOKEN_BYTES = 12, 4
# The drivers of the seconds of each stage, besides a constant. read: text to word numbers; count:
# one part of the text; merge: the counts of all parts into one table. Other stages are epochs of
# algorithms.
DRIVERS: Mapping[str, tuple[str, ...]] = {
    "read": ("tokens", "types"),
    "count": ("pairs", "cells"),
    "merge": ("added_cells",),
}

# Sizes that are corrected because a text differs from independently drawn words.
CORRECTED = ("types", "vocabulary", "cells", "shuffled_bytes", "added_cells")


@dataclass(frozen=True)
class CountSetting:
    """Settings of counting.

    least : min_count
    neighbours : contexts of a token, 2L for a window of L on both sides
    part : number of tokens that one machine counts at a time, before parts are merged
    vocabulary : maximum number of words, the most frequent ones (0: all)
    """

    least: int = 5
    neighbours: int = 10
    part: int = 1_000_000
    vocabulary: int = 0


@dataclass(frozen=True)
class MeasuredRun:
    """One measured run.

    vocabulary : words kept; kept_tokens : their tokens; cells : non-zero cells of their table
    shuffled_bytes : bytes of the tables of all parts, before merging
    added_cells : total cells of the tables that were added pairwise until one was left, as in
    ``counts.cluster.partial_counts.sum_matrices``
    seconds : by stage, if measured
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
    """Sizes of a text of ``tokens`` tokens; see MeasuredRun. pairs : tokens times neighbours;
    heaps : Heaps' exponent β at this length.
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
    """Seconds of a stage: ``constant``, and ``rates`` per unit of each driver."""

    constant: float
    rates: Mapping[str, float]

    def seconds(self, sizes: Sizes) -> float:
        return self.constant + sum(
            rate * float(getattr(sizes, name)) for name, rate in self.rates.items()
        )


@dataclass(frozen=True)
class CostModel:
    """Model of sizes and seconds. law : law of frequencies; corrections : the measured ones of
    CORRECTED; stages : the measured stages
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
        """Total cells of all tables that are added pairwise: parts/2ʲ tables of 2ʲ parts each, for
        2ʲ below ``parts``.
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
    """Expected cells for words in random order: ``words[i]`` words occur ``counts[i]`` times each.

    share : for a part of the text that contains this share of each word's occurrences
    """
    total = float(words @ counts)
    if not total:
        return 0.0
    return float(words @ -np.expm1(-neighbours * share * np.outer(counts, counts) / total) @ words)


def fit_cost_model(runs: Sequence[MeasuredRun], setting: CountSetting) -> CostModel:
    """Fit a model to runs, which must have at least three lengths. Raises UserError for
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
    """Fit a line to logarithms, with larger weights for longer texts, as in fit_law."""
    known = np.array(
        [(getattr(e, name), getattr(m, name)) for e, m in zip(expected, met, strict=True)]
    )
    # For a text of one part, no tables are added.
    there = (known > 0).all(axis=1)
    if not there.any():
        return Correction()
    x, y = np.log(known[there]).T
    if np.ptp(x) < 1e-3:
        # The size is the same at all lengths, for example because of max_vocab.
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
    # Relative errors weighted by length: short texts fit in caches, which makes them faster than
    # longer ones. Columns are scaled to similar size.
    weights = np.array([float(sizes.tokens) for sizes, _ in observations])
    weights /= weights.max()
    scale = rows.max(axis=0)
    scale[scale == 0] = 1.0
    found = nnls(rows / scale * (weights / seconds)[:, None], weights)[0] / scale
    return CostStage(float(found[0]), dict(zip(drivers, map(float, found[1:]), strict=True)))


def _most_frequent(words: Doubles, counts: Doubles, most: int) -> tuple[Doubles, Doubles]:
    """The first ``most`` words (0: all) of groups in descending order of counts."""
    if not most or words.sum() <= most:
        return words, counts
    before = np.cumsum(words) - words
    taken = np.clip(most - before, 0.0, words)
    return taken[taken > 0], counts[taken > 0]
