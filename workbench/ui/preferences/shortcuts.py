"""The keys of every action: found, changed by pressing them, put back."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableView,
    QWidget,
)

from workbench.core.language import tr
from workbench.ui.action import Action
from workbench.ui.commands.shortcuts import Shortcuts, native_keys, portable_keys
from workbench.ui.plain_text import PlainLabel, menu_text, safe_tip
from workbench.ui.preferences.page import PreferencesPage
from workbench.ui.scaling import SPACE_2, body_font, set_scaled_size

_Index = QModelIndex | QPersistentModelIndex
KEY = Qt.ItemDataRole.UserRole
_COLUMNS = (tr("Where"), tr("Action"), tr("Keys"))
_MODIFIERS = (
    Qt.Key.Key_Control,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Alt,
    Qt.Key.Key_Meta,
    Qt.Key.Key_AltGr,
)


class ShortcutsPage(PreferencesPage):
    """Return or a double click on an action waits for its new keys; Del takes them away; F5 puts
    them back.
    """

    key = "shortcuts"
    title = tr("Shortcuts")
    order = 30

    def build(self) -> None:
        self._shortcuts = self.context.desk.shortcuts
        self.table = _View(self)
        self.rows_model = ShortcutTable(self._shortcuts, self.table)
        self.table.put(self.rows_model)
        self.whole(self.table, f"{tr('keys shortcuts keyboard')} {self.rows_model.every_word}")
        self.field = KeyField()
        self.field.setObjectName("preferences.shortcuts.keys")
        self.field.pressed_keys.connect(self._keys_pressed)
        self.field.left.connect(self._leave_keys)
        self.said = PlainLabel()
        self.said.setObjectName("preferences.shortcuts.said")
        self.said.setWordWrap(True)
        self.take = self._button("take", tr("Take the keys"), self._take_keys)
        self.keep = self._button("keep", tr("Leave as it is"), self._leave_keys)
        self.change = self._button("change", tr("Change…"), self.begin)
        self.reset = self._button("reset", tr("Reset"), self.reset_current)
        self.reset_all = self._button("reset_all", tr("Reset all"), self._reset_all)
        bar = QWidget()
        line = QHBoxLayout(bar)
        line.setContentsMargins(0, 0, 0, 0)
        line.setSpacing(SPACE_2)
        for widget in (self.field, self.said, self.take, self.keep):
            line.addWidget(widget, 1 if widget is self.said else 0)
        for button in (self.change, self.reset, self.reset_all):
            line.addWidget(button)
        self._column.addWidget(bar)
        self._wanted = ""
        self._leave_keys()
        self.table.selectionModel().currentChanged.connect(lambda *_: self._leave_keys())
        self._shortcuts.changed.connect(self.rows_model.refresh)
        self.setFocusProxy(self.table)

    def _button(self, local: str, text: str, pressed: object) -> QPushButton:
        button = QPushButton(menu_text(text))
        button.setObjectName(f"preferences.shortcuts.{local}")
        button.setAccessibleName(text)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _=False: pressed())  # type: ignore[operator]
        return button

    def release(self) -> None:
        self._shortcuts.changed.disconnect(self.rows_model.refresh)

    def search(self, typed: str) -> int:
        """Rows of the table that hold what was typed, where it is not the name of the page."""
        whole = not typed.strip() or all(
            word in tr("keyboard shortcuts") for word in typed.casefold().split()
        )
        found = self.rows_model.filter("" if whole else typed)
        if found and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.rows_model.index(0, 0))
        return found

    # -- changing

    @property
    def current(self) -> str:
        """The key of the action in the row that is chosen, or ""."""
        return str(self.table.currentIndex().data(KEY) or "")

    def begin(self) -> None:
        """Wait for the keys of the action that is chosen."""
        if not self.current:
            return
        self._show(waiting=True)
        self.said.setText(
            tr(
                "Press the keys for “{name}”; Esc leaves them as they are.",
                name=self._name(self.current),
            )
        )
        self.field.begin()

    def _keys_pressed(self, keys: str) -> None:
        key, self._wanted = self.current, portable_keys(keys)
        if self._shortcuts.is_reserved(key, keys):
            self.said.setText(
                tr(
                    "{keys} is needed to go from control to control and to press them; press "
                    "other keys, or Esc.",
                    keys=native_keys(keys),
                )
            )
            self.field.begin()
            return
        other = self._shortcuts.conflict(key, keys)
        if not other:
            self._shortcuts.put(key, [keys, *self._shortcuts.of(key)[1:]])
            self._leave_keys()
            return
        self._show(conflict=True)
        self.said.setText(
            tr(
                "{keys} belongs to “{name}”, which would have no such keys any more.",
                keys=native_keys(keys),
                name=self._name(other),
            )
        )
        self.take.setFocus()

    def _take_keys(self) -> None:
        self._shortcuts.take(self.current, self._wanted)
        self._leave_keys()

    def clear_current(self) -> None:
        """Let the action have no keys."""
        if self.current:
            self._shortcuts.put(self.current, ())
            self._leave_keys()

    def reset_current(self) -> None:
        if self.current:
            self._shortcuts.reset(self.current)
            self._leave_keys()

    def _reset_all(self) -> None:
        self._shortcuts.reset_all()
        self._leave_keys()

    def _leave_keys(self) -> None:
        self._show()
        key = self.current
        if key:
            action = self._shortcuts.actions[key].action
        else:
            action = None
        self.said.setText(
            action.description if isinstance(action, Action) else tr("Choose an action.")
        )
        self.change.setEnabled(bool(key))
        self.reset.setEnabled(bool(key) and self._shortcuts.is_changed(key))
        if not self.table.hasFocus() and self.isAncestorOf(
            self.window().focusWidget() or self.table
        ):
            self.table.setFocus()

    def _show(self, waiting: bool = False, conflict: bool = False) -> None:
        self.field.setVisible(waiting)
        for button in (self.take, self.keep):
            button.setVisible(conflict)
        for button in (self.change, self.reset, self.reset_all):
            button.setVisible(not waiting and not conflict)

    def _name(self, key: str) -> str:
        return self._shortcuts.actions[key].action.text.rstrip("…")

    def refresh(self) -> None:
        self.rows_model.refresh()


class _View(QTableView):
    """The table, with keys of its own."""

    def __init__(self, page: ShortcutsPage) -> None:
        super().__init__()
        self._page = page
        self.setObjectName("preferences.shortcuts.table")
        self.setAccessibleName(tr("Actions and their keys"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.verticalHeader().hide()
        set_scaled_size(self.verticalHeader(), rows=28)
        self.doubleClicked.connect(lambda _: page.begin())

    def put(self, rows: ShortcutTable) -> None:
        self.setModel(rows)
        header = self.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(2, QHeaderView.ResizeMode.ResizeToContents)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2, Qt.Key.Key_Space):
            self._page.begin()
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self._page.clear_current()
        elif key == Qt.Key.Key_F5:
            self._page.reset_current()
        else:
            super().keyPressEvent(event)


class KeyField(QLineEdit):
    """``pressed_keys(keys)`` tells the first that are pressed together, Esc alone leaves it. No
    shortcut of the window is heard meanwhile.
    """

    pressed_keys = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setAccessibleName(tr("New keys"))
        self.setPlaceholderText(tr("Press keys"))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        set_scaled_size(self, width=150)

    def begin(self) -> None:
        self.clear()
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            # Tab and Backtab, too, which would go on to the next widget.
            self.keyPressEvent(event)
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _MODIFIERS or key == Qt.Key.Key_unknown:
            return
        if key == Qt.Key.Key_Escape and event.modifiers() == Qt.KeyboardModifier.NoModifier:
            self.left.emit()
            return
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        text = event.text()
        if text and text.isprintable() and not text.isalnum() and not text.isspace():
            # The shift that a sign needs is part of the sign: "+" and not "Shift++".
            modifiers &= ~Qt.KeyboardModifier.ShiftModifier
        keys = QKeySequence(int(key) | int(modifiers.value)).toString(
            QKeySequence.SequenceFormat.PortableText
        )
        self.setText(native_keys(keys))
        self.pressed_keys.emit(keys)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.isVisible():
            self.left.emit()


class ShortcutTable(QAbstractTableModel):
    """Actions that fit a search; those whose keys were changed are bold."""

    def __init__(self, shortcuts: Shortcuts, parent: QObject) -> None:
        super().__init__(parent)
        self._shortcuts = shortcuts
        self._every = [
            known for known in shortcuts.actions.values() if isinstance(known.action, Action)
        ]
        self._shown = list(self._every)
        self._keys = shortcuts.all()

    @property
    def every_word(self) -> str:
        return " ".join(f"{known.home.title} {known.action.text}" for known in self._every)

    def refresh(self) -> None:
        """Take the keys anew."""
        self._keys = self._shortcuts.all()
        if self._shown:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._shown) - 1, 2))

    def filter(self, typed: str) -> int:
        """Only actions whose place, name, description or keys hold every word typed; how many."""
        words = typed.casefold().split()
        fits = [
            known
            for known in self._every
            if all(word in self._words(known.action.key) for word in words)
        ]
        if fits != self._shown:
            self.beginResetModel()
            self._shown = fits
            self.endResetModel()
        return len(fits)

    def _words(self, key: str) -> str:
        known = self._shortcuts.actions[key]
        keys = " ".join((*self._keys[key], *map(native_keys, self._keys[key])))
        return (
            f"{known.home.title} {known.action.text} {known.action.description} {keys}".casefold()
        )

    def rowCount(self, parent: _Index | None = None) -> int:
        if parent is not None and parent.isValid():
            return 0
        return len(self._shown)

    def columnCount(self, parent: _Index | None = None) -> int:
        return len(_COLUMNS)

    def headerData(
        self, section: int, way: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        wanted = way == Qt.Orientation.Horizontal and role == Qt.ItemDataRole.DisplayRole
        if wanted:
            return _COLUMNS[section]
        return None

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or index.row() >= len(self._shown):
            return None
        known = self._shown[index.row()]
        key = known.action.key
        if role == KEY:
            return key
        if role == Qt.ItemDataRole.ToolTipRole:
            return safe_tip(known.action.description)
        if (
            role == Qt.ItemDataRole.FontRole
            and index.column() == 2
            and self._shortcuts.is_changed(key)
        ):
            font: QFont = body_font(bold=True)
            return font
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return (known.home.title, known.action.text, "   ".join(map(native_keys, self._keys[key])))[
            index.column()
        ]
