"""The list of runs: a dot in the run's colour, its name, and its final loss or its progress."""

from __future__ import annotations

from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPen
from PySide6.QtWidgets import QMenu

from workbench.core.language import percent
from workbench.session.runs.groups import RunGroup
from workbench.session.runs.journal_entries import InterruptedTraining
from workbench.session.runs.lesson_notes import is_of_lesson
from workbench.session.runs.run_record import RunRecord, State
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.run_marks import draw_run_mark, run_colour
from workbench.ui.base.scaling import scaled_length
from workbench.ui.base.text import true_minus
from workbench.ui.base.theme import TYPE_SMALL, body_font
from workbench.ui.commands import interrupted_menu
from workbench.ui.commands.menus import fill_for
from workbench.ui.commands.registry import GROUPS
from workbench.ui.commands.run_targets import RunKeys, RunTarget
from workbench.ui.widgets.inputs.run_choice import grouped_runs
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.painting import paint_ground, paint_text
from workbench.ui.widgets.tables.run_texts import DOINGS, describe
from workbench.ui.widgets.tables.table_model import PaintedCell, TableColumn

Entry = RunRecord | InterruptedTraining
_HEIGHT = 30
# Number of distinguishable steps of a progress bar.
_TRACK = 200
# The widest number beside the name of a text, with the gap between them.
_NUMBER = "  −0.0000"
# Diameter of the dot in the colour of the run.
_DOT = 8


def state_text(record: RunRecord) -> str:
    """Text on the right of a run: its loss, its progress, or its outcome."""
    if record.state == State.FAILED:
        return DOINGS["failed"]
    if record.state == State.WAITING:
        return DOINGS["waiting"]
    if record.state == State.CANCELLED:
        return DOINGS["cancelled"]
    progress = record.run.progress if record.run is not None else None
    if not record.state.over and progress is not None:
        if record.state == State.PAUSED:
            return DOINGS["paused"]
        if progress.fraction is None:
            return DOINGS[progress.phase.value]
        return percent(f"{100 * progress.fraction:.0f}")
    if record.error is not None:
        return DOINGS["diverged"]
    loss = record.final_loss
    if loss is None:
        return ""
    return true_minus(f"{loss:#.3g}")


def lesson_of(record: RunRecord) -> str:
    """The lesson that made a run, or ""."""
    if is_of_lesson(record.note):
        return record.note
    return ""


class RunList(DataTable):
    """List of runs: a click shows a run, F2 renames it, Delete removes it (with undo)."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context.theme, plain=True, rows=_HEIGHT)
        self._context = context
        self._session = context.session
        self._moved: dict[str, tuple[str, int]] = {}
        self._groups: list[RunGroup[Entry]] = []
        self._rows: list[Entry] = []
        self.walks = False
        self.table.edited.connect(self._rename)
        self.setEditTriggers(DataTable.EditTrigger.EditKeyPressed)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        for signal in (self.picked, self.opened, self.double_clicked):
            signal.connect(self._show_row)
        self._keys = RunKeys(self, context, self.runs_in_hand)

    # -- rows

    def refresh(self) -> None:
        """Show the session's runs."""
        entries: list[Entry] = [*self._session.runs, *self._session.recovery.interrupted]
        groups = grouped_runs(self._session, entries)
        if groups != self._groups:
            self._groups = groups
            self._rows = [entry for group in groups for entry in group.runs]
            titles = [group.title for group in groups for _ in group.runs]
            self.set_columns([self._column()], groups=titles)
        self.viewport().update()
        row = self._row_of(self._session.active.run)
        if (
            row >= 0
            and self.currentIndex().row() != row
            and self.state() != DataTable.State.EditingState
        ):
            self.pick(row)

    def _column(self) -> TableColumn:
        return TableColumn(
            "",
            self._rows,
            text=lambda one: one.name,
            tips=self._tip_text,
            spoken=self._spoken_text,
            # They leave room for the dot beside a name being edited.
            dots=[one.colour for one in self._rows],
            paint=self._paint_row,
            number=False,
            edits=self._edited_name,
        )

    def _tip_text(self, row: int) -> str:
        one = self._rows[row]
        if isinstance(one, InterruptedTraining):
            return interrupted_menu.describe(one)
        return describe(one)

    def _spoken_text(self, row: int) -> str:
        one = self._rows[row]
        if isinstance(one, InterruptedTraining):
            texts = [interrupted_menu.how_far(one)]
        else:
            texts = [lesson_of(one), state_text(one)]
        return ", ".join(filter(None, [one.name, self.table.groups[row], *texts]))

    def _edited_name(self, row: int) -> str | None:
        one = self._rows[row]
        if isinstance(one, InterruptedTraining):
            return None
        return one.name

    def _row_of(self, record: RunRecord | None) -> int:
        return next((row for row, other in enumerate(self._rows) if other is record), -1)

    def tick(self) -> None:
        """Repaint the changing parts of runs in progress."""
        for record in self._session.runs:
            if record.state.over:
                continue
            fraction, pixels = _fraction(record), -1
            if fraction is not None:
                pixels = round(_TRACK * fraction)
            moved = (state_text(record), pixels)
            if self._moved.get(record.identifier) != moved:
                self._moved[record.identifier] = moved
                self.update(self.table.index(self._row_of(record), 0))

    # -- actions

    def current(self) -> RunRecord | None:
        return self._run_at(self.current_row)

    def _run_at(self, row: int) -> RunRecord | None:
        if row < 0:
            return None
        one = self._rows[row]
        if isinstance(one, InterruptedTraining):
            return None
        return one

    def runs_in_hand(self) -> list[RunRecord]:
        """Target of the actions on runs while the list has the focus."""
        record = self.current()
        if record is not None:
            return [record]
        return []

    def edit_run(self, record: RunRecord) -> bool:
        """Rename a run in place; editing that has started continues. False if the run isn't in the
        list.
        """
        row = self._row_of(record)
        if row >= 0 and self.state() != DataTable.State.EditingState:
            self.edit(self.table.index(row, 0))
        return row >= 0

    def _rename(self, row: int, _: int, name: str) -> None:
        record = self._run_at(row)
        if record is not None and name.strip():
            self._session.runs.rename(record, name.strip())

    def _show_row(self, row: int) -> None:
        record = self._run_at(row)
        if record is not None and record.has_vectors:
            self._session.active.show(record)

    def make_menu(self, record: RunRecord) -> QMenu:
        """Actions on a run."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        fill_for(
            menu,
            GROUPS["run"].actions,
            RunTarget(self, self._context, (record,)),
            self._context.desk.shortcuts,
        )
        return menu

    def _open_menu(self, place: QPoint) -> None:
        index = self.indexAt(place)
        if not index.isValid():
            return
        one = self._rows[index.row()]
        if isinstance(one, InterruptedTraining):
            menu = interrupted_menu.make_menu(one, self._session, self._context.bridge, self)
        else:
            menu = self.make_menu(one)
        menu.popup(self.viewport().mapToGlobal(place))

    # -- painting

    def _paint_row(self, cell: PaintedCell) -> None:
        one: Entry = cell.value
        colours, painter = cell.theme.palette, cell.painter
        active = one is self._session.active.run
        # The focused row has a ring; the active run has a coloured ground.
        cell.selected = False
        paint_ground(cell, 0, chosen=active)
        box = cell.area.adjusted(0, 1, 0, -1)
        size = scaled_length(_DOT)
        dot = QRectF(box.left() + 8, box.center().y() - size / 2, size, size)
        colour = run_colour(one.colour, colours)
        if isinstance(one, InterruptedTraining):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour, 1.5))
            painter.drawEllipse(dot.adjusted(0.75, 0.75, -0.75, -0.75))
            texts = ("", interrupted_menu.how_far(one))
            _paint_texts(cell, one.name, texts, colours.muted, colours.muted)
            return
        draw_run_mark(painter, one.colour, dot, colours)
        of_name = of_state = colours.muted
        if one.state not in (State.FAILED, State.CANCELLED):
            of_name = colours.text
        if one.error is not None or one.state == State.FAILED:
            of_state = colours.danger
        texts = (lesson_of(one), state_text(one))
        _paint_texts(cell, one.name, texts, of_name, of_state, bold=active)
        fraction = _fraction(one)
        if fraction is not None and not one.state.over:
            track = QRectF(box.left() + 24, box.bottom() - 3, box.width() - 32, 2)
            painter.fillRect(track, QColor(colours.line))
            track.setWidth(track.width() * fraction)
            painter.fillRect(track, colour)


def _fraction(record: RunRecord) -> float | None:
    """The progress of a run, if known."""
    if record.run is None or record.run.progress is None:
        return None
    return record.run.progress.fraction


def _paint_texts(
    cell: PaintedCell,
    name: str,
    texts: tuple[str, str],
    of_name: str,
    of_state: str,
    bold: bool = False,
) -> None:
    """Paint the name on the left, shortened if necessary, and on the right its text and its
    progress.
    """
    font, right = body_font(TYPE_SMALL, tabular=True), Qt.AlignmentFlag.AlignRight
    middle = Qt.TextElideMode.ElideMiddle
    belongs, state = texts
    number = QFontMetricsF(font).horizontalAdvance(_NUMBER)
    half = cell.area.width() / 2
    # A name is shortened to the same text whatever is beside it: two forms would look like two
    # names.
    edge = cell.area.right() - 8
    room = number if belongs else half
    box = QRectF(edge - room, cell.area.top(), room, cell.area.height())
    taken = paint_text(cell, box, state, font, of_state, right, middle)
    if belongs:
        taken = max(taken, number)
        box = QRectF(edge - taken - (half - number), box.top(), half - number, box.height())
        taken += paint_text(cell, box, belongs, font, of_state, right, middle)
    rest = cell.area.adjusted(16 + scaled_length(_DOT), 0, -taken - 16, 0)
    paint_text(cell, rest, name, body_font(bold=bold), of_name, cut=middle)
