"""The law of frequencies against sums over all ranks, and fitted to texts whose law is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import poisson

from workbench.analysis.corpus.frequency_law import (
    ENDLESS,
    THRESHOLDS,
    FrequencyLaw,
    Spectrum,
    fit_law,
)
from workbench.core.errors import UserError

LENGTHS = (100_000, 300_000, 1_000_000, 3_000_000)


def probabilities(head: float, shift: float, core: int, tail: float, types: int) -> np.ndarray:
    """Probability of every rank, one by one."""
    weights = np.array([(r + shift) ** -head for r in range(1, min(core, types) + 1)])
    if types > core:
        joint = (core + shift) ** (tail - head)
        weights = np.concatenate(
            [weights, joint * (np.arange(core + 1, types + 1) + shift) ** -tail]
        )
    return weights / weights.sum()


def expected(law: FrequencyLaw, lengths: tuple[int, ...] = LENGTHS) -> list[Spectrum]:
    return [
        Spectrum(n, THRESHOLDS, tuple(round(law.expected_words(n, m)) for m in THRESHOLDS))
        for n in lengths
    ]


@pytest.mark.parametrize(
    ("head", "shift", "core", "tail", "types"),
    [
        (1.0, 2.7, 90_000, 1.5, 90_000),
        (1.0, 2.7, 8_000, 1.77, 90_000),
        (0.8, 0.0, 5_000, 1.3, 30_000),
    ],
)
def test_what_is_seen_is_the_sum_over_all_ranks(
    head: float, shift: float, core: int, tail: float, types: int
) -> None:
    law = FrequencyLaw(head, shift, core, tail, types)
    p = probabilities(head, shift, core, tail, types)
    assert law.groups.words.sum() == types
    assert float(law.groups.words @ law.groups.probability) == pytest.approx(1.0)
    for tokens in (10_000, 1_000_000):
        for least in (1, 2, 5, 100):
            assert law.expected_words(tokens, least) == pytest.approx(
                poisson.sf(least - 1, tokens * p).sum(), rel=1e-3
            )
        # Σ n·P(n) over n ≥ 5 is x·P(n ≥ 4).
        words, counts = law.vocabulary(tokens, 5)
        assert float(words @ counts) == pytest.approx(
            (tokens * p) @ poisson.sf(3, tokens * p), rel=1e-3
        )
        assert float(words.sum()) == pytest.approx(law.expected_words(tokens, 5))


def test_far_out_vocabularies_grow_by_heaps_law() -> None:
    law = FrequencyLaw(1.0, 2.7, 7_873, 1.77)
    assert law.heaps_exponent(1e12) == pytest.approx(1 / 1.77, abs=1e-3)
    assert law.heaps_exponent(1e4) > 0.65
    assert FrequencyLaw(1.0, 2.7, 1e5, 1.77, 1e5).heaps_exponent(1e12) == pytest.approx(
        0.0, abs=1e-9
    )


@pytest.mark.parametrize(
    "law",
    [FrequencyLaw(1.0, 2.7, 8_000, 1.77), FrequencyLaw(1.1, 5.0, 3_000, 2.2)],
    ids=["English", "another"],
)
def test_exponents_are_found_again(law: FrequencyLaw) -> None:
    found = fit_law(expected(law))
    assert found.head == pytest.approx(law.head, abs=0.03)
    assert found.tail == pytest.approx(law.tail, abs=0.03)
    assert found.core == pytest.approx(law.core, rel=0.15)
    assert found.types == pytest.approx(ENDLESS)
    assert found.expected_words(1e10) == pytest.approx(law.expected_words(1e10), rel=0.1)


def test_an_end_of_types_is_found_where_there_is_one() -> None:
    rng = np.random.default_rng(2)
    p = probabilities(1.0, 2.7, 50_000, 1.5, 50_000)
    spectra = [Spectrum.of(rng.multinomial(n, p)) for n in LENGTHS]
    found = fit_law(spectra)
    assert found.types == pytest.approx(50_000, rel=0.03)
    assert found.expected_words(10_000_000) == pytest.approx(poisson.sf(0, 1e7 * p).sum(), rel=0.02)


def test_too_little_to_fit() -> None:
    with pytest.raises(UserError, match="too few"):
        fit_law([Spectrum.of(np.array([5, 3, 1]))])
