"""Places of the names of regions: in the middle of their words, or beside them with a line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Doubles, Singles

# Room around each name, across and down, and between a name and the edge of the window, in pixels.
_APART, _EDGE = (7.0, 3.0), 4.0
# Directions in which a name can be away from its region, and the distances in heights of the name.
_DIRECTIONS, _DISTANCES = 12, (0.6, 1.6, 3.0, 5.0, 8.0, 12.0)
# A name farther from its place has a line, and the width of a line with the room around it.
_LINED, _LINE = 5.0, 3.0
# Square pixels that the dot of a word takes, with the room around it.
_DOT = 45.0
# Distance in pixels that is as bad as a name completely over words of another region, and over its
# own words.
_FOREIGN, _OWN = 130.0, 25.0
# Points of a line that are checked against names.
_STEPS = 12


class Box(NamedTuple):
    """A rectangle in pixels, y pointing down."""

    left: float
    top: float
    right: float
    bottom: float


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
            for share in np.linspace(0.0, 1.0, 2 * _STEPS).tolist():
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
        self._taken += spot.reserved()
        return spot

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
        if not self._taken:
            return np.zeros(len(boxes), dtype=bool)
        left, top, right, bottom = np.array(self._taken, dtype=np.float64).T
        across, down = _APART
        meets = (
            (boxes[:, :1] - across < right)
            & (boxes[:, 2:3] + across > left)
            & (boxes[:, 1:2] - down < bottom)
            & (boxes[:, 3:] + down > top)
        ).any(axis=1)
        shares = np.linspace(0.0, 1.0, _STEPS)[:, None]
        along = np.array(start) + shares * (ends[:, None] - np.array(start))
        x, y = along[..., :1], along[..., 1:]
        crosses = ((x > left) & (x < right) & (y > top) & (y < bottom)).any(axis=(1, 2))
        return np.asarray(meets | crosses)


def _candidates(x: float, y: float, width: float, height: float) -> Doubles:
    """float64[s, 4], left, top, right and bottom of the boxes a name may have, centred first."""
    angles = 2 * np.pi * np.arange(_DIRECTIONS) / _DIRECTIONS
    away = np.array(_DISTANCES)[:, None] * height
    across = (np.cos(angles) * (width / 2 + away)).ravel()
    down = (np.sin(angles) * (height / 2 + away)).ravel()
    middle = np.column_stack([np.append(0.0, across) + x, np.append(0.0, down) + y])
    half = np.array([width / 2, height / 2])
    return np.concatenate([middle - half, middle + half], axis=1)
