"""Counts of the heatmap, cached in memory by corpus and settings."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Ints
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.association import associate
from workbench.counts.count_tables import effective_table, plain_table
from workbench.counts.counts_corpus import CountedCorpus
from workbench.counts.expected_counts import WindowSettings, target

Key = tuple[object, ...]

# In a corpus with this many tokens, words that make up a small share of it are counted alone.
_LARGE = 2_000_000
_FEW = 0.2
_KEPT_BYTES = 768 * 1024 * 1024


class MatrixCache:
    """The last used matrices, up to a number of bytes (the newest is kept whatever its size)."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._lock = threading.Lock()
        self._matrices: OrderedDict[Key, sp.csr_matrix] = OrderedDict()

    def __contains__(self, key: Key) -> bool:
        with self._lock:
            return key in self._matrices

    def get(self, key: Key, make: Callable[[], sp.csr_matrix]) -> sp.csr_matrix:
        with self._lock:
            found = self._matrices.get(key)
            if found is not None:
                self._matrices.move_to_end(key)
                return found
        entry = make()
        with self._lock:
            self._matrices[key] = entry
            while (
                len(self._matrices) > 1 and sum(map(size_of, self._matrices.values())) > self._limit
            ):
                self._matrices.popitem(last=False)
        return entry

    def clear(self) -> None:
        with self._lock:
            self._matrices.clear()


def size_of(matrix: sp.csr_matrix) -> int:
    """Size of a matrix in bytes."""
    return int(matrix.data.nbytes + matrix.indices.nbytes + matrix.indptr.nbytes)


KEPT = MatrixCache(_KEPT_BYTES)


def plain_counts(
    corpus: Corpus,
    vocabulary: Vocabulary,
    window: int,
    weighting: str,
    run: JobControl | None,
    symmetric: bool = True,
) -> tuple[sp.csr_matrix, Key]:
    """#(w, c) of all words and its cache key; not ``symmetric``: columns precede their rows."""
    key: Key = ("count", corpus.digest, len(vocabulary), window, weighting, symmetric)

    def count() -> sp.csr_matrix:
        table = plain_table(corpus, vocabulary, window, weighting, symmetric, run)
        if symmetric:
            return table
        return table.T.tocsr()

    return KEPT.get(key, count), key


def expected_counts(
    corpus: Corpus,
    vocabulary: Vocabulary,
    settings: WindowSettings,
    rows: Ints | None,
    run: JobControl | None,
) -> tuple[sp.csr_matrix, Key]:
    """#(w, c) expected under subsampling, and its cache key; at least the ``rows`` (None: all) are
    filled.
    """
    key: Key = (
        "effective",
        corpus.digest,
        len(vocabulary),
        settings.window,
        settings.window_weighting,
        settings.sample,
        settings.sample_formula,
    )
    wanted = None if rows is None else np.unique(rows)
    share = 1.0
    if wanted is not None:
        share = float(vocabulary.counts[wanted].sum()) / vocabulary.tokens
    if isinstance(corpus, CountedCorpus) or corpus.tokens < _LARGE or share > _FEW or key in KEPT:
        return KEPT.get(key, lambda: effective_table(corpus, vocabulary, settings, run)), key
    # Expected counts take long, and each row can be computed alone.
    assert wanted is not None
    key = (*key, tuple(wanted.tolist()))
    return KEPT.get(
        key, lambda: effective_table(corpus, vocabulary, settings, run, words=wanted)
    ), key


def xstar_of(
    counts: sp.csr_matrix, key: Key, vocabulary: Vocabulary, k: int, exponent: float
) -> sp.csr_matrix:
    """x* of every counted pair (LG14)."""
    return KEPT.get(("xstar", k, exponent, *key), lambda: target(counts, vocabulary, k, exponent))


def cached_association(
    counts: sp.csr_matrix,
    key: Key,
    kind: str,
    shift: float,
    smoothing: float,
    run: JobControl | None,
) -> sp.csr_matrix:
    """A measure of association of every counted pair."""
    return KEPT.get(
        (kind, shift, smoothing, *key), lambda: associate(counts, kind, shift, smoothing, run)
    )
