"""Parameters, counting and association measures shared by the algorithms of the PMI family."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.machine.threads import usable_threads
from workbench.core.params import redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.association import associate, warm_positive
from workbench.counts.cell_source import CellSource, Held
from workbench.counts.context_kinds import WORDS, context_counts
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import counts_of
from workbench.counts.expected_counts import SampledWindow, WindowSettings, effective_counts
from workbench.models.params import ContextParams, ModelParams, SharedParams

# Measured seconds of a thread: per token in a window, and per cell.
_PER_PAIR = 4e-9
_PER_CELL = 6e-8
# Expected counts under subsampling take about this many times as long as plain ones.
_EXPECTED = 12


@dataclass(frozen=True)
class PairParams(ModelParams):
    """Hyperparameters of the counting of word pairs."""

    window: int = redeclare(
        SharedParams,
        "window",
        source="word2vec.c -window 5, for comparable vectors; hyperwords uses 2",
    )
    window_weighting: str = redeclare(
        SharedParams,
        "window_weighting",
        source="word2vec.c: dynamic, in expectation; hyperwords uses fixed",
    )
    sample: float = redeclare(SharedParams, "sample")
    sample_formula: str = redeclare(SharedParams, "sample_formula")


@dataclass(frozen=True)
class PMIParams(ContextParams, PairParams):
    """Hyperparameters of counting and of the shifted PMI."""

    shift: float = redeclare(SharedParams, "shift")
    context_smoothing: float = redeclare(SharedParams, "context_smoothing")


def positive_pmi(
    corpus: Corpus,
    vocabulary: Vocabulary,
    params: PMIParams,
    threads: int,
    run: JobControl | None = None,
) -> sp.csr_matrix:
    """max(PMI_α(w, c) − log k, 0), only positive cells: CSR float64[V, V].

    Raises UserError if no cell is positive, and Cancelled.
    """
    return positive_cells(corpus, vocabulary, params, threads, run or JobControl()).csr()


def positive_pmi_of(
    counts: sp.csr_matrix, params: PMIParams, run: JobControl | None = None
) -> sp.csr_matrix:
    """``positive_pmi`` of given counts, CSR float64[V, V]. Raises UserError and Cancelled."""
    matrix = associate(counts, "sppmi", params.shift, params.context_smoothing, run)
    if matrix.nnz == 0:
        raise no_positive_pmi()
    return matrix


def positive_cells(
    corpus: Corpus, vocabulary: Vocabulary, params: PMIParams, threads: int, run: JobControl
) -> CellSource:
    """max(PMI_α(w, c) − log k, 0) as a source of cells; for a corpus of counts of words, the matrix
    is never in memory as a whole.
    """
    counts = counts_of(
        corpus, vocabulary, partial(count_pairs, corpus, vocabulary, params, threads, run), run
    )
    matrix = counts.positive(params.shift, params.context_smoothing, run)
    if matrix.nnz == 0:
        raise no_positive_pmi()
    return matrix


class ContextWindow(WindowSettings, Protocol):
    """Settings for counting pairs, with the kind of contexts."""

    @property
    def contexts(self) -> str: ...


def count_pairs(
    corpus: Corpus, vocabulary: Vocabulary, params: ContextWindow, threads: int, run: JobControl
) -> sp.csr_matrix | Held:
    """#(w, c) of a text with the contexts that ``params`` choose. Raises UserError and
    Cancelled.
    """
    if params.contexts == WORDS:
        return effective_counts(corpus, vocabulary, params, run, threads=threads)
    window, weighting = params.window, params.window_weighting
    return context_counts(corpus, vocabulary, params.contexts, window, weighting, threads, run)


def no_positive_pmi() -> UserError:
    """Error for counts without a positive PMI."""
    return UserError(
        tr("No words co-occur more often than by chance, so the PMI matrix is empty."),
        tr("Choose a longer corpus, a larger window, or a smaller shift."),
    )


def counting_seconds(
    vocabulary: Vocabulary, params: PairParams, cells: float, threads: int
) -> float:
    """Expected seconds of ``effective_counts`` and of the work on its ``cells``."""
    seconds = 2 * params.window * vocabulary.tokens * _PER_PAIR + cells * _PER_CELL
    return seconds * (_EXPECTED if params.sample else 1) / usable_threads(threads)


def warm_counting() -> None:
    """Compile the counting kernels, or load them from the cache."""
    ids = np.array([0, 1, 0, 2, 1], dtype=np.int32)
    corpus = Corpus("", ids, np.array([0, 3, 5]), ("a", "b", "c"), np.array([2, 2, 1]), "")
    vocabulary = corpus.vocabulary()
    cooccurrence(corpus, vocabulary, 2, threads=1)
    warm_positive()
    effective_counts(corpus, vocabulary, SampledWindow(2, sample=0.1), threads=1)
