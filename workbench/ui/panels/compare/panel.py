"""The Compare panel: two models, or several seeds of one model."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord
from workbench.ui.action import Action
from workbench.ui.panel import PanelContext
from workbench.ui.panels.compare.stability_view import StabilityView
from workbench.ui.panels.compare.view import CompareView
from workbench.ui.widgets.layout.panel_tab import InstrumentPanel

# By the end of the key: the name of the view.
_SAVED = (
    ("moved", tr("moved words")),
    ("overlap", tr("overlap")),
    ("neighbours", tr("neighbours")),
    ("stability", tr("stability by word")),
    ("by_frequency", tr("stability by frequency")),
    ("spread", tr("neighbour spread")),
)


def _save_export(about: str, panel: ComparePanel) -> None:
    {**panel.models.exports, **panel.seeds.exports}[about].ask_data()


class ComparePanel(InstrumentPanel):
    """Two models over one another, and one model trained again with other seeds."""

    key = "compare"
    title = tr("Compare")
    synonyms = tr("Procrustes, alignment, difference")
    area = "centre"
    workspaces = ("evaluate",)
    order = 50
    requests: ClassVar = {"comparison": "_compare_runs"}

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.models = CompareView(self)
        self.seeds = StabilityView(self)
        self.put_instruments([self.models, self.seeds])
        self.follow(self.session.runs.changed, self._refresh)
        self.follow(self.session.active.changed, self._refresh)
        self._refresh()

    commands = (
        *(
            Action(
                f"compare.save_{local}",
                tr("Save {about}…", about=about),
                tr("Save {about} as a table or a figure.", about=about),
                partial(_save_export, about),
                (),
                "export",
                "",
                90,
            )
            for local, about in _SAVED
        ),
    )

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
