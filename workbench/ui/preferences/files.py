"""Preferences page: folders of the program's files."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.paths import cache_folder, log_folder, settings_folder, store_folder
from workbench.ui import kit
from workbench.ui.base.text import memory
from workbench.ui.dialogs.folder import FolderProblem
from workbench.ui.preferences.page import PreferencesPage

_FOLDERS = (
    ("runs", tr("Runs"), tr("Vectors of finished runs, and the trash."), store_folder),
    (
        "cache",
        tr("Cache"),
        tr("Corpora, counts and compiled kernels. Recreated when missing."),
        cache_folder,
    ),
    (
        "settings",
        tr("Settings"),
        tr("These preferences, layouts, shortcuts and recent files."),
        settings_folder,
    ),
    ("log", tr("Log"), tr("Record of what the program did, for bug reports."), log_folder),
)


class FilesPage(PreferencesPage):
    key = "files"
    title = tr("Files")
    order = 40

    def build(self) -> None:
        self._problem = FolderProblem("preferences.files.problem")
        for local, name, label, find in _FOLDERS:
            where = find()
            self.button(
                name,
                f"{label}\n{where}",
                f"files.{local}",
                tr("Open folder"),
                partial(self._problem.open, where),
            )
        self._sizes_label = kit.label(role="small", name="preferences.files.sizes", wrap=True)
        self.row(tr("Disk space"), tr("Measured when you open this page."), below=self._sizes_label)
        kit.add(self._column, self._problem)
        self.end()

    def refresh(self) -> None:
        self._sizes_label.setText(tr("Counting…"))
        places = [(name, find()) for _, name, _, find in _FOLDERS]
        self.session.jobs.start(
            tr("Measuring disk space"),
            lambda run: [(name, _size(where, run)) for name, where in places],
            self._show_sizes,
            key="preferences.files",
            quiet=True,
        )

    def _show_sizes(self, sizes: list[tuple[str, int]]) -> None:
        self._sizes_label.setText(" · ".join(f"{name} {memory(size)}" for name, size in sizes))

    def release(self) -> None:
        super().release()
        self.session.jobs.drop("preferences.files")


def _size(folder: Path, run: JobControl) -> int:
    """Size in bytes of all files below a folder; files that vanish meanwhile are ignored."""
    total = 0
    for parent, _, names in os.walk(folder):
        run.check()
        for name in names:
            try:
                total += os.lstat(os.path.join(parent, name)).st_size
            except OSError:
                continue
    return total
