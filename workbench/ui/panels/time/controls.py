"""The controls of the Time panel: play, slider and readout of the state shown."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSlider, QWidget

from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.theme import Theme

# Interval, in milliseconds, between states while the training is played.
_FRAME_MS = 140


class TimeControls(QWidget):
    """``moved``: a state was chosen by the slider or by playing. ``held``: the user has pressed the
    slider.
    """

    moved = Signal()
    held = Signal()

    def __init__(self, panel: Panel, theme: Theme) -> None:
        super().__init__()
        self.play = panel.named(
            kit.icon_button(theme, "play", pressed=self._toggle),
            "play",
            tr("Play the training"),
            tr("Play the training from here, or from its start"),
        )
        self.slider = panel.named(
            QSlider(Qt.Orientation.Horizontal),
            "slider",
            tr("Snapshot"),
            tr("Arrow keys: one snapshot; Home, End"),
        )
        self.slider.setPageStep(5)
        kit.set_scaled_size(self.slider, least_width=90)
        self.readout = kit.with_role(kit.ElidedLabel(lines=2), "", f"{panel.key}.readout")
        self.row = kit.bar(self.play, kit.stretch(self.slider, 2), kit.stretch(self.readout, 3))
        kit.fill(self, self.row)
        self._timer = QTimer(self)
        self._timer.setInterval(_FRAME_MS)
        self._timer.timeout.connect(self._step)
        self.slider.valueChanged.connect(lambda _: self.moved.emit())
        self.slider.sliderPressed.connect(self.held.emit)

    @property
    def playing(self) -> bool:
        return self._timer.isActive()

    @property
    def snapshot(self) -> int:
        """The state that the slider shows, -1 for the last."""
        value = self.slider.value()
        return -1 if value == self.slider.maximum() else value

    def show_snapshot(self, snapshot: int) -> None:
        self.slider.setValue(snapshot if snapshot >= 0 else self.slider.maximum())

    def halt(self) -> None:
        """Stop playing."""
        if self.playing:
            self._timer.stop()
            self._show_icon()

    def set_states(self, states: int, current: int) -> None:
        """Set the number of states and the current one, without a signal."""
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
        icon, accessible = "play", tr("Play the training")
        if self.playing:
            icon, accessible = "pause", tr("Pause")
        self.play.show_icon(icon)
        self.play.setAccessibleName(accessible)
