"""The neighbours of one word in several models, column by column."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QPushButton,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from workbench.analysis.neighbours.side_by_side import ModelsSideBySide, side_by_side
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.table_export import to_csv
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui.panels.neighbours.table import CELL, ColumnsDelegate, ColumnsModel, ColumnsView
from workbench.ui.plain_text import menu_text
from workbench.ui.scaling import scaled_length, set_scaled_size
from workbench.ui.theme import SPACE_1, SPACE_2, Theme, body_font
from workbench.ui.widgets.charts.export_actions import Export, ExportButton, csv
from workbench.ui.widgets.inputs.run_choice import own_first, run_text
from workbench.ui.widgets.layout.elided import ElidedLabel
from workbench.vectors.embeddings import Embeddings

_Index = QModelIndex | QPersistentModelIndex
_SETTING = "neighbours.runs"
_MOST = 8
_FIRST_OTHERS = 2
# No narrower than this, wider only for the words that stand in them; and what a cell has beside its word.
_ROW, _NARROWEST, _WIDEST, _BESIDE = 26, 112, 156, 56


class NeighbourColumns(QWidget):
    """A click or the arrow keys pick a word (``picked``), Return opens its own neighbours (``opened``), a double
    click activates it. The model looked at comes first; the other runs are chosen in a menu and remembered.
    """

    picked = Signal(str)
    opened = Signal(str)
    word_activated = Signal(str)

    def __init__(self, session: Session, theme: Theme, owner: str) -> None:
        super().__init__()
        self._session = session
        self._key = f"{owner}.columns"
        self._word, self._number = "", 20
        self._asked: tuple[object, ...] = ()
        self.runs = QPushButton(tr("Models"))
        self.runs.setObjectName(f"{self._key}.runs")
        self.runs.setAccessibleName(tr("Which models stand side by side"))
        self.runs.setToolTip(tr("Which models stand beside the one that is looked at"))
        menu = QMenu(self.runs)
        menu.aboutToShow.connect(self._fill)
        self.runs.setMenu(menu)
        self.export = ExportButton(self.exports)
        self.export.setObjectName(f"{self._key}.export")
        self.export.setAccessibleName(tr("Export the columns"))
        self.summary = ElidedLabel(lines=2)
        self.summary.setProperty("role", "small")
        self.summary.setObjectName(f"{self._key}.summary")
        self._table = ColumnsModel(theme)
        self.view = ColumnsView()
        self._delegate = ColumnsDelegate(theme, self.view)
        self._prepare()
        row = QHBoxLayout()
        row.setContentsMargins(SPACE_2, 0, SPACE_1, 0)
        row.addWidget(self.runs)
        row.addStretch()
        row.addWidget(self.export)
        line = QHBoxLayout()
        line.setContentsMargins(SPACE_2, 0, SPACE_1, 0)
        line.addWidget(self.summary)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_1)
        column.addLayout(row)
        column.addLayout(line)
        column.addWidget(self.view, 1)
        theme.changed.connect(self.view.viewport().update)

    def _prepare(self) -> None:
        view = self.view
        view.setModel(self._table)
        view.setItemDelegate(self._delegate)
        view.setObjectName(f"{self._key}.list")
        view.setAccessibleName(tr("Neighbours in several models; a row is a rank"))
        view.setProperty("role", "plain")
        view.setMouseTracking(True)
        view.setShowGrid(False)
        view.setWordWrap(False)
        view.setCornerButtonEnabled(False)
        view.setTabKeyNavigation(False)
        view.setFrameShape(QTableView.Shape.NoFrame)
        view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        rows, columns = view.verticalHeader(), view.horizontalHeader()
        rows.hide()
        rows.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        set_scaled_size(rows, rows=_ROW)
        columns.setTextElideMode(Qt.TextElideMode.ElideRight)
        view.setCornerWidget(QWidget())
        columns.setMinimumSectionSize(scaled_length(_NARROWEST))
        columns.setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        columns.setHighlightSections(False)
        view.selectionModel().currentChanged.connect(lambda index, _: self._pick(index))
        view.clicked.connect(self._pick)
        view.doubleClicked.connect(
            lambda index: self.word_activated.emit(str(index.data())) if self._known(index) else None
        )
        view.opened.connect(self.opened)

    # -- which models

    def _others(self) -> list[RunRecord]:
        """The chosen runs beside the shown one; until some were chosen, the newest of the same text."""
        usable = [
            record for record in self._session.runs if record.has_vectors and record is not self._session.active_run
        ]
        kept = self._session.settings.get(_SETTING)
        if not isinstance(kept, list):
            shown = self._session.active_run
            # Those of another text are not what is meant unless somebody says so.
            return [one for one in usable if shown is not None and one.corpus_digest == shown.corpus_digest][
                -_FIRST_OTHERS:
            ]
        return [record for record in usable if record.identifier in kept][:_MOST]

    def drawn_runs(self) -> list[RunRecord]:
        """The runs whose columns are seen."""
        return [self._session.active_run, *self._others()] if self._session.active_run is not None else []

    def _fill(self) -> None:
        menu = self.runs.menu()
        menu.clear()
        chosen = self._others()
        for record in own_first(self._session, (one for one in self._session.runs if one.has_vectors)):
            action = QAction(menu_text(run_text(self._session, record)), menu)
            action.setCheckable(True)
            action.setChecked(record in chosen or record is self._session.active_run)
            action.setEnabled(record is not self._session.active_run)
            action.toggled.connect(lambda on, record=record: self._choose(record, on))
            menu.addAction(action)

    def _choose(self, record: RunRecord, on: bool) -> None:
        wanted = [one.identifier for one in self._others() if one is not record] + [record.identifier] * on
        self._session.settings.set(_SETTING, wanted)
        self.look_at(self._word, self._number)

    # -- what they say

    @property
    def busy(self) -> bool:
        return self._session.jobs.busy(self._key)

    @property
    def found(self) -> ModelsSideBySide | None:
        return self._table.found

    def look_at(self, word: str, number: int) -> None:
        """List the neighbours of another word."""
        session = self._session
        self._word, self._number = word, number
        shown = session.active_run
        records = [shown, *self._others()] if shown is not None and shown.embeddings is not None else []
        asked = (word, number, *records)
        if asked == self._asked and (self._table.found is not None or self.busy):
            return
        self._asked = asked
        if not word or not records:
            self.drop()
            self._put(None, ())
            return
        vectors = [(record, record.embeddings) for record in records]
        store = session.store

        def work(run: JobControl) -> tuple[ModelsSideBySide, list[Embeddings]]:
            loaded = []
            for at, (record, embeddings) in enumerate(vectors):
                run.check()
                run.advance(at / len(vectors), tr("Loading {name}", name=record.name))
                loaded.append(embeddings if embeddings is not None else store.vectors(record.identifier))
            named = [(record.name, one) for record, one in zip(records, loaded, strict=True)]
            return side_by_side(named, word, number), loaded

        def done(result: tuple[ModelsSideBySide, list[Embeddings]]) -> None:
            for record, one in zip(records, result[1], strict=True):
                session.keep(record, one)
            self._put(result[0], [record.colour for record in records])

        waits = any(embeddings is None for _, embeddings in vectors)
        session.jobs.start(tr("Setting models side by side"), work, done, self._failed, key=self._key, quiet=not waits)

    def drop(self) -> None:
        """Forget what is under way."""
        self._session.jobs.drop(self._key)

    def mark(self, word: str) -> None:
        """Show where the selected word stands in every column."""
        if word != self._delegate.chosen:
            self._delegate.chosen = word
            self.view.viewport().update()

    def _failed(self, error: UserError) -> None:
        self._put(None, ())
        self.summary.put(str(error))

    def _put(self, found: ModelsSideBySide | None, colours: Sequence[int]) -> None:
        self._table.put(found, colours)
        self._fit()
        self.export.setEnabled(found is not None)
        self.summary.put(_summary(found) if found is not None else "")

    def _fit(self) -> None:
        """Make columns as wide as the longest word among them needs, as long as two are seen at once."""
        metrics = QFontMetrics(body_font(bold=True))
        words = {one.word for column in self._table.columns for one in column.neighbours}
        longest = max((metrics.horizontalAdvance(word) for word in words), default=0)
        half = (self.width() - self.view.verticalScrollBar().sizeHint().width()) // 2
        least = max(min(longest + scaled_length(_BESIDE), scaled_length(_WIDEST), half), scaled_length(_NARROWEST))
        self.view.horizontalHeader().setMinimumSectionSize(least)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _known(self, index: _Index) -> bool:
        return index.isValid() and index.data(CELL) is not None

    def _activate(self, index: _Index) -> None:
        if self._known(index):
            self.word_activated.emit(str(index.data()))

    def _pick(self, index: _Index) -> None:
        if self._known(index) and index.data() != self._delegate.chosen:
            self.mark(str(index.data()))
            self.picked.emit(str(index.data()))

    def exports(self) -> Export | None:
        found = self._table.found
        if found is None:
            return None

        def table() -> str:
            rows = (
                (column.name, rank, one.word, one.cosine, one.before, one.models)
                for column in found.columns
                for rank, one in enumerate(column.neighbours, start=1)
            )
            return to_csv(["model", "rank", "word", "cosine", f"rank in {found.columns[0].name}", "lists"], rows)

        title, stem = tr("Neighbours of {word}", word=found.word), f"neighbours-{found.word}"
        return Export(self, self._session, title, stem, texts=csv(table))


def _summary(found: ModelsSideBySide) -> str:
    if len(found.columns) == 1:
        return tr("Choose other models to compare with.")
    first = found.columns[0]
    parts = [
        tr("{shared} with {name}", shared=column.shared, name=column.name)
        for column in found.columns[1:]
        if not column.problem
    ]
    shared = (
        tr(
            "Of {number} in {name}, shared: {join}",
            number=len(first.neighbours),
            name=first.name,
            join=", ".join(parts),
        )
        if parts
        else tr("Nothing to compare")
    )
    if len(found.columns) > 2:
        return tr("{shared}; in all: {in_all}", shared=shared, in_all=found.in_all)
    return shared
