"""The points of a map: their colours, sizes and fading, as an image or as vector shapes."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath

from workbench.core.arrays import Ints, Singles
from workbench.session.kernel_compiler import is_compiled
from workbench.ui.base.theme import Palette
from workbench.ui.widgets.map.colour_scheme import Shading, fade_shades, plain
from workbench.ui.widgets.map.point_rasteriser import splat, splat_many
from workbench.ui.widgets.map.viewport import Viewport

# Number of fading levels: more can't be distinguished.
FADES = 8
# Relative radii of the nearest and the farthest points of a 3D map.
_NEAR, _FAR = 1.35, 0.6
# From this number of points on, the compiled kernel draws them; with fewer, nobody has to wait
# until numba is loaded.
MANY_POINTS = 150_000
# Number of points in the window that are drawn while they move: every second one of twice as many.
_MOVING = 100_000
# Bounds of the scale at which an image stands in for a sharp one while the user zooms. Smaller, it
# would leave too much of the window empty.
_SMALLER, _LARGER = 0.6, 2.0
# Device pixels around the image, so that discs at its edge need no clipping.
BORDER = 24
# While the view is panned, the image shows this share of the window more on each side.
_SPARE = 0.2


class _Drawn(NamedTuple):
    """An image of the points in a view, with ``border`` device pixels around the window; not
    ``whole``: of some of them.
    """

    image: QImage
    view: Viewport
    border: int
    whole: bool

    def offset(self, view: Viewport, ratio: float) -> tuple[int, int] | None:
        """Device pixels to the right and down by which the image shows another view, None if it
        doesn’t.
        """
        if self.image.devicePixelRatio() != ratio:
            return None
        if replace(view, x=self.view.x, y=self.view.y) != self.view:
            return None
        across = round((self.view.x - view.x) * view.scale * ratio)
        down = round((view.y - self.view.y) * view.scale * ratio)
        if max(abs(across), abs(down)) > self.border - BORDER:
            return None
        return across, down

    def area(self, view: Viewport, ratio: float) -> QRectF | None:
        """Pixels of another view that the image covers if it is scaled, None if it is too different
        or of another size.
        """
        own = self.view
        scale = view.scale / own.scale
        sized = (own.width, own.height) == (view.width, view.height)
        if self.image.devicePixelRatio() != ratio or not sized or not _SMALLER <= scale <= _LARGER:
            return None
        border = self.border / ratio
        left = (own.x - view.x) * view.scale + view.width / 2 - (own.width / 2 + border) * scale
        top = (view.y - own.y) * view.scale + view.height / 2 - (own.height / 2 + border) * scale
        whole = self.image.deviceIndependentSize()
        return QRectF(left, top, whole.width() * scale, whole.height() * scale)


class MapPoints:
    """Draws points; the image is cached until its content changes, and moves with the view."""

    def __init__(self) -> None:
        self.shading: Shading = plain(np.empty(0, dtype=np.float32))
        self._order: list[tuple[float, Ints]] = []
        self._fades: npt.NDArray[np.uint8] | None = None
        self._fade_sizes = np.ones(FADES)
        self._buffer = np.zeros((1, 1), dtype=np.uint32)
        self._drawn: _Drawn | None = None

    def set_points(self, values: Singles, sizes: Singles) -> None:
        """Set other points: ``values`` float32[n] in 0..1 as shades of grey, ``sizes`` float32[n]
        as relative radii.
        """
        self.shading = plain(values)
        # A few sizes are enough for the eye. The most important points are drawn last.
        quarter = np.clip(np.rint(sizes * 4), 2, 12).astype(np.int64)
        backwards = np.arange(len(values))[::-1]
        self._order = [
            (float(size) / 4, backwards[quarter[backwards] == size])
            for size in np.unique(quarter).tolist()
        ]
        self._fades = None
        self.forget()

    def shade(self, shading: Shading) -> None:
        self.shading = shading
        self.forget()

    def fade(self, shares: Singles | None, shrink: bool = False) -> None:
        """Fade points: ``shares`` float32[n], 0 visible, 1 invisible; None for all visible.

        ``shrink`` draws faded points smaller, as if far away; no point is then invisible.
        """
        if shares is None:
            self._fades = None
        else:
            top = FADES - 1 if shrink else FADES
            self._fades = np.clip(np.rint(shares * top), 0, top).astype(np.uint8)
        if shrink:
            self._fade_sizes = np.linspace(_NEAR, _FAR, FADES)
        else:
            self._fade_sizes = np.ones(FADES)
        self.forget()

    @property
    def faded_points(self) -> npt.NDArray[np.bool_] | None:
        """bool[n], the invisible points; None if no point can be invisible."""
        if self._fades is None:
            return None
        return self._fades >= FADES

    def forget(self) -> None:
        """Discard the image, because points have moved or changed."""
        self._drawn = None

    def draw(
        self,
        painter: QPainter,
        screen: Singles,
        view: Viewport,
        radius: float,
        colours: Palette,
        *,
        panned: bool = False,
        hurried: bool = False,
        thinned: bool = False,
        vector: bool = False,
    ) -> None:
        """Paint the points at float32[n, 2] pixels of a view; with ``vector`` as shapes that stay
        sharp at any size. ``panned``: the view is probably panned further. ``hurried``: the image
        may be that of another scale. ``thinned``: of many points, only some are drawn.
        """
        if not len(screen):
            return
        size = QSizeF(view.width, view.height)
        if vector:
            self._shapes(painter, screen, size, radius, colours)
            return
        ratio = painter.device().devicePixelRatioF()
        drawn, offset = self._drawn, None
        if drawn is not None and not (drawn.whole or thinned):
            drawn = None
        if drawn is not None:
            offset = drawn.offset(view, ratio)
            zoomed = hurried and drawn.view.scale != view.scale
            if offset is None and zoomed and (area := drawn.area(view, ratio)) is not None:
                painter.drawImage(area, drawn.image)
                return
        if drawn is None or offset is None:
            border, offset = BORDER, (0, 0)
            if panned:
                border += round(_SPARE * max(view.width, view.height) * ratio)
            step = max(_number_in(screen, view) // _MOVING, 1) if thinned else 1
            image = self._render_points(screen, size, ratio, radius, colours, border, step)
            drawn = self._drawn = _Drawn(image, view, border, step == 1)
        across, down = offset
        corner = QPointF((across - drawn.border) / ratio, (down - drawn.border) / ratio)
        painter.drawImage(corner, drawn.image)

    def draw_rings(
        self, painter: QPainter, pixels: Singles, size: QSizeF, radius: float, colours: Palette
    ) -> None:
        """Draw rings in the accent colour around many points at float32[m, 2] pixels."""
        ratio = painter.device().devicePixelRatioF()
        buffer = np.zeros(_extent(size, ratio), dtype=np.uint32)
        places = pixels * np.float32(ratio) + np.float32(BORDER)
        kinds = np.zeros(len(places), dtype=np.uint8)
        for colour, extent in (
            (colours.accent, radius + 3.5),
            (colours.ground, radius + 2),
            (colours.accent, radius),
        ):
            shade = np.array([QColor(colour).rgba()], dtype=np.uint32)
            splat(buffer, places, kinds, shade, extent * ratio)
        painter.drawImage(QPointF(-BORDER / ratio, -BORDER / ratio), _image(buffer, ratio))

    def _groups(self) -> list[tuple[float, Ints]]:
        """Rows by relative radius, in the order of drawing."""
        if self._fades is None:
            return self._order
        # Faded points first; within a fading level, the least important ones first.
        order = np.argsort(self._fades, kind="stable")[::-1]
        ends = np.searchsorted(-self._fades[order].astype(np.int16), -np.arange(FADES - 1, -2, -1))
        steps = range(FADES - 1, -1, -1)
        return [
            (float(self._fade_sizes[level]), order[start:end])
            for level, start, end in zip(steps, ends[:-1].tolist(), ends[1:].tolist(), strict=True)
        ]

    def _kinds(self, colours: Palette) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.uint32]]:
        shades = self.shading.shades(colours)
        if self._fades is None:
            return self.shading.kinds, shades
        level = np.minimum(self._fades, FADES - 1)
        kinds = (level * np.uint8(len(shades)) + self.shading.kinds).astype(np.uint8)
        return kinds, fade_shades(shades, colours.ground, FADES)

    def _render_points(
        self,
        screen: Singles,
        size: QSizeF,
        ratio: float,
        radius: float,
        colours: Palette,
        border: int,
        step: int,
    ) -> QImage:
        extent = _extent(size, ratio, border)
        if self._buffer.shape != extent:
            self._buffer = np.zeros(extent, dtype=np.uint32)
        else:
            self._buffer.fill(0)
        kinds, shades = self._kinds(colours)
        if len(screen) >= MANY_POINTS and is_compiled("drawing"):
            for relative, rows in reversed(self._groups()):
                splat_many(
                    self._buffer,
                    screen,
                    np.ascontiguousarray(rows[::step]),
                    ratio,
                    border,
                    kinds,
                    shades,
                    radius * relative * ratio,
                )
            return _image(self._buffer, ratio)
        pixels = screen * np.float32(ratio) + np.float32(border)
        for relative, rows in self._groups():
            drawn = rows[::step]
            splat(self._buffer, pixels[drawn], kinds[drawn], shades, radius * relative * ratio)
        return _image(self._buffer, ratio)

    def _shapes(
        self, painter: QPainter, screen: Singles, size: QSizeF, radius: float, colours: Palette
    ) -> None:
        kinds, shades = self._kinds(colours)
        reach = 2 * radius
        across, down = screen[:, 0], screen[:, 1]
        seen = (
            (across > -reach)
            & (across < size.width() + reach)
            & (down > -reach)
            & (down < size.height() + reach)
        )
        painter.setPen(Qt.PenStyle.NoPen)
        for relative, rows in self._groups():
            visible = rows[seen[rows]]
            extent = radius * relative
            for kind in np.unique(kinds[visible]).tolist():
                path = QPainterPath()
                path.setFillRule(Qt.FillRule.WindingFill)
                for x, y in screen[visible[kinds[visible] == kind]].tolist():
                    path.addEllipse(QPointF(x, y), extent, extent)
                painter.setBrush(QColor.fromRgba(int(shades[kind])))
                painter.drawPath(path)


def _number_in(screen: Singles, view: Viewport) -> int:
    """The number of points at float32[n, 2] pixels that are in a view."""
    across, down = screen[:, 0], screen[:, 1]
    inside = (across >= 0) & (across < view.width) & (down >= 0) & (down < view.height)
    return int(np.count_nonzero(inside))


def _extent(size: QSizeF, ratio: float, border: int = BORDER) -> tuple[int, int]:
    """Rows and columns of an image of this size in device-independent pixels, with its border."""
    return math.ceil(size.height() * ratio) + 2 * border, math.ceil(
        size.width() * ratio
    ) + 2 * border


def _image(buffer: npt.NDArray[np.uint32], ratio: float) -> QImage:
    height, width = buffer.shape
    image = QImage(
        buffer.data.cast("B"), width, height, 4 * width, QImage.Format.Format_ARGB32_Premultiplied
    )
    image.setDevicePixelRatio(ratio)
    return image
