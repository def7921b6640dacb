"""Tables of numbers as arrays."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp


def dense(table: np.ndarray | sp.csr_matrix) -> np.ndarray:
    """A table of vectors, which may be sparse, as an array."""
    return table if isinstance(table, np.ndarray) else table.toarray()
