"""Whitening of vectors by the frequency of their words (Yokoi, Bao, Kurita & Shimodaira 2024,
Zipfian Whitening, algorithm 1).

With q_w ∝ p(w)^β, the mean m = Σ q_w w and the covariance Σ q_w (w − m)(w − m)ᵀ = VΛVᵀ, the new
vectors are Λ^(−1/2) Vᵀ (w − m): β = 0 is the usual whitening by types, β = 1 that by tokens.
"""

from __future__ import annotations

import numpy as np

from workbench.analysis.shape.directions import centre, covariance
from workbench.core.arrays import Doubles

# Variances below this share of the largest are rounding errors, and their directions are left out.
_SMALLEST = 1e-10


def whiten(vectors: Doubles, weights: Doubles) -> Doubles:
    """float64[n, r] from float64[n, d]: the r directions that have a variance, each scaled to
    variance 1. ``weights``: float64[n], with sum 1.
    """
    values, directions = np.linalg.eigh(covariance(vectors, weights))
    kept = values > _SMALLEST * max(float(values[-1]), 0.0)
    values, directions = values[kept][::-1], directions[:, kept][:, ::-1]
    return np.asarray(centre(vectors, weights) @ directions / np.sqrt(values))
