"""Dial that rebuilds what panels show from the first modes of the active run."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QSlider, QWidget

from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.theme import set_property
from workbench.vectors.modes import missing_modes

# Vectors are rebuilt only once the slider has been at rest for this time.
_REST_MS = 200


class ModesDial(QWidget):
    """Slider from 1 to d. At d, panels show the trained vectors; it is hidden during training."""

    def __init__(self, panel: Panel) -> None:
        super().__init__()
        self._active = panel.session.active
        self.slider = panel.named(
            QSlider(Qt.Orientation.Horizontal),
            "modes.dial",
            tr("Number of modes"),
            tr("Rebuild the vectors in other panels from the first modes of W·Cᵀ"),
        )
        self.slider.setMinimum(1)
        self.slider.setPageStep(5)
        kit.set_scaled_size(self.slider, least_width=120)
        self.label = kit.label(tr("Map, neighbours and analogies from"), buddy=self.slider)
        self.text = kit.with_role(kit.ElidedLabel(), "", f"{panel.key}.modes.kept")
        self.back = panel.named(
            kit.button(tr("All modes"), role="link", pressed=self._show_all),
            "modes.all",
            tr("Show the trained vectors again"),
        )
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._rebuild)
        self._wanted = 0
        self.slider.valueChanged.connect(lambda value: self._tell(value, self.slider.maximum()))
        row = kit.row(self.label, kit.stretch(self.slider, 2), kit.stretch(self.text, 3), self.back)
        kit.fill(self, row)

    def refresh(self, live: bool) -> None:
        """Follow the active run; ``live``: a run in training is shown instead, which can't be
        rebuilt.
        """
        trained = self._active.trained
        usable = not live and trained is not None and missing_modes(trained) is None
        self.setEnabled(usable)
        if not usable or trained is None:
            message = tr("Available when the training is finished.") if live else ""
            self.text.put(message)
            self.back.setVisible(False)
            return
        dim = int(trained.inputs.shape[1])
        if self.is_moving:
            return
        kept = self._active.modes or dim
        blocked = self.slider.blockSignals(True)
        self.slider.setMaximum(dim)
        self.slider.setValue(kept)
        self.slider.blockSignals(blocked)
        self._tell(kept, dim)

    def _tell(self, kept: int, dim: int) -> None:
        if kept < dim:
            self.text.put(tr("the first {kept} of {dim} modes", kept=kept, dim=dim))
        else:
            self.text.put(tr("all {dim} modes, as trained", dim=dim))
        set_property(self.text, "role", "warning" if kept < dim else "muted")
        self.back.setVisible(kept < dim)

    @property
    def first_modes(self) -> int:
        """Number of modes that the slider shows, 0 for all."""
        value = self.slider.value()
        return 0 if value == self.slider.maximum() else value

    def put_first_modes(self, kept: int) -> None:
        self.slider.setValue(kept or self.slider.maximum())

    @property
    def is_moving(self) -> bool:
        """Whether the slider isn't at rest yet."""
        return self._rest.isActive()

    def ask(self, kept: int) -> None:
        """Rebuild the vectors from the first ``kept`` modes soon."""
        self._wanted = kept
        self._rest.start()

    def _rebuild(self) -> None:
        if self._wanted != self._active.modes:
            self._active.keep_modes(self._wanted)

    def _show_all(self) -> None:
        self._rest.stop()
        self._active.keep_modes(0)
