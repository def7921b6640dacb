"""Opening a folder in the system's file manager."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from workbench.core.atomic import cannot_write
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.ui.widgets.layout.note_label import NoteLabel


def open_folder(where: Path) -> None:
    """Open a folder, which is created if it doesn't exist yet. Raises UserError."""
    try:
        where.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise cannot_write(where, error) from error
    if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(where))):
        raise UserError(
            tr("Couldn’t open {where}.", where=where), tr("Open the folder in your file manager.")
        )


class FolderProblem(NoteLabel):
    """The reason why a folder couldn't be opened, visible only if there is one."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(tr("Error message"))
        self.setProperty("role", "error")
        self.hide()

    def open(self, where: Path) -> None:
        """Open the folder, or say why not."""
        try:
            open_folder(where)
        except UserError as error:
            self.setText(str(error))
            self.show()
        else:
            self.hide()
