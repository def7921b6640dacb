"""Text of XML documents as paragraphs, shared by the readers of TEI, of page layouts and of office
documents.
"""

from __future__ import annotations

import re

from workbench.corpus.readers.base import BLOCK
from workbench.corpus.tokenise.text_repairs import LINE_END

# A word cut at a line end: by a soft hyphen or a sign that means only that, or by a hyphen, which
# also joins the parts of a compound.
_CUT = re.compile(r"\w([\u00ad¬⸗‐-])\Z")
# Maximum characters of a note, and of a paragraph before it is cut.
_LONGEST_PART = 4 << 20


class Paragraphs:
    """Collects text as lines with an empty one after each paragraph; notes follow the paragraph to
    which they belong.
    """

    def __init__(self, notes: bool = True) -> None:
        """``notes``: whether notes are text."""
        self._wants_notes = notes
        self._done: list[str] = []
        self._pieces: list[str] = []
        self._notes: list[str] = []
        self._outer: list[list[str]] = []
        self._size = 0
        # What the end of a printed line before the next word means: "" for none, "perhaps" if it
        # may cut a word, "surely" if it does.
        self._cut = ""

    def add(self, text: str) -> None:
        """Text within a line; its own line ends are spaces."""
        text = text.replace("\n", " ").replace(LINE_END, " ")
        if self._cut:
            text = text.lstrip()
            if not text:
                return
            self._continue_word(text[0])
        if self._size <= _LONGEST_PART or not self._outer:
            self._size += len(text)
            self._pieces.append(text)

    def break_printed_line(self, joins: bool = False) -> None:
        """The end of a line of a printed page; ``joins``: a word continues in the next
        line."""
        if joins or not self._cut:
            self._cut = "surely" if joins else "perhaps"

    def end_line(self) -> None:
        """The end of a verse, a sentence or a table row."""
        self._cut = ""
        self._pieces.append("\n")

    def end_paragraph(self) -> None:
        if self._outer:
            self.end_line()
            return
        self._cut = ""
        for text in ("".join(self._pieces), *self._notes):
            lines = [" ".join(line.split()) for line in text.split("\n")]
            plain = "\n".join(filter(None, lines))
            if plain:
                self._done.append(f"{plain}\n\n")
        self._pieces.clear()
        self._notes.clear()
        self._size = 0

    def add_paragraphs(self, text: str) -> None:
        """Paragraphs that ``take_text`` returned before."""
        self._done.append(text)

    def begin_row(self, mark: str) -> None:
        """Begin a document within the file, whose text follows the mark of its row."""
        self.end_paragraph()
        if mark:
            self._done.append(mark)

    def begin_part(self) -> None:
        """Begin a part that ``take_part`` removes from the running text."""
        self._outer.append(self._pieces)
        self._pieces = []

    def take_part(self) -> str:
        """The text since ``begin_part``."""
        text = "".join(self._pieces)
        self._pieces = self._outer.pop()
        return text

    def end_note(self) -> None:
        """The end of a note that began with ``begin_part``."""
        text = self.take_part()
        if self._wants_notes:
            self._notes.append(text)

    def take_text(self) -> bytes:
        """All paragraphs that have ended since the last call, and the current one if it is very
        long.
        """
        if self._size > 4 * BLOCK and not self._outer:
            self.end_paragraph()
        text = "".join(self._done)
        self._done.clear()
        return text.encode(errors="replace")

    def _continue_word(self, letter: str) -> None:
        """Join or separate what comes before and after the end of a printed line."""
        pieces = self._pieces
        while len(pieces) > 1 and len(pieces[-1].rstrip()) < 2:
            pieces[-2:] = [f"{pieces[-2]}{pieces[-1]}"]
        last = pieces.pop() if pieces else ""
        # “Haus- und Hof”: after a space, a hyphen doesn’t cut a word.
        spaced = last.endswith(" ") and self._cut == "perhaps"
        last = last.rstrip()
        cut = None if spaced else _CUT.search(last)
        if cut and (self._cut == "surely" or cut[1] != "-"):
            last = last[:-1]
        elif cut and letter.isalpha():
            # The rest of the text shows whether the hyphen belongs to the word.
            last += LINE_END
        elif not cut and self._cut == "perhaps":
            last += " "
        pieces.append(last)
        self._cut = ""
