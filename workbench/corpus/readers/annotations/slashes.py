"""Texts with a tag after each word: word/NN as in the Brown corpus and the Penn Treebank, whose
files also have brackets around phrases, or word_NN as the Stanford tagger writes.
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

_NAMES = ("form", "tag", f"form{JOINT}tag")
# Tags of the Brown corpus are in lowercase and have parts: np-tl, ppss+bez. Those after an
# underscore are in capitals, because other programs join phrases by underscores.
_KINDS = {
    "/": re.compile(
        r"\S+/(?:[A-Za-z][A-Za-z0-9]{0,7}[$*]?(?:[-+|][A-Za-z$*]{1,8})*|[.,:;()'`$#*?!\"-]{1,5})$"
    ),
    "_": re.compile(r"\S+_(?:[A-Z][A-Z0-9]{0,6}\$?(?:-[A-Z]{1,5})?|[.,:;()'`$#\"-]{1,5})$"),
}
# Minimum number of words, of different tags, and share of words with a tag.
_FEWEST, _TAGS, _MOST = 20, 4, 0.95
_FEWEST_ALL = 4
_RULE = re.compile(r"={5,}\s*$")
_SAMPLE = 400
_LONGEST = 10_000


class Slashes(Reader):
    key = "slashes"
    title = tr("Text with tags (word/NN)")
    suffixes = (".pos",)
    columns = True
    annotated = True
    order = 150

    @classmethod
    def detect(cls, document: Document) -> bool:
        return bool(_mark(document))

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        chosen = Annotations.of(_NAMES, document)
        return chosen.blocks(_sentences(lines(document), _mark(document)), document)

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        numbered = enumerate(beginning(document).split("\n"), 1)
        return preview(_NAMES, _sentences(numbered, _mark(document)))


def _mark(document: Document) -> str:
    """The mark before tags, or ""."""
    tokens = _tokens(" ".join(beginning(document).split("\n")[:_SAMPLE]))
    if not document.short:
        tokens = tokens[:-1]
    for mark, kind in _KINDS.items():
        tags = [token.rpartition(mark)[2] for token in tokens if kind.match(token)]
        different = len(set(tags))
        if len(tags) >= max(_FEWEST, _MOST * len(tokens)) and _TAGS <= different <= len(tags) // 2:
            return mark
        # Short texts: each word has a tag, and there is punctuation.
        if document.short and len(tags) == len(tokens) >= _FEWEST_ALL and "." in tags:
            return mark
    return "/" if document.suffix in Slashes.suffixes else ""


def _tokens(line: str) -> list[str]:
    return [token for token in line.split() if token not in ("[", "]")]


def _sentences(numbered: Iterable[tuple[int, str]], mark: str) -> Iterator[Sentence | None]:
    """The lines as sentences, or, after a line with the bracket of a phrase, what is between rules;
    None for every 1,000 lines.
    """
    held: list[Token] = []
    phrases = False
    for number, line in numbered:
        if number % 1000 == 0:
            yield None
        phrases = phrases or line.startswith("[ ")
        ends = not line.strip() or _RULE.match(line) is not None
        if not ends:
            for token in _tokens(line):
                word, _, tag = token.rpartition(mark)
                word, tag = (word, tag) if word else (token, "")
                held.append(Token((word, tag, f"{word}{JOINT}{tag or 'X'}"), (tag,)))
        if held and (ends or not phrases or len(held) >= _LONGEST):
            yield Sentence(tuple(held))
            held = []
        if not (line.strip() or phrases):
            yield Sentence((), ends_paragraph=True)
    if held:
        yield Sentence(tuple(held))
