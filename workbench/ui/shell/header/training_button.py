"""Train and pause from the window's header, with a sparkline of the loss."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QWidget

from workbench.core.language import tr
from workbench.session.runs.run_record import State
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.session_timer import Bridge
from workbench.ui.base.text import decimal
from workbench.ui.base.theme import SPACE_1, Theme

# Size of the sparkline, and its width beside a button without text.
_WIDTH, _HEIGHT = 72, 26
_NARROW = 44
_POINTS = 72
# Text, icon and tooltip of the button by the current state.
_TEXTS = {
    "idle": (tr("Train"), "play", tr("Train with the settings of the form  Ctrl+Return")),
    "training": (tr("Pause"), "pause", tr("Pause the training  Ctrl+P")),
    "paused": (tr("Continue"), "play", tr("Continue the training  Ctrl+P")),
}


class Sparkline(QWidget):
    """The loss of the training so far, above a progress bar."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._losses: list[float] = []
        self._progress = 0.0
        self._width = _WIDTH
        self.setObjectName("window.sparkline")
        self.setAccessibleName(tr("Loss"))

    def sizeHint(self) -> QSize:
        return QSize(scaled_length(self._width), scaled_length(_HEIGHT))

    def set_narrow(self, narrow: bool) -> None:
        """Leave more room for other parts of the header."""
        self._width = _NARROW if narrow else _WIDTH
        self.updateGeometry()

    def show_trace(self, losses: list[float], progress: float) -> None:
        if losses == self._losses and progress == self._progress:
            return
        self._losses, self._progress = losses, progress
        if losses:
            text = tr("loss {loss}", loss=decimal(losses[-1]))
            self.setToolTip(safe_tip(text))
            self.setAccessibleDescription(text)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = self._theme.palette
        box = QRectF(self.rect()).adjusted(2, 3, -2, -6)
        losses = np.asarray(self._losses, dtype=np.float64)
        if len(losses) > 1 and np.isfinite(losses).all():
            low, high = float(losses.min()), float(losses.max())
            span = max(high - low, 1e-12)
            across = np.linspace(box.left(), box.right(), len(losses))
            down = box.bottom() - (losses - low) / span * box.height()
            painter.setPen(QPen(QColor(colours.accent), 1.5))
            points = zip(across.tolist(), down.tolist(), strict=True)
            painter.drawPolyline(QPolygonF([QPointF(x, y) for x, y in points]))
        bar = QRectF(box.left(), self.height() - 4.0, box.width(), 2.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours.line))
        painter.drawRect(bar)
        bar.setWidth(bar.width() * min(max(self._progress, 0.0), 1.0))
        painter.setBrush(QColor(colours.accent))
        painter.drawRect(bar)
        painter.end()


class TrainingButton(QWidget):
    """Emits ``action_requested`` with the key of an action of the window on a click, and
    ``changed`` when its width changes; follows the session until ``release``.
    """

    action_requested = Signal(str)
    changed = Signal()

    def __init__(self, session: Session, bridge: Bridge, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self._bridge = bridge
        self._theme = theme
        self._state = ""
        self._compact = False
        self._beside_form = False
        self.button = kit.button(name="window.train", pressed=self._ask)
        policy = self.button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.button.setSizePolicy(policy)
        self.sparkline = Sparkline(theme)
        kit.fill(self, kit.row(self.sparkline, self.button, gap=SPACE_1))
        bridge.tick.connect(self._poll)
        theme.changed.connect(self._show_state)
        self._poll()

    def release(self) -> None:
        """Disconnect from the timer."""
        self._bridge.tick.disconnect(self._poll)

    def _ask(self) -> None:
        self.action_requested.emit("train.start" if self._state == "idle" else "train.pause")

    def _poll(self) -> None:
        run = self._session.training.current
        state = "idle"
        if run is not None:
            state = "paused" if run.state is State.PAUSED else "training"
        if state != self._state:
            self._state = state
            self._show_state()
        can_train = self._session.corpora.current is not None
        self.button.setEnabled(can_train or state != "idle")
        if run is not None and run.run is not None:
            losses = run.run.trace.loss
            if len(losses) > _POINTS:
                # The drawn values include the first and the last.
                losses = losses[np.linspace(0, len(losses) - 1, _POINTS).astype(np.intp)]
            self.sparkline.show_trace(losses.tolist(), run.run.progress.fraction or 0.0)

    def _show_state(self) -> None:
        text, icon, tip = _TEXTS[self._state]
        self.sparkline.setVisible(self._state != "idle")
        self._show_button()
        self.button.setText("" if self._compact else text)
        self.button.setIcon(self._theme.icon(icon, "text"))
        self.button.setToolTip(safe_tip(tip))
        self.button.setAccessibleName(text)
        self.changed.emit()

    @property
    def whole_width(self) -> int:
        """The current width, with the text of the button and the sparkline beside it."""
        metrics = self.button.fontMetrics()
        text, _, _ = _TEXTS[self._state]
        missing = metrics.horizontalAdvance(text) - metrics.horizontalAdvance(self.button.text())
        if not self.sparkline.isHidden():
            missing += scaled_length(_WIDTH) - self.sparkline.sizeHint().width()
        return self.kept_width + missing

    @property
    def running_width(self) -> int:
        """Minimum width during training."""
        button, text = self.button, self.button.text()
        sign = button.sizeHint().width() - button.fontMetrics().horizontalAdvance(text)
        return scaled_length(_NARROW) + SPACE_1 + sign

    def set_compact(self, compact: bool) -> None:
        """Show the icon without text, beside a narrow sparkline."""
        if compact != self._compact:
            self._compact = compact
            self.sparkline.set_narrow(compact)
            self._show_state()

    def set_beside_form(self, beside: bool) -> None:
        """Hide the button while the form to train is visible, so that only one button trains. Its
        place stays free and nothing in the header moves, unless names need the room.
        """
        if beside != self._beside_form:
            self._beside_form = beside
            self._show_button()
            self.changed.emit()

    @property
    def free_width(self) -> int:
        """Width of the place kept free for the hidden button."""
        if self.button.isHidden():
            return self.button.sizeHint().width()
        return 0

    @property
    def kept_width(self) -> int:
        """Required width, including the place of the button, hidden or not."""
        width = self.sizeHint().width()
        if not self.button.sizePolicy().retainSizeWhenHidden():
            width += self.free_width
        return width

    def keep_place(self, kept: bool) -> None:
        """Keep the place of the hidden button free, or give it to the names."""
        policy = self.button.sizePolicy()
        if policy.retainSizeWhenHidden() != kept:
            policy.setRetainSizeWhenHidden(kept)
            self.button.setSizePolicy(policy)

    def _show_button(self) -> None:
        self.button.setVisible(self._state != "idle" or not self._beside_form)
