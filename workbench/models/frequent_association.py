"""The association of pairs beyond chance, from counts of one reading of a text, for a start.

The logarithm of a small count says too much: a pair that happened to be read once may be far rarer.
If n is a Poisson variable with a rate of which nothing is known, the expected logarithm of the rate
is ψ(n) = log n − 1/(2n) − …, the digamma function, and that is in M for pairs of frequent words.
n is the number of co-occurrences in the text: their weights over the mean weight. Rare words are
folded in with log n, because ψ would leave little of rows whose counts are all small.

The rows of counts are turned into cells by the threads that count them, so neither all counts nor a
second copy of the cells are ever in memory.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ids, Ints, Singles
from workbench.core.jit import kernel
from workbench.core.machine.memory import return_free_memory
from workbench.counts.cooccurrence_kernel import Finished
from workbench.models.randomised_svd import Parts

# Logarithms of smaller sums are looked up: most pairs are rare.
_LOGARITHMS = 4096
# Free memory is returned to the system after this many pieces.
_RETURNED = 8


class _Cells(NamedTuple):
    """Cells of M and of Mᵀ at the same places, row by row: columns int32[n], forward and backward
    float32[n].
    """

    columns: Ids
    forward: Singles
    backward: Singles

    @classmethod
    def room(cls, size: int) -> _Cells:
        return cls(np.empty(size, np.int32), np.empty(size, np.float32), np.empty(size, np.float32))

    def first(self, size: int) -> _Cells:
        columns, forward, backward = self
        return _Cells(columns[:size].copy(), forward[:size].copy(), backward[:size].copy())


class _Part(NamedTuple):
    """The cells of some rows. row : the first that has counts; inner : cells in columns of frequent
    words; outer : in those of others, counted from the first of them
    """

    row: int
    inner: _Cells
    outer: _Cells


class Association:
    """Collects M = max(log #(w, c) − log(#(w) · P_n(c)), 0) without the pairs of two rare words.

    Counts are symmetric, so the rows of frequent words also give their columns.

    sums : #(w), float64[V]; noise : P_n, float64[V]; frequent : F, the number of frequent words;
    unit : what a co-occurrence adds to the sums that ``take`` gets; divisor : of these sums
    """

    def __init__(
        self, sums: Doubles, noise: Doubles, frequent: int, unit: float, divisor: float
    ) -> None:
        self._unit = unit
        whole = np.arange(_LOGARITHMS)
        with np.errstate(divide="ignore"):
            self._rows, self._contexts = np.log(sums), np.log(noise)
            self._logarithms = np.log(whole), np.full(_LOGARITHMS, -np.inf)
        for value in whole[1:]:
            self._logarithms[1][value] = expected_logarithm(float(value), unit)
        # The divisor of all sums is in every row.
        self._rows += np.log(divisor)
        self._frequent = frequent
        self._near, self._far = (np.zeros(frequent, np.int64) for _ in range(2))
        self._parts: list[_Part] = []

    def take(self, rows: Finished) -> None:
        """Add the counts of rows; may be called by several threads, but once for each row with
        counts.
        """
        total = len(rows.columns)
        if not total:
            return
        row = rows.first + int(np.argmax(rows.sizes > 0))
        sizes = rows.sizes[row - rows.first : self._frequent - rows.first]
        inner, outer = _Cells.room(total), _Cells.room(total)
        found = associate(
            *(row, sizes, rows.columns, rows.values),
            *(*self._logarithms, self._unit, self._rows, self._contexts),
            *(inner, outer, self._near, self._far),
        )
        near, far = found
        self._parts.append(_Part(row, inner.first(near), outer.first(far)))

    def parts(self) -> Parts:
        """M; what was collected is released."""
        size, frequent = len(self._rows), self._frequent
        rest = [(part.row, part.outer) for part in self._parts]
        inner = [(part.row, part.inner) for part in self._parts]
        self._parts.clear()
        block, across = _matrices(inner, self._near, frequent)
        beside, below = (part.T.tocsr() for part in _matrices(rest, self._far, size - frequent))
        return_free_memory()
        return Parts(block, across, below, beside)


def _matrices(
    pieces: list[tuple[int, _Cells]], sizes: Ints, columns: int
) -> tuple[sp.csr_matrix, sp.csr_matrix]:
    """The matrices of forward and of backward cells, float32[rows, columns] in CSR."""
    starts = np.concatenate(([0], np.cumsum(sizes)))
    cells = _Cells.room(int(starts[-1]))
    while pieces:
        # Most pieces lie between others: freed, they stay this process's, and cells would be in
        # memory twice.
        if len(pieces) % _RETURNED == 0:
            return_free_memory()
        row, piece = pieces.pop()
        begin = int(starts[row])
        for whole, part in zip(cells, piece, strict=True):
            whole[begin : begin + len(part)] = part
    shape = (len(sizes), columns)
    forward, backward = (
        sp.csr_matrix((values, cells.columns, starts), shape)
        for values in (cells.forward, cells.backward)
    )
    return forward, backward


@kernel(inline=True)
def expected_logarithm(value: float, unit: float) -> float:
    """ψ(n) + log u of a sum u·n > 0, where u is what one co-occurrence adds.

    ψ(n) = ψ(n + 1) − 1/n up to n ≥ 6, then its asymptotic series (Abramowitz & Stegun 1964, 6.3.5
    and 6.3.18), exact to 1e-9.
    """
    number, result = value / unit, np.log(unit)
    while number < 6:
        result -= 1 / number
        number += 1
    inverse = 1 / (number * number)
    series = inverse * (1 / 12 - inverse * (1 / 120 - inverse * (1 / 252 - inverse / 240)))
    return float(result + np.log(number) - 0.5 / number - series)


@kernel
def associate(
    first: int,
    sizes: Ints,
    columns: Ids,
    values: Doubles,
    logarithms: Doubles,
    expected: Doubles,
    unit: float,
    rows: Doubles,
    contexts: Doubles,
    inner: _Cells,
    outer: _Cells,
    near: Ints,
    far: Ints,
) -> tuple[int, int]:
    """Write the positive cells of rows from ``first`` on to ``inner``, or to ``outer`` if the
    column isn't among the frequent words; return how many of each.

    sizes : cells of each row in ``columns`` and ``values``; logarithms : of whole numbers, and
    expected : see ``expected_logarithm``; rows : log #(w); contexts : log P_n(c); near, far :
    int64[F], filled with the cells of each row
    """
    frequent = near.size
    at, close, beyond = 0, 0, 0
    for number in range(sizes.size):
        row, close_before, beyond_before = first + number, close, beyond
        for _ in range(sizes[number]):
            column, value = columns[at], values[at]
            at += 1
            whole = np.int64(value)
            is_whole = whole == value and whole < logarithms.size
            if column < frequent:
                logarithm = expected[whole] if is_whole else expected_logarithm(value, unit)
            else:
                logarithm = logarithms[whole] if is_whole else np.log(value)
            forward = np.float32(max(logarithm - rows[row] - contexts[column], 0.0))
            backward = np.float32(max(logarithm - rows[column] - contexts[row], 0.0))
            if forward == 0 and backward == 0:
                continue
            if column < frequent:
                inner.columns[close] = column
                inner.forward[close] = forward
                inner.backward[close] = backward
                close += 1
            else:
                outer.columns[beyond] = column - frequent
                outer.forward[beyond] = forward
                outer.backward[beyond] = backward
                beyond += 1
        near[row] = close - close_before
        far[row] = beyond - beyond_before
    return close, beyond
