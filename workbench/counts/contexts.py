"""The contexts of one word, without counting the whole corpus: a row of #(w, c) and its marginals.

For a corpus of counts, the stored row and sums.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.context_iterator import outwards, places_of
from workbench.corpus.corpus import Corpus
from workbench.counts.cell_source import Mapped
from workbench.counts.cooccurrence import window_weights
from workbench.counts.count_tables import check_counted
from workbench.counts.counts_corpus import CountedCorpus

_BLOCK = 1 << 20
_KEEP = 8


@dataclass(frozen=True, eq=False)
class ContextRow:
    """Context of one word.

    columns : int64[n], ids of contexts, ascending
    times : int64[n], the number of pairs of positions; for counts alone, a lower bound
    counts : float64[n], the same weighted by the window: #(w, c)
    """

    columns: Ints
    times: Ints
    counts: Doubles


def context_row(
    corpus: Corpus,
    size: int,
    row: int,
    window: int = 5,
    weighting: str = "dynamic",
    run: JobControl | None = None,
) -> ContextRow:
    """Row ``row`` of ``cooccurrence`` for the ``size`` most frequent words, from the word's own
    positions.

    Raises UserError for an invalid window or weighting, for counts made with other settings, and
    Cancelled.
    """
    whole, divisor = window_weights(window, weighting)
    if isinstance(corpus, CountedCorpus):
        check_counted(corpus, window, weighting)
        counts = _stored_row(corpus, size, row)
        columns = np.flatnonzero(counts)
        most = float(whole.max()) / divisor
        return ContextRow(
            columns, np.ceil(counts[columns] / most - 1e-9).astype(np.int64), counts[columns]
        )
    times = np.zeros(size, dtype=np.int64)
    sums = np.zeros(size)
    for step in outwards(corpus, places_of(corpus, row, run), window, size, run):
        times += np.bincount(step.ids, minlength=size)
        sums += np.bincount(step.ids, weights=whole[step.distance - 1], minlength=size)
    columns = np.flatnonzero(times)
    return ContextRow(columns, times[columns], sums[columns] / divisor)


def context_totals(
    corpus: Corpus,
    size: int,
    window: int = 5,
    weighting: str = "dynamic",
    run: JobControl | None = None,
) -> Doubles:
    """#(c) = Σ_w #(w, c): float64[size], the sums of the columns (and rows) of ``cooccurrence``.

    A token's contribution depends only on the number of tokens on each side in its sentence, so one
    pass without pairs is enough. The latest results are cached in memory. Raises UserError, also
    for counts made with other settings, and Cancelled.
    """
    if isinstance(corpus, CountedCorpus):
        check_counted(corpus, window, weighting)
    key = (corpus.digest, size, window, weighting)
    with _LOCK:
        found = _KEPT.get(key)
        if found is not None:
            _KEPT.move_to_end(key)
            return found
    if isinstance(corpus, CountedCorpus):
        totals = Mapped(corpus.shards, size, run or JobControl()).column_sums
    else:
        totals = _totals(corpus, size, window, weighting, run)
    with _LOCK:
        _KEPT[key] = totals
        while len(_KEPT) > _KEEP:
            _KEPT.popitem(last=False)
    return totals


_KEPT: OrderedDict[tuple[str, int, int, str], Doubles] = OrderedDict()
_LOCK = threading.Lock()


def _stored_row(corpus: CountedCorpus, size: int, row: int) -> Doubles:
    """float64[size], a row of stored counts. Raises UserError if it cannot be read."""
    number = next(
        at for at, shard in enumerate(corpus.shards.shards) if shard.first <= row < shard.last
    )
    part = corpus.shards.rows(number)
    at = row - corpus.shards.shards[number].first
    cells = slice(int(part.indptr[at]), int(part.indptr[at + 1]))
    counts = np.zeros(len(corpus.words))
    counts[part.indices[cells]] = part.data[cells]
    return counts[:size]


def _totals(
    corpus: Corpus, size: int, window: int, weighting: str, run: JobControl | None
) -> Doubles:
    whole, divisor = window_weights(window, weighting)
    # reach[r]: the total weight of r neighbours on one side.
    reach = np.concatenate([[0.0], np.cumsum(whole)])
    before = _kept_before(corpus, size, run)
    totals = np.zeros(size)
    number = 0
    for begin in range(0, corpus.tokens, _BLOCK):
        if run is not None:
            run.check()
            run.advance(0.5 + 0.5 * begin / corpus.tokens, tr("Summing the context counts"))
        ids = np.asarray(corpus.ids[begin : begin + _BLOCK])
        places = np.flatnonzero(ids < size)
        sentence = np.searchsorted(corpus.sentences, places + begin, side="right")
        numbers = np.arange(number, number + len(places))
        number += len(places)
        left = np.minimum(numbers - before[sentence - 1], window)
        right = np.minimum(before[sentence] - 1 - numbers, window)
        totals += np.bincount(ids[places], weights=reach[left] + reach[right], minlength=size)
    return np.asarray(totals / divisor)


def _kept_before(corpus: Corpus, size: int, run: JobControl | None) -> Ints:
    """int64[S + 1], number of tokens of the vocabulary before each sentence boundary."""
    before = np.zeros(len(corpus.sentences), dtype=np.int64)
    kept = 0
    for begin in range(0, corpus.tokens, _BLOCK):
        if run is not None:
            run.check()
            run.advance(0.5 * begin / corpus.tokens, tr("Summing the context counts"))
        sums = np.cumsum(np.asarray(corpus.ids[begin : begin + _BLOCK]) < size)
        first, last = np.searchsorted(corpus.sentences, [begin, begin + len(sums)], side="right")
        inside = corpus.sentences[first:last] - begin
        before[first:last] = kept + sums[inside - 1]
        kept += int(sums[-1])
    return before
