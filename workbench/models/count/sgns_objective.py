"""The objective of SGNS over all pairs at once (see ``sgns_mf``) and its gradient, in blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ids, Ints
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.counts.cooccurrence_kernel import in_threads

_ROWS, _COLUMNS = 256, 2048  # of a block: its 4 MB of products take some ten milliseconds
BLOCK_CELLS = _ROWS * _COLUMNS


class SeenCells(NamedTuple):
    """Observed pairs, row by row. indptr : int64[V + 1]; columns : int32[n]; seen : float64[n],
    A
    """

    indptr: Ints
    columns: Ids
    seen: Doubles


class SgnsObjective:
    """J and its gradient at W and C, over all V² cells in blocks.

    counts : CSR float64[V, V], expected #(w, c); noise : float64[V], P_n; negative : k; l2 : λ
    extent : numbers of rows and columns before padding (``padded``); None: there is none
    expected : float64[V], k·#(w) by row; pairs : Σ A
    """

    def __init__(
        self,
        counts: sp.csr_matrix,
        noise: Doubles,
        negative: int,
        l2: float,
        threads: int,
        extent: tuple[int, int] | None = None,
    ) -> None:
        self.cells = SeenCells(
            counts.indptr.astype(np.int64),
            counts.indices.astype(np.int32, copy=False),
            counts.data,
        )
        self.size, self.l2 = counts.shape[0], l2
        self.extent = extent or counts.shape
        self.row_sums = np.asarray(counts.sum(axis=1)).ravel()
        self.column_sums = np.asarray(counts.sum(axis=0)).ravel()
        self.expected = negative * self.row_sums
        self.noise = noise
        self.pairs = float(self.row_sums.sum())
        self._elsewhere: dict[int, float] = {}
        starts = range(0, self.size, _ROWS)
        self.threads = max(1, min(threads, len(starts)))
        self.scratch = [
            np.empty(min(_ROWS, self.size) * min(_COLUMNS, self.size)) for _ in range(self.threads)
        ]

    def __call__(
        self, factors: Doubles, look: Callable[[], None], run: JobControl
    ) -> tuple[float, float, Doubles]:
        """Return J, J without λ, and dJ/d factors.

        factors : float64[2, n, d], W and C of the n most frequent words; those of all other words
        are zero. ``look`` is called every 20 to 50 ms in the calling thread. Raises Cancelled and
        the errors of ``look``.
        """
        size = factors.shape[1]
        rows, columns = (min(size, side) for side in self.extent)
        gradient = np.zeros_like(factors)
        others = [gradient[1]] + [np.zeros_like(gradient[1]) for _ in range(self.threads - 1)]
        losses = np.zeros((self.threads, 16))

        def work(thread: int, pause: Callable[[], None]) -> None:
            # The row numbers determine each thread’s rows, so that sums are the same each time.
            for first in range(thread * _ROWS, rows, self.threads * _ROWS):
                for left in range(0, columns, _COLUMNS):
                    pause()
                    block = (
                        slice(first, min(first + _ROWS, rows)),
                        slice(left, min(left + _COLUMNS, columns)),
                    )
                    sides = gradient[0], others[thread]
                    losses[thread, 0] += self._add_block(
                        block, factors, sides, self.scratch[thread]
                    )

        if self.threads == 1:
            work(0, look)
        else:
            in_threads(work, self.threads, run, look)
        for other in others[1:]:
            gradient[1] += other
        loss = float(losses[:, 0].sum()) + self._loss_elsewhere(size)
        gradient += self.l2 * factors
        return loss + 0.5 * self.l2 * float(np.vdot(factors, factors)), loss, gradient

    def _loss_elsewhere(self, size: int) -> float:
        """The loss of all cells outside the first ``size`` rows and columns, where w·c = 0 and
        −log σ(0) = log 2.
        """
        if size == self.size:
            return 0.0
        if size not in self._elsewhere:
            ends = self.cells.indptr[size]
            inside = float(self.cells.seen[:ends] @ (self.cells.columns[:ends] < size))
            inside += float(self.expected[:size].sum() * self.noise[:size].sum())
            everything = self.pairs + float(self.expected.sum() * self.noise.sum())
            self._elsewhere[size] = float(np.log(2)) * (everything - inside)
        return self._elsewhere[size]

    def _add_block(
        self,
        block: tuple[slice, slice],
        factors: Doubles,
        sides: tuple[Doubles, Doubles],
        scratch: Doubles,
    ) -> float:
        """Add the gradient of a block's rows and columns to ``sides``; return the block's loss."""
        rows, columns = block
        W, C = factors[0, rows], factors[1, columns]
        m, n = len(W), len(C)
        Z = scratch[: m * n].reshape(m, n)
        np.matmul(W, C.T, out=Z)
        loss: float = weigh(Z, rows.start, columns.start, self.expected, self.noise, self.cells)
        sides[0][rows] += Z @ C
        sides[1][columns] += Z.T @ W
        return loss


def padded(counts: sp.csr_matrix, noise: Doubles) -> tuple[sp.csr_matrix, Doubles]:
    """Counts and noise distribution with as many words as contexts, for ``SgnsObjective``.

    The rows and columns of padding have no pairs, observed or expected, so they don't change J.

    counts : CSR float64[V, C]; noise : float64[C]
    """
    words, contexts = counts.shape
    if words == contexts:
        return counts, noise
    size = max(words, contexts)
    indptr = np.pad(counts.indptr, (0, size - words), mode="edge")
    square = sp.csr_matrix((counts.data, counts.indices, indptr), shape=(size, size))
    return square, np.pad(noise, (0, size - contexts))


@kernel(fast=True, inline=True)
def _exp(x: float) -> float:
    """exp(x) for x <= 0 to a relative 1e-12, without branches, so that eight are computed at once:
    the series of exp(x/1024), squared ten times.
    """
    y = max(x, -700.0) / 1024.0
    power = 1.0 + y / 12.0
    for k in range(11, 0, -1):
        power = 1.0 + y / k * power
    for _ in range(10):
        power *= power
    return power


@kernel(fast=True, inline=True)
def _log1p(u: float) -> float:
    """log(1 + u) for 0 <= u <= 1 to a relative 1e-12: 2·artanh(u/(2 + u)) by its series."""
    s = u / (2.0 + u)
    square = s * s
    total = 1.0 / 25.0
    for k in range(23, 0, -2):
        total = total * square + 1.0 / k
    return 2.0 * s * total


@kernel(fast=True)
def weigh(
    Z: Doubles,
    first: int,
    left: int,
    expected: Doubles,
    noise: Doubles,
    cells: SeenCells,
) -> float:
    """−Σ A log σ(z) + B log σ(−z) over a block; its cells become (A + B)·σ(z) − A.

    Z : float64[m, n], products of rows from ``first`` on and columns from ``left`` on
    """
    indptr, columns, seen = cells
    m, n = Z.shape
    loss = 0.0
    for i in range(m):
        row = first + i
        begin = indptr[row] + np.searchsorted(columns[indptr[row] : indptr[row + 1]], left)
        end = indptr[row] + np.searchsorted(columns[indptr[row] : indptr[row + 1]], left + n)
        kept = np.empty(end - begin)
        for at in range(begin, end):
            z = Z[i, columns[at] - left]
            loss += seen[at] * (max(-z, 0.0) + np.log1p(np.exp(-abs(z))))
            kept[at - begin] = z
        share = expected[row]
        total = 0.0
        for j in range(n):
            z = Z[i, j]
            small = _exp(-abs(z))
            sigma = (1.0 if z >= 0.0 else small) / (1.0 + small)
            total += noise[left + j] * (max(z, 0.0) + _log1p(small))
            Z[i, j] = share * noise[left + j] * sigma
        loss += share * total
        for at in range(begin, end):
            z = kept[at - begin]
            small = np.exp(-abs(z))
            Z[i, columns[at] - left] -= seen[at] * (small if z >= 0.0 else 1.0) / (1.0 + small)
    return loss
