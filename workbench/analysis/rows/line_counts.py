"""Counts of one word's pairs in each line of a text, as its model counts them.

Each line has a row of its own: in a copy of the text, the word has another number in each line, so
that the kernel that counts for training counts here, too, with the same window and the same
expectation over subsampling.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.theory.pair_counts import PairCountSettings
from workbench.core.arrays import Doubles, Ints
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.expected_counts import effective_counts

# Tokens on each side of an occurrence that are read, by the window's length: those beyond are
# within the window with negligible probability.
_REACH = 100


@dataclass(frozen=True, eq=False)
class NumberedText:
    """A text as numbers of a vocabulary.

    ids : int32[n]; numbers from V on are not in the vocabulary
    sentences : int64[S + 1], offsets
    lines : int64[L + 1], offsets of the lines, which may be shorter or longer than sentences
    """

    ids: npt.NDArray[np.int32]
    sentences: Ints
    lines: Ints


@dataclass(frozen=True, eq=False)
class LineCounts:
    """Pairs of one word, by line.

    lines : int64[m], the lines in which it occurs
    occurrences : int64[m], how often
    cells : CSR float64[m, V], #(w, c) of each of these lines
    """

    lines: Ints
    occurrences: Ints
    cells: sp.csr_matrix

    def total(self) -> Doubles:
        """float64[V], the sum over lines."""
        return np.asarray(self.cells.sum(axis=0), dtype=np.float64).ravel()


def counts_by_line(
    text: NumberedText,
    row: int,
    keep: Doubles,
    counting: PairCountSettings,
    run: JobControl | None = None,
    after: bool = False,
) -> LineCounts:
    """Count the pairs of the word with this number, in each line.

    keep : float64[V′], the probability that a token of each word is kept; numbers from V′ on are
    removed before windows are laid
    after : without a symmetric window, count the words after it instead of those before

    Raises Cancelled.
    """
    size = len(keep)
    places = np.flatnonzero(np.asarray(text.ids) == row)
    line = np.searchsorted(text.lines, places, side="right") - 1
    lines, number, occurrences = np.unique(line, return_inverse=True, return_counts=True)
    ids, sentences, own = _excerpt(text, places, _REACH * counting.window)
    # Removed words get a number above those of the lines.
    ids[ids >= size] = size + len(lines)
    ids[own] = size + number
    corpus = Corpus("", ids, sentences, (), np.empty(0, dtype=np.int64), "")
    all_keep = np.append(keep, np.full(len(lines), keep[row]))
    cells = _count(corpus, all_keep, np.arange(size, len(all_keep)), counting, run, after)
    return LineCounts(lines, occurrences, _fold(cells[size:], size, row))


def _excerpt(
    text: NumberedText, places: Ints, reach: int
) -> tuple[npt.NDArray[np.int32], Ints, Ints]:
    """The parts of sentences around these places: their ids, offsets of sentences, and the places
    within them.
    """
    sentence = np.searchsorted(text.sentences, places, side="right") - 1
    first = np.maximum(text.sentences[sentence], places - reach)
    last = np.minimum(text.sentences[sentence + 1], places + reach + 1)
    if not len(places):
        return np.empty(0, dtype=np.int32), np.zeros(1, dtype=np.int64), places
    # Parts of the same sentence that overlap are one.
    new = np.append(True, (sentence[1:] != sentence[:-1]) | (first[1:] > last[:-1]))
    begins, part = first[new], np.cumsum(new) - 1
    ends = np.maximum.reduceat(last, np.flatnonzero(new))
    offsets = np.append(0, np.cumsum(ends - begins))
    ids = np.concatenate(
        [text.ids[a:b] for a, b in zip(begins.tolist(), ends.tolist(), strict=True)]
    )
    return ids.astype(np.int32), offsets, places - begins[part] + offsets[part]


def _count(
    corpus: Corpus,
    keep: Doubles,
    rows: Ints,
    counting: PairCountSettings,
    run: JobControl | None,
    after: bool,
) -> sp.csr_matrix:
    vocabulary = Vocabulary(range(len(keep)), np.ones(len(keep), dtype=np.int64))  # type: ignore[arg-type]
    if counting.symmetric:
        return effective_counts(corpus, vocabulary, counting, run, threads=1, words=rows, keep=keep)
    window = (counting.window, counting.window_weighting)
    table = cooccurrence(corpus, vocabulary, *window, False, 1, run)
    return table if after else table.T.tocsr()


def _fold(cells: sp.csr_matrix, size: int, row: int) -> sp.csr_matrix:
    """Cells of the word with itself are in columns of the lines; they belong to its own."""
    own = cells.indices >= size
    columns = np.where(own, row, cells.indices)
    width = max(size, row + 1)
    found = sp.csr_matrix((cells.data, columns, cells.indptr), shape=(cells.shape[0], width))
    found.sum_duplicates()
    return found
