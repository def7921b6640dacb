"""All runs in a table: found by a filter, sorted, marked, compared, trained again, thrown away with a way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QPushButton, QVBoxLayout

from workbench.analysis.leaderboard import EvaluationSet
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.run import Run
from workbench.core.tables import Cell, to_csv
from workbench.session.records import RunRecord, State
from workbench.session.run_facts import ScoreColumn, best_known, facts, names_of, parameters_of, score_column
from workbench.session.run_filter import HELP, read_filter
from workbench.session.scores import Scores
from workbench.ui.action import Action
from workbench.ui.commands.menus import fill_for
from workbench.ui.commands.registry import GROUPS
from workbench.ui.commands.subjects import RunKeys, RunTarget
from workbench.ui.measures import sized
from workbench.ui.panel import Panel
from workbench.ui.text import count, plural
from workbench.ui.theme import SPACE_1, SPACE_2, set_property
from workbench.ui.widgets.elided import ElidedLabel
from workbench.ui.widgets.exporting import Export, ExportButton
from workbench.ui.widgets.instrument import Instrument
from workbench.ui.widgets.leaderboard_sets import offered_sets
from workbench.ui.widgets.run_choice import ManyChoice
from workbench.ui.widgets.runs_columns import LIVE, NOTE, STATE, Kind, columns, kinds, live_state
from workbench.ui.widgets.runs_table import RunsTable

_COLUMNS, _FILTER = "runs.columns", "runs.filter"
# Of the ticks, every so many: what a training tells changes faster than anybody reads.
_EVERY = 8
_KEEP_MS = 500
# Of the commands on runs, those that are in sight.
_BUTTONS = ("run.show", "run.compare", "run.again", "run.settings", "run.delete")

_Known = tuple[dict[str, dict[str, Cell]], list[ScoreColumn]]


class ColumnsChoice(ManyChoice):
    """Which columns are shown; what somebody ticked or unticked is remembered by name."""

    def __init__(self, view: RunsView) -> None:
        super().__init__()
        self._view = view
        self.setText(tr("Columns"))

    def fill(self) -> None:
        super().fill()
        for kind in self._view.kinds:
            self.box(kind.title, self.shows(kind), partial(self.show_column, kind.key))

    def shows(self, kind: Kind) -> bool:
        kept = self._view.session.settings.get(_COLUMNS, {})
        chosen = kept.get(kind.key) if isinstance(kept, dict) else None
        return chosen if isinstance(chosen, bool) else kind.usual

    def show_column(self, key: str, on: bool = True) -> None:
        """Show a column, or hide it."""
        settings = self._view.session.settings
        kept = settings.get(_COLUMNS, {})
        settings.set(_COLUMNS, {**(kept if isinstance(kept, dict) else {}), key: on})
        self.changed.emit()


class RunsView(Instrument):
    """``scored(scores, columns)``: what runs scored is known anew."""

    local = "table"
    title = tr("All runs")

    scored = Signal(object, object)

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self.kinds: list[Kind] = []
        self._records: list[RunRecord] = []
        self._rows: list[dict[str, Cell]] = []
        self._kept: dict[str, tuple[tuple[object, ...], dict[str, Cell]]] = {}
        self._scores: dict[str, dict[str, Cell]] = {}
        self._score_columns: list[ScoreColumn] = []
        self._last: tuple[object, ...] = ()
        self._moving: list[tuple[int, RunRecord]] = []
        self._ticks = 0
        # Where a hundred runs are deleted at once, the table is filled once.
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._changed)
        # Typing should not write a file at every letter.
        self._keep = QTimer(self)
        self._keep.setSingleShot(True)
        self._keep.setInterval(_KEEP_MS)
        self._keep.timeout.connect(lambda: self.session.settings.set(_FILTER, self.filter.text()))
        self._build()
        self._connect()
        for event in (self.session.runs_changed, self.session.shown_changed):
            panel.follow(event, self._soon.start)
        panel.follow(self.session.run_finished, lambda record: self.read_scores())

    # -- building

    def _build(self) -> None:
        self.filter = self.named(QLineEdit(), "filter", tr("Filter runs"), _tip(HELP))
        self.filter.setPlaceholderText(tr("Filter: words, dim>50, window:2,5, -state:failed …"))
        self.filter.setClearButtonEnabled(True)
        self.starred = self.named(QPushButton("★"), "starred", tr("Starred runs only"), tr("Show starred runs only"))
        self.starred.setCheckable(True)
        sized(self.starred, width=34)
        self.columns = self.named(ColumnsChoice(self), "columns", tr("Columns"), tr("Which columns are shown"))
        self.export = Export(
            self,
            self.session,
            tr("Export runs"),
            "runs",
            texts={".csv": (tr("CSV table (*.csv)"), self.csv), ".tsv": (tr("TSV table (*.tsv)"), self.tsv)},
        )
        self.table = self.named(
            RunsTable(self.theme, self.export),
            "runs",
            tr("Runs"),
            "",
        )
        export = self.named(ExportButton(lambda: self.export), "export", tr("Export as CSV or TSV"))
        self.fact = ElidedLabel()
        self.fact.setProperty("role", "muted")
        self.fact.setObjectName(f"{self.key}.fact")
        self.controls.addWidget(self.filter, 3)
        for widget in (self.starred, self.columns, export):
            self.controls.addWidget(widget)
        self._keys = RunKeys(self.table, self.context, lambda: self.table.selected)
        self.buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout()
        row.setSpacing(SPACE_1)
        declared = {action.key: action for action in GROUPS["run"].actions}
        for key in _BUTTONS:
            action = declared[key]
            if isinstance(action, Action):
                button = self.named(QPushButton(action.text), action.key.partition(".")[2], action.text)
                button.setProperty("role", "quiet")
                button.clicked.connect(partial(self._do, action))
                self.buttons[action.key] = button
                row.addWidget(button)
        row.addWidget(self.fact, 1)
        self.fact.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self.content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addLayout(row)
        column.addWidget(self.table, 1)

    def _connect(self) -> None:
        self.filter.textChanged.connect(self._filter)
        self.filter.installEventFilter(self)
        self.starred.toggled.connect(lambda _: self._filter())
        self.columns.changed.connect(self._again)
        self.table.chosen.connect(self._selected)
        self.table.opened.connect(lambda row: self.session.show(self.table.runs.records[row]))
        self.table.star_asked.connect(lambda record: self.session.marking.star([record], not record.star))
        self.table.runs.written.connect(self._written)
        self.table.edited.connect(self._soon.start)
        self.table.menu_asked.connect(self._open_menu)
        self.table.note_hidden.connect(partial(self.columns.show_column, NOTE))
        self.restore()

    def restore(self) -> None:
        """Take the filter and the columns that are in the settings."""
        kept = self.session.settings.get(_FILTER, "")
        self.filter.setText(kept if isinstance(kept, str) else "")
        self._again()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """From the filter, Down and Return go on to the table, and Escape clears it."""
        if watched is self.filter and isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self.table.setFocus(Qt.FocusReason.OtherFocusReason)
                if not self.table.selected and len(self.table.runs.order):
                    self.table.selectRow(0)
                return True
            if event.key() == Qt.Key.Key_Escape and self.filter.text():
                self.filter.clear()
                return True
        return bool(super().eventFilter(watched, event))

    # -- what is shown

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
        self.kinds = self._kinds()
        chosen = [kind for kind in self.kinds if self.columns.shows(kind)]
        shown = next((at for at, record in enumerate(records) if record is self.session.shown), -1)
        self.table.put(*columns(chosen, records, self._rows), records, shown)
        self._tell()

    def _kinds(self) -> list[Kind]:
        passing = [record for row, record in enumerate(self._records) if self.table.runs.passing(row)]
        return kinds(passing, self._parameters(passing), self._score_columns)

    def _parameters(self, passing: Sequence[RunRecord]) -> tuple[list[str], list[str]]:
        """Those on which the rows that pass differ, and all others that there are."""
        differing = parameters_of(passing)[0]
        return differing, [name for name in _parameters(self._records) if name not in differing]

    _names: Sequence[str] = ()

    # -- filter

    def _filter(self) -> None:
        self._keep.start()
        if self.state != "body":
            return
        self._passing()
        kept = [(kind.key, kind.usual) for kind in self.kinds]
        if kept != [(kind.key, kind.usual) for kind in self._kinds()]:
            self._fill()
        else:
            self.table.set_passing(self.table.runs.passing)
            self._tell()

    def show_only(self, text: str) -> None:
        """Filter by a text."""
        self.filter.setText(text)

    def _passing(self) -> None:
        problem = ""
        try:
            wanted = read_filter(self.filter.text(), self._names or names_of([]))
        except UserError as error:
            problem = f"{error.message} {error.hint}"
            self._wrong = error.message
        else:
            self._wrong = ""
            only = self.starred.isChecked()
            rows = self._rows
            self.table.runs.passing = lambda row: wanted(rows[row]) and (not only or bool(rows[row]["star"]))
        set_property(self.filter, "invalid", bool(problem))
        tip = _tip(problem or HELP)
        if self.filter.toolTip() != tip:
            self.filter.setToolTip(tip)

    _wrong = ""

    def _tell(self) -> None:
        shown, there = len(self.table.runs.order), len(self._rows)
        told = (
            plural(there, "run")
            if shown == there
            else tr("{shown} of {runs}", shown=count(shown), runs=plural(there, "run"))
        )
        chosen = len(self.table.selected)
        self.fact.put(
            self._wrong or (tr("{chosen} selected · {told}", chosen=count(chosen), told=told) if chosen > 1 else told)
        )

    # -- scores

    def read_scores(self) -> None:
        """In a job: what the runs scored on the sets that are known here."""
        if not self.panel.isVisible():
            return
        wanted = [record.identifier for record in self.session.runs if record.has_vectors]
        sets = offered_sets(self.session)
        self.session.jobs.start(
            tr("Reading scores"),
            lambda run: _known_scores(wanted, sets, run),
            self._take_scores,
            key=self.key,
            quiet=True,
        )

    def _take_scores(self, known: _Known) -> None:
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
        target = self._target
        for action in GROUPS["run"].actions:
            button = self.buttons.get(action.key)
            if button is None or not isinstance(action, Action):
                continue
            reason = action.why_not(target)
            if button.isEnabled() is bool(reason):
                button.setEnabled(not reason)
            keys = self.context.desk.shortcuts.of(action.key)
            tip = f"{action.description}{f' ({keys[0]})' if keys else ''} {reason}".strip()
            if button.toolTip() != tip:
                button.setToolTip(tip)
        self._tell()

    def _do(self, action: Action, checked: bool = False) -> None:
        if not action.why_not(self._target):
            action.run(self._target)

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


def _known_scores(identifiers: Sequence[str], sets: Sequence[EvaluationSet], run: Run) -> _Known:
    """By identifier and name of the column, and the columns of which there is a score."""
    found: dict[str, ScoreColumn] = {}
    for one in sets:
        run.check()
        try:
            key = one.key()
        except UserError:
            continue
        found[key] = score_column(key, one.title)
    kept = Scores()
    scores: dict[str, dict[str, Cell]] = {}
    for identifier in identifiers:
        run.check()
        known: Mapping[str, Cell] = best_known(kept.of(identifier), found)
        if known:
            scores[identifier] = dict(known)
    used = {name for known in scores.values() for name in known}
    return scores, list({one.key: one for one in found.values() if one.key in used}.values())


def _parameters(records: Sequence[RunRecord]) -> list[str]:
    differing, same = parameters_of(records)
    return [*differing, *same]


def _tip(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<div style='width: 340px'>{escaped}</div>"
