"""Vertical files of corpus query systems (Sketch Engine, CQPweb, KonText): a token per line, its
annotations after tabs, and lines of tags for sentences and documents. TreeTagger’s output is one
without tags; in others, numbers come before the words. Sketch Engine’s lempos, such as cat-n, is a
lemma with its part of speech.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import unescape

from workbench.core.language import tr
from workbench.corpus.readers.annotations.annotated import (
    JOINT,
    Annotations,
    Sentence,
    Token,
    preview,
)
from workbench.corpus.readers.base import ColumnPreview, Document, Reader
from workbench.corpus.readers.records import beginning, lines

# Also the first lines of XML.
_TAG = re.compile(r"<[/?!]?([A-Za-z][\w.-]*)(?:\s[^<>]*)?/?>\s*$")
_SENTENCES = frozenset(("s", "sent", "sentence", "u"))
_LEMPOS = re.compile(r"(.+)-([a-z])", re.DOTALL)
_LONGEST = 10_000
_SAMPLE = 2000
# Minimum number of rows that show that a text without tags is one of words; and maximum number of
# rows of which the words may all be different.
_FEWEST, _LIST = 10, 100
# Minimum number of rows of CoNLL-2009, and of columns that each has after its word.
_FEWEST_2009, _COLUMNS_2009 = 4, 11


class Vertical(Reader):
    key = "vertical"
    title = tr("Vertical file")
    suffixes = (".vert", ".vrt", ".vertical")
    ambiguous_suffixes = (".xml",)
    columns = True
    annotated = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        if document.suffix in cls.suffixes:
            return True
        rows = [line for line in beginning(document).split("\n")[:200] if line.strip()][:-1]
        if _is_tagged([row.split("\t") for row in rows]):
            return True
        tags = sum(_TAG.match(row) is not None for row in rows)
        widths = {row.count("\t") for row in rows if not _TAG.match(row)}
        return tags >= 2 and len(widths) == 1 and min(widths) >= 1 and tags < len(rows)

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        layout = _Layout.of(document)
        chosen = Annotations.of(layout.names, document)
        return chosen.blocks(_sentences(lines(document), layout), document)

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        layout = _Layout.of(document)
        numbered = enumerate(beginning(document).split("\n"), 1)
        return preview(layout.names, _sentences(numbered, layout))


def _numbered(rows: list[list[str]]) -> int:
    """How many columns before the words number texts, sentences or tokens."""
    width = min(map(len, rows), default=0)
    return next(
        (at for at in range(width) if not all(row[at].strip().isdecimal() for row in rows)), 0
    )


def _alike(rows: list[list[str]], word: int, column: int) -> float:
    """Share of rows whose cell is <unknown> or begins like the word."""
    alike = sum(
        row[column] == "<unknown>" or row[column][:1].lower() == row[word][:1].lower()
        for row in rows
    )
    return alike / max(len(rows), 1)


def _is_tagged(rows: list[list[str]]) -> bool:
    """Whether rows without tags for sentences are words, each with a tag and a lemma in any order,
    perhaps after numbers: TreeTagger’s, the “wlp” of English-Corpora.org, CoNLL-2009.
    """
    if len(rows) < _FEWEST_2009:
        return False
    word = _numbered(rows)
    words = {row[word] for row in rows}
    widths = {len(row) for row in rows}
    others = range(word + 1, min(widths))
    # CoNLL-2009 also has a column for each verb of a sentence.
    if not (word and len(others) >= _COLUMNS_2009) and (len(rows) < _FEWEST or len(widths) > 1):
        return False
    # A list of words with their lemmas contains each once.
    if len(others) < 2 or (len(rows) > _LIST and len(words) == len(rows)):
        return False
    lemma = max(others, key=lambda at: _alike(rows, word, at))
    texts = [{row[at] for row in rows} for at in others if at != lemma]
    return (
        _alike(rows, word, lemma) > 0.5
        and not any(" " in row[word] or not row[word] for row in rows)
        and any(
            2 * len(values) < len(rows)
            and all(value and " " not in value for value in values)
            and not all(map(str.isdecimal, values))
            for values in texts
        )
    )


@dataclass(frozen=True)
class _Layout:
    """The columns of a file, which doesn’t name them.

    names : names of the columns, then those of columns made of them: the lemma of a lempos, and the
    lemma with its part of speech
    skipped : number of columns before the words, which aren’t read
    lemma, tag, lempos : indices of the columns after those, or −1
    """

    names: tuple[str, ...]
    width: int
    skipped: int = 0
    lemma: int = -1
    tag: int = -1
    lempos: int = -1

    @classmethod
    def of(cls, document: Document) -> _Layout:
        """The word comes first; among the others, the tag has the fewest different values for the
        tokens, and a column that mostly repeats words in lowercase is the lemma.
        """
        rows = [
            row.split("\t")
            for row in beginning(document).split("\n")[:_SAMPLE]
            if row.strip() and not _TAG.match(row)
        ]
        width = min((len(row) for row in rows[: max(len(rows) - 1, 1)]), default=1)
        rows = [row for row in rows if len(row) >= width]
        skipped = _numbered(rows[:200]) if width > 2 else 0
        rows = [row[skipped:] for row in rows]
        width -= skipped
        names = ["word", *(f"column {number}" for number in range(2, width + 1))]
        alike = [_alike(rows, 0, at) for at in range(width)]
        lempos = next((at for at in range(1, width) if _is_lempos([row[at] for row in rows])), -1)
        others = [at for at in range(1, width) if at != lempos]
        lemma = max(others, key=lambda at: alike[at], default=-1)
        if lemma > 0 and alike[lemma] <= 0.5:
            lemma = -1
        values = [{row[at] for row in rows} for at in range(width)]
        others = [at for at in others if at != lemma]
        if skipped:
            # Heads and relations may follow the tags.
            others = [at for at in others if alike[at] <= 0.5 and "_" not in values[at]][:1]
        tag = min(others, key=lambda at: (len(values[at]), at), default=-1)
        for at, name in ((tag, "tag"), (lemma, "lemma"), (lempos, "lempos")):
            if at > 0:
                names[at] = name
        if lempos > 0 and lemma < 0:
            names.append("lemma")
        if "lemma" in names and tag > 0:
            names.append(f"lemma{JOINT}tag")
        return cls(tuple(names), width, skipped, lemma, tag, lempos)

    def token(self, line: str) -> Token:
        cells = [unescape(cell) for cell in line.rstrip("\n").split("\t")]
        cells = cells[self.skipped :][: self.width]
        cells += [""] * (self.width - len(cells))
        parts = [cells[self.tag]] if self.tag > 0 else []
        lemma = cells[self.lemma] if self.lemma > 0 else ""
        if self.lempos > 0:
            found = _LEMPOS.fullmatch(cells[self.lempos])
            if found:
                parts.append(found[2])
            if self.lemma < 0:
                lemma = found[1] if found else cells[self.lempos]
                cells.append(lemma)
        if len(self.names) > len(cells):
            cells.append(f"{lemma or cells[0]}{JOINT}{cells[self.tag] or 'X'}")
        return Token(tuple(cells), tuple(parts))


def _is_lempos(values: list[str]) -> bool:
    """Whether almost all values end with a hyphen and the letter of a part of speech."""
    matched = [found for found in map(_LEMPOS.fullmatch, values) if found]
    # Words such as x-y occur anywhere.
    return len(matched) > 0.9 * len(values) > 0 and (
        2 * len({found[2] for found in matched}) <= len(matched) or len(matched) < _FEWEST
    )


def _sentences(numbered: Iterable[tuple[int, str]], layout: _Layout) -> Iterator[Sentence | None]:
    """The sentences; None for every 1,000 lines."""
    tokens: list[Token] = []
    for number, line in numbered:
        if number % 1000 == 0:
            yield None
        tag = _TAG.match(line)
        # A token may itself look like a tag, but then it has annotations.
        if tag and "\t" not in line:
            name = tag[1].lower()
            if name in _SENTENCES or line.startswith("</") or tokens:
                paragraph = name not in _SENTENCES and not _is_inline(name)
                if not _is_inline(name) and (tokens or paragraph):
                    yield Sentence(tuple(tokens), ends_paragraph=paragraph)
                    tokens = []
            continue
        if not line.strip() or len(tokens) >= _LONGEST:
            if tokens:
                yield Sentence(tuple(tokens))
                tokens = []
            if not line.strip():
                continue
        tokens.append(layout.token(line))
    if tokens:
        yield Sentence(tuple(tokens), ends_paragraph=True)


def _is_inline(name: str) -> bool:
    """Whether an element is part of a sentence, such as a name or a phrase."""
    return name in ("g", "name", "ne", "phr", "mwe", "hi", "b", "i", "np", "vp", "pp", "chunk")
