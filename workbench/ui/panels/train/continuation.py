"""The form for continuing a training: further epochs or steps, and the learning rate."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractSpinBox, QWidget

from workbench.core.language import tr
from workbench.core.params import Params, Value
from workbench.models.base import Model
from workbench.models.params import ModelParams
from workbench.session.runs.run_record import RunRecord
from workbench.session.training.continuation import RATE, Parent, name_of
from workbench.ui import kit
from workbench.ui.base.text import decimal
from workbench.ui.base.theme import Theme
from workbench.ui.widgets.inputs.form import MARK_WIDTH, Form

_LABELS = {
    "epochs": tr("Additional epochs"),
    "iterations": tr("Additional steps"),
    RATE: tr("Learning rate"),
}


class TrainOn(QWidget):
    """``changed`` when a value is edited, ``left`` to return to the settings of new trainings."""

    changed = Signal()
    left = Signal()

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.record: RunRecord | None = None
        self._parent: Parent | None = None
        self._declared: type[Params] = Params
        self._proposing = False
        self._title = kit.label(role="heading")
        self._intro = kit.label(role="small", wrap=True)
        self._rate = kit.label(role="small", wrap=True)
        self.form = Form("train.further", theme, labels=_LABELS)
        self.form.changed.connect(self._values_edited)
        self.back = kit.button(
            tr("Back to new training"), role="link", name="train.back", pressed=self.left
        )
        self.back.setAccessibleName(tr("Back to new training"))
        self.back.setToolTip(tr("Leave the run unchanged (Escape)"))
        sides = (MARK_WIDTH, 0, kit.SPACE_3, 0)
        # A link's frame has a border that shows the focus: its text is aligned with the column.
        link_sides = (MARK_WIDTH - kit.SPACE_1, 0, 0, 0)
        column = kit.column(
            kit.column(self._title, self._intro, margins=sides),
            self.form,
            kit.column(self._rate, margins=sides),
            kit.row(self.back, kit.stretch(), margins=link_sides),
            kit.stretch(),
            margins=(0, kit.SPACE_1, 0, kit.SPACE_2),
        )
        kit.fill(self, column)

    def ask(self, record: RunRecord, parent: Parent) -> None:
        """Offer to continue ``record`` by as many epochs or steps as it was set to train."""
        self.record, self._parent, self._declared = record, parent, parent.declaration()
        self._title.setText(tr("Continue training {name}", name=record.name))
        after = decimal(parent.passes, 3)
        text = tr(
            "Continues from the end of the run and saves the result as a new run. Other "
            "settings stay the same. Steps so far: {passes}.",
            passes=after,
        )
        if parent.kind.passes == "epochs":
            text = tr(
                "Continues from the end of the run and saves the result as a new run. "
                "Other settings stay the same. Epochs so far: {passes}.",
                passes=after,
            )
        self._intro.setText(text)
        passes = int(getattr(parent.params, parent.kind.passes))
        self._propose(passes, {})
        self.form.setFocus()
        editor = self.form.findChild(QAbstractSpinBox, f"train.further.{parent.kind.passes}")
        if editor is not None:
            editor.setFocus()
            editor.selectAll()

    def leave(self) -> None:
        """Close the form: no run is to be continued."""
        self.record = self._parent = None

    def params(self) -> ModelParams | None:
        """The parameters of the continuation, None while a value is invalid."""
        if self._parent is None or self.form.params() is None:
            return None
        return self._parent.further(self.passes, self.rate)

    @property
    def kind(self) -> type[Model] | None:
        if self._parent is None:
            return None
        return self._parent.kind

    @property
    def passes(self) -> int:
        assert self._parent is not None
        return int(self.form.values()[self._parent.kind.passes])

    @property
    def rate(self) -> float:
        return float(self.form.values()[RATE])

    @property
    def name(self) -> str:
        """The name of the new run."""
        if self.record is None:
            return ""
        return name_of(self.record.name, self.passes)

    def _propose(self, passes: int, changes: Mapping[str, Value]) -> None:
        """Set the number of passes, and the matching learning rate unless ``changes`` has one."""
        parent = self._parent
        assert parent is not None
        passes_wanted = int(getattr(parent.params, parent.kind.passes))
        baseline: dict[str, Value] = {
            parent.kind.passes: passes_wanted,
            RATE: parent.rate_after(passes),
        }
        self._proposing = True
        self.form.set_kind(self._declared, baseline, {parent.kind.passes: passes, **changes})
        self._proposing = False
        self._values_edited()

    def _values_edited(self) -> None:
        parent = self._parent
        if self._proposing or parent is None:
            return
        if self.form.params() is not None and self.form.baseline(RATE) != parent.rate_after(
            self.passes
        ):
            self._propose(
                self.passes,
                {name: value for name, value in self.form.changes().items() if name == RATE},
            )
            return
        if parent.kind.rate_falls:
            tip = tr(
                "From this value the learning rate decays to 0 again. The suggested value "
                "is the rate that one training of the total length would have reached by "
                "now."
            )
        else:
            tip = tr(
                "The learning rate stays the same. AdaGrad’s accumulated step sizes are retained."
            )
        self._rate.setText(tip)
        self.changed.emit()

    def event(self, event: QEvent) -> bool:
        """Let Escape leave the form without clearing the window’s selection of words."""
        override = event.type() == QEvent.Type.ShortcutOverride
        if override and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        else:
            super().keyPressEvent(event)
