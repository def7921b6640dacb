"""Lines of text with a background for each token."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QHelpEvent, QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QToolTip

from workbench.core.language import tr
from workbench.corpus.ingest.preview import PreviewLine
from workbench.ui.base.plain_text import safe_tip
from workbench.ui.base.theme import Palette, Theme

# Maximum numbers shown at once, so that the window stays responsive.
_MOST_LETTERS, _MOST_PIECES = 3000, 800
CHIP, NEXT_CHIP, STRUCK, END = "chip", "next chip", "struck", "end"


class _TextSpan(NamedTuple):
    begin: int
    length: int
    kind: str
    tip: str


class TokenText(QPlainTextEdit):
    """Tokens appear as they will be spelled; removed ones are struck through, and ¶ ends a
    sentence.

    Formats are laid over plain text: a rich text of a thousand pieces would block the window.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._pieces: list[list[_TextSpan]] = []
        self._theme = theme
        self._painter = _TokenHighlighter(self, theme.palette)
        theme.changed.connect(self._apply_theme)

    def show_lines(self, lines: Sequence[PreviewLine]) -> None:
        """Show the first of ``lines``, about 3,000 characters."""
        texts, self._pieces = [], []
        letters = pieces_shown = 0
        for line in lines:
            text, pieces = _compose_line(line)
            texts.append(text)
            self._pieces.append(pieces)
            letters += len(text)
            pieces_shown += len(pieces)
            if letters > _MOST_LETTERS or pieces_shown > _MOST_PIECES:
                break
        bar = self.verticalScrollBar()
        place = bar.value()
        self.setPlainText("\n".join(texts))
        bar.setValue(place)

    def block_spans(self, block: int) -> list[_TextSpan]:
        if block < len(self._pieces):
            return self._pieces[block]
        return []

    def viewportEvent(self, event: QEvent) -> bool:
        """Show the original spelling of a token, or why it is left out, on hover."""
        if not isinstance(event, QHelpEvent):
            return super().viewportEvent(event)
        cursor = self.cursorForPosition(event.pos())
        at = cursor.positionInBlock()
        found = (
            each
            for each in self.block_spans(cursor.blockNumber())
            if each.begin <= at < each.begin + each.length
        )
        piece = next(found, None)
        if piece is not None:
            QToolTip.showText(event.globalPos(), safe_tip(piece.tip), self)
        else:
            QToolTip.showText(event.globalPos(), safe_tip(""), self)
        return True

    def _apply_theme(self) -> None:
        self._painter.set_palette(self._theme.palette)
        self._painter.rehighlight()


class _TokenHighlighter(QSyntaxHighlighter):
    def __init__(self, text: TokenText, palette: Palette) -> None:
        super().__init__(text.document())
        self._text = text
        self.set_palette(palette)

    def set_palette(self, palette: Palette) -> None:
        self._plain = _text_format(palette.muted)
        chip = _text_format(palette.text, palette.accent_soft)
        following = _text_format(palette.text, palette.hover)
        struck = _text_format(palette.muted)
        struck.setFontStrikeOut(True)
        self._formats = {
            CHIP: chip,
            NEXT_CHIP: following,
            STRUCK: struck,
            END: _text_format(palette.accent),
        }

    def highlightBlock(self, text: str) -> None:
        self.setFormat(0, len(text.encode("utf-16-le")) // 2, self._plain)
        for begin, length, kind, _ in self._text.block_spans(self.currentBlock().blockNumber()):
            self.setFormat(begin, length, self._formats[kind])


def _text_format(colour: str, ground: str = "") -> QTextCharFormat:
    text_format = QTextCharFormat()
    text_format.setForeground(QColor(colour))
    if ground:
        text_format.setBackground(QColor(ground))
    return text_format


def _compose_line(line: PreviewLine) -> tuple[str, list[_TextSpan]]:
    """The line with its tokens as they will be spelled, and their positions in UTF-16 units, as Qt
    counts.
    """
    parts: list[str] = []
    pieces: list[_TextSpan] = []
    at = begun = 0
    kind = CHIP

    def put(text: str) -> int:
        parts.append(text)
        if text.isascii():
            return len(text)
        return len(text.encode("utf-16-le")) // 2

    for mark in line.marks:
        at += put(line.text[begun : mark.begin])
        # Tokens without anything between them are distinguished by their background.
        alternates = mark.begin == begun and kind == CHIP and bool(pieces)
        kind = NEXT_CHIP if alternates else CHIP
        written = line.text[mark.begin : mark.end]
        size = put(written if mark.why else mark.word)
        tip = mark.why or (
            tr("in the text: {written}", written=written) if written != mark.word else ""
        )
        if mark.why:
            pieces.append(_TextSpan(at, size, STRUCK, tip))
        else:
            pieces.append(_TextSpan(at, size, kind, tip))
        at += size
        begun = mark.end
    at += put(line.text[begun:])
    if line.cut:
        put(" …")
    elif line.ends and any(not mark.why for mark in line.marks):
        at += put(" ")
        pieces.append(_TextSpan(at, put("¶"), END, tr("End of the sentence")))
    return "".join(parts), pieces
