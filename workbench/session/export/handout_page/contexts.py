"""Contexts of the most frequent words with their PMI, and those that they share with neighbours.

The numbers are those of :func:`contexts_in_text` and :func:`shared_in_text`, for many words at
once.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.neighbours.shared_contexts import ContextSettings
from workbench.core.arrays import Doubles
from workbench.core.job_control import JobControl
from workbench.core.language import mark as tr
from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import window_weights
from workbench.counts.count_tables import plain_table
from workbench.counts.counts_corpus import CountedCorpus
from workbench.session.export.handout_page.section import PageSection
from workbench.session.export.handout_page.words import PageWords

# Words with contexts, and how many of them; neighbours that are explained, by how many contexts.
DETAILED, SHOWN, EXPLAINED, PARTS = 2_000, 10, 10, 5
# As ``contexts_in_text`` and ``shared_in_text`` do.
_LEAST, _LEAST_SHARED, _SMOOTHING = 5, 3, 0.75
_PAIRS = 2_000
NONE = 2**32 - 1

_TEXTS = {
    "contexts": tr("Contexts"),
    "contexts_note": tr(
        "Words within {window} words of “{word}” in the text, by PMI (nats): the log of how much "
        "more often the pair co-occurs than by chance. Counted at least {least} times."
    ),
    "contexts_missing": tr("Contexts are stored for the {number} most frequent words."),
    "times": tr("Occurrences"),
    "why": tr("Why are “{word}” and “{other}” near each other?"),
    "why_button": tr("Why?"),
    "why_note": tr(
        "They share contexts in the text. Each bar is the part of a context in the cosine of their "
        "rows of smoothed PPMI, {total}; the cosine of the model is {cosine}."
    ),
    "why_more": tr("{number} shared contexts"),
    "why_none": tr("They share no context that occurs at least {least} times with both."),
}


@dataclass(frozen=True, eq=False)
class ContextCounts:
    """Counts of the text as the model's algorithm counted.

    words : the vocabulary; counts : CSR float64[V, V], #(w, c); times : float64[cells], how often
    each of its cells was observed
    """

    words: tuple[str, ...]
    counts: sp.csr_matrix
    times: Doubles
    counting: ContextSettings

    @cached_property
    def totals(self) -> Doubles:
        """float64[V], #(c)."""
        return np.asarray(self.counts.sum(axis=1), dtype=np.float64).ravel()

    @cached_property
    def row_of(self) -> dict[str, int]:
        return {word: row for row, word in enumerate(self.words)}

    def pmi(self, cells: slice, row: int) -> Doubles:
        """PMI of cells of one row, nats."""
        columns = self.counts.indices[cells]
        expected = self.totals[row] * self.totals[columns] / self.totals.sum()
        return np.asarray(np.log(self.counts.data[cells]) - np.log(expected))

    @cached_property
    def unit_rows(self) -> sp.csr_matrix:
        """CSR float64[V, V], smoothed PPMI with rows of length 1 (0 without a positive value)."""
        table = self.counts
        smoothed = self.totals**_SMOOTHING
        rows = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
        expected = self.totals[rows] * smoothed[table.indices] / smoothed.sum()
        values = np.maximum(np.log(table.data) - np.log(expected), 0.0)
        values[self.times < _LEAST_SHARED] = 0.0
        lengths = np.sqrt(np.bincount(rows, values * values, minlength=table.shape[0]))
        values /= np.where(lengths > 0, lengths, 1.0)[rows]
        found = sp.csr_matrix((values, table.indices.copy(), table.indptr.copy()), table.shape)
        found.eliminate_zeros()
        return found


def count_text(corpus: Corpus, page: PageWords, run: JobControl) -> ContextCounts:
    """Count with the model's window. Raises UserError and Cancelled."""
    counting = ContextSettings().as_counted(page.embeddings).for_corpus(corpus)
    vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
    window = counting.window
    weighting = counting.window_weighting
    counts = plain_table(corpus, vocabulary, window, weighting, run=run)
    counts.sort_indices()
    if isinstance(corpus, CountedCorpus):
        # Without a text, only a lower bound is known, as in ``context_row``.
        weights, divisor = window_weights(window, weighting)
        times = np.ceil(counts.data * divisor / float(weights.max()) - 1e-9)
    else:
        table = plain_table(corpus, vocabulary, window, "fixed", run=run)
        table.sort_indices()
        times = table.data.astype(np.float64)
    return ContextCounts(tuple(vocabulary.words), counts, times, counting)


def contexts_section(page: PageWords, text: ContextCounts, run: JobControl) -> PageSection:
    """Contexts of the first words and of their first neighbours. Raises Cancelled."""
    number = min(DETAILED, len(page.words))
    contexts = np.full((number, SHOWN), NONE, dtype=np.uint32)
    pmi = np.zeros((number, SHOWN), dtype=np.float32)
    times = np.zeros((number, SHOWN), dtype=np.uint32)
    products = np.zeros((number, SHOWN), dtype=np.float32)
    least = np.zeros(number, dtype=np.uint8)
    multiply = page.embeddings.contexts is not None
    for at in range(number):
        row = text.row_of.get(page.words[at])
        if row is None:
            continue
        run.check()
        start, end = text.counts.indptr[row : row + 2].tolist()
        counted = text.times[start:end]
        limit = next(
            (limit for limit in (_LEAST, 2) if np.count_nonzero(counted >= limit) >= SHOWN), 1
        )
        values = text.pmi(slice(start, end), row)
        usable = np.flatnonzero(counted >= limit)
        best = usable[np.argsort(-values[usable], kind="stable")[:SHOWN]]
        names = [text.words[column] for column in text.counts.indices[start + best].tolist()]
        contexts[at, : len(best)] = page.numbers(names)
        pmi[at, : len(best)] = values[best]
        times[at, : len(best)] = counted[best]
        least[at] = limit
        if multiply:
            products[at, : len(best)] = _products(page, at, names)
    arrays: dict[str, npt.NDArray[Any]] = {
        "contexts": contexts,
        "pmi": pmi,
        "times": times,
        "least": least,
    }
    if multiply:
        arrays["products"] = products
    return PageSection(
        "contexts",
        data={
            "words": number,
            "window": text.counting.window,
            "explained": EXPLAINED,
            "leastShared": _LEAST_SHARED,
        },
        arrays=arrays | _shared(page, text, number, run),
        texts=_TEXTS,
    )


def _products(page: PageWords, at: int, names: list[str]) -> Doubles:
    """w·c of a word of the page and contexts; NaN where the model lacks the context."""
    model = page.embeddings
    assert model.contexts is not None
    word = np.asarray(model.inputs[page.rows[at]], dtype=np.float64)
    rows = [model.index.get(name, -1) for name in names]
    found = np.full(len(names), np.nan)
    if model.contexts.shape[1] == len(word):
        known = np.array(rows) >= 0
        chosen = model.contexts[np.array(rows)[known]].astype(np.float64)
        found[known] = chosen @ word
    return found


def _shared(
    page: PageWords, text: ContextCounts, number: int, run: JobControl
) -> dict[str, npt.NDArray[Any]]:
    """For each of the first words, its first neighbours as the page finds them, and the shared
    contexts with the largest parts.
    """
    near = _nearest(page, number, run)
    width = near.shape[1]
    shared = np.full((number, width, PARTS), NONE, dtype=np.uint32)
    parts = np.zeros((number, width, PARTS), dtype=np.float32)
    totals = np.full((number, width), np.nan, dtype=np.float32)
    numbers = np.zeros((number, width), dtype=np.uint32)
    known = np.array([text.row_of.get(word, -1) for word in page.words])
    places = [
        (at, k)
        for at in range(number)
        for k in range(width)
        if known[at] >= 0 and known[near[at, k]] >= 0
    ]
    rows = text.unit_rows
    for start in range(0, len(places), _PAIRS):
        run.check()
        some = places[start : start + _PAIRS]
        left = rows[known[[at for at, _ in some]]]
        right = rows[known[[near[at, k] for at, k in some]]]
        both = left.multiply(right).tocsr()
        both.eliminate_zeros()
        for line, (at, k) in enumerate(some):
            begin, end = both.indptr[line : line + 2].tolist()
            # By column, as the stable order of a dense row.
            order = np.argsort(both.indices[begin:end], kind="stable")
            columns, values = both.indices[begin:end][order], both.data[begin:end][order]
            best = np.argsort(-values, kind="stable")[:PARTS]
            names = [text.words[column] for column in columns[best].tolist()]
            shared[at, k, : len(best)] = page.numbers(names)
            parts[at, k, : len(best)] = values[best]
            totals[at, k] = values.sum()
            numbers[at, k] = end - begin
    return {
        "near": near.astype(np.uint32),
        "shared": shared,
        "parts": parts,
        "totals": np.nan_to_num(totals, nan=-1.0),
        "numbers": numbers,
    }


def _nearest(page: PageWords, number: int, run: JobControl) -> npt.NDArray[np.int64]:
    """int64[number, k], the nearest words by the numbers of the page, the lower one of equals."""
    restored = page.quantised.restored()
    k = min(EXPLAINED, len(page.words) - 1)
    found = np.zeros((number, k), dtype=np.int64)
    step = max(1, (1 << 22) // max(len(page.words), 1))
    for start in range(0, number, step):
        run.check()
        block = restored[start : min(start + step, number)] @ restored.T
        block[np.arange(len(block)), np.arange(start, start + len(block))] = -np.inf
        some = np.argpartition(-block, k - 1, axis=1)[:, :k] if k else block[:, :0].astype(int)
        for line in range(len(block)):
            rows = np.sort(some[line])
            order = np.argsort(-block[line, rows], kind="stable")
            found[start + line] = rows[order]
    return found
