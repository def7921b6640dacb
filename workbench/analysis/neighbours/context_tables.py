"""Counts of a word's contexts: words of the text, or contexts with a vocabulary of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np

from workbench.core.arrays import Doubles
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cell_source import Held
from workbench.counts.context_kinds import CONTEXT_KINDS, WORDS, context_counts
from workbench.counts.contexts import ContextRow, context_row, context_totals
from workbench.counts.counts_corpus import CountedCorpus, counts_of
from workbench.vectors.embeddings import Embeddings


class ContextCounts(ABC):
    """Rows of #(w, c).

    names : the contexts; totals : #(c), float64, in their order
    """

    names: Sequence[str]
    totals: Doubles

    @abstractmethod
    def row(self, row: int) -> ContextRow:
        """The contexts of a word. Raises UserError and Cancelled."""

    @abstractmethod
    def total(self, row: int, cells: ContextRow) -> float:
        """#(w), with the contexts of the word."""


class _InText(ContextCounts):
    def __init__(
        self,
        corpus: Corpus,
        vocabulary: Vocabulary,
        window: tuple[int, str],
        run: JobControl | None,
    ) -> None:
        self.names = vocabulary.words
        self._asked = corpus, len(vocabulary), window, run
        self.totals = context_totals(corpus, len(vocabulary), *window, run)

    def row(self, row: int) -> ContextRow:
        corpus, size, window, run = self._asked
        return context_row(corpus, size, row, *window, run)

    def total(self, row: int, cells: ContextRow) -> float:
        return float(self.totals[row])


class _Held(ContextCounts):
    def __init__(self, counts: Held, names: Sequence[str]) -> None:
        self.names, self.totals = names, counts.column_sums
        self._matrix = counts.matrix

    def row(self, row: int) -> ContextRow:
        cells = slice(int(self._matrix.indptr[row]), int(self._matrix.indptr[row + 1]))
        counts = np.asarray(self._matrix.data[cells], dtype=np.float64)
        columns = self._matrix.indices[cells].astype(np.int64)
        # Only counts are known; rounded up, they are a lower bound of the number of occurrences.
        return ContextRow(columns, np.ceil(counts - 1e-9).astype(np.int64), counts)

    def total(self, row: int, cells: ContextRow) -> float:
        return float(cells.counts.sum())


def context_table(
    corpus: Corpus,
    vocabulary: Vocabulary,
    window: tuple[int, str],
    embeddings: Embeddings | None = None,
    run: JobControl | None = None,
) -> ContextCounts:
    """The counts of a corpus over ``vocabulary``, with contexts as the embeddings' algorithm had
    them.

    window : its length and weighting. Raises UserError for counts made with other settings, and
    Cancelled.
    """
    run = run or JobControl()
    if isinstance(corpus, CountedCorpus) and corpus.own_contexts is not None:
        counts = counts_of(corpus, vocabulary, _no_text, run)
        assert isinstance(counts, Held)
        return _Held(counts, corpus.own_contexts)
    kind = contexts_kind(embeddings)
    if kind != WORDS and not isinstance(corpus, CountedCorpus):
        counts = context_counts(corpus, vocabulary, kind, *window, run=run)
        assert counts.own_contexts is not None
        return _Held(counts, counts.own_contexts)
    return _InText(corpus, vocabulary, window, run)


def contexts_kind(embeddings: Embeddings | None) -> str:
    """The kind of contexts that an algorithm counted in a text, one of CONTEXT_KINDS."""
    if embeddings is None or embeddings.own_contexts is None:
        return WORDS
    parameters = embeddings.metadata.get("parameters")
    kind = parameters.get("contexts", WORDS) if isinstance(parameters, dict) else WORDS
    return kind if kind in CONTEXT_KINDS else WORDS


def _no_text() -> Held:
    raise AssertionError("counts are stored")
