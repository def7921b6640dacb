"""A switch for error bars from the text, with the progress of the job that computes them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from workbench.analysis.resampling.texts_drawn import TextDraws
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Portion
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.corpus.documents import UNIT_TITLES
from workbench.session.corpus.text_draws import number_of_texts, why_not_drawn
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.boxes import fill, row, stretch
from workbench.ui.base.controls import button, with_role
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.notice import NoticeText
from workbench.ui.base.panel import Panel
from workbench.ui.base.text import count, plural
from workbench.ui.base.theme import SPACE_1
from workbench.ui.widgets.layout.result_view import Request, ResultSurface

T = TypeVar("T")
W = TypeVar("W", bound=QWidget)
_MOST_KEPT = 200


class _Host(Protocol):
    """A panel, or a page of one, that names its widgets."""

    def named(self, widget: W, local: str, accessible: str, tip: str = "") -> W: ...


@dataclass(frozen=True, eq=False)
class Drawn(Generic[T]):
    """What was computed from ``texts`` texts of ``documents`` drawn documents, ``unit`` each."""

    value: T
    texts: int
    unit: str
    documents: int


# A computation: from a training that can be repeated, and a number of texts.
Work = Callable[[TextDraws, int, JobControl], T]


class ErrorBars(ResultSurface, QWidget):
    """The switch, and beside it the progress, what was drawn, or why nothing can be.

    Results are kept by run and question, so that a word that was seen before needs no job.
    ``changed``: the switch was pressed.
    """

    changed = Signal()

    def __init__(self, panel: Panel, host: _Host, job_key: str, name: str = "bars") -> None:
        QWidget.__init__(self)
        ResultSurface.__init__(self, panel, job_key)
        self._session = panel.session
        self._known: OrderedDict[tuple[object, ...], Drawn[Any]] = OrderedDict()
        self.switch = host.named(
            button(tr("Error bars"), role="quiet", checkable=True),
            name,
            tr("Error bars from the text"),
            tr("Draw the documents of the text again, and show 95% intervals."),
        )
        self.fact = with_role(ElidedLabel(lines=2), "small", f"{job_key}.fact")
        fill(self, row(self.switch, stretch(self.fact), gap=SPACE_1))
        self.switch.toggled.connect(lambda _: self.changed.emit())

    @property
    def is_on(self) -> bool:
        """Whether error bars are switched on."""
        return self.switch.isChecked()

    # -- the place

    def is_seen(self) -> bool:
        return self.isVisible()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.start_if_seen()

    def show_content(self) -> None:
        pass

    def show_notice(self, notice: NoticeText) -> None:
        self.fact.put(" ".join(part for part in (notice.title, notice.hint) if part))

    # -- requests

    def ask_drawn(
        self,
        records: Sequence[RunRecord],
        key: tuple[object, ...],
        work: Work[T],
        show: Callable[[Mapping[str, Drawn[T]]], None],
        describe: Callable[[Mapping[str, Drawn[T]]], str] | None = None,
    ) -> None:
        """Compute something from drawn texts of each run, and show it by the run's identifier; runs
        that can't be repeated are left out.

        key : everything besides the run and its text that the result depends on
        describe : a text beside the switch, in front of what was drawn
        """
        if not self.is_on:
            self.forget()
            self._session.text_draws.forget()
            self.fact.put("")
            return
        corpus = self._session.corpora.text
        problems = [(one, why_not_drawn(one, corpus)) for one in records]
        usable = [one for one, problem in problems if problem is None]
        if corpus is None or not usable:
            problem = problems[0][1] if problems else why_not_drawn(None, corpus)
            self.show_error(problem or UserError("", ""))
            return
        whole = {one.identifier: (one.identifier, corpus.digest, *key) for one in usable}
        missing = [one for one in usable if whole[one.identifier] not in self._known]
        if not missing:
            self.forget()
            self._show(whole, show, describe)
            return

        def done(found: Mapping[str, Drawn[T]]) -> None:
            for identifier, one in found.items():
                self._known[whole[identifier]] = one
            while len(self._known) > _MOST_KEPT:
                self._known.popitem(last=False)
            self._show(whole, show, describe)

        self.ask(
            Request(
                tuple(whole[one.identifier] for one in missing),
                tr("Drawing texts for error bars"),
                lambda run: self._compute(missing, corpus, work, run),
                done,
                doing=tr("Drawing texts…"),
                quiet=True,
            )
        )

    def _compute(
        self, records: Sequence[RunRecord], corpus: Corpus, work: Work[T], run: JobControl
    ) -> dict[str, Drawn[T]]:
        found = {}
        for at, record in enumerate(records):
            part = Portion(run, at / len(records), 1 / len(records))
            draws = self._session.text_draws.get(record, corpus)
            texts = number_of_texts(draws)
            value = work(draws, texts, part)
            found[record.identifier] = Drawn(value, texts, draws.unit, draws.documents)
        return found

    def _show(
        self,
        keys: Mapping[str, tuple[object, ...]],
        show: Callable[[Mapping[str, Drawn[T]]], None],
        describe: Callable[[Mapping[str, Drawn[T]]], str] | None,
    ) -> None:
        found = {identifier: self._known[key] for identifier, key in keys.items()}
        one = next(iter(found.values()))
        drawn = tr(
            "{texts} of {number} {unit}, drawn with replacement",
            texts=plural(one.texts, "text"),
            number=count(one.documents),
            unit=UNIT_TITLES[one.unit],
        )
        said = describe(found) if describe is not None else ""
        self.fact.put(" · ".join(part for part in (said, drawn) if part))
        show(found)
