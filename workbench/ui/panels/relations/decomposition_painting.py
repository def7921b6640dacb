"""Painting of the parts of an analogy's scores: rows of bars, legend, axis and the whole figure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen

from workbench.analysis.analogy.decomposition import Anatomy, Candidate
from workbench.core.language import tr
from workbench.ui.base.plain_text import paintable_text
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import MINUS, mark_unknown, true_minus
from workbench.ui.base.theme import (
    SPACE_1,
    SPACE_2,
    SPACE_3,
    SPACE_4,
    TYPE_BODY,
    TYPE_LARGE,
    TYPE_SMALL,
    Palette,
    body_font,
)
from workbench.ui.widgets.tables.score_list import shown_score

ROW, HEADER = 32, 40
WORD, NUMBER = 96, 42
# Room for longer words, in rows of at least this width.
_LONG_WORD, _WIDE_ROW = 132, 420
_LANE, _HATCH = 8, 5
# Minimum distance between two numbers of the axis.
_CLOSE = 30
# Width below which a word is unreadable.
_SHORTEST = 24
# The order in which terms are drawn: a and c one after the other, then b back from their end.
_ORDER = (0, 2, 1)
_TERM_COLOURS = (0, 1, 2)


@dataclass(frozen=True)
class ValueSpan:
    """The range of values that all rows share, which contains 0."""

    low: float
    high: float

    @classmethod
    def of(cls, candidates: Sequence[Candidate]) -> ValueSpan:
        """A range wide enough for the ends of all bars."""
        ends = [0.0]
        for one in candidates:
            a, b, c = one.parts
            ends += [end for end in (a, a + c, a + c + b) if math.isfinite(end)]
        return cls(min(ends), max(max(ends), min(ends) + 1e-9))

    def at(self, area: QRectF, value: float) -> float:
        """The x coordinate of a value in an area."""
        share = (value - self.low) / (self.high - self.low)
        return area.left() + area.width() * min(max(share, 0.0), 1.0)

    def ticks(self) -> list[float]:
        """Three to six round values for ticks."""
        step = 10.0 ** math.floor(math.log10(self.high - self.low))
        step = next(
            part for part in (step, step / 2, step / 5) if (self.high - self.low) / part >= 3
        )
        first = math.ceil(self.low / step - 1e-9)
        last = math.floor(self.high / step + 1e-9)
        return [step * number for number in range(first, last + 1)]


def paint_term(painter: QPainter, area: QRectF, term: int, palette: Palette) -> None:
    """Paint the bar of a (0), b (1, hatched because it is subtracted) or c (2).

    The hatching consists of lines, not a brush, which would look different on each screen and in
    each file.
    """
    colour = QColor(palette.runs[_TERM_COLOURS[term]])
    if term != 1:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        painter.drawRect(area)
        return
    painter.setPen(QPen(colour, 1))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawRect(area)
    lines = []
    for step in range(int((area.width() + area.height()) / _HATCH) + 1):
        foot = area.left() + step * _HATCH
        # Each line rises from the lower edge to the upper one, cut off at both sides.
        right = min(foot, area.right())
        left = max(foot - area.height(), area.left())
        if left < right:
            lines.append(
                QLineF(left, area.bottom() - (foot - left), right, area.bottom() - (foot - right))
            )
    painter.drawLines(lines)


def describe(anatomy: Anatomy, one: Candidate) -> str:
    """The numbers of a row: "queen: king .74 − man .46 + woman .69 = .97"."""
    if anatomy.method == "3cosadd":
        sums = [
            f"{_signed_text(part)} {word}"
            for word, part in zip(anatomy.query, one.parts, strict=True)
        ]
        return f"{one.word}: {'  '.join(sums)}  =  {true_minus(f'{one.total:.3f}')}"
    logs = [
        f"{_signed_text(part)} {word}" for word, part in zip(anatomy.query, one.parts, strict=True)
    ]
    return tr(
        "{word}: {join}  =  {total} = log {score}",
        word=one.word,
        join="  ".join(logs),
        total=true_minus(f"{one.total:.3f}"),
        score=true_minus(f"{one.score:.3f}"),
    )


@mark_unknown
def _signed_text(part: float) -> str:
    return true_minus(f"{part:+.3f}")


def paint_row(
    painter: QPainter, area: QRectF, anatomy: Anatomy, row: int, span: ValueSpan, palette: Palette
) -> None:
    """Paint one answer: its word, the bars on the shared range, its score."""
    one = anatomy.candidates[row]
    font = body_font(TYPE_BODY, bold=row == 0)
    painter.setFont(font)
    painter.setPen(QColor(palette.text))
    word = QRectF(area.left() + SPACE_2, area.top(), _word_width(area) - SPACE_2, area.height())
    fitted = QFontMetricsF(font).elidedText(
        paintable_text(one.word), Qt.TextElideMode.ElideRight, word.width()
    )
    painter.drawText(word, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), fitted)
    painter.setFont(body_font(TYPE_BODY, tabular=True))
    number = QRectF(
        area.right() - scaled_length(NUMBER),
        area.top(),
        scaled_length(NUMBER) - SPACE_2,
        area.height(),
    )
    painter.drawText(
        number,
        int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight),
        shown_score(one.score),
    )
    bars = bars_area(area)
    painter.setPen(QPen(QColor(palette.line), 1))
    zero = span.at(bars, 0.0)
    painter.drawLine(QPointF(zero, area.top()), QPointF(zero, area.bottom()))
    start = 0.0
    top = bars.center().y() - scaled_length(_LANE) - 1
    for term in _ORDER:
        end = start + one.parts[term]
        if not math.isfinite(end):
            end = span.low
        lane = top
        if term == 1:
            lane += scaled_length(_LANE) + 2
        left, right = sorted((span.at(bars, start), span.at(bars, end)))
        paint_term(
            painter, QRectF(left, lane, max(right - left, 0.5), scaled_length(_LANE)), term, palette
        )
        start = end
    if math.isfinite(one.total):
        painter.setPen(QPen(QColor(palette.text), 2))
        at = span.at(bars, one.total)
        painter.drawLine(QPointF(at, top - 2), QPointF(at, top + 2 * scaled_length(_LANE) + 4))


def _word_width(area: QRectF) -> int:
    """Width of the words in rows of this width."""
    if area.width() >= scaled_length(_WIDE_ROW):
        return scaled_length(_LONG_WORD)
    return scaled_length(WORD)


def bars_area(area: QRectF) -> QRectF:
    """The rectangle of a row's bars, between word and score."""
    return QRectF(
        area.left() + _word_width(area) + SPACE_2,
        area.top(),
        max(area.width() - _word_width(area) - scaled_length(NUMBER) - SPACE_3, 20),
        area.height(),
    )


def paint_axis(painter: QPainter, area: QRectF, span: ValueSpan, palette: Palette) -> None:
    """Paint the values above the bars, and the mark that stands for the score."""
    bars = bars_area(area)
    painter.setFont(body_font(TYPE_SMALL - 1, tabular=True))
    painter.setPen(QColor(palette.muted))
    number = QRectF(
        area.right() - scaled_length(NUMBER) - SPACE_2,
        area.top(),
        scaled_length(NUMBER),
        area.height(),
    )
    painter.drawText(
        number, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), tr("score")
    )
    mark = (
        number.right() - QFontMetricsF(painter.font()).horizontalAdvance(tr("score")) - SPACE_1 - 1
    )
    ticks = span.ticks()
    # Only every second one, including 0, if they would be too close together.
    close = len(ticks) > 1 and span.at(bars, ticks[1]) - span.at(bars, ticks[0]) < scaled_length(
        _CLOSE
    )
    first = min(range(len(ticks)), key=lambda at: abs(ticks[at]), default=0)
    if close:
        ticks = ticks[first % 2 :: 2]
    for value in ticks:
        text = true_minus(f"{value:.2g}") if abs(value) > 1e-12 else "0"
        at = span.at(bars, value)
        if at < mark - 16:
            painter.drawText(
                QRectF(at - 30, area.top(), 60, area.height()),
                int(Qt.AlignmentFlag.AlignCenter),
                text,
            )
    painter.setPen(QPen(QColor(palette.text), 2))
    painter.drawLine(QPointF(mark, area.center().y() - 5), QPointF(mark, area.center().y() + 5))


def legend(anatomy: Anatomy) -> tuple[str, str, str, str]:
    """Labels of the three bars and of the mark."""
    a, b, c = anatomy.query
    if anatomy.method == "3cosadd":
        return tr("near {a}", a=a), tr("less near {b}", b=b), tr("near {c}", c=c), tr("score")
    return tr("× near {a}", a=a), tr("÷ near {b}", b=b), tr("× near {c}", c=c), tr("score")


def paint_legend(painter: QPainter, area: QRectF, anatomy: Anatomy, palette: Palette) -> None:
    """Paint swatches with their labels side by side; where sentences have no room, signs replace
    them.
    """
    font = body_font(TYPE_SMALL)
    metrics = QFontMetricsF(font)
    painter.setFont(font)
    words: Sequence[str] = legend(anatomy)[:3]
    around = 12 + SPACE_1 + 2 + SPACE_2 + 1
    if SPACE_2 + sum(metrics.horizontalAdvance(word) + around for word in words) > area.width():
        signs = ("+", MINUS, "+") if anatomy.method == "3cosadd" else ("×", "÷", "×")
        words = [f"{sign} {word}" for sign, word in zip(signs, anatomy.query, strict=True)]
    left = area.left() + SPACE_2
    for term in _ORDER:
        swatch = QRectF(
            left, area.center().y() - scaled_length(_LANE) / 2, 12, scaled_length(_LANE)
        )
        paint_term(painter, swatch, term, palette)
        room = min(
            metrics.horizontalAdvance(words[term]) + 1, area.right() - swatch.right() - SPACE_1
        )
        if room < scaled_length(_SHORTEST):
            return
        painter.setPen(QColor(palette.muted))
        text = QRectF(swatch.right() + SPACE_1 + 2, area.top(), room, area.height())
        fitted = metrics.elidedText(paintable_text(words[term]), Qt.TextElideMode.ElideRight, room)
        painter.drawText(
            text, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), fitted
        )
        left = text.right() + SPACE_2


def paint_header(
    painter: QPainter, width: float, anatomy: Anatomy, span: ValueSpan, palette: Palette
) -> None:
    paint_legend(painter, QRectF(0, 0, width, scaled_length(22)), anatomy, palette)
    paint_axis(
        painter,
        QRectF(0, scaled_length(22), width, scaled_length(HEADER) - scaled_length(22)),
        span,
        palette,
    )


def score_formula(anatomy: Anatomy) -> str:
    """The formula of the score with this analogy's words."""
    a, b, c = anatomy.query
    if anatomy.method == "3cosadd":
        return tr(
            "score = (cos(x, {a}) {MINUS} cos(x, {b}) + cos(x, {c})) / {length:.2f}",
            a=a,
            MINUS=MINUS,
            b=b,
            c=c,
            length=anatomy.length,
        )
    return tr(
        "log score = log s(x, {a}) {MINUS} log(s(x, {b}) + 0.001) + log s(x, {c}), s = (1 + cos)/2",
        a=a,
        MINUS=MINUS,
        b=b,
        c=c,
    )


_WIDE = 720
_ABOVE = 64


def figure_size(anatomy: Anatomy) -> QSize:
    """Size of the figure that :func:`paint_figure` paints, in device-independent pixels."""
    return QSize(
        _WIDE,
        scaled_length(_ABOVE)
        + scaled_length(HEADER)
        + scaled_length(ROW) * len(anatomy.candidates)
        + SPACE_4,
    )


def paint_figure(painter: QPainter, anatomy: Anatomy, palette: Palette) -> None:
    """Paint the question, the formula of the score and all answers, on the palette's surface."""
    size = figure_size(anatomy)
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), QColor(palette.surface))
    painter.translate(SPACE_3, SPACE_3)
    width = size.width() - 2.0 * SPACE_3
    a, b, c = anatomy.query
    for text, font, colour, top in (
        (f"{a} {MINUS} {b} + {c}", body_font(TYPE_LARGE, bold=True), palette.text, 0.0),
        (score_formula(anatomy), body_font(TYPE_SMALL), palette.muted, 24.0),
    ):
        painter.setFont(font)
        painter.setPen(QColor(colour))
        fitted = QFontMetricsF(font).elidedText(
            paintable_text(text), Qt.TextElideMode.ElideRight, width - SPACE_2
        )
        painter.drawText(
            QRectF(SPACE_2, top, width, scaled_length(22)),
            int(Qt.AlignmentFlag.AlignVCenter),
            fitted,
        )
    painter.translate(0, scaled_length(_ABOVE) - SPACE_3)
    span = ValueSpan.of(anatomy.candidates)
    paint_header(painter, width, anatomy, span, palette)
    for row in range(len(anatomy.candidates)):
        paint_row(
            painter,
            QRectF(0, scaled_length(HEADER) + row * scaled_length(ROW), width, scaled_length(ROW)),
            anatomy,
            row,
            span,
            palette,
        )
