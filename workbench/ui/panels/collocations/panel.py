"""Collocations panel: collocates of a word in a table, their network, and their dispersion."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass

from PySide6.QtWidgets import QLineEdit

from workbench.analysis.collocations.collocates import (
    LOG_LIKELIHOOD,
    PMI,
    CollocationParams,
    Network,
    collocation_network,
)
from workbench.analysis.collocations.dispersion import Parts, parts_of
from workbench.analysis.collocations.network_layout import edge_table
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.table_export import to_csv
from workbench.corpus.corpus import Corpus
from workbench.session.runs.run_record import RunRecord
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import (
    count,
    decimal,
    documents_text,
    mark_unknown,
    plural,
    true_minus,
)
from workbench.ui.export.export_actions import ManyExportsButton
from workbench.ui.panels.collocations import CollocationsKind
from workbench.ui.panels.collocations.network_view import NetworkView
from workbench.ui.widgets.inputs.declared import declared_choice, declared_number
from workbench.ui.widgets.layout.result_view import Request, ResultView
from workbench.ui.widgets.tables.table_model import TableColumn

# Upper bounds of the four numbers. The names of more words don’t fit around the circles.
_MOST_FIRST, _MOST_SECOND, _MOST_WINDOW, _MOST_LEAST = 60, 10, 100, 1_000_000


@dataclass(frozen=True)
class CollocationsState(PanelState):
    """The word, "" for the selected one, and which words are its collocates."""

    word: str = choice("")
    measure: str = choice(LOG_LIKELIHOOD, allowed=(LOG_LIKELIHOOD, PMI))
    window: int = choice(5, low=1, high=_MOST_WINDOW)
    least: int = choice(5, low=1, high=_MOST_LEAST)
    first: int = choice(15, low=1, high=_MOST_FIRST)
    second: int = choice(0, low=0, high=_MOST_SECOND)

    @property
    def params(self) -> CollocationParams:
        return CollocationParams(self.measure, self.window, self.least, self.first, self.second)


def _look(corpus: Corpus, word: str, params: CollocationParams, run: JobControl) -> Network:
    parts: Parts | None = None
    # Without dispersion, if the text is too short for two parts.
    with suppress(UserError):
        parts = parts_of(corpus)
    return collocation_network(corpus, word, params, parts, run)


class CollocationsPanel(CollocationsKind, Panel):
    """The word is typed or, while the field is empty, the selected one."""

    state_kind = CollocationsState
    view_state: CollocationsState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.found: Network | None = None
        # A collocate that was picked here: the selection doesn't change the word then.
        self._picked = ""
        self.word = self.named(
            QLineEdit(), "word", tr("Word"), tr("Word whose company is shown (Return)")
        )
        self.word.setPlaceholderText(tr("word"))
        self.measure = declared_choice(self, CollocationParams, "measure")
        self.window_size = declared_number(self, CollocationParams, "window", _MOST_WINDOW)
        self.least = declared_number(self, CollocationParams, "least", _MOST_LEAST)
        self.first = declared_number(self, CollocationParams, "first", _MOST_FIRST)
        self.second = declared_number(self, CollocationParams, "second", _MOST_SECOND)
        for control, field in (
            (self.word, "word"),
            (self.measure, "measure"),
            (self.window_size, "window"),
            (self.least, "least"),
            (self.first, "first"),
            (self.second, "second"),
        ):
            self.bind(control, field)
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "small", f"{self.key}.fact")
        self.table = kit.table(
            self,
            "table",
            tr("Collocates"),
            tr("Click to select a word; a double click shows its own collocates"),
            files=kit.Files("collocations", tr("Export collocates"), self.edges_table),
        )
        self.network = self.named(
            NetworkView(self.theme),
            "network",
            tr("Network of collocations"),
            tr("Thick lines are high scores. Click a word to select it."),
        )
        self.network.offer_files(
            self.session,
            tr("Export the network"),
            "network",
            self.edges_table,
            lambda: (),
            self.fact.text,
        )
        self._build()
        self._connect()
        self._refresh()

    def _build(self) -> None:
        assert self.table.export is not None
        assert self.network.export is not None
        exports = {tr("the network"): self.network.export, tr("the collocates"): self.table.export}
        export = self.named(ManyExportsButton(exports), "export", tr("Export figures and data"))
        kit.set_scaled_size(self.word, least_width=120, most_width=260)
        numbers = [
            part
            for name, box in (
                ("window", self.window_size),
                ("least", self.least),
                ("first", self.first),
                ("second", self.second),
            )
            for part in (kit.label(CollocationParams.spec(name).label, role="muted"), box)
        ]
        controls = kit.bar(kit.stretch(self.word), self.measure, *numbers, kit.stretch(), export)
        views = kit.split_into(
            kit.TurningSplitter(260), self.table, self.network, shares=(2, 3), sizes=(400, 520)
        )
        page = kit.box(kit.column(self.fact, kit.stretch(views), gap=kit.SPACE_1))
        self.result = ResultView(self, self.key, f"{self.key}.here", page)
        self.notice = self.result.notice
        margins = (kit.SPACE_3, kit.SPACE_2, kit.SPACE_3, kit.SPACE_3)
        kit.fill(self.body, kit.column(controls, kit.stretch(self.result), margins=margins))

    def _connect(self) -> None:
        self.table.picked.connect(self._pick)
        self.table.opened.connect(self._follow)
        self.network.picked.connect(self._pick)
        self.follow(self.session.corpora.changed, self._refresh)
        self.follow(self.session.selection.changed, self._selection_changed)
        self.result.on_clear(self._clear)
        self.result.describe_cancelled(tr("Counting was cancelled"), "", tr("Count again"))

    def drawn_runs(self) -> Sequence[RunRecord]:
        return ()

    # -- requests

    def state_changed(self, before: CollocationsState, after: CollocationsState) -> None:
        self._ask()

    def _refresh(self) -> None:
        if self.lacks_text():
            self.result.forget()
        elif self.session.corpora.current is None:
            self.result.forget()
            self._clear()
            if self.session.corpora.opening is not None:
                self.show_busy(tr("Opening the corpus…"))
            else:
                self.show_empty(
                    tr("No corpus"),
                    tr("Open a text to see which words keep each other company."),
                    self.window_action("file.open", tr("Open files…")),
                )
        else:
            self.show_body()
            self._ask()

    def _selection_changed(self) -> None:
        focus = self.session.selection.focus
        if not self.view_state.word and focus != self._picked:
            self._picked = ""
            self._ask()

    def _ask(self) -> None:
        corpus, state = self.session.corpora.text, self.view_state
        if corpus is None:
            return
        word = state.word.strip() or self.session.selection.focus or ""
        if not state.word and self._picked and self.found is not None:
            word = self.found.word
        self.word.setPlaceholderText(word if not state.word and word else tr("word"))
        if not word:
            self.result.show_message(
                tr("Which word?"), tr("Type a word above, or select one in any list.")
            )
            return
        params = state.params
        self.result.ask(
            Request(
                (corpus, word, *params.to_dict().values()),
                tr("Counting the company of “{word}”", word=word),
                lambda run: _look(corpus, word, params, run),
                lambda found: self._show(found, params.measure),
                doing=tr("Counting"),
            )
        )

    # -- results

    def _clear(self) -> None:
        self.found = None
        self._picked = ""
        self.network.set_network(None, "")
        self.table.set_columns([])

    def _show(self, found: Network, measure: str) -> None:
        self.found = found
        self.table.set_columns(_columns(found))
        self.network.set_network(found, measure)
        parts = [tr("“{word}”: {times}", word=found.word, times=_times(found.occurrences))]
        own = found.own_dispersion
        if own is not None:
            parts.append(
                tr(
                    "in {parts}, DP {dp}, D {d}",
                    parts=documents_text(found.parts_unit, own.parts),
                    dp=_three(own.dp),
                    d=_three(own.juilland),
                )
            )
        self.fact.put(" · ".join(parts))

    def _pick(self, word: object) -> None:
        """Select a word; the network stays."""
        if isinstance(word, str):
            self._picked = word
            self.session.selection.select([word])

    def _follow(self, word: object) -> None:
        """Show the company of a collocate."""
        if isinstance(word, str):
            self.word.setText(word)
            self.word.editingFinished.emit()

    # -- export

    def exporters(self) -> Sequence[Exporter]:
        found = (self.network.export, self.table.export)
        return tuple(one for one in found if one is not None)

    def edges_table(self) -> str:
        """The edges of the network, as ``workbench collocations --output`` writes them."""
        return "" if self.found is None else to_csv(*edge_table(self.found))


def _columns(found: Network) -> list[TableColumn]:
    edges = found.first
    second: dict[str, list[str]] = {}
    for edge in found.second:
        second.setdefault(edge.word, []).append(edge.other)
    columns = [
        TableColumn(
            tr("collocate"),
            [edge.other for edge in edges],
            keys=[edge.other for edge in edges],
            tips=[", ".join(second.get(edge.other, [])) for edge in edges],
            stretch=True,
        ),
        TableColumn(tr("pairs"), [edge.times for edge in edges], text=count),
        TableColumn(
            tr("expected"),
            [edge.expected for edge in edges],
            tr("Number of pairs if both words were spread by chance"),
            text=lambda value: decimal(value, 3),
            spare=3,
        ),
        TableColumn("PMI", [edge.pmi for edge in edges], tr("In nats"), text=_two),
        TableColumn(
            "G²",
            [edge.log_likelihood for edge in edges],
            tr("Log-likelihood ratio: how sure it is that the pair isn’t chance (Dunning 1993)"),
            text=_one,
        ),
    ]
    if found.dispersions:
        unit = tr("files") if found.parts_unit == "files" else tr("passages")
        columns += [
            TableColumn(
                unit, [one.parts for one in found.dispersions], tr("Parts with such a pair"), count
            ),
            TableColumn(
                "DP",
                [one.dp for one in found.dispersions],
                tr("Gries’ DP: 0 if spread evenly, 1 if all pairs are in the smallest part"),
                _three,
                spare=1,
            ),
            TableColumn(
                "D",
                [one.juilland for one in found.dispersions],
                tr("Juilland’s D: 1 if all parts have the same frequency"),
                _three,
                spare=2,
            ),
        ]
    return columns


def _times(number: int) -> str:
    return plural(number, "occurrence")


@mark_unknown
def _three(value: float) -> str:
    return true_minus(f"{value:.3f}")


@mark_unknown
def _two(value: float) -> str:
    return true_minus(f"{value:.2f}")


@mark_unknown
def _one(value: float) -> str:
    return true_minus(f"{value:.1f}")
