"""Words with equal vectors: laid out and evaluated once, at one place."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Singles

# Unit rows of equal directions differ in the last digits.
_DECIMALS = 6


class Distinct(NamedTuple):
    """first : intp[u], ascending, the first row of each group of equal rows; group : intp[n], the
    group of each row
    """

    first: npt.NDArray[np.intp]
    group: npt.NDArray[np.intp]


def distinct_rows(unit: Singles | sp.csr_matrix) -> Distinct:
    """Groups of equal unit rows, in the order of their first rows."""
    keys: dict[bytes, int] = {}
    group = np.empty(unit.shape[0], dtype=np.intp)
    first: list[int] = []
    for row in range(unit.shape[0]):
        group[row] = keys.setdefault(_key(unit, row), len(keys))
        if len(keys) > len(first):
            first.append(row)
    return Distinct(np.array(first, dtype=np.intp), group)


def _key(unit: Singles | sp.csr_matrix, row: int) -> bytes:
    if isinstance(unit, np.ndarray):
        # −0 is 0.
        rounded: bytes = (np.round(unit[row], _DECIMALS) + np.float32(0)).tobytes()
        return rounded
    part = slice(unit.indptr[row], unit.indptr[row + 1])
    values = np.round(unit.data[part], _DECIMALS)
    return bytes(unit.indices[part].tobytes() + values.tobytes())
