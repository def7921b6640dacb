"""Decomposition of an analogy's scores into terms, with nearest-neighbour baselines."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from workbench.analysis.analogy.solver import EPSILON, Answer, solve
from workbench.analysis.neighbours.query_resolution import find_vector
from workbench.analysis.neighbours.ranking import (
    cosines,
    exact_cosines,
    exactly_best,
    slack_of,
    unit_doubles,
)
from workbench.core.arrays import Doubles
from workbench.vectors.embeddings import Embeddings

# By key: the factors of the query's vectors a, b, c in a baseline. The names are those of Linzen
# 2016, who writes the question as a : a* = b : ?; his b is our c, his a* our a.
BASELINES = {"only-c": (0.0, 0.0, 1.0), "only-a": (1.0, 0.0, 0.0), "ignore-b": (1.0, 0.0, 1.0)}


@dataclass(frozen=True)
class Candidate:
    """One answer to a − b + c, with its score decomposed.

    score : as returned by :func:`workbench.analysis.analogy.solver.solve`
    cosines : cos(x, a), cos(x, b), cos(x, c), in −1..1
    parts : contributions of a, b and c, in this order; they sum to ``total``
    total : the score itself for 3cosadd, its natural logarithm for 3cosmul
    """

    word: str
    row: int
    score: float
    cosines: tuple[float, float, float]
    parts: tuple[float, float, float]
    total: float


@dataclass(frozen=True)
class Baseline:
    """Answers when terms of a − b + c are left out: words by cosine with the remainder, best first.

    key : "only-c": nearest to c (ONLY-B of Linzen 2016); "only-a": nearest to a; "ignore-b":
    nearest to a + c (IGNORE-A of Linzen 2016)
    rank : place of the analogy's best answer here, 1 for the first; 0 if it has no answer
    """

    key: str
    answers: tuple[Answer, ...]
    rank: int


@dataclass(frozen=True)
class Anatomy:
    """A decomposed analogy. ``length`` is the length of a − b + c over unit vectors, by which
    3cosadd divides.
    """

    query: tuple[str, str, str]
    method: str
    length: float
    candidates: tuple[Candidate, ...]
    baselines: tuple[Baseline, ...]


def decompose_analogy(
    embeddings: Embeddings,
    a: str,
    b: str,
    c: str,
    method: str = "3cosadd",
    n: int = 10,
    exclude_query: bool = True,
    restrict: int = 0,
) -> Anatomy:
    """Decompose the scores of the ``n`` best answers to a − b + c; arguments as for ``solve``.

    3cosadd (LG14b, eq. 3): cos(x, a − b + c) = (cos(x, a) − cos(x, b) + cos(x, c)) / ‖a − b + c‖,
    so the parts are the three cosines, that with b negative, each divided by the length. 3cosmul
    (LG14b, eq. 4): log s = log s_a − log(s_b + ε) + log s_c with s = (cos + 1)/2 and ε = 0.001, so
    the parts are these logarithms; the part of a word opposite to a or c is −∞. Raises UnknownWord,
    and UserError for a − b + c = 0.
    """
    answers = solve(embeddings, a, b, c, method, n, exclude_query, restrict)
    queries = [find_vector(embeddings, word) for word in (a, b, c)]
    exact = np.stack([one.unit for one in queries])
    length = float(np.linalg.norm(exact[0] - exact[1] + exact[2]))
    near = unit_doubles(embeddings, [answer.row for answer in answers]) @ exact.T
    candidates = tuple(
        _taken_apart(answer, (float(row[0]), float(row[1]), float(row[2])), method, length)
        for answer, row in zip(answers, near, strict=True)
    )
    left_out = [one.row for one in queries if not one.unseen] if exclude_query else []
    winner = answers[0].row if answers else -1
    baselines = _baselines(embeddings, exact, n, left_out, restrict, winner)
    known = (queries[0].word, queries[1].word, queries[2].word)
    return Anatomy(known, method, length, candidates, baselines)


def _taken_apart(
    answer: Answer, near: tuple[float, float, float], method: str, length: float
) -> Candidate:
    to_a, to_b, to_c = near
    if method == "3cosadd":
        parts = (to_a / length, -to_b / length, to_c / length)
    else:
        # Rounding can put the cosine of opposite vectors below −1, or just above it.
        share_a, share_b, share_c = (
            0.0 if cosine < 1e-12 - 1 else (cosine + 1) / 2 for cosine in near
        )
        parts = (_log(share_a), -_log(share_b + EPSILON), _log(share_c))
    return Candidate(answer.word, answer.row, answer.score, near, parts, math.fsum(parts))


def _log(value: float) -> float:
    if value > 0:
        return math.log(value)
    return -math.inf


def _baselines(
    embeddings: Embeddings, query: Doubles, n: int, left_out: list[int], restrict: int, winner: int
) -> tuple[Baseline, ...]:
    mixed: Doubles = np.array(list(BASELINES.values()), dtype=np.float64) @ query
    lengths = np.linalg.norm(mixed, axis=1, keepdims=True)
    mixed /= np.where(lengths > 0, lengths, 1.0)
    scores = cosines(embeddings, mixed)[: restrict or None]
    excluded = [row for row in left_out if row < len(scores)]
    return tuple(
        _baseline(embeddings, key, mixed[at : at + 1], scores[:, at], n, excluded, winner)
        for at, key in enumerate(BASELINES)
    )


def _baseline(
    embeddings: Embeddings,
    key: str,
    query: Doubles,
    scores: npt.NDArray[np.floating],
    n: int,
    excluded: list[int],
    winner: int,
) -> Baseline:
    found, values = exactly_best(
        scores,
        n,
        excluded,
        slack_of(embeddings),
        lambda rows: exact_cosines(embeddings, rows, query)[:, 0],
    )
    answers = tuple(
        Answer(embeddings.words[row], score, row)
        for row, score in zip(found.tolist(), values.tolist(), strict=True)
    )
    rank = 0
    if winner >= 0:
        # Equal scores are in order of row, as in ``best_rows``.
        before = (scores > scores[winner]) | (
            (scores == scores[winner]) & (np.arange(len(scores)) < winner)
        )
        rank = 1 + int(before.sum()) - int(before[list(set(excluded))].sum())
    return Baseline(key, answers, rank)
