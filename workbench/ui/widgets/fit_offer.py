"""Says that a training does not fit into memory, and puts a value that fits into the form at a click."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from workbench.core.language import tr
from workbench.session.fitting import Shortage
from workbench.ui.plain_text import PlainLabel, menu_text
from workbench.ui.theme import SPACE_1, SPACE_3
from workbench.ui.widgets.flow import FlowLayout


class FitOffer(QWidget):
    """Hidden while nothing lacks. ``taken(name, value)``: a remedy was chosen."""

    taken = Signal(str, int)

    def __init__(self) -> None:
        super().__init__()
        self.text = PlainLabel()
        self.text.setObjectName("train.shortage")
        self.text.setWordWrap(True)
        self.text.setProperty("role", "warning")
        self._row = QWidget()
        self._flow = FlowLayout(self._row, gap=SPACE_3, row_gap=SPACE_1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(SPACE_1)
        column.addWidget(self.text)
        column.addWidget(self._row)
        self.shortage: Shortage | None = None
        self.hide()

    def show_shortage(self, shortage: Shortage | None, changeable: bool = True) -> None:
        """``changeable``: the form has the values that would have to change."""
        if shortage == self.shortage:
            return
        self.shortage = shortage
        while self._flow.count():
            item = self._flow.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.deleteLater()
        self.setVisible(shortage is not None)
        if shortage is None:
            return
        remedies = shortage.remedies if changeable else ()
        self.text.setText(
            tr("{message} It would fit with:", message=shortage.error.message)
            if remedies
            else f"{shortage.error.message} {shortage.error.hint}"
        )
        for remedy in remedies:
            button = QPushButton(menu_text(remedy.sentence))
            button.setObjectName(f"train.fit.{remedy.name}")
            button.setAccessibleName(tr("Use {sentence}, which fits into memory", sentence=remedy.sentence))
            button.setProperty("role", "link")
            button.clicked.connect(partial(self._take, remedy.name, remedy.value))
            self._flow.addWidget(button)
        self._row.setVisible(bool(remedies))

    def _take(self, name: str, value: int, checked: bool = False) -> None:
        self.taken.emit(name, value)
