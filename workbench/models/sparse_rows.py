"""A row of a sparse matrix times a block of vectors: the inner loop of the singular value decomposition.

Like :mod:`workbench.models.tiles`: LLVM code as wide as this processor's vectors, and a plain numpy
twin, which is its definition. The sums stay in registers over all cells of the row.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.jit import Intrinsic
from workbench.models.emit import Emit

Floats = npt.NDArray[np.float64]
Ids = npt.NDArray[np.int32]

# Vectors of a row that are kept in registers at once.
_BLOCK = 4


def _add_row_product(product: Floats, row: int, block: Floats, columns: Ids, values: Floats, at: int, end: int) -> None:
    """product[row] += Σ_{at <= i < end} values[i]·block[columns[i]].

    product, block : float64[., width], width a multiple of 8
    """
    product[row] += values[at:end] @ block[columns[at:end]]


def _build_add_row_product(numba: Any) -> Any:
    types = numba.types

    def add_row_product(
        typing_context: Any, product: Any, row: Any, block: Any, columns: Any, values: Any, at: Any, end: Any
    ) -> Any:
        def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            e = Emit(context, builder, double=True)
            out, rows = (e.array(signature.args[k], arguments[k]) for k in (0, 2))
            listed = e.integers(signature.args[3], arguments[3])
            weights = context.make_array(signature.args[4])(context, builder, arguments[4]).data
            at, end = arguments[5], arguments[6]
            target = e.row(out, arguments[1])

            def part(size: int, start: Any) -> None:
                def cell(number: Any, sums: list[Any]) -> list[Any]:
                    i = builder.add(at, number)
                    pointer = e.at(e.row(rows, listed(i)), start)
                    weight = e.splat(builder.load(builder.gep(weights, [i]), align=8))
                    return [e.fma(weight, e.load(pointer, e.index(v * e.width)), s) for v, s in enumerate(sums)]

                here = e.at(target, start)
                begun = [e.load(here, e.index(v * e.width)) for v in range(size)]
                for v, total in enumerate(e.loop(builder.sub(end, at), begun, cell)):
                    e.store(total, here, e.index(v * e.width))

            e.in_blocks(rows[1], _BLOCK, part)
            return context.get_dummy_value()

        intp = types.intp
        return types.void(product, intp, block, columns, values, intp, intp), generate

    return add_row_product


add_row_product = Intrinsic(_build_add_row_product, _add_row_product)
