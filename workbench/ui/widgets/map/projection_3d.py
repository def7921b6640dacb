"""Projection of positions onto the plane, rotated if they have three dimensions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles

# Where a solid map is seen from, in radii of it: far enough to keep directions, near enough to show
# depth.
_EYE = 4.5
# A first look from a little above and aside shows three dimensions at once.
_FIRST = (0.5, -0.35)


class Space:
    """Positions float32[n, 2] pass as they are; float32[n, 3] are turned, and seen in slight
    perspective.

    Turning is about the middle of the points. Lengths are in the positions' own units.
    """

    def __init__(self) -> None:
        self._turn = np.eye(3)
        self._middle = np.zeros(3)
        self._radius = 1.0
        self.reset()

    def reset(self) -> None:
        """Restore the initial view."""
        self._turn = np.eye(3)
        self.turn(*_FIRST)

    def measure(self, positions: Singles) -> None:
        """Take the middle and the radius of the points; a few far outliers do not count."""
        if positions.shape[1] == 3 and len(positions):
            self._middle = positions.mean(axis=0, dtype=np.float64)
            lengths = np.linalg.norm(positions - self._middle, axis=1)
            self._radius = max(float(np.percentile(lengths, 99.0)) * 1.05, 1e-6)

    def turn(self, across: float, down: float) -> None:
        """Turn by angles in radians about the vertical and the horizontal of the screen."""
        c, s = np.cos(across), np.sin(across)
        yaw = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        c, s = np.cos(down), np.sin(down)
        pitch = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        u, _, vt = np.linalg.svd(pitch @ yaw @ self._turn)
        self._turn = u @ vt  # stays a rotation after thousands of small ones

    @property
    def rotation(self) -> npt.NDArray[np.float64]:
        """float64[3, 3]; its rows are the screen's right, up and forward."""
        return self._turn

    def flat(self, positions: Singles) -> Singles:
        """float32[n, 2], where positions are seen."""
        return self.project(positions)[0]

    def depth(self, positions: Singles) -> Singles | None:
        """float32[n] in 0 (nearest) to 1 (farthest); None in the plane."""
        return self.project(positions)[1]

    def project(self, positions: Singles) -> tuple[Singles, Singles | None]:
        """``flat`` and ``depth`` at once."""
        if positions.shape[1] == 2:
            return positions, None
        right, up, forward = self._screen_axes(positions)
        forward *= np.float32(1.0 / self._radius)
        nearer = np.float32(_EYE) / np.maximum(np.float32(_EYE) - forward, np.float32(0.5))
        seen = np.stack([right * nearer, up * nearer], axis=1)
        return seen, np.clip(np.float32(0.5) - np.float32(0.5) * forward, 0.0, 1.0)

    def _screen_axes(self, positions: Singles) -> tuple[Singles, Singles, Singles]:
        """Right, up and forward of the screen, each float32[n], from the middle of the points."""
        x, y, z = (positions[:, axis] - np.float32(self._middle[axis]) for axis in range(3))
        right, up, forward = ((a * x + b * y + c * z) for a, b, c in self._turn.astype(np.float32))
        return right, up, forward
