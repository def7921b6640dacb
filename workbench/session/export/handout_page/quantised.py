"""Unit vectors as whole numbers with a scale for each row, and the error of their cosines.

A row u becomes q = round(u / s) with s = max |u| / m; m is 127 for 8 bits and 32,767 for 16 bits.
Then u = s·q + e with |e_i| ≤ s/2, so ‖e‖ ≤ s·√d / 2. For two unit rows, the cosine from these
numbers differs by

    |s_u q_u · s_v q_v − u·v| = |u·e_v + e_u·v − e_u·e_v| ≤ ‖e_u‖ + ‖e_v‖ + ‖e_u‖ ‖e_v‖.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Singles

# Maximum number of values with 16 bits each.
FINE = 1_000_000
_LARGEST = {8: 127, 16: 32_767}


@dataclass(frozen=True, eq=False)
class Quantised:
    """values : int8 or int16 [n, d]; scales : float32[n]; errors : float64[n], ‖e‖ of each row."""

    values: npt.NDArray[np.signedinteger]
    scales: Singles
    errors: Doubles

    @property
    def bits(self) -> int:
        return 8 * self.values.itemsize

    @property
    def bound(self) -> float:
        """Maximum error of the cosine of any two rows."""
        largest = float(self.errors.max(initial=0.0))
        return 2 * largest + largest * largest

    @property
    def digits(self) -> int:
        """Decimals of cosines that are worth showing."""
        return 2 if self.bits == 8 else 3

    def restored(self) -> Singles:
        """float32[n, d], the rows s·q."""
        return self.values.astype(np.float32) * self.scales[:, None]


def quantise(unit: Singles) -> Quantised:
    """float32[n, d] unit (or zero) rows with 16 bits a number, or 8 if there are many."""
    bits = 16 if unit.size <= FINE else 8
    largest = _LARGEST[bits]
    peaks = np.abs(unit).max(axis=1, initial=0.0).astype(np.float64)
    scales = (np.where(peaks > 0, peaks, 1.0) / largest).astype(np.float32)
    wide = unit.astype(np.float64)
    # The scale is rounded to float32, so the largest number may be half a unit too large.
    values = np.clip(np.rint(wide / scales[:, None]), -largest, largest)
    errors = np.linalg.norm(wide - values * scales.astype(np.float64)[:, None], axis=1)
    return Quantised(values.astype(np.int8 if bits == 8 else np.int16), scales, errors)
