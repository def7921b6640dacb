"""An analogy without the pairs of its relation in the counts (Korchinski et al. 2025).

The cells (a, b) and (b, a) of all pairs of a relation are deleted from the counts, and the matrix
is factorised again. Analogies between the pairs stay if they come from the company of both words,
not from the words’ meeting. The control deletes as many random cells of about the same counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from workbench.analysis.theory.pair_counts import PairCountSettings
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.counts.count_tables import effective_table
from workbench.models.count.svd import SVD, SVDParams

Pair = tuple[str, str]


@dataclass(frozen=True, eq=False)
class PairsAway:
    """Shares of analogies a : b :: c : ? that are answered with d, by number of dimensions.

    pairs : the pairs with both words in the vocabulary; questions : their number of analogies
    deleted : number of cells that were deleted; ranks : int64[r]
    whole, without, control : float64[r], with all counts, without the pairs’ cells, without others
    second_best : the best other answer to the analogy of the first two pairs, with all counts
    """

    pairs: tuple[Pair, ...]
    questions: int
    deleted: int
    ranks: Ints
    whole: Doubles
    without: Doubles
    control: Doubles
    second_best: str


def take_pairs_away(
    corpus: Corpus,
    pairs: Sequence[Pair],
    params: SVDParams | None = None,
    ranks: Sequence[int] = (),
    seed: int = 1,
    run: JobControl | None = None,
) -> PairsAway:
    """Factorise the counts with and without the cells of these pairs, and with other cells deleted.

    params : of the SVD; ranks : numbers of dimensions, none for all; seed : of the control

    Raises UserError for fewer than two known pairs, and Cancelled.
    """
    run = run or JobControl()
    params = params or SVDParams()
    vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
    index = vocabulary.index
    known = tuple((a, b) for a, b in dict.fromkeys(pairs) if a in index and b in index)
    if len(known) < 2:
        raise UserError(
            tr("An analogy needs two pairs whose words are in the vocabulary."),
            tr("Write pairs such as: man king, woman queen."),
        )
    rows = np.array([[index[a], index[b]] for a, b in known], dtype=np.int64)
    counts = effective_table(corpus, vocabulary, PairCountSettings.of(params.to_dict()), run)
    own = _cells_of(counts, rows)
    others = _alike(counts, own, np.random.default_rng(seed))
    sizes = np.array(ranks or (params.dim,), dtype=np.int64)
    plain = replace(params, result="w")
    shares, second_best = [], ""
    for cells in (own[:0], own, others):
        fitted = SVD(plain).fit_counts(_without_cells(counts, cells), vocabulary, run)
        vectors = np.asarray(fitted.inputs, dtype=np.float64)
        if not second_best:
            ranked = np.argsort(-_scores(_unit(vectors), rows[0], rows[1, 0]), kind="stable")
            other = next(row for row in ranked.tolist() if row != rows[1, 1])
            second_best = vocabulary.words[other]
        shares.append(np.array([_accuracy(vectors[:, :size], rows) for size in sizes.tolist()]))
    questions = len(known) * (len(known) - 1)
    whole, without, control = shares
    return PairsAway(known, questions, len(own), sizes, whole, without, control, second_best)


def _cells_of(counts: sp.csr_matrix, rows: Ints) -> Ints:
    """Places in ``counts.data`` of the observed cells (a, b) and (b, a)."""
    found = []
    for first, second in np.concatenate([rows, rows[:, ::-1]]).tolist():
        begin, end = counts.indptr[first : first + 2]
        at = begin + int(np.searchsorted(counts.indices[begin:end], second))
        if at < end and counts.indices[at] == second:
            found.append(at)
    return np.unique(np.array(found, dtype=np.int64))


def _alike(counts: sp.csr_matrix, own: Ints, random: np.random.Generator) -> Ints:
    """Other cells, as many, each of the count that is nearest to one of the pairs’ cells."""
    order = random.permutation(counts.nnz)
    order = order[~np.isin(order, own)]
    ranked = order[np.argsort(counts.data[order], kind="stable")]
    places = np.searchsorted(counts.data[ranked], counts.data[own])
    return np.unique(ranked[np.minimum(places, len(ranked) - 1)])


def _without_cells(counts: sp.csr_matrix, cells: Ints) -> sp.csr_matrix:
    found = counts.copy()
    found.data[cells] = 0.0
    found.eliminate_zeros()
    return found


def _unit(vectors: Doubles) -> Doubles:
    lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-30)
    return np.asarray(vectors / lengths)


def _scores(unit: Doubles, pair: Ints, c: int) -> Doubles:
    """float64[V], of b − a + c (3CosAdd); −inf for a, b and c."""
    a, b = pair.tolist()
    scores = unit @ (unit[b] - unit[a] + unit[c])
    scores[[a, b, c]] = -np.inf
    return np.asarray(scores)


def _accuracy(vectors: Doubles, rows: Ints) -> float:
    """Share of b − a + c that are nearest to d, without a, b and c."""
    unit, right = _unit(vectors), 0
    for i, pair in enumerate(rows):
        for j, (c, d) in enumerate(rows.tolist()):
            if i != j:
                right += int(np.argmax(_scores(unit, pair, c)) == d)
    return right / (len(rows) * (len(rows) - 1))
