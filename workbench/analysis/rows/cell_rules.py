"""Weights and targets of the cells of a row, for the algorithms that minimise squared errors.

In each row, M of an observed cell is log A (GloVe), or PMI_α − log k = log A − log(k·#(w)·P_α(c)),
with P_α(c) from the margins of the training's counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from workbench.analysis.rows.forms import At, CellRule, Weighted
from workbench.core.arrays import Doubles

Weight = Callable[[Doubles, Doubles], Doubles]


@dataclass(frozen=True, eq=False)
class LogCounts(CellRule):
    """M = log A (P14). weight : f by A and B; B isn't used."""

    weight: Weight
    needs_total = False

    def cells(self, counts: Doubles, total: float, at: At) -> Weighted:
        observed = counts > 0
        safe = np.where(observed, counts, 1.0)
        weights = np.where(observed, self.weight(safe, safe), 0.0)
        return Weighted(weights, np.log(safe), np.zeros(len(counts)))


@dataclass(frozen=True, eq=False)
class ShiftedPmi(CellRule):
    """M = log A − log B, where B = k·#(w)·P_α(c).

    chance : float64[n], B/#(w), or B itself if ``fixed``
    weight : f by A and B
    positive : M is at least 0, and an unobserved cell has M = 0 (SPPMI)
    """

    chance: Doubles
    weight: Weight
    fixed: bool = False
    positive: bool = False

    @property
    def needs_total(self) -> bool:  # type: ignore[override]
        return not self.fixed

    def cells(self, counts: Doubles, total: float, at: At) -> Weighted:
        scale = 1.0 if self.fixed else max(total, 1e-9)
        expected = scale * self.chance[at]
        observed = (counts > 0) & (expected > 0)
        safe = np.where(observed, counts, 1.0)
        expected = np.where(observed, expected, 1.0)
        weights = np.where(observed, self.weight(safe, expected), 0.0)
        targets = np.where(observed, np.log(safe) - np.log(expected), 0.0)
        if self.positive:
            targets = np.maximum(targets, 0.0)
        by_total = np.full(len(counts), 0.0 if self.fixed else -1.0 / scale)
        return Weighted(weights, targets, by_total)


@dataclass(frozen=True, eq=False)
class DrawnCells(CellRule):
    """Stochastic factorisation (``models/count/smf.py``): cells above 0 with their weight, the
    others with M = 0, as often as they are drawn.

    drawn : float64[n], expected number of draws of each context for the row
    """

    pmi: ShiftedPmi
    drawn: Doubles

    def cells(self, counts: Doubles, total: float, at: At) -> Weighted:
        found = self.pmi.cells(counts, total, at)
        above = found.targets > 0
        return Weighted(
            np.where(above, found.weights, self.drawn[at]),
            found.targets,
            np.where(above, found.by_total, 0.0),
        )
