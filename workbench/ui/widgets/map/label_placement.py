"""Placement of words on a map without overlaps.

Greedy placement in order of importance on a bitmap of occupied cells. Each row of the bitmap is one
Python integer, so that testing a position costs one shift and a few bitwise ANDs.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Ints, Singles

# Pixels of one cell. Smaller cells place labels more tightly, but more slowly.
_CELL = 4
# Cells kept free at both ends of a label: adjacent names would read as one.
_APART = 2
# Unit offsets of the sides at which a label may be placed: the first four for all labels, all
# eight, at growing distances, for those that must be shown.
RIGHT, LEFT, ABOVE, BELOW = range(4)
_SIDES = (
    (1.0, 0.0),
    (-1.0, 0.0),
    (0.0, -1.0),
    (0.0, 1.0),
    (0.8, -0.8),
    (0.8, 0.8),
    (-0.8, -0.8),
    (-0.8, 0.8),
)
_FURTHER = (0.0, 14.0, 30.0, 50.0, 75.0)
# Number of most important labels that may be at the maximum distances from their points.
URGENT = 6


@dataclass(frozen=True)
class Placement:
    """The labels that were placed.

    which : int64[m], indices into the candidates
    left, top : float32[m], pixels of the upper left corner
    side : int64[m], the side of the point, RIGHT, LEFT, ...
    """

    which: Ints
    left: Singles
    top: Singles
    side: Ints


def place(
    screen: Singles,
    sizes: Singles,
    bounds: tuple[float, float],
    *,
    gap: float | Singles = 5.0,
    forced: int = 0,
    preferred: Ints | None = None,
    blocked: Singles | None = None,
    boxes_blocked: Singles | None = None,
    limit: int = 200,
) -> Placement:
    """Place labels beside their points, the first candidates first.

    screen : float32[n, 2], the points in pixels, most important first
    sizes : float32[n, 2], width and height of each label in pixels
    bounds : width and height of the window; labels are completely inside
    gap : distance between a point and its label, one for all or float32[n]
    forced : number of first candidates that also try positions further away, and don't count
    towards ``limit``
    preferred : int64[n], the side to try first (RIGHT by default)
    blocked : float32[k, 2], pixels that no label covers
    boxes_blocked : float32[m, 4], left, top, right and bottom of boxes that no label covers
    limit : maximum number of labels, besides the forced ones
    """
    columns = int(bounds[0] // _CELL)
    lines = int(bounds[1] // _CELL)
    rows = [0] * (lines + 1)
    gaps = np.broadcast_to(np.asarray(gap, dtype=np.float32), (len(screen),))
    taken = np.zeros((len(rows), columns), dtype=bool)
    if blocked is not None:
        _block(taken, blocked)
    _block(taken, screen[:forced])
    if boxes_blocked is not None:
        _block_boxes(taken, boxes_blocked)
    _occupy(rows, taken)

    which: list[int] = []
    corners: list[tuple[float, float]] = []
    sides: list[int] = []

    wishes = preferred.tolist() if preferred is not None else [RIGHT] * len(screen)
    for index in range(forced):
        width, height = float(sizes[index, 0]), float(sizes[index, 1])
        order = _wish_first(wishes[index], len(_SIDES))
        tries = (
            (side, float(gaps[index]) + more)
            for more in _FURTHER[: None if index < URGENT else 2]
            for side in order
        )
        for side, distance in tries:
            left, top = _corner(screen[index], width, height, distance, side)
            if _take(rows, left, top, width, height, columns, lines):
                which.append(index)
                corners.append((left, top))
                sides.append(side)
                break

    _others(
        rows, screen, sizes, gaps, wishes, forced, limit, columns, lines, (which, corners, sides)
    )
    corner = np.array(corners, dtype=np.float32).reshape(-1, 2)
    return Placement(
        np.array(which, dtype=np.int64), corner[:, 0], corner[:, 1], np.array(sides, dtype=np.int64)
    )


def _others(
    rows: list[int],
    screen: Singles,
    sizes: Singles,
    gaps: Singles,
    wishes: Sequence[int],
    first: int,
    limit: int,
    columns: int,
    lines: int,
    out: tuple[list[int], list[tuple[float, float]], list[int]],
) -> None:
    """Place ordinary candidates: their cells are computed for all of them at once."""
    width, height = sizes[first:, 0], sizes[first:, 1]
    x, y = screen[first:, 0], screen[first:, 1]
    reach = gaps[first:]
    left = np.stack([x + reach, x - reach - width, x - width / 2, x - width / 2], axis=1)
    top = np.stack([y - height / 2, y - height / 2, y - reach - height, y + reach], axis=1)
    c0 = np.floor(left / _CELL).astype(np.int64)
    c1 = np.floor((left + width[:, None]) / _CELL).astype(np.int64)
    r0 = np.floor(top / _CELL).astype(np.int64)
    r1 = np.floor((top + height[:, None]) / _CELL).astype(np.int64)
    fits = (c0 >= 0) & (r0 >= 0) & (c1 < columns) & (r1 < lines)
    dots = (np.clip(x / _CELL, 0, max(columns - 1, 0)).astype(np.int64)).tolist()
    dot_rows = (np.clip(y / _CELL, 0, max(lines - 1, 0)).astype(np.int64)).tolist()
    which, corners, sides = out
    room = limit
    cells = zip(fits.tolist(), c0.tolist(), c1.tolist(), r0.tolist(), r1.tolist(), strict=True)
    for index, (ok, from_column, to_column, from_row, to_row) in enumerate(cells):
        if room <= 0:
            break
        wish = wishes[first + index]
        for side in _ORDERS[wish] if wish < 4 else _ORDERS[RIGHT]:
            if not ok[side]:
                continue
            column = from_column[side]
            mask = ((1 << (to_column[side] - column + 1)) - 1) << column
            span = range(from_row[side], to_row[side] + 1)
            for row in span:
                if rows[row] & mask:
                    break
            else:
                taken = _with_ends(mask)
                for row in span:
                    rows[row] |= taken
                rows[dot_rows[index]] |= 1 << dots[index]
                which.append(first + index)
                corners.append((float(left[index, side]), float(top[index, side])))
                sides.append(side)
                room -= 1
                break


def _wish_first(wish: int, count: int) -> tuple[int, ...]:
    """All sides, the preferred one first."""
    if wish < count:
        return (wish, *(side for side in range(count) if side != wish))
    return tuple(range(count))


_ORDERS = tuple(_wish_first(wish, 4) for wish in range(4))


def _corner(
    point: Singles, width: float, height: float, distance: float, side: int
) -> tuple[float, float]:
    across, down = _SIDES[side]
    return (
        float(point[0]) + across * distance - (across < 0) * width - (across == 0) * width / 2,
        float(point[1]) + down * distance - (down < 0) * height - (down == 0) * height / 2,
    )


def _take(
    rows: list[int], left: float, top: float, width: float, height: float, columns: int, lines: int
) -> bool:
    """Occupy a rectangle if it is inside and free."""
    c0, c1 = int(left // _CELL), int((left + width) // _CELL)
    r0, r1 = int(top // _CELL), int((top + height) // _CELL)
    if c0 < 0 or r0 < 0 or c1 >= columns or r1 >= lines:
        return False
    mask = ((1 << (c1 - c0 + 1)) - 1) << c0
    if any(rows[row] & mask for row in range(r0, r1 + 1)):
        return False
    taken = _with_ends(mask)
    for row in range(r0, r1 + 1):
        rows[row] |= taken
    return True


def _with_ends(mask: int) -> int:
    """The cells of a label in a row, and those next to its ends."""
    return mask | mask << _APART | mask >> _APART


def _block(taken: npt.NDArray[np.bool_], pixels: Singles) -> None:
    """Occupy single cells."""
    column, row = np.floor(pixels / _CELL).astype(np.int64).T
    inside = (column >= 0) & (column < taken.shape[1]) & (row >= 0) & (row < len(taken))
    taken[row[inside], column[inside]] = True


def _block_boxes(taken: npt.NDArray[np.bool_], boxes: Singles) -> None:
    """Occupy the cells of rectangles: hundreds if many names are on the map."""
    cells = np.clip(np.floor(boxes / _CELL), -1, 1 << 20).astype(np.int64)
    for left, top, right, bottom in cells.tolist():
        taken[max(top, 0) : bottom + 1, max(left, 0) : right + 1] = True


def _occupy(rows: list[int], taken: npt.NDArray[np.bool_]) -> None:
    bits = np.packbits(taken, axis=1, bitorder="little")
    for number in np.flatnonzero(taken.any(axis=1)).tolist():
        rows[number] |= int.from_bytes(bits[number].tobytes(), "little")
