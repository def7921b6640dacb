"""A lesson as a card: picture, title, what it is about, length and progress."""

from __future__ import annotations

from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFontMetrics,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton

from workbench.core.language import tr, trn
from workbench.session.lessons.lesson import Lesson
from workbench.session.lessons.progress import Standing
from workbench.ui.base.elided import break_lines
from workbench.ui.base.plain_text import paintable_text, safe_tip
from workbench.ui.base.scaling import body_font, scaled_length
from workbench.ui.base.theme import SPACE_1, SPACE_2, SPACE_3, TYPE_LARGE, TYPE_SMALL, Theme
from workbench.ui.panels.learn.motifs import paint_motif

LEVEL_TITLES = {
    "beginner": tr("beginner"),
    "intermediate": tr("intermediate"),
    "advanced": tr("advanced"),
}
# Colours of runs by level.
_HUES = {"beginner": 0, "intermediate": 2, "advanced": 7}
_PICTURE, _ROUND, _TITLE_LINES, _ABOUT_LINES = 76, 10, 3, 6
# Letters may reach below the last line by a part of a pixel.
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextDontClip


class _Block(NamedTuple):
    """Text broken into lines, and its place."""

    place: QRectF
    text: str


class _Boxes(NamedTuple):
    picture: QRectF
    title: _Block
    about: _Block
    foot: QRectF
    height: float


class LessonCard(QAbstractButton):
    """A button as large as a card. ``arrow(key)``: an arrow key was pressed on it."""

    arrow = Signal(int)

    def __init__(self, theme: Theme, lesson: Lesson, standing: Standing, name: str) -> None:
        super().__init__()
        self.lesson, self.standing = lesson, standing
        self._theme = theme
        self.setObjectName(name)
        self.setText(lesson.title)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAccessibleName(lesson.title)
        level = LEVEL_TITLES[lesson.level].capitalize()
        self.setAccessibleDescription(f"{lesson.about} {level}, {self.facts}. {self.progress}")
        self.setToolTip(safe_tip(lesson.about))
        theme.changed.connect(self.update)

    @property
    def facts(self) -> str:
        """Length of the lesson."""
        steps = trn("one step", "{number} steps", len(self.lesson.steps))
        return f"{tr('{minutes} min', minutes=self.lesson.minutes)} · {steps}"

    @property
    def progress(self) -> str:
        """The reader’s progress in words, or ""."""
        if self.standing.started:
            return tr(
                "Step {step} of {steps}", step=self.standing.step, steps=len(self.lesson.steps)
            )
        return tr("✓ Done") if self.standing.done else ""

    def sizeHint(self) -> QSize:
        return QSize(scaled_length(260), self.height_at(scaled_length(260)))

    def height_at(self, width: float) -> int:
        """Height of a card of this width."""
        return round(self._boxes(width).height)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down):
            self.arrow.emit(key)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def _boxes(self, width: float) -> _Boxes:
        side = scaled_length(float(SPACE_3))
        left, wide = side, width - 2 * side
        top = scaled_length(float(_PICTURE)) + scaled_length(float(SPACE_3))
        picture = QRectF(1, 1, width - 2, scaled_length(float(_PICTURE)))
        title, about = QFontMetrics(body_font(TYPE_LARGE, bold=True)), QFontMetrics(body_font())
        small = QFontMetricsF(body_font(TYPE_SMALL))

        def block(metrics: QFontMetrics, text: str, most: int) -> _Block:
            lines = break_lines(paintable_text(text), metrics, int(wide), most)
            height = (lines.count("\n") + 1) * metrics.lineSpacing() + 1
            return _Block(QRectF(left, top, wide, height), lines)

        titled = block(title, self.lesson.title, _TITLE_LINES)
        top = titled.place.bottom() + scaled_length(float(SPACE_1))
        body = block(about, self.lesson.about, _ABOUT_LINES)
        top = body.place.bottom() + scaled_length(float(SPACE_3))
        foot = QRectF(left, top, wide, small.height())
        return _Boxes(picture, titled, body, foot, foot.bottom() + scaled_length(float(SPACE_3)))

    def paintEvent(self, event: QPaintEvent) -> None:
        colours, boxes = self._theme.palette, self._boxes(self.width())
        hue = QColor(colours.runs[_HUES[self.lesson.level]])
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        thick = 2.0 if self.hasFocus() else 1.0
        frame = QRectF(self.rect()).adjusted(thick / 2, thick / 2, -thick / 2, -thick / 2)
        shape = QPainterPath()
        shape.addRoundedRect(frame, _ROUND, _ROUND)
        painter.fillPath(shape, QColor(colours.hover if self.isDown() else colours.surface))
        painter.save()
        painter.setClipPath(shape)
        ground = QColor(hue)
        ground.setAlphaF(0.16 if self.underMouse() else 0.10)
        painter.fillRect(boxes.picture, ground)
        paint_motif(painter, boxes.picture.adjusted(0, 4, 0, -4), self.lesson, hue)
        self._paint_bar(painter, boxes, hue)
        painter.restore()
        self._paint_texts(painter, boxes)
        rim = colours.accent if self.hasFocus() or self.underMouse() else colours.line
        painter.setPen(QPen(QColor(rim), thick))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(shape)
        painter.end()

    def _paint_bar(self, painter: QPainter, boxes: _Boxes, hue: QColor) -> None:
        """The part of the lesson that was read, below the picture."""
        share = 1.0 if self.standing.done else 0.0
        if self.standing.started:
            share = (self.standing.step - 1) / len(self.lesson.steps)
        bar = QRectF(boxes.picture)
        bar.setTop(bar.bottom() - 3)
        bar.setWidth(bar.width() * share)
        painter.fillRect(bar, hue)

    def _paint_texts(self, painter: QPainter, boxes: _Boxes) -> None:
        colours = self._theme.palette
        painter.setPen(QColor(colours.text))
        painter.setFont(body_font(TYPE_LARGE, bold=True))
        painter.drawText(boxes.title.place, _LEFT, boxes.title.text)
        painter.setPen(QColor(colours.muted))
        painter.setFont(body_font())
        painter.drawText(boxes.about.place, _LEFT, boxes.about.text)
        # The foot stays at the bottom if other cards of the row are higher.
        foot = boxes.foot.translated(0, self.height() - boxes.height)
        painter.setFont(body_font(TYPE_SMALL))
        painter.drawText(foot, Qt.AlignmentFlag.AlignLeft, self.facts)
        if self.progress:
            painter.setFont(body_font(TYPE_SMALL, bold=True))
            painter.setPen(QColor(colours.accent if self.standing.started else colours.good))
            painter.drawText(
                foot.adjusted(SPACE_2, 0, 0, 0), Qt.AlignmentFlag.AlignRight, self.progress
            )
