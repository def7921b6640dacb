"""A map of words: points, marks and labels, painted and animated."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QWidget

from workbench.core.arrays import Ints, Singles
from workbench.core.language import tr
from workbench.ui.base.scaling import scaled_length, set_scaled_size
from workbench.ui.base.text import plural
from workbench.ui.base.theme import LIGHT, Palette, body_font
from workbench.ui.widgets.map.backdrop import Backdrop
from workbench.ui.widgets.map.camera import MapCamera
from workbench.ui.widgets.map.colour_scheme import Shading
from workbench.ui.widgets.map.edge_pointers import EdgePointer, draw_pointers, edge_pointers
from workbench.ui.widgets.map.labels import LabelTask, MapLabels, PlacedLabels
from workbench.ui.widgets.map.legend import Legend
from workbench.ui.widgets.map.overlays import (
    MANY,
    Arrow,
    Ghost,
    Marks,
    draw_arrows,
    draw_ghost,
    draw_links,
    draw_rings,
    point,
)
from workbench.ui.widgets.map.points import MapPoints
from workbench.ui.widgets.map.regions import (
    RegionLabel,
    RegionLayer,
    RegionShading,
    ShownNames,
    rectangle,
)
from workbench.ui.widgets.map.viewport import nearest

# Words of a 3D map beyond this depth have no label unless they are marked.
_DEEP = 0.55
# Distance from the nearest word up to which a pixel belongs to its region.
_AROUND = 24
# Share of its colour that the farthest point of a 3D map loses: it stays visible on the ground.
_FADED = 0.55


@dataclass(frozen=True)
class Label:
    """The current label of a word: its box in pixels of the widget."""

    word: str
    box: QRectF


class MapCanvas(MapCamera):
    """Words as points in 2D or 3D, with a view of them. This class only shows; PointMap handles
    input.

    Points, labels and the pixels of both are cached until they change, so that a repaint for the
    pointer costs next to nothing.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        set_scaled_size(self, least_width=160, least_height=120)
        self._colours: Palette = LIGHT
        self._words: Sequence[str] = ()
        self._rows: dict[str, int] = {}
        self._points = MapPoints()
        self._drawn_positions: Singles | None = None
        self._hidden: npt.NDArray[np.bool_] | None = None
        self._backdrop: Backdrop | None = None
        self._marks = Marks()
        self._arrows: tuple[Arrow, ...] = ()
        self._hover = -1
        self._dragging = False
        self._screen: Singles | None = None
        self._regions: RegionLayer | None = None
        self._given: Singles | None = None  # the positions passed in
        self._rank: npt.NDArray[np.int64] | None = None
        self._nameless: npt.NDArray[np.int64] | None = None
        self._far: Ints = np.empty(0, dtype=np.int64)  # rows of outliers
        self._pointers: tuple[object, list[EdgePointer]] | None = None
        self._labels = MapLabels(body_font())
        self._legend = Legend(self._labels.text)
        self._describe()

    # -- content

    @property
    def words(self) -> Sequence[str]:
        return self._words

    @property
    def shading(self) -> Shading:
        return self._points.shading

    def shows(self, word: str) -> bool:
        """Whether a word is on the map."""
        return word in self._rows

    @property
    def selection(self) -> tuple[str, ...]:
        return self._marks.selection

    @property
    def arrows(self) -> tuple[Arrow, ...]:
        """The arrows drawn: those whose ends are both on the map."""
        return self._marks.arrows

    @property
    def ghost(self) -> Ghost | None:
        return self._marks.ghost

    @property
    def links(self) -> tuple[str, tuple[tuple[str, float], ...]]:
        return self._marks.source, self._marks.links

    def set_points(
        self,
        words: Sequence[str],
        positions: Singles,
        values: Singles | None = None,
        sizes: Singles | None = None,
    ) -> None:
        """Show other words.

        words : n strings, the most important (for labels) first
        positions : float32[n, 2], or float32[n, 3] for a 3D map
        values : float32[n] in 0..1, strength of each point's colour; None: 0.5 for all
        sizes : float32[n], relative radii; None: 1 for all
        """
        n = len(words)
        self._words = words
        self._rows = {word: row for row, word in enumerate(words)}
        if values is None:
            values = np.full(n, 0.5, dtype=np.float32)
        if sizes is None:
            sizes = np.ones(n, dtype=np.float32)
        self._points.set_points(values, sizes)
        self._hidden = None
        self._regions = self._rank = self._nameless = None
        self._hover = -1
        self._labels.forget()
        self._given = positions
        self._place(positions)
        self._find_outliers()
        self._mark(arrows=self._possible_arrows(), source="", links=())
        self._describe()
        self._view_moved()

    def set_positions(self, positions: Singles, animate: bool = True) -> None:
        """Move the points: positions of the same shape for the same words in the same order."""
        target = self._check_target(positions)
        self._whole = self._fit_view(self._view, target).scale
        if self._follows:
            view = self._followed_view(self._view, target)
        elif self._to:
            view = self._to[1]
        else:
            view = self._view
        self._move_to(target, view, animate)
        self._find_outliers()

    def glide_to(self, positions: Singles, words: Sequence[str] = ()) -> None:
        """Animate the points to another layout, and at the same time the view to these words, or to
        all. One word is marked meanwhile, unless others are.
        """
        target = self._check_target(positions)
        if self.motion and not any(self._marks.first()) and len(self._words):
            order = self._nameless
            self._mark(guide=self._words[0 if order is None else int(order.argmin())])
        self._whole = self._fit_view(self._view, target).scale
        self._follow_words(words)
        self._glide_to(target, self._followed_view(self._view, target))
        self._find_outliers()

    def _check_target(self, positions: Singles) -> Singles:
        """Check and return positions as stored; regions of other positions are no longer drawn."""
        if positions.shape != self._positions.shape:
            raise ValueError(f"{len(self._words)} words but positions of shape {positions.shape}")
        if positions is not self._given:
            self._regions = None
            self._given = positions
        target = np.ascontiguousarray(positions, dtype=np.float32)
        self._space.measure(target)
        return target

    def set_shading(self, shading: Shading) -> None:
        """Change the colours of the points: one kind for each word shown."""
        if len(shading.kinds) != len(self._words):
            raise ValueError(f"{len(self._words)} words but {len(shading.kinds)} colours")
        self._points.shade(shading)
        self._regions = None
        if isinstance(shading, RegionShading):
            self._regions, self._nameless = shading.layer, shading.nameless_rank
        # Function words stay last whatever the colours mean.
        rank = shading.rank if isinstance(shading, RegionShading) else self._nameless
        if not _same_order(rank, self._rank):
            self._rank = rank
            self._labels.forget()
        self._labels.refresh()
        self._describe()
        if self._follows:
            view = self._followed_view(self._view, self.positions)
            self._move_to(self.positions, view, True)
        self.update()

    def set_presence(self, gone: Singles | None) -> None:
        """Fade words: float32[n], 0 visible, 1 invisible and without a label; None makes all
        visible again.
        """
        self._points.fade(gone)
        if gone is None:
            self._hidden = None
        else:
            self._hidden = gone > 0.5
        self._labels.refresh()
        self._view_moved()

    def set_backdrop(self, backdrop: Backdrop | None) -> None:
        """Set shapes drawn below the words, such as the axes of their positions."""
        self._backdrop = backdrop
        self._labels.refresh()
        self.update()

    def set_selection(self, words: Sequence[str]) -> None:
        """Mark words with a ring; words that aren't on the map are ignored."""
        self._mark(selection=tuple(words))
        self._describe()

    def set_links(self, source: str, targets: Sequence[tuple[str, float]] = ()) -> None:
        """Set lines from a word to others, such as its true neighbours, each with a strength in
        0..1.
        """
        self._mark(source=source, links=tuple(targets))

    def set_arrows(self, arrows: Sequence[Arrow]) -> None:
        """Set arrows between words; those with an end that isn't on the map are ignored."""
        self._arrows = tuple(arrows)
        self._mark(arrows=self._possible_arrows())

    def set_ghost(self, ghost: Ghost | None) -> None:
        """Set a marker at a position without a word, such as the target of an analogy."""
        self._mark(ghost=ghost)

    @property
    def colours(self) -> Palette:
        return self._colours

    def set_colours(self, colours: Palette) -> None:
        self._colours = colours
        self._points.forget()
        # The text size may have changed, too.
        self._labels.refresh()
        self.update()

    def _possible_arrows(self) -> tuple[Arrow, ...]:
        return tuple(
            arrow for arrow in self._arrows if arrow.start in self._rows and arrow.end in self._rows
        )

    def _mark(self, **changes: object) -> None:
        marks = replace(self._marks, **changes)  # type: ignore[arg-type]
        if marks != self._marks:
            self._marks = marks
            self._describe()
            self._labels.refresh()
            self.update()

    # -- visible words

    @property
    def labels(self) -> tuple[Label, ...]:
        """Words with a visible label, the most important first."""
        return tuple(
            Label(self._words[row], QRectF(left, top, width, height))
            for row, left, top, width, height in self._placed_labels().boxes(self._on_screen())
        )

    @property
    def hovered_word(self) -> str | None:
        """The word under the pointer."""
        if 0 <= self._hover < len(self._words):
            return self._words[self._hover]
        return None

    def pixel(self, word: str) -> QPointF | None:
        """The pixel of a word on the widget, None if the word isn't on the map."""
        row = self._rows.get(word)
        if row is None:
            return None
        return point(self._on_screen(), row)

    def _position_of(self, word: str) -> Singles | None:
        """float32[1, 2 or 3], None if the word isn't on the map."""
        row = self._rows.get(word)
        return None if row is None else self.positions[row : row + 1]

    # -- moving the view

    def reveal(self, word: str) -> None:
        """Pan just enough to bring an invisible word well inside the window."""
        position = self._position_of(word)
        if position is None or not self._sized:
            return
        view = self._to[1] if self._to is not None else self._view
        across, down = point(view.to_screen(self._space.flat(position)), 0).toTuple()
        if 0 <= across < view.width and 0 <= down < view.height:
            return
        margin = min(60.0, view.width / 4, view.height / 4)
        inside_x = min(max(across, margin), view.width - margin)
        inside_y = min(max(down, margin), view.height - margin)
        self._follows = False
        self._move_to(self.positions, view.pan_by(inside_x - across, inside_y - down), True)

    def fit_words(self, words: Sequence[str]) -> None:
        """Show these words and their surroundings, and continue to do so until the user moves the
        view.
        """
        self._follow_words(words)
        view = self._followed_view(self._view, self.positions)
        self._move_to(self.positions, view, True)

    def _follow_words(self, words: Sequence[str]) -> None:
        self._follows = True
        self._framed = [self._rows[word] for word in words if word in self._rows]

    def centre_on(self, word: str) -> None:
        """Move a word to the middle, and zoom in if the view shows everything."""
        position = self._position_of(word)
        if position is None or not self._sized:
            return
        x, y = self._space.flat(position)[0].tolist()
        scale = max(self._view.scale, 2.5 * self._whole)
        self._follows = False
        self._move_to(self.positions, replace(self._view, x=x, y=y, scale=scale), True)

    def go_to(self, words: Sequence[str]) -> None:
        """Move the view to words, without zooming in."""
        rows = [self._rows[word] for word in words if word in self._rows]
        if rows and self._sized:
            self._follows = False
            near = self._view.fit_to(self._space.flat(self.positions[rows]), robust=False)
            scale = min(near.scale, self._view.scale)
            self._move_to(self.positions, replace(near, scale=scale), True)

    def pointer_at(self, pixel: QPointF) -> EdgePointer | None:
        """The pointer to outliers at a pixel."""
        return next((one for one in self.pointers if one.area.contains(pixel)), None)

    @property
    def pointers(self) -> list[EdgePointer]:
        """Pointers to the words far outside, while all other words are visible."""
        whole = self._view.scale <= 1.01 * self._whole
        if self.solid or not len(self._far) or not whole or self._points_moving:
            return []
        key = (self._view, scaled_length(1000), self._points.faded_points is None)
        if self._pointers is None or self._pointers[0] != key:
            screen = self._on_screen()
            far = self._far
            gone = self._points.faded_points
            if gone is not None:
                far = far[~gone[far]]
            found = edge_pointers(far, screen, self._words, self._view, self._labels.text)
            self._pointers = (key, found)
        return self._pointers[1]

    def _find_outliers(self) -> None:
        """The words left out of the view of everything."""
        positions = self.positions
        self._pointers = None
        self._far = np.empty(0, dtype=np.int64)
        if len(positions) and positions.shape[1] == 2:
            self._far = np.flatnonzero(~self._frame(positions).contains(positions))

    def _stop(self) -> None:
        super()._stop()
        if self._marks.guide:
            self._mark(guide="")

    @property
    def _points_moving(self) -> bool:
        """Whether the points are being animated."""
        if self._from is None or self._to is None:
            return False
        return self._from[0] is not self._to[0]

    def _inset(self) -> float:
        legend = self._legend.box(self._points.shading, QSizeF(self.size()))
        if legend is not None:
            return legend.right()
        return 0.0

    def _view_unsettled(self) -> None:
        self._labels.refresh()

    def _view_moved(self) -> None:
        self._screen = None
        self.update()

    # -- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        self.draw(painter)
        painter.end()

    def draw(self, painter: QPainter, vector: bool = False) -> None:
        """Paint the current map, on the widget or on a device of its size; with ``vector`` without
        pixmaps.
        """
        began = time.perf_counter()
        colours, marks, rows = self._colours, self._marks, self._rows
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.fillRect(self.rect(), QColor(colours.ground))
        if self._backdrop is not None and not self._points_moving:
            self._backdrop.draw(painter, self._view, colours, self._labels.text, vector)
        regions = self._resting_regions()
        if regions is not None:
            regions.draw(painter, self._view, colours, vector)
        names = None if regions is None else self._names(regions)
        picture = self._picture(names)
        screen, radius, size = picture.screen, picture.radius, QSizeF(self.size())
        draw_links(painter, marks, rows, screen, colours)
        if self._drawn_positions is not self._positions:
            self._drawn_positions = self._positions
            self._points.forget()
        self._points.draw(
            painter,
            screen,
            self._view,
            radius,
            colours,
            panned=self._panned,
            hurried=self.hurried and not vector,
            thinned=self.hurried and not (self._panned or vector),
            vector=vector,
        )
        draw_arrows(painter, marks, rows, screen, colours, radius)
        draw_rings(painter, marks, rows, screen, colours, radius)
        if len(chosen := marks.rows(rows)) > MANY:
            self._points.draw_rings(painter, screen[chosen], size, radius, colours)
        if marks.ghost is not None:
            at = point(
                self._view.to_screen(np.array([[marks.ghost.x, marks.ghost.y]], dtype=np.float32)),
                0,
            )
            draw_ghost(painter, at, colours)
            below = at + QPointF(0, 13)
            self._labels.draw_caption(painter, below, marks.ghost.text, colours, vector)
        placed = self._place_labels(picture)
        self._labels.draw(painter, picture, placed, colours, self._hover, vector)
        if regions is not None and names is not None:
            regions.draw_names(painter, self._labels.text, colours, vector, names)
        draw_pointers(painter, self.pointers, self._labels.text, colours, vector)
        self._legend.draw(painter, self._points.shading, size, colours, vector)
        if 0 <= self._hover < len(self._words) and not vector:
            self._labels.draw_hover(painter, picture, placed, colours, self._hover)
        self._frame_seconds = time.perf_counter() - began

    def _on_screen(self) -> Singles:
        if self._screen is None:
            flat, depth = self._space.project(self._positions)
            self._screen = self._view.to_screen(flat)
            if depth is not None:
                self._points.fade(_FADED * depth, shrink=True)
                self._hidden = depth > _DEEP
            gone = self._points.faded_points
            if gone is not None:
                self._screen[gone] = -1e6  # invisible words can't be pointed at
        return self._screen

    def _resting_regions(self) -> RegionLayer | None:
        """The regions, unless the points are being animated."""
        if self._points_moving:
            return None
        return self._regions

    def region_at(self, pixel: QPointF) -> RegionLabel | None:
        """The region whose name is at a pixel."""
        regions = self._resting_regions()
        if regions is None:
            return None
        names = self._names(regions)
        labels = regions.levels[names.number].labels
        for spot in names.spots:
            if rectangle(spot.box).contains(pixel):
                return labels[spot.region]
        return None

    def _names(self, regions: RegionLayer) -> ShownNames:
        """The regions whose names are shown, and the places of the names."""
        return regions.names(
            self._view, self._labels.text, self._marked_boxes(), self._space, self.hurried
        )

    def _marked_boxes(self) -> tuple[QRectF, ...]:
        """Boxes that names of regions must not cover."""
        return self._labels.first_boxes(self._bare_picture())

    def region_under(self, pixel: QPointF) -> RegionLabel | None:
        """The region of the words around a pixel outside of names."""
        regions = self._resting_regions()
        row = nearest(self._on_screen(), pixel.x(), pixel.y(), scaled_length(_AROUND))
        if regions is None or row < 0:
            return None
        level = regions.level_in(self._view)
        number = int(level.regions.labels[row])
        return level.labels[number] if number >= 0 else None

    def _picture(self, names: ShownNames | None) -> LabelTask:
        """Points to label, with the names of regions, which labels must not cover."""
        picture = self._bare_picture()
        regions = self._regions
        if regions is None or names is None:
            return picture
        return replace(picture, regions=regions.levels[names.number].numbers, names=names.spots)

    def _bare_picture(self) -> LabelTask:
        screen = self._on_screen()
        if self._backdrop is None:
            reserved = []
        else:
            reserved = self._backdrop.boxes(self._view, self._labels.text)
        legend = self._legend.box(self._points.shading, QSizeF(self.size()))
        if legend is not None:
            reserved = [*reserved, legend]
        reserved = [*reserved, *(pointer.area for pointer in self.pointers)]
        return LabelTask(
            self._words,
            self._rows,
            screen,
            self._view,
            self._marks,
            self.radius(),
            self._hidden,
            tuple(reserved),
            self._rank,
            self._nameless,
        )

    def _placed_labels(self) -> PlacedLabels:
        regions = self._resting_regions()
        return self._place_labels(self._picture(None if regions is None else self._names(regions)))

    def _place_labels(self, picture: LabelTask) -> PlacedLabels:
        return self._labels.place_labels(
            picture, moving=self.moving, dragging=self._dragging, hurried=self.hurried
        )

    def radius(self) -> float:
        """Radius of a normal point, in pixels: smaller with more points or in a smaller window,
        larger when zoomed in.
        """
        base = 3.4 * (500 / max(len(self._words), 500)) ** 0.26
        base *= min(max(math.sqrt(self.width() * self.height() / 500_000), 0.75), 1.25)
        closer = min(max((self._view.scale / self._whole) ** 0.25, 1.0), 1.8)
        return float(min(max(base, 0.9) * closer, 4.5))

    def sizeHint(self) -> QSize:
        return QSize(800, 520)

    def _describe(self) -> None:
        chosen = [word for word in self._marks.selection if word in self._rows]
        text = tr("Map of {words}", words=plural(len(self._words), "word"))
        text += tr(", coloured by {title}", title=self.shading.title) if self.shading.title else ""
        if chosen:
            text += tr(
                "; {number:,} selected: {join}", number=len(chosen), join=", ".join(chosen[-10:])
            )
        if self._marks.links:
            text += tr("; nearest: {join}", join=", ".join(word for word, _ in self._marks.links))
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)


def _same_order(one: Ints | None, other: Ints | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)
