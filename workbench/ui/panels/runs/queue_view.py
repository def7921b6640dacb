"""The queue of trainings: reorder, remove, start now, pause."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QPushButton

from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.training.queue import QueueEntry
from workbench.ui import kit
from workbench.ui.base.panel import Panel
from workbench.ui.base.text import approximate_duration, duration, mark_unknown, plural
from workbench.ui.base.theme import SPACE_1, Theme, set_property
from workbench.ui.widgets.layout.panel_tab import Instrument
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.runs_columns import live_state
from workbench.ui.widgets.tables.table_model import TableColumn

_EVERY = 15
# Seconds from now; later times may exceed the range of the system's calendar.
_LATEST = 1e9


class QueueView(Instrument):
    """The order of the trainings, and the estimated end of each."""

    local = "queue"

    def __init__(self, panel: Panel) -> None:
        super().__init__(panel)
        self._queue = self.session.training.queue
        self._last: tuple[object, ...] = ()
        self._ticks = 0
        self.table = self.named(
            QueueTable(self.theme),
            "turns",
            tr("Queue of trainings"),
            tr("Drag rows, or Alt+Up and Alt+Down, to reorder"),
        )
        self.fact = kit.with_role(kit.ElidedLabel(), "muted", f"{self.key}.fact")
        self.now = self._button(
            "now",
            tr("Start now"),
            tr("Start now. The current run pauses until this one finishes. (Return)"),
        )
        self.up = self._button("up", tr("Up"), tr("Move up in the queue (Alt+Up)"))
        self.down = self._button("down", tr("Down"), tr("Move down in the queue (Alt+Down)"))
        self.first = self._button("first", tr("First"), tr("Move to the front of the queue (Home)"))
        self.remove = self._button(
            "remove", tr("Remove"), tr("Remove from the queue, or stop it if it is training. (Del)")
        )
        self.clear = self._button("clear", tr("Remove all"), tr("Remove all queued runs"))
        self.pause = self.named(
            kit.button(),
            "pause",
            tr("Pause the queue"),
            tr("Don’t start queued runs. The current run continues. (P)"),
        )
        buttons = (self.now, self.first, self.up, self.down, self.remove, self.clear)
        row = kit.row(*buttons, kit.stretch(share=1), gap=SPACE_1)
        kit.add(self.controls, kit.stretch(self.fact), self.pause)
        kit.fill(self.content, kit.column(row, kit.stretch(self.table)))
        self._connect()

    def _button(self, local: str, text: str, tip: str) -> QPushButton:
        return self.named(kit.button(text, role="quiet"), local, text, tip)

    def _connect(self) -> None:
        self.now.clicked.connect(self.start_now)
        self.first.clicked.connect(lambda: self.shift(-len(self._queue.waiting)))
        self.up.clicked.connect(lambda: self.shift(-1))
        self.down.clicked.connect(lambda: self.shift(1))
        self.remove.clicked.connect(self.remove_one)
        self.clear.clicked.connect(self.remove_all)
        self.pause.clicked.connect(self.toggle_pause)
        self.table.move_asked.connect(self.shift)
        self.table.opened.connect(lambda row: self.start_now())
        self.table.table.dropped.connect(self._move_dropped_row)
        self.table.selectionModel().currentRowChanged.connect(lambda *_: self._enable_buttons())
        keys = Qt.Key
        self.table.letters = {
            keys.Key_P: self.toggle_pause,
            keys.Key_Delete: self.remove_one,
            keys.Key_Backspace: self.remove_one,
            keys.Key_Home: lambda: self.shift(-len(self._queue.waiting)),
        }
        self.panel.follow(self._queue.changed, self.refresh)
        self.panel.follow(self.session.runs.changed, self.refresh)

    # -- display

    def drawn_runs(self) -> list[RunRecord]:
        return []  # each row shows its text

    def refresh(self) -> None:
        if not self.isVisible():
            return
        turns = self._queue.turns()
        text, accessible, role = tr("Pause queue"), tr("Pause the queue"), ""
        if self._queue.paused:
            text, accessible, role = tr("Resume"), tr("Resume the queue"), "primary"
        if self.pause.text() != text:
            self.pause.setText(text)
            self.pause.setAccessibleName(accessible)
            set_property(self.pause, "role", role)
        if not turns:
            self._last = ()
            hint = tr(
                "Start a training while another one runs, or train a grid, to see the queued runs."
            )
            self.show_message(tr("Queue is empty"), hint)
            fact = tr("The queue is paused.") if self._queue.paused else ""
            self.fact.put(fact)
            return
        self._show_turns(turns)
        self.show_content()

    def _show_turns(self, turns: list[QueueEntry]) -> None:
        states = [_state_text(turn) for turn in turns]
        takes = [_duration_text(turn.seconds) for turn in turns]
        ends = [_end_text(turn.ends) for turn in turns]
        contents = (
            [turn.record for turn in turns],
            [turn.record.name for turn in turns],
            states,
            takes,
            ends,
        )
        if contents == self._last:
            return
        self._last = contents
        places = [str(at + 1) for at in range(len(turns))]
        self.table.put(
            turns,
            [
                TableColumn("#", places, number=True),
                TableColumn(
                    tr("Name"),
                    contents[1],
                    tips=contents[1],
                    dots=[turn.record.colour for turn in turns],
                    stretch=True,
                ),
                TableColumn(tr("State"), states),
                TableColumn(
                    tr("Time left"),
                    takes,
                    tr("Remaining time, by its current speed or as estimated"),
                    number=True,
                ),
                TableColumn(tr("Finishes"), ends, tr("Estimated time of completion"), number=True),
            ],
        )
        waiting, known = (
            len(self._queue.waiting),
            [turn.ends for turn in turns if turn.ends is not None],
        )
        parts = [tr("Queue is empty")]
        if waiting:
            parts = [tr("{trainings} waiting", trainings=plural(waiting, "training"))]
        if self._queue.paused:
            parts.append(tr("the queue is paused"))
        elif len(known) == len(turns) and waiting:
            parts.append(tr("all done in {time}", time=approximate_duration(known[-1])))
        self.fact.put(" · ".join(parts))
        self._enable_buttons()

    def _enable_buttons(self) -> None:
        record = self._current_waiting_run()
        order = self._queue.waiting
        at = order.index(record) if record is not None and record in order else -1
        able = (
            (self.now, at >= 0),
            (self.first, at > 0),
            (self.up, at > 0),
            (self.down, 0 <= at < len(order) - 1),
            (self.remove, self.table.current is not None),
            (self.clear, bool(order)),
        )
        for button, on in able:
            if button.isEnabled() != on:
                button.setEnabled(on)

    def tick(self) -> None:
        super().tick()
        self._ticks = (self._ticks + 1) % _EVERY
        if not self._ticks and self._last and self.session.training.current is not None:
            self._show_turns(self._queue.turns())

    # -- actions

    def _current_waiting_run(self) -> RunRecord | None:
        turn = self.table.current
        if turn is None or turn.record.state is not State.WAITING:
            return None
        return turn.record

    def shift(self, by: int) -> None:
        """Move the current training up (negative) or down."""
        record = self._current_waiting_run()
        if record is not None and record in self._queue.waiting:
            self._queue.move(record, self._queue.waiting.index(record) + by)

    def _move_dropped_row(self, row: int, before: int) -> None:
        turns = self.table.turns
        if not 0 <= row < len(turns):
            return
        record, order = turns[row].record, self._queue.waiting
        if record not in order:
            return
        # Rows include the run in training; and a row that moves down frees its own place.
        place = before - (len(turns) - len(order))
        if place > order.index(record):
            place -= 1
        self._queue.move(record, place)

    def start_now(self) -> None:
        record = self._current_waiting_run()
        if record is not None:
            self._queue.start_now(record)

    def remove_one(self) -> None:
        turn = self.table.current
        if turn is not None:
            self._queue.cancel([turn.record])

    def remove_all(self) -> None:
        self._queue.cancel(self._queue.waiting)

    def toggle_pause(self) -> None:
        self._queue.pause(not self._queue.paused)


def _state_text(turn: QueueEntry) -> str:
    if turn.aside:
        return tr("resumes later")
    return live_state(turn.record)


@mark_unknown
def _duration_text(seconds: float) -> str:
    return duration(seconds)


@mark_unknown
def _end_text(seconds: float) -> str:
    """Remaining time, or the time of day after this number of seconds."""
    if seconds < 600:
        return tr("in {duration}", duration=duration(max(seconds, 1)))
    form = "%H:%M" if seconds < 20 * 3600 else "%a %H:%M"
    return time.strftime(form, time.localtime(time.time() + min(seconds, _LATEST)))


class QueueTable(DataTable):
    """``move_asked(by)``: Alt and an arrow key were pressed; −1 is up. ``letters`` are commands by
    key.
    """

    move_asked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, sortable=False)
        self.turns: list[QueueEntry] = []
        self.table.movable = lambda row: self.turns[row].record.state is State.WAITING
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        self.setDefaultDropAction(Qt.DropAction.MoveAction)
        self.setDragDropOverwriteMode(False)
        self.setDropIndicatorShown(True)
        self.letters: dict[int, Callable[[], object]] = {}

    def put(self, turns: Sequence[QueueEntry], columns: Sequence[TableColumn]) -> None:
        """Show the queue; the current row stays with its run."""
        at = self.currentIndex().row()
        before = None if self.current is None else self.current.record
        self.turns = list(turns)
        self.set_columns(columns)
        row = next(
            (row for row, turn in enumerate(turns) if turn.record is before),
            min(at, len(turns) - 1),
        )
        if row >= 0:
            self.setCurrentIndex(self.table.index(row, 1))

    @property
    def current(self) -> QueueEntry | None:
        row = self.current_row
        if row < 0:
            return None
        return self.turns[row]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        alt = bool(event.modifiers() & Qt.KeyboardModifier.AltModifier)
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()))
        if alt and step is not None:
            self.move_asked.emit(step)
        elif not alt and event.key() in self.letters:
            self.letters[event.key()]()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Ignore the search of Qt: letters are commands here."""
