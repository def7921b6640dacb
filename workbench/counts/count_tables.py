"""Co-occurrence tables of a text or of saved counts."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.memory import free_memory
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cell_source import Mapped
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import CountedCorpus, needs_one_vocabulary
from workbench.counts.expected_counts import WindowSettings, effective_counts

# Bytes of a cell in memory, and the maximum share of the free memory for one table.
_CELL_BYTES, _SHARE = 12, 0.3


def plain_table(
    corpus: Corpus,
    vocabulary: Vocabulary,
    window: int,
    weighting: str,
    symmetric: bool = True,
    run: JobControl | None = None,
) -> sp.csr_matrix:
    """#(w, c) as ``cooccurrence`` returns it, counted, or read if the corpus consists of counts.

    Raises UserError for counts that were made with other settings, or don't fit into memory, and
    Cancelled.
    """
    if not isinstance(corpus, CountedCorpus):
        return cooccurrence(corpus, vocabulary, window, weighting, symmetric, run=run)
    check_counted(corpus, window, weighting, symmetric)
    return _read(corpus, vocabulary, run or JobControl())


def check_counted(
    corpus: CountedCorpus, window: int, weighting: str, symmetric: bool = True
) -> None:
    """Raise UserError for counts that were made with other settings, or whose contexts aren't
    words.
    """
    several = needs_one_vocabulary(corpus)
    if several is not None:
        raise several
    counting = corpus.counting
    wanted_counting = {
        "window": window,
        "window_weighting": weighting,
        "symmetric": symmetric,
        "sample": 0.0,
    }
    if any(value != counting[name] for name, value in wanted_counting.items() if name in counting):
        raise _otherwise(corpus)


def stored_table(corpus: CountedCorpus, vocabulary: Vocabulary, run: JobControl) -> sp.csr_matrix:
    """#(w, c) of stored counts over ``vocabulary``, with cells that are mapped from temporary
    files.

    For reading the cells once, in no particular order. Raises UserError if the disk is full or
    contexts aren't words, and Cancelled.
    """
    several = needs_one_vocabulary(corpus)
    if several is not None:
        raise several
    counts = Mapped(corpus.shards, len(vocabulary), run)
    indptr, columns = counts.where(run)
    values = counts.room(counts.nnz, np.float64)
    for piece in counts.pieces():
        run.check()
        run.advance(piece.first / counts.size, tr("Reading the counts"))
        begin = int(indptr[piece.first])
        values[begin : begin + len(piece.values)] = piece.values
    table: Any = sp.csr_matrix((counts.size, counts.size), dtype=np.float64)
    # Assigned directly, because the constructor would copy arrays of different index types.
    table.indptr, table.indices, table.data = indptr, columns, values
    table.has_sorted_indices = True
    table.has_canonical_format = True
    return cast(sp.csr_matrix, table)


def effective_table(
    corpus: Corpus,
    vocabulary: Vocabulary,
    settings: WindowSettings,
    run: JobControl | None = None,
    words: npt.NDArray[np.int64] | None = None,
    threads: int = 0,
) -> sp.csr_matrix:
    """#(w, c) expected under subsampling, as ``effective_counts`` returns it; for a corpus of
    counts, only without subsampling.

    Raises UserError as ``plain_table``, and Cancelled.
    """
    if not isinstance(corpus, CountedCorpus):
        return effective_counts(corpus, vocabulary, settings, run, threads=threads, words=words)
    if settings.sample:
        raise _otherwise(corpus)
    window, weighting = settings.window, settings.window_weighting
    return plain_table(corpus, vocabulary, window, weighting, True, run)


def _read(corpus: CountedCorpus, vocabulary: Vocabulary, run: JobControl) -> sp.csr_matrix:
    shards = corpus.shards
    if _CELL_BYTES * shards.nnz > _SHARE * free_memory():
        raise UserError(
            tr(
                "{name} has {cells:,} cells, too many to show.",
                name=corpus.name,
                cells=shards.nnz,
            ),
            tr("Train from it, or count again with a smaller vocabulary."),
        )
    run.enter(Phase.READING, tr("Reading the counts"))
    run.check()
    table = shards.to_csr()
    size = len(vocabulary)
    if size == table.shape[0]:
        return table
    return table[:size, :size].tocsr()


def _otherwise(corpus: CountedCorpus) -> UserError:
    return UserError(
        tr(
            "Can’t use {name} with these settings: it was counted with others, and the "
            "text isn’t available.",
            name=corpus.name,
        ),
        tr("Open the original text."),
    )
