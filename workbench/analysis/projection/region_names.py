"""Names of the regions of a layout: their most central words and shared contexts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.neighbours.shared_contexts import ContextSettings
from workbench.analysis.projection.regions import Regions
from workbench.core.arrays import Doubles, Ids
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.counts.count_tables import plain_table
from workbench.vectors.embeddings import Embeddings

Vectors = npt.NDArray[np.floating] | sp.csr_matrix

# A context names a region if at least this share of its words, and two of them, co-occur with it.
_SUPPORT, _FEWEST = 0.1, 2
# Words whose contexts differ from the text's average by less than this share of the median are
# function words, which make no names.
_FLAT = 0.35
# Exponent of the count of a word that names a region. With ½, function words come back.
_FREQUENT = 0.25
# Maximum number of letters of a name of several words: longer ones would be cut.
LONGEST_NAME = 28
# Contexts counted fewer times have a PMI that says little.
_RAREST = 5.0


@dataclass(frozen=True)
class RegionContext:
    """A context that the words of a region share.

    column : its row in the vocabulary; inside, outside : mean PPMI of the words inside and outside
    the region, nats; seen : the share of the words inside that co-occur with it
    """

    column: int
    inside: float
    outside: float
    seen: float


def central_words(
    unit: Vectors,
    labels: Ids,
    number: int,
    n: int = 3,
    strength: Doubles | None = None,
    counts: Doubles | None = None,
) -> list[tuple[int, ...]]:
    """The rows of the ``n`` words that name each of ``number`` regions, best first.

    A word's score is its cosine with the mean of its region's vectors, both relative to the mean of
    all, times the fourth root of its count: the words nearest to a mean are often too rare to be
    understood.

    unit : [m, d], rows of length 1, the most frequent word first, dense or CSR; labels : int32[m],
    −1 for none; strength : ``preference_strength`` of the words, which puts function words after
    all others; counts : [m], None: proportional to 1 / rank (Zipf 1949)
    """
    means = _means(unit, labels, number)
    everywhere = np.asarray(unit.mean(axis=0), dtype=np.float64).ravel()
    towards = means - everywhere
    towards /= np.maximum(np.linalg.norm(towards, axis=1, keepdims=True), 1e-12)
    weight = 1.0 / np.arange(1, len(labels) + 1)
    if counts is not None:
        weight = np.maximum(np.asarray(counts, dtype=np.float64), 1.0)
    flat = np.zeros(len(labels), dtype=bool)
    if strength is not None:
        flat = is_flat(strength)
    order = np.argsort(labels, kind="stable")
    bounds = np.searchsorted(labels[order], np.arange(number + 1))
    names = []
    for region in range(number):
        rows = order[bounds[region] : bounds[region + 1]]
        products = np.asarray(unit[rows] @ towards[region], dtype=np.float64).ravel()
        along = np.asarray(unit[rows] @ everywhere, dtype=np.float64).ravel()
        # |x − m|² of unit rows x.
        lengths = np.sqrt(np.maximum(1.0 - 2.0 * along + everywhere @ everywhere, 1e-12))
        cosines = (products - towards[region] @ everywhere) / lengths
        scores = cosines * weight[rows] ** _FREQUENT
        ranked = rows[np.lexsort((rows, -scores, flat[rows]))]
        names.append(tuple(ranked[:n].tolist()))
    return names


def region_contexts(
    counts: sp.csr_matrix, labels: Ids, number: int, n: int = 3, exclude: Sequence[int] = ()
) -> list[tuple[RegionContext, ...]]:
    """The ``n`` contexts of each region whose mean PPMI inside exceeds that outside the most.

    counts : CSR float64[V, V], #(w, c), words and contexts in the vocabulary's order; labels :
    int32[V], the region of each word, −1 for none; exclude : columns that make no names, such as
    function words

    The mean is over all words of a region: a cell that was never counted has a PPMI of 0.
    """
    table = counts.tocsr()
    rows_of = np.asarray(table.sum(axis=1), dtype=np.float64).ravel()
    columns_of = np.asarray(table.sum(axis=0), dtype=np.float64).ravel()
    size = table.shape[1]
    row = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    named = labels[row] >= 0
    column, count, row = table.indices[named], table.data[named], row[named]
    positive = np.log(count * rows_of.sum() / (rows_of[row] * columns_of[column]))
    usable = (positive > 0) & (columns_of[column] >= _RAREST)
    column, row, positive = column[usable], row[usable], positive[usable]
    cell = labels[row].astype(np.int64) * size + column
    sums = np.bincount(cell, positive, minlength=number * size).reshape(number, size)
    seen = np.bincount(cell, minlength=number * size).reshape(number, size)
    words = np.bincount(labels[labels >= 0], minlength=number).astype(np.float64)
    total = sums.sum(axis=0)
    inside = sums / np.maximum(words, 1.0)[:, None]
    outside = (total - sums) / np.maximum(words.sum() - words, 1.0)[:, None]
    excess = inside - outside
    needed = np.maximum(_FEWEST, _SUPPORT * words)
    excess[seen < needed[:, None]] = 0.0
    excess[:, list(exclude)] = 0.0
    return [
        tuple(
            RegionContext(
                at,
                float(inside[region, at]),
                float(outside[region, at]),
                float(seen[region, at] / words[region]),
            )
            for at in np.argsort(-excess[region], kind="stable")[:n].tolist()
            if excess[region, at] > 0
        )
        for region in range(number)
    ]


def preference_strength(counts: sp.csr_matrix) -> Doubles:
    """float64[V], Σ_c P(c|w) · PMI(w, c): the divergence of a word's contexts from those of the
    whole text, nats, near 0 for function words (Resnik 1996, equation 5).

    counts : CSR float64[V, V], #(w, c). 0 for a word without contexts.
    """
    table = counts.tocsr()
    rows_of = np.asarray(table.sum(axis=1), dtype=np.float64).ravel()
    columns_of = np.asarray(table.sum(axis=0), dtype=np.float64).ravel()
    row = np.repeat(np.arange(table.shape[0]), np.diff(table.indptr))
    pmi = np.log(table.data * rows_of.sum() / (rows_of[row] * columns_of[table.indices]))
    sums = np.bincount(row, table.data * pmi, minlength=table.shape[0])
    return sums / np.maximum(rows_of, 1e-12)


def is_flat(strength: Doubles) -> npt.NDArray[np.bool_]:
    """bool[V], which words are function words by their ``preference_strength``."""
    known = strength[strength > 0]
    if not known.size:
        return np.zeros(len(strength), dtype=bool)
    return np.asarray(strength < _FLAT * np.median(known))


def _means(unit: Vectors, labels: Ids, number: int) -> Doubles:
    """float64[number, d], the mean vector of each region."""
    rows = np.flatnonzero(labels >= 0)
    chosen = labels[rows]
    words = np.bincount(chosen, minlength=number)
    weights = sp.csr_matrix(
        (1.0 / words[chosen], (chosen, rows)), shape=(number, len(labels)), dtype=np.float64
    )
    means = weights @ unit
    if sp.issparse(means):
        means = means.toarray()
    return np.asarray(means, dtype=np.float64)


@dataclass(frozen=True, eq=False)
class ContextTable:
    """Co-occurrence counts of the words of a layout.

    counts : CSR float64[V, V], #(w, c); words : the V words; rows : int64[m], for each word of the
    layout its row in the counts, or −1
    """

    counts: sp.csr_matrix
    words: Sequence[str]
    rows: npt.NDArray[np.int64]
    strength: Doubles

    def labels_of(self, labels: Ids) -> Ids:
        """Labels int32[V] of the counts' rows, from labels int32[m] of the layout's words."""
        found = np.full(len(self.words), -1, dtype=np.int32)
        known = self.rows >= 0
        found[self.rows[known]] = labels[known]
        return found

    def strength_of_layout(self) -> Doubles:
        """float64[m], ``preference_strength`` of the layout's words; that of unknown ones is the
        median, so that they count as neither flat nor strong.
        """
        known = self.rows >= 0
        found = np.full(len(self.rows), float(np.median(self.strength)))
        found[known] = self.strength[self.rows[known]]
        return found


@dataclass(frozen=True)
class NamedRegion:
    """A region of a layout. ``words``: rows of the words that name it, best first; ``contexts``:
    what its words co-occur with, empty without counts; ``size``: its number of words.
    """

    words: tuple[int, ...]
    contexts: tuple[tuple[str, RegionContext], ...]
    size: int
    place: tuple[float, ...]


def short_name(words: Sequence[str], most: int = LONGEST_NAME) -> str:
    """The first words of a region’s name, as many as fit into ``most`` letters, at least one."""
    name = words[0] if words else ""
    for word in words[1:]:
        if len(name) + 2 + len(word) > most:
            break
        name += f", {word}"
    return name


def count_contexts(
    corpus: Corpus, embeddings: Embeddings, size: int, run: JobControl | None = None
) -> ContextTable:
    """Counts of the corpus for the first ``size`` words of the embeddings, with the window and
    vocabulary that their algorithm used. Raises UserError as ``plain_table``, and Cancelled.
    """
    counting = ContextSettings().as_counted(embeddings).for_corpus(corpus)
    vocabulary = corpus.vocabulary(counting.min_count, counting.max_vocab)
    counts = plain_table(corpus, vocabulary, counting.window, counting.window_weighting, run=run)
    row_of = {word: row for row, word in enumerate(vocabulary.words)}
    rows = np.array([row_of.get(word, -1) for word in embeddings.words[:size]], dtype=np.int64)
    return ContextTable(counts, vocabulary.words, rows, preference_strength(counts))


def name_regions(
    unit: Vectors,
    regions: Regions,
    table: ContextTable | None = None,
    n: int = 3,
    counts: Doubles | None = None,
) -> list[NamedRegion]:
    """Each region with its ``n`` central words and, where there are counts of contexts, its ``n``
    contexts.

    unit : [m, d], the layout's words by frequency, rows of length 1; counts : [m], their counts
    """
    strength = None
    contexts: list[tuple[RegionContext, ...]] = [()] * regions.number
    words: Sequence[str] = ()
    if table is not None:
        strength, words = table.strength_of_layout(), table.words
        flat = np.flatnonzero(is_flat(table.strength)).tolist()
        labels = table.labels_of(regions.labels)
        contexts = region_contexts(table.counts, labels, regions.number, n, flat)
    central = central_words(unit, regions.labels, regions.number, n, strength, counts)
    sizes = regions.sizes.tolist()
    return [
        NamedRegion(
            central[region],
            tuple((words[context.column], context) for context in contexts[region]),
            sizes[region],
            tuple(place),
        )
        for region, place in enumerate(regions.places.tolist())
    ]
