"""Projection of positions onto the plane, rotated if they are three-dimensional."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles

# Distance of the camera from a 3D map, in radii of the map: far enough to keep directions, near
# enough to show depth.
_EYE = 4.5
# An initial view from slightly above and aside shows three dimensions at once.
_FIRST = (0.5, -0.35)


class Space:
    """Positions float32[n, 2] pass unchanged; float32[n, 3] are rotated and projected in slight
    perspective.

    Rotation is about the middle of the points. Lengths are in the positions' own units.
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
        """Determine the middle and the radius of the points, ignoring a few far outliers."""
        if positions.shape[1] == 3 and len(positions):
            self._middle = positions.mean(axis=0, dtype=np.float64)
            lengths = np.linalg.norm(positions - self._middle, axis=1)
            self._radius = max(float(np.percentile(lengths, 99.0)) * 1.05, 1e-6)

    def turn(self, across: float, down: float) -> None:
        """Rotate by angles in radians about the vertical and the horizontal axis of the screen."""
        c, s = np.cos(across), np.sin(across)
        yaw = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])
        c, s = np.cos(down), np.sin(down)
        pitch = np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
        u, _, vt = np.linalg.svd(pitch @ yaw @ self._turn)
        self._turn = u @ vt  # stays a rotation after thousands of small rotations

    @property
    def rotation(self) -> npt.NDArray[np.float64]:
        """float64[3, 3]; its rows are the screen's right, up and forward."""
        return self._turn

    def flat(self, positions: Singles) -> Singles:
        """float32[n, 2], the projected positions."""
        return self.project(positions)[0]

    def depth(self, positions: Singles) -> Singles | None:
        """float32[n] in 0 (nearest) to 1 (farthest); None in 2D."""
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
        """The screen's right, up and forward coordinates, each float32[n], from the middle of the
        points.
        """
        x, y, z = (positions[:, axis] - np.float32(self._middle[axis]) for axis in range(3))
        right, up, forward = ((a * x + b * y + c * z) for a, b, c in self._turn.astype(np.float32))
        return right, up, forward
