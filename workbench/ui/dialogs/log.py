"""Help > Log: the entries of the program's log, filtered by level and text."""

from __future__ import annotations

from PySide6.QtCore import QFileSystemWatcher
from PySide6.QtGui import QShowEvent, QTextCursor
from PySide6.QtWidgets import QWidget

from workbench.core import logs
from workbench.core.language import tr
from workbench.core.paths import log_folder
from workbench.ui import kit
from workbench.ui.base.text import plural
from workbench.ui.dialogs.folder import FolderProblem
from workbench.ui.dialogs.text import TextDialog, copy
from workbench.ui.widgets.inputs.filter_line import FilterLine

_FROM = {"INFO": tr("Everything"), "WARNING": tr("Warnings and errors"), "ERROR": tr("Errors")}


class LogDialog(TextDialog):
    """The entries of the log, the latest at the end; it follows the file while it is open."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, "log", tr("Log"), (820, 520))
        self._entries: list[logs.LogEntry] = []
        self.level = self.named(kit.ChoiceBox.of(_FROM), "level", tr("Level of the entries"))
        self.filter = self.named(
            FilterLine(),
            "filter",
            tr("Filter entries"),
            tr("Show the entries that contain this text"),
        )
        self.filter.setPlaceholderText(tr("Filter"))
        self.count = self.named(kit.label(role="muted"), "count", tr("Number of entries"))
        self.entries = self.text_box("entries", tr("Log entries"))
        self.problem = FolderProblem("log.problem")
        top = kit.row(self.level, kit.stretch(self.filter), self.count)
        kit.add(self.column, top, kit.stretch(self.entries), self.problem)
        self.button(
            "copy",
            tr("Copy"),
            lambda: copy(self.entries.toPlainText()),
            tr("Copy the displayed text"),
        )
        self.button(
            "folder",
            tr("Open folder"),
            lambda: self.problem.open(log_folder()),
            tr("Open the folder that contains the log"),
        )
        kit.add(self.buttons, kit.stretch())
        self.button("close", tr("Close"), self.close).setDefault(True)
        self.level.currentIndexChanged.connect(lambda _: self._show())
        self.filter.textChanged.connect(lambda _: self._show())
        # The folder, too: a full file is replaced by a new one.
        watcher = QFileSystemWatcher([str(log_folder()), *map(str, logs.log_files())], self)
        for changed in (watcher.fileChanged, watcher.directoryChanged):
            changed.connect(lambda _: self.refresh())
        self.refresh()
        self.filter.setFocus()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        # Only now is the number of visible lines known.
        self.entries.ensureCursorVisible()

    def refresh(self) -> None:
        """Read the files again."""
        self._entries = logs.read_entries()
        self._show()

    def _show(self) -> None:
        least = logs.LEVELS.index(self.level.currentData())
        wanted = self.filter.text().casefold()
        shown = [
            text
            for entry in self._entries
            if logs.LEVELS.index(entry.level) >= least and wanted in (text := str(entry)).casefold()
        ]
        self.count.setText(plural(len(shown), "entry", "entries"))
        self.entries.setPlainText("\n".join(shown) if shown else tr("No entries."))
        self.entries.moveCursor(QTextCursor.MoveOperation.End)
