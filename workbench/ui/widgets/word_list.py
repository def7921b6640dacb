"""A field for a list of words: typed, or chosen as a file."""

from __future__ import annotations

from PySide6.QtWidgets import QFileDialog, QLineEdit, QToolButton

from workbench.core.language import tr
from workbench.ui.theme import Theme


class WordListField(QLineEdit):
    """Words with blanks or commas between them, or @ and a path, which ``button``, to be put beside it, lets choose."""

    def __init__(self, value: str, name: str, theme: Theme) -> None:
        super().__init__(value)
        self._name = name
        self._theme = theme
        self.setPlaceholderText(tr("words, or @file"))
        self.setClearButtonEnabled(True)
        self.button = QToolButton()
        self.button.setObjectName(f"{name}.file")
        self.button.setAccessibleName(tr("Choose a file of words"))
        self.button.setToolTip(tr("Choose a file with one word a line"))
        self.button.setProperty("role", "quiet")
        self.button.clicked.connect(self.ask)
        theme.changed.connect(self._retheme)
        self._retheme()

    def ask(self) -> None:
        """Let a file with one word a line be chosen."""
        dialog = QFileDialog(self, tr("Choose a file with one word a line"))
        dialog.setObjectName(f"{self._name}.dialog")
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([tr("Lists of words (*.txt *.tsv)"), tr("All files (*)")])
        dialog.filesSelected.connect(lambda paths: self.setText(f"@{paths[0]}"))
        # Deleted when it closes: a dialog kept would hold its model's thread.
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()

    def _retheme(self) -> None:
        self.button.setIcon(self._theme.icon("folder", "muted"))
