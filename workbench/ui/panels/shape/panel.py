"""Shape panel: a table of the variants of the active run's vectors, and one of five figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.analysis.evaluation.similarity import (
    BUNDLED,
    WordPairs,
    bundled_path,
    load_pairs,
)
from workbench.analysis.shape.report import ShapeReport, ShapeSettings, describe_shape
from workbench.core.job_control import JobControl
from workbench.core.language import plural, tr
from workbench.corpus.corpus import Corpus
from workbench.ui import kit
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel, PanelContext
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.export.export_actions import ManyExportsButton
from workbench.ui.panels.shape import ShapeKind
from workbench.ui.panels.shape.figures import (
    FIGURES,
    LENGTH,
    shape_chart,
    shape_fact,
    variant_columns,
)
from workbench.ui.widgets.layout.result_view import Request, ResultView
from workbench.vectors.embeddings import Embeddings

_MOST_WORDS, _MOST_K = 100_000, 100


@dataclass(frozen=True)
class ShapeState(PanelState):
    """What is drawn; number of words; number of neighbours for hubs."""

    figure: str = choice(LENGTH, allowed=tuple(FIGURES))
    words: int = choice(ShapeSettings.limit, low=10, high=_MOST_WORDS)
    neighbours: int = choice(ShapeSettings.k, low=1, high=_MOST_K)


class ShapePanel(ShapeKind, Panel):
    """Information needs the text that the run was trained on."""

    state_kind = ShapeState
    view_state: ShapeState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.found: ShapeReport | None = None
        self._names: list[str] = []
        self.limit = self.named(
            kit.IntBox.of(10, _MOST_WORDS, ShapeSettings.limit, suffix=tr(" words")),
            "words",
            tr("Words"),
            tr("Number of words, the most frequent first"),
        )
        self.k = self.named(
            kit.IntBox.of(1, _MOST_K, ShapeSettings.k, prefix="k = "),
            "neighbours",
            tr("Neighbours k"),
            tr("Number of neighbours of each word, for hubs"),
        )
        self.figure = self.named(
            kit.ChoiceBox.of(FIGURES, letters=14), "figure", tr("What is drawn")
        )
        for control, field in ((self.limit, "words"), (self.k, "neighbours")):
            kit.set_scaled_size(control, least_width=96)
            self.bind(control, field)
        self.bind(self.figure, "figure")
        self.fact = kit.with_role(kit.ElidedLabel(lines=2), "small", f"{self.key}.fact")
        self.table = kit.table(
            self,
            "variants",
            tr("Shape before and after corrections"),
            files=kit.Files("shape", tr("Export the table")),
        )
        self.chart = kit.chart(
            self,
            "chart",
            tr("Shape of the space"),
            tr("Click a point to select its word"),
            files=kit.Files("shape", tr("Export the figure"), about=self.figure.currentText),
        )
        self._build()
        self.chart.picked.connect(self._select)
        self.follow(self.session.active.changed, self._refresh)
        self.follow(self.session.corpora.changed, self._refresh)
        self.follow(self.session.selection.changed, self._selection_changed)
        self._refresh()

    def _build(self) -> None:
        assert self.table.export is not None
        assert self.chart.export is not None
        exports = {tr("the figure"): self.chart.export, tr("the table"): self.table.export}
        export = self.named(ManyExportsButton(exports), "export", tr("Export figures and data"))
        controls = kit.bar(self.figure, self.limit, self.k, kit.stretch(self.fact), export)
        # As high as its rows.
        kit.set_scaled_size(self.table, height=34 + 26 * 7)
        page = kit.box(kit.column(kit.stretch(self.chart), self.table))
        self.result = ResultView(self, self.key, f"{self.key}.here", page)
        self.notice = self.result.notice
        self.result.on_clear(self._clear)
        margins = (kit.SPACE_3, kit.SPACE_2, kit.SPACE_3, kit.SPACE_3)
        kit.fill(self.body, kit.column(controls, kit.stretch(self.result), margins=margins))

    def state_changed(self, before: ShapeState, after: ShapeState) -> None:
        if before.figure != after.figure:
            self._draw()
        else:
            self._ask()

    def _refresh(self) -> None:
        record, embeddings = self.session.active.run, self.session.active.trained
        if embeddings is not None:
            self.show_body()
            self._ask()
            return
        self.result.forget()
        self._clear()
        self.show_no_vectors(
            record,
            tr("No model yet"),
            tr("Then you can see whether its vectors form a cone, and which words are hubs."),
        )

    def _ask(self) -> None:
        embeddings, corpus = self.session.active.trained, self._own_text()
        if embeddings is None:
            return
        state, pairs = self.view_state, self._pairs(corpus)
        settings = ShapeSettings(limit=state.words, k=state.neighbours)

        def work(run: JobControl) -> ShapeReport:
            return describe_shape(embeddings, settings, corpus, pairs, run)

        self.result.ask(
            Request(
                (embeddings, corpus, state.words, state.neighbours),
                tr("Describing the shape of the space"),
                work,
                lambda report: self._show(report, embeddings),
                doing=tr("Describing the shape"),
            )
        )

    def _own_text(self) -> Corpus | None:
        """The open text, if the active run was trained on it."""
        record, corpus = self.session.active.run, self.session.corpora.text
        if record is None or corpus is None or record.corpus_digest != corpus.digest:
            return None
        return corpus

    @staticmethod
    def _pairs(corpus: Corpus | None) -> WordPairs | None:
        """The bundled word pairs of a bundled text."""
        sample = "" if corpus is None else str(corpus.metadata.get("sample", ""))
        return load_pairs(bundled_path(sample)) if sample in BUNDLED else None

    def _clear(self) -> None:
        self.found = None
        self.chart.set_chart(None)
        self.table.set_columns([])

    def _show(self, found: ShapeReport, embeddings: Embeddings) -> None:
        self.found = found
        self._names = [embeddings.words[row] for row in found.rows.tolist()]
        self.table.set_columns(variant_columns(found))
        self._draw()

    def _draw(self) -> None:
        found = self.found
        if found is None:
            return
        which = self.view_state.figure
        self.chart.headings = (FIGURES[which], plural(len(self._names), "word"))
        self.chart.set_chart(shape_chart(found, self._names, which))
        self.fact.put(shape_fact(found, self._names, which))
        self._selection_changed()

    def _select(self, word: str) -> None:
        self.session.selection.select([word])

    def _selection_changed(self) -> None:
        self.chart.set_current(self.session.selection.focus or "")

    def exporters(self) -> Sequence[Exporter]:
        found = (self.chart.export, self.table.export)
        return tuple(one for one in found if one is not None)
