"""Density of a layout on a grid: a Gaussian kernel density estimate of the words (Silverman 1986,
sections 4.2 and 3.5: linear binning and one Fourier transform).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles

Positions = npt.NDArray[np.floating]

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
# Of at least n times as many words, the quantiles are those of every n-th word.
_FRAMING = 20_000


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


def robust_frame(positions: Positions) -> Frame:
    """The rectangle with the bulk of a layout float[n, 2]: a few outliers do not widen it."""
    share = min(max(_BEYOND, _FEW / len(positions)), _MOST_BEYOND)
    # A copy by axis: numpy is faster on adjacent numbers.
    by_axis = np.ascontiguousarray(positions.T)
    sample = by_axis[:, :: max(len(positions) // _FRAMING, 1)]
    low, high = np.quantile(sample, (share, 1.0 - share), axis=1).astype(np.float64)
    room = _ROOM * np.maximum(high - low, 1e-9)
    least, most = by_axis.min(axis=1), by_axis.max(axis=1)
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
    smooth = np.maximum(_gaussian(bins, width / cell), 0.0)
    return DensityGrid(
        smooth * 4.0 * np.pi * (width / cell) ** 2, float(left), float(bottom), cell, width
    )


def words_under(grid: DensityGrid, positions: Positions, weights: Doubles) -> Doubles:
    """float64[rows, columns], as ``grid.words`` for words float[n, 2] that count ``weights``
    float64[n] each; words beyond the grid are left out.
    """
    _, inside = grid.at(positions)
    places = (positions[inside].astype(np.float64) - (grid.left, grid.bottom)) / grid.cell - 0.5
    rows, columns = grid.words.shape
    bins = _linear_bins(places, rows, columns, weights[inside])
    width = grid.bandwidth / grid.cell
    return _gaussian(bins, width) * 4.0 * np.pi * width**2


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


def _linear_bins(
    places: Doubles, rows: int, columns: int, counts: Doubles | None = None
) -> Doubles:
    """float64[rows, columns]: each word, counted once or ``counts`` times, is distributed over the
    four cells around its position, given as (column, row).
    """
    low = np.floor(places).astype(np.int64)
    part = places - low
    bins = np.zeros(rows * columns, dtype=np.float64)
    for right in (0, 1):
        for up in (0, 1):
            weights = np.abs(1 - right - part[:, 0]) * np.abs(1 - up - part[:, 1])
            if counts is not None:
                weights = weights * counts
            column = np.clip(low[:, 0] + right, 0, columns - 1)
            row = np.clip(low[:, 1] + up, 0, rows - 1)
            bins += np.bincount(row * columns + column, weights, minlength=rows * columns)
    return bins.reshape(rows, columns)


def _gaussian(bins: Doubles, width: float) -> Doubles:
    """Convolution with a Gaussian of standard deviation ``width`` (in cells) and volume 1."""
    across = np.fft.rfftfreq(bins.shape[1])
    along = np.fft.fftfreq(bins.shape[0])
    kernel = np.exp(-2.0 * (np.pi * width) ** 2 * (along[:, None] ** 2 + across**2))
    return np.asarray(np.fft.irfft2(np.fft.rfft2(bins) * kernel, bins.shape))
