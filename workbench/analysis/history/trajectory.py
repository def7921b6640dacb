"""States of a training, aligned with one another, and their neighbours, analogies and loss.

Rotating all vectors of a state doesn't change any cosine, so two states can be compared only after
an orthogonal map (Procrustes, see ``procrustes``). Each state is rotated onto the next one, and so,
step by step, onto the last, which stays unchanged; all are then projected onto one plane.
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.neighbours.ranking import best_rows
from workbench.analysis.projection.procrustes import rotation_between
from workbench.analysis.theory.pair_counts import PairCounts
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.target_fit import Figures, figures_of
from workbench.analysis.theory.targets import TargetSettings, target_values, weight_values
from workbench.core.arrays import Doubles, Ints, Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.models.base import TheoryTarget
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.lengths import blocks

# Number of rows for the alignment: the directions of so many words determine d² numbers well.
_FITTED = 3000
_CELLS = 1 << 19  # scores computed at a time


@dataclass(frozen=True, eq=False)
class TrainingFrame:
    """One state of a training.

    progress : completed share of the training, 0..1; seconds : since its start; loss : the last
    point of its trace, nats (NaN before the first)
    embeddings : the N most frequent words, dense: ``vectors`` postprocessed like the result's (W,
    W + C, ...), ``inputs`` W and ``contexts`` C as they were trained
    total : V, the number of all trained words
    """

    progress: float
    seconds: float
    loss: float
    embeddings: Embeddings
    total: int

    @property
    def whole(self) -> bool:
        """Whether all words are included."""
        return len(self.embeddings) == self.total


def unit_rows_of(frame: TrainingFrame, rows: Ints | Sequence[int] | slice) -> Doubles:
    """float64[n, d], these rows at unit length (zero rows stay zero), without a table of all unit
    vectors.
    """
    chosen = np.asarray(_table(frame)[rows], dtype=np.float64)
    lengths = np.linalg.norm(chosen, axis=1, keepdims=True)
    return np.asarray(chosen / np.where(lengths > 0, lengths, 1.0))


def _table(frame: TrainingFrame) -> Singles:
    table = frame.embeddings.vectors
    assert isinstance(table, np.ndarray)
    return table


def cosines_with(frame: TrainingFrame, queries: Doubles) -> Doubles:
    """float64[N, q], cosines of every word with unit queries float64[q, d]; −∞ for words whose
    vector is zero.
    """
    table, norms = _table(frame), frame.embeddings.norms
    found = np.full((len(table), len(queries)), -np.inf)
    for part in blocks(table.shape):
        live = norms[part] > 0
        rows = table[part][live].astype(np.float64) / norms[part][live, None]
        found[part][live] = rows @ queries.T
    return found


class Turner:
    """Finds the maps between states, and caches them."""

    def __init__(self) -> None:
        self._known: weakref.WeakKeyDictionary[
            TrainingFrame, tuple[weakref.ref[TrainingFrame], Doubles]
        ] = weakref.WeakKeyDictionary()

    def between(self, frame: TrainingFrame, later: TrainingFrame) -> Doubles:
        """float64[d, d], orthogonal: brings the unit vectors of ``frame`` closest to those of
        ``later``.
        """
        known = self._known.get(frame)
        if known is not None and known[0]() is later:
            return known[1]
        rows = slice(0, _FITTED)
        found = rotation_between(unit_rows_of(frame, rows), unit_rows_of(later, rows))
        self._known[frame] = (weakref.ref(later), found)
        return found

    def onto_last(
        self, frames: Sequence[TrainingFrame], run: JobControl | None = None
    ) -> tuple[Doubles, ...]:
        """A map float64[d, d] for each state, the last one the identity. Raises Cancelled."""
        dim = frames[-1].embeddings.dim
        turns = [np.eye(dim)]
        for at in range(len(frames) - 2, -1, -1):
            if run is not None:
                run.check()
            turns.append(self.between(frames[at], frames[at + 1]) @ turns[-1])
        return tuple(reversed(turns))


@dataclass(frozen=True, eq=False)
class Plane:
    """A plane. centre : float64[d]; axes : float64[d, 2], orthonormal columns (zero if there is no
    second direction).
    """

    centre: Doubles
    axes: Doubles


def plane_of(frame: TrainingFrame, rows: Ints | Sequence[int] | None = None) -> Plane:
    """The first two principal axes of the unit vectors of some words, or of all.

    Each axis points so that its largest coordinate is positive.
    """
    unit = unit_rows_of(frame, slice(None) if rows is None else rows)
    centre = unit.mean(axis=0)
    _, directions = np.linalg.eigh((unit - centre).T @ (unit - centre))
    axes = np.zeros((unit.shape[1], 2))
    found = directions[:, ::-1][:, :2]
    strongest = np.argmax(np.abs(found), axis=0)
    axes[:, : found.shape[1]] = found * np.where(
        found[strongest, np.arange(found.shape[1])] < 0, -1.0, 1.0
    )
    return Plane(centre, axes)


def place_words(
    frames: Sequence[TrainingFrame],
    turns: Sequence[Doubles],
    plane: Plane,
    rows: Ints | Sequence[int],
) -> Singles:
    """float32[F, n, 2]: the unit vectors of n words in every state, rotated, in one plane."""
    turned = zip(frames, turns, strict=True)
    seen = [
        unit_rows_of(frame, rows) @ (turn @ plane.axes) - plane.centre @ plane.axes
        for frame, turn in turned
    ]
    return np.asarray(seen, dtype=np.float32)


@dataclass(frozen=True, eq=False)
class Neighbourhoods:
    """A word's nearest words in every state.

    rows : int64[F, n], best first, -1 if there are none; cosines : float64[F, n], NaN there
    """

    word: str
    rows: Ints
    cosines: Doubles


def neighbours_along(
    frames: Sequence[TrainingFrame], word: str, n: int = 10, run: JobControl | None = None
) -> Neighbourhoods:
    """The ``n`` nearest by cosine among the words in the states, excluding the word itself. Raises
    UnknownWord and Cancelled.
    """
    row = frames[-1].embeddings.row(word)
    rows = np.full((len(frames), n), -1, dtype=np.int64)
    found = np.full((len(frames), n), np.nan)
    for at, frame in enumerate(frames):
        if run is not None:
            run.check()
        query = unit_rows_of(frame, [row])
        if not query.any():
            continue
        scores = cosines_with(frame, query)[:, 0]
        near = best_rows(scores, n, [row])
        rows[at, : len(near)] = near
        found[at, : len(near)] = scores[near]
    return Neighbourhoods(frames[-1].embeddings.words[row], rows, found)


@dataclass(frozen=True, eq=False)
class AnalogyCourse:
    """a − b + c = d in every state, by 3CosAdd, excluding the three words (LG14b, eq. 3).

    words : a, b, c, d; rank : int64[F], rank of d among ``candidates``, 1 is correct; 0 if the
    sum or d has no direction
    score : float64[F], cos(d, a − b + c); first : int64[F], row of the answer; first_score :
    float64[F]
    """

    words: tuple[str, str, str, str]
    candidates: int
    rank: Ints
    score: Doubles
    first: Ints
    first_score: Doubles


def analogy_along(
    frames: Sequence[TrainingFrame],
    a: str,
    b: str,
    c: str,
    d: str | None,
    run: JobControl | None = None,
) -> AnalogyCourse:
    """Answer one analogy in every state; candidates are the words in the states. Raises UnknownWord
    and Cancelled.

    d : the answer to follow; None: the first answer in the last state

    Raises UserError if d is one of the three query words, which are never answers, or if there is
    no first answer.
    """
    last = frames[-1].embeddings
    rows = [last.row(word) for word in (a, b, c)]
    answer = _first_answer(frames[-1], rows) if d is None else last.row(d)
    if answer in rows:
        raise UserError(
            tr("“{d}” is one of the three query words, which are excluded from the answers.", d=d),
            tr("Choose another word."),
        )
    size = len(frames)
    rank, first = np.zeros(size, dtype=np.int64), np.full(size, -1, dtype=np.int64)
    score, first_score = np.full(size, np.nan), np.full(size, np.nan)
    for at, frame in enumerate(frames):
        if run is not None:
            run.check()
        scores = _answer_scores(frame, rows)
        if scores is None or not frame.embeddings.norms[answer] > 0:
            continue
        score[at] = scores[answer]
        scores[rows] = -np.inf
        rank[at] = 1 + int((scores > scores[answer]).sum())
        first[at] = int(np.argmax(scores))
        first_score[at] = scores[first[at]]
    words = last.words
    question_words = (words[rows[0]], words[rows[1]], words[rows[2]], words[answer])
    return AnalogyCourse(
        question_words, len(last) - len(set(rows)), rank, score, first, first_score
    )


def _answer_scores(frame: TrainingFrame, rows: Sequence[int]) -> Doubles | None:
    """float64[N], cos(w, a − b + c) of every word w, with a, b and c in ``rows``; None if the sum
    is zero.
    """
    one, two, three = unit_rows_of(frame, rows)
    query = one - two + three
    length = float(np.linalg.norm(query))
    if not length:
        return None
    return cosines_with(frame, query[None] / length)[:, 0]


def _first_answer(frame: TrainingFrame, rows: Sequence[int]) -> int:
    """Row of the first answer, which is none of the three words. Raises UserError."""
    scores = _answer_scores(frame, rows)
    if scores is not None:
        scores[list(rows)] = -np.inf
        best = int(np.argmax(scores))
        if np.isfinite(scores[best]):
            return best
    raise UserError(tr("No word in the snapshots answers this analogy."), tr("Choose other words."))


def fits_along(
    frames: Sequence[TrainingFrame],
    pairs: PairCounts,
    setting: TargetSettings,
    own: TheoryTarget,
    run: JobControl | None = None,
    known: Mapping[TrainingFrame, Figures] | None = None,
) -> tuple[Figures, ...]:
    """Compare every state with the model's own target over the observed pairs, weighted as in its
    loss.

    known : figures of states that were compared before

    Raises UserError if the states contain too few words or lack the vectors for scores, and
    Cancelled.
    """
    known = known or {}
    if own.score in ("softmax", "tree") and not frames[-1].whole:
        raise UserError(
            tr(
                "log Q(c|w) sums over all words, but the snapshots contain only the most "
                "frequent ones."
            ),
            tr("Train with a smaller vocabulary to see the fit during training."),
        )
    target, weight = target_values(pairs, setting, own.target), weight_values(pairs, setting, own)
    size, indptr, indices, rows = (
        len(pairs.words),
        pairs.cells.indptr,
        pairs.cells.indices,
        pairs.rows,
    )
    step = max(1, _CELLS // size)
    found = []
    for at, frame in enumerate(frames):
        if run is not None:
            run.advance(
                at / len(frames), tr("Snapshot {at} of {number}", at=at + 1, number=len(frames))
            )
        seen = known.get(frame)
        if seen is None:
            scores, values = (
                PairScores(frame.embeddings, pairs, own.score),
                np.empty(pairs.cells.nnz),
            )
            for begin in range(0, size, step):
                if run is not None:
                    run.check()
                places_here = np.arange(begin, min(begin + step, size))
                cells = slice(int(indptr[begin]), int(indptr[places_here[-1] + 1]))
                values[cells] = scores.block(places_here)[rows[cells] - begin, indices[cells]]
            seen = figures_of(values, target, weight)
        found.append(seen)
    return tuple(found)
