"""The row above a film: play, a slider over the states, and where in the training the state shown is."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSlider, QToolButton, QWidget

from workbench.core.language import tr
from workbench.ui.measures import sized
from workbench.ui.panel import Panel
from workbench.ui.theme import Theme
from workbench.ui.widgets.bar import Bar
from workbench.ui.widgets.elided import ElidedLabel

_FRAME_MS = 140


class TimeControls(QWidget):
    """``moved`` tells the state that was chosen by slider or play; ``held`` that a hand has taken the slider."""

    moved = Signal(int)
    held = Signal()

    def __init__(self, panel: Panel, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.play = panel.named(
            QToolButton(), "play", tr("Play the training"), tr("Play the training from here, or from its start")
        )
        self.slider = panel.named(
            QSlider(Qt.Orientation.Horizontal),
            "slider",
            tr("State of the training"),
            tr("Arrow keys: one state; Home, End"),
        )
        self.slider.setPageStep(5)
        sized(self.slider, least_width=90)
        self.told = ElidedLabel(lines=2)
        self.told.setObjectName(f"{panel.key}.told")
        self.row = Bar(self)
        self.row.addWidget(self.play)
        self.row.addWidget(self.slider, 2)
        self.row.addWidget(self.told, 3)
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._step)
        self.play.clicked.connect(self._toggle)
        self.slider.valueChanged.connect(self.moved.emit)
        self.slider.sliderPressed.connect(self.held.emit)
        self._show_icon()
        theme.changed.connect(self._show_icon)

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    def halt(self) -> None:
        """Stop playing."""
        if self.playing:
            self._timer.stop()
            self._show_icon()

    def set_states(self, states: int, current: int) -> None:
        """So many states, this one shown; tells nobody."""
        blocked = self.slider.blockSignals(True)
        self.slider.setRange(0, max(states - 1, 0))
        self.slider.setValue(current)
        self.slider.blockSignals(blocked)

    def _toggle(self) -> None:
        if self.playing:
            self.halt()
            return
        if self.slider.value() == self.slider.maximum():
            self.slider.setValue(0)
        self._timer.start()
        self._show_icon()

    def _step(self) -> None:
        self.slider.setValue(self.slider.value() + 1)
        if self.slider.value() == self.slider.maximum():
            self.halt()

    def _show_icon(self) -> None:
        self.play.setIcon(self._theme.icon("pause" if self.playing else "play"))
        self.play.setAccessibleName(tr("Pause") if self.playing else tr("Play the training"))
