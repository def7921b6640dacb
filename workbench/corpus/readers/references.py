"""Lists of references as reference managers export them (BibTeX, RIS, MEDLINE, Web of Science):
the abstracts, or another field, with the year, the journal and the authors as columns.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping

from workbench.core.language import tr
from workbench.corpus.readers.base import ColumnPreview, Document, Reader
from workbench.corpus.readers.json_texts.json_fields import choose_field, other_fields, preview
from workbench.corpus.readers.records import LONGEST, beginning, blocks, lines, too_long

_ENTRY = re.compile(r"\s*@([A-Za-z]+)\s*[{(]\s*(?:[^\s,={}\"]*\s*,)?")
_NO_ENTRIES = frozenset(("comment", "string", "preamble"))
_BEGINS = re.compile(
    r"(?:\ufeff)?(?:\s|%[^\n]*\n)*@(?:article|book|comment|conference|inbook|incollection|"
    r"inproceedings|misc|online|phdthesis|preamble|string|techreport|thesis)\s*\{",
    re.IGNORECASE,
)
_FIELD = re.compile(r"\s*([A-Za-z][\w:+-]*)\s*=\s*")
_BARE = re.compile(r"[^\s,{}()\"]+")
_ACCENT = re.compile(
    r"""\\(["'`^~=.]|[cvuHkr](?![A-Za-z]))\s*(?:\{\s*\\?([A-Za-z])\s*\}|\\?([A-Za-z]))"""
)
_ACCENTS = dict(
    zip(
        "\"'`^~=.cvuHkr",
        "\u0308\u0301\u0300\u0302\u0303\u0304\u0307\u0327\u030c\u0306\u030b\u0328\u030a",
        strict=True,
    )
)
_LETTER = re.compile(r"\\(ss|ae|oe|aa|o|l|i|AE|OE|AA|O|L)(?![A-Za-z])\s*(?:\{\})?")
_LETTERS = dict(
    zip(
        ("ss", "ae", "oe", "aa", "o", "l", "i", "AE", "OE", "AA", "O", "L"),
        "ßæœåøłıÆŒÅØŁ",
        strict=True,
    )
)
_MATH = re.compile(r"\$[^$]{0,500}\$")
_COMMAND = re.compile(r"\\[A-Za-z]+\*?\s*")

_TAGGED = re.compile(r"([A-Z][A-Z0-9]{1,3}) {0,2}- ?(.*)$")
_RIS = re.compile(r"(?:\ufeff)?\s*(?:TY  - |PMID- |(?:Provider|Database): )")
_END = "ER"
# Web of Science has a tag of two letters, and three spaces before lines that continue.
_FIELD_TAGGED = re.compile(r"([A-Z][A-Z0-9])(?: (.*))?$")
_WEB_OF_SCIENCE = re.compile(r"\ufeff?(?:FN [^\n]*\n(?:VR [^\n]*\n)?)?PT [A-Z]\s*\n[A-Z][A-Z0-9] ")
# Names of the fields of RIS and MEDLINE.
_NAMES = {
    **dict.fromkeys(("AB", "N2"), "abstract"),
    **dict.fromkeys(("TI", "T1"), "title"),
    **dict.fromkeys(("PY", "Y1", "DP"), "year"),
    **dict.fromkeys(("JO", "JF", "JT", "T2"), "journal"),
    **dict.fromkeys(("AU", "A1", "FAU"), "author"),
    **dict.fromkeys(("KW", "OT"), "keywords"),
    "LA": "language",
}
_WOS_NAMES = {**_NAMES, "SO": "journal", "DE": "keywords", "DT": "type"}
_YEAR = re.compile(r"\d{4}")
_ROWS = 200


class _References(Reader):
    """A list of references, one after another."""

    columns = True
    marks_rows = True

    @classmethod
    def rows(cls, numbered: Iterable[tuple[int, str]], shown: str) -> Iterator[dict[str, str]]:
        """The fields of each reference; an empty one for every 1,000 lines."""
        raise NotImplementedError

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        first = _first(cls, document)
        path = choose_field(first, document.options.column, document.shown)
        document.findings.column = path
        others = other_fields(first, path)
        return blocks(_texts(document, cls.rows(lines(document), document.shown), path, others))

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        return preview(_first(cls, document))


class BibTex(_References):
    key = "bibtex"
    title = tr("BibTeX references")
    suffixes = (".bib",)

    @classmethod
    def detect(cls, document: Document) -> bool:
        return document.suffix in cls.suffixes or _BEGINS.match(beginning(document)) is not None

    @classmethod
    def rows(cls, numbered: Iterable[tuple[int, str]], shown: str) -> Iterator[dict[str, str]]:
        held: list[str] = []
        depth = size = 0
        for number, line in numbered:
            if number % 1000 == 0:
                yield {}
            if not held and not line.lstrip().startswith("@"):
                continue  # between entries, everything is a comment
            held.append(line)
            size += len(line)
            depth += line.count("{") - line.count("}")
            if size > LONGEST:
                raise too_long(shown, number)
            if depth <= 0:
                yield _bib_fields("".join(held))
                held, depth, size = [], 0, 0
        if held:
            yield _bib_fields("".join(held))


class Ris(_References):
    key = "ris"
    title = tr("RIS or MEDLINE references")
    suffixes = (".ris", ".nbib")

    @classmethod
    def detect(cls, document: Document) -> bool:
        return document.suffix in cls.suffixes or _RIS.match(beginning(document)) is not None

    @classmethod
    def rows(cls, numbered: Iterable[tuple[int, str]], shown: str) -> Iterator[dict[str, str]]:
        row: dict[str, list[str]] = {}
        last: list[str] = []
        for number, line in numbered:
            if number % 1000 == 0:
                yield {}
            tagged = _TAGGED.match(line)
            if not line.strip() or (tagged and tagged[1] == _END):
                yield _ris_fields(row)
                row, last = {}, []
            elif tagged:
                last = row.setdefault(tagged[1], [])
                last.append(tagged[2].strip())
            elif last:
                last[-1] += f" {line.strip()}"
        yield _ris_fields(row)


class WebOfScience(_References):
    key = "web_of_science"
    title = tr("Web of Science references")
    suffixes = (".ciw",)

    @classmethod
    def detect(cls, document: Document) -> bool:
        return _WEB_OF_SCIENCE.match(beginning(document)) is not None

    @classmethod
    def rows(cls, numbered: Iterable[tuple[int, str]], shown: str) -> Iterator[dict[str, str]]:
        row: dict[str, list[str]] = {}
        last: list[str] = []
        for number, line in numbered:
            if number % 1000 == 0:
                yield {}
            tagged = _FIELD_TAGGED.match(line.removeprefix("\ufeff").rstrip())
            if tagged and tagged[1] == _END:
                yield _ris_fields(row, _WOS_NAMES)
                row, last = {}, []
            elif tagged:
                last = row.setdefault(tagged[1], [])
                last.append(tagged[2] or "")
            elif last and line.strip():
                last[-1] += f" {line.strip()}"
        yield _ris_fields(row, _WOS_NAMES)


def _first(kind: type[_References], document: Document) -> list[dict[str, str]]:
    text = beginning(document)
    if not document.short:
        text = text[: text.rfind("\n@" if kind is BibTex else "\n\n")]
    rows = kind.rows(enumerate(text.splitlines(keepends=True), 1), document.shown)
    return [row for row in rows if row][:_ROWS]


def _texts(
    document: Document, rows: Iterable[dict[str, str]], path: str, others: list[str]
) -> Iterator[str | None]:
    missing = 0
    for row in rows:
        text = row.get(path, "")
        if not row:
            yield None
        elif text:
            yield document.begin_row({name: row[name] for name in others if name in row}) + text
        missing += bool(row) and not text
    if missing:
        document.note(tr("References without text in this field: {missing:,}.", missing=missing))


def _bib_fields(entry: str) -> dict[str, str]:
    """The fields of an entry of BibTeX, without commands of LaTeX."""
    begins = _ENTRY.match(entry)
    if not begins or begins[1].lower() in _NO_ENTRIES:
        return {}
    found: dict[str, str] = {}
    at = begins.end()
    while field := _FIELD.match(entry, at):
        value, at = _bib_value(entry, field.end())
        plain = _plain(value)
        if plain:
            found[field[1].lower()] = plain
        comma = entry.find(",", at)
        if comma < 0:
            break
        at = comma + 1
    return found


def _bib_value(entry: str, at: int) -> tuple[str, int]:
    """A value in braces or quotation marks, or without them, and where it ends."""
    mark = entry[at : at + 1]
    if mark not in ("{", '"'):
        bare = _BARE.match(entry, at)
        return (bare[0], bare.end()) if bare else ("", at + 1)
    depth = 0
    for end in range(at, len(entry)):
        sign = entry[end]
        depth += (sign == "{") - (sign == "}")
        if depth == 0 and end > at and sign == ("}" if mark == "{" else '"'):
            return entry[at + 1 : end], end + 1
    return entry[at + 1 :], len(entry)


def _plain(value: str) -> str:
    text = _LETTER.sub(lambda found: _LETTERS[found[1]], _MATH.sub(" ", value))
    text = _ACCENT.sub(lambda found: (found[2] or found[3]) + _ACCENTS[found[1]], text)
    text = re.sub(r"\\([&%_#$])", r"\1", _COMMAND.sub("", text))
    text = text.replace("{", "").replace("}", "").replace("~", " ").replace("``", "“")
    return unicodedata.normalize("NFC", " ".join(text.replace("''", "”").split()))


def _ris_fields(row: dict[str, list[str]], names: Mapping[str, str] = _NAMES) -> dict[str, str]:
    found: dict[str, str] = {}
    for tag, texts in row.items():
        name = names.get(tag)
        if name is None or name in found:
            continue
        text = "; ".join(texts)
        year = _YEAR.search(text) if name == "year" else None
        found[name] = year[0] if year else text
    return {name: text for name, text in found.items() if text}
