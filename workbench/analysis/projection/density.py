"""Density of a layout on a grid, and the regions around its peaks.

A Gaussian kernel density estimate of the words (Silverman 1986, sections 4.2 and 3.5: linear
binning and one Fourier transform), the merge tree of its superlevel sets, and the peaks whose
height above their saddle is significant (0-dimensional persistence: Edelsbrunner, Letscher &
Zomorodian 2002; Chazal et al. 2013). The result depends only on the positions.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Ids

Positions = npt.NDArray[np.floating]

NO_REGION = -1
# Cells along the longer side: usually, and at most for a narrow kernel.
_CELLS, _MOST_CELLS = 256, 512
# The kernel's width is the typical distance to the k-th nearest word, k this share of √n.
_SHARE, _FEWEST, _MOST = 1 / 6, 5, 50
_SAMPLE = 2_000
# Up to this many pairs, compare all pairs, this many words at a time: it takes no longer than
# loading scipy’s tree, which adds 17 MB of memory.
_FEW_PAIRS, _BLOCK = 1 << 24, 64
_WIDTHS = 3.0
# Minimum width of the kernel, in cells: a narrower one would show the grid.
_NARROWEST = 1.5
# Share of the words outside the quantiles that frame a layout, on each side; for a small layout,
# the number of these words, and the maximum share. And the share of the distance between the
# quantiles that is added on each side.
_BEYOND, _FEW, _MOST_BEYOND, _ROOM = 0.01, 2.5, 0.05, 0.35
# Number of standard errors by which a significant peak exceeds its saddle.
SIGNIFICANT = 2.0
# A word belongs to the region at its position if the density there is this share of the peak's.
_EDGE = 0.1
# A layout isn't divided if the largest region has this share of the words in regions.
_UNDIVIDED = 0.9
# Share of the longer side by which regions grow until they count as neighbours.
_GAP = 6 / 256


@dataclass(frozen=True)
class Frame:
    """A rectangle of the layout, in its units."""

    left: float
    bottom: float
    right: float
    top: float

    def contains(self, positions: Positions) -> npt.NDArray[np.bool_]:
        """bool[n], whether each position float[n, 2] is inside."""
        x, y = positions[:, 0], positions[:, 1]
        inside = (x >= self.left) & (x <= self.right) & (y >= self.bottom) & (y <= self.top)
        return np.asarray(inside)


@dataclass(frozen=True, eq=False)
class DensityGrid:
    """Density of words on a grid of square cells.

    words : float64[rows, columns], the number of words under the kernel at the middle of each cell,
    row 0 at the bottom: density · 4πh², for which the estimate's variance is about the number
    itself
    left, bottom : corner of cell (0, 0); cell : length of a cell's side; bandwidth : h
    """

    words: Doubles
    left: float
    bottom: float
    cell: float
    bandwidth: float

    def at(self, positions: Positions) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.bool_]]:
        """The flat index of the cell of each position float[n, 2], and whether it is on the
        grid; 0 if it isn't.
        """
        rows, columns = self.words.shape
        column = np.floor((positions[:, 0] - self.left) / self.cell)
        row = np.floor((positions[:, 1] - self.bottom) / self.cell)
        inside = (column >= 0) & (column < columns) & (row >= 0) & (row < rows)
        flat = np.where(inside, row * columns + column, 0.0)
        return flat.astype(np.intp), inside

    def middle(self, flat: int) -> tuple[float, float]:
        """The middle of a cell by its flat index."""
        row, column = divmod(flat, self.words.shape[1])
        return (
            self.left + (column + 0.5) * self.cell,
            self.bottom + (row + 0.5) * self.cell,
        )


@dataclass(frozen=True, eq=False)
class Regions:
    """The regions of one level, the most populous first.

    peaks : float64[k, 2], the densest place of each
    significance : float64[k], standard errors by which each peak exceeds its saddle
    labels : int32[n], the region of each word, NO_REGION between them
    cells : int32[rows, columns], the region of each cell of the grid, NO_REGION between them
    """

    peaks: Doubles
    significance: Doubles
    labels: Ids
    cells: Ids

    @property
    def number(self) -> int:
        return len(self.peaks)

    @property
    def sizes(self) -> npt.NDArray[np.int64]:
        """int64[k], words of each."""
        return np.bincount(self.labels[self.labels >= 0], minlength=self.number)

    def neighbours(self) -> frozenset[tuple[int, int]]:
        """Pairs of regions, the lower one first, that share a border on the grid or face each other
        across a narrow gap.
        """
        return frozenset(_adjacent(self.cells))


def robust_frame(positions: Positions) -> Frame:
    """The rectangle with the bulk of a layout float[n, 2]: a few outliers do not widen it."""
    share = min(max(_BEYOND, _FEW / len(positions)), _MOST_BEYOND)
    low, high = np.quantile(positions, (share, 1.0 - share), axis=0).astype(np.float64)
    room = _ROOM * np.maximum(high - low, 1e-9)
    least, most = positions.min(axis=0), positions.max(axis=0)
    low, high = np.maximum(low - room, least), np.minimum(high + room, most)
    return Frame(float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def density(positions: Positions, bandwidth: float | None = None) -> DensityGrid:
    """Density of a layout float[n, 2], n ≥ 1, within its ``robust_frame``.

    bandwidth : h, the kernel's standard deviation; None: the typical distance to the k-th nearest
    word, k being a sixth of √n. It is at least 1.5 cells of the finest grid, about 0.3% of the
    longer side.
    """
    frame = robust_frame(positions)
    kept = positions[frame.contains(positions)].astype(np.float64)
    longer = max(frame.right - frame.left, frame.top - frame.bottom, 1e-6)
    width = bandwidth or _neighbour_distance(kept)
    # The margin keeps the wrap-around of the transform away from the words.
    margins = 2 * _WIDTHS * _NARROWEST
    width = max(width, _NARROWEST * longer / (_MOST_CELLS - margins))
    cells = max(_CELLS, int(np.ceil(_NARROWEST * longer / width + margins)))
    cell = (longer + 2 * _WIDTHS * width) / cells
    left, bottom = frame.left - _WIDTHS * width, frame.bottom - _WIDTHS * width
    columns = int(np.ceil((frame.right - frame.left + 2 * _WIDTHS * width) / cell))
    rows = int(np.ceil((frame.top - frame.bottom + 2 * _WIDTHS * width) / cell))
    bins = _linear_bins((kept - (left, bottom)) / cell - 0.5, rows, columns)
    smooth = _gaussian(bins, width / cell)
    return DensityGrid(
        smooth * 4.0 * np.pi * (width / cell) ** 2, float(left), float(bottom), cell, width
    )


def find_regions(
    positions: Positions, grid: DensityGrid, most: int, significant: float = SIGNIFICANT
) -> Regions:
    """The regions around the ``most`` most significant peaks of a density, at most ``most``.

    A basin of the merge tree whose peak isn't among them joins the region it first meets when the
    level falls. Raising ``most`` only divides regions.
    """
    basins, peaks = _basins(grid.words)
    heights = grid.words.ravel()[peaks]
    ends = _saddles(grid.words, basins)
    excess = _significance(heights, ends)
    order = np.argsort(-excess, kind="stable")[:most]
    kept = np.zeros(len(peaks), dtype=bool)
    kept[order] = excess[order] >= significant
    # The highest peak has no saddle, and is a region even if no peak is significant.
    kept[int(np.argmax(heights))] = True
    return _compose(positions, grid, basins, peaks, excess, _owners(ends, kept), most)


def _compose(
    positions: Positions,
    grid: DensityGrid,
    basins: npt.NDArray[np.intp],
    peaks: npt.NDArray[np.intp],
    excess: Doubles,
    owner: npt.NDArray[np.intp],
    most: int,
) -> Regions:
    of_cell = np.where(basins >= 0, owner[np.maximum(basins, 0)], NO_REGION)
    heights = grid.words.ravel()[peaks]
    dense = grid.words.ravel() >= _EDGE * heights[np.maximum(of_cell, 0)]
    of_cell = np.where(dense, of_cell, NO_REGION)
    flat, inside = grid.at(positions)
    of_word = np.where(inside, of_cell[flat], NO_REGION)
    sizes = np.bincount(of_word[of_word >= 0], minlength=len(peaks))
    kept = np.unique(owner)
    kept = kept[sizes[kept] > 0]
    # Islands that join nothing are regions, too; the smallest ones remain without a region.
    kept = kept[np.lexsort((peaks[kept], -sizes[kept]))][:most]
    number = np.full(len(peaks) + 1, NO_REGION, dtype=np.int32)
    number[kept] = np.arange(len(kept), dtype=np.int32)
    return Regions(
        np.array([grid.middle(int(peak)) for peak in peaks[kept]], dtype=np.float64).reshape(-1, 2),
        excess[kept],
        number[of_word],
        number[of_cell].reshape(grid.words.shape),
    )


def dividing_regions(regions: Regions) -> Regions:
    """The regions if they divide a layout, else none: one region with nearly all words names
    nothing, and its words stay together in any other training.
    """
    sizes = regions.sizes
    if sizes.max(initial=0) < _UNDIVIDED * sizes.sum():
        return regions
    return Regions(
        np.empty((0, 2)),
        np.empty(0),
        np.full_like(regions.labels, NO_REGION),
        np.full_like(regions.cells, NO_REGION),
    )


def colour_numbers(regions: Regions, colours: int = 6) -> npt.NDArray[np.int32]:
    """int32[k], a colour of each region; neighbours differ if ``colours`` suffice.

    The next region is the one whose neighbours have the most different colours, the larger of
    equals (Brélaz 1979, DSATUR); it gets the least used of the free colours.
    """
    beside: list[set[int]] = [set() for _ in range(regions.number)]
    for one, other in regions.neighbours():
        beside[one].add(other)
        beside[other].add(one)
    chosen = np.full(regions.number, -1, dtype=np.int32)
    used = np.zeros(colours, dtype=np.int64)
    for _ in range(regions.number):
        around = [{int(chosen[other]) for other in near} - {-1} for near in beside]
        waiting = [region for region in range(regions.number) if chosen[region] < 0]
        region = max(waiting, key=lambda number: (len(around[number]), -number))
        free = [colour for colour in range(colours) if colour not in around[region]]
        colour = min(free or range(colours), key=lambda number: (used[number], number))
        chosen[region] = colour
        used[colour] += 1
    return chosen


def _neighbour_distance(positions: Doubles) -> float:
    size = len(positions)
    k = int(np.clip(round(_SHARE * np.sqrt(size)), _FEWEST, _MOST))
    if size <= k:
        return float(np.ptp(positions, axis=0).max()) / 4.0
    sample = positions[:: max(size // _SAMPLE, 1)]
    if len(sample) * size <= _FEW_PAIRS:
        distances = _kth_distances(sample, positions, k)
    else:
        from scipy.spatial import cKDTree

        distances = np.asarray(cKDTree(positions).query(sample, k=[k + 1])[0], dtype=np.float64)
    return float(np.median(distances))


def _kth_distances(sample: Doubles, positions: Doubles, k: int) -> Doubles:
    """float64[s]: the distance of each of ``sample`` float64[s, 2], which are among the positions
    float64[n, 2], to its k-th nearest neighbour.
    """
    squares = [np.empty(0)]
    for at in range(0, len(sample), _BLOCK):
        across, up = np.hsplit(sample[at : at + _BLOCK], 2)
        apart = (across - positions[:, 0]) ** 2 + (up - positions[:, 1]) ** 2
        # The nearest is the word itself.
        squares.append(np.partition(apart, k, axis=1)[:, k])
    distances: Doubles = np.sqrt(np.concatenate(squares))
    return distances


def _linear_bins(places: Doubles, rows: int, columns: int) -> Doubles:
    """float64[rows, columns]: each word is distributed over the four cells around its position,
    given as (column, row).
    """
    low = np.floor(places).astype(np.int64)
    part = places - low
    bins = np.zeros(rows * columns, dtype=np.float64)
    for right in (0, 1):
        for up in (0, 1):
            weights = np.abs(1 - right - part[:, 0]) * np.abs(1 - up - part[:, 1])
            column = np.clip(low[:, 0] + right, 0, columns - 1)
            row = np.clip(low[:, 1] + up, 0, rows - 1)
            bins += np.bincount(row * columns + column, weights, minlength=rows * columns)
    return bins.reshape(rows, columns)


def _gaussian(bins: Doubles, width: float) -> Doubles:
    """Convolution with a Gaussian of standard deviation ``width`` (in cells) and volume 1."""
    across = np.fft.rfftfreq(bins.shape[1])
    along = np.fft.fftfreq(bins.shape[0])
    kernel = np.exp(-2.0 * (np.pi * width) ** 2 * (along[:, None] ** 2 + across**2))
    smooth = np.fft.irfft2(np.fft.rfft2(bins) * kernel, bins.shape)
    return np.maximum(smooth, 0.0)


def _basins(values: Doubles) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    """The basin of each cell by steepest ascent, -1 if it has practically no words; and the flat
    index of each basin's peak.
    """
    rows, columns = values.shape
    flat = values.ravel()
    # Ranks have no ties.
    rank = np.empty(flat.size, dtype=np.int64)
    rank[np.argsort(flat, kind="stable")] = np.arange(flat.size)
    padded = np.full((rows + 2, columns + 2), -1, dtype=np.int64)
    padded[1:-1, 1:-1] = rank.reshape(rows, columns)
    best = padded[1:-1, 1:-1].copy()
    target = np.arange(flat.size).reshape(rows, columns).copy()
    here = np.arange(flat.size).reshape(rows, columns)
    for up in (-1, 0, 1):
        for right in (-1, 0, 1):
            beside = padded[1 + up : 1 + up + rows, 1 + right : 1 + right + columns]
            higher = beside > best
            best = np.where(higher, beside, best)
            target = np.where(higher, here + up * columns + right, target)
    pointer = target.ravel()
    while True:
        further = pointer[pointer]
        if np.array_equal(further, pointer):
            break
        pointer = further
    occupied = flat >= _floor(flat)
    peaks = np.unique(pointer[occupied])
    basins = np.searchsorted(peaks, pointer)
    basins = np.where(occupied & np.isin(pointer, peaks), basins, -1)
    return basins.astype(np.intp), peaks.astype(np.intp)


def _floor(flat: Doubles) -> float:
    # Rounding errors of the transform leave hills of some 1e-13 words in empty cells.
    return max(1e-6 * float(flat.max()), 1e-9)


class _Sets:
    """Disjoint sets of basins."""

    def __init__(self, size: int) -> None:
        self.parents = list(range(size))

    def top_of(self, basin: int) -> int:
        parents = self.parents
        while parents[basin] != basin:
            parents[basin] = parents[parents[basin]]
            basin = parents[basin]
        return basin


class _Saddle(NamedTuple):
    """The highest point at which two basins touch."""

    height: float
    one: int
    other: int


def _significance(heights: Doubles, saddles: list[_Saddle]) -> Doubles:
    """Number of standard errors by which the peak of each basin exceeds the saddle where its
    component joins one with a higher peak as the level falls; for the highest peak, by which it
    exceeds 0.
    """
    sets = _Sets(len(heights))
    merged_at = np.zeros(len(heights))
    for saddle in saddles:
        high, low = sets.top_of(saddle.one), sets.top_of(saddle.other)
        if high == low:
            continue
        if heights[high] < heights[low]:
            high, low = low, high
        sets.parents[low] = high
        merged_at[low] = saddle.height
    excess: Doubles = (heights - merged_at) / np.sqrt(heights + merged_at)
    return excess


def _owners(saddles: list[_Saddle], kept: npt.NDArray[np.bool_]) -> npt.NDArray[np.intp]:
    """For each basin the one among ``kept`` whose component it joins first as the level falls;
    itself if it joins none.
    """
    sets = _Sets(len(kept))
    for saddle in saddles:
        one, other = sets.top_of(saddle.one), sets.top_of(saddle.other)
        if one == other or (kept[one] and kept[other]):
            continue
        if kept[other]:
            one, other = other, one
        sets.parents[other] = one
    return np.array([sets.top_of(basin) for basin in range(len(kept))], dtype=np.intp)


def _saddles(values: Doubles, basins: npt.NDArray[np.intp]) -> list[_Saddle]:
    """One saddle for each pair of touching basins, the highest first."""
    labels = basins.reshape(values.shape)
    firsts, seconds, heights = [], [], []
    for one, other in _cells_and_neighbours():
        first, second = labels[one].ravel(), labels[other].ravel()
        touching = (first != second) & (first >= 0) & (second >= 0)
        firsts.append(np.minimum(first[touching], second[touching]))
        seconds.append(np.maximum(first[touching], second[touching]))
        heights.append(np.minimum(values[one].ravel()[touching], values[other].ravel()[touching]))
    low, high, height = (np.concatenate(parts) for parts in (firsts, seconds, heights))
    order = np.lexsort((-height, high, low))
    low, high, height = low[order], high[order], height[order]
    first_of_pair = np.ones(len(low), dtype=bool)
    first_of_pair[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    low, high, height = low[first_of_pair], high[first_of_pair], height[first_of_pair]
    order = np.argsort(-height, kind="stable")
    return [
        _Saddle(*values)
        for values in zip(
            height[order].tolist(), low[order].tolist(), high[order].tolist(), strict=True
        )
    ]


def _cells_and_neighbours() -> list[tuple[tuple[slice, slice], tuple[slice, slice]]]:
    """Slices that pair each cell of a grid once with every adjacent cell, also diagonally."""
    every, first, last = slice(None), slice(None, -1), slice(1, None)
    return [
        ((every, first), (every, last)),
        ((first, every), (last, every)),
        ((first, first), (last, last)),
        ((first, last), (last, first)),
    ]


def _adjacent(cells: Ids) -> set[tuple[int, int]]:
    """Pairs of labels that touch once every region has grown by a few cells."""
    grown = cells.copy()
    pairs: set[tuple[int, int]] = set()
    for _ in range(max(6, round(_GAP * max(cells.shape)))):
        before = grown.copy()
        for one, other in _cells_and_neighbours():
            for here, there in ((one, other), (other, one)):
                empty = (grown[here] < 0) & (before[there] >= 0)
                grown[here][empty] = before[there][empty]
        pairs |= _touching(grown)
    return pairs


def _touching(cells: Ids) -> set[tuple[int, int]]:
    pairs: set[tuple[int, int]] = set()
    for one, other in _cells_and_neighbours():
        first, second = cells[one].ravel(), cells[other].ravel()
        different = (first != second) & (first >= 0) & (second >= 0)
        low = np.minimum(first[different], second[different])
        high = np.maximum(first[different], second[different])
        pairs |= set(map(tuple, np.unique(np.stack([low, high], axis=1), axis=0).tolist()))
    return pairs
