"""Small matrix products held in registers: the inner loops of trainers over windows.

A window is a product of m input rows and n output rows of some hundred floats: far too small for
BLAS, and compiled plain loops spend their time on horizontal sums and loop remainders. So the steps
are written as LLVM code for vectors as wide as this processor's:

1. :data:`dot_rows`, :data:`dot_one`: Z = X·Yᵀ, tile by tile, each tile's sums folded together by
   shuffles
2. :mod:`workbench.models.kernels.sigmoid_loss`: from Z the loss and the gradient's coefficients
3. :mod:`workbench.models.kernels.outer_updates`: rows += coefficients × rows
4. :data:`prefetch_row`, :data:`prefetch_item`: fetch a row, or an item of a table, into the cache
ahead of its use

Singles are float32, zero-padded to whole cache lines and aligned to them (:func:`aligned_rows`), so
that no loop has a remainder. Each function has a plain numpy twin, which is its definition.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Ids, Singles
from workbench.core.jit import Intrinsic
from workbench.models.kernels.llvm_builder import Emit

# Function from a number in the generated code to the pointer to a row, or to a weight.
Pick = Callable[[Any], Any]

# Floats in a cache line; rows are padded to this for any width of vectors.
LANES = 16
# Bytes of two cache lines, which processors fetch together.
_PAIR = 128
# A tile is 2 rows of X by 6 rows of Y: 12 sums in registers, which 16 registers can hold.
TILE_ROWS, TILE_COLUMNS = 2, 6
# Columns of scores, two rows of which form one vector if vectors are that wide.
PACKED = 8
# Vectors of a row that are kept in registers at once.
BLOCK = 8


def padded_dim(dim: int) -> int:
    """``dim`` rounded up to whole cache lines of floats."""
    return -(-dim // LANES) * LANES


def aligned_rows(rows: int, dim: int) -> Singles:
    """float32[rows, padded(dim)] of zeros whose rows start at multiples of 64 bytes."""
    width = padded_dim(dim)
    raw = np.zeros(rows * width + LANES, dtype=np.float32)
    skip = (-raw.ctypes.data % 64) // 4
    return raw[skip : skip + rows * width].reshape(rows, width)


def own_zeros(count: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    """Zeros for one thread alone, which share neither a cache line, nor the line fetched with it,
    with other data. If two threads write to different data in one cache line, the line goes back
    and forth between them: with such a layout, training took twice as long.
    """
    size = np.dtype(dtype).itemsize * count
    raw = np.zeros(size + 2 * _PAIR, dtype=np.uint8)
    skip = -raw.ctypes.data % _PAIR
    return raw[skip : skip + size].view(dtype)


def score_columns(n: int) -> int:
    """Number of columns of Z for n rows of Y: whole tiles, stored 8 floats at a time."""
    tiles = -(-n // TILE_COLUMNS)
    return padded_dim((tiles - 1) * TILE_COLUMNS + 8)


def score_rows(m: int, n: int) -> Singles:
    """Z for at most m rows of X and always n rows of Y: half as wide if one tile is enough."""
    m += m % TILE_ROWS
    if n > TILE_COLUMNS:
        return aligned_rows(m, score_columns(n))
    return aligned_rows(-(-m * PACKED // LANES), LANES).reshape(-1, PACKED)


# -- the definitions


def _dot_rows(X: Singles, indices: Ids, m: int, Y: Singles, n: int, Z: Singles) -> None:
    """Z[i, j] = X[indices[i]]·Y[j] for i < m, j < n.

    X, Y : float32[rows, padded(d)], aligned; rows of Y up to the next whole tile must exist and be
    finite
    Z : float32[whole tiles of m, score_columns(n)]; cells outside m × n are overwritten
    """
    Z[:m, :n] = X[indices[:m]] @ Y[:n].T


def _dot_one(X: Singles, row: int, Y: Singles, indices: Ids, n: int, Z: Singles) -> None:
    """Z[0, j] = X[row]·Y[indices[j]] for j < n; n is at least 1."""
    Z[0, :n] = X[row] @ Y[indices[:n]].T


def _prefetch_row(target: Singles, row: int) -> None:
    """Prefetch target[row]. Changes nothing."""


def _prefetch_item(table: npt.NDArray[Any], index: int) -> None:
    """Prefetch table[index] of a table that is only read. Changes nothing."""


# -- the generated code


def _build_dot_rows(numba: Any) -> Any:
    types = numba.types

    def dot_rows(typing_context: Any, X: Any, indices: Any, m: Any, Y: Any, n: Any, Z: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            x, y, z = (e.array(signature.args[i], arguments[i]) for i in (0, 3, 5))
            left = e.chosen_row(x, signature.args[1], arguments[1], arguments[2])
            _emit_dots(e, left, arguments[2], partial(e.row, y), arguments[4], z, x[1], TILE_ROWS)
            return context.get_dummy_value()

        return types.void(X, indices, types.intp, Y, types.intp, Z), generate

    return dot_rows


def _build_dot_one(numba: Any) -> Any:
    types = numba.types

    def dot_one(typing_context: Any, X: Any, row: Any, Y: Any, indices: Any, n: Any, Z: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            x, y, z = (e.array(signature.args[i], arguments[i]) for i in (0, 2, 5))
            one = e.row(x, arguments[1])
            right = e.chosen_row(y, signature.args[3], arguments[3], arguments[4])
            _emit_dots(e, lambda _: one, e.index(1), right, arguments[4], z, x[1], 1)
            return context.get_dummy_value()

        return types.void(X, types.intp, Y, indices, types.intp, Z), generate

    return dot_one


def _emit_dots(
    e: Emit,
    left: Pick,
    rows: Any,
    right: Pick,
    columns: Any,
    z: tuple[Any, Any],
    floats: Any,
    tile_rows: int,
) -> None:
    """Z[i, j] = left(i)·right(j), ``tile_rows`` by TILE_COLUMNS at a time."""
    builder = e.b
    vectors = builder.udiv(floats, e.index(e.width))
    row_tiles = builder.udiv(builder.add(rows, e.index(tile_rows - 1)), e.index(tile_rows))
    column_tiles = builder.udiv(
        builder.add(columns, e.index(TILE_COLUMNS - 1)), e.index(TILE_COLUMNS)
    )

    def row_tile(a: Any, _: list[Any]) -> list[Any]:
        i = builder.mul(a, e.index(tile_rows))
        xs = [left(builder.add(i, e.index(r))) for r in range(tile_rows)]
        zs = [e.row(z, builder.add(i, e.index(r))) for r in range(tile_rows)]

        def column_tile(c: Any, _: list[Any]) -> list[Any]:
            j = builder.mul(c, e.index(TILE_COLUMNS))
            ys = [right(builder.add(j, e.index(r))) for r in range(TILE_COLUMNS)]

            def along(v: Any, sums: list[Any]) -> list[Any]:
                t = builder.mul(v, e.index(e.width))
                one = [e.load(pointer, t) for pointer in xs]
                other = [e.load(pointer, t) for pointer in ys]
                return [
                    e.fma(one[r], other[k], sums[r * TILE_COLUMNS + k])
                    for r in range(tile_rows)
                    for k in range(TILE_COLUMNS)
                ]

            sums = e.loop(vectors, [e.constant(0.0)] * (tile_rows * TILE_COLUMNS), along)
            parts = [sums[r * TILE_COLUMNS : (r + 1) * TILE_COLUMNS] for r in range(tile_rows)]
            if len(parts) == 2 and e.width == 16:
                # Both rows at once: half the shuffles.
                folded = e.fold([*parts[0], None, None, *parts[1]])[0]
                for r in range(tile_rows):
                    e.store(e.shuffle(folded, folded, list(range(8 * r, 8 * r + 8))), zs[r], j)
            else:
                for r in range(tile_rows):
                    _store_eight(e, parts[r], zs[r], j)
            return []

        e.loop(column_tiles, [], column_tile)
        return []

    e.loop(row_tiles, [], row_tile)


def _store_eight(e: Emit, sums: list[Any], pointer: Any, index: Any) -> None:
    """Store the horizontal sums of six vectors, and two meaningless floats, at pointer[index]."""
    folded = e.fold(sums)
    if e.width >= 8:
        e.store(e.shuffle(folded[0], folded[0], list(range(8))), pointer, index)
    else:
        for part, vector in enumerate(folded):
            e.store(vector, pointer, e.b.add(index, e.index(part * e.width)))


def _build_prefetch_row(numba: Any) -> Any:
    types = numba.types

    def prefetch_row(typing_context: Any, target: Any, row: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            rows = e.array(signature.args[0], arguments[0])
            pointer = e.row(rows, arguments[1])

            def line(number: Any, _: list[Any]) -> list[Any]:
                e.prefetch(e.at(pointer, builder.mul(number, e.index(LANES))))
                return []

            e.loop(builder.udiv(rows[1], e.index(LANES)), [], line)
            return context.get_dummy_value()

        return types.void(target, types.intp), generate

    return prefetch_row


def _build_prefetch_item(numba: Any) -> Any:
    types = numba.types

    def prefetch_item(typing_context: Any, table: Any, index: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            array = context.make_array(signature.args[0])(context, builder, arguments[0])
            e.prefetch(e.at(array.data, arguments[1]), write=False)
            return context.get_dummy_value()

        return types.void(table, types.intp), generate

    return prefetch_item


dot_rows = Intrinsic(_build_dot_rows, _dot_rows)
dot_one = Intrinsic(_build_dot_one, _dot_one)
prefetch_row = Intrinsic(_build_prefetch_row, _prefetch_row)
prefetch_item = Intrinsic(_build_prefetch_item, _prefetch_item)
