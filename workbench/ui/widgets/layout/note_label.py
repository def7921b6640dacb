"""The line of a dialog that describes the effect of its settings, or a problem."""

from __future__ import annotations

import re

from PySide6.QtWidgets import QLabel

from workbench.ui.base.plain_text import LABEL_LENGTH, PlainLabel, truncate_text, visible_text

_LONG = re.compile(r"\S{32}(?=\S)")
_BREAK = "\u200b"


class NoteLabel(PlainLabel):
    """Plain text on as many lines as necessary; long names are broken as well, which would
    otherwise make a dialog wider than the screen.
    """

    def __init__(self, text: str = "") -> None:
        super().__init__()
        self._whole = ""
        self.setWordWrap(True)
        self.setText(text)

    def setText(self, text: str) -> None:
        self._whole = text
        # Not by ``PlainLabel``, which would make the marks for line breaks visible.
        QLabel.setText(
            self,
            _LONG.sub(
                lambda part: part[0] + _BREAK, visible_text(truncate_text(text, LABEL_LENGTH))
            ),
        )

    def text(self) -> str:
        """Original text, without marks for line breaks."""
        return self._whole
