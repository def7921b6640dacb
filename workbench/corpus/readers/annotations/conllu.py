"""CoNLL-U and CoNLL-X: a token per line with its lemma and part of speech
(universaldependencies.org, format version 2); and CoNLL-2003 and files like it: a token per line
with its tag, chunk and named entity after spaces (Tjong Kim Sang and De Meulder, 2003).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

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

_NAMES = ("form", "lemma", f"lemma{JOINT}upos", "upos", "xpos")
_COLUMNS = 10
_ROW = re.compile(r"\d+(?:[-.]\d+)?(?:\t[^\t\n]*){9}$")
_PARAGRAPH = re.compile(r"#\s*new(?:doc|par)\b")
_BEGINS = "-DOCSTART-"
# A token’s entity, as in B-PER, and a line about a sentence.
_ENTITY = re.compile(r"(?:O|[BIESLUM]-[\w-]{1,40})$")
_ABOUT = "# id "
_FEWEST = 5
_ENTITY_NAMES = ("form", "tag", "chunk", "entity")
# A sentence has some dozens of tokens.
_LONGEST = 10_000


class Conllu(Reader):
    key = "conllu"
    title = tr("CoNLL-U treebank")
    suffixes = (".conllu", ".conll")
    columns = True
    annotated = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        rows = [
            line
            for line in beginning(document).split("\n")[:200]
            if line.strip() and not line.startswith("#")
        ]
        # The head may end in the middle of a line.
        return bool(rows) and all(map(_ROW.match, rows[:20][: len(rows) - 1] or rows))

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        chosen = Annotations.of(_NAMES, document)
        return chosen.blocks(_sentences(lines(document), document, chosen.whole), document)

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        numbered = enumerate(beginning(document).split("\n"), 1)
        return preview(_NAMES, _sentences(numbered, document, whole=False))


class Conll2003(Reader):
    key = "conll2003"
    title = tr("CoNLL-2003 (named entities)")
    columns = True
    annotated = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        head = beginning(document).lstrip("\ufeff")
        return head.startswith(_BEGINS) or _has_entities(head, document.short)

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        chosen = Annotations.of(_ENTITY_NAMES, document)
        return chosen.blocks(_entity_sentences(lines(document)), document)

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        return preview(
            _ENTITY_NAMES, _entity_sentences(enumerate(beginning(document).split("\n"), 1))
        )


def _sentences(
    numbered: Iterable[tuple[int, str]], document: Document, whole: bool
) -> Iterator[Sentence | None]:
    """The sentences. ``whole``: with tokens as written (don't) instead of syntactic words (do,
    n't); None for every 1,000 lines without a sentence.
    """
    tokens: list[Token] = []
    covered = wrong = first = 0
    begins = False
    for number, line in numbered:
        if number % 1000 == 0:
            yield None
        row = line.rstrip("\n").split("\t")
        if line.startswith("#"):
            begins = begins or _PARAGRAPH.match(line) is not None
        elif not line.strip() or len(tokens) >= _LONGEST:
            if tokens:
                yield Sentence(tuple(tokens))
            tokens, covered = [], 0
        elif len(row) != _COLUMNS:
            wrong += 1
            first = first or number
        else:
            if begins and not tokens:
                # The paragraph before this sentence has ended.
                yield Sentence((), ends_paragraph=True)
            begins = False
            identifier = row[0]
            if "." in identifier:
                continue  # an empty node, which isn’t in the text
            if "-" in identifier:
                if whole:
                    covered = _last(identifier)
                    tokens.append(_token(row))
            elif not (identifier.isdecimal() and len(identifier) < 9):
                wrong += 1
                first = first or number
            elif int(identifier) > covered:
                tokens.append(_token(row))
    if tokens:
        yield Sentence(tuple(tokens), ends_paragraph=True)
    if wrong:
        document.note(
            tr(
                "Lines that aren’t tokens of CoNLL-U, left out: {wrong:,}, the first in line "
                "{first:,}.",
                wrong=wrong,
                first=first,
            )
        )


def _last(identifier: str) -> int:
    """The last word that a multiword token, such as 3-4, contains."""
    end = identifier.rpartition("-")[2]
    return int(end) if end.isdecimal() and len(end) < 9 else 0


def _token(row: list[str]) -> Token:
    # "_" means no value, except for a token that is an underscore.
    form, lemma, upos, xpos = ("" if cell == "_" else cell for cell in row[1:5])
    form = form or row[1]
    lemma = lemma or form
    cells = (form, lemma, f"{lemma}{JOINT}{upos or 'X'}", upos, xpos)
    return Token(cells, (upos, xpos))


def _has_entities(head: str, whole: bool) -> bool:
    """Whether each of the first lines is a token with its entity, after equally many others."""
    rows = [line.split() for line in head.split("\n")[:200] if not line.startswith(_ABOUT)]
    rows = [row for row in (rows if whole else rows[:-1]) if row]
    return (
        len(rows) >= _FEWEST
        and len({len(row) for row in rows}) == 1
        and len(rows[0]) > 1
        and all(_ENTITY.match(row[-1]) for row in rows)
        and any(row[-1] != "O" for row in rows)
    )


def _entity_sentences(numbered: Iterable[tuple[int, str]]) -> Iterator[Sentence | None]:
    """The sentences; None for every 1,000 lines."""
    tokens: list[Token] = []
    for number, line in numbered:
        if number % 1000 == 0:
            yield None
        cells = [] if line.startswith(_ABOUT) else line.split()
        begins = cells[:1] == [_BEGINS]
        if not cells or begins or len(tokens) >= _LONGEST:
            if tokens or begins:
                yield Sentence(tuple(tokens), ends_paragraph=begins)
            tokens = []
        if cells and not begins:
            # The entity is always last; German files have a lemma before the tag.
            row = (cells[0], *["", "", "", *cells[1:]][-3:])
            tokens.append(Token(row, (row[1],)))
    if tokens:
        yield Sentence(tuple(tokens), ends_paragraph=True)
