"""Saving the session to a file and opening one, without blocking the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.core.language import tr
from workbench.session.files.file_names import add_suffix, file_stem
from workbench.session.files.session_archive import SUFFIX
from workbench.session.files.session_file import with_suffix
from workbench.session.session import Session
from workbench.ui.base.file_dialogs import CORPORA, file_dialog

_FILTERS = (tr("Sessions (*{SUFFIX})", SUFFIX=SUFFIX), tr("All files (*)"))


def ask_session(parent: QWidget, session: Session) -> None:
    """Let the user pick a session file and open it."""
    dialog = file_dialog(parent, session.settings, CORPORA, tr("Open session"))
    dialog.setNameFilters(_FILTERS)
    dialog.fileSelected.connect(lambda path: session.files.open(Path(path)))
    dialog.open()


def ask_save_session(parent: QWidget, session: Session, save: Callable[[Path], None]) -> None:
    """Let the user choose where to save the session; ``save`` is called with the path."""
    dialog = file_dialog(parent, session.settings, CORPORA, tr("Save session as"), save=True)
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setNameFilters(_FILTERS)
    dialog.setDefaultSuffix(SUFFIX.removeprefix("."))
    name = session.corpora.current.name if session.corpora.current is not None else "session"
    dialog.selectFile(file_stem(name, "session") + SUFFIX)

    def save_as(path: str) -> None:
        typed = Path(path)
        save(typed if with_suffix(typed) == typed else add_suffix(typed, SUFFIX))

    dialog.fileSelected.connect(save_as)
    dialog.open()
