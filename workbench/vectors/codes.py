"""Unit vectors rounded to int8: a quarter of the memory, so a quarter of the time to search them.

Row r of a table has the code c_r = round(v_r / max|v_r| · 127), int8[d], and the scale
s_r = max|v_r| / (127 ‖v_r‖), so u_r = v_r / ‖v_r‖ differs from s_r c_r by at most s_r / 2 in each
component. A unit query q is rounded to whole numbers p with the step t. Then

    |u_r · q − s_r t c_r · p| ≤ s_r/2 ‖q‖₁ + t/2 (√d + d s_r/2),

because ‖s_r c_r‖₁ ≤ ‖u_r‖₁ + d s_r/2 and ‖u_r‖₁ ≤ √d. Words whose bounds overlap the best ones are
compared exactly by the caller, so the result doesn’t depend on rounding.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Singles
from workbench.core.jit import kernel
from workbench.core.machine.threads import usable_threads

# Minimum bytes of a table that is coded: a smaller one is searched as fast as it is coded.
CODED_FROM = 256 << 20
_STEPS = 127
# Sums of products must fit into int32.
_LARGEST_SUM = 2**31 - 1
_LARGEST_QUERY = 32_767
# Rows at a time, between which threads are free for others.
_ROWS = 1 << 15


@dataclass(frozen=True, eq=False)
class Codes:
    """``codes`` int8[V, d] and ``scales`` float32[V], 0 for a row without direction."""

    codes: npt.NDArray[np.int8]
    scales: Singles

    def bounds(self, query: Doubles) -> tuple[Singles, Singles]:
        """float32[V] each: the approximate cosines of all rows with a unit vector float64[d], and
        the largest error of each. Rows without direction have −∞.
        """
        size, dim = self.codes.shape
        largest = min(_LARGEST_QUERY, _LARGEST_SUM // (_STEPS * max(dim, 1)))
        step = float(np.abs(query).max()) / largest
        whole = np.rint(query / step).astype(np.int16)
        found = np.empty(size, dtype=np.float32)

        def work(first: int, end: int) -> None:
            _products(self.codes[first:end], whole, found[first:end])

        _share(size, work)
        found *= self.scales * np.float32(step)
        found[self.scales == 0] = -np.inf
        per_scale = float(np.abs(query).sum()) / 2 + step * dim / 4
        # Also the rounding of the products to float32.
        fixed = step / 2 * np.sqrt(dim) + 4 * float(np.finfo(np.float32).eps)
        return found, (self.scales * np.float32(per_scale) + np.float32(fixed)) * np.float32(1.001)


def coded(vectors: Singles, norms: Doubles) -> Codes:
    """The codes of the rows of a dense table; ``norms`` float64[V] are their lengths, 0 for a row
    without direction.
    """
    size, dim = vectors.shape
    codes = np.empty((size, dim), dtype=np.int8)
    scales = np.empty(size, dtype=np.float32)

    def work(first: int, end: int) -> None:
        _encode(vectors[first:end], norms[first:end], codes[first:end], scales[first:end])

    _share(size, work)
    return Codes(codes, scales)


def warm() -> None:
    """Compile the kernels, or load them from the cache."""
    vectors = np.eye(2, 3, dtype=np.float32)
    coded(vectors, np.ones(2)).bounds(np.array([1.0, 0.0, 0.0]))


@kernel
def _encode(vectors: Any, norms: Any, codes: Any, scales: Any) -> None:
    for row in range(vectors.shape[0]):
        largest = np.float32(0.0)
        for at in range(vectors.shape[1]):
            largest = max(largest, abs(vectors[row, at]))
        if norms[row] <= 0 or largest <= 0:
            codes[row] = 0
            scales[row] = 0.0
            continue
        factor = 127.0 / np.float64(largest)
        for at in range(vectors.shape[1]):
            codes[row, at] = np.int8(np.rint(vectors[row, at] * factor))
        scales[row] = np.float32(np.float64(largest) / (127.0 * norms[row]))


@kernel
def _products(codes: Any, query: Any, found: Any) -> None:
    for row in range(codes.shape[0]):
        total = np.int32(0)
        for at in range(codes.shape[1]):
            # numba would multiply and add in int64, four times as slowly.
            product = np.int32(np.int32(codes[row, at]) * np.int32(query[at]))
            total = np.int32(total + product)
        found[row] = np.float32(total)


def _share(size: int, work: Callable[[int, int], None]) -> None:
    """Call ``work`` for ranges of rows in the usable threads. Raises what it raises."""
    starts = iter(range(0, size, _ROWS))
    lock = threading.Lock()
    problems: list[BaseException] = []

    def serve() -> None:
        try:
            while not problems:
                with lock:
                    first = next(starts, None)
                if first is None:
                    return
                work(first, min(first + _ROWS, size))
        except BaseException as error:
            problems.append(error)

    threads = [threading.Thread(target=serve) for _ in range(usable_threads() - 1)]
    for thread in threads:
        thread.start()
    serve()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]
