"""What a training will cost, as soon as its settings have come to rest, and whether it fits into memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout

from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.models.base import Estimate, Model, ModelParams
from workbench.session.fitting import Shortage, cost, shortage
from workbench.ui.measures import SPACE_2
from workbench.ui.panel import Panel
from workbench.ui.plain_text import PlainLabel
from workbench.ui.text import about, count, duration, memory
from workbench.ui.widgets.fit_offer import FitOffer

_QUIET_MS = 150


class Asked(NamedTuple):
    """A training whose cost is wanted. ``changeable``: the form has the values that would have to change."""

    kind: type[Model]
    params: ModelParams
    corpus: Corpus
    changeable: bool


class TrainingCost(QVBoxLayout):
    """Lines below the settings. ``what`` tells the training as it would be now, or why it cannot begin."""

    def __init__(self, panel: Panel, what: Callable[[], Asked | str]) -> None:
        super().__init__()
        self._panel = panel
        self._what = what
        self._estimate = panel.named(PlainLabel(), "estimate", tr("What it will cost"))
        self._estimate.setProperty("role", "small")
        self._warning = PlainLabel()
        self._warning.setProperty("role", "warning")
        self.fit = panel.named(FitOffer(), "fit", tr("Memory"))
        self.setSpacing(SPACE_2)
        for label in (self._estimate, self._warning):
            label.setWordWrap(True)
            label.hide()
            self.addWidget(label)
        self.addWidget(self.fit)
        # Typing a number should not start an estimate at every digit.
        self._soon = QTimer(panel)
        self._soon.setSingleShot(True)
        self._soon.setInterval(_QUIET_MS)
        self._soon.timeout.connect(self._start)

    def ask(self) -> None:
        """Estimate anew in a moment."""
        self._soon.start()

    def say(self, text: str, warning: str = "") -> None:
        """Show a sentence in place of an estimate; "" shows none."""
        self.fit.show_shortage(None)
        self._estimate.setText(text)
        self._estimate.setVisible(bool(text))
        self._warning.setText(warning)
        self._warning.setVisible(bool(warning))

    def _start(self) -> None:
        asked = self._what()
        if isinstance(asked, str):
            self.say(asked)
            return
        kind, params, corpus, changeable = asked
        self._panel.session.jobs.start(
            tr("Estimating the cost"),
            lambda run: _costs(kind, params, corpus),
            lambda found: self._estimated(*found, changeable),
            lambda error: self.say("", f"{error.message} {error.hint}"),
            key=self._panel.key,
            quiet=True,
        )

    def _estimated(self, estimate: Estimate, lacking: Shortage | None, changeable: bool) -> None:
        facts = [
            tr("{vocabulary} words", vocabulary=count(estimate.vocabulary)),
            tr("{memory_bytes} of memory", memory_bytes=memory(estimate.memory_bytes)),
        ]
        if estimate.seconds is not None:
            facts.append(time_needed(estimate.seconds, estimate.most_seconds))
        # Lines break between facts, not between a number and its unit.
        self.say(" · ".join(fact.replace(" ", "\u00a0") for fact in facts), estimate.warning)
        self.fit.show_shortage(lacking, changeable=changeable)


def time_needed(seconds: float, most: float | None) -> str:
    """How long, as a range where that is not known well."""
    first, last = duration(seconds), duration(most if most is not None else seconds)
    if first == last:
        return about(seconds)
    return tr("{about}, at most {most}", about=about(seconds), most=last)


def _costs(kind: type[Model], params: ModelParams, corpus: Corpus) -> tuple[Estimate, Shortage | None]:
    """In a job: what a training costs, and what is lacking for it."""
    estimate = cost(kind, params, corpus, recorded=True)
    return estimate, shortage(kind, params, corpus, estimate, recorded=True)
