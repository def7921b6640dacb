"""Shortcuts of every action: find, change and reset them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import (
    QLineEdit,
    QPushButton,
)

from workbench.core.language import tr
from workbench.ui import kit
from workbench.ui.base.action import Action
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.theme import Theme
from workbench.ui.commands.shortcuts import Shortcuts, native_keys, portable_keys
from workbench.ui.preferences.page import PreferencesPage
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.table_model import TableColumn

_MODIFIERS = (
    Qt.Key.Key_Control,
    Qt.Key.Key_Shift,
    Qt.Key.Key_Alt,
    Qt.Key.Key_Meta,
    Qt.Key.Key_AltGr,
)


class ShortcutsPage(PreferencesPage):
    """Return or a double click on an action waits for new keys; Del removes its keys; F5 resets
    them.
    """

    key = "shortcuts"
    title = tr("Shortcuts")
    order = 30

    def build(self) -> None:
        self._shortcuts = self.context.desk.shortcuts
        self.table = ShortcutTable(self.context.theme, self._shortcuts)
        self.table.setObjectName("preferences.shortcuts.table")
        self.table.setAccessibleName(tr("Actions and shortcuts"))
        self.table.begin.connect(lambda _: self.begin())
        self.table.cleared.connect(self.clear_current)
        self.table.reset_asked.connect(self.reset_current)
        self.whole(self.table, f"{tr('keys shortcuts keyboard')} {self.table.every_word}")
        self.field = KeyField()
        self.field.setObjectName("preferences.shortcuts.keys")
        self.field.pressed_keys.connect(self._keys_pressed)
        self.field.left.connect(self._leave_keys)
        self.said = kit.label(name="preferences.shortcuts.said", wrap=True)
        self.take = self._button("take", tr("Reassign"), self._take_keys)
        self.keep = self._button("keep", tr("Leave as it is"), self._leave_keys)
        self.change = self._button("change", tr("Change…"), self.begin)
        self.reset = self._button("reset", tr("Reset"), self.reset_current)
        self.reset_all = self._button("reset_all", tr("Reset all"), self._reset_all)
        answers = (self.take, self.keep, self.change, self.reset, self.reset_all)
        kit.add(self._column, kit.box(kit.row(self.field, kit.stretch(self.said), *answers)))
        self._wanted = ""
        self._leave_keys()
        self.table.selectionModel().currentChanged.connect(lambda *_: self._leave_keys())
        self._shortcuts.changed.connect(self.table.refresh)
        self.setFocusProxy(self.table)

    def _button(self, local: str, text: str, pressed: Callable[[], object]) -> QPushButton:
        name = f"preferences.shortcuts.{local}"
        button = kit.button(text, name=name, pressed=lambda: pressed())
        button.setAccessibleName(text)
        button.setAutoDefault(False)
        return button

    def release(self) -> None:
        super().release()
        self._shortcuts.changed.disconnect(self.table.refresh)

    def search(self, typed: str) -> int:
        """Filter the rows of the table, unless the typed words are the name of the page; returns
        their number.
        """
        whole = not typed.strip() or all(
            word in tr("keyboard shortcuts") for word in typed.casefold().split()
        )
        found = self.table.filter("" if whole else typed)
        if found and not self.table.currentIndex().isValid():
            self.table.setCurrentIndex(self.table.table.index(0, 0))
        return found

    # -- changes

    @property
    def current(self) -> str:
        """The key of the action in the current row, or ""."""
        return self.table.action_key

    def begin(self) -> None:
        """Wait for the new keys of the current action."""
        if not self.current:
            return
        self._show(waiting=True)
        self.said.setText(
            tr(
                "Press a new shortcut for “{name}”, or Esc to cancel.",
                name=self._name(self.current),
            )
        )
        self.field.begin()

    def _keys_pressed(self, keys: str) -> None:
        key, self._wanted = self.current, portable_keys(keys)
        if self._shortcuts.is_reserved(key, keys):
            self.said.setText(
                tr(
                    "{keys} is reserved for keyboard navigation. Press another shortcut, "
                    "or Esc to cancel.",
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
                "{keys} is already used by “{name}”. Reassign it to this command?",
                keys=native_keys(keys),
                name=self._name(other),
            )
        )
        self.take.setFocus()

    def _take_keys(self) -> None:
        self._shortcuts.take(self.current, self._wanted)
        self._leave_keys()

    def clear_current(self) -> None:
        """Remove the keys of the current action."""
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
        action = self._shortcuts.actions[key].action if key else None
        self.said.setText(
            action.description if isinstance(action, Action) else tr("Select an action.")
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
        self.table.refresh()


class ShortcutTable(DataTable):
    """Actions that match a search, with their keys, changed ones in bold. ``begin``, ``cleared``
    and ``reset_asked``: requests to press new keys, to remove the keys, and to reset them.
    """

    begin = Signal(object)
    cleared = Signal()
    reset_asked = Signal()

    def __init__(self, theme: Theme, shortcuts: Shortcuts) -> None:
        super().__init__(theme, rows=28)
        self._shortcuts = shortcuts
        self._homes: list[str] = []
        self._actions: list[Action] = []
        for known in shortcuts.actions.values():
            if isinstance(known.action, Action):
                self._homes.append(known.home.title)
                self._actions.append(known.action)
        self._keys: list[tuple[str, ...]] = []
        self.refresh()
        self.double_clicked.connect(self.begin)

    @property
    def every_word(self) -> str:
        return " ".join(
            f"{home} {action.text}" for home, action in zip(self._homes, self._actions, strict=True)
        )

    @property
    def action_key(self) -> str:
        """The key of the action in the current row, or ""."""
        if self.current_row < 0:
            return ""
        return self._actions[self.current_row].key

    def pick_action(self, key: str) -> None:
        """Make the row of an action current."""
        self.pick([action.key for action in self._actions].index(key))

    def refresh(self) -> None:
        """Update the keys."""
        every = self._shortcuts.all()
        self._keys = [every[action.key] for action in self._actions]
        texts = [action.text for action in self._actions]
        tips = [action.description for action in self._actions]
        keys = ["   ".join(map(native_keys, each)) for each in self._keys]
        bold = {
            row
            for row, action in enumerate(self._actions)
            if self._shortcuts.is_changed(action.key)
        }
        columns = [
            TableColumn(tr("Where"), self._homes, tips=tips),
            TableColumn(tr("Action"), texts, tips=tips, stretch=True),
            TableColumn(tr("Keys"), keys, tips=tips),
        ]
        current = self.current_row
        self.set_columns(columns, bold, self.table.passing)
        self.pick(current)

    def filter(self, typed: str) -> int:
        """Show only actions whose group, name, description or keys contain every typed word;
        returns their number.
        """
        words, current = typed.casefold().split(), self.current_row
        rows = [
            row
            for row in range(len(self._actions))
            if all(word in self._searched_text(row) for word in words)
        ]
        self.table.set_passing(np.array(rows, dtype=np.intp))
        self.pick(current)
        return len(rows)

    def _searched_text(self, row: int) -> str:
        action, keys = self._actions[row], self._keys[row]
        keys = (*keys, *map(native_keys, keys))
        return " ".join((self._homes[row], action.text, action.description, *keys)).casefold()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_F2, Qt.Key.Key_Space):
            self.begin.emit(None)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.cleared.emit()
        elif key == Qt.Key.Key_F5:
            self.reset_asked.emit()
        else:
            super().keyPressEvent(event)


class KeyField(QLineEdit):
    """``pressed_keys(keys)`` carries the first combination pressed; Esc alone leaves the field.
    Meanwhile, shortcuts of the window have no effect.
    """

    pressed_keys = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setAccessibleName(tr("New shortcut"))
        self.setPlaceholderText(tr("Press a shortcut"))
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
            # Tab and Backtab, too, which would move the focus otherwise.
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
            # The Shift needed to type a symbol is part of the symbol: "+" and not "Shift++".
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
