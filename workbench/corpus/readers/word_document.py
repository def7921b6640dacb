"""Word documents (Office Open XML, ECMA-376 part 1, chapter 17): the text as it is printed.

Inserted text is read, deleted and moved text isn’t; of text in frames, which files contain twice,
one copy is.
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

_MEMBER = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_DROPPED = frozenset(("del", "moveFrom", "rt", "Fallback", "instrText", "delText"))
_SIGNS = {"tab": " ", "ptab": " ", "br": " ", "cr": " ", "noBreakHyphen": "-", "tc": " "}


class WordDocument(OfficeDocument):
    key = "docx"
    title = tr("Word document")
    suffixes = (".docx", ".docm")

    @classmethod
    def contains(cls, members: list[str]) -> bool:
        return _MEMBER in members

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        def members(archive: zipfile.ZipFile, budget: Budget) -> Iterator[bytes]:
            names = [_MEMBER]
            if document.options.notes:
                names += [name for name in _NOTES if name in archive.NameToInfo]
            for name in names:
                text = _Text()
                for _ in parse(member_document(document, archive, name, budget), text):
                    yield text.paragraphs.take_text()
                text.paragraphs.end_paragraph()
                yield text.paragraphs.take_text()

        return read_members(document, members)


class _Text:
    def __init__(self) -> None:
        self.paragraphs = Paragraphs()
        self._dropped = 0
        self._is_text = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        # The lines between text and footnotes are “notes”, too.
        rule = name in ("footnote", "endnote") and attributes.get("type", "normal") != "normal"
        if self._dropped or name in _DROPPED or rule:
            self._dropped += 1
        elif name == "t":
            self._is_text = True
        elif name in _SIGNS:
            self.paragraphs.add(_SIGNS[name])
        elif name == "p":
            self.paragraphs.end_paragraph()

    def data(self, text: str) -> None:
        if self._is_text and not self._dropped:
            self.paragraphs.add(text)

    def end(self, name: str) -> None:
        if self._dropped:
            self._dropped -= 1
        elif name == "t":
            self._is_text = False
        elif name == "p":
            self.paragraphs.end_paragraph()
