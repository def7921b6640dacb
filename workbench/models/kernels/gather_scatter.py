"""Gathering of rows for small matrix products, and scattering of the results.

Like :mod:`workbench.models.kernels.gemm`, and for the same padded and aligned rows: LLVM code as
wide as this processor's vectors, and for each function a plain numpy twin, which is its definition.

1. :data:`gather_rows`: scattered rows copied side by side
2. :data:`sum_rows`: their sum, scaled
3. :data:`add_to_rows`: scattered rows += coefficient × one row
"""

from __future__ import annotations

from typing import Any

import numpy as np

from workbench.core.arrays import Ids, Singles
from workbench.core.jit import Intrinsic
from workbench.models.kernels.gemm import BLOCK
from workbench.models.kernels.llvm_builder import Emit

# -- the definitions


def _gather_rows(target: Singles, source: Singles, indices: Ids, count: int) -> None:
    """target[r] = source[indices[r]] for r < count."""
    target[:count] = source[indices[:count]]


def _sum_rows(
    target: Singles, row: int, source: Singles, indices: Ids, first: int, count: int, scale: float
) -> None:
    """target[row] = scale·Σ_{r < count} source[indices[first + r]]; count is at least 1."""
    target[row] = np.float32(scale) * source[indices[first : first + count]].sum(axis=0)


def _add_to_rows(
    target: Singles,
    indices: Ids,
    first: int,
    count: int,
    source: Singles,
    row: int,
    weights: Singles,
    i: int,
    step: int,
) -> None:
    """target[indices[r]] += w_r·source[row] for first ≤ r < first + count, one after another if
    indices repeat.

    step : w_r = weights[i, r·step]; 0 gives all rows the same weight
    """
    for r in range(first, first + count):
        target[indices[r]] += weights[i, r * step] * source[row]


# -- the generated code


def _build_gather_rows(numba: Any) -> Any:
    types = numba.types

    def gather_rows(typing_context: Any, target: Any, source: Any, indices: Any, count: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            out, rows = (e.array(signature.args[k], arguments[k]) for k in (0, 1))
            listed = e.integers(signature.args[2], arguments[2])

            def block(size: int, start: Any) -> None:
                def copy(r: Any, _: list[Any]) -> list[Any]:
                    here, there = e.at(e.row(out, r), start), e.at(e.row(rows, listed(r)), start)
                    for v in range(size):
                        e.store(e.load(there, e.index(v * e.width)), here, e.index(v * e.width))
                    return []

                e.loop(arguments[3], [], copy)

            e.in_blocks(rows[1], BLOCK, block)
            return context.get_dummy_value()

        return types.void(target, source, indices, types.intp), generate

    return gather_rows


def _build_sum_rows(numba: Any) -> Any:
    types = numba.types

    def sum_rows(
        typing_context: Any,
        target: Any,
        row: Any,
        source: Any,
        indices: Any,
        first: Any,
        count: Any,
        scale: Any,
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            out, rows = (e.array(signature.args[k], arguments[k]) for k in (0, 2))
            listed = e.integers(signature.args[3], arguments[3])
            target_row = e.row(out, arguments[1])
            scale = e.splat(builder.fptrunc(arguments[6], e.f32))

            def block(size: int, start: Any) -> None:
                def add_row(r: Any, sums: list[Any]) -> list[Any]:
                    pointer = e.at(e.row(rows, listed(builder.add(arguments[4], r))), start)
                    return [
                        e.add(e.load(pointer, e.index(v * e.width)), total)
                        for v, total in enumerate(sums)
                    ]

                here = e.at(target_row, start)
                for v, total in enumerate(e.loop(arguments[5], [e.constant(0.0)] * size, add_row)):
                    e.store(e.mul(scale, total), here, e.index(v * e.width))

            e.in_blocks(rows[1], BLOCK, block)
            return context.get_dummy_value()

        return types.void(
            target, types.intp, source, indices, types.intp, types.intp, types.float64
        ), generate

    return sum_rows


def _build_add_to_rows(numba: Any) -> Any:
    types = numba.types

    def add_to_rows(
        typing_context: Any,
        target: Any,
        indices: Any,
        first: Any,
        count: Any,
        source: Any,
        row: Any,
        weights: Any,
        i: Any,
        step: Any,
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            out, rows, table = (e.array(signature.args[k], arguments[k]) for k in (0, 4, 6))
            listed = e.integers(signature.args[1], arguments[1])
            source_row, factors = e.row(rows, arguments[5]), e.row(table, arguments[7])

            def block(size: int, start: Any) -> None:
                """``size`` vectors of the source, kept in registers over all target rows."""
                there = e.at(source_row, start)
                held = [e.load(there, e.index(v * e.width)) for v in range(size)]

                def add_row(number: Any, _: list[Any]) -> list[Any]:
                    r = builder.add(arguments[2], number)
                    weight = e.splat(
                        builder.load(e.at(factors, builder.mul(r, arguments[8])), align=4)
                    )
                    here = e.at(e.row(out, listed(r)), start)
                    for v, part in enumerate(held):
                        at = e.index(v * e.width)
                        e.store(e.fma(weight, part, e.load(here, at)), here, at)
                    return []

                e.loop(arguments[3], [], add_row)

            e.in_blocks(rows[1], BLOCK, block)
            return context.get_dummy_value()

        intp = types.intp
        return types.void(target, indices, intp, intp, source, intp, weights, intp, intp), generate

    return add_to_rows


gather_rows = Intrinsic(_build_gather_rows, _gather_rows)
sum_rows = Intrinsic(_build_sum_rows, _sum_rows)
add_to_rows = Intrinsic(_build_add_to_rows, _add_to_rows)
