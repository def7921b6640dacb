"""Words of a query that occur too rarely in the training text for their vectors to mean much."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from workbench.core.language import trn
from workbench.vectors.embeddings import Embeddings

# A word with fewer occurrences has at most some two hundred neighbours in windows of five words on
# each side, most of them frequent words that say nothing about it.
FEW = 20


@dataclass(frozen=True)
class Occurrences:
    """Number of occurrences of a word in the training text.

    word : as spelled in the vocabulary
    few : whether ``count`` is below FEW, so that answers that depend on the word are unreliable
    """

    word: str
    count: int

    @property
    def few(self) -> bool:
        return self.count < FEW

    @property
    def sentence(self) -> str:
        """The count, and the conclusion if there are too few occurrences."""
        if self.few:
            return trn(
                "“{word}” occurs {number:,} time in the training text: too few occurrences.",
                "“{word}” occurs {number:,} times in the training text: too few occurrences.",
                self.count,
                word=self.word,
            )
        return trn(
            "“{word}” occurs {number:,} time in the training text.",
            "“{word}” occurs {number:,} times in the training text.",
            self.count,
            word=self.word,
        )


def occurrences(embeddings: Embeddings, words: Iterable[str]) -> tuple[Occurrences, ...]:
    """Occurrences of each distinct word, in the given order. Words outside the vocabulary are left
    out, as are all words if the vectors have no counts.
    """
    if embeddings.counts is None:
        return ()
    rows = dict.fromkeys(embeddings.find(word) for word in words)
    return tuple(
        Occurrences(embeddings.words[row], int(embeddings.counts[row]))
        for row in rows
        if row is not None
    )
