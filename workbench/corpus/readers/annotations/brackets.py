"""Trees in brackets, as the Penn Treebank and constituency parsers write them: words with their
tags, without the phrases around them.
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
_PARTS = re.compile(r"[()]|[^\s()]+")
_TAG = re.compile(r"[A-ZÄÖÜ][A-Z0-9$+_=|-]{0,20}(?:-[A-Z0-9]+)*$|[.,:;'`$#\"?!-]{1,4}$|-[LR]RB-$")
# Brackets in the text, and the tag of a trace, which stands for no word.
_WRITTEN = {
    "-LRB-": "(",
    "-RRB-": ")",
    "-LSB-": "[",
    "-RSB-": "]",
    "-LCB-": "{",
    "-RCB-": "}",
}
_TRACE = "-NONE-"
_FEWEST = 3
# A sentence has some dozens of tokens.
_LONGEST = 10_000


class Brackets(Reader):
    key = "brackets"
    title = tr("Trees in brackets (Penn Treebank)")
    suffixes = (".mrg",)
    columns = True
    annotated = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        return document.suffix in cls.suffixes or _are_trees(beginning(document).lstrip("\ufeff"))

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        chosen = Annotations.of(_NAMES, document)
        return chosen.blocks(_sentences(lines(document)), document)

    @classmethod
    def preview(cls, document: Document) -> ColumnPreview | None:
        return preview(_NAMES, _sentences(enumerate(beginning(document).split("\n"), 1)))


def _are_trees(head: str) -> bool:
    """Whether each name follows an opening bracket, and each word its tag and before a closing
    one.
    """
    if not head.lstrip().startswith("("):
        return False
    parts = _PARTS.findall(head)[:2000][:-1]
    leaves = phrases = 0
    for at in range(2, len(parts)):
        before, part = parts[at - 1], parts[at]
        if part in ("(", ")"):
            phrases += part == "(" and before not in ("(", ")")
        elif before != "(":
            after = parts[at + 1] if at + 1 < len(parts) else ")"
            if parts[at - 2] != "(" or after != ")":
                return False
            if before != _TRACE and not _TAG.match(before):
                return False
            leaves += 1
    return leaves >= _FEWEST and phrases > 0


def _sentences(numbered: Iterable[tuple[int, str]]) -> Iterator[Sentence | None]:
    """A sentence for each tree, and the end of a paragraph for each empty line between them; None
    for every 1,000 lines.
    """
    tokens: list[Token] = []
    depth = 0
    name = word = ""
    for number, line in numbered:
        if number % 1000 == 0:
            yield None
        if depth == 0 and not line.strip():
            yield Sentence((), ends_paragraph=True)
        for part in _PARTS.findall(line):
            if part == "(":
                depth, name, word = depth + 1, "", ""
            elif part != ")":
                name, word = (name, part) if name else (part, "")
            else:
                if word and name != _TRACE:
                    word = _WRITTEN.get(word, word)
                    tokens.append(Token((word, name, f"{word}{JOINT}{name}"), (name,)))
                depth, name, word = max(depth - 1, 0), "", ""
                if tokens and (depth == 0 or len(tokens) >= _LONGEST):
                    yield Sentence(tuple(tokens))
                    tokens = []
    if tokens:
        yield Sentence(tuple(tokens))
