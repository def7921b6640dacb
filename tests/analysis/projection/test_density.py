from __future__ import annotations

import math

import numpy as np
import pytest

from workbench.analysis.projection import density as density_module
from workbench.analysis.projection.density import (
    NO_REGION,
    DensityGrid,
    Regions,
    colour_numbers,
    density,
    dividing_regions,
    find_regions,
    robust_frame,
)


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


def peaks_by_flooding(values: np.ndarray) -> list[tuple[float, float]]:
    """(height, saddle) of each peak of a table: each cell, in descending order, joins the higher
    cells beside it; the saddle of a peak that never joins a higher one is 0.
    """
    rows, columns = values.shape
    top: dict[tuple[int, int], tuple[int, int]] = {}
    saddles: dict[tuple[int, int], float] = {}
    component: dict[tuple[int, int], set[tuple[int, int]]] = {}
    order = sorted(
        ((values[r, c], r * columns + c, (r, c)) for r in range(rows) for c in range(columns)),
        reverse=True,
    )
    floor = max(1e-6 * values.max(), 1e-9)
    for value, _, cell in order:
        if value < floor:
            break
        around = {
            top[cell[0] + up, cell[1] + right]
            for up in (-1, 0, 1)
            for right in (-1, 0, 1)
            if (cell[0] + up, cell[1] + right) in top
        }
        if not around:
            top[cell], component[cell] = cell, {cell}
            saddles[cell] = 0.0
            continue
        peaks = sorted(around, key=lambda peak: values[peak], reverse=True)
        for lower in peaks[1:]:
            saddles[lower] = float(value)
            for member in component.pop(lower):
                top[member] = peaks[0]
                component[peaks[0]].add(member)
        top[cell] = peaks[0]
        component[peaks[0]].add(cell)
    return [(float(values[peak]), saddle) for peak, saddle in saddles.items()]


def test_significance_is_that_of_a_flood() -> None:
    random = np.random.default_rng(3)
    positions = random.normal(size=(400, 2)) * 3
    fine = density(positions, bandwidth=0.5)
    step = 4
    coarse = DensityGrid(
        fine.words[::step, ::step].copy(), fine.left, fine.bottom, step * fine.cell, fine.bandwidth
    )
    found = find_regions(positions, coarse, most=10_000, significant=0.0)
    expected = sorted(
        (high - low) / math.sqrt(high + low) for high, low in peaks_by_flooding(coarse.words)
    )
    # Peaks whose region contains no word are left out.
    assert found.number >= 0.8 * len(expected)
    for value in found.significance.tolist():
        assert min(abs(value - other) for other in expected) < 1e-9


def test_each_cloud_is_a_region_and_its_words_are_in_it() -> None:
    sizes = [200, 120, 60]
    positions = blobs(sizes)
    regions = find_regions(positions, density(positions, bandwidth=0.5), most=8)
    assert regions.number == 3
    assert regions.sizes.tolist() == [int(np.sum(regions.labels == region)) for region in range(3)]
    cloud = np.repeat([0, 1, 2], sizes)
    for region in range(3):
        inside = cloud[regions.labels == region]
        assert set(inside.tolist()) == {region}
        assert len(inside) > 0.85 * sizes[region]
        assert regions.peaks[region] == pytest.approx((6.0 * region, 0.0), abs=0.5)


def test_noise_has_no_peaks() -> None:
    random = np.random.default_rng(5)
    positions = random.uniform(size=(3_000, 2)).astype(np.float32)
    assert find_regions(positions, density(positions, bandwidth=0.12), most=40).number == 1


def test_more_regions_only_divide_those_there_were() -> None:
    random = np.random.default_rng(7)
    centres = random.uniform(-6, 6, size=(14, 2))
    positions = centres[random.integers(14, size=2_000)] + random.normal(scale=0.6, size=(2_000, 2))
    grid = density(positions)
    broad, fine = (find_regions(positions, grid, most) for most in (4, 40))
    assert broad.number < fine.number
    for region in range(fine.number):
        there = broad.labels[fine.labels == region]
        assert len(set(there[there >= 0].tolist())) <= 1


def test_regions_depend_on_positions_alone() -> None:
    positions = blobs([100, 80, 50], seed=9)
    order = np.random.default_rng(1).permutation(len(positions))
    one = find_regions(positions, density(positions), most=40)
    other = find_regions(positions[order], density(positions[order]), most=40)
    assert np.allclose(one.peaks, other.peaks)
    assert np.array_equal(one.labels[order], other.labels)


def test_a_few_outliers_widen_nothing() -> None:
    positions = blobs([300, 300])
    positions[:3] = (900.0, -700.0)
    frame = robust_frame(positions)
    assert frame.right < 20
    assert frame.bottom > -10
    regions = find_regions(positions, density(positions, bandwidth=0.5), most=8)
    assert regions.number == 2
    assert regions.labels[:3].tolist() == [NO_REGION] * 3


@pytest.mark.parametrize("size", [1, 2, 5])
def test_few_words_are_one_region(size: int) -> None:
    positions = np.zeros((size, 2), dtype=np.float32)
    positions[:, 0] = np.arange(size)
    regions = find_regions(positions, density(positions), most=8)
    assert regions.number >= 1
    assert regions.labels.shape == (size,)


def grid_of(text: str) -> Regions:
    rows = [[-1 if letter == "." else int(letter) for letter in row] for row in text.split()]
    cells = np.array(rows, dtype=np.int32)
    number = int(cells.max()) + 1
    return Regions(np.zeros((number, 2)), np.ones(number), cells.ravel(), cells)


def test_neighbours_touch_or_face_each_other() -> None:
    regions = grid_of("001122 001122 ......" + " ......" * 20 + " 333333")
    assert regions.neighbours() == {(0, 1), (1, 2)}
    assert grid_of("00.11").neighbours() == {(0, 1)}


def test_neighbours_have_different_colours() -> None:
    random = np.random.default_rng(11)
    centres = random.uniform(0, 40, size=(60, 2))
    rows, columns = np.mgrid[0:40, 0:40]
    far = (rows[..., None] - centres[:, 0]) ** 2 + (columns[..., None] - centres[:, 1]) ** 2
    cells = far.argmin(axis=2).astype(np.int32)
    regions = Regions(np.zeros((60, 2)), np.ones(60), cells.ravel(), cells)
    colours = colour_numbers(regions, 6)
    assert all(colours[one] != colours[other] for one, other in regions.neighbours())
    assert set(colours.tolist()) == set(range(6))
    assert np.array_equal(colours, colour_numbers(regions, 6))


def test_there_are_never_more_regions_than_asked_for() -> None:
    """Also if groups are so far apart that none joins another."""
    random = np.random.default_rng(5)
    middles = np.array([(40 * across, 40 * up) for across in range(4) for up in range(3)])
    positions = np.concatenate(
        [middle + random.normal(size=(60 + 5 * at, 2)) for at, middle in enumerate(middles)]
    ).astype(np.float32)
    regions = find_regions(positions, density(positions), most=5)
    assert regions.number == 5
    assert set(np.unique(regions.labels)) == {-1, 0, 1, 2, 3, 4}


def test_one_region_with_nearly_all_words_divides_nothing() -> None:
    random = np.random.default_rng(5)
    cloud = random.normal(size=(1_000, 2))
    far = random.normal(scale=0.2, size=(40, 2)) + 12
    for positions in (cloud, np.concatenate([cloud, far])):
        found = find_regions(positions, density(positions, bandwidth=0.8), most=8)
        assert found.number == 1 + (len(positions) > 1_000)
        regions = dividing_regions(found)
        assert regions.number == 0
        assert (regions.labels == NO_REGION).all()
        assert regions.labels.shape == found.labels.shape
        assert regions.neighbours() == frozenset()
        assert len(colour_numbers(regions)) == 0
    positions = blobs([300, 60])
    found = find_regions(positions, density(positions, bandwidth=0.5), most=8)
    assert dividing_regions(found) is found


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
