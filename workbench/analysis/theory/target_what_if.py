"""Fit of a model to a target under other settings than its own, with one pair as an example."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from workbench.analysis.theory.pair_counts import PairCounts
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.target_fit import Fit, FitOptions, axes, fit
from workbench.analysis.theory.targets import TargetSettings, expected_probabilities, target_values
from workbench.core.arrays import Ints
from workbench.core.job_control import JobControl
from workbench.models.base import TheoryTarget


@dataclass(frozen=True)
class PairLook:
    """One pair and the terms of its target.

    count : #(w, c); row_sum : #(w); chance : P(c) of the target, NaN if it has none; k : its log is
    subtracted
    target, own_target : under the chosen settings, and under the model's own; −inf for a pair
    never observed
    score : the model's score
    """

    word: str
    context: str
    count: float
    row_sum: float
    chance: float
    k: float
    target: float
    own_target: float
    score: float


@dataclass(frozen=True, eq=False)
class Look:
    """A comparison. ``own`` : int64[b], number of pairs with their target in each cell of the axis
    under the model's own settings; None if the chosen settings are the model's own.
    """

    fit: Fit
    own: Ints | None
    pair: PairLook | None


@dataclass(frozen=True, eq=False)
class WhatIf:
    """The pairs under chosen settings, and those under the model's own."""

    pairs: PairCounts
    setting: TargetSettings
    own_pairs: PairCounts
    own_setting: TargetSettings

    @classmethod
    def unchanged(cls, pairs: PairCounts, setting: TargetSettings) -> WhatIf:
        """The model's own settings."""
        return cls(pairs, setting, pairs, setting)

    @property
    def is_changed(self) -> bool:
        return self.own_pairs is not self.pairs or self.own_setting != self.setting


def compare_settings(
    what_if: WhatIf,
    key: str,
    own: TheoryTarget,
    scores: PairScores,
    chosen: tuple[str, ...] = (),
    options: FitOptions = FitOptions(),  # noqa: B008
    run: JobControl | None = None,
) -> Look:
    """Compare the model with its targets under the chosen settings.

    chosen : word and context, or a word, whose most frequent context is used; if ``pairs`` lacks
    the words, the most frequent pair is used
    options : ``span`` is the minimum range of the axes
    """
    pairs, setting, span = what_if.pairs, what_if.setting, options.span
    values = [target_values(pairs, setting, key)]
    if what_if.is_changed:
        values.append(target_values(what_if.own_pairs, what_if.own_setting, key))
    ends = [axes(pairs, np.concatenate(values), scores)] + ([span] if span else [])
    low, high = min(end[0] for end in ends), max(end[1] for end in ends)
    found = fit(pairs, setting, key, own, scores, replace(options, span=(low, high)), run)
    ghost = None
    if what_if.is_changed:
        bins = found.histogram.shape[0]
        at = np.clip(((values[1] - low) * (bins / (high - low))).astype(np.int64), 0, bins - 1)
        ghost = np.bincount(at, minlength=bins)
    return Look(found, ghost, pair_look(what_if, key, scores, *_default_pair(pairs, chosen)))


def pair_look(what_if: WhatIf, key: str, scores: PairScores, word: str, context: str) -> PairLook:
    """One pair of words. Raises UnknownWord."""
    pairs, setting, own_pairs = what_if.pairs, what_if.setting, what_if.own_pairs
    row, column = pairs.row(word), pairs.row(context)
    with_chance = key in ("xstar", "pmi", "sppmi")
    k = setting.negative if key == "xstar" else setting.shift
    return PairLook(
        pairs.words[row],
        pairs.words[column],
        pairs.count(row, column),
        float(pairs.row_sums[pairs.ids[row]]),
        float(expected_probabilities(pairs, setting, key, np.array([column]))[0])
        if with_chance
        else float("nan"),
        k if with_chance else 1.0,
        target_of(pairs, setting, key, row, column),
        target_of(own_pairs, what_if.own_setting, key, own_pairs.row(word), own_pairs.row(context)),
        float(scores.block(np.array([row]))[0, column]),
    )


def target_of(pairs: PairCounts, setting: TargetSettings, key: str, row: int, column: int) -> float:
    """The target of one pair, −inf if it was never observed (0 for "sppmi", whose matrix contains a
    0 there).
    """
    count, total = pairs.count(row, column), float(pairs.row_sums[pairs.ids[row]])
    if count == 0:
        if key == "sppmi":
            return 0.0
        return float("-inf")
    value = float(np.log(count))
    if key == "logx":
        return value
    value -= float(np.log(total))
    if key == "logp":
        return value
    k = setting.negative if key == "xstar" else setting.shift
    value -= float(np.log(k * expected_probabilities(pairs, setting, key, np.array([column]))[0]))
    if key == "sppmi":
        return max(value, 0.0)
    return value


def _default_pair(pairs: PairCounts, chosen: tuple[str, ...]) -> tuple[str, str]:
    """The chosen pair, or else the two different words that co-occur most often, including a chosen
    word if there is one.
    """
    known = tuple(word for word in chosen[:2] if word in pairs.index)
    if len(known) == 2:
        return known[0], known[1]
    rows, columns = pairs.rows, pairs.cells.indices
    fit_in = rows != columns
    if known and np.any(fit_in & (rows == pairs.index[known[0]])):
        fit_in &= rows == pairs.index[known[0]]
    apart = np.flatnonzero(fit_in)
    at = int(apart[np.argmax(pairs.cells.data[apart])]) if len(apart) else 0
    return pairs.words[int(rows[at])], pairs.words[int(columns[at])]
