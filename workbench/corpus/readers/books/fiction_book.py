"""FictionBook 2 (FB2), a format of e-books: the text without description and pictures; notes follow
the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.safe_xml import parse, root_name
from workbench.corpus.readers.xml_text import Paragraphs

_APART = frozenset(("p", "subtitle", "text-author", "date", "stanza", "td", "th", "title", "cite"))


class FictionBook(Reader):
    key = "fiction_book"
    title = tr("FictionBook")
    suffixes = (".fb2",)
    ambiguous_suffixes = (".xml",)

    @classmethod
    def detect(cls, document: Document) -> bool:
        return root_name(document.head) == "FictionBook"

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        text = _Book(document.options.notes)
        for _ in parse(document, text):
            yield text.paragraphs.take_text()
        text.paragraphs.end_paragraph()
        yield text.paragraphs.take_text()


class _Book:
    def __init__(self, wants_notes: bool) -> None:
        self.paragraphs = Paragraphs()
        self._wants_notes = wants_notes
        self._body = self._dropped = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        notes = name == "body" and attributes.get("name", "") in ("notes", "comments")
        # A link of this type is the number of a note.
        mark = name == "a" and attributes.get("type") == "note"
        if self._dropped or mark or (notes and not self._wants_notes):
            self._dropped += 1
        elif name == "body":
            self._body += 1
        elif name in _APART:
            self.paragraphs.end_paragraph()

    def data(self, text: str) -> None:
        if self._body and not self._dropped:
            self.paragraphs.add(text)

    def end(self, name: str) -> None:
        if self._dropped:
            self._dropped -= 1
        elif name == "body":
            self._body -= 1
        elif name == "v":
            self.paragraphs.end_line()
        elif name in _APART:
            self.paragraphs.end_paragraph()
