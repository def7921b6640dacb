"""The offsets b − a of a relation's pairs: their agreement, and the answers by their mean."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.analogy.relation_pairs import Pair
from workbench.analysis.analogy.solver import Answer
from workbench.analysis.neighbours.query_resolution import find_vector
from workbench.analysis.neighbours.ranking import best_rows, cosines, unit_rows
from workbench.core.arrays import Doubles, Places, Singles
from workbench.core.errors import UserError, quoted_words
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings

MOST_PAIRS = 2000
PERMUTATIONS = 50
# Squared lengths below this are rounding errors: the two words have the same direction.
_NOTHING = 1e-10
_QUERIES_AT_ONCE = 16


@dataclass(frozen=True)
class Offset:
    """One pair (a, b) of a relation, over unit vectors, and its offset b − a.

    cosine : cosine with the mean of all offsets, including itself
    agreement : mean cosine with the other pairs' offsets
    length : Euclidean length of the offset, in 0..2
    place : its coordinates on the relation's plane, see :class:`Relation`
    rank : rank of b among the words by cosine with a + the mean offset of the *other* pairs,
    excluding a; 1 is correct. 0 if b isn’t a candidate
    """

    a: str
    b: str
    cosine: float
    agreement: float
    length: float
    place: tuple[float, float]
    rank: int


@dataclass(frozen=True)
class Relation:
    """Agreement of the offsets of a relation.

    offsets : in the order of the pairs
    left_out : pairs with an unknown word, or whose two words have the same direction
    agreement : mean cosine of two different offsets, over all pairs of pairs
    shuffled : the same with shuffled second words, mean over the permutations. The part of
    ``agreement`` that is due to the two classes of words alone
    consistency, spread : mean and standard deviation, over ``permutations`` seeded permutations, of
    the share of all (u, v) with u > v, where u is a cosine of two true offsets b_i − a_i and v one
    of two shuffled offsets b_σ(i) − a_i; equal ones count half. This is the area under the ROC
    curve that separates true from shuffled offsets: 0.5 is chance, 1 perfect. The pairing
    consistency score of Fournier, Dupoux and Dunbar 2020, with permutations σ that leave no second
    word in its place
    mean_length : length of the mean offset
    mean_place : its coordinates. The plane is spanned by the two leading principal directions of
    the offsets *about the origin* (uncentred, so that a shared direction is seen), the mean to the
    right
    explained : share of the offsets' squared lengths that is in the plane
    top : number of candidates for ``rank``
    """

    offsets: tuple[Offset, ...]
    left_out: tuple[Pair, ...]
    agreement: float
    shuffled: float
    consistency: float
    spread: float
    permutations: int
    seed: int
    mean_length: float
    mean_place: tuple[float, float]
    explained: float
    top: int

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return tuple((offset.a, offset.b) for offset in self.offsets)

    def typical(self, besides: int) -> int:
        """Index of the offset nearest in direction to the mean, except ``besides``."""
        others = [at for at in range(len(self.offsets)) if at != besides]
        return max(others, key=lambda at: self.offsets[at].cosine)


@dataclass(frozen=True)
class Applied:
    """Answers to word + mean offset; ``left_out``: pairs not averaged because they contain the
    word.
    """

    word: str
    answers: tuple[Answer, ...]
    averaged: int
    left_out: tuple[Pair, ...]


def measure_relation(
    embeddings: Embeddings,
    pairs: Sequence[Pair],
    restrict: int = 0,
    permutations: int = PERMUTATIONS,
    seed: int = 1,
    run: JobControl | None = None,
) -> Relation:
    """Measure the offsets of ``pairs``; candidates for ranks are the ``restrict`` first words, 0
    for all.

    Everything follows from the inner products of the pairs' unit vectors, in float64. Raises
    UserError for fewer than two pairs that can be measured and for more than MOST_PAIRS, and
    Cancelled.
    """
    kept, rows, left_out, gram = _measurable(embeddings, pairs)
    size = len(kept)
    products = _products(gram, np.arange(size))
    norms = np.sqrt(np.diagonal(products))
    near = products / np.outer(norms, norms)
    pairwise = near[np.triu_indices(size, 1)]
    mean_length = math.sqrt(max(float(products.mean()), 0.0))
    to_mean = (
        products.mean(axis=1) / (norms * mean_length) if mean_length > _NOTHING else np.zeros(size)
    )
    places, explained = _plane(products)
    shuffled, areas = _against_shuffled(gram, pairwise, permutations, seed, run)
    top = min(restrict or len(embeddings), len(embeddings))
    ranks = _held_out_ranks(embeddings, rows, top, run)
    offsets = tuple(
        Offset(
            a,
            b,
            float(to_mean[at]),
            float((near[at].sum() - near[at, at]) / (size - 1)),
            float(norms[at]),
            (float(places[at, 0]), float(places[at, 1])),
            int(ranks[at]),
        )
        for at, (a, b) in enumerate(kept)
    )
    middle = places.mean(axis=0)
    return Relation(
        offsets=offsets,
        left_out=tuple(left_out),
        agreement=float(pairwise.mean()),
        shuffled=shuffled,
        consistency=float(areas.mean()) if areas.size else math.nan,
        spread=float(areas.std()) if areas.size else math.nan,
        permutations=permutations,
        seed=seed,
        mean_length=mean_length,
        mean_place=(float(middle[0]), float(middle[1])),
        explained=explained,
        top=top,
    )


def _measurable(
    embeddings: Embeddings, pairs: Sequence[Pair]
) -> tuple[list[Pair], Places, list[Pair], Doubles]:
    """The pairs with an offset, their rows, the other pairs, and the inner products of the unit
    vectors. Raises UserError.
    """
    kept, rows, left_out = _known_pairs(embeddings, pairs)
    if len(kept) > MOST_PAIRS:
        raise UserError(
            tr("Too many pairs to compare: {number:,}.", number=len(kept)),
            tr("Use at most {most_pairs:,} pairs.", most_pairs=MOST_PAIRS),
        )
    gram = _gram(embeddings, rows)
    lengths = _squares(gram, np.arange(len(kept)))
    usable = np.flatnonzero(lengths > _NOTHING)
    left_out += [kept[at] for at in range(len(kept)) if lengths[at] <= _NOTHING]
    if len(usable) < 2:
        raise _too_few(embeddings, pairs, len(usable))
    kept, rows = [kept[at] for at in usable], rows[:, usable]
    gram = gram[np.ix_(*[np.concatenate([usable, usable + len(lengths)])] * 2)]
    return kept, rows, left_out, gram


def apply_relation(
    embeddings: Embeddings,
    pairs: Sequence[Pair],
    word: str,
    n: int = 10,
    exclude_query: bool = True,
    restrict: int = 0,
) -> Applied:
    """The ``n`` best answers to word + mean of b − a over ``pairs``, by cosine: 3CosAvg (Drozd,
    Gladkova and Matsuoka 2016), over unit vectors.

    Pairs that contain the word itself are not averaged, because they would give the answer away;
    ``exclude_query`` leaves the word out of the answers. If the model has n-grams, the word may
    be any string. Raises UnknownWord, and UserError if no pair is left.
    """
    query = find_vector(embeddings, word)
    kept, rows, _ = _known_pairs(embeddings, pairs)
    free = (rows != query.row).all(axis=0)
    left_out = tuple(pair for pair, is_free in zip(kept, free, strict=True) if not is_free)
    rows = rows[:, free]
    if not rows.size:
        raise UserError(
            tr("The mean offset needs at least one pair."),
            tr("Choose another section, or enter other pairs."),
        )
    target = query.unit + _sum_offsets(embeddings, rows) / rows.shape[1]
    length = float(np.linalg.norm(target))
    if not length:
        raise UserError(
            tr(
                "{word} + the mean offset is the zero vector, so it has no nearest words.",
                word=word,
            ),
            tr("Choose another word."),
        )
    scores = cosines(embeddings, (target / length).astype(np.float32).reshape(1, -1))[
        : restrict or None, 0
    ]
    found = best_rows(
        scores, n, [query.row] if exclude_query and 0 <= query.row < len(scores) else ()
    )
    answers = tuple(Answer(embeddings.words[row], float(scores[row]), int(row)) for row in found)
    return Applied(query.word, answers, rows.shape[1], left_out)


def _known_pairs(
    embeddings: Embeddings, pairs: Sequence[Pair]
) -> tuple[list[Pair], npt.NDArray[np.intp], list[Pair]]:
    """Distinct pairs, spelled as in the vocabulary; their rows intp[2, n]; and the pairs with an
    unknown word or one without a vector.
    """
    found: dict[tuple[int, int], None] = {}
    unknown = []
    for a, b in pairs:
        first, second = embeddings.find(a), embeddings.find(b)
        if first is None or second is None or not embeddings.has_vector[[first, second]].all():
            unknown.append((a, b))
        else:
            found.setdefault((first, second))
    rows = np.array(list(found), dtype=np.intp).reshape(-1, 2).T
    return [(embeddings.words[a], embeddings.words[b]) for a, b in found], rows, unknown


def _too_few(embeddings: Embeddings, pairs: Sequence[Pair], usable: int) -> UserError:
    """The error that no relation can be measured, with the missing words."""
    unknown = list(
        dict.fromkeys(word for pair in pairs for word in pair if embeddings.find(word) is None)
    )
    if len(pairs) == 1:
        message = tr("A relation needs at least two pairs.")
    elif usable == 1:
        message = tr(
            "Only one of {number:,} pairs consists of two different words of the "
            "vocabulary; a relation needs two such pairs.",
            number=len(pairs),
        )
    else:
        message = tr(
            "None of {number:,} pairs consists of two different words of the vocabulary; a "
            "relation needs two such pairs.",
            number=len(pairs),
        )
    if unknown:
        hint = tr(
            "Choose another section, or enter other pairs. Not in the vocabulary: {words}.",
            words=quoted_words(unknown),
        )
    else:
        hint = tr("Choose another section, or enter other pairs.")
    return UserError(message, hint)


def _gram(embeddings: Embeddings, rows: npt.NDArray[np.intp]) -> Doubles:
    """float64[2n, 2n], inner products of the unit vectors of all first, then all second words."""
    chosen = embeddings.unit[rows.ravel()]
    if isinstance(chosen, np.ndarray):
        exact = chosen.astype(np.float64)
        return np.asarray(exact @ exact.T)
    wide = sp.csr_matrix(chosen, dtype=np.float64)
    return np.asarray((wide @ wide.T).toarray())


def _sum_offsets(embeddings: Embeddings, rows: npt.NDArray[np.intp]) -> Doubles:
    """float64[d], the sum of all offsets, over unit vectors; never makes all sparse rows dense at
    once.
    """
    firsts, seconds = (
        np.asarray(embeddings.unit[side].sum(axis=0, dtype=np.float64)).ravel() for side in rows
    )
    return np.asarray(seconds - firsts)


def _products(gram: Doubles, order: npt.NDArray[np.intp]) -> Doubles:
    """float64[n, n], inner products of the offsets b_order(i) − a_i."""
    size = len(order)
    seconds = size + order
    across = gram[:size][:, seconds]
    return np.asarray(gram[np.ix_(seconds, seconds)] - across - across.T + gram[:size, :size])


def _squares(gram: Doubles, order: npt.NDArray[np.intp]) -> Doubles:
    """float64[n], squared lengths of the offsets b_order(i) − a_i."""
    size = len(order)
    own = np.diagonal(gram)
    return np.asarray(own[size + order] - 2 * gram[np.arange(size), size + order] + own[:size])


def _plane(products: Doubles) -> tuple[Doubles, float]:
    """Coordinates float64[n, 2] on the two leading directions, and their share of the squared
    lengths.
    """
    values, vectors = np.linalg.eigh(products)
    leading = np.maximum(values[::-1][:2], 0.0)
    places = vectors[:, ::-1][:, :2] * np.sqrt(leading)
    # The sign of a direction is arbitrary: put the mean to the right, the farthest point up.
    if places[:, 0].sum() < 0:
        places[:, 0] *= -1
    if places[np.abs(places[:, 1]).argmax(), 1] < 0:
        places[:, 1] *= -1
    return places, float(leading.sum() / np.trace(products))


def _against_shuffled(
    gram: Doubles, pairwise: Doubles, permutations: int, seed: int, run: JobControl | None
) -> tuple[float, Doubles]:
    """The mean cosine of shuffled offsets, and float64[permutations] areas under the ROC curve."""
    random = np.random.default_rng(seed)
    size = len(gram) // 2
    upper = np.triu_indices(size, 1)
    ordered = np.sort(pairwise)
    means, areas = [], []
    for number in range(permutations):
        if run is not None:
            run.check()
            run.advance(0.5 * number / permutations, tr("Shuffling the pairs"))
        products = _products(gram, _derangement(size, random))
        squares = np.diagonal(products)
        norms = np.sqrt(np.where(squares > _NOTHING, squares, np.nan))
        shuffled = (products / np.outer(norms, norms))[upper]
        shuffled = shuffled[np.isfinite(shuffled)]
        if not shuffled.size:
            continue
        below = np.searchsorted(ordered, shuffled, "left") + np.searchsorted(
            ordered, shuffled, "right"
        )
        areas.append(1 - below.mean() / (2 * len(ordered)))
        means.append(shuffled.mean())
    return float(np.mean(means)) if means else math.nan, np.array(areas, dtype=np.float64)


def _derangement(size: int, random: np.random.Generator) -> npt.NDArray[np.intp]:
    """A permutation without fixed points, all equally likely: about e draws. ``size`` at least
    2.
    """
    while True:
        order = random.permutation(size)
        if (order != np.arange(size)).all():
            return order


def _held_out_ranks(
    embeddings: Embeddings, rows: npt.NDArray[np.intp], top: int, run: JobControl | None
) -> npt.NDArray[np.int64]:
    """int64[n], for each pair the rank of b by cosine with a + mean offset of the other pairs,
    excluding a.
    """
    size = rows.shape[1]
    total = _sum_offsets(embeddings, rows)
    ranks = np.zeros(size, dtype=np.int64)
    for start in range(0, size, _QUERIES_AT_ONCE):
        if run is not None:
            run.check()
            run.advance(0.5 + 0.5 * start / size, tr("Applying the relation"))
        part = slice(start, start + _QUERIES_AT_ONCE)
        firsts, seconds = unit_rows(embeddings, rows[0, part]), unit_rows(embeddings, rows[1, part])
        queries: Singles = (firsts + (total - (seconds - firsts)) / (size - 1)).astype(np.float32)
        # The query's length doesn’t change the order.
        scores = cosines(embeddings, queries)[:top]
        for place, (a, b) in enumerate(rows[:, part].T.tolist()):
            if b < top:
                column = scores[:, place]
                before = (column > column[b]) | ((column == column[b]) & (np.arange(top) < b))
                ranks[start + place] = 1 + int(before.sum()) - int(a < top and before[a])
    return ranks
