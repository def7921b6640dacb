"""The list of runs: a dot in the run's colour, its name, and its final loss or how far it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QRectF,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import (
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from workbench.core.language import tr
from workbench.models.base import MODELS
from workbench.session import final_loss
from workbench.session.lessons.prerequisites import is_of_lesson
from workbench.session.recovery.entries import InterruptedTraining
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.session.training.train_api import WARNINGS
from workbench.ui.commands.menus import fill_for
from workbench.ui.commands.registry import GROUPS
from workbench.ui.commands.run_targets import RunKeys, RunTarget
from workbench.ui.panel import PanelContext
from workbench.ui.plain_text import RichText, paintable_text, rich_tip, safe_tip
from workbench.ui.scaling import scaled_length
from workbench.ui.shell import interrupted_menu
from workbench.ui.text import decimal
from workbench.ui.theme import TYPE_SMALL, Theme, body_font, set_property
from workbench.ui.widgets.tables.run_state_labels import DOINGS

_Index = QModelIndex | QPersistentModelIndex
RECORD, INTERRUPTED, TOLD, BELONGS = (Qt.ItemDataRole.UserRole + number for number in range(4))
_HEIGHT = 30
# Steps of a bar of progress that are worth painting.
_TRACK = 200
# The widest number beside the name of a text, with what sets it apart.
_NUMBER = "  −0.0000"
# Across, in the colour of the run.
_DOT = 8


def state_text(record: RunRecord) -> str:
    """What stands at the right of a run: its loss, its progress, or what became of it."""
    if record.state == State.FAILED:
        return DOINGS["failed"]
    if record.state == State.WAITING:
        return DOINGS["waiting"]
    if record.state == State.CANCELLED:
        return DOINGS["cancelled"]
    if record.run is not None:
        progress = record.run.progress
    else:
        progress = None
    if not record.state.over and progress is not None:
        if record.state == State.PAUSED:
            return DOINGS["paused"]
        if progress.fraction is None:
            return DOINGS[progress.phase.value]
        return f"{100 * progress.fraction:.0f} %"
    if record.error is not None:
        return DOINGS["diverged"]
    loss = record.final_loss
    if loss is None:
        return ""
    return f"{loss:#.3g}"


def belonging(record: RunRecord, own: str | None) -> str:
    """The lesson that made a run, and the text of one that was trained on another than the open
    one, or "".
    """
    lesson = ""
    if is_of_lesson(record.note):
        lesson = record.note
    other = own is not None and record.corpus_digest not in ("", own)
    text = ""
    if other:
        text = record.corpus_name or tr("another text")
    return " · ".join(filter(None, (lesson, text)))


def told_text(record: RunRecord, own: str | None) -> str:
    """What it belongs to, where that needs to be said, and its state."""
    return " · ".join(filter(None, (belonging(record, own), state_text(record))))


def describe(record: RunRecord) -> RichText:
    """A run in a tooltip: what it is, of what, with which loss, and what went wrong."""
    if record.algorithm in MODELS:
        title = MODELS[record.algorithm].title
    else:
        title = tr("Vectors from a file")
    lines = [f"{title} · {record.corpus_name}" if record.corpus_name else title]
    final = record.closing_loss
    if final is not None:
        lines.append(
            tr(
                "Loss: {decimal} ({what})",
                decimal=decimal(final.value, 4),
                what=final_loss.title(final),
            )
        )
    origin = record.summary.get("continued")
    if isinstance(origin, Mapping):
        parent = origin.get("name") or Path(str(origin.get("file", ""))).name
        lines.append(tr("Continued from {name}.", name=parent))
    if record.state == State.STOPPED and record.error is None:
        lines.append(tr("Stopped before its end; what it had learned by then was kept."))
    warnings = record.summary.get(WARNINGS)
    lines += [str(sentence) for sentence in warnings] if isinstance(warnings, list) else []
    if record.note:
        lines.append(record.note)
    if record.error is not None:
        lines += [record.error.message, record.error.hint]
    return rich_tip(record.name, *lines, width=280)


class RunModel(QAbstractListModel):
    """The session's runs, those of the open text first and the latest of them before others, and
    between them, by when they began, interrupted trainings.
    """

    renamed = Signal(object, str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self._records: list[RunRecord | InterruptedTraining] = []
        self.own: str | None = None

    def refresh(
        self,
        records: list[RunRecord],
        interrupted: Sequence[InterruptedTraining] = (),
        own: str | None = None,
    ) -> None:
        """``own``: the digest of the open text, whose runs stand before those of others."""
        fresh: list[RunRecord | InterruptedTraining] = [*reversed(records)]
        for entry in interrupted:
            earlier = (
                row for row, other in enumerate(fresh) if other.identifier < entry.identifier
            )
            fresh.insert(next(earlier, len(fresh)), entry)
        if own is not None:
            texts = list(dict.fromkeys(one.corpus_digest for one in fresh))
            fresh.sort(
                key=lambda one: -1 if one.corpus_digest == own else texts.index(one.corpus_digest)
            )
        if fresh != self._records or own != self.own:
            self.own = own
            self.beginResetModel()
            self._records = fresh
            self.endResetModel()
        self.repaint_rows()

    def repaint_rows(self) -> None:
        if self._records:
            self.dataChanged.emit(self.index(0), self.index(len(self._records) - 1))

    def rowCount(self, parent: _Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return len(self._records)

    def row_of(self, record: RunRecord | None) -> int:
        return next((row for row, other in enumerate(self._records) if other is record), -1)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._records):
            return None
        record = self._records[index.row()]
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return record.name
        if isinstance(record, InterruptedTraining):
            if role == Qt.ItemDataRole.ToolTipRole:
                return safe_tip(interrupted_menu.describe(record))
            if role == Qt.ItemDataRole.AccessibleTextRole:
                return f"{record.name}, {interrupted_menu.how_far(record)}"
            if role == INTERRUPTED:
                return record
            return None
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tip(describe(record))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{record.name}, {told_text(record, self.own)}"
        if role == TOLD:
            return told_text(record, self.own)
        if role == BELONGS:
            return belonging(record, self.own)
        if role == RECORD:
            return record
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        name = str(value).strip()
        if role != Qt.ItemDataRole.EditRole or not index.isValid() or not name:
            return False
        self.renamed.emit(self._records[index.row()], name)
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        if index.data(RECORD) is not None:
            editable = Qt.ItemFlag.ItemIsEditable
        else:
            editable = Qt.ItemFlag.NoItemFlags
        return super().flags(index) | editable


class _RunDelegate(QStyledItemDelegate):
    def __init__(self, session: Session, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self._session = session
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(120, scaled_length(_HEIGHT))

    def updateEditorGeometry(
        self, editor: QWidget, option: QStyleOptionViewItem, index: _Index
    ) -> None:
        editor.setGeometry(option.rect.adjusted(22, 1, -2, -1))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        record: RunRecord | None = index.data(RECORD)
        colours = self._theme.palette
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(option.rect).adjusted(0, 1, 0, -1)
        painter.setPen(Qt.PenStyle.NoPen)
        if record is not None and record is self._session.active_run:
            painter.setBrush(QColor(colours.accent_soft))
            painter.drawRoundedRect(box, 6, 6)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            painter.setBrush(QColor(colours.hover))
            painter.drawRoundedRect(box, 6, 6)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(colours.accent))
            painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
            painter.setPen(Qt.PenStyle.NoPen)
        size = scaled_length(_DOT)
        dot = QRectF(box.left() + 8, box.center().y() - size / 2, size, size)
        if record is None:
            entry: InterruptedTraining = index.data(INTERRUPTED)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.run_colour(entry.colour), 1.5))
            painter.drawEllipse(dot.adjusted(0.75, 0.75, -0.75, -0.75))
            told = interrupted_menu.how_far(entry)
            _write(
                painter, box, entry.name, ("", told), QColor(colours.muted), QColor(colours.muted)
            )
        else:
            painter.setBrush(self._theme.run_colour(record.colour))
            painter.drawEllipse(dot)
            self._paint_run(painter, box, record, (str(index.data(BELONGS)), state_text(record)))
        painter.restore()

    def _paint_run(
        self, painter: QPainter, box: QRectF, record: RunRecord, told: tuple[str, str]
    ) -> None:
        colours = self._theme.palette
        failed = record.error is not None or record.state == State.FAILED
        plain = record.state not in (State.FAILED, State.CANCELLED)
        _write(
            painter,
            box,
            record.name,
            told,
            QColor(colours.text if plain else colours.muted),
            QColor(colours.danger if failed else colours.muted),
            bold=record is self._session.active_run,
        )
        if record.run is not None and not record.state.over:
            progress = record.run.progress
        else:
            progress = None
        if progress is not None and progress.fraction is not None:
            track = QRectF(box.left() + 24, box.bottom() - 3, box.width() - 32, 2)
            painter.fillRect(track, QColor(colours.line))
            track.setWidth(track.width() * progress.fraction)
            painter.fillRect(track, self._theme.run_colour(record.colour))


def _write(
    painter: QPainter,
    box: QRectF,
    name: str,
    told: tuple[str, str],
    of_name: QColor,
    of_told: QColor,
    bold: bool = False,
) -> None:
    """The name at the left, shortened where room is short, and at the right what it belongs to and
    how far it is.
    """
    painter.setFont(body_font(TYPE_SMALL, tabular=True))
    painter.setPen(of_told)
    right = box.adjusted(0, 0, -8, 0)
    metrics = QFontMetricsF(painter.font())
    half, number = box.width() / 2, metrics.horizontalAdvance(_NUMBER)
    # One name is shortened to one text, whatever stands beside it: in two forms it would seem to be
    # two.
    text, state = (
        metrics.elidedText(paintable_text(part), Qt.TextElideMode.ElideMiddle, room)
        for part, room in zip(told, (half - number, half if not told[0] else number), strict=True)
    )
    state_left = max(metrics.horizontalAdvance(state), number if text else 0)
    flags = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    painter.drawText(right, flags, state)
    painter.drawText(right.adjusted(0, 0, -state_left, 0), flags, text)
    taken = state_left + metrics.horizontalAdvance(text) + 16
    painter.setFont(body_font(bold=bold))
    painter.setPen(of_name)
    room = box.adjusted(16 + scaled_length(_DOT), 0, -taken, 0)
    shown = QFontMetricsF(painter.font()).elidedText(
        paintable_text(name), Qt.TextElideMode.ElideMiddle, room.width()
    )
    painter.drawText(room, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, shown)


class RunList(QListView):
    """Runs to click on: a click shows one, F2 renames, Delete removes (with a way back)."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._session = session = context.session
        theme = context.theme
        self._moved: dict[str, tuple[str, int]] = {}
        self._records = RunModel(self)
        self._records.renamed.connect(session.rename)
        self.setModel(self._records)
        self.setItemDelegate(_RunDelegate(session, theme, self))
        self.setEditTriggers(QListView.EditTrigger.EditKeyPressed)
        self.setMouseTracking(True)
        set_property(self, "role", "plain")
        self.setVerticalScrollMode(QListView.ScrollMode.ScrollPerPixel)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._open_menu)
        self.clicked.connect(self._show_index)
        self.activated.connect(self._show_index)
        self._keys = RunKeys(self, context, self.runs_in_hand)

    def refresh(self) -> None:
        """Take the session's list anew."""
        if self._session.corpus is not None:
            own = self._session.corpus.digest
        else:
            own = None
        self._records.refresh(self._session.runs, self._session.recovery.interrupted, own)
        row = self._records.row_of(self._session.active_run)
        if (
            row >= 0
            and self.currentIndex().row() != row
            and self.state() != QListView.State.EditingState
        ):
            self.setCurrentIndex(self._records.index(row))

    def tick(self) -> None:
        """Repaint what moves while a run is under way."""
        for record in self._session.runs:
            if record.state.over:
                continue
            if record.run is not None:
                progress = record.run.progress
            else:
                progress = None
            if progress is not None and progress.fraction is not None:
                pixels = round(_TRACK * progress.fraction)
            else:
                pixels = -1
            moved = (state_text(record), pixels)
            if self._moved.get(record.identifier) != moved:
                self._moved[record.identifier] = moved
                self.update(self._records.index(self._records.row_of(record)))

    def current(self) -> RunRecord | None:
        record: RunRecord | None = self.currentIndex().data(RECORD)
        return record

    def runs_in_hand(self) -> list[RunRecord]:
        """What the actions on runs are done to while the list has the focus."""
        record = self.current()
        if record is not None:
            return [record]
        return []

    def edit_run(self, record: RunRecord) -> bool:
        """Rename a run in its place; a name that is being written is written on. False where the
        run is not listed.
        """
        row = self._records.row_of(record)
        if row >= 0 and self.state() != QListView.State.EditingState:
            self.edit(self._records.index(row))
        return row >= 0

    def _show_index(self, index: QModelIndex) -> None:
        record: RunRecord | None = index.data(RECORD)
        if record is not None and record.has_vectors:
            self._session.show(record)

    def make_menu(self, record: RunRecord) -> QMenu:
        """What can be done with a run."""
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
        record: RunRecord | None = index.data(RECORD)
        entry: InterruptedTraining | None = index.data(INTERRUPTED)
        if record is not None:
            self.make_menu(record).popup(self.viewport().mapToGlobal(place))
        elif entry is not None:
            menu = interrupted_menu.make_menu(entry, self._session, self._context.bridge, self)
            menu.popup(self.viewport().mapToGlobal(place))
