"""The controls of the step view: algorithm, initial vectors, learning rate, and buttons to step."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.plain_text import menu_text, safe_tip
from workbench.ui.widgets.inputs.editors import set_choice_enabled

HIGHEST_RATE = 100.0
_LONGEST = 12


class StepControls(QWidget):
    """Two rows of controls. Values set by the panel emit no signals; changes by the user do."""

    def __init__(self, algorithms: Mapping[str, str]) -> None:
        super().__init__()
        self.algorithm = kit.ChoiceBox.of(algorithms, letters=22)
        starts = {True: tr("From the active run"), False: tr("From fresh vectors")}
        self.start = kit.ChoiceBox.of(starts, letters=14)
        self.rate = kit.FloatBox()
        self.rate.setRange(0.0, HIGHEST_RATE)
        self.rate.setKeyboardTracking(False)
        kit.set_scaled_size(self.rate, width=84)
        self.place = kit.IntBox.of(1, 1, 1)
        # Each step changes the vectors, so restoring only the position would not restore the state.
        self.place.setProperty("passing", True)
        kit.set_scaled_size(self.place, width=150)
        self.back, self.forward = kit.button(tr("← Back")), kit.button(tr("Step →"))
        self.many, self.restart = kit.button(tr("Run 100")), kit.button(tr("Restart"))
        self.to_word = kit.button(tr("Next “…”"))
        symbol = kit.label("η", role="muted")
        self.top = kit.bar(self.algorithm, self.start, symbol, self.rate, kit.stretch())
        steps = (self.back, self.forward, self.many, self.restart)
        below = kit.bar(*steps, kit.stretch(), self.place, self.to_word)
        kit.fill(self, kit.column(self.top, below))
        self.enable(False, False, None)

    def names(self) -> list[tuple[QWidget, str, str, str]]:
        """Widget, local name, accessible name and tooltip."""
        return [
            (self.algorithm, "algorithm", tr("Algorithm"), tr("Algorithm of the step")),
            (self.start, "start", tr("Starting vectors"), tr("Starting vectors")),
            (
                self.rate,
                "rate",
                tr("Learning rate η"),
                tr("Learning rate η. It decreases during training."),
            ),
            (self.place, "place", tr("Position"), tr("Step at another position")),
            (self.back, "back", tr("Undo step"), tr("Undo the last step (Left)")),
            (
                self.forward,
                "forward",
                tr("Take the next step"),
                tr("Take the next step (Right or Space)"),
            ),
            (self.many, "many", tr("Make 100 steps"), tr("Take 100 steps (Alt+Shift+Right)")),
            (
                self.restart,
                "restart",
                tr("Restart"),
                tr("Restart with the initial vectors (Alt+Home)"),
            ),
            (
                self.to_word,
                "to_word",
                tr("Go to the selected word"),
                tr("Step at the next occurrence of the selected word"),
            ),
        ]

    @property
    def key(self) -> str:
        """Key of the algorithm."""
        return str(self.algorithm.currentData())

    @property
    def from_run(self) -> bool:
        """Whether to start from the vectors of the active run."""
        return bool(self.start.currentData())

    def allow_run(self, has_run: bool) -> None:
        """Set whether steps can start from the active run."""
        set_choice_enabled(self.start, 0, has_run)
        tip = "" if has_run else tr("The active run uses another algorithm")
        self.start.setItemData(0, safe_tip(tip), Qt.ItemDataRole.ToolTipRole)

    def put_rate(self, rate: float) -> None:
        """Show a learning rate; that of the algorithm, -1, isn't known yet."""
        if rate >= 0.0:
            self.rate.setValue(rate)

    def put_range(self, places: int, unit: str) -> None:
        """Set the number of positions and their unit."""
        self.place.blockSignals(True)
        self.place.setPrefix(f"{unit} ")
        self.place.setRange(1, places)
        self.place.blockSignals(False)

    def put_place(self, place: int) -> None:
        self.place.blockSignals(True)
        self.place.setValue(place)
        self.place.blockSignals(False)

    def enable(self, ready: bool, back: bool, word: str | None) -> None:
        """Enable the available steps; ``word`` is the selected word."""
        for widget, possible in (
            (self.forward, ready),
            (self.many, ready),
            (self.restart, ready),
            (self.place, ready),
            (self.back, back),
            (self.to_word, ready and word is not None),
        ):
            if widget.isEnabled() != possible:
                widget.setEnabled(possible)
        shown = word or "…"
        if len(shown) > _LONGEST:
            shown = f"{shown[: _LONGEST - 1]}…"
        text = menu_text(tr("Next “{shown}”", shown=shown))
        if self.to_word.text() != text:
            self.to_word.setText(text)
