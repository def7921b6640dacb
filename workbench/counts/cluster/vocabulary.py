"""The words of a corpus from those of its parts: exactly the vocabulary of reading it as a whole.

A table contains the types of a stretch of the corpus in order of appearance. Tables of neighbouring
stretches are merged in order, so that words of equal frequency stay in order of appearance, as in
``corpus.loader``.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from workbench.core.job_control import JobControl
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.tokenise.token_encoder import Numbering
from workbench.corpus.tokenise.token_filters import Refinement


@dataclass(frozen=True, eq=False)
class WordTable:
    """Types of a stretch. words : n types by order of appearance; counts : int64[n]; cut_words : as
    ``Numbering.cut_words``; forms : words that hyphens at line ends cut, joined and in lowercase
    """

    words: Sequence[str]
    counts: npt.NDArray[np.int64]
    cut_words: int = 0
    forms: frozenset[str] = frozenset()

    @property
    def tokens(self) -> int:
        return int(self.counts.sum())


@dataclass(frozen=True, eq=False)
class Ranked:
    """The kept types, most frequent first, and totals.

    words : V strings; counts : int64[V]; types, tokens, cut_words : of the whole corpus; most : the
    largest count; parted : number of words of the corpus that hyphens at line ends cut elsewhere
    """

    words: Sequence[str]
    counts: npt.NDArray[np.int64]
    types: int
    tokens: int
    cut_words: int
    most: int
    parted: int = 0


def table_of(numbering: Numbering, options: CorpusOptions, run: JobControl) -> WordTable:
    """The types of a numbering, after all token filters."""
    words, counts = numbering.words(), numbering.counts
    refinement = Refinement(options)
    if refinement.active:
        merged = refinement.merge(words, counts, run)
        words, counts = merged.words, merged.counts
    forms = frozenset(numbering.repairs.forms)
    return WordTable(tuple(words), counts, numbering.cut_words, forms)


def merge_tables(tables: Sequence[WordTable]) -> WordTable:
    """The merged types of consecutive stretches."""
    first = tables[0]
    if len(tables) == 1:
        return first
    index = {word: row for row, word in enumerate(first.words)}
    rows = [np.arange(len(index))]
    for table in tables[1:]:
        rows.append(
            np.array([index.setdefault(word, len(index)) for word in table.words], dtype=np.int64)
        )
    counts = np.zeros(len(index), dtype=np.int64)
    for table, own in zip(tables, rows, strict=True):
        # No word occurs twice in a table.
        counts[own] += table.counts
    forms = frozenset().union(*(table.forms for table in tables))
    return WordTable(tuple(index), counts, sum(table.cut_words for table in tables), forms)


def rank_table(table: WordTable, min_count: int, max_vocab: int) -> Ranked:
    """Words that ``Corpus.vocabulary`` would choose; perhaps none."""
    order = np.argsort(-table.counts, kind="stable")
    kept = order[table.counts[order] >= min_count]
    if max_vocab:
        kept = kept[:max_vocab]
    most = int(table.counts.max()) if len(table.counts) else 0
    words = tuple(table.words[row] for row in kept.tolist())
    parted = len(table.forms.intersection(map(str.lower, table.words))) if table.forms else 0
    return Ranked(
        words, table.counts[kept], len(table.words), table.tokens, table.cut_words, most, parted
    )


# -- for workers


def pack_words(words: Sequence[str]) -> bytes:
    """A vocabulary as bytes for workers. Tokens contain no spaces, so line ends can separate
    them.
    """
    return zlib.compress("\n".join(words).encode("utf-8", "surrogatepass"), 1)


@lru_cache(maxsize=2)
def index_of(words: bytes) -> dict[str, int]:
    """Ranks by word; cached for the next part."""
    return {
        word: row
        for row, word in enumerate(
            zlib.decompress(words).decode("utf-8", "surrogatepass").split("\n")
        )
    }


def ranks_of(
    numbering: Numbering, options: CorpusOptions, index: dict[str, int], run: JobControl
) -> npt.NDArray[np.int32]:
    """int32[types]: the rank of every number of a numbering, V if it is left out."""
    words = numbering.words()
    size = len(index)
    refinement = Refinement(options)
    if not refinement.active:
        return np.array([index.get(word, size) for word in words], dtype=np.int32)
    merged = refinement.merge(words, numbering.counts, run)
    ranks = np.array([*(index.get(word, size) for word in merged.words), size], dtype=np.int32)
    # −1, for types that the refinement leaves out, indexes the last element.
    return ranks[merged.numbers]
