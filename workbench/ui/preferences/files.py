"""Where the workbench keeps what it keeps."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QLabel

from workbench.core.paths import cache_folder, log_folder, settings_folder, store_folder
from workbench.core.run import Run
from workbench.ui.preferences.page import Page
from workbench.ui.text import memory

_FOLDERS = (
    ("runs", "Runs", "Vectors of finished trainings, and the trash.", store_folder),
    ("cache", "Cache", "Corpora that were read, counts and compiled kernels; it is made again where it is missing.",
     cache_folder),
    ("settings", "Settings", "These preferences, layouts, shortcuts and recent files.", settings_folder),
    ("log", "Log", "What the program did, for a report of a defect.", log_folder),
)  # fmt: skip


class FilesPage(Page):
    key = "files"
    title = "Files"
    order = 40

    def build(self) -> None:
        for local, name, told, find in _FOLDERS:
            where = find()
            self.button(name, f"{told}\n{where}", f"files.{local}", "Open folder", partial(self._open, where))
        self._told = QLabel()
        self._told.setObjectName("preferences.files.sizes")
        self._told.setProperty("role", "small")
        self._told.setWordWrap(True)
        self.row("Room on the disk", "Counted when the page is opened.", None)
        self._column.addWidget(self._told)
        self.end()

    def _open(self, where: Path) -> None:
        if not QDesktopServices.openUrl(QUrl.fromLocalFile(str(where))):
            self.session.message.emit(f"No program opens {where}.", "Open the folder by hand.", True)

    def refresh(self) -> None:
        self._told.setText("Counting …")
        places = [(name, find()) for _, name, _, find in _FOLDERS]
        self.session.jobs.start(
            "Counting what files take", lambda run: [(name, _size(where, run)) for name, where in places],
            self._counted, key="preferences.files", quiet=True,
        )  # fmt: skip

    def _counted(self, sizes: list[tuple[str, int]]) -> None:
        self._told.setText(" · ".join(f"{name} {memory(size)}" for name, size in sizes))

    def release(self) -> None:
        self.session.jobs.drop("preferences.files")


def _size(folder: Path, run: Run) -> int:
    """Bytes of all files below a folder; those that vanish meanwhile count as nothing."""
    total = 0
    for parent, _, names in os.walk(folder):
        run.check()
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except OSError:
                continue
    return total
