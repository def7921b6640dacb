"""CoNLL-U and CoNLL-X: a token per line with its lemma and part of speech
(universaldependencies.org, format version 2), also with the columns that the first line names
(CoNLL-U Plus, PARSEME); and CoNLL-2003 and files like it: a token per line
with its tag, chunk and named entity after spaces (Tjong Kim Sang and De Meulder, 2003), or with one
of these; and CoNLL-2012 (Pradhan et al., 2012).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

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
# The first line of CoNLL-U Plus, and the columns that are read.
_GLOBAL = re.compile(r"\ufeff?#\s*global\.columns\s*=\s*([^\n]*\bFORM\b[^\n]*)")
_PLACES = ("ID", "FORM", "LEMMA", "UPOS", "XPOS")
_PARAGRAPH = re.compile(r"#\s*new(?:doc|par)\b")
_BEGINS = "-DOCSTART-"
# A token’s entity, as in B-PER, and its part of speech.
_ENTITY = re.compile(r"(?:O|[BIESLUM]-[\w-]{1,40})$")
# A line about a sentence that may have as many parts as there are columns.
_ABOUT = "# id "
_IN_ENTITY = tuple(f"{letter}-" for letter in "BIESLUM")
_TAG = re.compile(r"(?:[A-Z][A-Z0-9]{0,7}\$?(?:[-+|][A-Z0-9]{1,8})*|[.,:;()'`$#\"-]{1,5})$")
_NOUNS = frozenset(("NN", "NOUN", "N", "NNP", "PROPN", "NE", "NP", "NN1", "S", "SUBST"))
_FEWEST = 5
_ENTITY_NAMES = ("form", "tag", "chunk", "entity")
# Columns of CoNLL-2011 and 2012: text, part, number, word, tag, tree, lemma and others.
_BEGINS_DOCUMENT = "#begin document "
_NAMES_2012 = ("form", "lemma", "tag")
_COLUMNS_2012 = 11
# A sentence has some dozens of tokens.
_LONGEST = 10_000


class Conllu(Reader):
    key = "conllu"
    title = tr("CoNLL-U treebank")
    suffixes = (".conllu", ".conll", ".conllup", ".cupt")
    columns = True
    annotated = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        if _GLOBAL.match(beginning(document)):
            return True
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
        if head.startswith(_BEGINS):
            return True
        layout = _EntityLayout.of(head, document.short)
        return layout.has_entities or (layout.has_tags and "\n\n" in head)

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        chosen = Annotations.of(_ENTITY_NAMES, document)
        layout = _EntityLayout.of(beginning(document), document.short)
        return chosen.blocks(_entity_sentences(lines(document), layout), document)

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        head = beginning(document)
        layout = _EntityLayout.of(head, document.short)
        return preview(_ENTITY_NAMES, _entity_sentences(enumerate(head.split("\n"), 1), layout))


class Conll2012(Reader):
    key = "conll2012"
    title = tr("CoNLL-2012 (OntoNotes)")
    suffixes = (".gold_conll", ".auto_conll", ".v4_gold_conll")
    columns = True
    annotated = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        return beginning(document).lstrip("\ufeff").startswith(_BEGINS_DOCUMENT)

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        chosen = Annotations.of(_NAMES_2012, document)
        return chosen.blocks(_sentences_2012(lines(document)), document)

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        return preview(_NAMES_2012, _sentences_2012(enumerate(beginning(document).split("\n"), 1)))


def _sentences(
    numbered: Iterable[tuple[int, str]], document: Document, whole: bool
) -> Iterator[Sentence | None]:
    """The sentences. ``whole``: with tokens as written (don't) instead of syntactic words (do,
    n't); None for every 1,000 lines without a sentence.
    """
    tokens: list[Token] = []
    covered = wrong = first = 0
    begins = False
    named = _GLOBAL.match(beginning(document))
    names = named[1].split() if named else []
    for number, line in numbered:
        if number % 1000 == 0:
            yield None
        row = line.rstrip("\n").split("\t")
        if names and len(row) == len(names):
            row = _in_order(row, names, len(tokens) + 1)
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


def _in_order(row: list[str], names: list[str], number: int) -> list[str]:
    """The cells of a row in the order of CoNLL-U. ``number`` of a token without an identifier."""
    cells = dict(zip(names, row, strict=True))
    found = [cells.get(name, "_") for name in _PLACES]
    if "ID" not in cells:
        found[0] = str(number)
    return found + ["_"] * (_COLUMNS - len(found))


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


@dataclass(frozen=True)
class _EntityLayout:
    """The columns of a file with named entities.

    width : their number, 0 if it differs between lines
    numbered : whether each line begins with the number of its token (GermEval)
    has_entities, has_tags : whether the last column contains entities, or the only one after the
    words contains parts of speech
    """

    width: int = 0
    numbered: bool = False
    has_entities: bool = False
    has_tags: bool = False

    @classmethod
    def of(cls, head: str, whole: bool) -> _EntityLayout:
        rows = [line.split() for line in head.split("\n")[:200] if not line.startswith(_ABOUT)]
        rows = [row for row in (rows if whole else rows[:-1]) if row and row[0] != _BEGINS]
        # A line about a sentence may have any width.
        widths = {len(row) for row in rows if not row[0].startswith("#")}
        rows = [row for row in rows if not row[0].startswith("#") or {len(row)} == widths]
        if len(widths) != 1 or len(rows) < _FEWEST:
            return cls()
        (width,) = widths
        numbered = width > 2 and all(row[0].isdecimal() for row in rows)
        entities = [row[1 + numbered :] for row in rows]
        tags = [row[-1] for row in rows]
        return cls(
            width,
            numbered,
            has_entities=all(row and _ENTITY.match(row[-1]) for row in entities)
            and any(cell.startswith(_IN_ENTITY) for row in entities for cell in row),
            has_tags=width == 2
            and all(map(_TAG.match, tags))
            and not _NOUNS.isdisjoint(tags)
            and 2 * len(set(tags)) <= len(tags),
        )

    def cells(self, line: str) -> list[str]:
        """The word and its annotations; none for an empty line and one about a sentence."""
        cells = line.split()
        other = self.width and len(cells) != self.width
        if line.startswith(_ABOUT) or (other and line.startswith("#")):
            return []
        return cells[self.numbered :]


def _entity_sentences(
    numbered: Iterable[tuple[int, str]], layout: _EntityLayout
) -> Iterator[Sentence | None]:
    """The sentences; None for every 1,000 lines."""
    tokens: list[Token] = []
    for number, line in numbered:
        if number % 1000 == 0:
            yield None
        begins = line.startswith(_BEGINS)
        cells = [] if begins else layout.cells(line)
        if not cells or len(tokens) >= _LONGEST:
            if tokens or begins:
                yield Sentence(tuple(tokens), ends_paragraph=begins)
            tokens = []
        if cells:
            # The entity is always last; German files have a lemma before the tag.
            row = (cells[0], *["", "", "", *cells[1:]][-3:])
            if layout.has_tags:
                row = (cells[0], *cells[1:2], "", "")
            elif layout.numbered:
                row = (cells[0], "", "", *(cells[1:2] or [""]))
            tokens.append(Token(row, (row[1],)))
    if tokens:
        yield Sentence(tuple(tokens), ends_paragraph=True)


def _sentences_2012(numbered: Iterable[tuple[int, str]]) -> Iterator[Sentence | None]:
    """The sentences; None for every 1,000 lines."""
    tokens: list[Token] = []
    for number, line in numbered:
        if number % 1000 == 0:
            yield None
        cells = line.split()
        if len(cells) >= _COLUMNS_2012 and not line.startswith(("#begin", "#end")):
            form, tag, lemma = cells[3], cells[4], cells[6]
            tokens.append(Token((form, form if lemma == "-" else lemma, tag), (tag,)))
        ends = line.startswith("#end")
        if ends or (tokens and (len(cells) < _COLUMNS_2012 or len(tokens) >= _LONGEST)):
            yield Sentence(tuple(tokens), ends_paragraph=ends)
            tokens = []
    if tokens:
        yield Sentence(tuple(tokens), ends_paragraph=True)
