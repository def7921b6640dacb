"""Comparison of two models of the same words: moved words and shared neighbours."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt

from workbench.analysis.neighbours.nearest import all_nearest
from workbench.analysis.neighbours.ranking import best_rows, cosines, unit_rows
from workbench.analysis.projection.procrustes import align
from workbench.core.arrays import Doubles, Ids, Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, split_progress
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True, eq=False)
class Comparison:
    """Changes of the n most frequent common words, in the order of the first model.

    words : n words; counts : int64[n], their frequencies, or None if neither model knows them
    moved : float64[n], cosine distance 1 − cos in 0..2 between a word's two vectors after an
    orthogonal Procrustes alignment on these words; None if the models cannot be aligned, and
    ``not_aligned`` says why
    overlap, jaccard : float64[n], |A ∩ B| / k and |A ∩ B| / |A ∪ B| of the word's k nearest in
    each model, among the n words
    k : number of neighbours compared
    """

    words: tuple[str, ...]
    counts: Ints | None
    moved: Doubles | None
    not_aligned: str
    overlap: Doubles
    jaccard: Doubles
    k: int


def compare(
    first: Embeddings, second: Embeddings, k: int = 10, top: int = 0, run: JobControl | None = None
) -> Comparison:
    """Compare two models on the ``top`` most frequent words they share (0: all).

    Moved words as in Hamilton, Leskovec & Jurafsky 2016, section 3; overlap@k as in Antoniak &
    Mimno 2018, section 4. Raises UserError if they share fewer than three words, and Cancelled.
    """
    words, rows = common_rows([first, second], top)
    moved, reason = None, ""
    if first.sparse or second.sparse:
        reason = tr("Sparse vectors can’t be aligned by rotation; only neighbours are compared.")
    elif first.dim != second.dim:
        reason = tr(
            "The models have {first} and {second} dimensions; only neighbours are compared.",
            first=first.dim,
            second=second.dim,
        )
    else:
        alignment = align(first, second, words)
        moved = np.full(len(words), np.nan)
        place = {word: at for at, word in enumerate(words)}
        # For unit vectors, 1 − cos is half of the squared distance.
        moved[[place[word] for word in alignment.words]] = alignment.residual**2 / 2
    near = _nearest_of_all([first, second], rows, k, run)
    shared = shared_neighbours(near[0], near[1])
    k = near[0].shape[1]
    return Comparison(
        words,
        common_counts([first, second], rows),
        moved,
        reason,
        shared / k,
        shared / (2 * k - shared),
        k,
    )


def common_rows(models: list[Embeddings], top: int = 0) -> tuple[tuple[str, ...], list[Ints]]:
    """The words that all models contain, in the first model's order, and int64[n] rows in each
    model.

    ``top`` limits their number, 0 for all. Raises UserError if fewer than three are left.
    """
    others = [model.index for model in models[1:]]
    words = [
        word for word, row in models[0].index.items() if all(word in index for index in others)
    ]
    words.sort(key=models[0].index.__getitem__)
    if top:
        words = words[:top]
    if len(words) < 3:
        raise UserError(
            tr(
                "Too few words to compare: the models share only {number}.",
                number=len(words),
            ),
            tr("Choose models of the same language."),
        )
    return tuple(words), [
        np.array([model.index[word] for word in words], dtype=np.int64) for model in models
    ]


def common_counts(models: list[Embeddings], rows: list[Ints]) -> Ints | None:
    """int64[n], frequencies in the first model that has frequencies."""
    for model, own in zip(models, rows, strict=True):
        if model.counts is not None:
            return np.asarray(model.counts[own], dtype=np.int64)
    return None


def _nearest_of_all(
    models: list[Embeddings], rows: list[Ints], k: int, run: JobControl | None
) -> list[Ids]:
    """For each model int32[n, k]: the nearest of every common word among the common words."""
    found = []
    for model, own, part in zip(models, rows, split_progress(run, len(models)), strict=True):
        if run is not None:
            run.check()
        near, _ = all_nearest(model.unit[own], k, part)
        found.append(near)
    return found


def pairwise_shared(
    models: list[Embeddings], rows: list[Ints], k: int, run: JobControl | None
) -> tuple[list[Ints], Ids]:
    """For each pair of models int64[n], number of shared neighbours; and int32[n], number of
    neighbours that all models share.
    """
    near = _nearest_of_all(models, rows, k, run)
    pairs = [shared_neighbours(a, b) for a, b in combinations(near, 2)]
    together = np.sort(np.concatenate(near, axis=1), axis=1)
    last = len(near) - 1
    # A word that all models list occurs once per model in the sorted row.
    everywhere = together[:, last:] == together[:, : together.shape[1] - last]
    return pairs, np.asarray(everywhere.sum(axis=1), dtype=np.int32)


def shared_neighbours(first: Ids, second: Ids) -> Ints:
    """int64[n], number of entries that the rows of int32[n, k] tables have in common; no row
    contains an entry twice.
    """
    together = np.sort(np.concatenate([first, second], axis=1), axis=1)
    return np.asarray((together[:, 1:] == together[:, :-1]).sum(axis=1), dtype=np.int64)


def running_mean(
    x: Doubles, y: Doubles, share: float = 0.1, points: int = 80
) -> tuple[Doubles, Doubles]:
    """float64[m] each: means of x and of y over windows of neighbouring points, in order of x.

    A window contains ``share`` of the points, at least 5; at most ``points`` windows, evenly
    spaced. Empty if there are fewer points than a window contains.
    """
    known = np.isfinite(x) & np.isfinite(y)
    order = np.argsort(x[known], kind="stable")
    width = max(int(share * len(order)), 5)
    if len(order) < width:
        return np.empty(0), np.empty(0)
    sums = [np.concatenate([[0.0], np.cumsum(values[known][order])]) for values in (x, y)]
    begin = np.unique(np.linspace(0, len(order) - width, points).astype(np.intp))
    return (sums[0][begin + width] - sums[0][begin]) / width, (
        sums[1][begin + width] - sums[1][begin]
    ) / width


@dataclass(frozen=True)
class RankedNeighbour:
    """A neighbour in one model: its rank there (1 is the nearest) and in the other model (None:
    unknown).
    """

    word: str
    cosine: float
    rank: int
    other_rank: int | None


@dataclass(frozen=True)
class NeighbourLists:
    """The ``n`` nearest neighbours of one word in each model; ``shared`` words are in both
    lists.
    """

    word: str
    first: tuple[RankedNeighbour, ...]
    second: tuple[RankedNeighbour, ...]
    shared: frozenset[str]


def neighbour_lists(
    first: Embeddings, second: Embeddings, word: str, n: int = 20
) -> NeighbourLists:
    """The nearest words of ``word`` in both models, with ranks in each whole vocabulary. Raises
    UnknownWord.
    """
    scores = {"first": cosines_with(first, word), "second": cosines_with(second, word)}
    lists = {}
    for name, model, other_name, other in (
        ("first", first, "second", second),
        ("second", second, "first", first),
    ):
        near = best_rows(scores[name], n, [model.row(word)]).tolist()
        ranks = [_rank(scores[other_name], other, model.words[row]) for row in near]
        lists[name] = tuple(
            RankedNeighbour(model.words[row], float(scores[name][row]), place, rank)
            for place, (row, rank) in enumerate(zip(near, ranks, strict=True), 1)
        )
    shared = {one.word for one in lists["first"]} & {one.word for one in lists["second"]}
    return NeighbourLists(word, lists["first"], lists["second"], frozenset(shared))


def cosines_with(model: Embeddings, word: str) -> npt.NDArray[np.float32]:
    """float32[V], cosines with all words, −∞ for the word itself and for words with a zero vector.

    Raises UnknownWord, and UserError if the word's vector is zero.
    """
    row = model.row(word)
    if not model.has_vector[row]:
        raise UserError(
            tr("The vector of “{word}” is zero, so it has no neighbours.", word=word),
            tr("Choose another word."),
        )
    scores = cosines(model, unit_rows(model, [row]))[:, 0].copy()
    scores[row] = -np.inf
    return scores


def _rank(scores: npt.NDArray[np.float32], model: Embeddings, word: str) -> int | None:
    """The rank of a word among all words by score, 1 for the highest; None if its vector has no
    direction.
    """
    row = model.index.get(word)
    if row is None or not model.has_vector[row]:
        return None
    # Equal scores are in order of row, as in all lists of neighbours.
    return int((scores > scores[row]).sum() + (scores[:row] == scores[row]).sum()) + 1
