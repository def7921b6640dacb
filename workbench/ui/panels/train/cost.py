"""The estimated cost of a training, and settings that make it fit into memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from workbench.core.language import plural, tr
from workbench.corpus.corpus import Corpus
from workbench.models.base import Estimate, Model
from workbench.models.params import ModelParams
from workbench.session.training.memory_check import Shortage, cost, shortage
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.text import approximate_duration, duration, memory
from workbench.ui.widgets.layout.flow import FlowLayout
from workbench.ui.widgets.layout.result_view import Request, ResultJob

_QUIET_MS = 150


class CostRequest(NamedTuple):
    """A training whose cost is requested. ``changeable``: the form contains the values that would
    have to change.
    """

    kind: type[Model]
    params: ModelParams
    corpus: Corpus
    changeable: bool


class TrainingCost(QVBoxLayout):
    """The lines below the settings. ``what`` returns the training with the current settings, or the
    reason why it can't start.
    """

    def __init__(self, panel: Panel, what: Callable[[], CostRequest | str]) -> None:
        super().__init__()
        self._current_request = what
        self._estimating = ResultJob(panel.session.jobs, panel.key)
        self._estimating.on_failed(
            lambda error: self.set_message("", f"{error.message} {error.hint}")
        )
        self._estimate = panel.named(
            kit.label(role="small", wrap=True), "estimate", tr("Estimated cost")
        )
        self._warning = kit.label(role="warning", wrap=True)
        for label in (self._estimate, self._warning):
            label.hide()
        self.fit = panel.named(FitOffer(), "fit", tr("Memory"))
        kit.arrange(self, self._estimate, self._warning, self.fit)
        # Typing a number should not start an estimate for each digit.
        self._soon = QTimer(panel)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_QUIET_MS)
        self._soon.timeout.connect(self._start)

    def ask(self) -> None:
        """Estimate again after a short delay."""
        self._soon.start()

    def set_message(self, text: str, warning: str = "") -> None:
        """Show a sentence in place of an estimate, or nothing for ""."""
        self.fit.show_shortage(None)
        self._estimate.setText(text)
        self._estimate.setVisible(bool(text))
        self._warning.setText(warning)
        self._warning.setVisible(bool(warning))

    def _start(self) -> None:
        request = self._current_request()
        if isinstance(request, str):
            self._estimating.forget()
            self.set_message(request)
            return
        kind, params, corpus, changeable = request
        self._estimating.ask(
            Request(
                # Each is a new one: the free memory changes.
                (object(),),
                tr("Estimating the cost"),
                lambda run: _estimate_cost(kind, params, corpus),
                lambda found: self._show_estimate(*found, changeable),
                quiet=True,
            )
        )

    def _show_estimate(
        self, estimate: Estimate, lacking: Shortage | None, changeable: bool
    ) -> None:
        facts = [
            plural(estimate.vocabulary, "word"),
            tr("{memory_bytes} of memory", memory_bytes=memory(estimate.memory_bytes)),
        ]
        if estimate.seconds is not None:
            facts.append(time_needed(estimate.seconds, estimate.most_seconds))
        # Allow line breaks between facts, but not between a number and its unit.
        self.set_message(
            " · ".join(fact.replace(" ", "\u00a0") for fact in facts), estimate.warning
        )
        self.fit.show_shortage(lacking, changeable=changeable)


def time_needed(seconds: float, most: float | None) -> str:
    """Duration of a training, as a range where the estimate is rough."""
    if most is None:
        most = seconds
    first, last = duration(seconds), duration(most)
    if first == last:
        return approximate_duration(seconds)
    return tr("{about}, up to {most}", about=approximate_duration(seconds), most=last)


def _estimate_cost(
    kind: type[Model], params: ModelParams, corpus: Corpus
) -> tuple[Estimate, Shortage | None]:
    """In a job: the cost of a training, and the shortage of memory, if any."""
    estimate = cost(kind, params, corpus, recorded=True)
    return estimate, shortage(kind, params, corpus, estimate, recorded=True)


class FitOffer(QWidget):
    """Hidden without a shortage. ``taken(name, value)``: a remedy was chosen."""

    taken = Signal(str, int)

    def __init__(self) -> None:
        super().__init__()
        self.text = kit.label(role="warning", name="train.shortage", wrap=True)
        self._row = QWidget()
        self._flow = FlowLayout(self._row, gap=kit.SPACE_3, row_gap=kit.SPACE_1)
        kit.fill(self, kit.column(self.text, self._row, gap=kit.SPACE_1))
        self.shortage: Shortage | None = None
        self.hide()

    def show_shortage(self, shortage: Shortage | None, changeable: bool = True) -> None:
        """``changeable``: the form contains the values that would have to change."""
        if shortage == self.shortage:
            return
        self.shortage = shortage
        while self._flow.count():
            item = self._flow.takeAt(0)
            if item is None:
                continue
            widget = item.widget()
            if widget is not None:
                widget.deleteLater()
        self.setVisible(shortage is not None)
        if shortage is None:
            return
        remedies = shortage.remedies if changeable else ()
        text = f"{shortage.error.message} {shortage.error.hint}"
        if remedies:
            text = tr("{message} These settings would fit:", message=shortage.error.message)
        self.text.setText(text)
        for remedy in remedies:
            button = kit.button(
                remedy.sentence,
                role="link",
                name=f"train.fit.{remedy.name}",
                pressed=partial(self._choose_remedy, remedy.name, remedy.value),
            )
            button.setAccessibleName(
                tr("Use {sentence}, which fits in memory", sentence=remedy.sentence)
            )
            kit.add(self._flow, button)
        self._row.setVisible(bool(remedies))

    def _choose_remedy(self, name: str, value: int, checked: bool = False) -> None:
        self.taken.emit(name, value)
