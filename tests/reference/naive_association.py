"""The PMI family as dense tables, computed cell by cell from probabilities."""

from __future__ import annotations

import math

import numpy as np


def naive_association(
    counts: np.ndarray, kind: str, shift: float = 1.0, alpha: float = 1.0
) -> np.ndarray:
    """A dense table; for unobserved pairs, pmi and npmi are NaN, ppmi and sppmi 0."""
    total = float(counts.sum())
    rows, columns = counts.shape
    smoothing = sum(float(counts[:, c].sum()) ** alpha for c in range(columns))
    table = np.full(counts.shape, math.nan if kind in ("pmi", "npmi") else 0.0)
    for w in range(rows):
        for c in range(columns):
            if counts[w, c] == 0:
                continue
            joint = float(counts[w, c]) / total
            word = float(counts[w].sum()) / total
            context = float(counts[:, c].sum()) ** alpha / smoothing
            pmi = math.log(joint / (word * context))
            if kind == "pmi":
                table[w, c] = pmi
            elif kind == "ppmi":
                table[w, c] = max(pmi, 0.0)
            elif kind == "sppmi":
                table[w, c] = max(pmi - math.log(shift), 0.0)
            else:
                table[w, c] = 1.0 if joint == 1.0 else pmi / -math.log(joint)
    return table
