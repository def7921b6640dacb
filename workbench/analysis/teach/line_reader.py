"""Typed lines as tokens of a model's vocabulary, read as its corpus was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.tokenise.line_tokeniser import TooSlowLine
from workbench.corpus.tokenise.token_encoder import Numbering
from workbench.corpus.tokenise.token_filters import Refinement


@dataclass(frozen=True)
class ReadLine:
    """The sentences of a line, as tuples of tokens."""

    sentences: tuple[tuple[str, ...], ...]

    @property
    def tokens(self) -> int:
        return sum(map(len, self.sentences))


class LineReader:
    """Reads single lines with the options of a corpus.

    known : words of the vocabulary, among which phrases are looked for
    """

    def __init__(self, options: CorpusOptions | None, known: Mapping[str, int]) -> None:
        self._options = options or CorpusOptions()
        self._known = known
        self._refinement = Refinement(self._options)
        self._read: dict[str, ReadLine] = {}

    def read(self, line: str) -> ReadLine:
        """The tokens of a line. Raises UserError if it can't be split into words."""
        found = self._read.get(line)
        if found is None:
            found = ReadLine(tuple(map(self._joined, self._tokens(line))))
            self._read[line] = found
        return found

    def word(self, text: str) -> str:
        """A word in the spelling of the corpus. Raises UserError if it isn't exactly one token."""
        text = text.strip()
        if text in self._known:
            return text
        sentences = self.read(text).sentences
        tokens = [token for sentence in sentences for token in sentence]
        if len(tokens) == 1:
            return tokens[0]
        if not tokens:
            raise UserError(
                tr("“{word}” isn’t a word for this model’s tokeniser.", word=text),
                tr("Type one word that the tokeniser keeps."),
            )
        raise UserError(
            tr(
                "This model’s tokeniser splits “{word}” into {tokens}.",
                word=text,
                tokens=", ".join(f"“{token}”" for token in tokens),
            ),
            tr("Type one word without spaces, and write it in the same way in the lines."),
        )

    def _tokens(self, line: str) -> list[list[str]]:
        numbering = Numbering(self._options)
        try:
            pieces = list(numbering.feed(line.encode("utf-8", "replace"), final=True))
        except TooSlowLine as error:
            raise error.to_user_error(line[:40]) from error
        words = numbering.words()
        if self._refinement.active:
            looked = [self._refinement.look(word) for word in words]
            words = ["" if why else word for word, why in looked]
        numbers = np.concatenate([piece[0] for piece in pieces]) if pieces else np.empty(0, int)
        ends = np.concatenate([piece[1] for piece in pieces]) if pieces else np.empty(0, int)
        tokens = [words[number] for number in numbers.tolist()]
        borders = [0, *sorted({*ends.tolist(), len(tokens)} - {0})]
        return [
            [token for token in tokens[first:last] if token] for first, last in pairwise(borders)
        ]

    def _joined(self, tokens: Sequence[str]) -> tuple[str, ...]:
        """Phrases that the vocabulary contains, joined from left to right in each pass."""
        found = list(tokens)
        for _ in range(self._options.phrases):
            found = self._join_once(found)
        return tuple(found)

    def _join_once(self, tokens: Sequence[str]) -> list[str]:
        joined: list[str] = []
        taken = False
        for first, second in zip(tokens, [*tokens[1:], ""], strict=True):
            if taken:
                taken = False
                continue
            phrase = f"{first}{self._options.phrase_delimiter}{second}"
            taken = bool(second) and phrase in self._known
            joined.append(phrase if taken else first)
        return joined
