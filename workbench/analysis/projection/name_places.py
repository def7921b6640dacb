"""Places of the names of regions: in the middle of their words, or beside them with a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Singles

# Room around each name, across and down, and between a name and the edge of the window, in pixels.
_ROOMY, _EDGE = np.array([-7.0, -3.0, 7.0, 3.0]), 4.0
# Directions in which a name can be away from its region, and the distances in heights of the name.
_DIRECTIONS, _DISTANCES = 12, (0.6, 1.6, 3.0, 5.0, 8.0, 12.0)
# A name farther from its place has a line, and the width of a line with the room around it.
_LINED, _LINE = 5.0, 3.0
# Square pixels that the dot of a word takes, with the room around it.
_DOT = 45.0
# Distance in pixels that is as bad as a name completely over words of another region, and over its
# own words.
_FOREIGN, _OWN = 130.0, 25.0
# Number of boxes that keep words off a line.
_STEPS = 24


class Box(NamedTuple):
    """A rectangle in pixels, y pointing down."""

    left: float
    top: float
    right: float
    bottom: float

    def inside(self, width: float, height: float) -> bool:
        """Whether the rectangle is in a window of this size."""
        return min(self.left, self.top) >= 0 and self.right <= width and self.bottom <= height


class NameSpot(NamedTuple):
    """The place of a region’s name, and the ends x, y, x, y of a line from the region to it."""

    region: int
    box: Box
    line: tuple[float, float, float, float] | None = None

    def move(self, across: float, down: float) -> NameSpot:
        """The place after the map has moved by these pixels to the right and down."""
        left, top, right, bottom = self.box
        box = Box(left + across, top + down, right + across, bottom + down)
        line = self.line
        if line is not None:
            line = (line[0] + across, line[1] + down, line[2] + across, line[3] + down)
        return NameSpot(self.region, box, line)

    def reserved(self) -> list[Box]:
        """The boxes that no word may cover: that of the name, and small ones along the line."""
        boxes = [self.box]
        if self.line is not None:
            half = _LINE / 2
            ends = np.array(self.line).reshape(2, 2)
            for share in np.linspace(0.0, 1.0, _STEPS).tolist():
                x, y = (ends[0] + (ends[1] - ends[0]) * share).tolist()
                boxes.append(Box(x - half, y - half, x + half, y + half))
        return boxes


class NameRoom:
    """The room in a window for names, which is taken one by one.

    window : width and height in pixels
    dots : float32[m, 2], pixels of words, each standing for ``weight`` words
    avoided : boxes that no name covers
    """

    def __init__(
        self,
        window: tuple[float, float],
        dots: Singles,
        weight: float,
        avoided: Sequence[Box] = (),
    ) -> None:
        self._window = window
        self._dots = dots
        self._weight = weight
        self._taken = list(avoided)
        self._lines: list[tuple[float, float, float, float]] = []

    def place(
        self,
        region: int,
        pixel: tuple[float, float],
        size: tuple[float, float],
        own: npt.NDArray[np.bool_],
    ) -> NameSpot | None:
        """Take room for the name of a region at a pixel, as near to it as possible, over its own
        words rather than over others; None if the pixel is outside or no room is left.

        size : width and height of the name; own : bool[m], the dots of the region
        """
        width, height = size
        wide, tall = self._window
        x, y = pixel
        if not (0 <= x < wide and 0 <= y < tall) or width > wide - 2 * _EDGE:
            return None
        boxes = _candidates(x, y, width, height)
        # Shifted into the window.
        shift = np.maximum(_EDGE - boxes[:, :2], 0.0) - np.maximum(
            boxes[:, 2:] - (wide - _EDGE, tall - _EDGE), 0.0
        )
        boxes[:, :2] += shift
        boxes[:, 2:] += shift
        ends = np.clip([x, y], boxes[:, :2], boxes[:, 2:])
        distance = np.hypot(*(ends - (x, y)).T)
        cost = distance + self._cover(boxes, own)
        cost[self._blocked(boxes, ends, (x, y))] = np.inf
        best = int(cost.argmin())
        if not np.isfinite(cost[best]):
            return None
        line = (x, y, *ends[best].tolist()) if distance[best] > _LINED else None
        spot = NameSpot(region, Box(*boxes[best].tolist()), line)
        self.take(spot)
        return spot

    def take(self, spot: NameSpot) -> None:
        """Take the room of a name and its line."""
        self._taken.append(spot.box)
        if spot.line is not None:
            self._lines.append(spot.line)

    def _cover(self, boxes: Doubles, own: npt.NDArray[np.bool_]) -> Doubles:
        """Cost of each box for the words under it, in pixels."""
        reach = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        near = ((self._dots >= reach[0]) & (self._dots <= reach[1])).all(axis=1)
        dots, mine = self._dots[near], own[near]
        x, y = dots[:, 0], dots[:, 1]
        left, top, right, bottom = (side[:, None] for side in boxes.T)
        under = (x >= left) & (x <= right) & (y >= top) & (y <= bottom)
        area = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
        scale = self._weight * _DOT / np.maximum(area, 1.0)
        foreign = np.minimum((under & ~mine).sum(axis=1) * scale, 1.0)
        covered = np.minimum((under & mine).sum(axis=1) * scale, 1.0)
        return np.asarray(_FOREIGN * foreign + _OWN * covered)

    def _blocked(
        self, boxes: Doubles, ends: Doubles, start: tuple[float, float]
    ) -> npt.NDArray[np.bool_]:
        """bool[s], whether a box or its line would meet what is taken."""
        from_start = np.broadcast_to(np.array(start), ends.shape)
        met = np.zeros(len(boxes), dtype=bool)
        roomy = boxes + _ROOMY
        if self._taken:
            taken = np.array(self._taken, dtype=np.float64)
            met |= _overlap(roomy[:, None], taken).any(axis=1)
            met |= _meet(from_start[:, None], ends[:, None], taken).any(axis=1)
        if self._lines:
            lines = np.array(self._lines, dtype=np.float64)
            met |= _meet(lines[:, :2], lines[:, 2:], roomy[:, None]).any(axis=1)
            crossed = _cross(from_start[:, None], ends[:, None], lines[:, :2], lines[:, 2:])
            met |= crossed.any(axis=1)
        return met


def _candidates(x: float, y: float, width: float, height: float) -> Doubles:
    """float64[s, 4], left, top, right and bottom of the boxes a name may have, centred first."""
    angles = 2 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS
    away = np.array(_DISTANCES)[:, None] * height
    across = (np.cos(angles) * (width / 2 + away)).ravel()
    down = (np.sin(angles) * (height / 2 + away)).ravel()
    middle = np.column_stack([np.append(0.0, across) + x, np.append(0.0, down) + y])
    half = np.array([width / 2, height / 2])
    return np.concatenate([middle - half, middle + half], axis=1)


def without_overlaps(spots: Sequence[NameSpot], avoided: Sequence[Box]) -> list[NameSpot]:
    """The names that are apart from the boxes avoided, and from names before them."""
    boxes = np.array([spot.box for spot in spots], dtype=np.float64).reshape(-1, 4)
    roomy = boxes + _ROOMY
    others = np.array(avoided, dtype=np.float64).reshape(-1, 4)
    free = np.ones(len(spots), dtype=bool)
    free[_overlap(roomy[:, None], others).any(axis=1)] = False
    meets = _overlap(roomy[:, None], boxes)
    kept = []
    for number, spot in enumerate(spots):
        if free[number]:
            kept.append(spot)
            free[meets[number]] = False
    return kept


def _overlap(boxes: Doubles, others: Doubles) -> npt.NDArray[np.bool_]:
    """bool[…], whether boxes float64[…, 4] have common area."""
    low = boxes[..., :2] < others[..., 2:]
    return np.asarray((low & (boxes[..., 2:] > others[..., :2])).all(axis=-1))


def _meet(start: Doubles, end: Doubles, boxes: Doubles) -> npt.NDArray[np.bool_]:
    """bool[…], whether the lines from float64[…, 2] to float64[…, 2] meet the inside of boxes
    float64[…, 4]: the parts of a line between the sides across and down overlap.
    """
    away = end - start
    away = np.where(np.abs(away) < 1e-9, 1e-9, away)
    one, other = (boxes[..., :2] - start) / away, (boxes[..., 2:] - start) / away
    enters = np.minimum(one, other).max(axis=-1)
    leaves = np.maximum(one, other).min(axis=-1)
    return np.asarray(np.maximum(enters, 0.0) < np.minimum(leaves, 1.0))


def _cross(
    start: Doubles, end: Doubles, other: Doubles, other_end: Doubles
) -> npt.NDArray[np.bool_]:
    """bool[…], whether two lines cross: the ends of each are on both sides of the other."""
    return np.asarray(
        (_side(start, end, other) * _side(start, end, other_end) < 0)
        & (_side(other, other_end, start) * _side(other, other_end, end) < 0)
    )


def _side(start: Doubles, end: Doubles, place: Doubles) -> Doubles:
    """Positive for places on one side of a line, negative on the other."""
    along, to = end - start, place - start
    return np.asarray(along[..., 0] * to[..., 1] - along[..., 1] * to[..., 0])
