"""OpenDocument texts (ODF 1.3 part 3, chapters 5 and 6): the text as it is printed, without
comments, deleted text and tables of contents.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.ingest.decompression import Budget
from workbench.corpus.readers.base import Document
from workbench.corpus.readers.safe_xml import parse
from workbench.corpus.readers.xml_text import Paragraphs
from workbench.corpus.readers.zipped import OfficeDocument, member_document, read_members

_MEMBER = "content.xml"
_DROPPED = frozenset(
    (
        *("tracked-changes", "annotation", "note-citation", "ruby-text", "index-body"),
        *("scripts", "automatic-styles", "font-face-decls", "settings", "sequence-decls"),
    )
)
_APART = frozenset(("p", "h", "list-item", "table-row"))
_SPACES = frozenset(("s", "tab", "line-break"))


class OpenDocument(OfficeDocument):
    key = "odt"
    title = tr("OpenDocument text")
    suffixes = (".odt", ".ott")

    @classmethod
    def contains(cls, members: list[str]) -> bool:
        return _MEMBER in members and "mimetype" in members and "META-INF/manifest.xml" in members

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        def members(archive: zipfile.ZipFile, budget: Budget) -> Iterator[bytes]:
            text = _Text(Paragraphs(document.options.notes))
            for _ in parse(member_document(document, archive, _MEMBER, budget), text):
                yield text.paragraphs.take_text()
            text.paragraphs.end_paragraph()
            yield text.paragraphs.take_text()

        return read_members(document, members)


class _Text:
    def __init__(self, paragraphs: Paragraphs) -> None:
        self.paragraphs = paragraphs
        self._dropped = self._body = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._dropped or name in _DROPPED:
            self._dropped += 1
        elif name == "body":
            self._body += 1
        elif name == "note":
            self.paragraphs.begin_part()
        elif name in _SPACES:
            self.paragraphs.add(" ")
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
        elif name == "note":
            self.paragraphs.end_note()
        elif name in _APART:
            self.paragraphs.end_paragraph()
