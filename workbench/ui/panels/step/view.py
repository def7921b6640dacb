"""The widget that shows a training step and its chosen decision or vector."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from workbench.analysis.step.step import TrainingStep
from workbench.core.language import tr
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.theme import SPACE_3, Theme
from workbench.ui.panels.step.figure import StepFigure
from workbench.ui.panels.step.formula import formula
from workbench.ui.panels.step.grid import decision_text
from workbench.ui.plots.paint_kit import Hit

_LEAST = 480


class StepView(QWidget):
    """Draws one step, as tall as necessary.

    Right or Space request the next step, Left the previous one; Up and Down move between decisions.
    ``picked`` carries a clicked word of the text, ``moved`` the position of the chosen decision.
    """

    forward = Signal()
    back = Signal()
    picked = Signal(str)
    moved = Signal(QRect)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.step: TrainingStep | None = None
        self.pair = 0
        self.vector = 0
        self._figure: StepFigure | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        set_scaled_size(self, least_width=_LEAST)
        theme.changed.connect(self.update)

    def put(self, step: TrainingStep | None) -> None:
        """Show another step; the same row and column stay chosen if they exist."""
        before = self.step
        self.step = step
        if step is None or before is None or before.algorithm != step.algorithm:
            self.pair = 0
        elif before.columns and step.columns:
            row, column = divmod(self.pair, before.columns)
            row = min(row, len(step.pairs) // step.columns - 1)
            self.pair = row * step.columns + min(column, step.columns - 1)
        if step is not None:
            self.vector = self._vector_of(self.pair)
        self._lay_out()

    @property
    def figure(self) -> StepFigure | None:
        return self._figure

    def choose_pair(self, number: int) -> None:
        if self.step is not None and 0 <= number < len(self.step.pairs):
            self.pair = number
            self.vector = self._vector_of(number)
            self._lay_out()
            self.moved.emit(self.place("pair", number))

    def choose_vector(self, number: int) -> None:
        if self.step is not None and 0 <= number < len(self.step.all_changes):
            self.vector = number
            self._lay_out()

    def place(self, kind: str, number: int) -> QRect:
        """The rectangle of a "token", "pair" or "vector", in pixels of the widget."""
        if self._figure is None:
            return QRect()
        area = self._figure.place(kind, number)
        if area is None:
            return QRect()
        return area.translated(SPACE_3, SPACE_3).toAlignedRect()

    def _vector_of(self, pair: int) -> int:
        """The vector of the row, among the two vectors of a decision."""
        step = self.step
        if step is None or not step.pairs or step.hidden is not None:
            return 0
        return step.pairs[pair].input

    def _lay_out(self) -> None:
        if self.step is None:
            self._figure = None
        else:
            width = max(self.width() - 2 * SPACE_3, _LEAST - 2 * SPACE_3)
            self._figure = StepFigure(self.step, self.pair, self.vector, width)
            height = round(self._figure.height) + 2 * SPACE_3
            if self.minimumHeight() != height:
                self.setMinimumHeight(height)
            self.setAccessibleDescription(describe(self.step, self.pair))
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(720, self.minimumHeight())

    # -- input

    def _hit_at(self, point: QPointF) -> Hit | None:
        if self._figure is None:
            return None
        return self._figure.at(point - QPointF(SPACE_3, SPACE_3))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        hit = self._hit_at(event.position())
        if hit is None or event.button() != Qt.MouseButton.LeftButton or self.step is None:
            return
        if hit.kind == "pair":
            self.choose_pair(hit.number)
        elif hit.kind == "vector":
            self.choose_vector(hit.number)
        elif self.step.window is not None:
            self.picked.emit(self.step.window.tokens[hit.number].word)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        shape = Qt.CursorShape.ArrowCursor
        if self._hit_at(event.position()):
            shape = Qt.CursorShape.PointingHandCursor
        if self.cursor().shape() != shape:
            self.setCursor(shape)

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent):
            hit, tip = self._hit_at(QPointF(event.pos())), ""
            if hit is not None:
                tip = hit.tip
            QToolTip.showText(event.globalPos(), safe_tip(tip), self)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Right, Qt.Key.Key_Space):
            self.forward.emit()
        elif key == Qt.Key.Key_Left:
            self.back.emit()
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and self.step is not None and self.step.pairs:
            self.choose_pair(self.pair + (1 if key == Qt.Key.Key_Down else -1))
        else:
            super().keyPressEvent(event)

    # -- drawing

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._lay_out()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self._figure is not None:
            painter.translate(SPACE_3, SPACE_3)
            self._figure.paint(painter, self._theme.palette)
            painter.resetTransform()
        if self.hasFocus():
            painter.setPen(QPen(QColor(self._theme.palette.accent), 1))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()


def describe(step: TrainingStep, pair: int) -> str:
    """Describe the step for people who can't see it."""
    parts = [tr("Step {number}, loss {loss:.4f}.", number=step.number, loss=step.loss)]
    if step.window is not None:
        around = ", ".join(step.window.tokens[place].word for place in step.window.inside)
        parts.append(tr("Centre {word}, window {around}.", word=step.window.word, around=around))
    if step.pairs:
        parts.append(f"{decision_text(step, step.pairs[pair])}.")
    parts += [f"{name}: {equation}." for name, equation in formula(step, pair)]
    return " ".join(parts)
