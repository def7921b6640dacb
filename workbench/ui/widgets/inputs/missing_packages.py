"""Notice of packages that a choice needs, with the command to install them."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QWidget,
)

from workbench.core.language import tr
from workbench.ui.base.boxes import box, column, fill, row, stretch
from workbench.ui.base.controls import button, label
from workbench.ui.base.theme import SPACE_1


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
        self._text = label(role="warning", name=f"{name}.text", wrap=True)
        self.command = QLineEdit()
        self.command.setObjectName(f"{name}.command")
        self.command.setAccessibleName(tr("Installation command"))
        self.command.setReadOnly(True)
        self._copy = button(tr("Copy"), name=f"{name}.copy", pressed=self._copy_command)
        self._copy.setAccessibleName(tr("Copy the command"))
        self._row = box(row(stretch(self.command), self._copy))
        fill(self, column(self._text, self._row, gap=SPACE_1))
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
