"""Word documents (Office Open XML, ECMA-376 part 1, chapter 17): the text as it is printed.

Inserted text is read, deleted and moved text isn’t; of text in frames, which files contain twice,
one copy is. Hidden text, formulas, tables of contents, indexes and numbers of pages are left out.
"""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator, Set

from workbench.core.language import tr
from workbench.corpus.ingest.decompression import Budget
from workbench.corpus.readers.base import Document
from workbench.corpus.readers.safe_xml import parse
from workbench.corpus.readers.xml_text import Paragraphs
from workbench.corpus.readers.zipped import OfficeDocument, member_document, read_members

_MEMBER = "word/document.xml"
_NOTES = ("word/footnotes.xml", "word/endnotes.xml")
_STYLES = "word/styles.xml"
_DROPPED = frozenset(("del", "moveFrom", "rt", "Fallback", "delText", "oMath", "oMathPara"))
_SIGNS = {"tab": " ", "ptab": " ", "noBreakHyphen": "-", "tc": " "}
# Fields (17.16.5) whose results aren’t text, and styles of the lines of a table of contents.
_FIELD = re.compile(
    r"\s*(?:TOC|TOA|INDEX|PAGE|NUMPAGES|SECTIONPAGES|PAGEREF|NOTEREF)\b", re.IGNORECASE
)
_CONTENTS_STYLE = re.compile(r"TOC(?:\d|Heading)", re.IGNORECASE)
_CONTENTS = "Table of Contents"
_OFF = ("0", "false", "off")
_LONGEST_CODE = 1000


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
            styles = _Styles()
            if _STYLES in archive.NameToInfo:
                for _ in parse(member_document(document, archive, _STYLES, budget), styles):
                    yield b""
            for name in names:
                text = _Text(styles.hidden)
                for _ in parse(member_document(document, archive, name, budget), text):
                    yield text.paragraphs.take_text()
                text.paragraphs.end_paragraph()
                yield text.paragraphs.take_text()

        return read_members(document, members)


def _is_on(attributes: dict[str, str]) -> bool:
    return attributes.get("val", "1") not in _OFF


class _Styles:
    """Finds the styles that hide text. ``hidden``: their identifiers."""

    def __init__(self) -> None:
        self.hidden: set[str] = set()
        self._style = ""
        self._opened: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._opened.append(name)
        if name == "style":
            self._style = attributes.get("styleId", "")
        elif name == "basedOn" and attributes.get("val") in self.hidden:
            self.hidden.add(self._style)
        elif name == "vanish" and self._opened[-3:-1] == ["style", "rPr"]:
            if _is_on(attributes):
                self.hidden.add(self._style)
            else:
                self.hidden.discard(self._style)

    def data(self, text: str) -> None:
        pass

    def end(self, name: str) -> None:
        self._opened.pop()


class _Text:
    """Takes a part of a document. ``hidden``: the styles that hide text."""

    def __init__(self, hidden: Set[str]) -> None:
        self.paragraphs = Paragraphs()
        self._hidden = hidden
        # The open elements, each with whether its content is left out, and the number of those.
        self._opened: list[str] = []
        self._silent: list[bool] = []
        self._dropped = 0
        # The codes of the open fields; those with a result that is left out are “”.
        self._fields: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._opened.append(name)
        # The lines between text and footnotes are “notes”, too.
        rule = name in ("footnote", "endnote") and attributes.get("type", "normal") != "normal"
        code = name == "fldSimple" and _FIELD.match(attributes.get("instr", "")) is not None
        self._silent.append(False)
        if name in _DROPPED or rule or code:
            self._leave_out(-1)
        elif name == "fldChar":
            self._mark_field(attributes.get("fldCharType", ""))
        elif name == "vanish" and self._opened[-3:-1] == ["r", "rPr"]:
            self._leave_out(-3, _is_on(attributes))
        elif name == "rStyle" and self._opened[-3:-1] == ["r", "rPr"]:
            self._leave_out(-3, attributes.get("val") in self._hidden)
        elif name == "pStyle" and self._opened[-3:-1] == ["p", "pPr"]:
            style = attributes.get("val", "")
            self._leave_out(-3, style in self._hidden or bool(_CONTENTS_STYLE.fullmatch(style)))
        elif name == "docPartGallery" and attributes.get("val") == _CONTENTS:
            if "sdt" in self._opened:
                self._leave_out(-1 - self._opened[::-1].index("sdt"))
        elif name in _SIGNS:
            self._add(_SIGNS[name])
        elif name in ("br", "cr") and not self._dropped:
            self.paragraphs.break_printed_line()
        elif name == "p":
            self.paragraphs.end_paragraph()

    def _leave_out(self, place: int, silent: bool = True) -> None:
        """Leave out the content of an open element, or don’t."""
        self._dropped += silent - self._silent[place]
        self._silent[place] = silent

    def _mark_field(self, kind: str) -> None:
        if kind == "begin":
            self._fields.append(" ")
        elif kind == "separate" and self._fields and _FIELD.match(self._fields[-1]):
            self._fields[-1] = ""
        elif kind == "end" and self._fields:
            self._fields.pop()

    def _add(self, text: str) -> None:
        if not self._dropped and "" not in self._fields:
            self.paragraphs.add(text)

    def data(self, text: str) -> None:
        if self._opened[-1] == "t":
            self._add(text)
        elif self._opened[-1] == "instrText" and self._fields and self._fields[-1]:
            self._fields[-1] = (self._fields[-1] + text)[:_LONGEST_CODE]

    def end(self, name: str) -> None:
        self._opened.pop()
        self._dropped -= self._silent.pop()
        if name == "p" and not self._dropped:
            self.paragraphs.end_paragraph()
