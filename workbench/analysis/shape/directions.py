"""How evenly vectors point in all directions: mean cosines, spectrum and effective rank."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from workbench.core.arrays import Doubles


@dataclass(frozen=True, eq=False)
class Spectrum:
    """Principal variances of vectors.

    variances : float64[d], eigenvalues of the covariance, descending
    effective_rank : exp of the entropy of the singular values σ/Σσ (Roy & Vetterli 2007, The
    Effective Rank, definition 1): d if all variances are equal, 1 for a line
    participation : (Σλ)²/Σλ² of the variances λ, which counts large ones more
    first : share of the largest variance
    """

    variances: Doubles
    effective_rank: float
    participation: float
    first: float


def mean_cosine(vectors: Doubles, weights: Doubles) -> float:
    """Mean cosine of two different words that are drawn with these probabilities; NaN for fewer
    than two words.

    vectors : float64[n, d], none of them zero; weights : float64[n], with sum 1
    """
    same = float(weights @ weights)
    if 1 - same <= 1e-12:
        return math.nan
    middle = weights @ unit_length(vectors)
    return (float(middle @ middle) - same) / (1 - same)


def unit_length(vectors: Doubles) -> Doubles:
    """float64[n, d], the vectors at length 1; zero vectors stay zero."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0))


def centre(vectors: Doubles, weights: Doubles) -> Doubles:
    """Vectors without their weighted mean, float64[n, d]."""
    return np.asarray(vectors - weights @ vectors)


def covariance(vectors: Doubles, weights: Doubles) -> Doubles:
    """Weighted covariance of vectors, float64[d, d]."""
    centred = centre(vectors, weights)
    return np.asarray((centred * weights[:, None]).T @ centred)


def spectrum(vectors: Doubles, weights: Doubles) -> Spectrum:
    """Spectrum of the weighted covariance of float64[n, d] vectors."""
    variances = np.maximum(np.linalg.eigvalsh(covariance(vectors, weights))[::-1], 0.0)
    total = float(variances.sum())
    if not total:
        return Spectrum(variances, math.nan, math.nan, math.nan)
    parts = np.sqrt(variances)
    parts = parts[parts > 0] / parts.sum()
    return Spectrum(
        variances,
        float(np.exp(-(parts * np.log(parts)).sum())),
        total**2 / float(variances @ variances),
        float(variances[0]) / total,
    )
