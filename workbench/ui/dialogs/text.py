"""Base of the dialogs of Help: not modal, closed by Esc, one of each at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QDialog,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from workbench.ui import kit
from workbench.ui.base.plain_text import safe_tip, title_text
from workbench.ui.base.scaling import TYPE_SMALL, set_opening_size, set_text_role
from workbench.ui.base.theme import SPACE_3, SPACE_4

W = TypeVar("W", bound=QWidget)
D = TypeVar("D", bound="TextDialog")


class TextDialog(QDialog):
    """A dialog with a column of widgets above a row of buttons. Its object name is ``name``; the
    names of its widgets begin with it.
    """

    def __init__(self, parent: QWidget, name: str, title: str, size: tuple[int, int]) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setObjectName(name)
        self.setWindowTitle(title_text(title))
        self.setAccessibleName(title)
        self.column, self.buttons = kit.column(gap=SPACE_3), kit.row()
        whole = kit.column(kit.stretch(self.column), self.buttons, gap=SPACE_3, margins=SPACE_4)
        kit.fill(self, whole)
        set_opening_size(self, *size)

    def named(self, widget: W, local: str, accessible: str, tip: str = "") -> W:
        """Give a widget its object name ``dialog.widget``, accessible name and tooltip."""
        widget.setObjectName(f"{self.objectName()}.{local}")
        widget.setAccessibleName(accessible)
        if tip:
            widget.setToolTip(safe_tip(tip))
        return widget

    def text_box(self, local: str, accessible: str) -> QPlainTextEdit:
        """A box of monospaced text that can be selected and copied."""
        box = self.named(QPlainTextEdit(), local, accessible)
        box.setReadOnly(True)
        box.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        set_text_role(box, TYPE_SMALL, fixed=True)
        box.setTabChangesFocus(True)
        return box

    def button(
        self, local: str, text: str, act: Callable[[], object], tip: str = "", role: str = ""
    ) -> QPushButton:
        """A button in the row at the foot."""
        made = kit.button(text, role=role, pressed=lambda: act())
        made.setAutoDefault(False)
        kit.add(self.buttons, made)
        return self.named(made, local, tip or text, tip)


def copy(text: str) -> None:
    """Put a text on the clipboard."""
    QGuiApplication.clipboard().setText(text)


def open_one(parent: QWidget, kind: type[D], make: Callable[[], D]) -> D:
    """Bring the open dialog of this kind to the front, or open a new one."""
    dialog = (
        next((found for found in parent.findChildren(kind) if found.isVisible()), None) or make()
    )
    dialog.show()
    dialog.raise_()
    dialog.activateWindow()
    return dialog
