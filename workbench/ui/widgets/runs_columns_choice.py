"""Which columns the table of runs shows."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from workbench.core.language import tr
from workbench.session.settings import Settings
from workbench.ui.widgets.run_choice import ManyChoice
from workbench.ui.widgets.runs_columns import Kind

_COLUMNS = "runs.columns"


class ColumnsChoice(ManyChoice):
    """A button with a box for each column there could be; what somebody ticked or unticked is remembered by name."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.kinds: Sequence[Kind] = ()
        self.setText(tr("Columns"))

    def fill(self) -> None:
        super().fill()
        for kind in self.kinds:
            self.box(kind.title, self.shows(kind), partial(self.show_column, kind.key))

    def shows(self, kind: Kind) -> bool:
        chosen = self._kept.get(kind.key)
        return chosen if isinstance(chosen, bool) else kind.usual

    def show_column(self, key: str, on: bool = True) -> None:
        """Show a column, or hide it."""
        self._settings.set(_COLUMNS, {**self._kept, key: on})
        self.changed.emit()

    @property
    def _kept(self) -> dict[str, object]:
        kept = self._settings.get(_COLUMNS, {})
        return kept if isinstance(kept, dict) else {}
