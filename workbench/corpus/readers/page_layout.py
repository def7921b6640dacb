"""ALTO and PAGE: the words of pages that text recognition has read, without their places
(loc.gov/standards/alto, version 4; PRImA PAGE 2019).

A text block is a paragraph; PAGE says in which order they are read. The parts of a word that a line
end cuts are joined: as the file says (ALTO’s SUBS_CONTENT), or at a hyphen before a lowercase
letter.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.safe_xml import XmlHandler, parse, root_name
from workbench.corpus.readers.xml_text import Paragraphs

_ALTO, _PAGE = "alto", "PcGts"
_LAST = 1 << 30


class PageLayout(Reader):
    key = "page_layout"
    title = tr("Recognised pages (ALTO, PAGE)")
    suffixes = (".alto",)
    ambiguous_suffixes = (".xml",)

    @classmethod
    def detect(cls, document: Document) -> bool:
        return root_name(document.head) in (_ALTO, _PAGE)

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        text = Paragraphs()
        handler: XmlHandler = _Page(text)
        if root_name(document.head) == _ALTO:
            handler = _Alto(text)
        for _ in parse(document, handler):
            yield text.take_text()
        text.end_paragraph()
        yield text.take_text()


class _Alto:
    def __init__(self, text: Paragraphs) -> None:
        self._text = text

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "SP":
            self._text.add(" ")
        elif name == "String":
            whole = attributes.get("SUBS_CONTENT", "")
            part = attributes.get("SUBS_TYPE", "")
            if not (whole and part == "HypPart2"):
                self._text.add(whole or attributes.get("CONTENT", ""))
                # Some programs write no SP between words.
                self._text.add(" ")

    def data(self, text: str) -> None:
        pass  # the words are in attributes

    def end(self, name: str) -> None:
        if name == "TextLine":
            self._text.break_printed_line()
        elif name == "TextBlock":
            self._text.end_paragraph()


class _Page:
    """Takes a page: the words of a line come from the line, or else from its words; those of a
    region from its lines, or else from itself.
    """

    def __init__(self, text: Paragraphs) -> None:
        self._text = text
        self._opened: list[str] = []
        # The first reading with words of the current line, and of its words.
        self._line = ""
        self._words: list[str] = []
        self._word = ""
        self._lines = 0
        self._region = ""
        # The places of regions in the order of reading; the texts of those that were read, by
        # place and number; and the outermost region that is open.
        self._order: dict[str, tuple[int, ...]] = {}
        self._groups: list[tuple[int, int]] = []
        self._read: list[tuple[tuple[int, ...], int, str]] = []
        self._outermost = ""
        self._unicode: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._opened.append(name)
        if name == "TextLine":
            self._line, self._words = "", []
        elif name == "Word":
            self._word = ""
        elif name == "TextRegion":
            self._end_region()
            if self._opened.count(name) == 1:
                self._outermost = attributes.get("id", "")
        elif name.startswith(("OrderedGroup", "UnorderedGroup")):
            self._groups.append((_index(attributes, len(self._order)), len(self._opened)))
            self._order.setdefault(attributes.get("regionRef", ""), self._place())
        elif name in ("RegionRefIndexed", "RegionRef"):
            place = (*self._place(), _index(attributes, len(self._order)))
            self._order.setdefault(attributes.get("regionRef", ""), place)
        elif name == "Unicode":
            self._unicode = []

    def data(self, text: str) -> None:
        if self._opened[-1] == "Unicode":
            self._unicode.append(text)

    def _place(self) -> tuple[int, ...]:
        return tuple(index for index, _ in self._groups)

    def end(self, name: str) -> None:
        self._opened.pop()
        if self._groups and self._groups[-1][1] > len(self._opened):
            self._groups.pop()
        if name == "Unicode" and len(self._opened) > 1:
            owner = self._opened[-2]
            words = "".join(self._unicode).strip()
            # Of several readings, the first is the best.
            if owner == "TextLine":
                self._line = self._line or words
            elif owner == "Word":
                self._word = self._word or words
            elif owner == "TextRegion":
                self._region = self._region or words
        elif name == "Word" and self._word:
            self._words.append(self._word)
        elif name == "TextLine":
            line = self._line or " ".join(self._words)
            if line:
                self._lines += 1
                self._text.add(line)
                self._text.break_printed_line()
        elif name == "TextRegion":
            self._end_region()
            if "TextRegion" not in self._opened:
                # Regions without a place come last.
                place = self._order.get(self._outermost, (_LAST,))
                text = self._text.take_text().decode()
                self._read.append((place, len(self._read), text))
        elif name == "Page":
            for _, _, text in sorted(self._read):
                self._text.add_paragraphs(text)
            self._read.clear()
            self._order.clear()

    def _end_region(self) -> None:
        if not self._lines:
            for line in self._region.split("\n"):
                self._text.add(line)
                self._text.break_printed_line()
        self._text.end_paragraph()
        self._lines, self._region = 0, ""


def _index(attributes: dict[str, str], otherwise: int) -> int:
    text = attributes.get("index", "")
    return int(text) if text.isdecimal() and len(text) < 9 else otherwise
