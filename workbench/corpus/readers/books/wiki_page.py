"""Source text of wiki pages, as MediaWiki’s editor shows it: the words without markup."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.records import beginning, blocks, lines
from workbench.corpus.readers.wikitext import plain_text

# Links, templates, headings and emphasis.
_MARKS = (
    re.compile(r"\[\[[^\[\]\n]{1,300}\]\]"),
    re.compile(r"\{\{[^{}\n]{1,300}(?:\}\}|$)"),
    re.compile(r"==+[^=\n]{1,200}==+\s*$"),
    re.compile(r"'''[^'\n]{1,200}'''"),
)
# Minimum number and share of lines with marks, and of different marks, that show a page.
_FEWEST, _SHARE, _KINDS = 3, 0.1, 2
# A page ends at an empty line after so many characters, because a template may span lines.
_PIECE = 1 << 19


class WikiPage(Reader):
    key = "wiki_page"
    title = tr("Wiki page (source text)")
    suffixes = (".wiki", ".mediawiki", ".wikitext")
    order = 200

    @classmethod
    def detect(cls, document: Document) -> bool:
        if document.suffix in cls.suffixes:
            return True
        if b"[[" not in document.head and b"{{" not in document.head:
            return False
        head = [line for line in beginning(document).split("\n") if line.strip()]
        found = [[mark.search(line) is not None for mark in _MARKS] for line in head]
        marked = sum(map(any, found))
        kinds = sum(map(any, zip(*found, strict=True)))
        return kinds >= _KINDS and marked >= max(_FEWEST, _SHARE * len(head))

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        yield from blocks(_pieces(document))
        document.note(tr("The markup of the wiki, its templates and tables were left out."))


def _pieces(document: Document) -> Iterator[str | None]:
    """The text of each piece; None for every 1,000 lines."""
    page: list[str] = []
    size = 0
    for number, line in lines(document):
        if number % 1000 == 0:
            yield None
        page.append(line)
        size += len(line)
        if size > _PIECE and not line.strip():
            yield plain_text("".join(page))
            page, size = [], 0
    yield plain_text("".join(page))
