"""Regions of a map: a glow in their hues, and names in up to three levels, with lines to those
without room.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPainterPath, QPen, QPolygonF, QTransform

from workbench.analysis.projection.density import DensityGrid, robust_frame, words_under
from workbench.analysis.projection.name_places import (
    Box,
    NameRoom,
    NameSpot,
    without_overlaps,
)
from workbench.analysis.projection.regions import Regions, region_hues
from workbench.core.arrays import Doubles, Ids, Ints, Singles
from workbench.core.hues import DARK, LIGHT, hue_channels
from workbench.core.language import tr
from workbench.ui.base.colours import readable_colour
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import decimal, plural, without_zero
from workbench.ui.base.theme import Palette
from workbench.ui.widgets.map.colour_scheme import (
    REGION_HUES,
    Shades,
    Shading,
    region_colours,
    unknown_colour,
)
from workbench.ui.widgets.map.outlined_text import HaloText, TextStyle
from workbench.ui.widgets.map.projection_3d import Space
from workbench.ui.widgets.map.viewport import Viewport

# Opacity of the glow at the densest place, on a light ground and on a dark one.
_TINT_LIGHT, _TINT_DARK = 0.26, 0.36
# Shares of the densest place above which a picture of shapes fills the outlines of a region.
_FILLED = (0.04, 0.2, 0.5)
_NAME = 14
# Area of the map for each name, in square pixels: with less, a coarser level is shown.
_ROOM = 13_000.0
# While the map pans, names are placed again only after this number of pixels.
_STRAY = 48.0
# Number of words that names keep off.
_SAMPLE = 1_500
# Names of regions behind this depth of a 3D map aren't shown.
_DEEP = 0.6
# Below this trustworthiness, names of regions are grey.
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
    def tip(self) -> str:
        """The lines of its tooltip, as plain text."""
        lines = [", ".join(self.central) or self.name]
        if self.contexts:
            lines.append(tr("appears beside {contexts}", contexts=self.contexts))
        lines.append(plural(len(self.words), "word"))
        if self.trust is not None:
            lines.append(tr("trustworthiness {trust}", trust=without_zero(decimal(self.trust, 2))))
        if self.seeds is not None:
            lines.append(self.seeds.text)
        return "\n".join(lines)

    @property
    def doubtful(self) -> bool:
        return self.trust is not None and self.trust < _DOUBTFUL


@dataclass(frozen=True, eq=False)
class RegionLevel:
    """One level of regions with a label for each."""

    regions: Regions
    labels: tuple[RegionLabel, ...]

    @cached_property
    def numbers(self) -> Ints:
        """int64[n], the region of each word, −1 for none."""
        return self.regions.labels.astype(np.int64)


class ShownNames(NamedTuple):
    """The names that are shown, and the number of the level that they are of."""

    number: int
    spots: list[NameSpot]


class _PlacedNames(NamedTuple):
    """The last names, which move with the map until it has moved far."""

    key: object
    number: int
    view: Viewport
    avoided: Sequence[Box]
    spots: list[NameSpot]


class RegionLayer:
    """Draws the regions of one layout below its points, and their names above them.

    levels : from coarse to fine, at least one; positions : float32[n, 2], or float32[n, 3] for a 3D
    map, which has names without a glow
    coloured : the level whose regions colour the words
    """

    def __init__(
        self,
        grid: DensityGrid | None,
        levels: Sequence[RegionLevel],
        positions: Singles,
        coloured: int = 0,
    ) -> None:
        self.levels = tuple(levels)
        self.coloured = coloured
        self.positions = positions
        self._grid = grid
        self._hues = [region_hues(level.regions.places, positions) for level in self.levels]
        frame = robust_frame(positions[:, :2])
        self._area = (frame.right - frame.left) * (frame.top - frame.bottom)
        step = max(len(positions) // _SAMPLE, 1)
        self._sample = slice(None, None, step)
        self._share = step
        self._images: dict[str, QImage] = {}
        self._ink_of: dict[tuple[int, str], list[str]] = {}
        self._placed: _PlacedNames | None = None

    @property
    def kinds(self) -> npt.NDArray[np.uint8]:
        """uint8[n], the hue of each word’s region; the last kind for none."""
        hues = np.rint(self._hues[self.coloured] * REGION_HUES).astype(int) % REGION_HUES
        labels = self.levels[self.coloured].regions.labels
        return np.append(hues, REGION_HUES).astype(np.uint8)[labels]

    def turned_solid(self, positions: Singles) -> RegionLayer:
        """The same regions on a 3D map of the same words, each named in the middle of its words.

        positions : float32[n, 3]
        """
        levels = []
        for level in self.levels:
            labels = level.regions.labels
            places = [
                np.median(positions[labels == region], axis=0)
                for region in range(level.regions.number)
            ]
            middle = np.array(places, dtype=np.float64).reshape(-1, positions.shape[1])
            levels.append(RegionLevel(Regions(labels, middle), level.labels))
        solid = RegionLayer(None, levels, positions, self.coloured)
        # The colours stay those of the map in the plane.
        solid._hues = self._hues
        return solid

    def level_in(self, view: Viewport) -> RegionLevel:
        """The finest level whose names have room in a view."""
        return self.levels[self._level_number(view)]

    def _level_number(self, view: Viewport) -> int:
        area = self._area * view.scale**2 / scaled_length(100) ** 2 * 100**2
        for number in range(len(self.levels) - 1, 0, -1):
            if area >= _ROOM * self.levels[number].regions.number:
                return number
        return 0

    def draw(self, painter: QPainter, view: Viewport, colours: Palette, vector: bool) -> None:
        """Draw the glow; with ``vector`` as shapes."""
        if self._grid is None:
            return
        place = _to_screen(view)
        if vector:
            self._fill_outlines(painter, place, colours, self._grid)
            return
        rows, columns = self._grid.words.shape
        corner = place.map(QPointF(self._grid.left, self._grid.bottom + rows * self._grid.cell))
        side = self._grid.cell * view.scale
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        painter.drawImage(
            QRectF(corner.x(), corner.y(), columns * side, rows * side),
            self._image(colours, self._grid),
        )
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)

    def names(
        self,
        view: Viewport,
        text: HaloText,
        avoided: tuple[QRectF, ...] = (),
        space: Space | None = None,
        hurried: bool = False,
    ) -> ShownNames:
        """The regions whose names are shown, with the boxes of the names in pixels: the largest
        first, without overlaps with one another or with the boxes ``avoided``, and beside their own
        words rather than over those of another region.

        hurried : while the view is zoomed, the last names only move with their regions, and those
        without room are left out
        """
        size = scaled_length(_NAME)
        last, number = self._placed, self._level_number(view)
        boxes = [Box(box.left(), box.top(), box.right(), box.bottom()) for box in avoided]
        if hurried and last is not None and last.view.scale != view.scale:
            return ShownNames(last.number, self._carried_names(last, view, boxes))
        turned = None
        if space is not None and self.positions.shape[1] == 3:
            turned = space.rotation.tobytes()
        key = (replace(view, x=0.0, y=0.0), size, turned, len(boxes))
        kept: list[NameSpot] = []
        if last is not None and last.key == key:
            across = (last.view.x - view.x) * view.scale
            down = (view.y - last.view.y) * view.scale
            # The boxes to avoid move with the map, unless others are marked.
            shifted = [
                Box(left + across, top + down, right + across, bottom + down)
                for left, top, right, bottom in last.avoided
            ]
            if np.allclose(np.array(shifted), np.array(boxes), atol=1.0):
                moved = [spot.move(across, down) for spot in last.spots]
                if max(abs(across), abs(down)) <= _STRAY:
                    return ShownNames(last.number, moved)
                kept = [spot for spot in moved if spot.box.inside(view.width, view.height)]
        spots = self._place_names(view, text, size, boxes, space, kept)
        self._placed = _PlacedNames(key, number, view, boxes, spots)
        return ShownNames(number, spots)

    def _carried_names(
        self, last: _PlacedNames, view: Viewport, avoided: Sequence[Box]
    ) -> list[NameSpot]:
        """The last names in another view, each as far from its region as before."""
        places = self.levels[last.number].regions.places.astype(np.float32)
        shifts = (view.to_screen(places) - last.view.to_screen(places)).tolist()
        moved = [spot.move(*shifts[spot.region]) for spot in last.spots]
        moved = [spot for spot in moved if spot.box.inside(view.width, view.height)]
        return without_overlaps(moved, avoided)

    def _place_names(
        self,
        view: Viewport,
        text: HaloText,
        size: int,
        avoided: Sequence[Box],
        space: Space | None,
        kept: Sequence[NameSpot],
    ) -> list[NameSpot]:
        """Names for the regions in a view; ``kept`` ones stay, and the others make room."""
        level = self.level_in(view)
        if not level.labels:
            return []
        places, depth = level.regions.places.astype(np.float32), None
        dots = self.positions[self._sample]
        if space is not None:
            (places, depth), dots = space.project(places), space.flat(dots)
        dots = view.to_screen(dots)
        room = NameRoom((view.width, view.height), dots, self._share, avoided)
        for spot in kept:
            room.take(spot)
        named = {spot.region for spot in kept}
        of_dot = level.regions.labels[self._sample]
        found = [*kept]
        for region, pixel in enumerate(view.to_screen(places).tolist()):
            if region in named or (depth is not None and depth[region] > _DEEP):
                continue
            width, height = text.size(level.labels[region].name, size, True)
            placed = room.place(region, pixel, (width, height), of_dot == region)
            if placed is not None:
                found.append(placed)
        return found

    def boxes(
        self, view: Viewport, text: HaloText, avoided: tuple[QRectF, ...] = ()
    ) -> list[tuple[int, QRectF]]:
        """The regions whose names are shown on a map in the plane, and the boxes of the names."""
        spots = self.names(view, text, avoided).spots
        return [(spot.region, rectangle(spot.box)) for spot in spots]

    def draw_names(
        self,
        painter: QPainter,
        text: HaloText,
        colours: Palette,
        vector: bool,
        names: ShownNames,
    ) -> None:
        level, spots = self.levels[names.number], names.spots
        inks = self._inks(names.number, colours)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        for spot in spots:
            if spot.line is not None:
                painter.setPen(QPen(QColor(inks[spot.region]), 1.0))
                x, y, to_x, to_y = spot.line
                painter.drawLine(QPointF(x, y), QPointF(to_x, to_y))
        for spot in spots:
            label = level.labels[spot.region]
            ink = colours.muted if label.doubtful else inks[spot.region]
            style = TextStyle(scaled_length(_NAME), True, ink, colours.ground)
            text.draw(painter, spot.box.left, spot.box.top, label.name, style, vector=vector)

    def _inks(self, number: int, colours: Palette) -> list[str]:
        """The colour of each name of a level."""
        known = self._ink_of.get((number, colours.ground))
        if known is None:
            theme = DARK if colours.dark else LIGHT
            channels = np.rint(255 * hue_channels(self._hues[number], theme)).astype(int).tolist()
            known = [readable_colour(QColor(*row).name(), colours.ground) for row in channels]
            self._ink_of[number, colours.ground] = known
        return known

    def _image(self, colours: Palette, grid: DensityGrid) -> QImage:
        known = self._images.get(colours.ground)
        if known is not None:
            return known
        tint = _TINT_DARK if colours.dark else _TINT_LIGHT
        share = np.sqrt(grid.words / max(float(grid.words.max()), 1e-12))
        alpha = np.rint(255 * tint * share).astype(np.uint32)
        across, up = self._hue_fields
        # Between regions of opposite hues, the glow is grey.
        pure = np.minimum(np.hypot(across, up) / np.maximum(grid.words, 1e-9), 1.0)
        hue = np.arctan2(up, across) / (2 * np.pi)
        channels = hue_channels(hue, DARK if colours.dark else LIGHT, pure)
        red, green, blue = np.moveaxis(np.rint(255 * channels).astype(np.uint32), -1, 0)
        shift = np.uint32(8)
        pixels = ((alpha << shift | red) << shift | green) << shift | blue
        pixels = np.ascontiguousarray(pixels[::-1])
        rows, columns = pixels.shape
        image = QImage(
            pixels.tobytes(), columns, rows, 4 * columns, QImage.Format.Format_ARGB32
        ).convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)
        self._images = {colours.ground: image}
        return image

    @cached_property
    def _hue_fields(self) -> tuple[Doubles, Doubles]:
        """The sums of the words’ hues as directions, under the kernel at each cell of the grid."""
        assert self._grid is not None
        labels: Ids = self.levels[self.coloured].regions.labels
        angle = 2 * np.pi * np.append(self._hues[self.coloured], 0.0)[labels]
        known = (labels >= 0).astype(np.float64)
        return (
            words_under(self._grid, self.positions, known * np.cos(angle)),
            words_under(self._grid, self.positions, known * np.sin(angle)),
        )

    def prepare(self) -> RegionLayer:
        """The layer with everything computed that drawing needs: for jobs beside the window."""
        if self._grid is not None:
            assert self._hue_fields
        return self

    def _fill_outlines(
        self, painter: QPainter, place: QTransform, colours: Palette, grid: DensityGrid
    ) -> None:
        """Fill outlines of each region, one over another, in place of the glow."""
        channels = hue_channels(self._hues[self.coloured], DARK if colours.dark else LIGHT)
        painter.setPen(Qt.PenStyle.NoPen)
        for region, shape in self._shapes:
            fill = QColor(*np.rint(255 * channels[region]).astype(int).tolist())
            fill.setAlphaF((_TINT_DARK if colours.dark else _TINT_LIGHT) / len(_FILLED))
            painter.setBrush(fill)
            painter.drawPath(place.map(shape))

    @cached_property
    def _shapes(self) -> list[tuple[int, QPainterPath]]:
        grid, regions = self._grid, self.levels[self.coloured].regions
        assert grid is not None
        top = float(grid.words.max())
        shapes = []
        for region in range(regions.number):
            inside = (regions.labels == region).astype(np.float64)
            own = words_under(grid, self.positions, inside)
            for share in _FILLED:
                if own.max() > share * top:
                    shapes.append((region, _path(grid, own, share * top)))
        return shapes


@dataclass(frozen=True, eq=False)
class RegionShading(Shading):
    """Points in the hue of their region; those in none are grey.

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

    def hues_of(self, own: Sequence[str], words: Sequence[str]) -> RegionShading:
        """Only the colours, for other words; ``own`` : those of these colours. Words that aren't
        among them are grey.
        """
        rows = {word: row for row, word in enumerate(own)}
        places = [rows.get(word, -1) for word in words]
        kinds = np.append(self.kinds, np.uint8(REGION_HUES))[places]
        texts = [self.texts[place] if place >= 0 else "" for place in places if self.texts]
        plain = replace(self, layer=None, rank=None, nameless_rank=None)
        return replace(plain, kinds=kinds, texts=texts)

    def turned_solid(self, positions: Singles) -> RegionShading:
        """The colours and names, for the same words on a 3D map float32[n, 3]."""
        if self.layer is None:
            return self
        return replace(self, layer=self.layer.turned_solid(positions))

    @property
    def meaningful(self) -> bool:
        """False, because the names on the map serve as a legend."""
        return False

    def shades(self, colours: Palette) -> Shades:
        hues = [*region_colours(colours), unknown_colour(colours)]
        return np.array([colour.rgba() for colour in hues], dtype=np.uint32)


def rectangle(box: Box) -> QRectF:
    return QRectF(box.left, box.top, box.right - box.left, box.bottom - box.top)


def _path(grid: DensityGrid, field: Doubles, level: float) -> QPainterPath:
    """Closed lines along which ``field`` float64[rows, columns] has a value."""
    # Imported by the first export, not by every start.
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
