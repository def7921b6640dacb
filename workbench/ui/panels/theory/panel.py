"""Theory panel: each model against the matrix that it factorises, updated during training."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.analysis.theory.pair_counts import PairsKept
from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.ui import kit
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_state import choice
from workbench.ui.panels.theory import TheoryKind
from workbench.ui.panels.theory.dimensions_tab import TheoryDims
from workbench.ui.panels.theory.factors_tab import TheoryFactors
from workbench.ui.panels.theory.fit_tab import TheoryFit
from workbench.ui.panels.theory.modes_tab import TheoryModes
from workbench.ui.widgets.inputs.model_source import Following
from workbench.ui.widgets.inputs.watch_link import WatchLink
from workbench.ui.widgets.layout.panel_tab import InstrumentPanel, PageState

_PAGE = Setting("theory.shown", str, "")


@dataclass(frozen=True)
class TheoryState(PageState):
    page: str = choice(setting=_PAGE)


class TheoryPanel(TheoryKind, InstrumentPanel):
    """Panel of the run in training, by its snapshots, or else of the active run."""

    state_kind = TheoryState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.following = Following(self.session)
        pairs = PairsKept()
        self.fit = TheoryFit(self, self.following, pairs)
        self.factors = TheoryFactors(self, self.following, pairs)
        self.dims = TheoryDims(self, self.following, pairs)
        self.modes = TheoryModes(self, self.following, pairs)
        self.put_instruments([self.fit, self.factors, self.dims, self.modes])
        self._whose = kit.with_role(kit.ElidedLabel(), "muted", "theory.whose")
        self.instruments.row.insertWidget(self.instruments.row.count() - 1, self._whose, 1)
        self.instruments.row.insertWidget(self.instruments.row.count() - 1, WatchLink(self))
        for event in (
            self.session.active.changed,
            self.session.training.watched.changed,
            self.session.runs.changed,
            self.session.corpora.changed,
        ):
            self.follow(event, self._refresh)
        self._refresh()

    def set_presented(self, on: bool) -> None:
        self.factors.set_presented(on)

    def look(self) -> None:
        if not self.isVisible():
            return
        current = self.instruments.current
        busy = self.session.jobs.busy(current.key)
        if self.following.poll(ready=not busy):
            self._refresh()
        super().look()

    def _refresh(self) -> None:
        """Show the tabs that fit the run."""
        self.following.poll()
        subject = self.following.subject
        if subject is not None:
            if subject.live:
                self._whose.put(tr("{name}, training", name=subject.record.name))
            else:
                self._whose.put(subject.record.name)
            self.show_body()
            if self.isVisible():
                self.instruments.current.refresh()
            return
        shown = self.session.active.run
        if self.following.training is not None:
            self.show_busy(
                tr("The model is being prepared"),
                tr("Model scores are compared with their target during training."),
            )
        else:
            self.show_no_vectors(
                shown,
                tr("No model yet"),
                tr("Watch the model scores w·c approach their target during training."),
            )
