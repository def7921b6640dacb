"""ALTO, PAGE and ABBYY FineReader’s XML: the words of pages that text recognition has read, without
their places (loc.gov/standards/alto, version 4; PRImA PAGE 2019; FineReader 10).

A text block is a paragraph; PAGE says in which order they are read. The parts of a word that a line
end cuts are joined: as the file says (ALTO’s SUBS_CONTENT and HYP), or at a hyphen if the joined
form occurs elsewhere. Running heads, page numbers and similar parts of a page are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr, trn
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.safe_xml import parse, root_name
from workbench.corpus.readers.xml_text import Paragraphs

_ALTO, _PAGE = "alto", "PcGts"
_LAST = 1 << 30
# FineReader’s namespace, of any version, and its other readings of letters and words.
_ABBYY = re.compile(rb"www\.abbyy\.com/FineReader_xml/")
_VARIANTS = frozenset(("charRecVariants", "wordRecVariants"))
# Types of regions that don’t belong to the running text: PAGE’s, those of the SegmOnto vocabulary,
# and those of footnotes.
_OUTSIDE = frozenset(
    (
        *("header", "footer", "page-number", "signature-mark", "catch-word", "TOC-entry"),
        *("NumberingZone", "RunningTitleZone", "QuireMarksZone"),
    )
)
_NOTES = frozenset(("footnote", "footnote-continued", "endnote"))
# Where Transkribus writes the type of a region.
_CUSTOM = re.compile(r"\bstructure\s*\{[^{}]{0,200}?\btype:\s*([\w-]{1,40})")


class PageLayout(Reader):
    key = "page_layout"
    title = tr("Recognised pages (ALTO, PAGE, ABBYY)")
    suffixes = (".alto",)
    ambiguous_suffixes = (".xml",)

    @classmethod
    def detect(cls, document: Document) -> bool:
        root = root_name(document.head)
        return root in (_ALTO, _PAGE) or (root == "document" and _is_abbyy(document))

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        text = Paragraphs()
        handler: _Alto | _Page | _Abbyy = _Page(text, document.options.notes)
        if root_name(document.head) == _ALTO:
            handler = _Alto(text)
        elif _is_abbyy(document):
            handler = _Abbyy(text)
        for _ in parse(document, handler):
            yield text.take_text()
        text.end_paragraph()
        yield text.take_text()
        if handler.outside:
            document.note(
                trn(
                    "{number:,} region, such as a running head or a page number, was left out.",
                    "{number:,} regions, such as running heads and page numbers, were left out.",
                    handler.outside,
                )
            )


class _Alto:
    """Takes a page. ``outside``: number of text blocks that were left out."""

    def __init__(self, text: Paragraphs) -> None:
        self._text = text
        self.outside = 0
        # Depth within a margin or a block that is left out.
        self._dropped = 0
        self._labels: dict[str, str] = {}
        # Some programs write no SP between words.
        self._needs_space = self._cut = False
        # The word whose second part is expected.
        self._whole = ""

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._dropped:
            self._dropped += 1
            self.outside += name == "TextBlock"
        elif name in ("TopMargin", "BottomMargin"):
            self._dropped = 1
        elif name == "TextBlock":
            labels = {self._labels.get(tag) for tag in attributes.get("TAGREFS", "").split()}
            if not _OUTSIDE.isdisjoint(labels):
                self._dropped = 1
                self.outside += 1
        elif name.endswith("Tag"):
            self._labels[attributes.get("ID", "")] = attributes.get("LABEL", "")
        elif name == "SP":
            self._add_space()
        elif name == "HYP":
            self._cut = self._needs_space
        elif name == "String":
            whole = attributes.get("SUBS_CONTENT", "")
            kind = attributes.get("SUBS_TYPE")
            # The first part of another word may be in an earlier file.
            ends = bool(whole) and kind == "HypPart2" and whole == self._whole
            self._whole = whole if kind == "HypPart1" else ""
            if not ends:
                if self._needs_space:
                    self._add_space()
                self._text.add(whole or attributes.get("CONTENT", ""))
                self._needs_space = True
            if whole:
                # The next line doesn’t continue the word.
                self._add_space()

    def _add_space(self) -> None:
        self._text.add(" ")
        self._needs_space = False

    def data(self, text: str) -> None:
        pass  # the words are in attributes

    def end(self, name: str) -> None:
        if self._dropped:
            self._dropped -= 1
        elif name == "TextLine":
            self._text.break_printed_line(joins=self._cut)
            self._needs_space = self._cut = False
        elif name == "TextBlock":
            self._text.end_paragraph()


class _Page:
    """Takes a page: the words of a line come from the line, or else from its words; those of a
    region from its lines, or else from itself. ``outside``: number of regions that were left out.
    """

    def __init__(self, text: Paragraphs, wants_notes: bool) -> None:
        self._text = text
        self._left_out = _OUTSIDE if wants_notes else _OUTSIDE | _NOTES
        self.outside = 0
        # Depth within a region that is left out.
        self._dropped = 0
        self._opened: list[str] = []
        # The best reading of the current line, word and region, with its index.
        self._readings: dict[str, tuple[int, str]] = {}
        self._words: list[str] = []
        self._lines = 0
        # The places of regions in the order of reading; the texts of those that were read, by
        # place and number; and the outermost region that is open.
        self._order: dict[str, tuple[int, ...]] = {}
        self._groups: list[tuple[int, int]] = []
        self._read: list[tuple[tuple[int, ...], int, str]] = []
        self._outermost = ""
        self._unicode: list[str] = []
        self._reading = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._opened.append(name)
        if self._dropped:
            self._dropped += 1
            self.outside += name == "TextRegion"
        elif name == "TextRegion":
            kind = attributes.get("type", "")
            structure = _CUSTOM.search(attributes.get("custom", ""))
            if structure:
                kind = structure[1]
            if kind in self._left_out:
                self._dropped = 1
                self.outside += kind in _OUTSIDE
                return
            self._end_region()
            if self._opened.count(name) == 1:
                self._outermost = attributes.get("id", "")
        elif name in ("TextLine", "Word"):
            self._readings.pop(name, None)
            if name == "TextLine":
                self._words = []
        elif name == "TextEquiv":
            self._reading = _index(attributes, 0)
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
        if self._dropped:
            self._dropped -= 1
        elif name == "Unicode" and len(self._opened) > 1:
            self._take_reading(self._opened[-2])
        elif name == "Word":
            self._words.append(self._readings.pop(name, (0, ""))[1])
        elif name == "TextLine":
            line = self._readings.pop(name, (0, ""))[1] or " ".join(filter(None, self._words))
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

    def _take_reading(self, owner: str) -> None:
        """Keep the reading with the lowest index, or the first of equal ones."""
        words = "".join(self._unicode).strip()
        before = self._readings.get(owner)
        if words and (before is None or self._reading < before[0]):
            self._readings[owner] = (self._reading, words)

    def _end_region(self) -> None:
        region = self._readings.pop("TextRegion", (0, ""))[1]
        if not self._lines:
            for line in region.split("\n"):
                self._text.add(line)
                self._text.break_printed_line()
        self._text.end_paragraph()
        self._lines = 0


class _Abbyy:
    """Takes a page, each letter of which may be an element. ``outside``: number of regions that
    were left out, always 0: FineReader exports no running heads.
    """

    def __init__(self, text: Paragraphs) -> None:
        self._text = text
        self.outside = 0
        self._opened: list[str] = []
        self._dropped = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        self._opened.append(name)
        if self._dropped or name in _VARIANTS:
            self._dropped += 1

    def data(self, text: str) -> None:
        if self._dropped or "line" not in self._opened:
            return
        if self._opened[-1] == "charParams" or text.strip():
            self._text.add(text)

    def end(self, name: str) -> None:
        self._opened.pop()
        if self._dropped:
            self._dropped -= 1
        elif name == "line":
            self._text.break_printed_line()
        elif name in ("par", "block"):
            self._text.end_paragraph()


def _is_abbyy(document: Document) -> bool:
    return _ABBYY.search(document.head[:4096]) is not None


def _index(attributes: dict[str, str], otherwise: int) -> int:
    text = attributes.get("index", "")
    return int(text) if text.isdecimal() and len(text) < 9 else otherwise
