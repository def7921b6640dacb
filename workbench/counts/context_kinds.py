"""Contexts that say where a word is: on which side, or at which distance and side.

For “the dog barks” and the word “dog”, the contexts are

    words      the, barks
    side       the_-, barks_+
    position   the_-1, barks_+1

(Levy & Goldberg 2014, Linguistic Regularities in Sparse and Explicit Word Representations, section
2, for positions). Every context is a column of its own, so the table has more columns than rows.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cell_source import Held
from workbench.counts.cooccurrence import cooccurrence, window_weights

CONTEXT_KINDS = ("words", "side", "position")
WORDS, SIDE, POSITION = CONTEXT_KINDS


def context_counts(
    corpus: Corpus,
    vocabulary: Vocabulary,
    kind: str,
    window: int,
    weighting: str,
    threads: int = 0,
    run: JobControl | None = None,
) -> Held:
    """#(w, c) with contexts of a ``kind`` other than WORDS, weighted as by ``cooccurrence``.

    The columns are the observed contexts, the most frequent first; ties by the word's rank, then
    from left to right. Without its suffix, a context is a word of ``vocabulary``; added up over
    suffixes, the counts are those of ``cooccurrence``. Raises UserError and Cancelled.
    """
    run = run or JobControl()
    after = list(_after(corpus, vocabulary, kind, window, weighting, threads, run))
    suffixes = [f"_-{place}" for place, _ in reversed(after)]
    suffixes += [f"_+{place}" for place, _ in after]
    run.check()
    tables = [table.T.tocsr() for _, table in reversed(after)] + [table for _, table in after]
    joined = sp.csr_matrix(sp.hstack(tables, format="csr"))
    del tables, after
    run.check()
    size = len(vocabulary)
    sums = np.asarray(joined.sum(axis=0), dtype=np.float64).ravel()
    columns = np.arange(len(sums))
    order = np.lexsort((columns // size, columns % size, -sums))
    order = order[sums[order] > 0]
    words = vocabulary.words
    contexts = [words[column % size] + suffixes[column // size] for column in order.tolist()]
    place = np.zeros(len(sums), dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    matrix = sp.csr_matrix(
        (joined.data, place[joined.indices], joined.indptr), shape=(size, len(order))
    )
    matrix.sort_indices()
    return Held(matrix, contexts)


def _after(
    corpus: Corpus,
    vocabulary: Vocabulary,
    kind: str,
    window: int,
    weighting: str,
    threads: int,
    run: JobControl,
) -> Iterator[tuple[str, sp.csr_matrix]]:
    """The counts of words after a word, by the end of their suffix, nearest first. Those before it
    are the transposes.
    """
    if kind == SIDE:
        yield "", cooccurrence(corpus, vocabulary, window, weighting, False, threads, run)
        return
    weights, divisor = window_weights(window, weighting)
    nearer: sp.csr_matrix | None = None
    for distance in range(1, window + 1):
        within = cooccurrence(corpus, vocabulary, distance, "fixed", False, threads, run)
        table = within
        if nearer is not None:
            # Whole numbers, so the difference is exact.
            table = sp.csr_matrix(within - nearer)
            table.eliminate_zeros()
        nearer = within
        yield str(distance), table * (float(weights[distance - 1]) / divisor)
