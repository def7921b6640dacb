"""Small matrix products held in registers: the inner loops of trainers over windows.

A window is a product of m input rows and n output rows of some hundred floats: far too small for a
BLAS, and what a compiler makes of plain loops spends its time on summing up and on loop remainders.
So its steps are written as LLVM code for vectors as wide as this processor's:

1. :data:`dot_rows`, :data:`dot_one`: Z = X·Yᵀ, tile by tile, each tile's sums folded together by shuffles
2. :data:`logistic`, :data:`logistic_columns`: from Z the loss and the gradient's coefficients, all
   lanes at once
3. :data:`add_products`, :data:`add_chosen_products`: rows += coefficients × rows, two rows at a time;
   :data:`sum_chosen_rows`, :data:`add_chosen_rows`: the same of one row
4. :data:`prefetch_row`: ask for a row before it is needed

Rows are float32, zero-padded to whole cache lines and aligned to them (:func:`aligned_rows`), so
that no loop has a remainder. Each function has a plain numpy twin, which is its definition.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.jit import Intrinsic
from workbench.models.emit import Emit

Rows = npt.NDArray[np.float32]
Indices = npt.NDArray[np.int32]
# From a number in the generated code the pointer to a row, or a weight.
Pick = Callable[[Any], Any]

# Floats in a cache line; rows are padded to this whatever the width of a vector is.
LANES = 16
# A tile is 2 rows of X by 6 rows of Y: 12 sums in registers, which 16 registers can hold.
TILE_ROWS, TILE_COLUMNS = 2, 6
# Columns of scores of which two rows are one vector, where vectors are that wide.
PACKED = 8
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


def score_rows(m: int, n: int) -> Rows:
    """Z for at most m rows of X and always n rows of Y: half as wide if one tile is enough."""
    m += m % TILE_ROWS
    if n > TILE_COLUMNS:
        return aligned_rows(m, score_columns(n))
    return aligned_rows(-(-m * PACKED // LANES), LANES).reshape(-1, PACKED)


# -- the definitions


def _dot_rows(X: Rows, indices: Indices, m: int, Y: Rows, n: int, Z: Rows) -> None:
    """Z[i, j] = X[indices[i]]·Y[j] for i < m, j < n.

    X, Y : float32[rows, padded(d)], aligned; rows of Y up to the next whole tile must exist and be finite
    Z : float32[whole tiles of m, score_columns(n)]; what lies outside m × n is overwritten
    """
    Z[:m, :n] = X[indices[:m]] @ Y[:n].T


def _dot_one(X: Rows, row: int, Y: Rows, indices: Indices, n: int, Z: Rows) -> None:
    """Z[0, j] = X[row]·Y[indices[j]] for j < n; n is at least 1."""
    Z[0, :n] = X[row] @ Y[indices[:n]].T


def _logistic(Z: Rows, m: int, sign: Rows, rate: float) -> float:
    """Turn scores into coefficients of the gradient; return the loss in nats.

    Z : float32[>= m, width], width a multiple of 16, or of 8 and contiguous (:func:`score_rows`); with
        t = sign·z each cell becomes −rate·sign·σ(t), the step of z down the loss
    sign : float32[width], of 8 with 8 more behind: −1 for observed pairs, +1 for noise, 0 for padding
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


def _sum_chosen_rows(target: Rows, row: int, source: Rows, indices: Indices, count: int, weights: Rows) -> None:
    """target[row] = Σ_{r < count} weights[0, r]·source[indices[r]]."""
    target[row] = weights[0, :count] @ source[indices[:count]]


def _add_chosen_rows(target: Rows, row: int, source: Rows, indices: Indices, count: int, weights: Rows) -> None:
    """target[row] += Σ_{r < count} weights[0, r]·source[indices[r]]."""
    target[row] += weights[0, :count] @ source[indices[:count]]


def _add_products(target: Rows, indices: Indices, m: int, source: Rows, n: int, weights: Rows) -> None:
    """target[indices[a]] += Σ_{b < n} weights[a, b]·source[b] for a < m, one after another."""
    for a in range(m):
        target[indices[a]] += weights[a, :n] @ source[:n]


def _add_chosen_products(
    target: Rows, indices: Indices, m: int, source: Rows, chosen: Indices, n: int, weights: Rows
) -> None:
    """target[indices[a]] += Σ_{b < n} weights[b, a]·source[chosen[b]] for a < m, one after another."""
    for a in range(m):
        target[indices[a]] += weights[:n, a] @ source[chosen[:n]]


def _prefetch_row(target: Rows, row: int) -> None:
    """Ask the processor to bring target[row] close. Changes nothing."""


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
    e: Emit, left: Pick, rows: Any, right: Pick, columns: Any, z: tuple[Any, Any], floats: Any, tile_rows: int
) -> None:
    """Z[i, j] = left(i)·right(j), ``tile_rows`` by TILE_COLUMNS at a time."""
    builder = e.b
    vectors = builder.udiv(floats, e.index(e.width))
    row_tiles = builder.udiv(builder.add(rows, e.index(tile_rows - 1)), e.index(tile_rows))
    column_tiles = builder.udiv(builder.add(columns, e.index(TILE_COLUMNS - 1)), e.index(TILE_COLUMNS))

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
    rate = e.splat(b.fptrunc(rate, e.f32))
    half = e.ir.VectorType(e.f64, e.width)

    def cells(pointer: Any, at: Any, s: Any, total: Any) -> Any:
        sigma, soft = _sigmoid_and_softplus(e, e.mul(e.load(pointer, at), s))
        e.store(e.mul(b.fneg(e.mul(rate, s)), sigma), pointer, at)
        return b.fadd(total, b.fpext(e.mul(soft, e.vector_function("fabs", s)), half))

    def by_row(totals: list[Any]) -> list[Any]:
        vectors = b.udiv(columns, e.index(e.width))

        def row(i: Any, totals: list[Any]) -> list[Any]:
            pointer = e.row(z, i)

            def along(v: Any, totals: list[Any]) -> list[Any]:
                at = b.mul(v, e.index(e.width))
                return [cells(pointer, at, e.load(signs, at), totals[0])]

            return e.loop(vectors, totals, along)

        return e.loop(rows, totals, row)

    def two_rows(totals: list[Any]) -> list[Any]:
        """Rows of half a vector, two at a time."""
        first, lanes = e.load(signs, e.index(0)), list(range(e.width // 2))
        both = e.shuffle(first, first, lanes + lanes)
        last = e.shuffle(first, e.constant(0.0), lanes + [e.width + lane for lane in lanes])
        pairs = b.udiv(b.add(rows, e.index(1)), e.index(2))

        def pair(i: Any, totals: list[Any]) -> list[Any]:
            whole = b.icmp_signed("<", b.add(b.mul(i, e.index(2)), e.index(1)), rows)
            return [cells(z[0], b.mul(i, e.index(e.width)), b.select(whole, both, last), totals[0])]

        return e.loop(pairs, totals, pair)

    start = e.constant(0.0, half)
    if e.width == 2 * PACKED:
        packed = b.icmp_signed("==", z[1], e.index(PACKED))
        return e.total(e.either(packed, lambda: two_rows([start])[0], lambda: by_row([start])[0]))
    return e.total(by_row([start])[0])


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


def _build_chosen(numba: Any, onto: bool) -> Any:
    """The sum of rows by index: ``onto`` what is there, or in its place."""
    types = numba.types

    def chosen(typing_context: Any, target: Any, row: Any, source: Any, indices: Any, count: Any, weights: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            out, rows, table = (e.array(signature.args[k], arguments[k]) for k in (0, 2, 5))
            source_row = e.chosen_row(rows, signature.args[3], arguments[3])
            target_row = e.row(out, arguments[1])

            def block(size: int, start: Any) -> None:
                """``size`` vectors of the target, kept in registers over all source rows."""

                def add_row(r: Any, sums: list[Any]) -> list[Any]:
                    factor, pointer = e.splat(builder.load(e.at(table[0], r), align=4)), e.at(source_row(r), start)
                    return [e.fma(factor, e.load(pointer, e.index(v * e.width)), total) for v, total in enumerate(sums)]

                here = e.at(target_row, start)
                begun = [e.load(here, e.index(v * e.width)) if onto else e.constant(0.0) for v in range(size)]
                for v, total in enumerate(e.loop(arguments[4], begun, add_row)):
                    e.store(total, here, e.index(v * e.width))

            e.in_blocks(rows[1], BLOCK, block)
            return context.get_dummy_value()

        return types.void(target, types.intp, source, indices, types.intp, weights), generate

    return chosen


def _build_add_products(numba: Any) -> Any:
    types = numba.types

    def add_products(typing_context: Any, target: Any, indices: Any, m: Any, source: Any, n: Any, weights: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            out, rows, table = (e.array(signature.args[k], arguments[k]) for k in (0, 3, 5))
            listed = e.integers(signature.args[1], arguments[1])
            weight = lambda a, b: e.at(e.row(table, a), b)  # noqa: E731
            _emit_products(e, out, listed, arguments[2], partial(e.row, rows), arguments[4], weight)
            return context.get_dummy_value()

        return types.void(target, indices, types.intp, source, types.intp, weights), generate

    return add_products


def _build_add_chosen_products(numba: Any) -> Any:
    types = numba.types

    def add_chosen_products(
        typing_context: Any, target: Any, indices: Any, m: Any, source: Any, chosen: Any, n: Any, weights: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            out, rows, table = (e.array(signature.args[k], arguments[k]) for k in (0, 3, 6))
            listed = e.integers(signature.args[1], arguments[1])
            picked = e.chosen_row(rows, signature.args[4], arguments[4])
            weight = lambda a, b: e.at(e.row(table, b), a)  # noqa: E731
            _emit_products(e, out, listed, arguments[2], picked, arguments[5], weight)
            return context.get_dummy_value()

        return types.void(target, indices, types.intp, source, chosen, types.intp, weights), generate

    return add_chosen_products


def _emit_products(
    e: Emit, out: tuple[Any, Any], listed: Pick, m: Any, source: Pick, n: Any, weight: Callable[[Any, Any], Any]
) -> None:
    """Two targets at a time, so that each row of the source is loaded half as often; one at a time
    where both are the same row, and at the end.
    """
    b = e.b
    one = e.index(1)

    def add(numbers: list[Any]) -> list[Any]:
        targets = [e.row(out, listed(number)) for number in numbers]

        def block(size: int, start: Any) -> None:
            def add_row(r: Any, sums: list[Any]) -> list[Any]:
                pointer = e.at(source(r), start)
                factors = [e.splat(b.load(weight(number, r), align=4)) for number in numbers]
                loaded = [e.load(pointer, e.index(v * e.width)) for v in range(size)]
                return [
                    e.fma(factor, part, sums[k * size + v])
                    for k, factor in enumerate(factors)
                    for v, part in enumerate(loaded)
                ]

            here = [e.at(target, start) for target in targets]
            begun = [e.load(pointer, e.index(v * e.width)) for pointer in here for v in range(size)]
            made = e.loop(n, begun, add_row)
            for k, pointer in enumerate(here):
                for v in range(size):
                    e.store(made[k * size + v], pointer, e.index(v * e.width))

        e.in_blocks(out[1], BLOCK if e.width == 16 else BLOCK // 2, block)
        return []

    def pair(number: Any, _: list[Any]) -> list[Any]:
        a = b.mul(number, e.index(2))
        then = b.add(a, one)
        same = b.icmp_signed("==", listed(a), listed(then))
        singly, together, after = (b.append_basic_block(name) for name in ("singly", "together", "after"))
        b.cbranch(same, singly, together)
        b.position_at_end(singly)
        e.loop(e.index(2), [], lambda k, _: add([b.add(a, k)]))
        b.branch(after)
        b.position_at_end(together)
        add([a, then])
        b.branch(after)
        b.position_at_end(after)
        return []

    e.loop(b.udiv(m, e.index(2)), [], pair)
    e.loop(b.and_(m, one), [], lambda _, __: add([b.sub(m, one)]))


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


dot_rows = Intrinsic(_build_dot_rows, _dot_rows)
dot_one = Intrinsic(_build_dot_one, _dot_one)
logistic = Intrinsic(_build_logistic, _logistic)
logistic_columns = Intrinsic(_build_logistic_columns, _logistic_columns)
add_chosen_rows = Intrinsic(partial(_build_chosen, onto=True), _add_chosen_rows)
add_products = Intrinsic(_build_add_products, _add_products)
add_chosen_products = Intrinsic(_build_add_chosen_products, _add_chosen_products)
sum_chosen_rows = Intrinsic(partial(_build_chosen, onto=False), _sum_chosen_rows)
prefetch_row = Intrinsic(_build_prefetch_row, _prefetch_row)
