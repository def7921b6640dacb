"""Windowed co-occurrence counts."""

from __future__ import annotations

import math

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Bools, Doubles
from workbench.core.errors import UserError
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import usable_threads
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts import cache
from workbench.counts.cooccurrence_kernel import (
    BLOCK_TOKENS,
    Block,
    Cells,
    Scanner,
    Work,
    add_pairs,
    begin_row,
    finish_row,
)

WEIGHTINGS = ("dynamic", "fixed", "harmonic", "linear")


def window_weights(window: int, weighting: str) -> tuple[Doubles, float]:
    """Weights of pairs at distance δ = 1..L: float64[L] and a common divisor.

    "dynamic" (L − δ + 1)/L, the expectation of word2vec's random radius (M13a; LGD15); "fixed" 1;
    "harmonic" 1/δ (P14); "linear" L − δ + 1 (LB96). Weights are whole numbers if possible, so that
    their sums are exact.

    Raises UserError for an unknown weighting or a window below 1.
    """
    if window < 1:
        raise UserError(
            tr("A window of {window} contains no context.", window=window),
            tr("Choose a window of at least 1."),
        )
    distance = np.arange(1, window + 1, dtype=np.float64)
    if weighting == "dynamic":
        return window + 1.0 - distance, float(window)
    if weighting == "fixed":
        return np.ones(window), 1.0
    if weighting == "linear":
        return window + 1.0 - distance, 1.0
    if weighting == "harmonic":
        common = math.lcm(*range(1, window + 1))
        if common < 1 << 28:
            return common / distance, float(common)
        return 1.0 / distance, 1.0
    raise UserError(
        tr("Unknown window weighting “{weighting}”.", weighting=weighting),
        tr("Choose one of: {names}.", names=", ".join(WEIGHTINGS)),
    )


def cooccurrence(
    corpus: Corpus,
    vocabulary: Vocabulary,
    window: int = 5,
    weighting: str = "dynamic",
    symmetric: bool = True,
    threads: int = 0,
    run: JobControl | None = None,
) -> sp.csr_matrix:
    """#(w, c): the weighted number of times word c occurs within ``window`` of word w.

    Words outside the vocabulary are removed before windows are formed, so that gaps close; no
    window crosses a sentence end (very long sentences are not cut). ``symmetric`` counts contexts
    on both sides; otherwise only later words are contexts (row: word, column: word after it).

    Returns CSR float64[V, V], columns sorted, only observed cells; the same for any number of
    ``threads`` (0: the usable cores). Cached with a corpus on disk. Enters phase COUNTING. Raises
    UserError for an invalid window or weighting, and Cancelled.
    """
    run = run or JobControl()
    run.enter(Phase.COUNTING, tr("Counting co-occurrences"))
    size, both = len(vocabulary), bool(symmetric)

    def count() -> sp.csr_matrix:
        return count_rows(corpus, size, window, weighting, threads, run, symmetric=both)

    return cache.load_or_count(corpus, ("cooccurrence", size, window, weighting, both), count, run)


def count_rows(
    corpus: Corpus,
    size: int,
    window: int,
    weighting: str,
    threads: int,
    run: JobControl,
    rows: Bools | None = None,
    symmetric: bool = True,
) -> sp.csr_matrix:
    """``cooccurrence`` of the ``size`` first words, without the cache; ``rows``: bool[V], the
    requested rows, all others stay empty.
    """
    scanner = window_scanner(window, weighting, symmetric)
    return add_pairs(corpus, size, scanner, threads=threads, run=run, rows=rows)


def window_scanner(window: int, weighting: str, symmetric: bool = True) -> Scanner:
    """What counts the pairs in windows. Raises UserError for an invalid window or weighting."""
    weights, divisor = window_weights(window, weighting)

    def scan(block: Block, before: Cells, work: Work, last: int, budget: int) -> None:
        scan_block(block, before, work, last, budget, weights, symmetric)

    budget = max(1, 10_000_000 // (window * (2 if symmetric else 1)))
    return Scanner(scan, window, budget, divisor)


def estimate_bytes(
    corpus: Corpus, vocabulary: Vocabulary, window: int = 5, symmetric: bool = True
) -> int:
    """Peak memory of ``cooccurrence`` in bytes, estimated from word frequencies alone.

    Assumes that words occur at random positions. Text repeats itself, so fewer cells are nonzero,
    and the estimate is usually too high.
    """
    cells = expected_cells(vocabulary, window * (2 if symmetric else 1))
    size = len(vocabulary)
    block = min(corpus.tokens, BLOCK_TOKENS)
    copies = 2 if corpus.tokens > BLOCK_TOKENS else 1
    per_thread = 12 * max(size, 1 << 21) + 13 * size
    return int(12 * cells * copies + 8 * block + usable_threads(0) * per_thread + 64 * size)


def expected_cells(vocabulary: Vocabulary, neighbours: float, frequent: int | None = None) -> float:
    """Expected nonzero cells of the V × V table, or of the rows of the ``frequent`` first words, if
    every token had that many random neighbours.

    Σ_wc 1 − exp(−neighbours·n(w)·n(c)/N), with words of similar frequency grouped.
    """
    counts = vocabulary.counts.astype(np.float64)
    groups = np.floor(16 * np.log(np.maximum(counts, 1.0)))
    _, inverse, words = np.unique(groups, return_inverse=True, return_counts=True)
    mean = np.bincount(inverse, weights=counts) / words
    met = -np.expm1(-neighbours * np.outer(mean, mean) / max(vocabulary.tokens, 1))
    rows = np.bincount(inverse[:frequent], minlength=len(words))
    return float(rows @ met @ words)


@kernel
def scan_block(
    block: Block, before: Cells, work: Work, last: int, budget: int, weights: Doubles, both: bool
) -> None:
    """Continue counting from ``work.state``, until row ``last``, ``budget`` positions, or no room
    for another row.

    block : the text; before : cells of earlier blocks, added to each row; weights :
    float64[window], by distance; both : contexts on both sides, or only after a word
    """
    tokens, positions, starts = block.tokens, block.positions, block.starts
    sums, touched, state = work.sums, work.touched, work.state
    end_of_sentence = sums.size
    row, place, seen = state[0], state[1], state[3]
    while row < last:
        if place == starts[row]:
            if work.columns.size - state[2] < sums.size:
                break
            seen = begin_row(row, before, work)
        stop = min(starts[row + 1], place + budget)
        budget -= stop - place + 1
        while place < stop:
            group = min(place + 32, stop)
            # The positions of a word are far apart: prefetched together, they come from memory in
            # parallel.
            warm = 0
            for at in positions[place:group]:
                warm += (
                    tokens[max(at - weights.size, 0)]
                    + tokens[min(at + weights.size, tokens.size - 1)]
                )
            state[4] = warm
            for at in positions[place:group]:
                for step in range(weights.size):
                    column = np.uint32(tokens[at + 1 + step])
                    if column == end_of_sentence:
                        break
                    touched[seen] = column
                    seen += sums[column] == 0.0
                    sums[column] += weights[step]
                if both:
                    for step in range(weights.size):
                        column = np.uint32(tokens[at - 1 - step])
                        if column == end_of_sentence:
                            break
                        touched[seen] = column
                        seen += sums[column] == 0.0
                        sums[column] += weights[step]
            place = group
        if place < starts[row + 1]:
            break
        finish_row(row, seen, work)
        row += 1
        seen = 0
        if budget <= 0:
            break
    state[0], state[1], state[3] = row, place, seen
