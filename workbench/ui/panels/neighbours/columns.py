"""Neighbours of one word in several models, one column per model."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QMenu,
    QWidget,
)

from workbench.analysis.neighbours.side_by_side import ModelsSideBySide, side_by_side
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.table_export import to_csv
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.session.settings.session_settings import NEIGHBOUR_RUNS
from workbench.ui import kit
from workbench.ui.base.plain_text import menu_text
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.theme import SPACE_1, SPACE_2, Theme, body_font
from workbench.ui.export.export_actions import Export, ExportButton, csv
from workbench.ui.panels.neighbours.table import ModelColumnsView
from workbench.ui.widgets.inputs.run_choice import grouped_runs
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.layout.transient_menu import add_menu_heading
from workbench.vectors.embeddings import Embeddings

_MOST = 8
_FIRST_OTHERS = 2
# Minimum and maximum width of a column, depending on its words; and the room beside a word in a
# cell.
_NARROWEST, _WIDEST, _BESIDE = 112, 156, 56


class NeighbourColumns(QWidget):
    """A click or the arrow keys pick a word (``picked``), Return opens its neighbours (``opened``),
    and a double click activates it. The active model comes first; other runs are chosen in a menu
    and remembered.
    """

    picked = Signal(str)
    opened = Signal(str)
    word_activated = Signal(str)

    def __init__(self, session: Session, theme: Theme, owner: str) -> None:
        super().__init__()
        self._session = session
        self._key = f"{owner}.columns"
        self._word, self._number = "", 20
        self._comparing = ResultJob(session.jobs, self._key)
        self._comparing.on_failed(self._comparison_failed)
        self.runs = kit.button(tr("Models"), name=f"{self._key}.runs")
        self.runs.setAccessibleName(tr("Models side by side"))
        self.runs.setToolTip(tr("Models shown beside the active one"))
        menu = QMenu(self.runs)
        menu.aboutToShow.connect(self._fill_menu)
        self.runs.setMenu(menu)
        self.export = ExportButton(self.exports)
        self.export.setObjectName(f"{self._key}.export")
        self.export.setAccessibleName(tr("Export the columns"))
        summary = kit.ElidedLabel(lines=2)
        self.summary = kit.with_role(summary, "small", f"{self._key}.summary")
        self.view = ModelColumnsView(theme)
        self._prepare_view()
        beside = (SPACE_2, 0, SPACE_1, 0)
        controls = kit.row(self.runs, kit.stretch(), self.export, gap=None, margins=beside)
        line = kit.row(self.summary, margins=beside)
        kit.fill(self, kit.column(controls, line, kit.stretch(self.view), gap=SPACE_1))

    def _prepare_view(self) -> None:
        view = self.view
        view.setObjectName(f"{self._key}.list")
        view.setAccessibleName(tr("Neighbours in several models, one row per rank"))
        view.setCornerWidget(QWidget())
        view.horizontalHeader().setMinimumSectionSize(scaled_length(_NARROWEST))
        view.picked.connect(self._pick_word)
        view.double_clicked.connect(self.word_activated.emit)
        view.opened.connect(self.opened.emit)

    # -- models

    def _other_runs(self) -> list[RunRecord]:
        """The chosen runs beside the active one; by default, the newest of the same text."""
        usable = [
            record
            for record in self._session.runs
            if record.has_vectors and record is not self._session.active.run
        ]
        kept = self._session.settings[NEIGHBOUR_RUNS]
        if kept is None:
            shown = self._session.active.run
            # Runs of another text aren't used unless chosen.
            return [
                one
                for one in usable
                if shown is not None and one.corpus_digest == shown.corpus_digest
            ][-_FIRST_OTHERS:]
        return [record for record in usable if record.identifier in kept][:_MOST]

    def drawn_runs(self) -> list[RunRecord]:
        """The runs whose columns are visible."""
        if self._session.active.run is not None:
            return [self._session.active.run, *self._other_runs()]
        return []

    def _fill_menu(self) -> None:
        menu = self.runs.menu()
        menu.clear()
        chosen = self._other_runs()
        usable = [one for one in self._session.runs if one.has_vectors]
        for group in grouped_runs(self._session, usable):
            add_menu_heading(menu, group.title)
            for record in group.runs:
                action = QAction(menu_text(record.name), menu)
                action.setCheckable(True)
                action.setChecked(record in chosen or record is self._session.active.run)
                action.setEnabled(record is not self._session.active.run)
                action.toggled.connect(lambda on, record=record: self._choose_run(record, on))
                menu.addAction(action)

    def _choose_run(self, record: RunRecord, on: bool) -> None:
        wanted = [one.identifier for one in self._other_runs() if one is not record] + [
            record.identifier
        ] * on
        self._session.settings[NEIGHBOUR_RUNS] = tuple(wanted)
        self.show_neighbours(self._word, self._number)

    # -- neighbours

    @property
    def busy(self) -> bool:
        return self._comparing.busy

    @property
    def comparison(self) -> ModelsSideBySide | None:
        return self.view.found

    def show_neighbours(self, word: str, number: int) -> None:
        """Show the neighbours of another word."""
        session = self._session
        self._word, self._number = word, number
        shown = session.active.run
        records = []
        if shown is not None and shown.embeddings is not None:
            records = [shown, *self._other_runs()]
        if not word or not records:
            self.drop_search()
            self._set_comparison(None, ())
            return
        vectors = [(record, record.embeddings) for record in records]
        vectors[0] = (records[0], session.active.embeddings)
        store = session.store

        def work(run: JobControl) -> tuple[ModelsSideBySide, list[Embeddings]]:
            loaded = []
            for at, (record, embeddings) in enumerate(vectors):
                run.check()
                run.advance(at / len(vectors), tr("Loading {name}", name=record.name))
                if embeddings is not None:
                    loaded.append(embeddings)
                else:
                    loaded.append(store.vectors(record.identifier))
            named = [(record.name, one) for record, one in zip(records, loaded, strict=True)]
            return side_by_side(named, word, number), loaded

        def show_models(result: tuple[ModelsSideBySide, list[Embeddings]]) -> None:
            for record, one in zip(records[1:], result[1][1:], strict=True):
                session.runs.keep_vectors(record, one)
            self._set_comparison(result[0], [record.colour for record in records])

        waits = any(embeddings is None for _, embeddings in vectors)
        key, title = (word, number, session.active.modes, *records), tr("Comparing models")
        self._comparing.ask(Request(key, title, work, show_models, quiet=not waits))

    def drop_search(self) -> None:
        """Drop the current job."""
        self._comparing.forget()

    def mark_word(self, word: str) -> None:
        """Mark the selected word in every column."""
        if word != self.view.chosen:
            self.view.chosen = word
            self.view.viewport().update()

    def _comparison_failed(self, error: UserError) -> None:
        self._set_comparison(None, ())
        self.summary.put(str(error))

    def _set_comparison(self, found: ModelsSideBySide | None, colours: Sequence[int]) -> None:
        self.view.put(found, colours)
        self._fit_columns()
        self.export.setEnabled(found is not None)
        if found is not None:
            self.summary.put(_summary_text(found))
        else:
            self.summary.put("")

    def _fit_columns(self) -> None:
        """Make columns as wide as their longest word, but leave room for two of them."""
        metrics = QFontMetrics(body_font(bold=True))
        columns = () if self.view.found is None else self.view.found.columns
        words = {one.word for column in columns for one in column.neighbours}
        longest = max((metrics.horizontalAdvance(word) for word in words), default=0)
        half = (self.width() - self.view.verticalScrollBar().sizeHint().width()) // 2
        least = max(
            min(longest + scaled_length(_BESIDE), scaled_length(_WIDEST), half),
            scaled_length(_NARROWEST),
        )
        self.view.horizontalHeader().setMinimumSectionSize(least)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _pick_word(self, word: str) -> None:
        if word != self.view.chosen:
            self.mark_word(word)
            self.picked.emit(word)

    def exports(self) -> Export | None:
        found = self.view.found
        if found is None:
            return None

        def table() -> str:
            rows = (
                (column.name, rank, one.word, one.cosine, one.before, one.models)
                for column in found.columns
                for rank, one in enumerate(column.neighbours, start=1)
            )
            return to_csv(
                ["model", "rank", "word", "cosine", f"rank in {found.columns[0].name}", "lists"],
                rows,
            )

        title, stem = tr("Neighbours of {word}", word=found.word), f"neighbours-{found.word}"
        return Export(self, self._session, title, stem, texts=csv(table))


def _summary_text(found: ModelsSideBySide) -> str:
    if len(found.columns) == 1:
        return tr("Choose other models to compare with.")
    first = found.columns[0]
    parts = [
        tr("{shared} with {name}", shared=column.shared, name=column.name)
        for column in found.columns[1:]
        if not column.problem
    ]
    if parts:
        shared = tr(
            "Of {number} in {name}, shared: {join}",
            number=len(first.neighbours),
            name=first.name,
            join=", ".join(parts),
        )
    else:
        shared = tr("Nothing to compare")
    if len(found.columns) > 2:
        return tr("{shared}; in all: {in_all}", shared=shared, in_all=found.in_all)
    return shared
