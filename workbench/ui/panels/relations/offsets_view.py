"""The offsets of a relation as arrows from one origin, in their plane."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QLineF, QMarginsF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPen, QPolygonF

from workbench.analysis.analogy.offsets import Relation
from workbench.core.language import tr
from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.theme import SPACE_1, TYPE_BODY, TYPE_SMALL, Palette, Theme, body_font
from workbench.ui.plots.frame import Extent, Frame, interval
from workbench.ui.plots.pane import Pane
from workbench.ui.plots.view import FigureView

_NEAR = 9.0
# Room for the words beside the arrows, as a share of the plane.
_MARGIN_X, _MARGIN_Y = 0.16, 0.09
_HEAD = 6.0
_STEPS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1, Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1}


class OffsetsView(FigureView):
    """The arrows. ``picked`` carries the index of the clicked pair in the relation; ``pointed``
    that of the pair under the pointer or reached by the arrow keys, or −1.
    """

    picked = Signal(int)
    pointed = Signal(int)
    file_size = QSize(720, 560)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, (Pane(left=False, bottom=False, locked=True),))
        self._relation: Relation | None = None
        # The origin, the end of the mean and the ends of all offsets, in the plane.
        self._ends = np.zeros((2, 2))
        self._pointed = -1
        self._marked = -1
        set_scaled_size(self, least_width=180, least_height=120)

    def sizeHint(self) -> QSize:
        return QSize(320, 240)

    def put(self, relation: Relation | None) -> None:
        self._relation = relation
        self._pointed = self._marked = -1
        kind = None
        if relation is not None:
            kind = relation.pairs
            places = [one.place for one in relation.offsets]
            self._ends = np.array([(0.0, 0.0), relation.mean_place, *places])
            self.setAccessibleDescription(
                tr(
                    "{number} offsets as arrows from one origin; this plane explains "
                    "{explained:.0%} of their squared norms",
                    number=len(relation.offsets),
                    explained=relation.explained,
                )
            )
        self.update_figure(kind)

    def extent(self, pane: Pane) -> Extent | None:
        if self._relation is None:
            return None
        x, y = self._ends.T
        return interval([x], False, margin=_MARGIN_X), interval([y], False, margin=_MARGIN_Y)

    def margins(self) -> QMarginsF:
        return QMarginsF()

    def set_pointed(self, place: int) -> None:
        """Highlight a pair as under the pointer, −1 for none, without a signal."""
        if place != self._pointed:
            self._pointed = place
            self.redraw()

    def mark(self, place: int) -> None:
        """Mark a pair as picked, −1 for none, without a signal."""
        if place != self._marked:
            self._marked = place
            self.redraw()

    def tip(self, place: int) -> QPointF:
        """The end of a pair's arrow, in pixels."""
        return self._positions(self.frame)[place + 2]

    def _positions(self, frame: Frame) -> list[QPointF]:
        """The origin, the end of the mean and the ends of all offsets, in pixels."""
        places = np.stack([frame.x(self._ends[:, 0]), frame.y(self._ends[:, 1])], axis=1)
        return [QPointF(x, y) for x, y in places.tolist()]

    # -- painting

    def save_picture(self, painter: QPainter) -> None:
        """Paint the figure for a file, without the marks of the pointer and the picked pair."""
        marks, self._pointed, self._marked = (self._pointed, self._marked), -1, -1
        super().save_picture(painter)
        self._pointed, self._marked = marks

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        """Draw each offset as a line that ends in its second word, the mean as an arrow, and the
        pairs under the pointer and picked in bold.

        Words that would overlap are left out, outliers last.
        """
        relation = self._relation
        assert relation is not None
        painter.setClipRect(frame.room)
        origin, mean, *tips = self._positions(frame)
        painter.setPen(QPen(QColor(colours.point), 1))
        painter.drawLines([QLineF(origin, tip) for tip in tips])
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.point))
        for tip in tips:
            painter.drawEllipse(tip, 2, 2)
        strong = [at for at in dict.fromkeys((self._pointed, self._marked)) if at >= 0]
        # The most important labels are placed first, and drawn last, on top.
        labels = [_Label(tr("mean"), mean, True, colours.text)]
        for at in strong:
            pair = relation.offsets[at]
            text = paintable_text(f"{pair.a} → {pair.b}")
            labels.append(_Label(text, tips[at], True, colours.accent))
        labels += [
            _Label(paintable_text(relation.offsets[at].b), tips[at], False, colours.muted)
            for at in sorted(range(len(tips)), key=lambda at: relation.offsets[at].cosine)
            if at not in strong
        ]
        arrows = [QLineF(origin, mean), *(QLineF(origin, tips[at]) for at in strong)]
        placed = _place_labels(labels, frame.area, arrows)
        for label, place in placed[::-1]:
            if not label.strong:
                _draw_label(painter, label, place, colours)
        for at in strong:
            _draw_arrow(painter, origin, tips[at], QColor(colours.accent), 2.0)
        _draw_arrow(painter, origin, mean, QColor(colours.text), 2.5)
        painter.setBrush(QColor(colours.text))
        painter.drawEllipse(origin, 3, 3)
        for label, place in placed:
            if label.strong:
                _draw_label(painter, label, place, colours)

    # -- input

    def point(self, place: QPointF | None) -> None:
        at = self._pair_at(place) if place is not None else -1
        shape = Qt.CursorShape.PointingHandCursor if at >= 0 else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        self._point_at(at)

    def _point_at(self, at: int) -> None:
        if at != self._pointed:
            self.set_pointed(at)
            self.pointed.emit(at)

    def click(self, place: QPointF) -> None:
        at = self._pair_at(place)
        if at >= 0:
            self.picked.emit(at)

    def walk(self, key: Qt.Key) -> bool:
        if self._relation is None:
            return False
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._pointed >= 0:
            self.picked.emit(self._pointed)
            return True
        if key not in _STEPS:
            return False
        last = len(self._relation.offsets) - 1
        self._point_at(min(max(self._pointed + _STEPS[key], 0), last))
        return True

    def _pair_at(self, point: QPointF) -> int:
        """The pair at a point: the one with the nearest end, or else with the nearest line."""
        if self._relation is None:
            return -1
        origin, _, *tips = self._positions(self.frame)
        distances = [_distance(point, origin, tip) for tip in tips]
        best = int(np.argmin(distances))
        if distances[best] >= _NEAR + 4:
            return -1
        return best


def _distance(point: QPointF, origin: QPointF, tip: QPointF) -> float:
    """Distance to the end of a line, or if that is far, to its outer half: lines crowd near the
    origin, so a near end takes precedence over any line.
    """
    away = QLineF(tip, point).length()
    if away > _NEAR:
        return _NEAR + _line_distance(point, origin, tip)
    return away


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
    """Place each label on a side of its point with enough room, or leave it out; first labels
    first.

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
            # A strong label has a longer text: rather above or below its point than on its own
            # arrow.
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
    # Lines behind a word would look like a strikethrough.
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


def _line_distance(point: QPointF, start: QPointF, end: QPointF) -> float:
    """Distance to the outer half of a line, in pixels."""
    along = end - start
    length = along.x() ** 2 + along.y() ** 2
    if not length:
        return QLineF(start, point).length()
    aside = point - start
    share = min(max((aside.x() * along.x() + aside.y() * along.y()) / length, 0.5), 1.0)
    return QLineF(start + along * share, point).length()
