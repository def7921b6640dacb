"""Documents panel: a search by words, the found documents in a table, and all of them as points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtWidgets import QLineEdit

from workbench.analysis.documents.document_map import DocumentMap, map_documents
from workbench.analysis.documents.document_space import FoundDocument, document_space
from workbench.core.arrays import Singles
from workbench.core.job_control import JobControl
from workbench.core.language import plural, tr
from workbench.corpus.corpus import Corpus
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.text import count, mark_unknown, true_minus
from workbench.ui.export.export_actions import ManyExportsButton
from workbench.ui.panels.documents import DocumentsKind
from workbench.ui.plots.chart import Chart, ChartSeries
from workbench.ui.widgets.layout.result_view import Request, ResultView
from workbench.ui.widgets.tables.table_model import TableColumn
from workbench.vectors.embeddings import Embeddings

_MOST_FOUND = 500


@dataclass(frozen=True)
class DocumentsState(PanelState):
    """The words that are searched together, and how many documents are listed."""

    words: str = choice("")
    number: int = choice(20, low=1, high=_MOST_FOUND)


@dataclass(frozen=True, eq=False)
class _Answer:
    """A search in a map.

    found : empty without words
    places : float32[n + 1, 2], of the found documents, and of the search
    """

    map: DocumentMap
    found: tuple[FoundDocument, ...]
    places: Singles


class DocumentsPanel(DocumentsKind, Panel):
    """Needs an LSA run and the text that it was trained on."""

    state_kind = DocumentsState
    view_state: DocumentsState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.answer: _Answer | None = None
        # The last map, and what it is of: it takes much longer than a search.
        self._map: DocumentMap | None = None
        # Number of documents; the line shows the beginning of a document that was clicked.
        self._facts = ""
        self._of: tuple[Embeddings, Corpus] | None = None
        self.words = self.named(
            QLineEdit(), "words", tr("Words"), tr("Words to search for, together (Return)")
        )
        self.words.setPlaceholderText(tr("words to search for"))
        self.number = self.named(
            kit.IntBox.of(1, _MOST_FOUND, 20, suffix=tr(" documents")),
            "number",
            tr("Number of documents"),
            tr("Number of documents to list"),
        )
        self.bind(self.words, "words")
        self.bind(self.number, "number")
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "small", f"{self.key}.fact")
        self.table = kit.table(
            self,
            "table",
            tr("Found documents"),
            tr("Click to mark the document on the map"),
            files=kit.Files("documents", tr("Export the found documents")),
        )
        self.chart = kit.chart(
            self,
            "chart",
            tr("Map of documents"),
            tr("Point at a document to read its first words"),
            files=kit.Files(
                "documents", tr("Export the map of documents"), about=lambda: self._facts
            ),
            is_map=True,
        )
        self._build()
        self.table.picked.connect(self._pick)
        self.chart.picked.connect(self._pick)
        self.follow(self.session.active.changed, self._refresh)
        self.follow(self.session.corpora.changed, self._refresh)
        self.result.on_clear(self._clear_views)
        self._refresh()

    def _build(self) -> None:
        assert self.table.export is not None
        assert self.chart.export is not None
        exports = {tr("the map"): self.chart.export, tr("the table"): self.table.export}
        export = self.named(ManyExportsButton(exports), "export", tr("Export figures and data"))
        kit.set_scaled_size(self.words, least_width=140, most_width=420)
        kit.set_scaled_size(self.number, least_width=120)
        controls = kit.bar(kit.stretch(self.words), self.number, kit.stretch(), export)
        views = kit.split_into(
            kit.TurningSplitter(260), self.table, self.chart, shares=(1, 1), sizes=(460, 460)
        )
        page = kit.box(kit.column(self.fact, kit.stretch(views), gap=kit.SPACE_1))
        self.result = ResultView(self, self.key, f"{self.key}.here", page)
        self.notice = self.result.notice
        margins = (kit.SPACE_3, kit.SPACE_2, kit.SPACE_3, kit.SPACE_3)
        kit.fill(self.body, kit.column(controls, kit.stretch(self.result), margins=margins))

    # -- requests

    def state_changed(self, before: DocumentsState, after: DocumentsState) -> None:
        self._ask()

    def _refresh(self) -> None:
        record, embeddings = self.session.active.run, self.session.active.trained
        if embeddings is None:
            self.result.forget()
            self._clear()
            self.show_no_vectors(
                record,
                tr("No model yet"),
                tr("Train LSA to search the documents of your text by words."),
            )
        elif self.lacks_text():
            self.result.forget()
            self._clear()
        elif self.session.corpora.opening is not None:
            self.result.forget()
            self._clear()
            self.show_busy(tr("Opening the corpus…"))
        elif self._own_text() is None:
            self.result.forget()
            self._clear()
            self.show_empty(
                tr("The text isn’t open"),
                tr("Open the text of the active run to see its documents."),
                self.window_action("file.open", tr("Open files…")),
            )
        else:
            self.show_body()
            self._ask()

    def _own_text(self) -> Corpus | None:
        """The open text, if the active run was trained on it."""
        record, corpus = self.session.active.run, self.session.corpora.text
        if record is None or corpus is None or record.corpus_digest != corpus.digest:
            return None
        return corpus

    def _ask(self) -> None:
        embeddings, corpus = self.session.active.trained, self._own_text()
        if embeddings is None or corpus is None:
            return
        words, number = tuple(self.view_state.words.split()), self.view_state.number
        kept = self._map if self._of == (embeddings, corpus) else None

        def work(run: JobControl) -> _Answer:
            laid_out = kept or map_documents(document_space(embeddings, corpus, run), run=run)
            return _search(laid_out, words, number)

        self.result.ask(
            Request(
                (embeddings, corpus, words, number),
                tr("Searching the documents"),
                work,
                lambda answer: self._show(answer, embeddings, corpus, words),
                doing=tr("Searching"),
            )
        )

    # -- results

    def _clear(self) -> None:
        self._map = self._of = None
        self._clear_views()

    def _clear_views(self) -> None:
        self.answer = None
        self.chart.set_chart(None)
        self.table.set_columns([])

    def _show(
        self, answer: _Answer, embeddings: Embeddings, corpus: Corpus, words: Sequence[str]
    ) -> None:
        self.answer, self._map, self._of = answer, answer.map, (embeddings, corpus)
        shown, everything = len(answer.map.rows), len(answer.map.space)
        fact = plural(everything, "document")
        if shown < everything:
            fact = tr(
                "{documents}. {shown} of them, evenly spaced, are on the map.",
                documents=fact,
                shown=count(shown),
            )
        self._facts = fact
        self.fact.put(fact)
        self.table.set_columns(_columns(answer.found))
        self.table.setVisible(bool(answer.found))
        self.chart.headings = (tr("Documents"), " ".join(words))
        self.chart.set_chart(_chart(answer, " ".join(words)))

    def _pick(self, name: object) -> None:
        """Mark a document on the map, and show how it begins."""
        if isinstance(name, str) and self.answer is not None:
            self.chart.set_current(name)
            space = self.answer.map.space
            row = space.documents.index.get(name)
            if row is not None:
                self.fact.put(tr("{document}: {text}", document=name, text=space.text(row, 60)))

    # -- export

    def exporters(self) -> Sequence[Exporter]:
        found = (self.chart.export, self.table.export)
        return tuple(one for one in found if one is not None)


def _search(laid_out: DocumentMap, words: Sequence[str], number: int) -> _Answer:
    if not words:
        return _Answer(laid_out, (), np.empty((0, 2), np.float32))
    found = laid_out.space.search(words, number)
    own = laid_out.place(laid_out.space.query(words)[None])
    places = laid_out.places([one.number for one in found])
    return _Answer(laid_out, found, np.concatenate([places, own]))


def _columns(found: Sequence[FoundDocument]) -> list[TableColumn]:
    names = [one.name for one in found]
    return [
        TableColumn(
            tr("cosine"),
            [one.cosine for one in found],
            text=_cosine,
            keys=names,
        ),
        TableColumn(tr("text"), [one.text for one in found], stretch=True),
        TableColumn(tr("document"), names, spare=1),
    ]


@mark_unknown
def _cosine(value: float) -> str:
    return true_minus(f"{value:.3f}")


def _chart(answer: _Answer, words: str) -> Chart:
    space = answer.map.space
    rows = answer.map.rows.tolist()
    names = [space.documents.words[row] for row in rows]
    texts = [f"{name}\n{space.text(row)}" for name, row in zip(names, rows, strict=True)]
    x, y = answer.map.positions.T.astype(np.float64)
    series = [ChartSeries(x, y, tr("documents"), texts=texts, keys=names, role="muted")]
    if answer.found:
        x, y = answer.places.T.astype(np.float64)
        tips = [f"{one.name}, {_cosine(one.cosine)}\n{one.text}" for one in answer.found]
        keys = [one.name for one in answer.found]
        series += [
            ChartSeries(x[:-1], y[:-1], tr("found"), texts=tips, keys=keys, role="accent"),
            ChartSeries(x[-1:], y[-1:], words, texts=[words], role="text"),
        ]
    return Chart("", "", tuple(series))
