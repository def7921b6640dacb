"""A line of text that gives way at its end."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QSizePolicy


class ElidedLabel(QLabel):
    """Shows as much of its text as there is room for; the rest is in the tooltip, unless that is taken. ``entire``: it
    is shown in full or not at all, as a word is whose beginning says nothing.
    """

    def __init__(self, text: str = "", *, tells: bool = True, entire: bool = False) -> None:
        super().__init__()
        self._whole = ""
        self._tells, self._entire = tells, entire
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.put(text)

    @property
    def whole(self) -> str:
        return self._whole

    def put(self, text: str) -> None:
        """Show another text."""
        if text != self._whole:
            self._whole = text
            self.setAccessibleName(text)
            if self._tells:
                self.setToolTip(text)
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit()

    def _fit(self) -> None:
        room = self.contentsRect().width() - max(self.indent(), 0)
        fitted = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, max(room, 0))
        if self._entire and fitted != self._whole:
            fitted = ""
        if fitted != self.text():
            self.setText(fitted)
