"""The line below the preset: settings taken over from the previous algorithm, with a way to reset
them.
"""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from workbench.core.language import tr
from workbench.core.params import Value
from workbench.models.base import Model
from workbench.session.training.carried_settings import carried_settings
from workbench.ui import kit
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.text import title_in_sentence
from workbench.ui.widgets.inputs.setting_tooltip import shown_value


class CarriedLine(QWidget):
    """``reset``: the user wants the algorithm's own settings back."""

    reset = Signal()

    def __init__(self) -> None:
        super().__init__()
        # Values taken over by each algorithm, by its key.
        self._arrived: dict[str, dict[str, Value]] = {}
        self._own: dict[str, Value] = {}
        self._carried: dict[str, Value] = {}
        self._text = kit.label(role="small", name="train.carried.text", wrap=True)
        self.back = kit.button(role="link", name="train.carried.back", pressed=self.reset)
        self.back.setAccessibleName(tr("Reset settings"))
        kit.fill(self, kit.column(self._text, self.back, gap=0))
        self.hide()

    @property
    def own(self) -> Mapping[str, Value]:
        """The algorithm's own values, without those taken over."""
        return self._own

    def carry(
        self,
        before: type[Model],
        changes: Mapping[str, Value],
        after: type[Model],
        own: Mapping[str, Value],
    ) -> dict[str, Value]:
        """Take shared changes over to another algorithm and list them; return all its changes.

        own : the last changes to the other algorithm's settings
        """
        carried = carried_settings(before, changes, after)
        earlier = self._arrived.pop(after.key, {})
        self._own = {
            name: value for name, value in own.items() if earlier.get(name, object()) != value
        }
        self._carried = {
            name: value for name, value in carried.items() if self._own.get(name) != value
        }
        if self._carried:
            self._arrived[after.key] = dict(self._carried)
        specs = {spec.name: spec for spec in after.params_type.specs()}
        settings = ", ".join(
            f"{title_in_sentence(specs[name].label)} {shown_value(value, specs[name])}"
            for name, value in self._carried.items()
        )
        self._text.setText(
            tr("Kept from {algorithm}: {settings}.", algorithm=before.short, settings=settings)
        )
        self.back.setText(menu_text(tr("Use the values of {algorithm}", algorithm=after.short)))
        self.back.setToolTip(tr("Restore this algorithm’s settings"))
        self.setVisible(bool(self._carried))
        return {**self._own, **self._carried}

    def follow(self, values: Mapping[str, Value]) -> None:
        """Hide the line once the form has none of the values taken over."""
        if not any(values.get(name) == value for name, value in self._carried.items()):
            self.forget()

    def forget(self) -> None:
        """Reset: no value in the form was taken over."""
        self._carried = {}
        self.hide()
