"""A field that takes the keys that are pressed in it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit

from workbench.core.language import tr
from workbench.ui.commands.shortcuts import shown
from workbench.ui.measures import sized

_MODIFIERS = (Qt.Key.Key_Control, Qt.Key.Key_Shift, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr)


class KeyField(QLineEdit):
    """``pressed_keys(keys)`` tells the first that are pressed together, Esc alone leaves it. No shortcut of the window
    is heard meanwhile.
    """

    pressed_keys = Signal(str)
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setAccessibleName(tr("New keys"))
        self.setPlaceholderText(tr("Press keys"))
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        sized(self, width=150)

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
        keys = QKeySequence(int(key) | int(modifiers.value)).toString(QKeySequence.SequenceFormat.PortableText)
        self.setText(shown(keys))
        self.pressed_keys.emit(keys)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if self.isVisible():
            self.left.emit()
