"""Labels on a map: choice, placement and style; kept while the map only pans."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QFont, QPainter, QPen

from workbench.analysis.projection.name_places import NameSpot
from workbench.core.arrays import Ints, Singles
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import Palette
from workbench.ui.widgets.map.islands import WordGroups, find_islands
from workbench.ui.widgets.map.label_placement import RIGHT, URGENT, Placement, place
from workbench.ui.widgets.map.outlined_text import HaloText, TextStyle
from workbench.ui.widgets.map.overlays import Marks
from workbench.ui.widgets.map.viewport import Viewport

_PLAIN, _STRONG = 13, 15
# Number of most frequent visible words to try, and number examined for the patches below.
_CANDIDATES = 400
_SEARCHED = 20_000
# The most frequent word of each patch of the plane, of this size in pixels, is tried first, so that
# regions of rare words get labels, too.
_PATCH = np.array([90.0, 40.0], dtype=np.float32)
# Area of the window for each ordinary label, in square pixels: sparse enough to stay readable.
_ROOM = 5000.0
# Number of rounds in which islands without a label get one, and number of islands in each round.
_ROUNDS, _ISLANDS = 3, 40
# Distance in pixels beyond which a line leads from a dot to its word.
_AWAY = 12.0
# Room to the left and right of the marker's caption, in pixels, so that no word appears to belong
# to it.
_CAPTION_SIDE = 8.0
# While the map is dragged, labels are placed again only after this number of pixels.
_STRAY = 72.0


@dataclass(frozen=True)
class PlacedLabels:
    """Labels relative to their points, so that they stay valid while the map pans.

    rows : int64[m]; offset, size : float32[m, 2]; side : int64[m]
    led : bool[m], words with a line from their dot
    """

    view: Viewport
    rows: Ints
    offset: Singles
    size: Singles
    side: Ints
    led: npt.NDArray[np.bool_]

    def boxes(self, screen: Singles) -> list[tuple[int, float, float, float, float]]:
        """Row, left, top, width, height of every label."""
        corner = screen[self.rows] + self.offset
        columns = (self.rows, corner[:, 0], corner[:, 1], self.size[:, 0], self.size[:, 1])
        return list(zip(*(column.tolist() for column in columns), strict=True))

    def leaders(self, screen: Singles) -> Singles:
        """float32[k, 2, 2], lines from dots to words that could be attributed to another dot."""
        dots = screen[self.rows[self.led]]
        corner = dots + self.offset[self.led]
        return np.stack([dots, _nearest_on_box(dots, corner, self.size[self.led])], axis=1)


@dataclass(frozen=True)
class LabelTask:
    """Input of the placement of labels: the words, the pixels of their points, and the marks.

    hidden : bool[n], words without a label unless they are marked; None for none
    rank : int64[n], the order in which words are tried; None: by row
    nameless : int64[n], the order if no names of regions are shown
    regions : int64[n], the region of each word, −1 for none
    names : the names of regions that are shown, which no label covers
    reserved : boxes that no label covers, such as the legend's
    """

    words: Sequence[str]
    rows: Mapping[str, int]
    screen: Singles
    view: Viewport
    marks: Marks
    radius: float
    hidden: npt.NDArray[np.bool_] | None = None
    reserved: tuple[QRectF, ...] = ()
    rank: Ints | None = None
    nameless: Ints | None = None
    regions: Ints | None = None
    names: Sequence[NameSpot] = ()


class MapLabels:
    """Places and draws the labels of a map."""

    def __init__(self, font: QFont) -> None:
        self.text = HaloText(font)
        self._placed: PlacedLabels | None = None
        self._stale = True
        self._first: tuple[tuple[object, ...], Singles, tuple[QRectF, ...]] | None = None

    def forget(self) -> None:
        """Discard the last labels, because other words are shown."""
        self._placed = self._first = None

    def refresh(self) -> None:
        """Place the labels again at the next drawing, as close to the current ones as possible."""
        self._stale = True
        self._first = None

    def first_boxes(self, picture: LabelTask) -> tuple[QRectF, ...]:
        """Boxes of the most important selected words and of an analogy's, which names of regions
        must not cover. Words with lines give way: names must not move with the pointer.
        """
        marks, screen = replace(picture.marks, source="", links=()), picture.screen
        key = (picture.view, marks)
        if self._first is None or self._first[0] != key or self._first[1] is not screen:
            boxes = tuple(_first_boxes(replace(picture, marks=marks), self.text))
            self._first = (key, screen, boxes)
        return self._first[2]

    def place_labels(
        self, picture: LabelTask, *, moving: bool, dragging: bool, hurried: bool = False
    ) -> PlacedLabels:
        """The current labels, placed again if anything relevant has changed.

        hurried : the last labels only move with their words, and those without room are left out;
        while the map only pans, words that come into view get labels, except those of islands
        """
        last, view = self._placed, picture.view
        if last is not None and hurried and self._stale:
            carried = _carry(picture, self.text, last)
            # After a zoom, the labels are chosen again; after other motions, these stay.
            self._placed = replace(carried, view=view if moving else last.view)
            self._stale = False
            return self._placed
        if last is not None and not self._stale:
            strayed = math.hypot(view.x - last.view.x, view.y - last.view.y) * view.scale
            allowed = _STRAY if dragging else 0.5
            if strayed < allowed:
                return last
        # Zooming may replace words; in any other motion, labelled words keep their labels.
        keep = last is not None and (moving or last.view.scale == view.scale)
        rounds = 0 if hurried and keep else _ROUNDS
        self._placed = _place(picture, self.text, last if keep else None, rounds)
        self._stale = False
        return self._placed

    def draw(
        self,
        painter: QPainter,
        picture: LabelTask,
        placed: PlacedLabels,
        colours: Palette,
        hover: int,
        vector: bool = False,
    ) -> None:
        """Draw all labels, in a picture on the screen except that of row ``hover``."""
        marks = picture.marks
        quiet = bool(marks.selected_words or marks.ends or marks.linked_words)
        ground = colours.ground
        accent = TextStyle(scaled_length(_STRONG), True, colours.accent, ground)
        strong = TextStyle(scaled_length(_STRONG), True, colours.text, ground)
        near = TextStyle(scaled_length(_PLAIN), True, colours.text, ground)
        ink = colours.muted if quiet else colours.text
        plain = TextStyle(scaled_length(_PLAIN), False, ink, ground)
        painter.setPen(QPen(QColor(colours.muted), 1.0))
        for (x0, y0), (x1, y1) in placed.leaders(picture.screen).tolist():
            painter.drawLine(QPointF(x0, y0), QPointF(x1, y1))
        for row, left, top, _, _ in reversed(placed.boxes(picture.screen)):
            if row == hover and not vector:
                continue
            word = picture.words[row]
            chosen, end, linked = (
                word in marks.selected_words,
                word in marks.ends,
                word in marks.linked_words,
            )
            if chosen:
                style = accent
            elif end:
                style = strong
            elif linked:
                style = near
            else:
                style = plain
            self.text.draw(painter, left, top, word, style, vector=vector)

    def draw_hover(
        self,
        painter: QPainter,
        picture: LabelTask,
        placed: PlacedLabels,
        colours: Palette,
        row: int,
    ) -> None:
        """Draw the word under the pointer, at its label if it has one, otherwise on a small
        plate.
        """
        word = picture.words[row]
        size, bold = _weight(word, picture.marks)
        width, height = self.text.size(word, size, bold)
        x, y = picture.screen[row].tolist()
        chosen = word in picture.marks.selected_words
        if not chosen:
            painter.setPen(QPen(QColor(colours.text), 1.5))
            painter.setBrush(QColor(colours.ground))
            painter.drawEllipse(QPointF(x, y), picture.radius + 2.0, picture.radius + 2.0)
        box = next(
            ((left, top) for r, left, top, _, _ in placed.boxes(picture.screen) if r == row), None
        )
        if box is None:
            gap = picture.radius + 10
            roomy = x + gap + width + 8 < picture.view.width
            box = (x + gap if roomy else x - gap - width, y - height / 2)
            painter.setPen(QPen(QColor(colours.line), 1))
            painter.setBrush(QColor(colours.surface))
            plate = QRectF(box[0], box[1], width, height).adjusted(-5.5, -2.5, 5.5, 2.5)
            painter.drawRoundedRect(plate, 4, 4)
        colour = colours.accent if chosen else colours.text
        self.text.draw(painter, *box, word, TextStyle(size, bold, colour, colours.surface))

    def draw_caption(
        self, painter: QPainter, at: QPointF, text: str, colours: Palette, vector: bool
    ) -> None:
        """Draw a muted line of text centred below a pixel."""
        width, _ = self.text.size(text, scaled_length(_PLAIN), False)
        style = TextStyle(scaled_length(_PLAIN), False, colours.muted, colours.ground)
        self.text.draw(painter, at.x() - width / 2, at.y(), text, style, vector=vector)


def _weight(word: str, marks: Marks) -> tuple[int, bool]:
    if word in marks.selected_words or word in marks.ends:
        return scaled_length(_STRONG), True
    return scaled_length(_PLAIN), word in marks.linked_words


def _place(
    picture: LabelTask, text: HaloText, last: PlacedLabels | None, rounds: int = _ROUNDS
) -> PlacedLabels:
    """Place labels for all marked words, then for the words labelled before, then by rank; words of
    islands left without a label are tried again before all but the marked ones, in some rounds.
    """
    visible = _visible(picture)
    first = _marked_rows(picture)
    if picture.hidden is not None:
        visible &= ~picture.hidden
    sides = picture.marks.sides(picture.rows, picture.screen)
    others = []
    if last is not None:
        for row, side in zip(last.rows.tolist(), last.side.tolist(), strict=True):
            sides.setdefault(row, side)
            if visible[row]:
                others.append(row)
    others += _candidates(picture, visible)
    blocked = _blocked(picture, text)
    placed = _place_rows(picture, text, first, others, sides, blocked)
    groups = _groups(picture, visible) if rounds else []
    tried: list[int] = []
    for attempt in range(rounds):
        lacking = [
            words for group in groups for words in group.without_label(placed.rows, _ISLANDS)
        ]
        wanted = [words[attempt] for words in lacking[:_ISLANDS] if attempt < len(words)]
        if not wanted:
            break
        tried += [int(row) for row in wanted]
        placed = _place_rows(picture, text, [*first, *tried], others, sides, blocked)
    return _lead_marked(picture, placed)


def _carry(picture: LabelTask, text: HaloText, last: PlacedLabels) -> PlacedLabels:
    """Place labels only for the marked words and those labelled before."""
    sides = picture.marks.sides(picture.rows, picture.screen)
    for row, side in zip(last.rows.tolist(), last.side.tolist(), strict=True):
        sides.setdefault(row, side)
    others = [row for row in last.rows.tolist() if _sees(picture, row)]
    first = _marked_rows(picture)
    return _place_rows(picture, text, first, others, sides, _blocked(picture, text))


def _place_rows(
    picture: LabelTask,
    text: HaloText,
    first: Sequence[int],
    others: Sequence[int],
    sides: Mapping[int, int],
    blocked: Blocked,
) -> PlacedLabels:
    """Place labels for the rows of ``first`` at growing distances, then those of the other rows."""
    screen, view = picture.screen, picture.view
    order = list(dict.fromkeys([*first, *others]))
    forced = len(set(first))
    rows = np.array(order, dtype=np.int64)
    boxes = _sizes(picture, text, order, forced)
    found = _find_places(picture, rows, boxes, forced, sides, blocked)
    chosen = rows[found.which]
    offset = np.stack([found.left, found.top], axis=1) - screen[chosen]
    size = boxes[found.which]
    ends = _nearest_on_box(screen[chosen], screen[chosen] + offset, size)
    led = np.hypot(*(ends - screen[chosen]).T) > picture.radius + _AWAY
    return PlacedLabels(view, chosen, offset, size, found.side, led)


def _find_places(
    picture: LabelTask,
    rows: Ints,
    boxes: Singles,
    forced: int,
    sides: Mapping[int, int],
    blocked: Blocked,
) -> Placement:
    screen, view = picture.screen, picture.view
    gaps = np.full(len(rows), picture.radius + 3.0, dtype=np.float32)
    gaps[:forced] += 4.0
    return place(
        screen[rows],
        boxes,
        (view.width, view.height),
        gap=gaps,
        forced=forced,
        preferred=np.array([sides.get(row, RIGHT) for row in rows.tolist()], dtype=np.int64),
        blocked=blocked.pixels,
        boxes_blocked=blocked.boxes,
        limit=int(view.width * view.height / scaled_length(_ROOM)),
    )


class Blocked(NamedTuple):
    """Pixels float32[k, 2] and boxes float32[m, 4] that no label covers."""

    pixels: Singles
    boxes: Singles


def _blocked(picture: LabelTask, text: HaloText) -> Blocked:
    pixels = [picture.marks.arrow_pixels(picture.rows, picture.screen)]
    pixels += [_ghost_pixels(picture, text), _line_pixels(picture.names)]
    boxes = [(box.left(), box.top(), box.right(), box.bottom()) for box in picture.reserved]
    boxes += [spot.box for spot in picture.names]
    return Blocked(np.concatenate(pixels), np.array(boxes, dtype=np.float32).reshape(-1, 4))


def _first_boxes(picture: LabelTask, text: HaloText) -> list[QRectF]:
    first = _marked_rows(picture)
    if not first:
        return []
    rows = np.array(first, dtype=np.int64)
    boxes = _sizes(picture, text, first, len(first))
    sides = picture.marks.sides(picture.rows, picture.screen)
    blocked = _blocked(picture, text)
    found = _find_places(picture, rows, boxes, len(first), sides, blocked)
    kept = []
    for index, left, top in zip(
        found.which.tolist(), found.left.tolist(), found.top.tolist(), strict=True
    ):
        if index < URGENT:
            kept.append(QRectF(left, top, *boxes[index].tolist()))
    return kept


def _visible(picture: LabelTask) -> npt.NDArray[np.bool_]:
    view = picture.view
    across, down = picture.screen[:, 0], picture.screen[:, 1]
    inside = (across >= 0) & (across < view.width) & (down >= 0) & (down < view.height)
    return np.asarray(inside)


def _sees(picture: LabelTask, row: int) -> bool:
    """Whether the dot of a row is in the window."""
    across, down = picture.screen[row].tolist()
    return bool(0 <= across < picture.view.width and 0 <= down < picture.view.height)


def _marked_rows(picture: LabelTask) -> list[int]:
    """Visible rows of the marked words, most important first."""
    named = [picture.rows[word] for word in picture.marks.first() if word in picture.rows]
    return [row for row in named if _sees(picture, row)]


def _sizes(picture: LabelTask, text: HaloText, order: Sequence[int], forced: int) -> Singles:
    """float32[n, 2], width and height of the words of these rows."""
    words = [picture.words[row] for row in order]
    boxes = text.sizes(words, scaled_length(_PLAIN), False)
    for index, word in enumerate(words[:forced]):
        boxes[index] = text.size(word, *_weight(word, picture.marks))
    return boxes


def _groups(picture: LabelTask, visible: npt.NDArray[np.bool_]) -> list[WordGroups]:
    """Groups in which one word must have a label: islands on the screen, and regions. Words of a
    region with a name need none.
    """
    order = picture.nameless
    if order is None:
        order = np.arange(len(picture.words), dtype=np.int64)
    named = None
    if picture.regions is not None and picture.names:
        shown = np.zeros(int(picture.regions.max(initial=-1)) + 2, dtype=bool)
        shown[[spot.region for spot in picture.names]] = True
        # The last one is for words in no region.
        named = shown[picture.regions]
    groups = [WordGroups(find_islands(picture.screen, visible), visible, named, order)]
    if picture.regions is not None:
        groups.append(WordGroups(picture.regions, visible, named, order))
    return groups


def _lead_marked(picture: LabelTask, placed: PlacedLabels) -> PlacedLabels:
    """The labels, with lines also to the marked words that are closer to another dot than to their
    own.
    """
    dots = picture.screen[placed.rows]
    ends = _nearest_on_box(dots, dots + placed.offset, placed.size)
    away, led = np.hypot(*(ends - dots).T), placed.led.copy()
    marked = {picture.rows[word] for word in picture.marks.first() if word in picture.rows}
    for index, row in enumerate(placed.rows.tolist()):
        if row in marked and not led[index]:
            across, down = (picture.screen[:, axis] - ends[index, axis] for axis in (0, 1))
            squares = across * across + down * down
            squares[row] = np.inf
            led[index] = squares.min(initial=np.inf) < (0.6 * away[index]) ** 2
    return replace(placed, led=led)


def _nearest_on_box(dots: Singles, corner: Singles, size: Singles) -> Singles:
    """float32[m, 2], the point of each box nearest to its dot, slightly inside the box."""
    inset = np.minimum(3.0, size / 4)
    return np.asarray(np.clip(dots, corner + inset, corner + size - inset), dtype=np.float32)


def _candidates(picture: LabelTask, visible: npt.NDArray[np.bool_]) -> list[int]:
    """Visible rows in the order in which they are tried; the patches move with the map."""
    rows = np.flatnonzero(visible)[:_SEARCHED]
    if picture.rank is not None:
        rows = rows[np.argsort(picture.rank[rows], kind="stable")]
    view = picture.view
    origin = view.to_screen(np.zeros((1, 2), dtype=np.float32))[0]
    patch = np.floor((picture.screen[rows] - origin) / _PATCH).astype(np.int64)
    _, first = np.unique(patch[:, 0] * (1 << 32) + patch[:, 1], return_index=True)
    if picture.rank is None:
        order = np.concatenate([rows[np.sort(first)], rows[:_CANDIDATES]])
    else:
        # Names of regions come before frequent words of a patch.
        order = np.concatenate([rows[: 3 * 40], rows[np.sort(first)], rows[:_CANDIDATES]])
    return list(dict.fromkeys(order.tolist()))


def _ghost_pixels(picture: LabelTask, text: HaloText) -> Singles:
    """float32[k, 2], pixels of the marker and its caption, which labels must not cover."""
    ghost = picture.marks.ghost
    if ghost is None:
        return np.empty((0, 2), dtype=np.float32)
    at = picture.view.to_screen(np.array([[ghost.x, ghost.y]], dtype=np.float32))[0]
    width, height = text.size(ghost.text, scaled_length(_PLAIN), False)
    side = width / 2 + _CAPTION_SIDE
    grid = np.mgrid[-side : side + 1 : 3, -10 : 14 + height : 3]
    return np.asarray(at + grid.reshape(2, -1).T, dtype=np.float32)


def _line_pixels(names: Sequence[NameSpot]) -> Singles:
    """float32[k, 2], pixels along the lines of names, and beside them."""
    lines = np.array([spot.line for spot in names if spot.line is not None], dtype=np.float32)
    starts, ends = np.hsplit(lines.reshape(-1, 4), 2)
    steps = int(np.abs(ends - starts).max(initial=0.0) / 2) + 2
    along = starts + np.linspace(0, 1, steps, dtype=np.float32)[:, None, None] * (ends - starts)
    return np.concatenate([along + np.float32(side) for side in (-1.5, 1.5)]).reshape(-1, 2)
