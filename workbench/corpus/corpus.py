"""A corpus as integers on disk: what every algorithm reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError
from workbench.core.params import Params, param


@dataclass(frozen=True)
class CorpusOptions(Params):
    """How text becomes tokens and sentences."""

    tokeniser: str = param(
        "words",
        "words: runs of letters, marks and digits with single inner apostrophes; whitespace: whatever "
        "stands between blanks.",
        choices=("words", "whitespace"),
        basic=True,
    )
    sentences: str = param(
        "lines",
        "What ends a sentence, which no window crosses: every line end, a blank line, or nothing.",
        choices=("lines", "paragraphs", "none"),
        source="word2vec.c: every newline",
        basic=True,
    )
    lowercase: bool = param(True, "Fold capital letters to small ones.", basic=True)


@dataclass(frozen=True)
class SourceFile:
    """One file (or member of an archive) that went into a corpus.

    ``size`` in bytes as stored; ``tokens`` read from it, −1 where that was not kept.
    """

    path: str
    size: int
    encoding: str
    tokens: int = -1


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """The words that take part in a training: the first V of a corpus's types.

    words : V strings, most frequent first
    counts : int64[V]
    tokens : their total, N
    """

    words: Sequence[str]
    counts: npt.NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def tokens(self) -> int:
        return int(self.counts.sum())

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}


@dataclass(frozen=True, eq=False)
class Corpus:
    """A tokenised corpus. Ids are ranks: 0 is the most frequent word, ties in order of appearance.

    ids : int32[tokens], memory-mapped, every token read
    sentences : int64[S + 1], offsets of sentences in ``ids``, first 0, last ``tokens``
    words : all types, most frequent first
    counts : int64[types]
    digest : hexadecimal, of the ids, words and sentence offsets; equal text and options, equal digest
    folder : where it lies on disk (counts made from it are cached there), or None
    """

    name: str
    ids: npt.NDArray[np.int32]
    sentences: npt.NDArray[np.int64]
    words: Sequence[str]
    counts: npt.NDArray[np.int64]
    digest: str
    options: CorpusOptions = field(default_factory=CorpusOptions)
    files: tuple[SourceFile, ...] = ()
    folder: Path | None = None
    metadata: Mapping[str, Any] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        return len(self.ids)

    @property
    def types(self) -> int:
        return len(self.words)

    def vocabulary(self, min_count: int = 1, max_vocab: int = 0) -> Vocabulary:
        """The words seen at least ``min_count`` times, at most ``max_vocab`` of them (0: all).

        Because ids are ranks, a token takes part exactly if its id is below the vocabulary's length.
        Raises UserError when nothing is left.
        """
        # counts fall, so the first place where -count exceeds -min_count ends the vocabulary
        size = int(np.searchsorted(-self.counts, -min_count, side="right"))
        if max_vocab:
            size = min(size, max_vocab)
        if size == 0:
            raise UserError(
                f"No word of {self.name} is seen {min_count:,} times (min_count).",
                f"Lower min_count to {int(self.counts[0]):,} or less.",
            )
        return Vocabulary(self.words[:size], self.counts[:size])
