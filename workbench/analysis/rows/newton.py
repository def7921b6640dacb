"""Newton's method for one row: the minimum of its objective with a pull towards a prior mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.analysis.rows.forms import Evaluation, RowForm
from workbench.core.arrays import Doubles
from workbench.core.job_control import JobControl

_STEPS, _HALVINGS = 50, 12
# A decrement below this ends the iteration: three ten-thousandths of the vector's standard error.
_CLOSE = 1e-7
# A Hessian is used again while each step lowers the decrement to at most this share.
_STILL_GOOD = 0.2


@dataclass(frozen=True, eq=False)
class Prior:
    """A normal distribution of a row before its counts are known.

    mean : float64[d]; precision : float64[d, d], the inverse of its covariance
    """

    mean: Doubles
    precision: Doubles


@dataclass(frozen=True, eq=False)
class RowSolution:
    """The minimum of J + scale/2 · (w − mean)ᵀ precision (w − mean).

    w : float64[d]; hessian : float64[d, d], of J + prior, in units of a likelihood
    total : #(w); steps : number of Newton's steps
    """

    w: Doubles
    hessian: Doubles
    total: float
    steps: int

    @property
    def covariance(self) -> Doubles:
        """H⁻¹, float64[d, d]: the uncertainty of w, as far as pairs are independent."""
        return np.asarray(np.linalg.inv(self.hessian))


class _Pulled:
    """J with the pull of a prior."""

    def __init__(self, form: RowForm, counts: Doubles, total: float, prior: Prior) -> None:
        self.form, self._counts, self._total, self._mean = form, counts, total, prior.mean
        self._ridge = form.scale * prior.precision

    def at(self, w: Doubles, x: Doubles | None = None) -> tuple[float, Evaluation]:
        away = w - self._mean
        found = self.form.evaluate(w, self._counts, self._total, x)
        return found.value + 0.5 * float(away @ self._ridge @ away), found

    def gradient(self, w: Doubles, found: Evaluation) -> Doubles:
        return self.form.gradient(w, found, rough=True) + self._ridge @ (w - self._mean)

    def hessian(self, found: Evaluation) -> Doubles:
        return self.form.hessian(self._total, found) + self._ridge


def minimise(
    form: RowForm,
    counts: Doubles,
    total: float,
    prior: Prior,
    start: RowSolution | None = None,
    run: JobControl | None = None,
) -> RowSolution:
    """Newton's steps with halving. counts : float64[n] of the form's cells; total : #(w).

    A Hessian takes longer than all else, so it is kept while it serves. ``start`` is a solution
    from which few steps are expected, such as the one before another line was added: its Hessian
    grows with #(w). Raises Cancelled.
    """
    pulled = _Pulled(form, counts, total, prior)
    w = np.array(prior.mean if start is None else start.w)
    value, found = pulled.at(w)
    fresh = start is None or not start.total
    if fresh or start is None:
        hessian = pulled.hessian(found)
    else:
        hessian = start.hessian * form.scale * (total / start.total)
    last, steps = np.inf, 0
    moved_from: tuple[Doubles, Doubles] | None = None
    while steps < _STEPS:
        steps += 1
        if run is not None:
            run.check()
        gradient = pulled.gradient(w, found)
        if moved_from is not None:
            hessian = _corrected(hessian, w - moved_from[0], gradient - moved_from[1])
        step = _solve(hessian, gradient)
        decrement = float(gradient @ step)
        if not fresh and decrement > _STILL_GOOD * last:
            hessian, fresh = pulled.hessian(found), True
            step = _solve(hessian, gradient)
            decrement = float(gradient @ step)
        if decrement <= _CLOSE * form.scale:
            break
        moved = _descend(pulled, w, step, value, decrement, found)
        if moved is None and not fresh:
            hessian, fresh = pulled.hessian(found), True
            continue
        if moved is None:
            break
        moved_from = (w, gradient)
        w, value, found = moved
        last, fresh = decrement, False
    if not fresh:
        hessian = pulled.hessian(found)
    return RowSolution(w, hessian / form.scale, total, steps)


def _corrected(hessian: Doubles, step: Doubles, change: Doubles) -> Doubles:
    """The Hessian with the curvature that a step showed (BFGS): of the gradient’s change."""
    along, known = float(step @ change), hessian @ step
    before = float(step @ known)
    if along <= 0 or before <= 0:
        return hessian
    return np.asarray(hessian + np.outer(change, change) / along - np.outer(known, known) / before)


def _solve(hessian: Doubles, gradient: Doubles) -> Doubles:
    return np.asarray(np.linalg.solve(hessian, gradient), dtype=np.float64)


def _descend(
    pulled: _Pulled,
    w: Doubles,
    step: Doubles,
    value: float,
    decrement: float,
    found: Evaluation,
) -> tuple[Doubles, float, Evaluation] | None:
    """Move against the step, half as far until the value falls; None if it never does."""
    share = 1.0
    # float32 is enough for a step, as it wouldn’t be for w: the last steps are short.
    along = pulled.form.design.rough_along(step, found.at)
    for _ in range(_HALVINGS):
        moved = w - share * step
        new, there = pulled.at(moved, found.x - share * along)
        if new <= value - 1e-4 * share * decrement:
            return moved, new, there
        share /= 2
    return None
