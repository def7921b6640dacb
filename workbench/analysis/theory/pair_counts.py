"""Pair counts as an algorithm counts them, for comparisons of a model with its theory."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.corpus.suggestions import unknown_words
from workbench.corpus.word_lookup import look_up
from workbench.counts.chunked_ops import portion, spread, sums
from workbench.counts.count_tables import effective_table, plain_table
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class PairCountSettings:
    """Settings of the counting of pairs; names and meanings are those of the algorithms'
    parameters.

    ``sample`` 0 counts every token. Not ``symmetric``: rows are words, columns the words before
    them.
    """

    window: int = 5
    window_weighting: str = "dynamic"
    sample: float = 1e-3
    sample_formula: str = "word2vec"
    symmetric: bool = True
    min_count: int = 1
    max_vocab: int = 0

    @classmethod
    def of(cls, parameters: Mapping[str, Any]) -> PairCountSettings:
        """Count settings of an algorithm with these parameters; without ``sample``, every token is
        kept.
        """
        known = {field.name for field in fields(cls)}
        settings = replace(
            cls(), **{name: value for name, value in parameters.items() if name in known}
        )
        if "sample" in parameters or not parameters:
            return settings
        return replace(settings, sample=0.0)


@dataclass(frozen=True, eq=False)
class PairCounts:
    """#(w, c) among n words, with sums of rows and columns over the whole vocabulary.

    words : the n most frequent words that the model also has; ids : int64[n], their rows in the
    vocabulary
    cells : CSR float64[n, n], only observed pairs, columns sorted
    row_sums, column_sums : float64[V], #(w) and #(c) of every word of the vocabulary
    counts : int64[V], corpus frequencies n(w)
    options : how the corpus was read
    """

    words: tuple[str, ...]
    ids: Ints
    cells: sp.csr_matrix
    row_sums: Doubles
    column_sums: Doubles
    counts: Ints
    options: CorpusOptions | None = None

    @cached_property
    def index(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}

    @property
    def total(self) -> float:
        """|D|."""
        return float(self.row_sums.sum())

    @cached_property
    def rows(self) -> Ints:
        """int64[cells], the row of every cell, in storage order."""
        return spread(np.arange(len(self.words)), self.cells.indptr).astype(np.int64)

    def knows(self, word: str) -> bool:
        """Whether a word, in the spelling of the corpus, is among the n words."""
        return look_up(word, self.index, self.options) is not None

    def row(self, word: str) -> int:
        """Index of a word among the n words. Raises UnknownWord."""
        found = look_up(word, self.index, self.options)
        if found is None:
            raise unknown_words([word], self.words)
        return found

    def count(self, row: int, column: int) -> float:
        """#(w, c) of one pair, 0 if it was never observed."""
        return float(self.cells[row, column])


def count_pairs(
    corpus: Corpus,
    counting: PairCountSettings,
    top: int = 0,
    embeddings: Embeddings | None = None,
    run: JobControl | None = None,
) -> PairCounts:
    """Count as requested, and keep the ``top`` most frequent words (0: all) that have rows in
    ``embeddings``.

    Enters phase COUNTING; cached with a corpus on disk. Raises UserError if no two of
    these words co-occur, and Cancelled.
    """
    vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
    window = (counting.window, counting.window_weighting)
    if counting.sample:
        table = effective_table(corpus, vocabulary, counting, run)
    else:
        table = plain_table(corpus, vocabulary, *window, counting.symmetric, run)
        if not counting.symmetric:
            table = table.T.tocsr()
    row_sums, column_sums = sums(table)
    words = vocabulary.words
    known = (
        range(len(words))
        if embeddings is None
        else [row for row, word in enumerate(words) if word in embeddings]
    )
    ids = np.array(known[:top] if top else known, dtype=np.int64)
    if not len(ids):
        raise UserError(
            tr("No words of this corpus are in the model’s vocabulary."),
            tr("Open the corpus that the model was trained on."),
        )
    if run is not None:
        run.check()
    table = portion(table, ids)
    if table.nnz == 0:
        raise UserError(
            tr("None of these words co-occur."), tr("Choose more words or a larger window.")
        )
    return PairCounts(
        tuple(words[row] for row in ids),
        ids,
        table,
        row_sums,
        column_sums,
        vocabulary.counts,
        corpus.options,
    )


class PairsKept:
    """Cache of the last pair counts, for views that use them repeatedly. Thread-safe."""

    def __init__(self, most: int = 4) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._held: OrderedDict[tuple[object, ...], PairCounts] = OrderedDict()

    @staticmethod
    def _key(
        corpus: Corpus, counting: PairCountSettings, top: int, embeddings: Embeddings | None
    ) -> tuple[object, ...]:
        words = None if embeddings is None else (len(embeddings), hash(tuple(embeddings.words)))
        return (corpus.digest, counting, top, words)

    def holds(
        self, corpus: Corpus, counting: PairCountSettings, top: int, embeddings: Embeddings | None
    ) -> bool:
        with self._lock:
            return self._key(corpus, counting, top, embeddings) in self._held

    def get(
        self,
        corpus: Corpus,
        counting: PairCountSettings,
        top: int,
        embeddings: Embeddings | None,
        run: JobControl | None = None,
    ) -> PairCounts:
        """Counted pairs, see :func:`count_pairs`."""
        key = self._key(corpus, counting, top, embeddings)
        with self._lock:
            found = self._held.get(key)
            if found is not None:
                self._held.move_to_end(key)
                return found
        pairs = count_pairs(corpus, counting, top, embeddings, run)
        with self._lock:
            self._held[key] = pairs
            while len(self._held) > self._most:
                self._held.popitem(last=False)
        return pairs
