"""Which columns the table of runs shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from workbench.core.language import tr
from workbench.session.settings import Settings
from workbench.ui.plain_text import safe_tip
from workbench.ui.widgets.run_choice import ManyChoice
from workbench.ui.widgets.runs_columns import Kind

_COLUMNS = "runs.columns"


class ColumnsChoice(ManyChoice):
    """A button with a box for each column there could be; what somebody ticked or unticked is remembered by name.

    Columns that there is no room for have an empty box: to tick it shows them all the same.
    """

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.kinds: Sequence[Kind] = ()
        self._gone: Sequence[str] = ()
        self.setText(tr("Columns"))

    def fill(self) -> None:
        super().fill()
        for kind in self.kinds:
            shows, gone = self.shows(kind), kind.title in self._gone
            title = tr("{title} (no room)", title=kind.title) if shows and gone else kind.title
            self.box(title, shows and not gone, partial(self.show_column, kind.key))

    def shows(self, kind: Kind) -> bool:
        chosen = self._kept.get(kind.key)
        return chosen if isinstance(chosen, bool) else kind.usual

    def chosen(self) -> list[Kind]:
        """Those to show. What somebody has ticked does not give way."""
        return [
            replace(kind, spare=0 if self._kept.get(kind.key) else kind.spare)
            for kind in self.kinds
            if self.shows(kind)
        ]

    def tell(self, gone: Sequence[str]) -> None:
        """Say which columns, by their titles, there is no room for."""
        self._gone = gone
        chosen = sum(map(self.shows, self.kinds))
        some = tr("Columns ({seen} of {chosen})", seen=chosen - len(gone), chosen=chosen)
        self.setText(some if gone else tr("Columns"))
        self.setToolTip(
            safe_tip(
                tr("No room for {names}. A wider window shows them, or ticking them here.", names=", ".join(gone))
                if gone
                else tr("Which columns are shown")
            )
        )

    def show_column(self, key: str, on: bool = True) -> None:
        """Show a column, or hide it."""
        self._settings.set(_COLUMNS, {**self._kept, key: on})
        self.changed.emit()

    @property
    def _kept(self) -> dict[str, object]:
        kept = self._settings.get(_COLUMNS, {})
        return kept if isinstance(kept, dict) else {}
