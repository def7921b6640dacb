"""Text that another program cut into pieces of words: BPE (``bo@@ at``), WordPiece (``bo ##at``),
SentencePiece (``▁bo at``) and the byte pairs of GPT-2 (``Ġbo at``). The pieces are joined.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import BLOCK, Document, Reader
from workbench.corpus.readers.records import beginning, lines

_BPE = re.compile(r"(?<=\S)@@ (?=\S)")
_WORD_PIECE = re.compile(r"(?<=\w) ##(?=\w)")
_BEGINS_WORD = re.compile(r"(?:^|\s)[▁Ġ](?=\S)", re.MULTILINE)
_SPACE = re.compile(r"[▁Ġ]")
# Marks in so many places, and in this share of the lines, show that a text was cut.
_FEWEST, _SHARE = 3, 0.3


class WordPieces(Reader):
    key = "word_pieces"
    title = tr("Text in pieces of words")
    order = 150

    @classmethod
    def detect(cls, document: Document) -> bool:
        return _joined_by(document) is not None

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        joined = _joined_by(document) or str
        waiting: list[str] = []
        size = 0
        for _, line in lines(document):
            waiting.append(joined(line))
            size += len(line)
            if size > BLOCK // 4:
                yield "".join(waiting).encode(errors="replace")
                waiting, size = [], 0
        yield "".join(waiting).encode(errors="replace")
        document.note(tr("The words were cut into pieces, which were joined."))


def _joined_by(document: Document) -> Callable[[str], str] | None:
    """What joins the pieces in a line of a document; None if its words are whole."""
    if not any(mark in document.head for mark in (b"@@ ", b" ##", "▁".encode(), "Ġ".encode())):
        return None
    head = [line for line in beginning(document).split("\n") if line.strip()]
    for pattern, joined in (
        (_BPE, lambda line: _BPE.sub("", line)),
        (_WORD_PIECE, lambda line: _WORD_PIECE.sub("", line)),
        (_BEGINS_WORD, _without_spaces),
    ):
        marked = [line for line in head if pattern.search(line)]
        places = sum(len(pattern.findall(line)) for line in marked[:_FEWEST])
        if places >= _FEWEST and len(marked) >= _SHARE * len(head):
            return joined
    return None


def _without_spaces(line: str) -> str:
    text = _SPACE.sub(" ", "".join(line.rstrip("\n").split(" "))).strip()
    return f"{text}\n"
