"""Plain-text books of Project Gutenberg: the book, without the licence around it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import BLOCK, Document, Reader
from workbench.corpus.readers.records import beginning, lines

# Books from before 2003 have “small print” before the text instead, and a line without asterisks
# after it, which newer ones have, too.
_START = re.compile(
    r"\s*(?:\*\*\*\s*START\s+OF\s+(?:THE\s+|THIS\s+)?PROJECT\s+GUTENBERG\b"
    r"|\*+\s*END\s*\*+\s*THE\s+SMALL\s+PRINT\b|\*END\s+THE\s+SMALL\s+PRINT\b)",
    re.IGNORECASE,
)
_END = re.compile(
    r"\s*(?:\*{3}\s*)?(?:END\s+OF\s+(?:THE\s+|THIS\s+)?|ENDE\s+(?:DIESES|DES)\s+|FIN\s+DU\s+)"
    r"PROJE[CK]T\s+GUTENBERG\b",
    re.IGNORECASE,
)


class Gutenberg(Reader):
    key = "gutenberg"
    title = tr("Project Gutenberg book")
    order = 200

    @classmethod
    def detect(cls, document: Document) -> bool:
        return any(map(_START.match, beginning(document).split("\n")))

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        waiting: list[str] = []
        size = 0
        inside = False
        for _, line in lines(document):
            if _END.match(line):
                inside = False
            elif inside:
                waiting.append(line)
            # A second book in the same file begins like the first.
            inside = inside or _START.match(line) is not None
            size += len(line)
            if size > BLOCK // 4:
                yield "".join(waiting).encode(errors="replace")
                waiting, size = [], 0
        yield "".join(waiting).encode(errors="replace")
        document.note(tr("The licence of Project Gutenberg around the text was left out."))
