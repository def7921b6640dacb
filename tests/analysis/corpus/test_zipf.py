from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import kstest, zipf, zipfian

from workbench.analysis.corpus.zipf import fit_zipf
from workbench.core.errors import UserError


@pytest.mark.parametrize("alpha", [1.8, 2.0, 2.6])
def test_a_power_law_is_found_again(alpha: float) -> None:
    """The exponent of samples from scipy’s zeta distribution, within three standard errors."""
    counts = zipf(alpha).rvs(30_000, random_state=7)
    fit = fit_zipf(counts)
    assert fit.alpha == pytest.approx(alpha, abs=3 * fit.error)
    assert fit.words == np.count_nonzero(counts >= fit.least)
    assert fit.slope == pytest.approx(1 / (fit.alpha - 1))


def test_the_likelihood_has_its_maximum_there() -> None:
    """Compare the exponent with another optimiser’s, and a zeta function computed as a sum."""
    counts = zipf(2.1).rvs(5_000, random_state=3)
    fit = fit_zipf(counts)
    tail = counts[counts >= fit.least].astype(float)
    many = np.arange(fit.least, 2_000_000, dtype=float)

    def negative(alpha: np.ndarray) -> float:
        rest = many[-1] ** (1 - alpha[0]) / (alpha[0] - 1)
        return float(
            len(tail) * np.log((many ** -alpha[0]).sum() + rest) + alpha[0] * np.log(tail).sum()
        )

    found = minimize(
        negative, x0=[2.5], method="Nelder-Mead", options={"xatol": 1e-6, "fatol": 1e-9}
    )
    assert fit.alpha == pytest.approx(float(found.x[0]), abs=1e-4)
    step = 1e-2
    around = [negative(np.array([fit.alpha + d])) for d in (-step, 0, step)]
    assert fit.error == pytest.approx(
        1 / np.sqrt((around[0] - 2 * around[1] + around[2]) / step**2), rel=1e-2
    )


def test_the_distance_is_that_of_kolmogorov_and_smirnov() -> None:
    counts = zipf(2.0).rvs(4_000, random_state=11)
    fit = fit_zipf(counts)
    tail = np.sort(counts[counts >= fit.least])
    model = zipfian(fit.alpha, 10_000_000)
    below = model.cdf(fit.least - 1)
    # scipy’s Kolmogorov–Smirnov test of a left-truncated distribution, which checks both sides of
    # each step.
    found = kstest(tail, lambda x: (model.cdf(x) - below) / (1 - below))
    assert fit.distance <= found.statistic + 1e-3
    shares = np.array([np.mean(tail >= x) for x in np.unique(tail)])
    expected = (1 - model.cdf(np.unique(tail) - 1)) / (1 - below)
    assert fit.distance == pytest.approx(np.abs(shares - expected).max(), abs=1e-3)


def test_the_line_goes_through_its_end() -> None:
    fit = fit_zipf(zipf(2.0).rvs(2_000, random_state=1))
    assert fit.at_rank(np.array([fit.words]))[0] == pytest.approx(fit.least)


def test_too_few_words() -> None:
    with pytest.raises(UserError, match="too few words"):
        fit_zipf(np.array([5, 3, 1]))
