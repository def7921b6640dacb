"""Lines of text with their tokens on a ground of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from PySide6.QtCore import QEvent
from PySide6.QtGui import QColor, QHelpEvent, QSyntaxHighlighter, QTextCharFormat
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QToolTip

from workbench.core.language import tr
from workbench.corpus.ingest.preview import PreviewLine
from workbench.ui.plain_text import safe_tip
from workbench.ui.theme import Palette, Theme

# Of what is shown at once, so that the window does not wait for it.
_MOST_LETTERS, _MOST_PIECES = 3000, 800
CHIP, NEXT_CHIP, STRUCK, END = "chip", "next chip", "struck", "end"


class _Piece(NamedTuple):
    begin: int
    length: int
    kind: str
    tip: str


class TokenText(QPlainTextEdit):
    """Tokens stand as they will be spelled; those left out are struck through, and ¶ ends a sentence.

    Formats are laid over plain text: a rich text of a thousand pieces would hold up the window.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._pieces: list[list[_Piece]] = []
        self._theme = theme
        self._painter = _Grounds(self, theme.palette)
        theme.changed.connect(self._retheme)

    def show_lines(self, lines: Sequence[PreviewLine]) -> None:
        """Show the first of ``lines``, some 3,000 letters."""
        texts, self._pieces = [], []
        letters = pieces_shown = 0
        for line in lines:
            text, pieces = _composed(line)
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

    def pieces(self, block: int) -> list[_Piece]:
        return self._pieces[block] if block < len(self._pieces) else []

    def viewportEvent(self, event: QEvent) -> bool:
        """What a token was written as, or why it is left out, on hovering."""
        if not isinstance(event, QHelpEvent):
            return super().viewportEvent(event)
        cursor = self.cursorForPosition(event.pos())
        at = cursor.positionInBlock()
        found = (each for each in self.pieces(cursor.blockNumber()) if each.begin <= at < each.begin + each.length)
        piece = next(found, None)
        QToolTip.showText(event.globalPos(), safe_tip(piece.tip if piece is not None else ""), self)
        return True

    def _retheme(self) -> None:
        self._painter.dress(self._theme.palette)
        self._painter.rehighlight()


class _Grounds(QSyntaxHighlighter):
    def __init__(self, text: TokenText, palette: Palette) -> None:
        super().__init__(text.document())
        self._text = text
        self.dress(palette)

    def dress(self, palette: Palette) -> None:
        self._plain = _format(palette.muted)
        chip = _format(palette.text, palette.accent_soft)
        following = _format(palette.text, palette.hover)
        struck = _format(palette.muted)
        struck.setFontStrikeOut(True)
        self._formats = {CHIP: chip, NEXT_CHIP: following, STRUCK: struck, END: _format(palette.accent)}

    def highlightBlock(self, text: str) -> None:
        self.setFormat(0, len(text.encode("utf-16-le")) // 2, self._plain)
        for begin, length, kind, _ in self._text.pieces(self.currentBlock().blockNumber()):
            self.setFormat(begin, length, self._formats[kind])


def _format(colour: str, ground: str = "") -> QTextCharFormat:
    made = QTextCharFormat()
    made.setForeground(QColor(colour))
    if ground:
        made.setBackground(QColor(ground))
    return made


def _composed(line: PreviewLine) -> tuple[str, list[_Piece]]:
    """The line with its tokens as they will be spelled, and where they stand, in units of UTF-16 as Qt counts."""
    parts: list[str] = []
    pieces: list[_Piece] = []
    at = begun = 0
    kind = CHIP

    def put(text: str) -> int:
        parts.append(text)
        return len(text) if text.isascii() else len(text.encode("utf-16-le")) // 2

    for mark in line.marks:
        at += put(line.text[begun : mark.begin])
        # Tokens without anything between them are told apart by their ground.
        kind = NEXT_CHIP if mark.begin == begun and kind == CHIP and pieces else CHIP
        written = line.text[mark.begin : mark.end]
        size = put(written if mark.why else mark.word)
        tip = mark.why or (tr("written {written}", written=written) if written != mark.word else "")
        pieces.append(_Piece(at, size, STRUCK if mark.why else kind, tip))
        at += size
        begun = mark.end
    at += put(line.text[begun:])
    if line.cut:
        put(" …")
    elif line.ends and any(not mark.why for mark in line.marks):
        at += put(" ")
        pieces.append(_Piece(at, put("¶"), END, tr("The sentence ends here")))
    return "".join(parts), pieces
