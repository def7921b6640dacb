"""Viewport of a map: the transform between positions and pixels, and hit tests."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from workbench.analysis.projection.density import Frame, robust_frame
from workbench.core.arrays import Singles

_MARGIN = 0.07


@dataclass(frozen=True)
class Viewport:
    """A window of ``width`` × ``height`` pixels onto the plane, its y axis pointing up.

    x, y : the position in the middle of the window
    scale : pixels per unit, the same in both directions so that angles are preserved
    """

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    width: float = 1.0
    height: float = 1.0

    def to_screen(self, positions: Singles) -> Singles:
        """float32[n, 2] positions as pixels from the upper left corner, float32[n, 2]."""
        scale = np.float32(self.scale)
        screen = np.empty(positions.shape, dtype=np.float32)
        np.subtract(positions[:, 0], np.float32(self.x), out=screen[:, 0])
        np.subtract(positions[:, 1], np.float32(self.y), out=screen[:, 1])
        screen[:, 0] *= scale
        screen[:, 1] *= -scale
        screen[:, 0] += np.float32(self.width / 2)
        screen[:, 1] += np.float32(self.height / 2)
        return screen

    def from_screen(self, screen: Singles) -> Singles:
        """float32[n, 2], the positions under pixels float32[n, 2]."""
        positions = np.empty(screen.shape, dtype=np.float32)
        positions[:, 0] = self.x + (screen[:, 0] - self.width / 2) / self.scale
        positions[:, 1] = self.y - (screen[:, 1] - self.height / 2) / self.scale
        return positions

    def to_plane(self, across: float, down: float) -> tuple[float, float]:
        """The position under a pixel."""
        return (
            self.x + (across - self.width / 2) / self.scale,
            self.y - (down - self.height / 2) / self.scale,
        )

    def zoom_at(self, factor: float, across: float, down: float) -> Viewport:
        """A viewport zoomed so that the position under the pixel stays there."""
        x, y = self.to_plane(across, down)
        scale = self.scale * factor
        return replace(
            self,
            x=x - (across - self.width / 2) / scale,
            y=y + (down - self.height / 2) / scale,
            scale=scale,
        )

    def pan_by(self, across: float, down: float) -> Viewport:
        """A viewport panned so that the plane follows a pointer that moved by these pixels right
        and down.
        """
        return replace(self, x=self.x - across / self.scale, y=self.y + down / self.scale)

    def resize_to(self, width: float, height: float) -> Viewport:
        """A viewport of another size with the same middle."""
        return replace(self, width=max(width, 1.0), height=max(height, 1.0))

    def towards(self, other: Viewport, share: float) -> Viewport:
        """A viewport between this one (``share`` 0) and another (1); zoom is interpolated
        logarithmically.
        """
        return replace(
            other,
            x=self.x + (other.x - self.x) * share,
            y=self.y + (other.y - self.y) * share,
            scale=math.exp(
                math.log(self.scale) + (math.log(other.scale) - math.log(self.scale)) * share
            ),
        )

    def fit_to(
        self, positions: Singles, margin: float = _MARGIN, *, robust: bool = True
    ) -> Viewport:
        """A viewport of all positions float32[n, 2] with a margin; with ``robust`` without a few
        far outliers.
        """
        if not len(positions):
            return replace(self, x=0.0, y=0.0, scale=1.0)
        if robust:
            return self.fit_frame(robust_frame(positions), margin)
        low, high = positions.min(axis=0).astype(float), positions.max(axis=0).astype(float)
        return self.fit_frame(Frame(*low.tolist(), *high.tolist()), margin)

    def fit_frame(self, frame: Frame, margin: float = _MARGIN) -> Viewport:
        """A viewport of a rectangle with a margin."""
        across = max(frame.right - frame.left, 1e-6)
        up = max(frame.top - frame.bottom, 1e-6)
        inside = 1.0 - 2.0 * margin
        scale = min(self.width * inside / across, self.height * inside / up)
        x, y = (frame.left + frame.right) / 2, (frame.bottom + frame.top) / 2
        return replace(self, x=x, y=y, scale=scale)


def nearest(screen: Singles, across: float, down: float, reach: float) -> int:
    """Index of the point of ``screen`` float32[n, 2] nearest to a pixel and within ``reach``; −1 if
    there is none.
    """
    if not len(screen):
        return -1
    squared = (screen[:, 0] - np.float32(across)) ** 2 + (screen[:, 1] - np.float32(down)) ** 2
    index = int(squared.argmin())
    if float(squared[index]) <= reach * reach:
        return index
    return -1


def nearest_towards(screen: Singles, start: int, across: float, down: float) -> int:
    """Index of the point nearest to ``start`` within 45° of a direction (unit vector, pixels); −1
    if there is none.

    Sideways distance counts double, so that steps keep their direction.
    """
    offset = screen - screen[start]
    ahead = offset[:, 0] * across + offset[:, 1] * down
    aside = np.abs(offset[:, 0] * down - offset[:, 1] * across)
    cost = np.where((ahead > 0.5) & (aside <= ahead), ahead + 2.0 * aside, np.inf)
    index = int(cost.argmin())
    if np.isfinite(cost[index]):
        return index
    return -1


def inside_polygon(screen: Singles, corners: Singles) -> npt.NDArray[np.bool_]:
    """Whether each of the points float32[n, 2] is inside the polygon float32[m, 2], by counting
    crossings.
    """
    inside = np.zeros(len(screen), dtype=bool)
    px, py = screen[:, 0], screen[:, 1]
    for (x0, y0), (x1, y1) in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        if y0 == y1:
            continue
        crosses = (y0 > py) != (y1 > py)
        inside ^= crosses & (px < (x1 - x0) * (py - y0) / (y1 - y0) + x0)
    return inside
