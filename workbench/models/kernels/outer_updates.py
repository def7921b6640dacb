"""Updates of a step: rows += coefficients × rows.

Like :mod:`workbench.models.kernels.gemm`, and for the same padded and aligned rows: LLVM code as
wide as this processor's vectors, and for each function a plain numpy twin, which is its definition.

1. :data:`add_products`, :data:`add_chosen_products`: many rows, two at a time
2. :data:`sum_chosen_rows`: one row
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from workbench.core.arrays import Ids, Singles
from workbench.core.jit import Intrinsic
from workbench.models.kernels.gemm import BLOCK, Pick
from workbench.models.kernels.llvm_builder import Emit

# -- the definitions


def _sum_chosen_rows(
    target: Singles, row: int, source: Singles, indices: Ids, count: int, weights: Singles
) -> None:
    """target[row] = Σ_{r < count} weights[0, r]·source[indices[r]]."""
    target[row] = weights[0, :count] @ source[indices[:count]]


def _add_products(
    target: Singles, indices: Ids, m: int, source: Singles, n: int, weights: Singles
) -> None:
    """target[indices[a]] += Σ_{b < n} weights[a, b]·source[b] for a < m, one after another."""
    for a in range(m):
        target[indices[a]] += weights[a, :n] @ source[:n]


def _add_chosen_products(
    target: Singles, indices: Ids, m: int, source: Singles, chosen: Ids, n: int, weights: Singles
) -> None:
    """target[indices[a]] += Σ_{b < n} weights[b, a]·source[chosen[b]] for a < m, one after
    another.
    """
    for a in range(m):
        target[indices[a]] += weights[:n, a] @ source[chosen[:n]]


# -- the generated code


def _build_sum_chosen_rows(numba: Any) -> Any:
    types = numba.types

    def sum_chosen_rows(
        typing_context: Any,
        target: Any,
        row: Any,
        source: Any,
        indices: Any,
        count: Any,
        weights: Any,
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            out, rows, table = (e.array(signature.args[k], arguments[k]) for k in (0, 2, 5))
            source_row = e.chosen_row(rows, signature.args[3], arguments[3])
            target_row = e.row(out, arguments[1])

            def block(size: int, start: Any) -> None:
                """``size`` vectors of the target, kept in registers over all source rows."""

                def add_row(r: Any, sums: list[Any]) -> list[Any]:
                    factor, pointer = (
                        e.splat(builder.load(e.at(table[0], r), align=4)),
                        e.at(source_row(r), start),
                    )
                    return [
                        e.fma(factor, e.load(pointer, e.index(v * e.width)), total)
                        for v, total in enumerate(sums)
                    ]

                here = e.at(target_row, start)
                for v, total in enumerate(e.loop(arguments[4], [e.constant(0.0)] * size, add_row)):
                    e.store(total, here, e.index(v * e.width))

            e.in_blocks(rows[1], BLOCK, block)
            return context.get_dummy_value()

        return types.void(target, types.intp, source, indices, types.intp, weights), generate

    return sum_chosen_rows


def _build_add_products(numba: Any) -> Any:
    types = numba.types

    def add_products(
        typing_context: Any, target: Any, indices: Any, m: Any, source: Any, n: Any, weights: Any
    ) -> Any:
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
        typing_context: Any,
        target: Any,
        indices: Any,
        m: Any,
        source: Any,
        chosen: Any,
        n: Any,
        weights: Any,
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder)
            out, rows, table = (e.array(signature.args[k], arguments[k]) for k in (0, 3, 6))
            listed = e.integers(signature.args[1], arguments[1])
            picked = e.chosen_row(rows, signature.args[4], arguments[4])
            weight = lambda a, b: e.at(e.row(table, b), a)  # noqa: E731
            _emit_products(e, out, listed, arguments[2], picked, arguments[5], weight)
            return context.get_dummy_value()

        return types.void(
            target, indices, types.intp, source, chosen, types.intp, weights
        ), generate

    return add_chosen_products


def _emit_products(
    e: Emit,
    out: tuple[Any, Any],
    listed: Pick,
    m: Any,
    source: Pick,
    n: Any,
    weight: Callable[[Any, Any], Any],
) -> None:
    """Emit code for two targets at a time, so that each row of the source is loaded half as often;
    for one at a time if both are the same row, and at the end.
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
            loop = e.loop(n, begun, add_row)
            for k, pointer in enumerate(here):
                for v in range(size):
                    e.store(loop[k * size + v], pointer, e.index(v * e.width))

        e.in_blocks(out[1], BLOCK if e.width == 16 else BLOCK // 2, block)
        return []

    def pair(number: Any, _: list[Any]) -> list[Any]:
        a = b.mul(number, e.index(2))
        then = b.add(a, one)
        same = b.icmp_signed("==", listed(a), listed(then))
        singly, together, after = (
            b.append_basic_block(name) for name in ("singly", "together", "after")
        )
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


add_products = Intrinsic(_build_add_products, _add_products)
add_chosen_products = Intrinsic(_build_add_chosen_products, _add_chosen_products)
sum_chosen_rows = Intrinsic(_build_sum_chosen_rows, _sum_chosen_rows)
