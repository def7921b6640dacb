"""The line of text of a training step: its window, dropped words, and the random numbers drawn."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from workbench.analysis.step.step import StepWindow, Token
from workbench.core.language import tr, trn
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import count
from workbench.ui.base.theme import SPACE_1, TYPE_LARGE, Palette, body_font
from workbench.ui.plots.paint_kit import (
    CENTRE,
    FigurePart,
    Hit,
    draw_text,
    fixed_decimals,
    small_font,
    wrap_lines,
)

_LINE, _PAD = 30.0, 5.0
_NOTE = 18.0


class LinePart(FigurePart):
    """The words around the centre word, which is in the accent colour, with a band behind the
    words of the window.
    """

    def __init__(self, window: StepWindow, width: float) -> None:
        super().__init__(width)
        self.window = window
        self.title = tr("TOKEN {count}", count=count(window.position + 1))
        self._boxes: list[QRectF] = []
        metrics = QFontMetricsF(body_font(TYPE_LARGE, bold=True))
        left, top = 0.0, 0.0
        for token in window.tokens:
            wide = metrics.horizontalAdvance(token.word) + 2 * scaled_length(_PAD)
            if left and left + wide > width:
                left, top = 0.0, top + scaled_length(_LINE)
            self._boxes.append(QRectF(left, top + 2, min(wide, width), scaled_length(_LINE) - 4))
            left += wide
        self._note_top = top + scaled_length(_LINE) + SPACE_1
        self._notes = wrap_lines(window_text(window), small_font(), width)
        self.height = self._note_top + scaled_length(_NOTE) * len(self._notes)

    def place(self, kind: str, number: int) -> QRectF | None:
        if kind != "token" or not 0 <= number < len(self._boxes):
            return None
        return self._boxes[number]

    def at(self, point: QPointF) -> Hit | None:
        for number, box in enumerate(self._boxes):
            if box.contains(point):
                return Hit("token", number, token_text(self.window.tokens[number]))
        return None

    def paint(self, painter: QPainter, palette: Palette) -> None:
        window = self.window
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(palette.accent_soft))
        for band in self._bands():
            painter.drawRoundedRect(band, 6, 6)
        painter.setBrush(QColor(palette.accent))
        painter.drawRoundedRect(self._boxes[window.centre], 6, 6)
        for number, (token, box) in enumerate(zip(window.tokens, self._boxes, strict=True)):
            colour = palette.muted
            if number == window.centre:
                colour = palette.on_accent
            elif number in window.inside:
                colour = palette.text
            font = body_font(TYPE_LARGE, bold=number == window.centre)
            draw_text(painter, box, token.word, font, colour, CENTRE)
            if token.fate != "used":
                painter.setPen(QPen(QColor(palette.muted), 1.5))
                middle = box.center().y() + 1
                painter.drawLine(QPointF(box.left() + 3, middle), QPointF(box.right() - 3, middle))
        for number, line in enumerate(self._notes):
            area = QRectF(
                0, self._note_top + number * scaled_length(_NOTE), self.width, scaled_length(_NOTE)
            )
            draw_text(painter, area, line, small_font(), palette.muted)

    def _bands(self) -> list[QRectF]:
        """Bands from the first word of the window to the last, one per line of text."""
        places = [*self.window.inside, self.window.centre]
        bands: list[QRectF] = []
        for box in self._boxes[min(places) : max(places) + 1]:
            if bands and bands[-1].top() == box.top():
                bands[-1] = bands[-1].united(box)
            else:
                bands.append(QRectF(box))
        return bands


def window_text(window: StepWindow) -> str:
    """Describe the window with the random numbers that determined it."""
    if window.radius == window.reach and window.draw == 0.0:
        parts = [
            trn(
                "Window of {number} word on each side.",
                "Window of {number} words on each side.",
                window.radius,
            )
        ]
    else:
        parts = [
            tr(
                "Window of {radius} of at most {reach} on each side (drew {draw}).",
                radius=window.radius,
                reach=window.reach,
                draw=fixed_decimals(window.draw),
            )
        ]
    places = [*window.inside, window.centre]
    near = window.tokens[max(min(places) - 1, 0) : max(places) + 2]
    dropped = [
        tr(
            "{word} (kept with {kept}, drew {draw})",
            word=one.word,
            kept=fixed_decimals(one.kept),
            draw=fixed_decimals(one.draw),
        )
        for one in _tokens_with_fate(near, "dropped")
    ]
    rare = [one.word for one in _tokens_with_fate(near, "rare")]
    if dropped:
        parts.append(tr("Dropped by subsampling: {join}.", join=", ".join(dropped)))
    if rare:
        parts.append(tr("Too rare: {join}.", join=", ".join(rare)))
    return " ".join(parts)


def token_text(token: Token) -> str:
    """Describe a token: used, dropped or too rare, and why."""
    if token.fate == "rare":
        return tr("{word}: not in the vocabulary, skipped when windows are formed", word=token.word)
    word, kept, draw = token.word, fixed_decimals(token.kept, 4), fixed_decimals(token.draw, 4)
    if token.fate == "used":
        return tr(
            "{word}: kept with probability {kept}, drew {draw}", word=word, kept=kept, draw=draw
        )
    return tr(
        "{word}: kept with probability {kept}, drew {draw}: dropped",
        word=word,
        kept=kept,
        draw=draw,
    )


def _tokens_with_fate(tokens: tuple[Token, ...], fate: str) -> list[Token]:
    return [token for token in tokens if token.fate == fate]
