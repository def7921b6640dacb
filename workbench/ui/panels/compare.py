"""What two models, or several seeds of one, agree on."""

from __future__ import annotations

from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QVBoxLayout

from workbench.ui.panel import Context, Panel
from workbench.ui.theme import SPACE_2, SPACE_3
from workbench.ui.widgets.compare_view import CompareView
from workbench.ui.widgets.instrument import Instruments
from workbench.ui.widgets.stability_view import StabilityView


class ComparePanel(Panel):
    """Two models over one another, and one model trained again with other seeds."""

    key = "compare"
    title = "Compare"
    area = "centre"
    order = 50

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.models = CompareView(self)
        self.seeds = StabilityView(self)
        self.instruments = Instruments(self, [self.models, self.seeds])
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(SPACE_3, SPACE_2, SPACE_3, SPACE_3)
        layout.addWidget(self.instruments)
        self.follow(self.session.runs_changed, self._refresh)
        self.follow(self.session.shown_changed, self._refresh)
        context.bridge.tick.connect(self.instruments.tick)
        self._refresh()

    def release(self) -> None:
        self.context.bridge.tick.disconnect(self.instruments.tick)
        self.instruments.release()
        super().release()

    @property
    def idle(self) -> bool:
        busy = self.session.jobs.busy
        return not any(busy(f"{one.key}{part}") for one in self.instruments.all for part in ("", ".lists"))

    def panel_actions(self) -> list[QAction]:
        actions = []
        for about, export in {**self.models.exports, **self.seeds.exports}.items():
            actions += [action for action in export.actions(about) if not action.text().startswith("Copy")]
        return actions

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.instruments.current.refresh()

    def _refresh(self) -> None:
        if any(record.has_vectors for record in self.session.runs):
            before = self.state
            self.show_body()
            if before != "body" and self.isVisible():
                self.instruments.current.refresh()
        else:
            self.show_empty(
                "No models to compare yet", "Train two models, or open vectors; then lay them side by side."
            )
