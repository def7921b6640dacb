"""A line of text that is elided at its end."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QSizePolicy

from workbench.ui.base.plain_text import (
    LABEL_LENGTH,
    PlainLabel,
    safe_tip,
    truncate_text,
    visible_text,
)


class ElidedLabel(PlainLabel):
    """Shows as much of its text as fits; the complete text is in the tooltip, unless another one is
    set.

    entire : the text is shown completely or not at all, for a word whose beginning is meaningless
    lines : maximum number of lines before the text is elided. The label requests the height of its
    current lines; a label that wraps would need its height for a width, which not every container
    supports.
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
        fitted = break_lines(self._whole, self.fontMetrics(), max(room, 0), self._lines)
        if self._entire and fitted != self._whole:
            fitted = ""
        if fitted != self.text():
            self.setText(fitted)


def break_lines(text: str, metrics: QFontMetrics, room: int, most: int) -> str:
    """Break a text into at most ``most`` lines of limited width; the last one ends in an ellipsis
    if the text is longer.
    """
    lines = [""]
    words = text.split(" ")
    for at, word in enumerate(words):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        # Whether it stays complete, which Qt may deny a line of exactly this width.
        if not lines[-1] or metrics.elidedText(longer, Qt.TextElideMode.ElideRight, room) == longer:
            lines[-1] = longer
        elif len(lines) < most:
            lines.append(word)
        else:
            lines[-1] = " ".join([lines[-1], *words[at:]])
            break
    return "\n".join(metrics.elidedText(line, Qt.TextElideMode.ElideRight, room) for line in lines)
