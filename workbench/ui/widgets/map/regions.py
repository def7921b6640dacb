"""Regions of a map: their density as a tint, contour lines, and names at their peaks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QMarginsF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from workbench.analysis.projection.density import DensityGrid, Regions, colour_numbers
from workbench.core.arrays import Doubles, Singles
from workbench.core.language import tr
from workbench.ui.colours import readable_colour
from workbench.ui.scaling import scaled_length
from workbench.ui.text import decimal, plural
from workbench.ui.theme import Palette
from workbench.ui.widgets.map.colour_scheme import (
    Shades,
    Shading,
    region_colours,
    unknown_colour,
)
from workbench.ui.widgets.map.outlined_text import HaloText, TextStyle
from workbench.ui.widgets.map.viewport import Viewport

# Shares of the words that the contour lines enclose, from the outermost.
_ENCLOSED = (0.9, 0.6, 0.3)
# Opacity of the tint at the densest place, on a light ground and on a dark one.
_TINT_LIGHT, _TINT_DARK = 0.24, 0.34
# The opacity of contour lines.
_LINE = 0.35
_NAME = 14
_BETWEEN_NAMES = 4.0
# Distance of a name beside its words from their dots; the outermost words are ignored.
_BESIDE = 10.0
_MARGINS = QMarginsF(_BETWEEN_NAMES, _BETWEEN_NAMES, _BETWEEN_NAMES, _BETWEEN_NAMES)
# A name is left out if at least this share of it would be over other regions.
_MOST_FOREIGN = 0.6
# Below this trustworthiness, names of regions are grey and in brackets.
_DOUBTFUL = 0.75


class OtherSeeds(NamedTuple):
    """A region in runs with other seeds: their number, in how many it survives, and the mean share
    of its words that stay together.
    """

    runs: int
    survived: int = 0
    share: float = 0.0

    @property
    def text(self) -> str:
        if not self.runs:
            return tr("no runs with other seeds")
        return tr(
            "reproduced with other seeds: {survived} of {runs} ({share:.0%} of its words "
            "stay together)",
            survived=self.survived,
            runs=self.runs,
            share=self.share,
        )


@dataclass(frozen=True)
class RegionLabel:
    """Texts of one region. ``contexts`` is "" without counts; ``words``: all of its words, by
    frequency; ``trust``: their mean trustworthiness, None if unknown; ``central``: its central
    words, at least those in the name; ``seeds``: None if seeds can't be compared.
    """

    name: str
    contexts: str
    words: tuple[str, ...]
    trust: float | None = None
    central: tuple[str, ...] = ()
    seeds: OtherSeeds | None = None

    @property
    def text(self) -> str:
        """The name as shown on the map."""
        if self.doubtful:
            return f"({self.name})"
        return self.name

    @property
    def tip(self) -> str:
        """The lines of its tooltip, as plain text."""
        lines = [", ".join(self.central) or self.name]
        if self.contexts:
            lines.append(tr("typical contexts: {contexts}", contexts=self.contexts))
        lines.append(plural(len(self.words), "word"))
        if self.trust is not None:
            lines.append(tr("trustworthiness {trust}", trust=decimal(self.trust, 2)))
        if self.seeds is not None:
            lines.append(self.seeds.text)
        return "\n".join(lines)

    @property
    def doubtful(self) -> bool:
        return self.trust is not None and self.trust < _DOUBTFUL


class RegionLayer:
    """Draws the regions of one layout below its points, and their names above them.

    labels : one for each region, in the order of ``regions``
    """

    def __init__(
        self, grid: DensityGrid, regions: Regions, positions: Singles, labels: Sequence[RegionLabel]
    ) -> None:
        self.regions = regions
        self.labels = tuple(labels)
        self.colours = colour_numbers(regions)
        self._grid = grid
        self._extents = _extents(regions, positions)
        self._levels = _levels(grid, positions)
        self._outlines = [_path(grid, grid.words, level) for level in self._levels]
        self._images: dict[str, QImage] = {}
        self._places: tuple[object, list[tuple[int, QRectF]]] | None = None

    def draw(self, painter: QPainter, view: Viewport, colours: Palette, vector: bool) -> None:
        """Draw the tint and the contour lines; with ``vector`` only as shapes."""
        place = _to_screen(view)
        if vector:
            self._fill_outlines(painter, place, colours)
        else:
            rows, columns = self._grid.words.shape
            corner = place.map(QPointF(self._grid.left, self._grid.bottom + rows * self._grid.cell))
            side = self._grid.cell * view.scale
            painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
            painter.drawImage(
                QRectF(corner.x(), corner.y(), columns * side, rows * side), self._image(colours)
            )
        line = QColor(colours.muted)
        # One device pixel: Qt strokes wider lines fifty times more slowly.
        ratio = painter.device().devicePixelRatioF()
        line.setAlphaF(min(_LINE * ratio, 2 * _LINE))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(line, 1.0 / ratio))
        for outline in self._outlines:
            painter.drawPath(place.map(outline))

    def boxes(
        self, view: Viewport, text: HaloText, avoided: tuple[QRectF, ...] = ()
    ) -> list[tuple[int, QRectF]]:
        """The regions whose names are shown, with the boxes of the names in pixels: the most
        populous first, without overlaps with one another or with the boxes ``avoided``, and beside
        their own words rather than over those of another region.
        """
        size = scaled_length(_NAME)
        key = (view, size, tuple(box.getRect() for box in avoided))
        if self._places is not None and self._places[0] == key:
            return self._places[1]
        placed: list[tuple[int, QRectF]] = []
        taken = list(avoided)
        for region, spots in self._spots(view, text, size):
            found = None
            least = _MOST_FOREIGN
            for box, foreign in spots:
                if foreign >= least:
                    continue
                room = box.marginsAdded(_MARGINS)
                if not any(room.intersects(other) for other in taken):
                    found, least = box, foreign
            if found is not None:
                taken.append(found)
                placed.append((region, found))
        self._places = (key, placed)
        return placed

    def _spots(
        self, view: Viewport, text: HaloText, size: int
    ) -> list[tuple[int, list[tuple[QRectF, float]]]]:
        """Regions with visible peaks, each with the possible boxes of its name, best first, and the
        share of each box that is over other regions.
        """
        peaks = view.to_screen(self.regions.peaks.astype(np.float32))
        lows, highs = view.to_screen(self._extents[:, :2]), view.to_screen(self._extents[:, 2:])
        window = QRectF(0, 0, view.width, view.height).adjusted(4, 4, -4, -4)
        regions: list[int] = []
        boxes: list[QRectF] = []
        for region, label in enumerate(self.labels):
            peak = QPointF(*peaks[region].tolist())
            if not window.contains(peak):
                continue
            width, height = text.size(label.text, size, True)
            left, bottom = lows[region].tolist()
            right, top = highs[region].tolist()
            extent = QRectF(left, top, right - left, bottom - top)
            places = _name_places(peak, extent, width, height, window)
            boxes += places
            regions += [region] * len(places)
        shares = self._foreign_shares(regions, boxes, view)
        spots: dict[int, list[tuple[QRectF, float]]] = {}
        for region, box, share in zip(regions, boxes, shares, strict=True):
            spots.setdefault(region, []).append((box, share))
        return list(spots.items())

    def _foreign_shares(
        self, regions: Sequence[int], boxes: Sequence[QRectF], view: Viewport
    ) -> list[float]:
        """Share of each box that is over regions other than its own, rounded down to tenths."""
        corners = np.array([box.getRect() for box in boxes], dtype=np.float64).reshape(-1, 4)
        left, top, width, height = corners.T[:, :, np.newaxis, np.newaxis]
        pixels = np.empty((len(boxes), 4, 12, 2), dtype=np.float32)
        pixels[..., 0] = left + width * np.linspace(0.0, 1.0, 12)
        pixels[..., 1] = top + height * np.linspace(0.0, 1.0, 4)[:, np.newaxis]
        flat, inside = self._grid.at(view.from_screen(pixels.reshape(-1, 2)))
        under = self.regions.cells.ravel()[flat].reshape(len(boxes), 4 * 12)
        own = np.asarray(regions, dtype=np.int64)[:, np.newaxis]
        foreign = inside.reshape(under.shape) & (under >= 0) & (under != own)
        shares: list[float] = (np.floor(10 * foreign.mean(axis=1)) / 10).tolist()
        return shares

    def draw_names(
        self,
        painter: QPainter,
        view: Viewport,
        text: HaloText,
        colours: Palette,
        vector: bool,
        avoided: tuple[QRectF, ...] = (),
    ) -> None:
        inks = [
            readable_colour(colour.name(), colours.ground) for colour in region_colours(colours)
        ]
        for region, box in self.boxes(view, text, avoided):
            label = self.labels[region]
            ink = inks[self.colours[region]]
            if label.doubtful:
                ink = colours.muted
            style = TextStyle(scaled_length(_NAME), True, ink, colours.ground)
            text.draw(painter, box.left(), box.top(), label.text, style, vector=vector)

    def region_under(self, x: float, y: float, view: Viewport) -> int | None:
        """The region at a pixel."""
        place = np.array([view.to_plane(x, y)], dtype=np.float64)
        flat, inside = self._grid.at(place)
        region = int(self.regions.cells.ravel()[flat[0]])
        if inside[0] and region >= 0:
            return region
        return None

    def _image(self, colours: Palette) -> QImage:
        known = self._images.get(colours.ground)
        if known is not None:
            return known
        tint = _TINT_DARK if colours.dark else _TINT_LIGHT
        cells = self.regions.cells
        share = np.sqrt(self._grid.words / max(float(self._grid.words.max()), 1e-12))
        alpha = np.rint(255 * tint * share).astype(np.uint32)
        hues = np.array(
            [colour.rgb() & 0xFFFFFF for colour in region_colours(colours)], dtype=np.uint32
        )
        of_region = np.append(hues[self.colours], np.uint32(QColor(colours.point).rgb() & 0xFFFFFF))
        # Cells without a region get the last colour.
        pixels = (alpha << np.uint32(24)) | of_region[cells]
        pixels = np.ascontiguousarray(pixels[::-1])
        rows, columns = pixels.shape
        image = QImage(
            pixels.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_ARGB32
        ).convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
        self._images = {colours.ground: image}
        return image

    def _fill_outlines(self, painter: QPainter, place: QTransform, colours: Palette) -> None:
        """Fill the outlines of each region, one over another, in place of the tint."""
        hues = region_colours(colours)
        painter.setPen(Qt.PenStyle.NoPen)
        for region, shape in self._region_shapes():
            fill = QColor(hues[self.colours[region]])
            fill.setAlphaF((_TINT_DARK if colours.dark else _TINT_LIGHT) / len(_ENCLOSED))
            painter.setBrush(fill)
            painter.drawPath(place.map(shape))

    def _region_shapes(self) -> list[tuple[int, QPainterPath]]:
        shapes = []
        for region in range(self.regions.number):
            inside = self.regions.cells == region
            for level in self._levels:
                field = np.where(inside, self._grid.words - level, -1.0)
                if field.max() > 0:
                    shapes.append((region, _path(self._grid, field, 0.0)))
        return shapes


@dataclass(frozen=True, eq=False)
class RegionShading(Shading):
    """Points in the colour of their region; those between regions are grey.

    rank : int64[n], the order in which words get labels: central words of their regions first
    nameless_rank : int64[n], the order if no names of regions are on the map
    """

    layer: RegionLayer | None = None
    rank: npt.NDArray[np.int64] | None = None
    nameless_rank: npt.NDArray[np.int64] | None = None

    @cached_property
    def hues(self) -> RegionShading:
        """Only the colours, for the same words at other positions."""
        return replace(self, layer=None, rank=self.nameless_rank)

    @property
    def meaningful(self) -> bool:
        """False, because the names on the map serve as a legend."""
        return False

    def shades(self, colours: Palette) -> Shades:
        hues = [*region_colours(colours), unknown_colour(colours)]
        return np.array([colour.rgba() for colour in hues], dtype=np.uint32)


def _name_places(
    peak: QPointF, extent: QRectF, width: float, height: float, window: QRectF
) -> list[QRectF]:
    """Possible positions of the name of a region, best first: at its peak if the region is wide
    enough to remain visible behind it, or else above, below or beside its words.
    """
    middle_left, middle_top = peak.x() - width / 2, peak.y() - height / 2
    corners = [
        (middle_left, extent.top() - height - _BETWEEN_NAMES),
        (middle_left, extent.bottom() + _BETWEEN_NAMES),
        (extent.right() + _BESIDE, middle_top),
        (extent.left() - width - _BESIDE, middle_top),
    ]
    if extent.width() >= 1.5 * width:
        corners.insert(0, (middle_left, middle_top))
    else:
        corners.append((middle_left, middle_top))
    boxes = []
    for left, top in corners:
        left = min(max(left, window.left()), window.right() - width)
        top = min(max(top, window.top()), window.bottom() - height)
        if left >= window.left():
            boxes.append(QRectF(left, top, width, height))
    return boxes


def _extents(regions: Regions, positions: Singles) -> Singles:
    """float32[k, 4], left, bottom, right and top of each region's words, except the outermost."""
    found = np.empty((regions.number, 4), dtype=np.float32)
    for region in range(regions.number):
        words = positions[regions.labels == region]
        found[region, :2], found[region, 2:] = np.quantile(words, (0.05, 0.95), axis=0)
    return found


def _levels(grid: DensityGrid, positions: Singles) -> list[float]:
    """Densities above which the given shares of all words are, lowest first (Hyndman 1996, highest
    density regions).
    """
    flat, inside = grid.at(positions)
    at_words = grid.words.ravel()[flat[inside]]
    if not len(at_words):
        return []
    levels = {float(np.quantile(at_words, 1.0 - share)) for share in _ENCLOSED}
    return sorted(level for level in levels if level > 0)


def _path(grid: DensityGrid, field: Doubles, level: float) -> QPainterPath:
    """Closed lines along which ``field`` float64[rows, columns] has a value."""
    # Imported by the first map, not by every start.
    import contourpy

    rows, columns = field.shape
    across = grid.left + (np.arange(columns) + 0.5) * grid.cell
    along = grid.bottom + (np.arange(rows) + 0.5) * grid.cell
    lines = contourpy.contour_generator(
        x=across, y=along, z=field, line_type=contourpy.LineType.Separate
    ).lines(level)
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.OddEvenFill)
    for line in lines:
        points = np.asarray(line, dtype=np.float64).tolist()
        path.addPolygon(QPolygonF([QPointF(*point) for point in points]))
    return path


def _to_screen(view: Viewport) -> QTransform:
    return QTransform(
        view.scale,
        0.0,
        0.0,
        -view.scale,
        view.width / 2 - view.x * view.scale,
        view.height / 2 + view.y * view.scale,
    )
