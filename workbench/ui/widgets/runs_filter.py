"""Which of all runs are shown: a line in the language of the filter, and a button for those that are starred."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.tables import Cell
from workbench.session.run_filter import HELP, read_filter
from workbench.session.settings import Settings
from workbench.ui.measures import sized
from workbench.ui.plain_text import rich_tip
from workbench.ui.theme import set_property
from workbench.ui.widgets.filter_line import FilterLine

_FILTER = "runs.filter"
_KEEP_MS = 500
_ONWARD = (Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_Enter)


class RunsFilter(QObject):
    """The two controls, for a row of others; what was typed is remembered.

    ``changed()``: something else is asked for. ``left()``: Down or Return in the line, which go on to the table.
    """

    changed = Signal()
    left = Signal()

    def __init__(self, settings: Settings, parent: QObject) -> None:
        super().__init__(parent)
        self._settings = settings
        # What in the line is not understood and what can be written, or "".
        self.wrong = ""
        # What the line asks about by name.
        self.keys: frozenset[str] = frozenset()
        self.line = FilterLine()
        self.line.setPlaceholderText(tr("Filter: words, dim>50, window:2,5, -state:failed …"))
        self.line.setToolTip(rich_tip("", HELP, width=340))
        self.line.installEventFilter(self)
        self.starred = QPushButton("★")
        self.starred.setCheckable(True)
        sized(self.starred, width=34)
        # Typing should not write a file at every letter.
        self._keep = QTimer(self)
        self._keep.setSingleShot(True)
        self._keep.setInterval(_KEEP_MS)
        self._keep.timeout.connect(lambda: settings.set(_FILTER, self.line.text()))
        self.line.textChanged.connect(self._typed)
        self.starred.toggled.connect(lambda _: self._typed())

    def restore(self) -> None:
        """Take what is in the settings."""
        kept = self._settings.get(_FILTER, "")
        self.line.setText(kept if isinstance(kept, str) else "")

    def read(self, names: Sequence[str]) -> Callable[[Mapping[str, Cell]], bool]:
        """Whether the cells of a run pass. A line that is not understood shows it, and lets all pass: what it asked for
        a letter before nobody meant.

        names : of the cells that may be asked about
        """
        self.wrong = ""
        try:
            found = read_filter(self.line.text(), names)
        except UserError as error:
            self.wrong = str(error)
            found = read_filter("", names)
        set_property(self.line, "invalid", bool(self.wrong))
        self.keys, only = found.keys, self.starred.isChecked()
        return lambda cells: found(cells) and (not only or bool(cells["star"]))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the line, Down and Return leave it."""
        pressed = isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress
        if watched is self.line and pressed and event.key() in _ONWARD:  # type: ignore[attr-defined]
            self.left.emit()
            return True
        return bool(super().eventFilter(watched, event))

    def _typed(self) -> None:
        self._keep.start()
        self.changed.emit()
