"""Subsampling, the noise distribution and the alias table, compared with their formulas."""

import numpy as np
import pytest

from workbench.core.jit import kernel
from workbench.counts.sampling import alias_table, draw_word, keep_probabilities, noise_distribution

COUNTS = np.array([500_000, 100_000, 1_000, 10, 5], dtype=np.int64)


def test_nothing_is_dropped_without_a_threshold():
    np.testing.assert_array_equal(keep_probabilities(COUNTS, 0.0), np.ones(5))


def test_the_papers_formula():
    t, frequency = 1e-3, COUNTS / COUNTS.sum()
    wanted = [1 - max(0.0, 1 - (t / f) ** 0.5) for f in frequency]
    np.testing.assert_allclose(keep_probabilities(COUNTS, t, "paper"), wanted)


def test_the_programs_formula():
    t, frequency = 1e-3, COUNTS / COUNTS.sum()
    wanted = [min(1.0, ((f / t) ** 0.5 + 1) * t / f) for f in frequency]
    np.testing.assert_allclose(keep_probabilities(COUNTS, t, "word2vec"), wanted)


@pytest.mark.parametrize("exponent", [0.0, 0.5, 0.75, 1.0, -0.5])
def test_noise(exponent):
    weights = [float(n) ** exponent for n in COUNTS]
    np.testing.assert_allclose(
        noise_distribution(COUNTS, exponent), np.array(weights) / sum(weights)
    )


@pytest.mark.parametrize("size", [1, 2, 3, 1000])
def test_alias_table_holds_the_distribution_exactly(size):
    wanted = noise_distribution(np.random.default_rng(size).integers(1, 10**6, size), 0.75)
    table = alias_table(wanted)
    share = table.threshold.astype(np.float64) / 2**32
    sums = np.zeros(size)
    for column in range(size):
        sums[column] += share[column] / size
        sums[table.alias[column]] += (1 - share[column]) / size
    np.testing.assert_allclose(sums, wanted, atol=1e-9)


@kernel
def draw_all(table, draws, words):
    for i in range(len(draws)):
        words[i] = draw_word(table, draws[i])


@pytest.mark.parametrize("probabilities", [[1.0], [0.5, 0.3, 0.2], [0.001, 0.499, 0.0, 0.25, 0.25]])
def test_every_word_gets_its_share_of_all_draws(probabilities):
    """Draws form an even grid: the upper half covers all columns, the lower half all thresholds."""
    table, size = alias_table(np.array(probabilities)), len(probabilities)
    uppers = ((np.arange(size) * 2**32 + 2**31) // size).astype(np.uint64)
    lowers = ((np.arange(1000) + 0.5) / 1000 * 2**32).astype(np.uint64)
    draws = ((uppers[:, None] << np.uint64(32)) | lowers).ravel()
    words = np.full(len(draws), -1)
    draw_all(table, draws, words)
    np.testing.assert_allclose(
        np.bincount(words, minlength=size) / len(words), probabilities, atol=1e-3
    )
    ends = np.full(2, -1)
    draw_all(table, np.array([0, 2**64 - 1], dtype=np.uint64), ends)
    assert ((ends >= 0) & (ends < size)).all()
