"""One area with axes in a figure: its range, its limits and its scales."""

from __future__ import annotations

from typing import Any

import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt

from workbench.ui.plots.axis import BOTTOM, LEFT, Axis
from workbench.ui.plots.frame import Extent, Frame, Interval

X, Y = "x", "y"


class Pane(pg.ViewBox):  # type: ignore[misc]
    """pyqtgraph’s view box with the project’s axes. A drag pans, a drag with Shift zooms into a
    box, and the wheel zooms at the pointer.

    left, bottom : its axes, or None
    locked : whether units are equally long along x and y; fixed_y : whether all of y stays visible
    closest : maximum zoom, as a share of the data
    beyond : how far it can be dragged beyond its data, as a share of their extent
    """

    closest = 1e-4
    beyond = 0.5

    def __init__(
        self,
        number: int = 0,
        *,
        left: bool = True,
        bottom: bool = True,
        locked: bool = False,
        fixed_y: bool = False,
    ) -> None:
        super().__init__(enableMenu=False, lockAspect=locked, defaultPadding=0.0)
        self.number = number
        self.locked = locked
        self.fixed_y = fixed_y
        self.left = Axis(LEFT) if left else None
        self.bottom = Axis(BOTTOM) if bottom else None
        self.log = {X: False, Y: False}
        self.disableAutoRange()
        self.setMouseEnabled(x=False, y=False)
        for axis in self.axes:
            axis.linkToView(self)

    @property
    def axes(self) -> list[Axis]:
        return [axis for axis in (self.left, self.bottom) if axis is not None]

    def place_at(self, area: QRectF) -> None:
        """Place the pane in an area of the figure, with the axes beside it."""
        self.setGeometry(area)
        for axis in self.axes:
            axis.place_beside(area)

    def frame(self, room: QRectF, area: QRectF, extent: Extent | None = None) -> Frame:
        """Positions of values if the pane had another area, such as that of a file, and showed
        ``extent`` (None: the visible part).
        """
        x_range, y_range = extent or (tuple(ends) for ends in self.viewRange())
        if self.locked:
            x_range, y_range = _same_scale(x_range, y_range, area)
        return Frame(room, area, x_range, y_range, self.log[X], self.log[Y], self.number)

    def set_extent(self, extent: Extent | None) -> None:
        """Limit the range to an extent; None disables zooming and panning."""
        self.setMouseEnabled(x=extent is not None, y=extent is not None and not self.fixed_y)
        if extent is None or self.locked:
            return
        limits: dict[str, float] = {}
        for name, (low, high) in zip((X, Y), extent, strict=True):
            span = high - low
            beyond, closest = self.beyond, self.closest
            if name == Y and self.fixed_y:
                beyond, closest = 0.0, 1.0
            limits[f"{name}Min"] = low - beyond * span
            limits[f"{name}Max"] = high + beyond * span
            limits[f"min{name.upper()}Range"] = closest * span
        self.setLimits(**limits)

    def show_range(self, x: Interval, y: Interval) -> None:
        """Show a range, without margins."""
        self.setRange(xRange=x, yRange=y, padding=0)

    def shows(self, extent: Extent) -> bool:
        """Whether any part of an extent is visible."""
        return all(
            low < end and start < high
            for (low, high), (start, end) in zip(self.viewRange(), extent, strict=True)
        )

    # -- input; pyqtgraph calls these

    def wheelEvent(self, event: Any, axis: int | None = None) -> None:
        # The transformation is from the last painting.
        self.updateMatrix()
        super().wheelEvent(event, axis)

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        if event.button() == Qt.MouseButton.RightButton:
            event.ignore()
            return
        if event.isStart():
            shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
            self.setMouseMode(self.RectMode if shift and axis is None else self.PanMode)
            self.updateMatrix()
        super().mouseDragEvent(event, axis)


def _same_scale(x: Interval, y: Interval, area: QRectF) -> tuple[Interval, Interval]:
    """Ranges with the same centres, but with equally long units along both axes."""
    unit = max((x[1] - x[0]) / max(area.width(), 1.0), (y[1] - y[0]) / max(area.height(), 1.0))
    wide, high = unit * area.width() / 2, unit * area.height() / 2
    middle_x, middle_y = (x[0] + x[1]) / 2, (y[0] + y[1]) / 2
    return (middle_x - wide, middle_x + wide), (middle_y - high, middle_y + high)
