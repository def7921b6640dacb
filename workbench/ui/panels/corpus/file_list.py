"""List of the files of a corpus, with a check box for each."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import PurePath

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent

from workbench.core.language import tr
from workbench.corpus.corpus import SourceFile
from workbench.ui.base.text import count, memory, plural
from workbench.ui.base.theme import Theme
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.table_model import TableColumn


class FileList(DataTable):
    """The files with check boxes; Space, a click on the box, or a double click includes or excludes
    a file.
    """

    chosen_changed = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self._files: tuple[SourceFile, ...] = ()
        self._out: set[str] = set()
        self._passed: frozenset[str] = frozenset()
        self.table.toggled.connect(self.toggle_file)
        self.double_clicked.connect(self.toggle_file)

    def set_files(
        self, files: Sequence[SourceFile], out: Collection[str], passed: Collection[str] = ()
    ) -> None:
        """Show other files; those in ``out`` are unchecked, and those in ``passed``, which can't be
        read, can't be checked.
        """
        self._files, self._out = tuple(files), {*out, *passed}
        self._passed = frozenset(passed)
        parts = [PurePath(file.path).parent.parts for file in files]
        # A prefix common to all files is no help.
        same = 0
        while parts and all(len(each) > same and each[same] == parts[0][same] for each in parts):
            same += 1
        names = ["/".join(PurePath(file.path).parts[same:]) for file in files]
        paths = [file.path for file in files]
        remarks = [_remarks(file) for file in files]

        def spoken_name(row: int) -> str:
            if paths[row] in self._passed:
                return tr("{name}, passed over", name=names[row])
            if paths[row] in self._out:
                return tr("{name}, excluded", name=names[row])
            return tr("{name}, included", name=names[row])

        self.set_columns(
            [
                TableColumn(
                    tr("File"),
                    names,
                    tips=paths,
                    spoken=spoken_name,
                    checked=lambda row: paths[row] not in self._out,
                    number=False,
                    width=230,
                ),
                TableColumn(
                    tr("Size"),
                    [file.size if file.size >= 0 else None for file in files],
                    text=_size_text,
                    tips=paths,
                    width=72,
                ),
                TableColumn(
                    tr("Encoding"), [file.encoding for file in files], tips=paths, width=128
                ),
                TableColumn(
                    tr("Tokens"),
                    [file.tokens if file.tokens >= 0 else None for file in files],
                    text=_tokens_text,
                    tips=paths,
                    width=96,
                ),
                TableColumn(tr("Notes"), remarks, tips=remarks, stretch=True),
            ]
        )

    @property
    def left_out(self) -> frozenset[str]:
        """Paths of the excluded files."""
        return frozenset(self._out - self._passed)

    @property
    def number_read(self) -> int:
        """Number of the files that are read."""
        return len(self._files) - len(self._out)

    def set_all(self, wanted: bool) -> None:
        """Include or exclude all files."""
        self._out = set(self._passed)
        if not wanted:
            self._out = {file.path for file in self._files}
        self.viewport().update()
        self.chosen_changed.emit()

    def toggle_file(self, row: int) -> None:
        """Include or exclude a file that can be read."""
        if self._files[row].path in self._passed:
            return
        self._out ^= {self._files[row].path}
        self.table.repaint_row(row)
        self.chosen_changed.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.current_row >= 0:
            self.toggle_file(self.current_row)
        else:
            super().keyPressEvent(event)


def _size_text(size: int | None) -> str:
    return "" if size is None else memory(size)


def _tokens_text(tokens: int | None) -> str:
    if tokens is None:
        return ""
    return count(tokens)


def _remarks(file: SourceFile) -> str:
    """Warnings about a file from reading it."""
    remarks = [tr("Column “{column}”.", column=file.column)] if file.column else []
    if file.undecodable:
        lines = ", ".join(map(count, file.lines))
        remarks.append(
            tr(
                "Decoding failed in {places}: line {lines}.",
                places=plural(file.undecodable, "place"),
                lines=lines,
            )
        )
    return " ".join([*remarks, file.note]).strip()
