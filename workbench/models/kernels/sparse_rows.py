"""A row of a sparse matrix times a block of vectors, and its transpose: the inner loops of the
singular value decomposition.

Like ``gemm``: LLVM code as wide as this processor's vectors, and for each function a plain numpy
twin, which is its definition.

1. :data:`add_row_product`: the sums stay in registers over all cells of the row
2. :data:`add_outer_product`: the added row stays in registers
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from workbench.core.arrays import Doubles, Ids, Singles
from workbench.core.jit import Intrinsic
from workbench.models.kernels.llvm_builder import Emit

# Vectors of a row that are kept in registers at once.
_BLOCK = 4


def _add_row_product(
    product: Doubles | Singles,
    row: int,
    block: Doubles | Singles,
    columns: Ids,
    values: Doubles | Singles,
    at: int,
    end: int,
) -> None:
    """product[row] += Σ_{at <= i < end} values[i]·block[columns[i]].

    product, block : float64[., width], width a multiple of 8, or float32 and 16; values : of the
    same type
    """
    product[row] += values[at:end] @ block[columns[at:end]]


def _add_outer_product(
    sums: Doubles, columns: Ids, values: Doubles, at: int, end: int, product: Doubles
) -> None:
    """sums[columns[i]] += values[i]·product[0] for at <= i < end; columns must be distinct.

    product, sums : float64[., width], width a multiple of 8
    """
    sums[columns[at:end]] += values[at:end, None] * product[0]


def _build_add_row_product(numba: Any) -> Any:
    types = numba.types

    def add_row_product(
        typing_context: Any,
        product: Any,
        row: Any,
        block: Any,
        columns: Any,
        values: Any,
        at: Any,
        end: Any,
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder, double=signature.args[0].dtype == types.float64)
            out, rows = (e.array(signature.args[k], arguments[k]) for k in (0, 2))
            listed = e.integers(signature.args[3], arguments[3])
            weight_of = _weights(e, signature.args[4], arguments[4])
            at, end = arguments[5], arguments[6]
            target = e.row(out, arguments[1])

            def part(size: int, start: Any) -> None:
                def cell(number: Any, sums: list[Any]) -> list[Any]:
                    i = builder.add(at, number)
                    pointer = e.at(e.row(rows, listed(i)), start)
                    weight = weight_of(i)
                    return [
                        e.fma(weight, e.load(pointer, e.index(v * e.width)), s)
                        for v, s in enumerate(sums)
                    ]

                here = e.at(target, start)
                begun = [e.load(here, e.index(v * e.width)) for v in range(size)]
                for v, total in enumerate(e.loop(builder.sub(end, at), begun, cell)):
                    e.store(total, here, e.index(v * e.width))

            e.in_blocks(rows[1], _BLOCK, part)
            return context.get_dummy_value()

        intp = types.intp
        return types.void(product, intp, block, columns, values, intp, intp), generate

    return add_row_product


def _build_add_outer_product(numba: Any) -> Any:
    types = numba.types

    def add_outer_product(
        typing_context: Any, sums: Any, columns: Any, values: Any, at: Any, end: Any, product: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder, double=True)
            out, rows = (e.array(signature.args[k], arguments[k]) for k in (0, 5))
            listed = e.integers(signature.args[1], arguments[1])
            weight_of = _weights(e, signature.args[2], arguments[2])
            at, end = arguments[3], arguments[4]
            source = e.row(rows, e.index(0))

            def part(size: int, start: Any) -> None:
                added = [e.load(e.at(source, start), e.index(v * e.width)) for v in range(size)]

                def cell(number: Any, _: list[Any]) -> list[Any]:
                    i = builder.add(at, number)
                    here = e.at(e.row(out, listed(i)), start)
                    weight = weight_of(i)
                    for v, vector in enumerate(added):
                        place = e.index(v * e.width)
                        e.store(e.fma(weight, vector, e.load(here, place)), here, place)
                    return []

                e.loop(builder.sub(end, at), [], cell)

            e.in_blocks(out[1], _BLOCK, part)
            return context.get_dummy_value()

        intp = types.intp
        return types.void(sums, columns, values, intp, intp, product), generate

    return add_outer_product


def _weights(e: Emit, kind: Any, value: Any) -> Callable[[Any], Any]:
    """Function that reads a contiguous array of floats by index, broadcast to a vector."""
    weights = e.context.make_array(kind)(e.context, e.b, value).data
    return lambda index: e.splat(e.b.load(e.b.gep(weights, [index]), align=e.size))


add_row_product = Intrinsic(_build_add_row_product, _add_row_product)
add_outer_product = Intrinsic(_build_add_outer_product, _add_outer_product)
