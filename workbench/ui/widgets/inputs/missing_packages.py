"""Notice of packages that a choice needs, with the command to install them."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from workbench.core.language import tr
from workbench.ui.base.plain_text import PlainLabel
from workbench.ui.base.theme import SPACE_1, SPACE_2, set_property


class MissingPackagesNote(Protocol):
    """The missing packages, in a sentence, and the command that installs them, or "". As a string,
    both the sentence and the solution.
    """

    message: str
    command: str


class MissingPackages(QWidget):
    """A sentence, the command that fixes the problem, and a button that copies it. The program
    installs nothing itself.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._shown = ""
        self._text = PlainLabel()
        self._text.setObjectName(f"{name}.text")
        self._text.setWordWrap(True)
        set_property(self._text, "role", "warning")
        self.command = QLineEdit()
        self.command.setObjectName(f"{name}.command")
        self.command.setAccessibleName(tr("Installation command"))
        self.command.setReadOnly(True)
        self._copy = QPushButton(tr("Copy"))
        self._copy.setObjectName(f"{name}.copy")
        self._copy.setAccessibleName(tr("Copy the command"))
        self._copy.clicked.connect(self._copy_command)
        self._row = QWidget()
        row = QHBoxLayout(self._row)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(SPACE_2)
        row.addWidget(self.command, 1)
        row.addWidget(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_1)
        column.addWidget(self._text)
        column.addWidget(self._row)
        self.hide()

    def explain(self, missing: MissingPackagesNote | None) -> None:
        """Show the missing packages, or hide the notice."""
        if missing is not None and str(missing) != self._shown:
            self._shown = str(missing)
            if missing.command:
                text = tr(
                    "{message} Install it in a terminal, then restart Embedding Workbench:",
                    message=missing.message,
                )
            else:
                text = self._shown
            self._text.setText(text)
            self._row.setVisible(bool(missing.command))
            self.command.setText(missing.command)
            self.command.setCursorPosition(0)
            self._copy.setText(tr("Copy"))
        self.setVisible(missing is not None)

    def _copy_command(self) -> None:
        QApplication.clipboard().setText(self.command.text())
        self._copy.setText(tr("Copied"))
        self._copy.setFocus(Qt.FocusReason.OtherFocusReason)
