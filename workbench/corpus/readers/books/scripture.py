"""Bibles in USFM (Unified Standard Format Markers, version 3): the text without markers, numbers of
chapters and verses, notes and references.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import BLOCK, Document, Reader
from workbench.corpus.readers.records import beginning, lines

_BEGINS = re.compile(r"\ufeff?\s*\\id [A-Z0-9]{3}\b")
# Lines that describe the book, and markers with a number.
_ABOUT = re.compile(
    r"\s*\\(?:id|ide|h\d?|toca?\d|rem|sts|usfm|cl|cp|cd|r|mr|sr|fig|restore|lit|pb|ib)(?![a-z\d*])"
)
_NUMBER = re.compile(
    r"\\(?:c|v|ca|va|vp)\s+[\d,.:\u2013-]+(?:[a-z](?=\s))?(?:\\(?:ca|va|vp)\*)?\s?"
)
_NOTE = re.compile(r"\\(f|fe|ef|x|ex|rq|fig|va|ca|vp)\s.*?\\\1\*")
# Attributes of a word, as in \w was|strong="H1961"\w*.
_ATTRIBUTES = re.compile(r"\|[^\\|\n]*(?=\\)")
_CHARACTERS = re.compile(r"\\\+?[a-z]+\d?\*")
_PARAGRAPH = re.compile(r"\s*\\(?:p[a-z]?|m[a-z]*|nb|b|c|s|ms|mt|imt|ip)\d?(?![a-z*])")
_MARKER = re.compile(r"\\\+?[a-z]+\d?(?:-[se])?\s?|\\\*")
# A space that isn’t broken, and an optional line break.
_SPACE = re.compile(r"~|//")


class Scripture(Reader):
    key = "usfm"
    title = tr("Bible (USFM)")
    suffixes = (".usfm", ".sfm")

    @classmethod
    def detect(cls, document: Document) -> bool:
        return _BEGINS.match(beginning(document)) is not None

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        waiting: list[str] = []
        size = 0
        for _, line in lines(document):
            size += len(line)
            if size > BLOCK // 4:
                yield "".join(waiting).encode(errors="replace")
                waiting, size = [], 0
            waiting.append(_plain(line))
        yield "".join(waiting).encode(errors="replace")
        document.note(tr("Markers, numbers of verses, notes and references were left out."))


def _plain(line: str) -> str:
    if _ABOUT.match(line):
        return ""
    break_before = "\n" if _PARAGRAPH.match(line) else ""
    line = _ATTRIBUTES.sub("", _NOTE.sub("", line))
    line = _CHARACTERS.sub("", _NUMBER.sub("", line))
    text = _MARKER.sub("", _SPACE.sub(" ", line)).strip()
    return f"{break_before}{text}\n"
