"""Kernel parts of both fastText models: signs, prefetching of rows, composition of words."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.jit import kernel
from workbench.counts.subword_rows import MergedRows
from workbench.models.kernels.gather_scatter import sum_rows
from workbench.models.kernels.gemm import LANES, prefetch_item, prefetch_row


@kernel(inline=True)
def write_signs(signs: Singles, count: int, value: float) -> None:
    """Write the same sign to ``count`` columns, and zeros up to the end of the cache line."""
    for j in range(count):
        signs[j] = value
    for j in range(count, -(-count // LANES) * LANES):
        signs[j] = 0.0


# Arrays are passed one by one: taking them out of a tuple in the loop would count a reference each
# time, and threads that share an array would wait for one another.


@kernel(inline=True)
def ask_for_rows(
    offsets: npt.NDArray[np.int64], rows: npt.NDArray[np.int32], W: Singles, word: int
) -> None:
    """Prefetch the rows of a word."""
    for r in range(offsets[word], offsets[word + 1]):
        prefetch_row(W, rows[r])


@kernel(inline=True)
def ask_for_table(
    offsets: npt.NDArray[np.int64],
    rows: npt.NDArray[np.int32],
    sizes: Singles,
    lengths: npt.NDArray[np.int32],
    word: int,
    later: int,
) -> None:
    """Prefetch the list of a word's rows, and the start of the list of a later word."""
    prefetch_item(offsets, later)
    prefetch_item(lengths, later)
    first = offsets[word]
    prefetch_item(rows, first)
    prefetch_item(sizes, first)


@kernel
def compose(merged: MergedRows, W: Singles, first: int, out: Singles) -> None:
    """out[i] = the mean of the input rows of word ``first`` + i."""
    for i in range(len(out)):
        start, stop = merged.offsets[first + i], merged.offsets[first + i + 1]
        sum_rows(out, i, W, merged.rows, start, stop - start, 1.0 / merged.lengths[first + i])
