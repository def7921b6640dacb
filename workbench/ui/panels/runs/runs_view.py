"""All runs in a table: filter, sort, mark, compare, train again, delete with undo."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QMenu, QPushButton

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.table_export import Cell, to_csv
from workbench.session.runs.facts import ScoreColumn, facts, names_of, parameters_of
from workbench.session.runs.filter import HELP, read_filter
from workbench.session.runs.groups import RunGroup
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.runs.scores import KnownScores, known_scores
from workbench.session.settings.session_settings import RUN_COLUMNS, RUN_FILTER
from workbench.ui import kit
from workbench.ui.base.action import Action
from workbench.ui.base.exporter import Exporter
from workbench.ui.base.panel import Panel
from workbench.ui.base.panel_state import PanelState, choice
from workbench.ui.base.plain_text import rich_tip, safe_tip
from workbench.ui.base.text import count, plural
from workbench.ui.base.theme import SPACE_1, set_property
from workbench.ui.commands.menus import fill_for
from workbench.ui.commands.registry import GROUPS
from workbench.ui.commands.run_targets import RunKeys, RunTarget
from workbench.ui.export.export_actions import Export
from workbench.ui.panels.runs.runs_table import RunsTable
from workbench.ui.widgets.inputs.evaluation_sets import offered_sets
from workbench.ui.widgets.inputs.filter_line import FilterLine
from workbench.ui.widgets.inputs.run_choice import ManyChoice, grouped_runs
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.layout.result_view import Request, ResultJob
from workbench.ui.widgets.tables.runs_columns import (
    EMPTY,
    LIVE,
    NAME,
    NOTE,
    STATE,
    RunsColumn,
    columns,
    kinds,
    live_state,
)

# Columns of every export, even if all runs agree on them: they identify the model of a row.
_IDENTIFYING = ("algorithm", "corpus", "dim")
# Commands on runs that have a visible button.
_BUTTONS = ("run.show", "run.compare", "run.again", "run.settings", "run.delete")
_ONWARD = (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)
# Update only every few ticks: values of a training change faster than anyone can read.
_EVERY = 8


@dataclass(frozen=True)
class RunsViewState(PanelState):
    """columns : those shown or hidden by hand, by key"""

    filter: str = choice(setting=RUN_FILTER, typed=True)
    starred: bool = choice(False)
    columns: Mapping[str, bool] = choice(setting=RUN_COLUMNS)


class RunsView(Instrument):
    """``scored(scores, columns)``: the scores of the runs have been updated."""

    local = "table"
    state_kind = RunsViewState
    view_state: RunsViewState

    scored = Signal(object, object)

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self._groups: list[RunGroup[RunRecord]] = []
        self._records: list[RunRecord] = []
        self._rows: list[dict[str, Cell]] = []
        self._facts_cache: dict[str, tuple[tuple[object, ...], dict[str, Cell]]] = {}
        self._scores: dict[str, dict[str, Cell]] = {}
        self._score_columns: list[ScoreColumn] = []
        self._names: Sequence[str] = ()
        self._last: tuple[object, ...] = ()
        self._moving: list[tuple[int, RunRecord]] = []
        self._ticks = 0
        # If a hundred runs are deleted at once, the table is filled only once.
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.setInterval(0)
        self._soon.timeout.connect(self._update_table)
        self._reading = ResultJob(self.session.jobs, self.key)
        self._build()
        self._connect()
        session = self.session
        for event in (session.runs.changed, session.active.changed, session.corpora.changed):
            panel.follow(event, self._soon.start)
        panel.follow(self.session.training.finished, lambda record: self.read_scores())

    # -- building

    def _build(self) -> None:
        self._filter_controls = RunsFilter(self)
        self.filter = self.named(self._filter_controls.line, "filter", tr("Filter runs"))
        self.starred = self.named(
            self._filter_controls.starred,
            "starred",
            tr("Starred runs only"),
            tr("Show starred runs only"),
        )
        self.columns = self.named(
            ColumnsChoice(),
            "columns",
            tr("Columns"),
            tr("Visible columns"),
        )
        self.export = Export(
            self,
            self.session,
            tr("Export runs"),
            "runs",
            texts={
                ".csv": (tr("CSV table (*.csv)"), self.csv),
                ".tsv": (tr("TSV table (*.tsv)"), self.tsv),
            },
        )
        self.table = self.named(RunsTable(self.theme, self.export), "runs", tr("Runs"))
        export = kit.export_button(self, lambda: self.export, tr("Export as CSV or TSV"))
        self.fact = kit.with_role(kit.ElidedLabel(), "muted", f"{self.key}.fact")
        wrong = kit.label(role="error", wrap=True)
        self.wrong = self.named(wrong, "wrong", tr("Error in the filter"))
        self.wrong.hide()
        kit.add(self.controls, kit.stretch(self.filter, 3), self.starred, self.columns, export)
        self._keys = RunKeys(self.table, self.context, lambda: self.table.selected_runs)
        row = self._button_row = RunButtons(self.named, lambda: self._run_target)
        self.buttons = row.by_key
        kit.add(row, kit.stretch(self.fact))
        self.fact.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        kit.fill(self.content, kit.column(self.wrong, row, kit.stretch(self.table)))

    def _connect(self) -> None:
        self.bind(self.filter, "filter", by=[self.filter.textChanged])
        self.bind(self.starred, "starred")
        columns = self.columns
        self.bound.bind_to("columns", columns, lambda: columns.chosen, columns.put, columns.changed)
        self._filter_controls.left.connect(self._enter_table)
        self.table.chosen.connect(self._selection_changed)
        self.table.opened.connect(lambda row: self.session.active.show(self.table.records[row]))
        self.table.star_asked.connect(
            lambda record: self.session.runs.star([record], not record.star)
        )
        self.table.written.connect(self._save_text)
        self.table.gave_way.connect(lambda: self.columns.tell(self.table.gone))
        self.table.edited.connect(self._soon.start)
        self.table.menu_asked.connect(self._open_menu)
        self.table.note_hidden.connect(partial(self.columns.show_column, NOTE))

    def state_changed(self, before: RunsViewState, after: RunsViewState) -> None:
        if after.columns != before.columns:
            self._last = ()
            self._update_table()
        else:
            self._apply_filter()

    def _enter_table(self) -> None:
        self.table.setFocus(Qt.FocusReason.OtherFocusReason)
        if not self.table.selected_runs and len(self.table.table.order):
            self.table.selectRow(0)

    # -- display

    def drawn_runs(self) -> list[RunRecord]:
        return []  # each row shows its text

    def exporters(self) -> Sequence[Exporter]:
        return (self.export,)

    def refresh(self) -> None:
        """Read the scores again and update the table, when the view is shown."""
        self.read_scores()
        self._update_table()

    def _update_table(self) -> None:
        if not self.isVisible() or self.table.editing:
            return
        groups = grouped_runs(self.session, self.session.runs)
        records = [record for group in groups for record in group.runs]
        self._moving = [
            (at, record)
            for at, record in enumerate(records)
            if not record.state.over and record.state is not State.WAITING
        ]
        if not records:
            self._last = ()
            self.show_message(
                tr("No runs yet"),
                tr("Train a model, train a grid or open vectors to list them."),
            )
            return
        rows = [self._row_facts(record) for record in records]
        contents = (groups, rows, self._score_columns, self.session.active.run)
        if contents != self._last:
            self._last = contents
            self._groups, self._records, self._rows = groups, records, rows
            self._fill_table()
        self.show_content()
        self._selection_changed()

    def _row_facts(self, record: RunRecord) -> dict[str, Cell]:
        """The cells of a run; cached until any of its values changes."""
        state: object = record.state if record.state.over else live_state(record)
        scores = self._scores.get(record.identifier, {})
        row_facts = (
            state,
            *record.marks.values(),
            id(record.summary),
            len(record.trace),
            tuple(scores.items()),
        )
        kept = self._facts_cache.get(record.identifier)
        if kept is None or kept[0] != row_facts:
            kept = row_facts, {**facts(record, scores), STATE: live_state(record)}
            self._facts_cache[record.identifier] = kept
        return kept[1]

    def _fill_table(self) -> None:
        """Fill the rows again, with the columns in which the passing runs differ."""
        records = self._records
        self._names = names_of(_all_parameters(records), [one.key for one in self._score_columns])
        self._update_passing()
        self.columns.kinds = self._column_kinds()
        chosen = self.columns.chosen_columns()
        shown = next(
            (at for at, record in enumerate(records) if record is self.session.active.run), -1
        )
        self.table.put(columns(chosen, records, self._rows), self._groups, shown)
        self.columns.tell(self.table.gone)
        self._show_summary()

    def _column_kinds(self) -> list[RunsColumn]:
        rows = [row for row in range(len(self._records)) if self.table.passing(row)]
        passing = [self._records[row] for row in rows]

        def adapt_spare(kind: RunsColumn) -> RunsColumn:
            if kind.key in self._filter_controls.keys:
                # Queried columns are visible, even where all matching runs agree on them.
                return replace(kind, usual=True, spare=0)
            if kind.spare and all(self._rows[row].get(kind.key) is None for row in rows):
                return replace(kind, spare=EMPTY)
            return kind

        return [
            adapt_spare(kind)
            for kind in kinds(passing, self._parameter_names(passing), self._score_columns)
        ]

    def _parameter_names(self, passing: Sequence[RunRecord]) -> tuple[list[str], list[str]]:
        """Parameters in which the filtered rows differ, and all other parameters."""
        differing = parameters_of(passing)[0]
        return differing, [name for name in _all_parameters(self._records) if name not in differing]

    # -- filter

    def _apply_filter(self) -> None:
        if self.state != "body":
            return
        self._update_passing()
        kept = [(kind.key, kind.usual, kind.spare) for kind in self.columns.kinds]
        if kept != [(kind.key, kind.usual, kind.spare) for kind in self._column_kinds()]:
            self._fill_table()
        else:
            self.table.filter_rows()
            self._show_summary()

    def show_only(self, text: str) -> None:
        """Filter by a text."""
        self.filter.setText(text)

    def _update_passing(self) -> None:
        passes = self._filter_controls.read(self._names or names_of([]))
        rows = self._rows
        self.table.passing = lambda row: passes(rows[row])

    def _show_summary(self) -> None:
        passing, total = len(self.table.table.order), len(self._rows)
        summary = plural(total, "run")
        if passing != total:
            summary = tr("{shown} of {runs}", shown=count(passing), runs=summary)
        chosen = len(self.table.selected_runs)
        if chosen > 1:
            summary = tr("{chosen} selected · {summary}", chosen=count(chosen), summary=summary)
        self.fact.put(summary)
        problem = self._filter_controls.wrong
        self.wrong.setText(problem)
        self.wrong.setVisible(bool(problem))
        if problem:
            self.table.say_empty("")
        else:
            self.table.say_empty(tr("No runs match this filter"))

    # -- scores

    def read_scores(self) -> None:
        """Read the scores of the runs on the known sets, in a job."""
        if not self.panel.isVisible():
            return
        wanted = [record.identifier for record in self.session.runs if record.has_vectors]
        sets = offered_sets(self.session)
        # Each is a new one: other panels score runs, too.
        title = tr("Reading scores")
        work = partial(known_scores, wanted, sets)
        self._reading.ask(Request((object(),), title, work, self._take_scores, quiet=True))

    def _take_scores(self, known: KnownScores) -> None:
        if known != (self._scores, self._score_columns):
            self._scores, self._score_columns = known
            self.scored.emit(self._scores, self._score_columns)
            self._update_table()

    # -- during training

    def tick(self) -> None:
        super().tick()
        self._ticks = (self._ticks + 1) % _EVERY
        if self._ticks or not self._moving or self.state != "body" or self.table.editing:
            return
        for at, record in self._moving:
            if at >= len(self._rows) or self.table.records[at] is not record:
                continue
            now = {**facts(record), STATE: live_state(record)}
            changed = {key: now[key] for key in LIVE if now[key] != self._rows[at].get(key)}
            if changed:
                self._rows[at].update(changed)
                self.table.replace(at, changed)

    # -- actions

    @property
    def _run_target(self) -> RunTarget:
        return RunTarget(self.table, self.context, tuple(self.table.selected_runs))

    def _selection_changed(self) -> None:
        self._button_row.refresh()
        self._show_summary()

    def _open_menu(self, place: QPoint) -> None:
        self.make_menu().popup(place)

    def make_menu(self) -> QMenu:
        """The menu of commands for the selected runs and the table."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_for(menu, GROUPS["run"].actions, self._run_target, self.context.desk.shortcuts)
        menu.addSeparator()
        more = self.table.menu()
        menu.addActions(more.actions())
        menu.destroyed.connect(more.deleteLater)
        return menu

    def _save_text(self, record: RunRecord, key: str, text: str) -> None:
        if key == NOTE:
            self.session.runs.write_note(record, text)
        else:
            self.session.runs.rename(record, text)

    # -- export

    def _shown_table(self) -> tuple[list[str], list[list[Cell]]]:
        """The visible columns and rows in their order, and the columns that identify a run."""
        keys, order = [*self.table.keys], self.table.table.order
        missing = [key for key in _IDENTIFYING if key not in keys]
        after_name = keys.index(NAME) + 1
        keys[after_name:after_name] = missing
        return keys, [[self._rows[int(row)].get(key) for key in keys] for row in order]

    def csv(self) -> str:
        return to_csv(*self._shown_table())

    def tsv(self) -> str:
        return to_csv(*self._shown_table(), delimiter="\t")


def _all_parameters(records: Sequence[RunRecord]) -> list[str]:
    differing, same = parameters_of(records)
    return [*differing, *same]


class ColumnsChoice(ManyChoice):
    """A button whose menu has a check box for each possible column; boxes changed by the user are
    remembered by name.

    Columns without enough room have an empty box; ticking it shows them anyway.
    """

    def __init__(self) -> None:
        super().__init__()
        self.chosen: Mapping[str, bool] = {}
        self.kinds: Sequence[RunsColumn] = ()
        self._gone: Sequence[str] = ()
        self.setText(tr("Columns"))

    def fill(self) -> None:
        super().fill()
        for kind in self.kinds:
            shows, gone = self.shows(kind), kind.title in self._gone
            title = kind.title
            if shows and gone:
                title = tr("{title} (no room)", title=title)
            self.box(title, shows and not gone, partial(self.show_column, kind.key))

    def shows(self, kind: RunsColumn) -> bool:
        return self.chosen.get(kind.key, kind.usual)

    def chosen_columns(self) -> list[RunsColumn]:
        """Columns to show. A column ticked by the user is never hidden."""
        chosen = []
        for kind in filter(self.shows, self.kinds):
            if self.chosen.get(kind.key):
                chosen.append(replace(kind, spare=0))
            else:
                chosen.append(replace(kind))
        return chosen

    def tell(self, gone: Sequence[str]) -> None:
        """List the columns, by title, that don't have enough room."""
        self._gone = gone
        text, tip = tr("Columns"), tr("Visible columns")
        if gone:
            chosen = sum(map(self.shows, self.kinds))
            text = tr("Columns ({seen} of {chosen})", seen=chosen - len(gone), chosen=chosen)
            tip = tr(
                "No room for {names}. Widen the window or tick them to show them.",
                names=", ".join(gone),
            )
        self.setText(text)
        self.setToolTip(safe_tip(tip))

    def show_column(self, key: str, on: bool = True) -> None:
        """Show or hide a column."""
        self.put({**self.chosen, key: on})
        self.changed.emit()

    def put(self, chosen: Mapping[str, bool]) -> None:
        """Set the columns that were shown or hidden by hand."""
        self.chosen = chosen


class RunsFilter(QObject):
    """The filter's two controls, for a row of controls. ``left()``: Down or Return was pressed in
    the line, to continue in the table.
    """

    left = Signal()

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        # The part of the line that can't be interpreted, with the valid conditions, or "".
        self.wrong = ""
        # Columns that the filter refers to.
        self.keys: frozenset[str] = frozenset()
        self.line = FilterLine()
        self.line.setPlaceholderText(tr("Filter: words, dim>50, window:2,5, -state:failed …"))
        self.line.setToolTip(rich_tip("", HELP, width=340))
        self.line.installEventFilter(self)
        self.starred = kit.set_scaled_size(kit.button("★", checkable=True), width=34)

    def read(self, names: Sequence[str]) -> Callable[[Mapping[str, Cell]], bool]:
        """Predicate for the cells of a run. If the line isn't valid, it is marked as such and all
        runs pass, as the filter of a letter ago isn't what the user wants.

        names : names of the cells that the filter may use
        """
        self.wrong = ""
        try:
            found = read_filter(self.line.text(), names)
        except UserError as error:
            self.wrong = str(error)
            found = read_filter("", names)
        set_property(self.line, "invalid", bool(self.wrong))
        self.keys, only = found.keys, self.starred.isChecked()
        return lambda cells: found(cells) and (not only or bool(cells["star"]))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave the line on Down and Return."""
        pressed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if watched is self.line and pressed and event.key() in _ONWARD:  # type: ignore[attr-defined]
            self.left.emit()
            return True
        return bool(super().eventFilter(watched, event))


class RunButtons(kit.Bar):
    """A row of buttons. Actions that aren't available for the target are disabled, and their
    tooltips give the reason.
    """

    def __init__(
        self, named: Callable[[QPushButton, str, str], QPushButton], target: Callable[[], RunTarget]
    ) -> None:
        super().__init__(gap=SPACE_1)
        self._run_target = target
        self.by_key: dict[str, QPushButton] = {}
        declared = {action.key: action for action in GROUPS["run"].actions}
        self._actions = [action for key in _BUTTONS if isinstance(action := declared[key], Action)]
        for action in self._actions:
            button = kit.button(
                action.text, role="quiet", pressed=partial(self._run_action, action)
            )
            self.by_key[action.key] = named(button, action.key.partition(".")[2], action.text)
        kit.add(self, *self.by_key.values())

    def refresh(self) -> None:
        """Update the buttons for the selected runs and their state."""
        target = self._run_target()
        for action in self._actions:
            button, reason = self.by_key[action.key], action.why_not(target)
            if button.isEnabled() is bool(reason):
                button.setEnabled(not reason)
            keys = target.context.desk.shortcuts.of(action.key)
            tip = action.description
            if keys:
                tip += f" ({keys[0]})"
            tip = f"{tip} {reason}".strip()
            if button.toolTip() != tip:
                button.setToolTip(safe_tip(tip))

    def _run_action(self, action: Action, checked: bool = False) -> None:
        target = self._run_target()
        if not action.why_not(target):
            action.run(target)
