"""A line of text that gives way at its end."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from workbench.ui.plain_text import LABEL_LENGTH, PlainLabel, safe_tip, truncate_text, visible_text


class ElidedLabel(PlainLabel):
    """Shows as much of its text as there is room for; the rest is in the tooltip, unless that is
    taken.

    entire : it is shown in full or not at all, as a word is whose beginning says nothing
    lines : into so many it is broken before its end is left out. It asks for the height of its
    current lines, where a label that wraps would ask for heights by width, which not every
    container can give.
    """

    def __init__(
        self, text: str = "", *, tells: bool = True, entire: bool = False, lines: int = 1
    ) -> None:
        super().__init__()
        self._whole = ""
        self._tells, self._entire, self._lines = tells, entire, lines
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.put(text)

    @property
    def whole(self) -> str:
        return self._whole

    def put(self, text: str) -> None:
        """Show another text."""
        text = visible_text(truncate_text(text, LABEL_LENGTH))
        if text != self._whole:
            self._whole = text
            self.setAccessibleName(text)
            if self._tells:
                self.setToolTip(safe_tip(text))
        self._fit_text()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_text()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._fit_text()

    def _fit_text(self) -> None:
        room = self.contentsRect().width() - max(self.indent(), 0)
        fitted = _break_lines(self._whole, self.fontMetrics(), max(room, 0), self._lines)
        if self._entire and fitted != self._whole:
            fitted = ""
        if fitted != self.text():
            self.setText(fitted)


def _break_lines(text: str, metrics: QFontMetrics, room: int, most: int) -> str:
    """At most so many lines of at most so many pixels; the last one ends in an ellipsis where there
    is more.
    """
    lines = [""]
    words = text.split(" ")
    for at, word in enumerate(words):
        longer = word
        if lines[-1]:
            longer = f"{lines[-1]} {word}"
        # Whether it is left whole, which a line of just that width need not be.
        if not lines[-1] or metrics.elidedText(longer, Qt.TextElideMode.ElideRight, room) == longer:
            lines[-1] = longer
        elif len(lines) < most:
            lines.append(word)
        else:
            lines[-1] = " ".join([lines[-1], *words[at:]])
            break
    return "\n".join(metrics.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines)
