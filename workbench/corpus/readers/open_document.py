"""OpenDocument texts (ODF 1.3 part 3, chapters 5 and 6): the text as it is printed, without
comments, deleted and hidden text, descriptions of pictures, tables of contents, indexes and numbers
of pages.
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

_MEMBER, _STYLES = "content.xml", "styles.xml"
_DROPPED = frozenset(
    (
        *("tracked-changes", "annotation", "note-citation", "ruby-text", "index-body", "desc"),
        *("scripts", "automatic-styles", "font-face-decls", "settings", "sequence-decls"),
        *("table-of-content-source", "illustration-index-source", "table-index-source"),
        *("object-index-source", "user-index-source", "alphabetical-index-source"),
        *("bibliography-source", "index-title", "page-number", "page-count"),
        *("page-variable-get", "page-continuation", "note-ref"),
    )
)
# In these, a title is a field of the text; elsewhere it describes a picture.
_TEXT = frozenset(("p", "h", "span", "a"))
_APART = frozenset(("p", "h", "list-item", "table-row"))
_SPACES = frozenset(("s", "tab"))


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
            if _STYLES in archive.NameToInfo:
                for _ in parse(member_document(document, archive, _STYLES, budget), text.styles):
                    yield b""
            for _ in parse(member_document(document, archive, _MEMBER, budget), text):
                yield text.paragraphs.take_text()
            text.paragraphs.end_paragraph()
            yield text.paragraphs.take_text()

        return read_members(document, members)


class _Styles:
    """Finds the styles that hide text. ``hidden``: their names."""

    def __init__(self) -> None:
        self.hidden: set[str] = set()
        self._style = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "style":
            self._style = attributes.get("name", "")
            self.hidden.discard(self._style)
            if attributes.get("parent-style-name") in self.hidden:
                self.hidden.add(self._style)
        elif name == "text-properties" and "display" in attributes:
            if attributes["display"] == "none":
                self.hidden.add(self._style)
            else:
                self.hidden.discard(self._style)

    def data(self, text: str) -> None:
        pass

    def end(self, name: str) -> None:
        pass


class _Text:
    def __init__(self, paragraphs: Paragraphs) -> None:
        self.paragraphs = paragraphs
        self.styles = _Styles()
        self._opened: list[str] = []
        self._dropped = self._body = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        parent = self._opened[-1] if self._opened else ""
        self._opened.append(name)
        if not self._body:
            self.styles.start(name, attributes)
        if (
            self._dropped
            or name in _DROPPED
            or (name == "title" and parent not in _TEXT)
            or attributes.get("style-name") in self.styles.hidden
            or attributes.get("display") == "none"
            or attributes.get("is-hidden") == "true"
        ):
            self._dropped += 1
        elif name == "body":
            self._body += 1
        elif name == "note":
            self.paragraphs.begin_part()
        elif name in _SPACES:
            self.paragraphs.add(" ")
        elif name == "line-break":
            self.paragraphs.break_printed_line()
        elif name in _APART:
            self.paragraphs.end_paragraph()

    def data(self, text: str) -> None:
        if self._body and not self._dropped:
            self.paragraphs.add(text)

    def end(self, name: str) -> None:
        self._opened.pop()
        if self._dropped:
            self._dropped -= 1
        elif name == "body":
            self._body -= 1
        elif name == "note":
            self.paragraphs.end_note()
        elif name in _APART:
            self.paragraphs.end_paragraph()
