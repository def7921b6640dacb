"""The Compare panel: two models, or several seeds of one model."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.compare import CompareKind
from workbench.ui.panels.compare.stability_view import StabilityView
from workbench.ui.panels.compare.view import CompareView
from workbench.ui.widgets.layout.panel_tab import InstrumentPanel


class ComparePanel(CompareKind, InstrumentPanel):
    """Two models compared, and one model trained again with other seeds."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.models = CompareView(self)
        self.seeds = StabilityView(self)
        self.put_instruments([self.models, self.seeds])
        self.follow(self.session.runs.changed, self._refresh)
        self.follow(self.session.active.changed, self._refresh)
        self._refresh()

    def _compare_runs(self, records: Sequence[RunRecord]) -> None:
        """Compare two runs chosen elsewhere."""
        if len(records) == 2:
            self.instruments.show_instrument(self.models.local)
            self.models.choose(*records)

    def _refresh(self) -> None:
        if any(record.has_vectors for record in self.session.runs):
            self.show_instruments()
        else:
            self.show_untrained(
                tr("No models to compare yet"),
                tr(
                    "Then compare two models, or vectors from files, to see which words "
                    "moved and how much results vary between seeds."
                ),
            )
