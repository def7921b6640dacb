"""Detection of texts wrapped at a fixed width.

In a wrapped text, such as most plain-text books, every line but the last of a paragraph is as long
as possible: the first word of the next line would not have fitted. Lines that are sentences,
verses, or entries of a log have various lengths, or begin with the same word.
"""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

from workbench.corpus.columns import MARK

# Bytes from the beginning of a text that show whether it is wrapped.
SAMPLE = 1 << 18
_FEWEST = 40
_NARROWEST, _WIDEST = 45, 160
# Criteria for a wrapped text, as shares of the lines that another line follows: minimum shares of
# lines that are full, that continue in the next one, and that don’t end a sentence; maximum share
# that begins with the same word.
_FULL, _GOING_ON, _UNFINISHED, _SAME = 0.65, 0.3, 0.5, 0.2
_ENDS = (
    ".",
    "!",
    "?",
    "…",
    ":",
    ";",
    '."',
    '!"',
    '?"',
    ".”",
    "!”",
    "?”",
    ".’",
    "!’",
    "?’",
    ".)",
    "۔",
    "।",
)


class Wrapping:
    """Holds back the beginning of each text until it shows whether the text is wrapped.

    wrapped : whether the current text is, known as soon as its beginning is returned
    texts : number of wrapped texts so far
    """

    def __init__(self) -> None:
        self.wrapped = False
        self.texts = 0
        self._head: bytearray | None = bytearray()

    def feed(self, block: bytes, final: bool) -> bytes:
        """The bytes to process now, all of the beginning at once; ``final`` ends a text."""
        if self._head is not None:
            self._head += block
            if len(self._head) < SAMPLE and not final:
                return b""
            block = bytes(self._head)
            self.wrapped = is_wrapped(block[:SAMPLE].decode(errors="replace").replace(MARK, ""))
            self.texts += self.wrapped
        self._head = bytearray() if final else None
        return block


def is_wrapped(text: str) -> bool:
    """Whether most lines of a text are full."""
    followed = _followed(text)
    lines = sum(1 for line in text.replace("\r", "\n").split("\n") if line.strip())
    if len(followed) < _FEWEST or 2 * len(followed) < lines:
        return False
    width = sorted(len(one) for one, _ in followed)[int(0.9 * len(followed))]
    words = sum(len(one.split()) for one, _ in followed)
    # Scripts without spaces have no words that could be too long for a line.
    if not _NARROWEST <= width <= _WIDEST or words < 4 * len(followed):
        return False
    begins = Counter(two.split(None, 1)[0] for _, two in followed)
    full = sum(len(one) + 1 + len(two.split(None, 1)[0]) > width for one, two in followed)
    going_on = sum(two[0].isalpha() and not two[0].isupper() for _, two in followed)
    unfinished = sum(not one.endswith(_ENDS) for one, _ in followed)
    return (
        max(begins.values()) <= _SAME * len(followed)
        and full >= _FULL * len(followed)
        and going_on >= _GOING_ON * len(followed)
        and unfinished >= _UNFINISHED * len(followed)
    )


def is_short(text: str) -> bool:
    """Whether a text has too few lines that continue to show whether it is wrapped."""
    return len(_followed(text)) < _FEWEST


def _followed(text: str) -> list[tuple[str, str]]:
    """The lines that another line of their paragraph follows, with the next ones."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    # An indented line begins a paragraph, like a line after an empty one.
    return [
        (one.rstrip(), two)
        for one, two in pairwise(lines)
        if one.strip() and two.strip() and two[0] not in " \t"
    ]
