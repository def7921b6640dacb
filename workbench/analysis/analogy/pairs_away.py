"""An analogy without the pairs of its relation in the counts (Korchinski et al. 2025).

The cells (a, b) and (b, a) of all pairs of a relation are deleted from the counts, and the matrix
is factorised again. Analogies between the pairs stay if they come from the company of both words,
not from the words’ meeting. The control deletes as many random cells of about the same counts, in
several draws.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from workbench.analysis.theory.pair_counts import PairCountSettings
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Portion
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE
from workbench.corpus.corpus import Corpus
from workbench.corpus.suggestions import unknown_words
from workbench.counts.chunked_ops import spread
from workbench.counts.count_tables import effective_table
from workbench.models.count.svd import SVD, SVDParams

Pair = tuple[str, str]
# Number of draws of the control.
DRAWS = 5
# A cell of the control is one of so many whose counts are nearest to that of a pair.
_ALIKE = 50


@dataclass(frozen=True, eq=False)
class PairsAway:
    """Shares of analogies a : b :: c : ? that are answered with d, by number of dimensions.

    pairs : the pairs with both words in the vocabulary; questions : their number of analogies
    deleted : number of cells that were deleted; ranks : int64[r]
    whole, without : float64[r], with all counts, and without the pairs’ cells
    draws : float64[number of draws, r], without as many other cells
    second_best : the best other answer to the analogy of the first two pairs, with all counts
    """

    pairs: tuple[Pair, ...]
    questions: int
    deleted: int
    ranks: Ints
    whole: Doubles
    without: Doubles
    draws: Doubles
    second_best: str

    @property
    def control(self) -> Doubles:
        """float64[r], mean of the draws."""
        return np.asarray(self.draws.mean(axis=0))

    @property
    def spread(self) -> Doubles:
        """float64[r], standard deviation over draws; NaN for a single one."""
        if len(self.draws) < 2:
            return np.full(len(self.ranks), np.nan)
        return np.asarray(self.draws.std(axis=0, ddof=1))


def take_pairs_away(
    corpus: Corpus,
    pairs: Sequence[Pair],
    params: SVDParams | None = None,
    ranks: Sequence[int] = (),
    seeds: Sequence[int] = tuple(range(1, DRAWS + 1)),
    run: JobControl | None = None,
) -> PairsAway:
    """Factorise the counts with and without the cells of these pairs, and with other cells deleted.

    params : of the SVD; ranks : numbers of dimensions, none for all; seeds : of the control, one
    for each draw

    Raises UserError for fewer than two known pairs, UnknownWord if words are the cause, and
    Cancelled.
    """
    params = params or SVDParams()
    vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
    index = vocabulary.index
    known = tuple((a, b) for a, b in dict.fromkeys(pairs) if a in index and b in index)
    if len(known) < 2:
        unknown = [word for pair in pairs for word in pair if word not in index]
        if unknown:
            raise unknown_words(unknown, vocabulary.words)
        raise UserError(
            tr("An analogy needs two pairs whose words are in the vocabulary."),
            tr("Write pairs such as: man king, woman queen."),
        )
    rows = np.array([[index[a], index[b]] for a, b in known], dtype=np.int64)
    sizes = np.array(ranks or (params.dim,), dtype=np.int64)
    plain = replace(params, result="w")
    job, steps = run or JobControl(), len(seeds) + 3
    first, *parts = [Portion(job, at / steps, 1 / steps) for at in range(steps)]
    counts = effective_table(corpus, vocabulary, PairCountSettings.of(params.to_dict()), first)
    own = cells_of(counts, rows)
    removed = [own[:0], own, *other_cells(counts, rows, seeds)]
    shares, second_best = [], ""
    for cells, part in zip(removed, parts, strict=True):
        fitted = SVD(plain).fit_counts(_without_cells(counts, cells), vocabulary, part)
        vectors = np.asarray(fitted.inputs, dtype=np.float64)
        if not second_best:
            second_best = vocabulary.words[_Cosines(vectors, rows).second_best()]
        shares.append(
            np.array([_Cosines(vectors[:, :size], rows).accuracy(part) for size in sizes.tolist()])
        )
    questions = len(known) * (len(known) - 1)
    whole, without, *draws = shares
    control = np.array(draws).reshape(len(draws), len(sizes))
    return PairsAway(known, questions, len(own), sizes, whole, without, control, second_best)


def cells_of(counts: sp.csr_matrix, rows: Ints) -> Ints:
    """int64[m], places in ``counts.data`` of the observed cells (a, b) and (b, a) of int64[n, 2],
    ascending. ``counts`` has sorted columns.
    """
    found = []
    for first, second in np.concatenate([rows, rows[:, ::-1]]).tolist():
        begin, end = counts.indptr[first : first + 2]
        at = begin + int(np.searchsorted(counts.indices[begin:end], second))
        if at < end and counts.indices[at] == second:
            found.append(at)
    return np.unique(np.array(found, dtype=np.int64))


def other_cells(counts: sp.csr_matrix, rows: Ints, seeds: Sequence[int]) -> list[Ints]:
    """For each seed, places of the cells of other pairs: as many as those of the pairs ``rows``,
    int64[n, 2], each drawn among those whose counts are nearest. ``counts`` is symmetric, so both
    cells of a pair are taken.
    """
    row_of = spread(np.arange(counts.shape[0]), counts.indptr).astype(np.int32)
    own = cells_of(counts, rows)
    # Each pair once: above the diagonal.
    upper = np.flatnonzero(row_of < counts.indices)
    wanted = own[row_of[own] < counts.indices[own]]
    others = upper[~np.isin(upper, wanted)]
    others = others[np.argsort(counts.data[others], kind="stable")]
    values = counts.data[others]
    middles = np.searchsorted(values, counts.data[wanted])
    begins = np.clip(middles - _ALIKE // 2, 0, max(len(others) - _ALIKE, 0))
    found = []
    for seed in seeds:
        random, taken = np.random.default_rng(seed), set[int]()
        for begin in begins.tolist():
            near = [at for at in others[begin : begin + _ALIKE].tolist() if at not in taken]
            if near:
                taken.add(int(random.choice(near)))
        chosen = np.array(sorted(taken), dtype=np.int64)
        found.append(cells_of(counts, np.column_stack([row_of[chosen], counts.indices[chosen]])))
    return found


def _without_cells(counts: sp.csr_matrix, cells: Ints) -> sp.csr_matrix:
    found = counts.copy()
    found.data[cells] = 0.0
    found.eliminate_zeros()
    return found


class _Cosines:
    """Cosines of the words of all pairs with every word.

    of : float64[2n, V], row 2i and 2i + 1 for the words of pair i
    """

    def __init__(self, vectors: Doubles, rows: Ints) -> None:
        lengths = np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-30)
        unit = vectors / lengths
        with BLAS_ALONE:
            self.of = unit[rows.ravel()] @ unit.T
        self._rows = rows

    def scores(self, pair: int, c: int) -> Doubles:
        """float64[V], of b − a + c for a pair (a, b) and the first word c of another (3CosAdd); −∞
        for a, b and c.
        """
        scores = self.of[2 * pair + 1] - self.of[2 * pair] + self.of[2 * c]
        scores[[*self._rows[pair], self._rows[c, 0]]] = -np.inf
        return np.asarray(scores)

    def accuracy(self, run: JobControl) -> float:
        """Share of all b − a + c that are nearest to d. Raises Cancelled."""
        number, right = len(self._rows), 0
        for pair in range(number):
            run.check()
            for other in range(number):
                if other != pair:
                    best = int(np.argmax(self.scores(pair, other)))
                    right += best == self._rows[other, 1]
        return right / (number * (number - 1))

    def second_best(self) -> int:
        """The best word but d for the first two pairs."""
        scores = self.scores(0, 1)
        scores[self._rows[1, 1]] = -np.inf
        return int(np.argmax(scores))
