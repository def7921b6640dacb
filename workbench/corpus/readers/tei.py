"""TEI: the text of an edition as it is read (TEI Guidelines P5, chapters 3, 11 and 12; P4’s root
TEI.2; the British National Corpus).

Date, author and title of the header are columns. Of alternatives, the corrected, regularised and
expanded one is read, of an apparatus the lemma or else the first reading; what was deleted is left
out, and so are headers, running heads, formulas and other witnesses. A word that a line end cuts is
joined: by ``break="no"``, as parts of a word, or at a hyphen if the joined form occurs elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.safe_xml import XmlHandler, parse, root_name
from workbench.corpus.readers.xml_text import Paragraphs

_ROOTS = frozenset(("TEI", "TEI.2", "teiCorpus", "bncDoc"))
# Books of the Text Creation Partnership (EEBO, ECCO, Evans) in its own form of P4, with names in
# capitals. What describes a book is left out.
_PARTNERSHIP = frozenset(("ETS", "EEBO", "ECCO", "EVANS"))
_OF_BOOK = {"temphead": "fw", "idg": "fw", "header": "fw", "teiheader": "fw", "figdesc": "figDesc"}
_TEXTS = frozenset(("text", "floatingText", "wtext", "stext"))
# Elements that contain whole words, so that two of them without a space between them are apart.
_WHOLE = frozenset(
    (
        *("q", "quote", "said", "cit", "bibl", "author", "editor", "title", "date", "name", "rs"),
        *("persName", "placeName", "geogName", "orgName", "forename", "surname", "roleName"),
    )
)
# Elements that separate paragraphs, and lines.
_APART = frozenset(
    (
        *("p", "ab", "head", "lg", "div", "div1", "div2", "div3", "div4", "div5", "div6", "div7"),
        *("sp", "stage", "item", "list", "table", "front", "body", "back", "text", "group"),
        *("closer", "opener", "salute", "signed", "dateline", "byline", "titlePart", "docTitle"),
        *("docAuthor", "docImprint", "epigraph", "argument", "trailer", "postscript", "castItem"),
        *("floatingText", "titlePage", "u", "figure", "label", "speaker"),
    )
)
_LINES = frozenset(("l", "row", "s"))
_MILESTONES = frozenset(("lb", "pb", "cb", "gb", "milestone"))
# Entries of an apparatus and groups in them, which contain readings after an optional lemma.
_ENTRIES, _READINGS = frozenset(("app", "rdgGrp")), frozenset(("rdg", "rdgGrp"))
_DROPPED = frozenset(
    (
        *("teiHeader", "facsimile", "sourceDoc", "standOff", "fw", "del", "formula"),
        *(
            "wit",
            "witDetail",
            "figDesc",
            "surplus",
            "gloss",
            "notatedMusic",
            "metamark",
            "interpGrp",
            "spanGrp",
        ),
    )
)
# Parts of a header that contain a date, the best first, and the attributes of a date.
_DATED = ("creation", "sourceDesc", "publicationStmt")
_WHEN = ("when", "when-iso", "notBefore", "from", "notAfter", "to")
# The preferred readings of <choice>, before any other.
_PREFERRED = ("corr", "reg", "expan")
# A reference that only points at a note: a number or a sign.
_MARK = re.compile(r"\s*[\[(]?(?:\d{1,4}|[a-z*†‡§¶]{1,2})[\])]?\.?\s*")


class Tei(Reader):
    key = "tei"
    title = tr("TEI edition")
    suffixes = (".tei",)
    ambiguous_suffixes = (".xml",)
    marks_rows = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        return root_name(document.head) in _ROOTS | _PARTNERSHIP

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        text = _Edition(Paragraphs(document.options.notes), document.begin_row)
        capitals = root_name(document.head) in _PARTNERSHIP
        for _ in parse(document, _InCapitals(text) if capitals else text):
            yield text.paragraphs.take_text()
        text.paragraphs.end_paragraph()
        yield text.paragraphs.take_text()


class _InCapitals:
    """Passes on a book of the Text Creation Partnership with the names of TEI."""

    def __init__(self, text: XmlHandler) -> None:
        self._text = text
        self.data = text.data

    def start(self, name: str, attributes: dict[str, str]) -> None:
        values = {key.lower(): value for key, value in attributes.items()}
        self._text.start(_OF_BOOK.get(name.lower(), name.lower()), values)

    def end(self, name: str) -> None:
        self._text.end(_OF_BOOK.get(name.lower(), name.lower()))


class _Header:
    """Takes date, author and title from the header of a document."""

    def __init__(self) -> None:
        self.values: dict[str, str] = {}
        self._name = self._when = ""
        self._depth = 0
        self._pieces: list[str] = []
        self._best = len(_DATED)

    def start(self, opened: list[str], attributes: dict[str, str]) -> None:
        name = opened[-1]
        if self._depth:
            self._depth += 1
        elif name == "date":
            places = [at for at, place in enumerate(_DATED) if place in opened]
            if places and places[0] < self._best:
                self._best = places[0]
                self._begin(name, next(filter(None, map(attributes.get, _WHEN)), "") or "")
        elif opened[-2:-1] == ["titleStmt"] and (
            name == "author" or (name == "title" and name not in self.values)
        ):
            self._begin(name)

    def _begin(self, name: str, when: str = "") -> None:
        self._name, self._when, self._depth = name, when, 1
        self._pieces.clear()

    def data(self, text: str) -> None:
        if self._depth:
            self._pieces.append(text)

    def end(self) -> None:
        if not self._depth:
            return
        self._depth -= 1
        text = self._when or " ".join("".join(self._pieces).split())
        if not self._depth and text:
            before = self.values.get(self._name, "") if self._name == "author" else ""
            self.values[self._name] = "; ".join(filter(None, (before, text)))


class _Edition:
    """Takes the parts of a TEI document. ``begin_row`` takes the values of a header."""

    def __init__(
        self, paragraphs: Paragraphs, begin_row: Callable[[Mapping[str, str]], str]
    ) -> None:
        self.paragraphs = paragraphs
        self._begin_row = begin_row
        self._header: _Header | None = None
        self._texts = self._dropped = 0
        # For each open <choice>, its readings by name; for each of its open children, its depth.
        self._choices: list[list[tuple[str, str]]] = []
        self._opened: list[str] = []
        # For each open entry of an apparatus or group in it, whether its reading has begun.
        self._read: list[bool] = []
        # The element that has just ended, without text after it.
        self._ended = ""
        # Whether the last word was only the first part of one.
        self._part_follows = False

    def start(self, name: str, attributes: dict[str, str]) -> None:
        parent = self._opened[-1] if self._opened else ""
        self._opened.append(name)
        if name == "teiHeader":
            self._header = _Header()
        if self._header is not None:
            self._header.start(self._opened, attributes)
        if self._dropped or name in _DROPPED or self._is_other_reading(parent, name):
            self._dropped += 1
            return
        if name in _ENTRIES:
            # With a place, the entry isn’t where the text is, which contains one reading itself.
            self._read.append("loc" in attributes or "from" in attributes)
        self._texts += name in _TEXTS
        text = self.paragraphs
        if name in _WHOLE and self._ended in _WHOLE and self._texts:
            text.add(" ")
        self._ended = ""
        if parent == "choice":
            text.begin_part()
        if name == "choice":
            self._choices.append([])
        elif name == "note" or name in ("ref", "ptr"):
            text.begin_part()
        elif name in _MILESTONES:
            text.break_printed_line(joins=attributes.get("break") == "no")
        elif name in ("w", "pc") and parent != "choice":
            if name == "w":
                self._begin_word(attributes)
        elif name in ("gap", "space", "cell"):
            text.add(" ")
        elif name in _APART:
            text.end_paragraph()

    def _is_other_reading(self, parent: str, name: str) -> bool:
        """Whether an element that begins is a reading, and another one is the text."""
        if parent not in _ENTRIES:
            return name in _READINGS
        other = name in _READINGS and self._read[-1]
        self._read[-1] |= name == "lem" or name in _READINGS
        return other

    def _begin_word(self, attributes: dict[str, str]) -> None:
        part = attributes.get("part", "")
        if self._part_follows or part in ("M", "F"):
            self.paragraphs.break_printed_line(joins=True)
        elif self._opened[0] != "bncDoc" and attributes.get("join") not in ("left", "both"):
            # Words of the BNC contain the spaces after them.
            self.paragraphs.add(" ")
        self._part_follows = part in ("I", "M")

    def data(self, text: str) -> None:
        if self._header is not None:
            self._header.data(text)
        if self._texts and not self._dropped:
            parent = self._opened[-1]
            # Between the readings of a choice or an apparatus, there are only spaces.
            if parent != "choice" and parent not in _ENTRIES:
                self._ended = ""
                self.paragraphs.add(text)

    def end(self, name: str) -> None:
        self._opened.pop()
        if self._header is not None:
            self._header.end()
            if name == "teiHeader":
                self.paragraphs.begin_row(self._begin_row(self._header.values))
                self._header = None
        if self._dropped:
            self._dropped -= 1
            return
        if name in _ENTRIES:
            self._read.pop()
        self._ended = name
        self._texts -= name in _TEXTS
        text = self.paragraphs
        if name == "choice":
            readings = self._choices.pop()
            names = [reading for reading, _ in readings]
            best = next((names.index(each) for each in _PREFERRED if each in names), 0)
            if readings:
                text.add(readings[best][1])
        elif name == "note":
            text.end_note()
        elif name in ("ref", "ptr"):
            words = text.take_part()
            if not _MARK.fullmatch(words):
                text.add(words)
        elif name in _LINES:
            text.end_line()
        elif name in _APART:
            text.end_paragraph()
        if self._opened and self._opened[-1] == "choice":
            self._choices[-1].append((name, text.take_part()))
