"""Newton's method for the objective of SGNS (see ``sgns_mf``), one word's vector at a time.

With C fixed, J is a convex function of each row w of W, with

    gradient Σ_c [ (A + B)·σ − A ] c + λ w,  Hessian Σ_c (A + B)·σ·(1 − σ) c cᵀ + λ,  σ = σ(w·c),

and likewise for C. With few dimensions, gradient methods end in local minima that depend on the
seed, while these steps come close to the global one; with many, Hessians cost more than they save.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles
from workbench.core.job_control import JobControl
from workbench.counts.cooccurrence_kernel import in_threads
from workbench.models.count.sgns_objective import BLOCK_CELLS, SgnsObjective

_ROWS = 256
# Regularisation of Hessians, as a share of the weight of a word, and maximum step of a vector.
_RIDGE, _LONGEST = 1e-4, 1.0


class RowNewton:
    """Steps for all rows of W, or for all of C."""

    def __init__(self, objective: SgnsObjective) -> None:
        starts, columns, seen = objective.cells
        size = objective.size
        cells = sp.csr_matrix((seen, columns, starts), shape=(size, size))
        # For each side: A, and B as the product of a number for its rows and one for the other
        # side's rows.
        self._sides = (
            (cells, objective.expected, objective.noise),
            (cells.T.tocsr(), objective.noise, objective.expected),
        )
        self._l2 = objective.l2
        self._extent = objective.extent
        self._rows = max(1, min(_ROWS, BLOCK_CELLS // size))
        self._threads = objective.threads

    def step(
        self, factors: Doubles, side: int, look: Callable[[], None], run: JobControl
    ) -> Doubles:
        """Make one step for each row of W (``side`` 0) or of C (1), and return the new factors.

        factors : float64[2, V, d], W and C. ``look`` is called as in ``SgnsObjective``. Raises
        Cancelled and the errors of ``look``.
        """
        found = factors.copy()
        size, dim = self._extent[side], found.shape[2]
        other = found[1 - side, : self._extent[1 - side]]
        squares = (other[:, :, None] * other[:, None, :]).reshape(len(other), dim * dim)

        def work(thread: int, pause: Callable[[], None]) -> None:
            for first in range(thread * self._rows, size, self._threads * self._rows):
                pause()
                rows = slice(first, min(first + self._rows, size))
                self._move(found, side, rows, squares)

        if self._threads == 1:
            work(0, look)
        else:
            in_threads(work, self._threads, run, look)
        return found

    def _move(self, factors: Doubles, side: int, rows: slice, squares: Doubles) -> None:
        """One step for some rows of one side, in place. squares : float64[V, d²], each c cᵀ."""
        from scipy.special import expit

        cells, near, far = self._sides[side]
        width = self._extent[1 - side]
        table, other = factors[side, rows], factors[1 - side, :width]
        dim = table.shape[1]
        seen = cells[rows].toarray()[:, :width]
        both = seen + np.outer(near[rows], far[:width])
        sigma = expit(table @ other.T)
        gradient = (both * sigma - seen) @ other + self._l2 * table
        curvature = (both * sigma * (1.0 - sigma)) @ squares
        ridge = self._l2 + _RIDGE * np.maximum(both.sum(axis=1), 1.0)
        hessian = curvature.reshape(-1, dim, dim) + ridge[:, None, None] * np.eye(dim)
        step: Doubles = np.linalg.solve(hessian, gradient[:, :, None])[:, :, 0]
        length = np.linalg.norm(step, axis=1, keepdims=True)
        factors[side, rows] = table - step * (_LONGEST / np.maximum(length, _LONGEST))
