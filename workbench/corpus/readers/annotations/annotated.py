"""Sentences of corpora with one token per line and annotations in columns, shared by the readers of
CoNLL-U and of vertical files.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from workbench.core.errors import UserError
from workbench.core.language import tr, trn
from workbench.core.param_labels import quoted_param
from workbench.corpus.readers.base import BLOCK, ColumnPreview, Document

# Rows of the preview, and the joint of lemma and part of speech, as in run_VERB.
_ROWS = 200
JOINT = "_"
# Maximum number of parts of speech in a note, and of different ones that are counted.
_SHOWN, _MOST_PARTS = 20, 10_000


@dataclass(frozen=True)
class Token:
    """One token. ``cells``: its text in each column of the layout, perhaps ""; ``parts``: its part
    of speech in each set of tags.
    """

    cells: tuple[str, ...]
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sentence:
    """Tokens, and whether a paragraph or document ends after them."""

    tokens: tuple[Token, ...]
    ends_paragraph: bool = False


@dataclass(frozen=True)
class Annotations:
    """What is read from an annotated corpus.

    names : names of the columns; the first contains the text as written
    column : index of the chosen one
    parts : parts of speech to keep, as typed, by their lowercase; empty = all
    """

    names: tuple[str, ...]
    column: int
    parts: dict[str, str]
    _seen: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, names: Sequence[str], document: Document) -> Annotations:
        """The column and the parts of speech that the options choose. Raises UserError."""
        options = document.options
        wanted = options.column.strip().lower()
        number = int(wanted) - 1 if wanted.isdecimal() and len(wanted) < 4 else -1
        if wanted in names:
            number = list(names).index(wanted)
        elif not wanted:
            number = 0
        elif not 0 <= number < len(names):
            raise UserError(
                tr(
                    "{shown} has no column “{wanted}”.", shown=document.shown, wanted=options.column
                ),
                tr("Choose one of: {few}.", few=", ".join(names)),
            )
        if JOINT in names[number] and options.tokeniser != "whitespace":
            raise UserError(
                tr(
                    "The column “{column}” joins words and tags by an underscore, at which this "
                    "tokeniser splits.",
                    column=names[number],
                ),
                tr("Set {name} to whitespace.", name=quoted_param("tokeniser")),
            )
        parts = filter(None, re.split(r"[\s,;]+", options.parts_of_speech))
        document.findings.column = names[number]
        return cls(tuple(names), number, {part.lower(): part for part in parts})

    @property
    def whole(self) -> bool:
        """Whether multiword tokens are read as written, such as don’t."""
        return self.column == 0 and not self.parts

    def text(self, sentence: Sentence) -> str:
        """The chosen text of a sentence, in one line."""
        pieces = []
        for token in sentence.tokens:
            if self.parts and not self._is_kept(token):
                continue
            # A word without a lemma is its own.
            text = token.cells[self.column] or token.cells[0]
            pieces.append("_".join(text.split()) if JOINT in self.names[self.column] else text)
        # Tokens stay apart, because people or programs chose where words end: in Chinese, a text
        # with its own spaces would have none.
        return " ".join(pieces)

    def _is_kept(self, token: Token) -> bool:
        if len(self._seen) < _MOST_PARTS:
            self._seen.update(filter(None, token.parts))
        return any(part.lower() in self.parts for part in token.parts)

    def blocks(self, sentences: Iterable[Sentence | None], document: Document) -> Iterator[bytes]:
        """A line for each sentence and an empty one after each paragraph, in blocks; None ends a
        block.
        """
        waiting: list[str] = []
        size = 0
        for sentence in sentences:
            if sentence is not None:
                text = self.text(sentence)
                if text:
                    waiting.append(text)
                if sentence.ends_paragraph:
                    waiting.append("")
                size += len(text) + 1
            if sentence is None or size > BLOCK // 4:
                yield "".join(f"{line}\n" for line in waiting).encode(errors="replace")
                waiting, size = [], 0
        yield "".join(f"{line}\n" for line in waiting).encode(errors="replace")
        self._note_missing_parts(document)

    def _note_missing_parts(self, document: Document) -> None:
        """Note the chosen parts of speech that no word has, and those that there are."""
        seen = {part.lower() for part in self._seen}
        missing = [part for key, part in self.parts.items() if key not in seen]
        if not missing:
            return
        named = ", ".join(tr("“{text}”", text=part) for part in missing[:_SHOWN])
        sentence = trn(
            "No word has the part of speech {named}.",
            "No word has one of the parts of speech {named}.",
            len(missing),
            named=named,
        )
        few = [part for part, _ in self._seen.most_common(_SHOWN)]
        if few:
            others = tr("Choose among: {few}.", few=", ".join(few))
        else:
            others = tr("The text contains no parts of speech.")
        document.note(f"{sentence} {others}")


def preview(names: Sequence[str], sentences: Iterable[Sentence | None]) -> ColumnPreview | None:
    """The first tokens by column; None if there are none."""
    rows: list[tuple[str, ...]] = []
    for sentence in sentences:
        rows += [token.cells for token in sentence.tokens] if sentence else []
        if len(rows) >= _ROWS:
            break
    if not rows:
        return None
    return ColumnPreview(tuple(names), 0, tuple(rows[:_ROWS]))
