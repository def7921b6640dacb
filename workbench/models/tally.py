"""Running mean of the loss over visited parts of a corpus or table, with its standard error.

A *unit* is visited at once: a chunk of cells, a stretch of text, a submatrix. Neighbouring units
are similar, so they are visited in an order (:func:`fair_order`) in which each fortieth of an epoch
contains one of every forty neighbours, and standard errors are those of units, not of pairs or
cells: neighbouring units of a text share its subject, and neighbouring units of a table share
frequencies.
"""

from __future__ import annotations

import math
import threading
from typing import NamedTuple

import numpy as np

from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import LAST_EPOCH, OBJECTIVE, FinalLoss

# Number of parts of a pass, each of which is a sample of all units.
PARTS = 40
# Weight of earlier points of a trace in the estimate of the spread of units for the next point.
_MEMORY = 0.8
# Maximum cost of computing the objective of a result: a share of its training, or a tenth of a
# second.
_SHARE, _UNNOTICED = 0.02, 1e8


def is_affordable(share: float, work: float) -> bool:
    """Whether to evaluate a result at the end, by the cost as a ``share`` of the training and in
    multiply-adds. Independent of the clock, so that equal trainings end alike.
    """
    return share <= _SHARE or work <= _UNNOTICED


def fair_order(units: int, random: np.random.Generator) -> Ints:
    """Every number below ``units`` once, int64[units]: of each ``PARTS`` neighbours, one is in
    every part of the order.
    """
    strata = -(-units // PARTS)
    dealt = np.full(strata * PARTS, -1)
    dealt[:units] = np.arange(units)
    # First choose the part of each unit, then the places within the parts.
    order = random.permuted(random.permuted(dealt.reshape(strata, PARTS), axis=1).T, axis=1).ravel()
    return order[order >= 0]


class Mean(NamedTuple):
    """A mean of the objective and its standard error; ``share`` is the share of a pass that it
    covers, at most 1.
    """

    loss: float
    error: float
    share: float


class LossTally:
    """The losses of units, as they are visited. ``add`` may be called from any thread.

    units : number of units per pass; draws : whether two visits of a unit differ by random draws
    (negative samples, windows); otherwise a whole pass is exact

    The error of a mean over n of N units is that of a sample without replacement: the variance
    between units counts 1 − n/N times, that of random draws in full. The former is estimated from
    differences between neighbours among the visited units, the latter from two visits of the same
    unit.

    Without random draws, units differ in one pass by nearly the same amounts as in the previous
    pass, so points leave these out: they are regression estimates (Cochran 1977, chapter 7), with
    the slope of the last two passes.
    """

    def __init__(self, units: int, draws: bool) -> None:
        self._losses, self._terms = np.zeros(units), np.zeros(units)
        self._draws = draws
        self._lock = threading.Lock()
        self._visits: list[tuple[Ints, Doubles, Doubles, Doubles, Doubles]] = []
        # Sums of squares relative to the mean loss, and their numbers: of neighbours, and of
        # repeated visits.
        self._spread = np.zeros(2)
        self._repeated = np.zeros(2)
        self._alone: float | None = None
        # Units still to visit in this pass; the difference of each from the mean in the last pass,
        # and the share of it to leave out of this pass.
        self._left = units
        self._differences = np.zeros(units)
        self._slope = 0.0
        self.finite = True

    @property
    def units(self) -> int:
        return len(self._terms)

    def add(self, units: Ints, losses: Doubles, terms: Doubles) -> None:
        """Add visited units: the sums of their losses, and the numbers of terms. Units without
        terms are ignored.
        """
        visited = len(units)
        here = terms > 0
        units, losses, terms = units[here], losses[here], terms[here]
        with self._lock:
            self.finite = self.finite and bool(np.isfinite(losses).all())
            before_losses, before = self._losses[units], self._terms[units]
            with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
                change = losses / terms - before_losses / before
                weight = 1 / terms + 1 / before
            self._losses[units], self._terms[units] = losses, terms
            if len(units):
                known = self._slope * self._differences[units]
                self._visits.append((units, losses - known, terms, change, weight))
            self._left -= visited
            if self._left <= 0:
                self._left += self.units
                self._compare_passes()

    def add_one(self, unit: int, loss: float, terms: float) -> None:
        """Add a single unit, in a tenth of the time of ``add``: there are thousands of short
        stretches of text.
        """
        if not terms > 0:
            return
        with self._lock:
            self.finite = self.finite and math.isfinite(loss)
            before_loss, before = self._losses.item(unit), self._terms.item(unit)
            change, weight = math.nan, math.inf
            if before > 0:
                change, weight = loss / terms - before_loss / before, 1 / terms + 1 / before
            self._losses[unit], self._terms[unit] = loss, terms
            self._visits.append(
                (
                    np.array([unit]),
                    np.array([loss]),
                    np.array([terms]),
                    np.array([change]),
                    np.array([weight]),
                )
            )

    @property
    def knows_draws(self) -> bool:
        """Whether the error of a whole pass is known: random draws don't matter, or a unit was
        visited twice.
        """
        return not self._draws or bool(self._repeated[1])

    def add_repeats(self, losses: Doubles, terms: Doubles) -> None:
        """Add two visits of each of n stretches by which only random draws are measured: losses
        and numbers of terms, float64[2, n], all with the same vectors.
        """
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            means = losses / terms
            scale = abs(float(losses.sum() / terms.sum())) or 1.0
            self._update_repeated(scale, means[1] - means[0], (1 / terms).sum(axis=0))

    def point(self) -> Mean | None:
        """The mean since the last point, as an estimate for a whole pass; None if nothing was
        visited.
        """
        with self._lock:
            visits, self._visits = self._visits, []
        if not visits:
            return None
        units, losses, terms, change, weight = (
            np.concatenate(column) for column in zip(*visits, strict=True)
        )
        sorting = np.argsort(units, kind="stable")
        with np.errstate(over="ignore", invalid="ignore"):
            mean = float(losses.sum() / terms.sum())
            self._update_spread(
                mean, (losses - mean * terms)[sorting] / terms.mean(), change, weight
            )
        return Mean(
            mean,
            self._standard_error(mean, terms, len(units) / self.units),
            min(len(units) / self.units, 1.0),
        )

    def last_pass(self) -> Mean | None:
        """The mean over the latest visit of every visited unit."""
        with self._lock:
            here = self._terms > 0
            losses, terms = self._losses[here], self._terms[here]
        if not len(terms):
            return None
        mean, share = float(losses.sum() / terms.sum()), len(terms) / self.units
        return Mean(mean, self._standard_error(mean, terms, share), share)

    def final(self, evaluated: bool = False) -> FinalLoss | None:
        """``last_pass`` as a final loss; ``evaluated``: the visits made no steps."""
        last = self.last_pass()
        if last is None:
            return None
        return FinalLoss(last.loss, OBJECTIVE if evaluated else LAST_EPOCH, last.error, last.share)

    def _compare_passes(self) -> None:
        """Store the differences of units from the mean in the pass that ends."""
        total = float(self._terms.sum())
        if self._draws or not self.finite or not total > 0:
            return
        before = self._differences
        self._differences = self._losses - float(self._losses.sum()) / total * self._terms
        square = float(before @ before)
        if square > 0:
            self._slope = min(max(float(self._differences @ before) / square, 0.0), 1.0)

    def _update_spread(
        self, mean: float, residuals: Doubles, change: Doubles, weight: Doubles
    ) -> None:
        """Update the spread between units and between visits, as shares of the mean, because the
        loss falls.
        """
        scale = abs(mean) or 1.0
        self._spread *= _MEMORY
        self._repeated *= _MEMORY
        if len(residuals) == 1 and self._alone is not None:
            # If points consist of one unit each, compare successive points.
            self._spread += [(1 - self._alone / mean) ** 2 / 2 if mean else 0.0, 1]
        if len(residuals) == 1:
            self._alone = mean
        else:
            self._alone = None
        if len(residuals) > 1:
            self._spread += [
                float(np.square(np.diff(residuals) / scale).sum() / 2),
                len(residuals) - 1,
            ]
        if self._draws:
            self._update_repeated(scale, change, weight)

    def _update_repeated(self, scale: float, change: Doubles, weight: Doubles) -> None:
        again = np.isfinite(change) & np.isfinite(weight)
        if again.sum() > 1:
            change, weight = change[again], weight[again]
            # The change that all units share comes from learning between the visits.
            moved = float((change / weight).sum() / (1 / weight).sum())
            self._repeated += [
                float(np.square((change - moved) / scale) @ (1 / weight)),
                len(change) - 1,
            ]

    def _standard_error(self, mean: float, terms: Doubles, share: float) -> float:
        scale, total = abs(mean) or 1.0, float(terms.sum())
        if not self._draws and share >= 1:
            return 0.0
        if not self._spread[1]:
            # One unit alone says nothing about its error.
            return scale
        whole = self._spread[0] / self._spread[1] * len(terms) * float(terms.mean()) ** 2 / total**2
        drawn = 0.0
        if self._draws:
            drawn = whole
            if self._repeated[1]:
                drawn = min(self._repeated[0] / self._repeated[1] / total, whole)
        share = min(share, 1.0)
        differences = self._spread[1]
        if share == 1 and self._repeated[1]:
            differences = 1.5 * self._repeated[1]  # they share no units
        error = (
            scale
            * math.sqrt(max((1 - share) * (whole - drawn) + drawn, 0.0))
            * _interval_widening(differences)
        )
        if math.isfinite(error):
            return error
        return scale


def _interval_widening(differences: float) -> float:
    """The 97.5 % point of Student's t over the normal one (Cornish & Fisher 1937): with few units,
    even the spread is uncertain, but twice the standard error must still be a 95 % interval.
    Neighbouring differences share a unit, so they are worth two thirds of their number.
    """
    freedom = max(2 / 3 * differences, 0.7)
    return 1 + 1.21 / freedom + 1.44 / freedom**2
