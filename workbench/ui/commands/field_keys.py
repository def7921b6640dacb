"""The window's keys in fields: Ctrl with a letter belongs to the window, except for undo, redo and
the clipboard.
"""

from __future__ import annotations

from collections.abc import Callable, Collection

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QWidget

# Qt also edits with Emacs' keys, such as Ctrl+E for the end of the line.
_FIELDS = (QLineEdit, QAbstractSpinBox, QComboBox, QPlainTextEdit)
_EDITING = (
    QKeySequence.StandardKey.Undo,
    QKeySequence.StandardKey.Redo,
    QKeySequence.StandardKey.Cut,
    QKeySequence.StandardKey.Copy,
    QKeySequence.StandardKey.Paste,
    QKeySequence.StandardKey.SelectAll,
)


class FieldKeys(QObject):
    """Keeps the field with the focus from taking keys of the window. keys : those in use now"""

    def __init__(self, parent: QObject, keys: Callable[[], Collection[str]]) -> None:
        super().__init__(parent)
        self._keys = keys

    def watch(self, focused: QWidget | None) -> None:
        """Watch a widget that gets the focus if it is a field."""
        if isinstance(focused, _FIELDS):
            focused.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Leave a key of the window to the window."""
        if event.type() != QEvent.Type.ShortcutOverride or not isinstance(event, QKeyEvent):
            return False
        letter = Qt.Key.Key_A <= event.key() <= Qt.Key.Key_Z
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if not (letter and control) or any(event.matches(key) for key in _EDITING):
            return False
        typed = QKeySequence(event.keyCombination()).toString()
        if typed not in self._keys():
            return False
        event.ignore()
        return True
