"""The logistic function of whole tables of scores: loss and gradient coefficients from scores.

Like :mod:`workbench.models.kernels.gemm`: LLVM code as wide as this processor's vectors, all lanes
at once, and for each function a plain numpy twin, which is its definition.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from workbench.core.arrays import Singles
from workbench.core.jit import Intrinsic
from workbench.models.kernels.gemm import PACKED
from workbench.models.kernels.llvm_builder import Emit

# -- the definitions


def _logistic(Z: Singles, m: int, sign: Singles, rate: float) -> float:
    """Turn scores into coefficients of the gradient; return the loss in nats.

    Z : float32[>= m, width], width a multiple of 16, or of 8 and contiguous (:func:`score_rows`);
    with t = sign·z each cell becomes −rate·sign·σ(t), the descent step of z
    sign : float32[width], followed by 8 more if width is 8: −1 for observed pairs, +1 for negative
    samples, 0 for padding

    Returns Σ log(1 + exp(t)) over the cells with a sign, summed in float64. The errors of σ and of
    the logarithm are below 2e-7.
    """
    return _logistic_columns(Z, 0, m, Z.shape[1], sign, rate)


def _logistic_columns(Z: Singles, first: int, m: int, n: int, sign: Singles, rate: float) -> float:
    """Apply :data:`logistic` to m rows from ``first`` on, and only their first n columns, n rounded
    up to whole cache lines: signs after the n-th column are 0.
    """
    t = Z[first : first + m, :n].astype(np.float64) * sign[:n]
    loss = float((np.logaddexp(0.0, t) * np.abs(sign[:n])).sum())
    Z[first : first + m, :n] = -rate * sign[:n] / (1.0 + np.exp(-t))
    return loss


# -- the generated code


def _build_logistic(numba: Any) -> Any:
    types = numba.types

    def logistic(typing_context: Any, Z: Any, m: Any, sign: Any, rate: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            z, signs = (
                e.array(signature.args[0], arguments[0]),
                e.array(signature.args[2], arguments[2]),
            )
            return _emit_logistic(e, z, e.index(0), arguments[1], z[1], signs[0], arguments[3])

        return types.float64(Z, types.intp, sign, types.float64), generate

    return logistic


def _build_logistic_columns(numba: Any) -> Any:
    types = numba.types

    def logistic_columns(
        typing_context: Any, Z: Any, first: Any, m: Any, n: Any, sign: Any, rate: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            z, signs = (
                e.array(signature.args[0], arguments[0]),
                e.array(signature.args[4], arguments[4]),
            )
            columns = builder.add(arguments[3], e.index(e.width - 1))
            return _emit_logistic(e, z, arguments[1], arguments[2], columns, signs[0], arguments[5])

        return types.float64(Z, types.intp, types.intp, types.intp, sign, types.float64), generate

    return logistic_columns


def _emit_logistic(
    e: Emit, z: tuple[Any, Any], start_row: Any, rows: Any, columns: Any, signs: Any, rate: Any
) -> Any:
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
            pointer = e.row(z, b.add(start_row, i))

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
    """σ(t) and log(1 + exp(t)) of a vector: with u = exp(−|t|), which neither overflows nor
    cancels, σ = 1/(1 + u) or u/(1 + u), and the logarithm is max(t, 0) + log1p(u).
    """
    b = e.b
    size = e.vector_function("fabs", t)
    # exp(−87) is near the smallest normal float; NaN passes through every step.
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
    soft = e.add(
        b.select(positive, t, e.constant(0.0)), e.mul(u, e.polynomial(u, _coefficients("log1p")))
    )
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


logistic = Intrinsic(_build_logistic, _logistic)
logistic_columns = Intrinsic(_build_logistic_columns, _logistic_columns)
