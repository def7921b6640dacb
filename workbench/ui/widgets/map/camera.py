"""Camera of a map: its view, changed by the user or animated."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QElapsedTimer, QPointF, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from workbench.analysis.projection.density import Frame, robust_frame
from workbench.core.arrays import Singles
from workbench.ui.widgets.map.points import MANY_POINTS
from workbench.ui.widgets.map.projection_3d import Space
from workbench.ui.widgets.map.viewport import Viewport

_MOTION_MS, _GLIDE_MS = 200, 900
# Milliseconds after the motion of many points until the map is drawn in full again.
_REST_MS = 120
_FRAME_MS = 15
# Milliseconds between frames of a 3D map that turns by itself, and its speed in radians per second.
_TURN_MS, _TURN_SPEED = 33, 0.25
# Room around the words that the view moves to.
_AROUND = 0.14


class _Path:
    """The way of points from one layout to another, float32[n, 2 or 3] each."""

    def __init__(self, start: Singles, end: Singles) -> None:
        self._start, self._away = start, end - start
        # Two arrays in turn, because the array tells whether points have moved.
        self._next, self._last = np.empty_like(start), np.empty_like(start)

    def at(self, share: float) -> Singles:
        """The positions after a share of the way, until this is called twice more."""
        self._next, self._last = self._last, self._next
        np.multiply(self._away, np.float32(share), out=self._last)
        self._last += self._start
        return self._last


class MapCamera(QWidget):
    """Positions and a view of them. Subclasses draw: ``_view_moved`` is called when pixels have
    changed and ``_view_unsettled`` when labels may move; ``_inset`` returns the width that is
    occupied on the left.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.motion = True  # whether changes are animated
        # Share of the time for frames of an animation; the rest is left to a training.
        self.frame_share = 1.0
        self._frame_seconds = 0.0  # how long the last frame took
        self._positions: Singles = np.empty((0, 2), dtype=np.float32)
        self._space = Space()
        self._view = Viewport()
        self._panned = False  # whether the user last panned the view
        self._whole = 1.0  # the scale at which everything is visible
        # The view keeps showing everything, or these rows, until the user moves it.
        self._follows = True
        self._framed: list[int] = []
        self._from: tuple[Singles, Viewport] | None = None
        self._to: tuple[Singles, Viewport] | None = None
        self._path: _Path | None = None
        self._frames: list[tuple[Singles, Frame]] = []
        self._lasts = _MOTION_MS
        # Runs out as soon as many points no longer move.
        self._hurry = QTimer(self)
        self._hurry.setSingleShot(True)
        self._hurry.setInterval(_REST_MS)
        self._hurry.timeout.connect(self._rested)
        self._turner = QTimer(self)
        self._turner.setInterval(_TURN_MS)
        self._turner.timeout.connect(self._turn_on)
        self._turn_clock = QElapsedTimer()
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._advance)

    def _view_moved(self) -> None:
        self.update()

    def _view_unsettled(self) -> None:
        pass

    def _inset(self) -> float:
        return 0.0

    @property
    def positions(self) -> Singles:
        """float32[n, 2 or 3], where the points are going or already are."""
        if self._to is not None:
            return self._to[0]
        return self._positions

    @property
    def solid(self) -> bool:
        """Whether the positions have three dimensions."""
        return bool(self._positions.shape[1] == 3)

    @property
    def rotation(self) -> npt.NDArray[np.float64]:
        """float64[3, 3], the rotation of a 3D map."""
        return self._space.rotation

    @property
    def viewport(self) -> Viewport:
        return self._view

    @property
    def _sized(self) -> bool:
        """Whether the view has the size of a window; it hasn't before it is first shown."""
        return self._view.width > 1.0

    @property
    def moving(self) -> bool:
        """Whether points or view are being animated."""
        return self._to is not None

    @property
    def hurried(self) -> bool:
        """Whether so many points move, or are zoomed, that drawing all of the map would take
        longer than a frame.
        """
        return self._hurry.isActive()

    def _rested(self) -> None:
        self._view_unsettled()
        self._view_moved()

    def fit(self) -> None:
        """Show everything, and continue to do so until the user moves the view."""
        self.follow_all()
        if self.solid:
            self._space.reset()
        self._move_to(self.positions, self._fit_view(self._view, self.positions), True)

    def follow_all(self) -> None:
        """Show everything from the next change of positions on, until the user moves the view."""
        self._follows = True
        self._framed = []

    def turn(self, across: float, down: float) -> None:
        """Turn a 3D map by angles in radians."""
        self._space.turn(across, down)
        self._view_unsettled()
        self._view_moved()

    @property
    def turns_slowly(self) -> bool:
        """Whether a 3D map turns by itself."""
        return self._turner.isActive()

    def turn_slowly(self, turning: bool) -> None:
        """Let a 3D map turn about its vertical axis, or stop it."""
        if turning and self.solid and self.motion:
            self._turn_clock.start()
            self._turner.start()
        else:
            self._turner.stop()

    def _turn_on(self) -> None:
        if not self.solid or not self.isVisible():
            self._turner.stop()
            return
        self.turn(_TURN_SPEED * self._turn_clock.restart() / 1000, 0.0)

    def zoom(self, factor: float, pixel: QPointF | None = None) -> None:
        """Zoom in (``factor`` above 1) or out around a pixel, or the middle if None."""
        at = pixel or QPointF(self.width() / 2, self.height() / 2)
        factor = min(
            max(factor, self._whole / 5 / self._view.scale), self._whole * 400 / self._view.scale
        )
        self._set_view(self._view.zoom_at(factor, at.x(), at.y()))
        self._view_unsettled()

    def _hurry_many(self) -> None:
        if len(self._positions) >= MANY_POINTS and not self.solid:
            self._hurry.start()

    def pan(self, across: float, down: float) -> None:
        """Pan the map by pixels to the right and down."""
        self._set_view(self._view.pan_by(across, down), panned=True)

    def _set_view(self, view: Viewport, panned: bool = False) -> None:
        self._follows, self._panned = False, panned
        self._view = view
        self._hurry_many()
        if self._to is not None:
            # Points may continue moving, but the user now controls the view.
            self._from = (self._from[0] if self._from else self._positions, view)
            self._to = (self._to[0], view)
        self._view_moved()

    def _move_to(self, positions: Singles, view: Viewport, animate: bool) -> None:
        if not animate or not self.motion or not self.isVisible():
            self._stop()
            self._positions = positions
            self._view = view
            self._view_unsettled()
            self._view_moved()
            return
        if self._to is not None and self._to[0] is positions and self._to[1] == view:
            return
        self._set_off(positions, view, _MOTION_MS)

    def _glide_to(self, positions: Singles, view: Viewport) -> None:
        """Animate 2D points to their positions in another view, in straight lines on the screen."""
        flat = self._positions.shape == positions.shape and positions.shape[1] == 2
        if not flat or not self.motion or not self.isVisible():
            self._move_to(positions, view, False)
            return
        # The two layouts have different units; only pixels are common.
        self._positions = view.from_screen(self._view.to_screen(self._positions))
        self._view = view
        self._set_off(positions, view, _GLIDE_MS)
        self._view_unsettled()
        self._view_moved()

    def _set_off(self, positions: Singles, view: Viewport, lasts: int) -> None:
        self._from = (self._positions, self._view)
        self._to = (positions, view)
        self._path = None if self._positions is positions else _Path(self._positions, positions)
        self._lasts, self._panned = lasts, False
        # The first frame may be drawn before the first step.
        self._hurry_many()
        self._clock.restart()
        self._timer.start(self._frame_interval())

    def _advance(self) -> None:
        if self._from is None or self._to is None:
            self._timer.stop()
            return
        share = min(self._clock.elapsed() / self._lasts, 1.0)
        if share >= 1.0:
            self._positions, self._view = self._to
            self._stop()
        else:
            eased = share * share * (3.0 - 2.0 * share)
            if self._path is not None:
                self._positions = self._path.at(eased)
            self._view = self._from[1].towards(self._to[1], eased)
        self._timer.setInterval(self._frame_interval())
        self._hurry_many()
        self._view_unsettled()
        self._view_moved()

    def _frame_interval(self) -> int:
        """Milliseconds until the next frame."""
        pause = 1000 * self._frame_seconds * (1.0 / self.frame_share - 1.0)
        return max(_FRAME_MS, round(pause))

    def _stop(self) -> None:
        self._timer.stop()
        self._from = self._to = self._path = None

    def _place(self, positions: Singles) -> None:
        """Set other positions without animation; if the view follows, it shows all of them."""
        self._stop()
        self._positions = np.ascontiguousarray(positions, dtype=np.float32)
        self._space.measure(self._positions)
        whole = self._fit_view(self._view, self._positions)
        self._whole = whole.scale
        self._framed = []
        if self._follows:
            self._view = whole

    def _followed_view(self, view: Viewport, positions: Singles) -> Viewport:
        """The view of the followed rows, or of all positions."""
        if self._framed:
            framed = self._space.flat(positions[self._framed])
            return view.fit_to(framed, _AROUND, robust=False)
        return self._fit_view(view, positions)

    def _fit_view(self, view: Viewport, positions: Singles) -> Viewport:
        """The view of all positions, beside the occupied width."""
        taken = self._inset()
        if taken > view.width / 2:
            taken = 0.0
        beside = replace(view, width=view.width - taken)
        if len(positions) and positions.shape[1] == 2:
            fitted = beside.fit_frame(self._frame(positions))
        else:
            fitted = beside.fit_to(self._space.flat(positions))
        return replace(fitted, width=view.width, x=fitted.x - taken / 2 / fitted.scale)

    def _frame(self, positions: Singles) -> Frame:
        """The ``robust_frame`` of positions float32[n, 2], which is remembered for two layouts."""
        if self._path is not None and positions is self._positions:
            return robust_frame(positions)
        for known, frame in self._frames:
            if known is positions:
                return frame
        frame = robust_frame(positions)
        self._frames = [(positions, frame), *self._frames[:1]]
        return frame

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._view = self._view.resize_to(self.width(), self.height())
        self._whole = self._fit_view(self._view, self._positions).scale
        if self._follows:
            self._view = self._followed_view(self._view, self._positions)
        if self._to is not None:
            view = self._to[1].resize_to(self.width(), self.height())
            if self._follows:
                view = self._followed_view(view, self._to[0])
            self._to = (self._to[0], view)
        self._view_unsettled()
        self._view_moved()
