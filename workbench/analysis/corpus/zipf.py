"""Zipf's law fitted to a vocabulary: the exponent of word counts, and so of counts by rank.

Counts are assumed to follow p(x) ∝ x^−α from some x_min on. Then the count of the word of rank r
falls as r^−s with s = 1/(α − 1): the law that Zipf (1949) found with s near 1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.language import tr

# Bounds of the search for α; s = 1/(α − 1) is then between 0.2 and 50.
_LOW, _HIGH = 1.02, 6.0
# Number of limits x_min that are tried, and minimum number of words above the highest of them.
_TRIED, _LEAST = 60, 50


@dataclass(frozen=True)
class ZipfFit:
    """A power law fitted to the counts of the ``words`` most frequent words.

    alpha : the exponent of p(x) ∝ x^−α, with its standard error ``error``
    least : x_min, the smallest count in the fit
    words : number of words with at least this count: the fit covers ranks 1 to this
    distance : maximum distance between the two distribution functions (Kolmogorov and Smirnov)
    """

    alpha: float
    error: float
    least: int
    words: int
    distance: float

    @property
    def slope(self) -> float:
        """s of count ∝ rank^−s."""
        return 1.0 / (self.alpha - 1.0)

    @property
    def slope_error(self) -> float:
        """The standard error of ``slope``, to first order."""
        return self.error / (self.alpha - 1.0) ** 2

    def at_rank(self, ranks: Doubles) -> Doubles:
        """Counts on the fitted line, which passes through (``words``, ``least``)."""
        return np.asarray(
            self.least * (self.words / np.asarray(ranks, dtype=np.float64)) ** self.slope
        )


def fit_zipf(counts: npt.NDArray[np.int64]) -> ZipfFit:
    """Fit by maximum likelihood, with the x_min that brings model and data closest to each other.

    counts : int64[V], above 0, in any order

    The method is that of Clauset, Shalizi & Newman 2009 for whole numbers: α maximises −n ln ζ(α,
    x_min) − α Σ ln x (equation 3.5, solved numerically, not by the approximation 3.7), its error is
    that of their equation 3.6, and x_min minimises the distance of section 3.3, among values evenly
    spaced by the number of words above them. Raises UserError for fewer than 10 words.
    """
    values = np.sort(np.asarray(counts, dtype=np.int64))
    if len(values) < 10 or values[0] == values[-1]:
        raise UserError(
            tr("The corpus has too few words to fit Zipf’s law."), tr("Open a longer corpus.")
        )
    distinct, first = np.unique(values, return_index=True)
    above = len(values) - first
    usable = distinct[above >= min(_LEAST, len(values) // 2)]
    if len(usable) > _TRIED:
        usable = np.unique(usable[np.geomspace(1, len(usable), _TRIED).astype(np.int64) - 1])
    fits = [_fit(distinct, first, values, int(least)) for least in usable]
    return min(fits, key=lambda fit: fit.distance)


def _fit(
    distinct: npt.NDArray[np.int64],
    first: npt.NDArray[np.int64],
    values: npt.NDArray[np.int64],
    least: int,
) -> ZipfFit:
    from scipy.optimize import minimize_scalar
    from scipy.special import zeta

    at = int(np.searchsorted(distinct, least))
    tail = values[first[at] :]
    n = len(tail)
    logs = float(np.log(tail).sum())
    found = minimize_scalar(
        lambda a: n * np.log(zeta(a, least)) + a * logs,
        bounds=(_LOW, _HIGH),
        method="bounded",
        options={"xatol": 1e-7},
    )
    alpha = float(found.x)
    # P(X ≥ x) at every value that occurs, for the model and for the words.
    model = zeta(alpha, distinct[at:]) / zeta(alpha, least)
    data = (len(values) - first[at:]) / n
    return ZipfFit(alpha, _error(alpha, least, n), least, n, float(np.max(np.abs(model - data))))


def _error(alpha: float, least: int, n: int) -> float:
    """1/sqrt(n (ζ''/ζ − (ζ'/ζ)²)), derivatives by differences (Clauset et al. 2009, equation
    3.6).
    """
    from scipy.special import zeta

    step = 1e-3
    low, mid, high = (np.log(zeta(alpha + shift, least)) for shift in (-step, 0.0, step))
    # (log ζ)'' is the expression in the brackets.
    curvature = float(low - 2.0 * mid + high) / step**2
    return float(1.0 / np.sqrt(n * max(curvature, 1e-12)))
