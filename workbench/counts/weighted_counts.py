"""Co-occurrence counts of a text whose documents have weights, such as how often a bootstrap drew
each of them.

    #(w, c) = Σ_d weight(d) · #_d(w, c)

No window crosses the end of a sentence, so both words of a pair are in one document. The positions
of the text are sorted once; each set of weights then costs one pass over the documents whose weight
isn't 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ids, Ints
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import window_weights
from workbench.counts.cooccurrence_kernel import (
    BLOCK_TOKENS,
    Block,
    Cells,
    Scanner,
    Work,
    add_blocks,
    begin_row,
    finish_row,
    read_whole,
)


class WeightedCounter:
    """Counts the pairs of a text again and again, with other weights of its documents.

    corpus : its tokens; size : V, ids from V on are removed first, so that gaps close
    documents : int64[S], the number of each sentence’s document
    window, weighting : as for ``cooccurrence``, with contexts on both sides

    Takes 12 bytes per token. Raises UserError for an invalid window or weighting, and Cancelled.
    """

    def __init__(
        self,
        corpus: Corpus,
        size: int,
        documents: Ints,
        window: int = 5,
        weighting: str = "dynamic",
        threads: int = 0,
        run: JobControl | None = None,
    ) -> None:
        self.documents = int(documents.max(initial=-1)) + 1
        self._size, self._window, self._threads = size, window, threads
        self._by_distance, self._divisor = window_weights(window, weighting)
        run = run or JobControl()
        self._parts: list[tuple[Block, Ids]] = []
        for part, own in _parts(corpus, documents):
            block = read_whole(part, size, window, run)
            lengths = np.diff(np.asarray(part.sentences))
            kept = np.asarray(part.ids) < size
            of_tokens = np.full(len(block.tokens), -1, dtype=np.int32)
            of_tokens[block.tokens < size] = np.repeat(own, lengths.astype(np.int64))[kept]
            self._parts.append((block, of_tokens))

    def counts(self, weights: Doubles, run: JobControl | None = None) -> sp.csr_matrix:
        """#(w, c) with ``weights``, float64[documents], at least 0: CSR float64[V, V], columns
        sorted, only cells above 0; the same for any number of threads. Raises Cancelled.
        """
        weights = np.ascontiguousarray(weights, dtype=np.float64)
        blocks = [block for block, _ in self._parts]
        scanners = [self._scanner(weights, documents) for _, documents in self._parts]
        return add_blocks(
            blocks, scanners, self._size, threads=self._threads, run=run or JobControl()
        )

    def _scanner(self, weights: Doubles, documents: Ids) -> Scanner:
        by_distance = self._by_distance

        def scan(block: Block, before: Cells, work: Work, last: int, budget: int) -> None:
            scan_weighted(block, before, work, last, budget, by_distance, weights, documents)

        budget = max(1, 5_000_000 // self._window)
        return Scanner(scan, self._window, budget, self._divisor)


def warm_weighted() -> None:
    """Compile the kernel, or load it from the cache."""
    ids = np.array([0, 1, 0, 1], dtype=np.int32)
    corpus = Corpus("", ids, np.array([0, 2, 4]), ("a", "b"), np.array([2, 2]), "")
    WeightedCounter(corpus, 2, np.array([0, 1]), 1, threads=1).counts(np.ones(2))


def _parts(corpus: Corpus, documents: Ints) -> list[tuple[Corpus, Ints]]:
    """The text in parts of whole sentences, each short enough for the numbers of the kernel, with
    the documents of their sentences.
    """
    sentences = np.asarray(corpus.sentences)
    wanted = np.arange(0, corpus.tokens, BLOCK_TOKENS)
    edges = np.unique([*np.searchsorted(sentences, wanted).tolist(), len(sentences) - 1])
    parts = []
    for first, last in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        begin, end = int(sentences[first]), int(sentences[last])
        part = replace(
            corpus, ids=corpus.ids[begin:end], sentences=sentences[first : last + 1] - begin
        )
        parts.append((part, documents[first:last]))
    return parts


@kernel
def scan_weighted(
    block: Block,
    before: Cells,
    work: Work,
    last: int,
    budget: int,
    by_distance: Doubles,
    weights: Doubles,
    documents: Ids,
) -> None:
    """``scan_block`` with contexts on both sides, each pair times the weight of its document.

    documents : int32[n], the document of each token of the block, −1 between sentences
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
        for at in positions[place:stop]:
            weight = weights[documents[at]]
            if weight == 0.0:
                continue
            for step in range(by_distance.size):
                column = np.uint32(tokens[at + 1 + step])
                if column == end_of_sentence:
                    break
                touched[seen] = column
                seen += sums[column] == 0.0
                sums[column] += weight * by_distance[step]
            for step in range(by_distance.size):
                column = np.uint32(tokens[at - 1 - step])
                if column == end_of_sentence:
                    break
                touched[seen] = column
                seen += sums[column] == 0.0
                sums[column] += weight * by_distance[step]
        place = stop
        if place < starts[row + 1]:
            break
        finish_row(row, seen, work)
        row += 1
        seen = 0
        if budget <= 0:
            break
    state[0], state[1], state[3] = row, place, seen
