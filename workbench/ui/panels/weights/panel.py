"""Weights panel: weights, biases and ratios of the algorithms, and the cost of their output
layers.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.analysis.theory.pair_counts import PairsKept
from workbench.core.language import tr
from workbench.core.setting import Setting
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_state import choice
from workbench.ui.panels.weights import WeightsKind
from workbench.ui.panels.weights.curves_tab import WeightsBiases, WeightsCurves
from workbench.ui.panels.weights.ratios_tab import WeightsRatios
from workbench.ui.panels.weights.sums_tab import WeightsCost, WeightsEntropy
from workbench.ui.panels.weights.weights_tab import WeightsInstrument
from workbench.ui.widgets.layout.panel_tab import InstrumentPanel, PageState

_PAGE = Setting("weights.shown", str, "")


@dataclass(frozen=True)
class WeightsState(PageState):
    page: str = choice(setting=_PAGE)


class WeightsPanel(WeightsKind, InstrumentPanel):
    """Needs the corpus; pairs are counted with the settings of the active run."""

    state_kind = WeightsState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        pairs = PairsKept(2)
        self.curves = WeightsCurves(self, pairs)
        self.biases = WeightsBiases(self, pairs)
        self.ratios = WeightsRatios(self, pairs)
        self.entropy = WeightsEntropy(self, pairs)
        self.cost = WeightsCost(self, pairs)
        self._all: list[WeightsInstrument] = [
            self.curves,
            self.ratios,
            self.biases,
            self.entropy,
            self.cost,
        ]
        self.put_instruments(self._all)
        self.follow(self.session.corpora.changed, self._refresh)
        self.follow(self.session.active.changed, self._refresh)
        self._refresh()

    def _refresh(self) -> None:
        if self.session.corpora.current is not None:
            self.show_body()
            if self.isVisible():
                self.instruments.current.refresh()
            return
        for one in self._all:
            one.discard_job()
        if self.session.corpora.opening is not None:
            self.show_busy(tr("Opening the corpus…"))
        else:
            self.show_empty(
                tr("No counts yet"),
                tr("Open a text to see how each algorithm weights its pairs."),
                self.window_action("file.open", tr("Open files…")),
            )
