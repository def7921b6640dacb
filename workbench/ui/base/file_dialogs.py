"""Dialogs that ask for files and folders. Each purpose has a folder in the settings, where its
dialogs start; a purpose that is new starts in the folder that was used last for any.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget

from workbench.core.setting import Setting
from workbench.session.settings.settings_file import Settings

Purpose = Setting[str]

# Texts, vectors, sessions and pictures, opened or saved.
CORPORA = Setting("open.folder", str, "")
# Questions, pairs, and tables and lists of words.
WORD_FILES = Setting("words.folder", str, "")
# Figures, tables and reports.
EXPORTS = Setting("exports.folder", str, "")
_LAST = Setting("last.folder", str, "")


def start_folder(settings: Settings, purpose: Purpose) -> Path:
    """Folder where a dialog starts: an existing one, the home folder at first."""
    for setting in (purpose, _LAST):
        # Unlike Path.is_dir, it is False for a folder that can't be read.
        if os.path.isdir(settings[setting]):
            return Path(settings[setting])
    return Path.home()


def remember_folder(settings: Settings, purpose: Purpose, path: Path) -> None:
    """Start the next dialog in the folder that contains ``path``."""
    folder = str(path.absolute().parent)
    settings[purpose] = settings[_LAST] = folder


def file_dialog(
    parent: QWidget, settings: Settings, purpose: Purpose, title: str, save: bool = False
) -> QFileDialog:
    """A dialog that remembers its folder and deletes itself; ``open`` it to show it without
    blocking the window.
    """
    dialog = QFileDialog(parent, title, str(start_folder(settings, purpose)))
    if save:
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    else:
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)

    def remember(paths: Sequence[str]) -> None:
        if paths:
            remember_folder(settings, purpose, Path(paths[0]))

    dialog.filesSelected.connect(remember)
    # Deleted when it closes: a dialog kept would hold its model's thread.
    dialog.finished.connect(dialog.deleteLater)
    return dialog


def ask_open(
    parent: QWidget, settings: Settings, purpose: Purpose, title: str, kinds: str
) -> Path | None:
    """Ask for an existing file and wait; ``kinds`` are Qt's name filters."""
    name, _ = QFileDialog.getOpenFileName(
        parent, title, str(start_folder(settings, purpose)), kinds
    )
    return _remembered(settings, purpose, name)


def ask_save(
    parent: QWidget, settings: Settings, purpose: Purpose, title: str, name: str, kinds: str
) -> tuple[Path | None, str]:
    """Ask where to save and wait; returns the path and the chosen one of ``kinds``. ``name`` is
    the proposed name, or a path.
    """
    proposal = str(start_folder(settings, purpose) / name)
    chosen, kind = QFileDialog.getSaveFileName(parent, title, proposal, kinds)
    return _remembered(settings, purpose, chosen), kind


def ask_folder(
    parent: QWidget, settings: Settings, purpose: Purpose, title: str, start: str = ""
) -> Path | None:
    """Ask for an existing folder and wait; starts in ``start`` if given."""
    name = QFileDialog.getExistingDirectory(
        parent, title, start or str(start_folder(settings, purpose))
    )
    return _remembered(settings, purpose, name)


def _remembered(settings: Settings, purpose: Purpose, name: str) -> Path | None:
    if not name:
        return None
    remember_folder(settings, purpose, Path(name))
    return Path(name)
