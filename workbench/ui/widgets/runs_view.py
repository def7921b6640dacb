"""All runs in a table: found by a filter, sorted, marked, compared, trained again, thrown away with a way back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtWidgets import QMenu, QVBoxLayout

from workbench.core.language import tr
from workbench.core.tables import Cell, to_csv
from workbench.session.records import RunRecord, State
from workbench.session.run_facts import ScoreColumn, facts, names_of, parameters_of
from workbench.session.scores import KnownScores, known_scores
from workbench.ui.commands.menus import fill_for
from workbench.ui.commands.registry import GROUPS
from workbench.ui.commands.subjects import RunKeys, RunTarget
from workbench.ui.panel import Panel
from workbench.ui.plain_text import PlainLabel
from workbench.ui.text import count, plural
from workbench.ui.theme import SPACE_2
from workbench.ui.widgets.elided import ElidedLabel
from workbench.ui.widgets.exporting import Export, ExportButton
from workbench.ui.widgets.instrument import Instrument
from workbench.ui.widgets.leaderboard_sets import offered_sets
from workbench.ui.widgets.run_buttons import RunButtons
from workbench.ui.widgets.runs_columns import EMPTY, LIVE, NOTE, STATE, Kind, columns, kinds, live_state
from workbench.ui.widgets.runs_columns_choice import ColumnsChoice
from workbench.ui.widgets.runs_filter import RunsFilter
from workbench.ui.widgets.runs_table import RunsTable

# Of the ticks, every so many: what a training tells changes faster than anybody reads.
_EVERY = 8


class RunsView(Instrument):
    """``scored(scores, columns)``: what runs scored is known anew."""

    local = "table"
    title = tr("All runs")

    scored = Signal(object, object)

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self._records: list[RunRecord] = []
        self._rows: list[dict[str, Cell]] = []
        self._kept: dict[str, tuple[tuple[object, ...], dict[str, Cell]]] = {}
        self._scores: dict[str, dict[str, Cell]] = {}
        self._score_columns: list[ScoreColumn] = []
        self._names: Sequence[str] = ()
        self._last: tuple[object, ...] = ()
        self._moving: list[tuple[int, RunRecord]] = []
        self._ticks = 0
        # Where a hundred runs are deleted at once, the table is filled once.
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._changed)
        self._build()
        self._connect()
        for event in (self.session.runs_changed, self.session.shown_changed):
            panel.follow(event, self._soon.start)
        panel.follow(self.session.run_finished, lambda record: self.read_scores())

    # -- building

    def _build(self) -> None:
        self._asked = RunsFilter(self.session.settings, self)
        self.filter = self.named(self._asked.line, "filter", tr("Filter runs"))
        self.starred = self.named(self._asked.starred, "starred", tr("Starred runs only"), tr("Show starred runs only"))
        self.columns = self.named(
            ColumnsChoice(self.session.settings), "columns", tr("Columns"), tr("Which columns are shown")
        )
        self.export = Export(
            self,
            self.session,
            tr("Export runs"),
            "runs",
            texts={".csv": (tr("CSV table (*.csv)"), self.csv), ".tsv": (tr("TSV table (*.tsv)"), self.tsv)},
        )
        self.table = self.named(RunsTable(self.theme, self.export), "runs", tr("Runs"))
        export = self.named(ExportButton(lambda: self.export), "export", tr("Export as CSV or TSV"))
        self.fact = ElidedLabel()
        self.fact.setProperty("role", "muted")
        self.fact.setObjectName(f"{self.key}.fact")
        self.wrong = self.named(PlainLabel(), "wrong", tr("What is wrong with the filter"))
        self.wrong.setProperty("role", "error")
        self.wrong.setWordWrap(True)
        self.wrong.hide()
        self.controls.addWidget(self.filter, 3)
        for widget in (self.starred, self.columns, export):
            self.controls.addWidget(widget)
        self._keys = RunKeys(self.table, self.context, lambda: self.table.selected)
        row = self._row = RunButtons(self.named, lambda: self._target)
        self.buttons = row.by_key
        row.addWidget(self.fact, 1)
        self.fact.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self.content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addWidget(self.wrong)
        column.addLayout(row)
        column.addWidget(self.table, 1)

    def _connect(self) -> None:
        self._asked.changed.connect(self._filter)
        self._asked.left.connect(self._enter_table)
        self.columns.changed.connect(self._again)
        self.table.chosen.connect(self._selected)
        self.table.opened.connect(lambda row: self.session.show(self.table.runs.records[row]))
        self.table.star_asked.connect(lambda record: self.session.marking.star([record], not record.star))
        self.table.runs.written.connect(self._written)
        self.table.gave_way.connect(lambda: self.columns.tell(self.table.gone))
        self.table.edited.connect(self._soon.start)
        self.table.menu_asked.connect(self._open_menu)
        self.table.note_hidden.connect(partial(self.columns.show_column, NOTE))
        self.restore()

    def restore(self) -> None:
        """Take the filter and the columns that are in the settings."""
        self._asked.restore()
        self._again()

    def _enter_table(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.table.selected and len(self.table.runs.order):
            self.table.selectRow(0)

    # -- what is shown

    def drawn(self) -> list[RunRecord]:
        return []  # each row tells its text

    def refresh(self) -> None:
        """Come to be seen: others may have scored meanwhile."""
        self.read_scores()
        self._changed()

    def _changed(self) -> None:
        if not self.isVisible() or self.table.editing:
            return
        records = self.session.runs[::-1]
        self._moving = [
            (at, record)
            for at, record in enumerate(records)
            if not record.state.over and record.state is not State.WAITING
        ]
        if not records:
            self._last = ()
            self.say(
                tr("No runs yet"), tr("Train a model at the left, train a grid, or open vectors: each is a row here.")
            )
            return
        rows = [self._facts(record) for record in records]
        made = (records, rows, self._score_columns, self.session.shown)
        if made != self._last:
            self._last = made
            self._records, self._rows = records, rows
            self._fill()
        self.show_content()
        self._selected()

    def _again(self) -> None:
        self._last = ()
        self._changed()

    def _facts(self, record: RunRecord) -> dict[str, Cell]:
        """Worked out again only where something of it is another."""
        state = record.state if record.state.over else live_state(record)
        scores = self._scores.get(record.identifier, {})
        made = (state, *record.marks.values(), id(record.summary), len(record.trace), tuple(scores.items()))
        kept = self._kept.get(record.identifier)
        if kept is None or kept[0] != made:
            kept = made, {**facts(record, scores), STATE: live_state(record)}
            self._kept[record.identifier] = kept
        return kept[1]

    def _fill(self) -> None:
        """The rows anew, with the columns in which those that pass differ."""
        records = self._records
        self._names = names_of(_parameters(records), [one.key for one in self._score_columns])
        self._passing()
        self.columns.kinds = self._kinds()
        chosen = self.columns.chosen()
        shown = next((at for at, record in enumerate(records) if record is self.session.shown), -1)
        self.table.put(*columns(chosen, records, self._rows), records, shown)
        self.columns.tell(self.table.gone)
        self._tell()

    def _kinds(self) -> list[Kind]:
        rows = [row for row in range(len(self._records)) if self.table.runs.passing(row)]
        passing = [self._records[row] for row in rows]

        def placed(kind: Kind) -> Kind:
            if kind.key in self._asked.keys:
                # What is asked about is seen, even where all that pass agree on it.
                return replace(kind, usual=True, spare=0)
            empty = kind.spare and all(self._rows[row].get(kind.key) is None for row in rows)
            return replace(kind, spare=EMPTY) if empty else kind

        return [placed(kind) for kind in kinds(passing, self._parameters(passing), self._score_columns)]

    def _parameters(self, passing: Sequence[RunRecord]) -> tuple[list[str], list[str]]:
        """Those on which the rows that pass differ, and all others that there are."""
        differing = parameters_of(passing)[0]
        return differing, [name for name in _parameters(self._records) if name not in differing]

    # -- filter

    def _filter(self) -> None:
        if self.state != "body":
            return
        self._passing()
        kept = [(kind.key, kind.usual, kind.spare) for kind in self.columns.kinds]
        if kept != [(kind.key, kind.usual, kind.spare) for kind in self._kinds()]:
            self._fill()
        else:
            self.table.set_passing(self.table.runs.passing)
            self._tell()

    def show_only(self, text: str) -> None:
        """Filter by a text."""
        self.filter.setText(text)

    def _passing(self) -> None:
        passes = self._asked.read(self._names or names_of([]))
        rows = self._rows
        self.table.runs.passing = lambda row: passes(rows[row])

    def _tell(self) -> None:
        shown, there = len(self.table.runs.order), len(self._rows)
        told = (
            plural(there, "run")
            if shown == there
            else tr("{shown} of {runs}", shown=count(shown), runs=plural(there, "run"))
        )
        chosen = len(self.table.selected)
        self.fact.put(tr("{chosen} selected · {told}", chosen=count(chosen), told=told) if chosen > 1 else told)
        self.wrong.setText(self._asked.wrong)
        self.wrong.setVisible(bool(self._asked.wrong))
        self.table.say_empty("" if self._asked.wrong else tr("No run passes this filter"))

    # -- scores

    def read_scores(self) -> None:
        """In a job: what the runs scored on the sets that are known here."""
        if not self.panel.isVisible():
            return
        wanted = [record.identifier for record in self.session.runs if record.has_vectors]
        sets = offered_sets(self.session)
        self.session.jobs.start(
            tr("Reading scores"),
            lambda run: known_scores(wanted, sets, run),
            self._take_scores,
            key=self.key,
            quiet=True,
        )

    def _take_scores(self, known: KnownScores) -> None:
        if known != (self._scores, self._score_columns):
            self._scores, self._score_columns = known
            self.scored.emit(self._scores, self._score_columns)
            self._changed()

    # -- while something trains

    def tick(self) -> None:
        super().tick()
        self._ticks = (self._ticks + 1) % _EVERY
        if self._ticks or not self._moving or self.state != "body" or self.table.editing:
            return
        for at, record in self._moving:
            if at >= len(self._rows) or self.table.runs.records[at] is not record:
                continue
            now = {**facts(record), STATE: live_state(record)}
            changed = {key: now[key] for key in LIVE if now[key] != self._rows[at].get(key)}
            if changed:
                self._rows[at].update(changed)
                self.table.runs.replace(at, changed)

    # -- what is done with runs

    @property
    def _target(self) -> RunTarget:
        return RunTarget(self.table, self.context, tuple(self.table.selected))

    def _selected(self) -> None:
        self._row.refresh()
        self._tell()

    def _open_menu(self, place: QPoint) -> None:
        self.make_menu().popup(place)

    def make_menu(self) -> QMenu:
        """What can be done with the selected runs, and with the table."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_for(menu, GROUPS["run"].actions, self._target, self.context.desk.shortcuts)
        menu.addSeparator()
        more = self.table.menu()
        menu.addActions(more.actions())
        menu.destroyed.connect(more.deleteLater)
        return menu

    def _written(self, record: RunRecord, key: str, text: str) -> None:
        if key == NOTE:
            self.session.marking.note(record, text)
        else:
            self.session.rename(record, text)

    # -- export

    def _table(self) -> tuple[list[str], list[list[Cell]]]:
        """The columns and rows that are shown, in their order."""
        keys, order = self.table.runs.keys, self.table.runs.order
        return keys, [[self._rows[int(row)].get(key) for key in keys] for row in order]

    def csv(self) -> str:
        return to_csv(*self._table())

    def tsv(self) -> str:
        return to_csv(*self._table(), delimiter="\t")


def _parameters(records: Sequence[RunRecord]) -> list[str]:
    differing, same = parameters_of(records)
    return [*differing, *same]
