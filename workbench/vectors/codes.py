"""Unit vectors rounded to int8: a quarter of the memory, so a quarter of the time to search them.

Row r of a table has the code c_r = round(v_r / max|v_r| · 127), int8[d], and the scale
s_r = max|v_r| / (127 ‖v_r‖), so u_r = v_r / ‖v_r‖ differs from s_r c_r by at most s_r / 2 in each
component. A unit query q is rounded to whole numbers p with the step t. Then

    |u_r · q − s_r t c_r · p| ≤ s_r/2 ‖q‖₁ + t/2 (√d + d s_r/2),

because ‖s_r c_r‖₁ ≤ ‖u_r‖₁ + d s_r/2 and ‖u_r‖₁ ≤ √d. Words whose bounds overlap the best ones are
compared exactly by the caller, so the result doesn’t depend on rounding.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Places, Singles
from workbench.core.jit import kernel
from workbench.core.machine.threads import share_rows

# Minimum bytes of a table that is coded: a smaller one is searched as fast as it is coded.
CODED_FROM = 64 << 20
_STEPS = 127
# Sums of products must fit into int32.
_LARGEST_SUM = 2**31 - 1
_LARGEST_QUERY = 32_767
# Rows at a time, between which threads are free for others, and rows with one bound.
_ROWS, _PART = 1 << 15, 1 << 8
# A float32 without its sign, as a whole number, is in the order of its size.
_WITHOUT_SIGN = np.uint32(0x7FFFFFFF)


@dataclass(frozen=True, eq=False)
class Codes:
    """``codes`` int8[V, d] and ``scales`` float32[V], 0 for a row without direction."""

    codes: npt.NDArray[np.int8]
    scales: Singles

    def bounds(self, query: Doubles) -> tuple[Singles, Singles]:
        """float32[V] each: the approximate cosines of all rows with a unit vector float64[d], and
        the largest error of each. Rows without direction have −∞.
        """
        asked = _Query.of(query)
        found = self._search(asked)[0]
        return found, self._errors(asked, slice(None))

    def likely(self, query: Doubles, n: int, exclude: Collection[int] = ()) -> Places:
        """Ascending rows, among which are the ``n`` with the highest cosines apart from
        ``exclude``: all whose upper bound isn’t below the lower bounds of ``n`` rows.
        """
        size = len(self.codes)
        asked = _Query.of(query)
        found, lowest, highest = self._search(asked)
        # Rows that are excluded may be among the best.
        wanted = n + len(exclude)
        if wanted > len(lowest):
            errors = self._errors(asked, slice(None))
            lowest, wanted = found - errors, min(wanted, size)
        least = np.partition(lowest, len(lowest) - wanted)[len(lowest) - wanted]
        parts = np.flatnonzero(highest >= least)
        rows = (parts[:, None] * _PART + np.arange(_PART)).ravel()
        rows = rows[: np.searchsorted(rows, size)]
        near = found[rows]
        rows = rows[(near > -np.inf) & (near + self._errors(asked, rows) >= least)]
        return np.setdiff1d(rows, np.fromiter(exclude, np.intp, len(exclude)), assume_unique=True)

    def _search(self, asked: _Query) -> tuple[Singles, Singles, Singles]:
        """The approximate cosines of all rows, and of each part of ``_PART`` rows the highest lower
        and upper bound.
        """
        size = len(self.codes)
        found = np.empty(size, dtype=np.float32)
        parts = -(-size // _PART)
        lowest, highest = np.empty(parts, dtype=np.float32), np.empty(parts, dtype=np.float32)

        def work(first: int, end: int) -> None:
            part = slice(first // _PART, -(-end // _PART))
            _products(
                self.codes[first:end],
                self.scales[first:end],
                asked,
                found[first:end],
                lowest[part],
                highest[part],
            )

        share_rows(size, work, _ROWS)
        return found, lowest, highest

    def _errors(self, asked: _Query, rows: slice | Places) -> Singles:
        return self.scales[rows] * asked.per_scale + asked.fixed


class _Query(NamedTuple):
    """A unit vector as whole numbers ``codes`` int16[d] with a ``step``; the error of a cosine is
    at most the row's scale times ``per_scale``, plus ``fixed``.
    """

    codes: npt.NDArray[np.int16]
    step: np.float32
    per_scale: np.float32
    fixed: np.float32

    @classmethod
    def of(cls, query: Doubles) -> _Query:
        dim = len(query)
        largest = min(_LARGEST_QUERY, _LARGEST_SUM // (_STEPS * max(dim, 1)))
        step = float(np.abs(query).max()) / largest
        # Also the rounding of the products and of the bounds to float32.
        per_scale = (float(np.abs(query).sum()) / 2 + step * dim / 4) * 1.001
        fixed = (step / 2 * np.sqrt(dim) + 8 * float(np.finfo(np.float32).eps)) * 1.001
        whole = np.rint(query / step).astype(np.int16)
        return cls(whole, np.float32(step), np.float32(per_scale), np.float32(fixed))


def coded(vectors: Singles, norms: Doubles) -> Codes:
    """The codes of the rows of a dense table; ``norms`` float64[V] are their lengths, 0 for a row
    without direction.
    """
    size, dim = vectors.shape
    codes = np.empty((size, dim), dtype=np.int8)
    scales = np.empty(size, dtype=np.float32)

    def work(first: int, end: int) -> None:
        part = slice(first, end)
        numbers = vectors[part]
        if not numbers.flags.c_contiguous:
            numbers = np.ascontiguousarray(numbers)
        _encode(numbers, numbers.view(np.uint32), norms[part], codes[part], scales[part])

    share_rows(size, work, _ROWS)
    return Codes(codes, scales)


def warm() -> None:
    """Compile the kernels, or load them from the cache."""
    vectors = np.eye(2, 3, dtype=np.float32)
    coded(vectors, np.ones(2)).bounds(np.array([1.0, 0.0, 0.0]))


@kernel
def _encode(vectors: Any, bits: Any, norms: Any, codes: Any, scales: Any) -> None:
    dim = vectors.shape[1]
    for row in range(vectors.shape[0]):
        # Whole numbers are in the order of sizes, and compared several at a time.
        most = np.uint32(0)
        for at in range(dim):
            most = max(most, np.uint32(bits[row, at] & _WITHOUT_SIGN))
        if norms[row] <= 0 or most == 0:
            codes[row] = 0
            scales[row] = 0.0
            continue
        largest = np.float32(0.0)
        for at in range(dim):
            if np.uint32(bits[row, at] & _WITHOUT_SIGN) == most:
                largest = abs(vectors[row, at])
                break
        factor = 127.0 / np.float64(largest)
        for at in range(dim):
            codes[row, at] = np.int8(np.rint(vectors[row, at] * factor))
        scales[row] = np.float32(np.float64(largest) / (127.0 * norms[row]))


@kernel
def _products(codes: Any, scales: Any, asked: Any, found: Any, lowest: Any, highest: Any) -> None:
    query, step, per_scale, fixed = asked
    for part in range(len(lowest)):
        low = high = np.float32(-np.inf)
        for row in range(part * _PART, min((part + 1) * _PART, len(codes))):
            total = np.int32(0)
            for at in range(codes.shape[1]):
                # numba would multiply and add in int64, four times as slowly.
                product = np.int32(np.int32(codes[row, at]) * np.int32(query[at]))
                total = np.int32(total + product)
            scale = scales[row]
            if scale == 0:
                found[row] = -np.inf
                continue
            near = np.float32(np.float32(total) * np.float32(scale * step))
            error = np.float32(scale * per_scale + fixed)
            found[row] = near
            low = max(low, np.float32(near - error))
            high = max(high, np.float32(near + error))
        lowest[part] = low
        highest[part] = high
