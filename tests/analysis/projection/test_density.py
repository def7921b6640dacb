from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.analysis.projection import density as density_module
from workbench.analysis.projection.density import density, robust_frame, words_under


def blobs(sizes: list[int], seed: int = 0, spread: float = 0.5) -> np.ndarray:
    """Gaussian clouds along a line, six units apart."""
    random = np.random.default_rng(seed)
    parts = [
        random.normal(scale=spread, size=(size, 2)) + np.array([6.0 * at, 0.0])
        for at, size in enumerate(sizes)
    ]
    return np.concatenate(parts).astype(np.float32)


@pytest.mark.parametrize("size", [7, 64, 65, 400])
def test_the_width_is_the_same_with_and_without_a_tree(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    positions = blobs([size])
    few = density(positions).bandwidth
    monkeypatch.setattr(density_module, "_FEW_PAIRS", 0)
    assert few == pytest.approx(density(positions).bandwidth, rel=1e-12)


def test_density_is_the_sum_of_the_kernels() -> None:
    positions = blobs([60, 40])
    grid = density(positions, bandwidth=0.8)
    assert grid.bandwidth == 0.8
    inside = robust_frame(positions).contains(positions)
    rows, columns = grid.words.shape
    for row, column in ((rows // 2, columns // 4), (rows // 2, columns // 2), (rows // 3, 60)):
        x = grid.left + (column + 0.5) * grid.cell
        y = grid.bottom + (row + 0.5) * grid.cell
        expected = 0.0
        for place in positions[inside].tolist():
            squared_distance = (place[0] - x) ** 2 + (place[1] - y) ** 2
            # Density · 4πh², the 2πh² of the kernel cancelled.
            expected += 2.0 * math.exp(-squared_distance / (2 * 0.8**2))
        # Binning spreads a word over a cell, which makes its kernel slightly wider.
        assert grid.words[row, column] == pytest.approx(expected, rel=0.02, abs=1e-3)


def test_a_few_outliers_widen_nothing() -> None:
    positions = blobs([300, 300])
    positions[:3] = (900.0, -700.0)
    frame = robust_frame(positions)
    assert frame.right < 20
    assert frame.bottom > -10
    _, inside = density(positions, bandwidth=0.5).at(positions)
    assert not inside[:3].any()
    assert inside[3:].all()


def test_a_sample_of_a_large_layout_frames_it(monkeypatch: pytest.MonkeyPatch) -> None:
    positions = blobs([4000, 4000])
    positions[1:4] = (900.0, -700.0)
    exact = robust_frame(positions)
    monkeypatch.setattr("workbench.analysis.projection.density._FRAMING", 1000)
    frame = robust_frame(positions)
    assert frame != exact
    edges = [vars(exact)[edge] for edge in ("left", "bottom", "right", "top")]
    assert [frame.left, frame.bottom, frame.right, frame.top] == pytest.approx(edges, abs=0.5)


def test_weighted_words_under_the_kernel() -> None:
    positions = blobs([80, 50])
    positions[:2] = (900.0, -700.0)
    grid = density(positions, bandwidth=0.4)
    everyone = np.ones(len(positions))
    np.testing.assert_allclose(words_under(grid, positions, everyone), grid.words, atol=1e-9)
    weights = np.random.default_rng(2).normal(size=len(positions))
    apart = words_under(grid, positions, np.maximum(weights, 0))
    apart = apart - words_under(grid, positions, np.maximum(-weights, 0))
    np.testing.assert_allclose(words_under(grid, positions, weights), apart, atol=1e-9)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_few_words_have_a_density(size: int) -> None:
    positions = np.zeros((size, 2), dtype=np.float32)
    positions[:, 0] = np.arange(size)
    assert density(positions).words.max() > 0


def test_a_tight_layout_gets_a_finer_grid() -> None:
    random = np.random.default_rng(8)
    centres = random.uniform(-6, 6, size=(8, 2))
    positions = centres[random.integers(8, size=400)] + random.normal(scale=0.2, size=(400, 2))
    grid = density(positions, bandwidth=0.05)
    assert grid.bandwidth == 0.05
    assert 1.5 <= grid.bandwidth / grid.cell < 1.52
    assert 256 < max(grid.words.shape) <= 512
    # Half as wide as the grid allows.
    narrow = density(positions, bandwidth=0.01)
    assert max(narrow.words.shape) == 512
    assert narrow.bandwidth == pytest.approx(1.5 * narrow.cell)
    # The usual grid for a usual kernel.
    assert max(density(positions, bandwidth=0.5).words.shape) == 256
    where = grid.at(positions[:5])[0].tolist()
    for flat in where:
        apart = ((positions - grid.middle(flat)) ** 2).sum(axis=1)
        exact = 2 * np.exp(-apart / (2 * 0.05**2)).sum()
        assert grid.words.ravel()[flat] == pytest.approx(exact, rel=0.25, abs=0.1)
