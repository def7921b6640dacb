"""Small matrix products held in registers: the inner loops of trainers over windows.

A window is a product of m input rows and n output rows of some hundred floats: far too small for a
BLAS, and what a compiler makes of plain loops spends its time on summing up and on loop remainders.
So its steps are written as LLVM code for vectors as wide as this processor's:

1. :data:`dot_tiles`: Z = X·Yᵀ, tile by tile, each tile's sums folded together by shuffles
2. :data:`logistic`, :data:`logistic_columns`: from Z the loss and the gradient's coefficients, all
   lanes at once
3. :data:`add_scaled_rows`: a row += Σ coefficient × row
4. :data:`prefetch_row`: ask for a row before it is needed

Rows are float32, zero-padded to whole cache lines and aligned to them (:func:`aligned_rows`), so
that no loop has a remainder. Each function has a plain numpy twin, which is its definition.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.jit import Intrinsic
from workbench.models.emit import Emit

Rows = npt.NDArray[np.float32]

# Floats in a cache line; rows are padded to this whatever the width of a vector is.
LANES = 16
# A tile is 2 rows of X by 6 rows of Y: 12 sums in registers, which 16 registers can hold.
TILE_ROWS, TILE_COLUMNS = 2, 6
# Vectors of a row that are kept in registers at once.
BLOCK = 8


def padded(dim: int) -> int:
    """``dim`` rounded up to whole cache lines of floats."""
    return -(-dim // LANES) * LANES


def aligned_rows(rows: int, dim: int) -> Rows:
    """float32[rows, padded(dim)] of zeros whose rows begin at multiples of 64 bytes."""
    width = padded(dim)
    raw = np.zeros(rows * width + LANES, dtype=np.float32)
    skip = (-raw.ctypes.data % 64) // 4
    return raw[skip : skip + rows * width].reshape(rows, width)


def score_columns(n: int) -> int:
    """Columns that Z needs for n rows of Y: whole tiles, stored 8 floats at a time."""
    tiles = -(-n // TILE_COLUMNS)
    return padded((tiles - 1) * TILE_COLUMNS + 8)


# -- the definitions


def _dot_tiles(X: Rows, m: int, Y: Rows, n: int, Z: Rows) -> None:
    """Z[i, j] = X[i]·Y[j] for i < m, j < n.

    X, Y : float32[rows, padded(d)], aligned; rows up to the next whole tile must exist and be finite
    Z : float32[whole tiles of m, score_columns(n)]; what lies outside m × n is overwritten
    """
    Z[:m, :n] = X[:m] @ Y[:n].T


def _logistic(Z: Rows, m: int, sign: Rows, rate: float) -> float:
    """Turn scores into coefficients of the gradient; return the loss in nats.

    Z : float32[>= m, width], width a multiple of 16; with t = sign·z each cell becomes
        −rate·sign·σ(t), the step of z down the loss
    sign : float32[width]: −1 for observed pairs, +1 for noise, 0 for padding
    Returns Σ log(1 + exp(t)) over the cells with a sign, summed in float64. σ and the logarithm
    err by less than 2e-7.
    """
    return _logistic_columns(Z, m, Z.shape[1], sign, rate)


def _logistic_columns(Z: Rows, m: int, n: int, sign: Rows, rate: float) -> float:
    """:data:`logistic` of the first n columns alone, n rounded up to whole cache lines: the sign of
    what follows the n-th is 0 there.
    """
    t = Z[:m, :n].astype(np.float64) * sign[:n]
    loss = float((np.logaddexp(0.0, t) * np.abs(sign[:n])).sum())
    Z[:m, :n] = -rate * sign[:n] / (1.0 + np.exp(-t))
    return loss


def _add_scaled_rows(
    target: Rows, row: int, source: Rows, count: int, weights: Rows, i: int, j: int, step: int
) -> None:
    """target[row] += Σ_{r < count} w_r·source[r], w_r = weights[i, j + r] or, with step 1, weights[i + r, j].

    step : 0 walks along row i of ``weights``, 1 down column j
    """
    picked = weights[i : i + count, j] if step else weights[i, j : j + count]
    target[row] += picked @ source[:count]


def _prefetch_row(target: Rows, row: int) -> None:
    """Ask the processor to bring target[row] close. Changes nothing."""


# -- the generated code


def _build_dot_tiles(numba: Any) -> Any:
    types = numba.types

    def dot_tiles(typing_context: Any, X: Any, m: Any, Y: Any, n: Any, Z: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            x, y, z = (e.array(signature.args[i], arguments[i]) for i in (0, 2, 4))
            rows, columns = arguments[1], arguments[3]
            vectors = builder.udiv(x[1], e.index(e.width))
            row_tiles = builder.udiv(builder.add(rows, e.index(TILE_ROWS - 1)), e.index(TILE_ROWS))
            column_tiles = builder.udiv(builder.add(columns, e.index(TILE_COLUMNS - 1)), e.index(TILE_COLUMNS))

            def row_tile(a: Any, _: list[Any]) -> list[Any]:
                i = builder.mul(a, e.index(TILE_ROWS))
                xs = [e.row(x, builder.add(i, e.index(r))) for r in range(TILE_ROWS)]
                zs = [e.row(z, builder.add(i, e.index(r))) for r in range(TILE_ROWS)]

                def column_tile(c: Any, _: list[Any]) -> list[Any]:
                    j = builder.mul(c, e.index(TILE_COLUMNS))
                    ys = [e.row(y, builder.add(j, e.index(r))) for r in range(TILE_COLUMNS)]

                    def along(v: Any, sums: list[Any]) -> list[Any]:
                        t = builder.mul(v, e.index(e.width))
                        left = [e.load(pointer, t) for pointer in xs]
                        right = [e.load(pointer, t) for pointer in ys]
                        return [
                            e.fma(left[r], right[k], sums[r * TILE_COLUMNS + k])
                            for r in range(TILE_ROWS)
                            for k in range(TILE_COLUMNS)
                        ]

                    sums = e.loop(vectors, [e.constant(0.0)] * (TILE_ROWS * TILE_COLUMNS), along)
                    for r in range(TILE_ROWS):
                        _store_eight(e, sums[r * TILE_COLUMNS : (r + 1) * TILE_COLUMNS], zs[r], j)
                    return []

                e.loop(column_tiles, [], column_tile)
                return []

            e.loop(row_tiles, [], row_tile)
            return context.get_dummy_value()

        return types.void(X, types.intp, Y, types.intp, Z), generate

    return dot_tiles


def _store_eight(e: Emit, sums: list[Any], pointer: Any, index: Any) -> None:
    """Store the horizontal sums of six vectors, and two floats of no meaning, at pointer[index]."""
    folded = e.fold(sums)
    if e.width >= 8:
        e.store(e.shuffle(folded[0], folded[0], list(range(8))), pointer, index)
    else:
        for part, vector in enumerate(folded):
            e.store(vector, pointer, e.b.add(index, e.index(part * e.width)))


def _build_logistic(numba: Any) -> Any:
    types = numba.types

    def logistic(typing_context: Any, Z: Any, m: Any, sign: Any, rate: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            z, signs = e.array(signature.args[0], arguments[0]), e.array(signature.args[2], arguments[2])
            return _emit_logistic(e, z, arguments[1], z[1], signs[0], arguments[3])

        return types.float64(Z, types.intp, sign, types.float64), generate

    return logistic


def _build_logistic_columns(numba: Any) -> Any:
    types = numba.types

    def logistic_columns(typing_context: Any, Z: Any, m: Any, n: Any, sign: Any, rate: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            z, signs = e.array(signature.args[0], arguments[0]), e.array(signature.args[3], arguments[3])
            columns = builder.add(arguments[2], e.index(e.width - 1))
            return _emit_logistic(e, z, arguments[1], columns, signs[0], arguments[4])

        return types.float64(Z, types.intp, types.intp, sign, types.float64), generate

    return logistic_columns


def _emit_logistic(e: Emit, z: tuple[Any, Any], rows: Any, columns: Any, signs: Any, rate: Any) -> Any:
    b = e.b
    vectors = b.udiv(columns, e.index(e.width))
    rate = e.splat(b.fptrunc(rate, e.f32))
    half = e.ir.VectorType(e.f64, e.width)

    def row(i: Any, totals: list[Any]) -> list[Any]:
        pointer = e.row(z, i)

        def cells(v: Any, totals: list[Any]) -> list[Any]:
            at = b.mul(v, e.index(e.width))
            s = e.load(signs, at)
            t = e.mul(e.load(pointer, at), s)
            sigma, soft = _sigmoid_and_softplus(e, t)
            e.store(e.mul(b.fneg(e.mul(rate, s)), sigma), pointer, at)
            cost = e.mul(soft, e.vector_function("fabs", s))
            return [b.fadd(totals[0], b.fpext(cost, half))]

        return e.loop(vectors, totals, cells)

    totals = e.loop(rows, [e.constant(0.0, half)], row)
    total = e.f64(0.0)
    for lane in range(e.width):
        total = b.fadd(total, b.extract_element(totals[0], e.i32(lane)))
    return total


def _sigmoid_and_softplus(e: Emit, t: Any) -> tuple[Any, Any]:
    """σ(t) and log(1 + exp(t)) of a vector: with u = exp(−|t|), which neither overflows nor cancels,
    σ = 1/(1 + u) or u/(1 + u), and the logarithm is max(t, 0) + log1p(u).
    """
    b = e.b
    size = e.vector_function("fabs", t)
    # exp(−87) is the least normal float, near enough; NaN passes through every step.
    capped = b.select(b.fcmp_ordered(">", size, e.constant(87.0)), e.constant(87.0), size)
    power = e.mul(capped, e.constant(-1.4426950408889634))
    whole = e.vector_function("rint", power)
    u = e.polynomial(e.sub(power, whole), _coefficients("exp2"))
    integers = e.ir.VectorType(e.i32, e.width)
    exponent = b.shl(b.fptosi(whole, integers), e.ir.Constant(integers, [e.i32(23)] * e.width))
    u = b.bitcast(b.add(b.bitcast(u, integers), exponent), e.vec)
    one = e.constant(1.0)
    reciprocal = b.fdiv(one, e.add(one, u))
    positive = b.fcmp_unordered(">=", t, e.constant(0.0))
    sigma = e.mul(b.select(positive, one, u), reciprocal)
    soft = e.add(b.select(positive, t, e.constant(0.0)), e.mul(u, e.polynomial(u, _coefficients("log1p"))))
    return sigma, soft


@cache
def _coefficients(name: str) -> tuple[float, ...]:
    """Chebyshev fits, highest power first: 2^f on [−½, ½], and log(1 + u)/u on [0, 1], each with a
    relative error below 3e-8, half a unit in the last place of a float.
    """
    from numpy.polynomial import Chebyshev, Polynomial

    if name == "exp2":
        series = Chebyshev.interpolate(np.exp2, 6, domain=[-0.5, 0.5])
    else:
        series = Chebyshev.interpolate(lambda u: np.log1p(u) / u, 10, domain=[1e-9, 1.0])
    return tuple(float(c) for c in series.convert(kind=Polynomial).coef[::-1])


def _build_add_scaled_rows(numba: Any) -> Any:
    types = numba.types

    def add_scaled_rows(
        typing_context: Any, target: Any, row: Any, source: Any, count: Any, weights: Any, i: Any, j: Any, step: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            out, rows, table = (e.array(signature.args[k], arguments[k]) for k in (0, 2, 4))
            target_row = e.row(out, arguments[1])
            first = e.at(e.row(table, arguments[5]), arguments[6])
            jump = builder.select(builder.icmp_signed("!=", arguments[7], e.index(0)), table[1], e.index(1))

            def block(size: int, start: Any) -> None:
                """``size`` vectors of the target, kept in registers over all source rows."""

                def add_row(r: Any, sums: list[Any]) -> list[Any]:
                    weight = e.splat(builder.load(e.at(first, builder.mul(r, jump)), align=4))
                    pointer = e.at(e.row(rows, r), start)
                    return [e.fma(weight, e.load(pointer, e.index(v * e.width)), total) for v, total in enumerate(sums)]

                here = e.at(target_row, start)
                begun = [e.load(here, e.index(v * e.width)) for v in range(size)]
                for v, total in enumerate(e.loop(arguments[3], begun, add_row)):
                    e.store(total, here, e.index(v * e.width))

            e.in_blocks(rows[1], BLOCK, block)
            return context.get_dummy_value()

        intp = types.intp
        return types.void(target, intp, source, intp, weights, intp, intp, intp), generate

    return add_scaled_rows


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


dot_tiles = Intrinsic(_build_dot_tiles, _dot_tiles)
logistic = Intrinsic(_build_logistic, _logistic)
logistic_columns = Intrinsic(_build_logistic_columns, _logistic_columns)
add_scaled_rows = Intrinsic(_build_add_scaled_rows, _add_scaled_rows)
prefetch_row = Intrinsic(_build_prefetch_row, _prefetch_row)
