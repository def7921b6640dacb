"""Drawing of a network: the word in the middle, its collocates around it, and theirs outside."""

from __future__ import annotations

import math

from PySide6.QtCore import QMarginsF, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from workbench.analysis.collocations.collocates import Collocate, Network, strength
from workbench.analysis.collocations.network_layout import (
    INNER,
    OUTER,
    NetworkLayout,
    Place,
    lay_out,
)
from workbench.core.language import plural, tr
from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import TYPE_SMALL, Palette, Theme, body_font
from workbench.ui.plots.frame import Extent, Frame
from workbench.ui.plots.pane import Pane
from workbench.ui.plots.view import FigureView

# Room for names around the circles, as a share of the radius, and how near a click must be.
_ROOM, _REACH, _HIGH = 0.2, 14.0, 16.0
_WIDEST = 150.0


class NetworkView(FigureView):
    """A network. Thick lines are high scores; ``picked`` carries a word that was clicked or reached
    by arrow keys.
    """

    picked = Signal(str)
    file_size = QSize(900, 760)
    found: Network | None = None

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, (Pane(left=False, bottom=False),))
        self._layout = NetworkLayout({}, frozenset())
        self._measure = ""
        self._current = ""

    def set_network(self, found: Network | None, measure: str) -> None:
        """Draw another network, whose lines are as thick as ``measure`` is high."""
        self.found, self._measure, self._current = found, measure, ""
        self._layout = NetworkLayout({}, frozenset()) if found is None else lay_out(found)
        if found is not None:
            self.headings = (tr("Collocations of {word}", word=found.word),)
            words = ", ".join(edge.other for edge in found.first)
            self.setAccessibleDescription(
                tr(
                    "{collocates} of {word}: {words}",
                    collocates=plural(len(found.first), "collocate"),
                    word=found.word,
                    words=words,
                )
            )
        self.update_figure(None if found is None else found.word)

    def extent(self, pane: Pane) -> Extent | None:
        if self.found is None:
            return None
        reach = (OUTER if self.found.second else INNER) * (1 + _ROOM)
        return (-reach, reach), (-reach, reach)

    def margins(self) -> QMarginsF:
        return QMarginsF(4, 4, 4, 4)

    # -- painting

    def draw(self, painter: QPainter, frame: Frame, colours: Palette) -> None:
        found = self.found
        if found is None:
            return
        painter.setClipRect(frame.area)
        scores = [edge.score(self._measure) for edge in (*found.first, *found.second)]
        largest = max(scores, default=0.0)
        for edges, colour in ((found.second, colours.line), (found.first, colours.accent)):
            for edge in edges:
                self._draw_edge(painter, frame, edge, QColor(colour), largest)
        painter.setFont(body_font(TYPE_SMALL))
        for word, place in self._layout.places.items():
            if word != found.word:
                outer = word in self._layout.outside
                self._draw_name(painter, frame, (word, place), colours, outer)
        painter.setFont(body_font(bold=True))
        self._draw_name(painter, frame, (found.word, (0.0, 0.0)), colours, False)

    def _draw_edge(
        self, painter: QPainter, frame: Frame, edge: Collocate, colour: QColor, largest: float
    ) -> None:
        wide = 0.6 + 4 * math.sqrt(strength(edge.score(self._measure), largest))
        painter.setPen(QPen(colour, scaled_length(wide)))
        painter.drawLine(
            _pixel(frame, self._layout.places[edge.word]),
            _pixel(frame, self._layout.places[edge.other]),
        )

    def _draw_name(
        self,
        painter: QPainter,
        frame: Frame,
        named: tuple[str, Place],
        colours: Palette,
        outer: bool,
    ) -> None:
        """A dot and a word on the side away from the middle, on the ground of the figure."""
        word, (x, y) = named
        dot = _pixel(frame, (x, y))
        metrics = QFontMetricsF(painter.font())
        text = metrics.elidedText(paintable_text(word), Qt.TextElideMode.ElideRight, _WIDEST)
        wide, high = metrics.horizontalAdvance(text) + 4, scaled_length(_HIGH)
        left, top = dot.x() - wide / 2, dot.y() + 6
        if abs(x) > 0.08:
            left, top = (dot.x() + 6 if x > 0 else dot.x() - wide - 6), dot.y() - high / 2
        elif y <= 0:
            top = dot.y() - high - 6
        # A name at the edge moves over its dot rather than out of the picture.
        left = max(min(left, frame.area.right() - wide), frame.area.left())
        box = QRectF(left, top, wide, high)
        ground = QColor(colours.surface)
        ground.setAlphaF(0.85)
        painter.fillRect(box, ground)
        ink = QColor(colours.muted if outer else colours.text)
        if word == self._current:
            ink = QColor(colours.accent)
        painter.setPen(QPen(ink, scaled_length(5 if outer else 7), c=Qt.PenCapStyle.RoundCap))
        painter.drawPoint(dot)
        painter.drawText(box, int(Qt.AlignmentFlag.AlignCenter), text)

    # -- input

    def place_of(self, word: str) -> QPointF:
        """Position of a word on the widget."""
        return _pixel(self.frame, self._layout.places[word])

    def point(self, place: QPointF | None) -> None:
        near = "" if place is None else self._word_at(place)
        shape = Qt.CursorShape.PointingHandCursor if near else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)

    def click(self, place: QPointF) -> None:
        word = self._word_at(place)
        if word:
            self._pick(word)

    def walk(self, key: Qt.Key) -> bool:
        words = list(self._layout.places)
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
        if key not in steps or not words:
            return False
        at = words.index(self._current) + steps[key] if self._current in words else 0
        self._pick(words[at % len(words)])
        return True

    def _pick(self, word: str) -> None:
        self._current = word
        self.redraw()
        self.picked.emit(word)

    def _word_at(self, place: QPointF) -> str:
        frame = self.frame
        away = {
            word: (_pixel(frame, at) - place).manhattanLength()
            for word, at in self._layout.places.items()
        }
        word = min(away, key=lambda each: away[each], default="")
        return word if word and away[word] <= scaled_length(_REACH) else ""


def _pixel(frame: Frame, place: Place) -> QPointF:
    """y is down in the layout, up in the frame; circles stay round."""
    return frame.place(place[0], -place[1])
