"""What sets the algorithms apart: weights, biases, ratios, and what their sums and steps cost."""

from __future__ import annotations

from PySide6.QtGui import QAction, QShowEvent
from PySide6.QtWidgets import QVBoxLayout

from workbench.analysis.pair_counts import PairsKept
from workbench.ui.panel import Context, Panel
from workbench.ui.theme import SPACE_2, SPACE_3
from workbench.ui.widgets.instrument import Instruments
from workbench.ui.widgets.weights_curves import WeightsBiases, WeightsCurves
from workbench.ui.widgets.weights_instrument import WeightsInstrument
from workbench.ui.widgets.weights_ratios import WeightsRatios
from workbench.ui.widgets.weights_sums import WeightsCost, WeightsEntropy

_SHOWN = "weights.shown"


class WeightsPanel(Panel):
    """Needs the corpus; pairs are counted as the shown run counts them."""

    key = "weights"
    title = "Weights"
    area = "centre"
    order = 24

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        pairs = PairsKept(2)
        self.curves = WeightsCurves(self, pairs)
        self.biases = WeightsBiases(self, pairs)
        self.ratios = WeightsRatios(self, pairs)
        self.entropy = WeightsEntropy(self, pairs)
        self.cost = WeightsCost(self, pairs)
        self._all: list[WeightsInstrument] = [self.curves, self.ratios, self.biases, self.entropy, self.cost]
        self.instruments = Instruments(self, [*self._all])
        layout = QVBoxLayout(self.body)
        layout.setContentsMargins(SPACE_3, SPACE_2, SPACE_3, SPACE_3)
        layout.addWidget(self.instruments)
        self.instruments.show_instrument(str(self.session.settings.get(_SHOWN, "")))
        self.instruments.on_change(self._remember)
        self.follow(self.session.corpus_changed, self._refresh)
        self.follow(self.session.shown_changed, self._refresh)
        context.bridge.tick.connect(self.instruments.tick)
        self._refresh()

    def release(self) -> None:
        self.context.bridge.tick.disconnect(self.instruments.tick)
        self.instruments.release()
        super().release()

    @property
    def idle(self) -> bool:
        return not any(self.session.jobs.busy(one.key) for one in self._all)

    def panel_actions(self) -> list[QAction]:
        return self.curves.exports["the weights"].actions("weights by count")

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._refresh()

    def _remember(self) -> None:
        self.session.settings.set(_SHOWN, self.instruments.current.local)

    def _refresh(self) -> None:
        if self.session.corpus is not None:
            self.show_body()
            if self.isVisible():
                self.instruments.current.refresh()
            return
        for one in self._all:
            one.drop()
        if self.session.opening is not None:
            self.show_busy("Opening the corpus …")
        else:
            self.show_empty("No counts yet", "Open a corpus: what its pairs weigh in each algorithm is drawn here.")
