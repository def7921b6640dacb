"""All runs in a table: found by a filter, sorted, marked, compared, trained again, thrown away with a way back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QPushButton, QVBoxLayout

from workbench.analysis.leaderboard import EvaluationSet
from workbench.core.errors import UserError
from workbench.core.run import Run
from workbench.core.tables import Cell, to_csv
from workbench.models.base import MODELS
from workbench.session.records import RunRecord, State
from workbench.session.run_facts import ScoreColumn, best_known, facts, names_of, parameters_of, score_column
from workbench.session.run_filter import HELP, read_filter
from workbench.session.scores import Scores
from workbench.ui.measures import sized
from workbench.ui.panel import Panel
from workbench.ui.text import count, plural
from workbench.ui.theme import SPACE_1, SPACE_2, set_property
from workbench.ui.widgets.elided import ElidedLabel
from workbench.ui.widgets.exporting import Export, ExportButton
from workbench.ui.widgets.instrument import Instrument
from workbench.ui.widgets.leaderboard_sets import offered_sets
from workbench.ui.widgets.run_choice import ManyChoice
from workbench.ui.widgets.runs_columns import LIVE, NAME, NOTE, STATE, Kind, columns, kinds, live_state
from workbench.ui.widgets.runs_table import RunsTable

_COLUMNS, _FILTER = "runs.columns", "runs.filter"
# Of the ticks, every so many: what a training tells changes faster than anybody reads.
_EVERY = 8

_Known = tuple[dict[str, dict[str, Cell]], list[ScoreColumn]]


class ColumnsChoice(ManyChoice):
    """Which columns are shown; what somebody ticked or unticked is remembered by name."""

    def __init__(self, view: RunsView) -> None:
        super().__init__()
        self._view = view
        self.setText("Columns")

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
    """``grid_asked(group)``: somebody wants to see the results of a grid; ``plan_asked(record)``: to plan one that
    begins with the settings of a run. ``scored(scores, columns)``: what runs scored is known anew.
    """

    local = "table"
    title = "All runs"

    grid_asked = Signal(str)
    plan_asked = Signal(object)
    scored = Signal(object, object)

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self.kinds: list[Kind] = []
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
        self._build()
        self._connect()
        for event in (self.session.runs_changed, self.session.shown_changed):
            panel.follow(event, self._soon.start)
        panel.follow(self.session.run_finished, lambda record: self.read_scores())

    # -- building

    def _build(self) -> None:
        self.filter = self.named(QLineEdit(), "filter", "Filter runs", _tip(HELP))
        self.filter.setPlaceholderText("Filter: words, dim>50, window:2,5, -state:failed …")
        self.filter.setClearButtonEnabled(True)
        self.starred = self.named(QPushButton("★"), "starred", "Starred runs only", "Show starred runs only")
        self.starred.setCheckable(True)
        sized(self.starred, width=34)
        self.columns = self.named(ColumnsChoice(self), "columns", "Columns", "Which columns are shown")
        self.export = Export(
            self,
            self.session,
            "Export runs",
            "runs",
            texts={".csv": ("CSV table (*.csv)", self.csv), ".tsv": ("TSV table (*.tsv)", self.tsv)},
        )
        self.table = self.named(
            RunsTable(self.theme, self.export),
            "runs",
            "Runs",
            "",
        )
        export = self.named(ExportButton(lambda: self.export), "export", "Export as CSV or TSV")
        self.fact = ElidedLabel()
        self.fact.setProperty("role", "muted")
        self.fact.setObjectName(f"{self.key}.fact")
        self.controls.addWidget(self.filter, 3)
        for widget in (self.starred, self.columns, export):
            self.controls.addWidget(widget)
        self._actions = self._make_actions()
        self.buttons: dict[str, QPushButton] = {}
        row = QHBoxLayout()
        row.setSpacing(SPACE_1)
        for key in ("show", "compare", "again", "settings", "delete"):
            action = self._actions[key]
            button = self.named(QPushButton(action.text()), key, action.text().rstrip("…"), action.toolTip())
            button.setProperty("role", "quiet")
            button.clicked.connect(action.trigger)
            self.buttons[key] = button
            row.addWidget(button)
        row.addWidget(self.fact, 1)
        self.fact.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        column = QVBoxLayout(self.content)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_2)
        column.addLayout(row)
        column.addWidget(self.table, 1)

    def _make_actions(self) -> dict[str, QAction]:
        made = {}
        for key, text, tip, slot in (
            ("show", "Show", "Look at the vectors (Return)", self.show_run),
            ("compare", "Compare", "Two side by side, more in the leaderboard (C)", self.compare),
            ("again", "Train again", "With the same settings, on the corpus that is open (T)", self.train_again),
            ("settings", "Use settings", "Put the settings into the form at the left (U)", self.use_settings),
            ("star", "Star", "Give a star, or take it (S)", self.toggle_star),
            ("rename", "Rename", "In place (F2)", lambda: self.table.write(NAME)),
            ("note", "Edit note", "In place (N)", self.write_note),
            ("cancel", "Cancel", "End what is under way or waits, and throw it away", self.cancel_runs),
            ("plan", "Train a grid from it…", "Plan a grid that begins with its settings", self.ask_plan),
            ("grid", "Results of its grid", "Its scores or losses by parameter (G)", self.ask_grid),
            ("delete", "Delete", "Into the trash, with a way back (Del)", self.delete),
        ):
            action = QAction(text, self)
            action.setToolTip(tip)
            action.triggered.connect(lambda _=False, slot=slot: slot())
            made[key] = action
        return made

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
        keys = Qt.Key
        self.table.letters = {
            keys.Key_S: self.toggle_star,
            keys.Key_N: self.write_note,
            keys.Key_C: self.compare,
            keys.Key_T: self.train_again,
            keys.Key_U: self.use_settings,
            keys.Key_G: self.ask_grid,
            keys.Key_F: self.filter.setFocus,
            keys.Key_Delete: self.delete,
            keys.Key_Backspace: self.delete,
        }
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
            self.say("No runs yet", "Train a model at the left, train a grid, or open vectors: each is a row here.")
            return
        rows = [self._facts(record) for record in records]
        made = (records, rows, self._score_columns, self.session.shown)
        if made != self._last:
            self._last = made
            self._rows = rows
            self._fill(records)
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

    def _fill(self, records: Sequence[RunRecord]) -> None:
        parameters = parameters_of(records)
        self._names = names_of([*parameters[0], *parameters[1]], [one.key for one in self._score_columns])
        self.kinds = kinds(records, parameters, self._score_columns)
        chosen = [kind for kind in self.kinds if self.columns.shows(kind)]
        shown = next((at for at, record in enumerate(records) if record is self.session.shown), -1)
        self._passing()
        self.table.put(*columns(chosen, records, self._rows), records, shown)
        self._tell()

    _names: Sequence[str] = ()

    # -- filter

    def _filter(self) -> None:
        self.session.settings.set(_FILTER, self.filter.text())
        if self.state == "body":
            self._passing()
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
        told = plural(there, "run") if shown == there else f"{count(shown)} of {plural(there, 'run')}"
        chosen = len(self.table.selected)
        self.fact.put(self._wrong or (f"{count(chosen)} selected · {told}" if chosen > 1 else told))

    # -- scores

    def read_scores(self) -> None:
        """In a job: what the runs scored on the sets that are known here."""
        if not self.panel.isVisible():
            return
        wanted = [record.identifier for record in self.session.runs if record.has_vectors]
        sets = offered_sets(self.session)
        self.session.jobs.start(
            "Reading scores", lambda run: _known_scores(wanted, sets, run), self._take_scores, key=self.key, quiet=True
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

    def _selected(self) -> None:
        chosen = self.table.selected
        one = chosen[0] if len(chosen) == 1 else None
        ready = [record for record in chosen if record.has_vectors]
        able = {
            "show": one is not None and one.has_vectors,
            "compare": len(ready) == len(chosen) > 1,
            "again": bool(chosen) and all(record.algorithm in MODELS for record in chosen),
            "settings": one is not None and one.algorithm in MODELS,
            "star": bool(chosen),
            "rename": one is not None,
            "note": one is not None,
            "cancel": any(not record.state.over for record in chosen),
            "plan": one is not None and one.algorithm in MODELS,
            "grid": one is not None and bool(one.group),
            "delete": any(record.state.over for record in chosen),
        }
        for key, on in able.items():
            if self._actions[key].isEnabled() != on:
                self._actions[key].setEnabled(on)
            if key in self.buttons and self.buttons[key].isEnabled() != on:
                self.buttons[key].setEnabled(on)
        self._tell()

    def _open_menu(self, place: QPoint) -> None:
        self.make_menu().popup(place)

    def make_menu(self) -> QMenu:
        """What can be done with the selected runs, and with the table."""
        menu = self.table.menu()
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        first = menu.actions()[0]
        for key, action in self._actions.items():
            if key in ("star", "delete"):
                menu.insertSeparator(first)
            menu.insertAction(first, action)
        menu.insertSeparator(first)
        return menu

    def show_run(self) -> None:
        chosen = self.table.selected
        if len(chosen) == 1 and chosen[0].has_vectors:
            self.session.show(chosen[0])

    def compare(self) -> None:
        ready = [record for record in self.table.selected if record.has_vectors]
        if len(ready) < 2:
            self.session.message.emit("Select two trained runs to compare.", "Ctrl+click adds to the selection.", False)
            return
        # First the panel, which may not have been made yet.
        self.context.bridge.wanted.emit("compare" if len(ready) == 2 else "evaluate")
        self.session.compare_asked.emit(tuple(ready))

    def train_again(self) -> None:
        """Queue the selected runs once more; said first where another corpus is open than they were trained on."""
        chosen = [record for record in self.table.selected if record.algorithm in MODELS]
        corpus = self.session.corpus
        others = {record.corpus_name for record in chosen if corpus is None or record.corpus_digest != corpus.digest}
        if corpus is not None and others:
            told = f"Trained on {', '.join(sorted(others))}; {corpus.name} is open."
            self.context.bridge.offer(told, f"Train on {corpus.name}", partial(self._train_again, chosen))
        else:
            self._train_again(chosen)

    def _train_again(self, chosen: Sequence[RunRecord]) -> None:
        # In the order in which they were made.
        for record in sorted(chosen, key=lambda record: record.identifier):
            try:
                params = MODELS[record.algorithm].params_type.from_mapping(record.parameters)
                self.session.train(record.algorithm, params, show=False)
            except UserError as error:
                self.session.message.emit(error.message, error.hint, True)
                return

    def use_settings(self) -> None:
        chosen = self.table.selected
        if len(chosen) == 1 and chosen[0].algorithm in MODELS:
            self.context.bridge.wanted.emit("train")
            self.session.settings_asked.emit(chosen[0])

    def toggle_star(self) -> None:
        chosen = self.table.selected
        self.session.marking.star(chosen, not all(record.star for record in chosen))

    def write_note(self) -> None:
        if NOTE not in self.table.runs.keys:
            self.columns.show_column(NOTE)
        self.table.write(NOTE)

    def _written(self, record: RunRecord, key: str, text: str) -> None:
        if key == NOTE:
            self.session.marking.note(record, text)
        else:
            self.session.rename(record, text)

    def cancel_runs(self) -> None:
        self.session.queue.cancel([record for record in self.table.selected if not record.state.over])

    def delete(self) -> None:
        chosen = self.table.selected
        under_way = [record for record in chosen if not record.state.over]
        if chosen and len(under_way) == len(chosen):
            name = under_way[0].name
            self.session.message.emit(f"“{name}” is still under way.", "Stop or cancel it first.", True)
            return
        gone, change = self.session.marking.delete(chosen)
        if change is not None:
            told = f"“{gone[0].name}” was deleted." if len(gone) == 1 else f"{len(gone)} runs were deleted."
            self.context.bridge.offer(told, "Undo", partial(self.session.undo.revert, change))

    def ask_grid(self) -> None:
        chosen = self.table.selected
        if len(chosen) == 1 and chosen[0].group:
            self.grid_asked.emit(chosen[0].group)

    def ask_plan(self) -> None:
        chosen = self.table.selected
        if len(chosen) == 1 and chosen[0].algorithm in MODELS:
            self.plan_asked.emit(chosen[0])

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


def _tip(text: str) -> str:
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f"<div style='width: 340px'>{escaped}</div>"
