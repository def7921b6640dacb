"""The offsets of a relation as arrows from one origin, on their plane."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QLineF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import QWidget

from workbench.analysis.analogy.offsets import Relation
from workbench.core.language import tr
from workbench.ui.plain_text import paintable_text
from workbench.ui.scaling import scaled_length, set_scaled_size
from workbench.ui.theme import SPACE_1, TYPE_BODY, TYPE_SMALL, Palette, Theme, body_font

_NEAR = 9.0
_MARGIN_X, _MARGIN_Y = 44.0, 18.0
_HEAD = 6.0


class PlaneMapping:
    """From the plane of a relation to a rectangle, one scale both ways, the origin within."""

    def __init__(self, area: QRectF, relation: Relation) -> None:
        places = [(0.0, 0.0), relation.mean_place, *(one.place for one in relation.offsets)]
        lows, highs = [[pick(place[i] for place in places) for i in (0, 1)] for pick in (min, max)]
        inner = area.adjusted(
            scaled_length(_MARGIN_X),
            scaled_length(_MARGIN_Y),
            -scaled_length(_MARGIN_X),
            -scaled_length(_MARGIN_Y),
        )
        spans = [max(high - low, 1e-9) for low, high in zip(lows, highs, strict=True)]
        self._scale = max(min(inner.width() / spans[0], inner.height() / spans[1]), 1e-9)
        self._middle = [(low + high) / 2 for low, high in zip(lows, highs, strict=True)]
        self._centre = inner.center()

    def at(self, place: tuple[float, float]) -> QPointF:
        across, up = (
            (value - middle) * self._scale
            for value, middle in zip(place, self._middle, strict=True)
        )
        return QPointF(self._centre.x() + across, self._centre.y() - up)


def paint_offsets(
    painter: QPainter,
    area: QRectF,
    relation: Relation,
    palette: Palette,
    emphasised: Collection[int] = (),
) -> None:
    """Every offset as a line with its second word at the end, the mean as an arrow, ``emphasised``
    ones strong.

    Words that would overlap are left out, outliers staying longest.
    """
    placing = PlaneMapping(area, relation)
    origin = placing.at((0.0, 0.0))
    tips = [placing.at(one.place) for one in relation.offsets]
    painter.setPen(QPen(QColor(palette.point), 1))
    painter.drawLines([QLineF(origin, tip) for tip in tips])
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(palette.point))
    for tip in tips:
        painter.drawEllipse(tip, 2, 2)
    strong = [at for at in emphasised if 0 <= at < len(tips)]
    mean = placing.at(relation.mean_place)
    # Places are given to what matters most first; it is drawn last, on top.
    above = [_Label(tr("mean"), mean, True, palette.text)]
    above += [
        _Label(
            paintable_text(f"{relation.offsets[at].a} → {relation.offsets[at].b}"),
            tips[at],
            True,
            palette.accent,
        )
        for at in strong
    ]
    order = sorted(range(len(tips)), key=lambda at: relation.offsets[at].cosine)
    below = [
        _Label(paintable_text(relation.offsets[at].b), tips[at], False, palette.muted)
        for at in order
        if at not in strong
    ]
    arrows = [QLineF(origin, mean), *(QLineF(origin, tips[at]) for at in strong)]
    placed = _place_labels([*above, *below], area, arrows)
    for label, place in placed[::-1]:
        if not label.strong:
            _draw_label(painter, label, place, palette)
    for at in strong:
        _draw_arrow(painter, origin, tips[at], QColor(palette.accent), 2.0)
    _draw_arrow(painter, origin, mean, QColor(palette.text), 2.5)
    painter.setBrush(QColor(palette.text))
    painter.drawEllipse(origin, 3, 3)
    for label, place in placed:
        if label.strong:
            _draw_label(painter, label, place, palette)


@dataclass(frozen=True)
class _Label:
    """A text beside the point ``tip``, in a colour #RRGGBB."""

    text: str
    tip: QPointF
    strong: bool
    colour: str

    @property
    def font(self) -> QFont:
        if self.strong:
            return body_font(TYPE_BODY, bold=True)
        return body_font(TYPE_SMALL)


def _place_labels(
    labels: Sequence[_Label], area: QRectF, arrows: Sequence[QLineF]
) -> list[tuple[_Label, QRectF]]:
    """Each label on the side of its point where there is room, or not at all; the first have the
    choice.

    Only strong labels may lie on ``arrows``.
    """
    strokes = [arrow.pointAt(step / 40) for arrow in arrows for step in range(41)]
    placed: list[tuple[_Label, QRectF]] = []
    for label in labels:
        size = QFontMetricsF(label.font).size(0, label.text)
        beside = label.tip.y() - size.height() / 2
        right, left = label.tip.x() + SPACE_1 + 1, label.tip.x() - SPACE_1 - 1 - size.width()
        corners = [(right, beside), (left, beside)]
        if label.strong:
            # It may say more than the others: rather above or below than over its own arrow.
            middle = label.tip.x() - size.width() / 2
            corners[1:1] = [
                (middle, label.tip.y() + _HEAD),
                (middle, label.tip.y() - _HEAD - size.height()),
            ]
        for corner in corners:
            place = QRectF(QPointF(*corner), size)
            free = area.contains(place) and not any(place.intersects(other) for _, other in placed)
            if free and (label.strong or not any(place.contains(stroke) for stroke in strokes)):
                placed.append((label, place))
                break
    return placed


def _draw_label(painter: QPainter, label: _Label, place: QRectF, palette: Palette) -> None:
    # Lines behind a word would strike it through.
    ground = QColor(palette.ground)
    ground.setAlphaF(0.6)
    if label.strong:
        ground.setAlphaF(0.85)
    painter.fillRect(place, ground)
    painter.setFont(label.font)
    painter.setPen(QColor(label.colour))
    painter.drawText(place, int(Qt.AlignmentFlag.AlignVCenter), label.text)


def _draw_arrow(
    painter: QPainter, start: QPointF, end: QPointF, colour: QColor, width: float
) -> None:
    line = QLineF(start, end)
    if line.length() < 1:
        return
    painter.setPen(QPen(colour, width))
    painter.drawLine(line)
    along = QPointF(line.dx() / line.length(), line.dy() / line.length())
    back = end - along * (_HEAD * 1.6)
    aside = QPointF(-along.y(), along.x()) * (_HEAD * 0.7)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([end, back + aside, back - aside]))


class OffsetsView(QWidget):
    """``picked`` tells the pair clicked by its place in the relation; ``pointed`` the one under the
    mouse, or −1.
    """

    picked = Signal(int)
    pointed = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._relation: Relation | None = None
        self._pointed = -1
        self._marked = -1
        self.setMouseTracking(True)
        set_scaled_size(self, least_width=180, least_height=120)
        theme.changed.connect(self.update)

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def put(self, relation: Relation | None) -> None:
        self._relation = relation
        self._pointed = self._marked = -1
        if relation is not None:
            self.setAccessibleDescription(
                tr(
                    "{number} offsets as arrows from one origin; {explained:.0%} of their squared "
                    "lengths lies in "
                    "this plane",
                    number=len(relation.offsets),
                    explained=relation.explained,
                )
            )
        self.update()

    def point(self, place: int) -> None:
        """Show a pair as pointed at, −1 for none, without a signal."""
        if place != self._pointed:
            self._pointed = place
            self.update()

    def mark(self, place: int) -> None:
        """Show a pair as picked, −1 for none, without a signal."""
        if place != self._marked:
            self._marked = place
            self.update()

    def tip(self, place: int) -> QPointF:
        """The end of a pair's arrow."""
        assert self._relation is not None
        return PlaneMapping(QRectF(self.rect()), self._relation).at(
            self._relation.offsets[place].place
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._relation is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        emphasised = dict.fromkeys(at for at in (self._pointed, self._marked) if at >= 0)
        paint_offsets(
            painter, QRectF(self.rect()), self._relation, self._theme.palette, tuple(emphasised)
        )
        painter.end()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        place = self._pair_at(event.position())
        if place != self._pointed:
            self.point(place)
            self.setCursor(Qt.CursorShape.ArrowCursor)
            if place >= 0:
                self.setCursor(Qt.CursorShape.PointingHandCursor)
            self.pointed.emit(place)

    def leaveEvent(self, event: QEvent) -> None:
        self.point(-1)
        self.pointed.emit(-1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        place = self._pair_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place >= 0:
            self.picked.emit(place)

    def _pair_at(self, point: QPointF) -> int:
        """The arrow at a point: the nearest end, or else the nearest line."""
        if self._relation is None:
            return -1
        placing = PlaneMapping(QRectF(self.rect()), self._relation)
        origin = placing.at((0.0, 0.0))
        best, least = -1, math.inf
        for at, one in enumerate(self._relation.offsets):
            tip = placing.at(one.place)
            distance = QLineF(tip, point).length()
            if distance > _NEAR:
                # Lines crowd at the origin: an end that is near goes before any line.
                distance = _NEAR + _line_distance(point, origin, tip)
            if distance < least:
                best, least = at, distance
        if least >= _NEAR + 4:
            return -1
        return best


def _line_distance(point: QPointF, start: QPointF, end: QPointF) -> float:
    """Distance to the outer half of a line."""
    along = end - start
    length = along.x() ** 2 + along.y() ** 2
    if not length:
        return QLineF(start, point).length()
    aside = point - start
    share = min(max((aside.x() * along.x() + aside.y() * along.y()) / length, 0.5), 1.0)
    return QLineF(start + along * share, point).length()
