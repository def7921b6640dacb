"""Vertical files of corpus query systems (Sketch Engine, CQPweb, KonText): a token per line, its
annotations after tabs, and lines of tags for sentences and documents. TreeTagger’s output is one
without tags.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape

from workbench.core.language import tr
from workbench.corpus.readers.annotated import JOINT, Annotations, Sentence, Token, preview
from workbench.corpus.readers.base import ColumnPreview, Document, Reader
from workbench.corpus.readers.records import beginning, lines

_TAG = re.compile(r"</?([A-Za-z][\w.-]*)(?:\s[^<>]*)?/?>\s*$")
_SENTENCES = frozenset(("s", "sent", "sentence", "u"))
_LONGEST = 10_000
_SAMPLE = 2000
# Minimum number of rows that show that a text without tags is TreeTagger’s.
_FEWEST = 10


class Vertical(Reader):
    key = "vertical"
    title = tr("Vertical file")
    suffixes = (".vert", ".vrt", ".vertical")
    columns = True
    annotated = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        if document.suffix in cls.suffixes:
            return True
        rows = [line for line in beginning(document).split("\n")[:200] if line.strip()][:-1]
        if _is_tree_tagger([row.split("\t") for row in rows]):
            return True
        tags = sum(_TAG.match(row) is not None for row in rows)
        widths = {row.count("\t") for row in rows if not _TAG.match(row)}
        return tags >= 2 and len(widths) == 1 and min(widths) >= 1 and tags < len(rows)

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        names, part = _columns(document)
        chosen = Annotations.of(names, document.options, document.shown)
        document.findings.column = names[chosen.column]
        return chosen.blocks(_sentences(lines(document), names, part))

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        names, part = _columns(document)
        numbered = enumerate(beginning(document).split("\n"), 1)
        return preview(names, _sentences(numbered, names, part))


def _is_tree_tagger(rows: list[list[str]]) -> bool:
    """Whether each row has a word, its tag and its lemma, which is <unknown> or like the word."""
    if len(rows) < _FEWEST or any(len(row) != 3 or " " in row[0] for row in rows):
        return False
    alike = sum(
        lemma == "<unknown>" or lemma[:1].lower() == word[:1].lower() for word, _, lemma in rows
    )
    tags = {tag for _, tag, _ in rows}
    return 2 * alike > len(rows) and 2 * len(tags) < len(rows) and not any(" " in t for t in tags)


def _columns(document: Document) -> tuple[tuple[str, ...], int]:
    """Names of the columns, and the index of the part of speech, or −1.

    Files don’t name their columns. The word comes first; among the others, the tag has the fewest
    different values for the tokens, and a column that mostly repeats words in lowercase is the
    lemma.
    """
    rows = [
        row.split("\t")
        for row in beginning(document).split("\n")[:_SAMPLE]
        if row.strip() and not _TAG.match(row)
    ]
    width = min((len(row) for row in rows[: max(len(rows) - 1, 1)]), default=1)
    rows = [row for row in rows if len(row) >= width]
    names = ["word", *(f"column {number}" for number in range(2, width + 1))]
    values = [{row[at] for row in rows} for at in range(width)]
    alike = [
        sum(row[at][:1].lower() == row[0][:1].lower() for row in rows) / max(len(rows), 1)
        for at in range(width)
    ]
    lemma = max(range(1, width), key=lambda at: alike[at], default=0)
    if not (lemma and alike[lemma] > 0.5):
        lemma = 0
    others = [at for at in range(1, width) if at != lemma]
    part = min(others, key=lambda at: (len(values[at]), at), default=-1)
    if part > 0:
        names[part] = "tag"
    if lemma:
        names[lemma] = "lemma"
        if part > 0:
            names.append(f"lemma{JOINT}tag")
    return tuple(names), part


def _sentences(
    numbered: Iterable[tuple[int, str]], names: tuple[str, ...], part: int
) -> Iterator[Sentence | None]:
    """The sentences; None for every 1,000 lines."""
    lemma = names.index("lemma") if names[-1] == f"lemma{JOINT}tag" else -1
    width = len(names) - (lemma >= 0)
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
        cells = [unescape(cell) for cell in line.rstrip("\n").split("\t")][:width]
        cells += [""] * (width - len(cells))
        if lemma >= 0:
            cells.append(f"{cells[lemma] or cells[0]}{JOINT}{cells[part] or 'X'}")
        tokens.append(Token(tuple(cells), cells[part] if part > 0 else ""))
    if tokens:
        yield Sentence(tuple(tokens), ends_paragraph=True)


def _is_inline(name: str) -> bool:
    """Whether an element is part of a sentence, such as a name or a phrase."""
    return name in ("g", "name", "ne", "phr", "mwe", "hi", "b", "i", "np", "vp", "pp", "chunk")
