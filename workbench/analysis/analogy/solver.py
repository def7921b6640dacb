"""Analogies by vector arithmetic: answers to one question, and accuracy on many."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.analogy.questions import Questions, is_syntactic
from workbench.analysis.neighbours.query_resolution import find_vector
from workbench.analysis.neighbours.ranking import (
    cosines,
    exact_cosines,
    exactly_best,
    slack_of,
    unit_doubles,
)
from workbench.core.arrays import Bools, Doubles, Ids, Places
from workbench.core.errors import UserError
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.word_lookup import look_up
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.lengths import blocks
from workbench.vectors.row_order import ALPHABETICAL, BY_FREQUENCY, order_of

METHODS = ("3cosadd", "3cosmul")
EPSILON = 0.001
# Scores that differ by less, in the last digits of sums, count as equal.
_EQUAL = 1e-12


# Maximum number of rows of cosines, and their maximum bytes, for questions that are scored
# together.
_ROWS_AT_ONCE = 1024
_BYTES_AT_ONCE = 256_000_000
_QUESTIONS_AT_ONCE = 64
_SPARSE_AT_ONCE = 8


@dataclass(frozen=True)
class Answer:
    """A word proposed as d; ``row`` is its row in the embeddings."""

    word: str
    score: float
    row: int


class Section(NamedTuple):
    """Numbers of questions: answered correctly, asked (all words known), and in the file."""

    correct: int
    asked: int
    total: int

    @property
    def accuracy(self) -> float:
        """Share of correct answers among the asked questions; NaN if none was asked."""
        if self.asked:
            return self.correct / self.asked
        return math.nan


@dataclass(frozen=True, eq=False)
class AnalogyReport:
    """Accuracy of a method on a question file; shares are NaN if no question was asked.

    all, semantic, syntactic : micro averages (every question weighs the same) in 0..1
    macro, macro_semantic, macro_syntactic : means of the sections' accuracies
    asked : questions whose four words are among the ``restrict`` first and have vectors; covered :
    their share of ``total``
    without_vector : questions left out because the vector of one of their words is zero
    order : order of the rows (:mod:`workbench.vectors.row_order`)
    words : number of words of the model
    question : int32[asked], index of the question in the file
    expected, predicted : int32[asked], rows of d and of the answer; if several answers are right,
    d is the predicted one, or the one with the best rank
    rank : int32[asked], rank of d among the candidates, 1 is correct
    left_out : number of lines of the file that aren't questions
    stood_for_b : by the index of a question whose b is unknown, the word of the file in its place
    """

    method: str
    restrict: int
    all: float
    semantic: float
    syntactic: float
    macro: float
    macro_semantic: float
    macro_syntactic: float
    correct: int
    asked: int
    total: int
    covered: float
    sections: Mapping[str, Section]
    question: Ids
    expected: Ids
    predicted: Ids
    rank: Ids
    without_vector: int = 0
    order: str = BY_FREQUENCY
    words: int = 0
    left_out: int = 0
    stood_for_b: Mapping[int, str] = field(default_factory=dict)


def solve(
    embeddings: Embeddings,
    a: str,
    b: str,
    c: str,
    method: str = "3cosadd",
    n: int = 10,
    exclude_query: bool = True,
    restrict: int = 0,
) -> tuple[Answer, ...]:
    """The ``n`` best answers to a − b + c ("king" − "man" + "woman"), best first.

    With unit vectors, 3cosadd scores a word x by cos(x, a − b + c), 3cosmul by
    cos(x, a)·cos(x, c) / (cos(x, b) + 0.001) with cosines shifted to 0..1 (LG14b, eq. 3 and 4 and
    section 6). ``exclude_query`` leaves out the three words; candidates are the ``restrict`` most
    frequent (first) words, 0 for all. If the model has n-grams, the three may be any strings.
    Raises UnknownWord.
    """
    _check_method(method)
    queries = [find_vector(embeddings, word) for word in (a, b, c)]
    rows = [query.row for query in queries]
    first, second, third = (query.unit for query in queries)
    if method == "3cosadd":
        query = first - second + third
        length = float(np.linalg.norm(query))
        if not length:
            raise UserError(
                tr(
                    "{a} − {b} + {c} is the zero vector, so it has no nearest words.", a=a, b=b, c=c
                ),
                tr("Choose other words."),
            )
        query_rows = (query / length)[None]
    else:
        query_rows = np.stack([first, second, third])

    def of(near: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
        if method == "3cosadd":
            return near[:, 0]
        # Rounding can put the cosine of opposite vectors below −1.
        shifted = np.maximum((near + 1) / 2, 0)
        found: npt.NDArray[np.floating] = shifted[:, 0] * shifted[:, 2] / (shifted[:, 1] + EPSILON)
        return found

    near = cosines(embeddings, query_rows)[: restrict or None]
    scores = np.where(np.isneginf(near[:, 0]), -np.inf, of(near))
    slack = slack_of(embeddings)
    if method == "3cosmul":
        # Maximum error of a score at the smallest divisor.
        slack *= max(1.0, float(scores.max(initial=0.0))) / EPSILON
    found, values = exactly_best(
        scores,
        n,
        [row for row in rows if 0 <= row < len(scores)] if exclude_query else (),
        slack,
        lambda rows: np.asarray(of(exact_cosines(embeddings, rows, query_rows)), dtype=np.float64),
    )
    return tuple(
        Answer(embeddings.words[row], score, row)
        for row, score in zip(found.tolist(), values.tolist(), strict=True)
    )


def evaluate(
    embeddings: Embeddings,
    questions: Questions,
    method: str = "3cosadd",
    restrict: int = 30_000,
    run: JobControl | None = None,
    fold_case: bool = True,
) -> AnalogyReport:
    """Answer every question a : b :: c : ? by b − a + c, excluding the query words.

    Questions and candidates are limited to the ``restrict`` most frequent (first) words, 0 for all;
    questions with other words, or with words without a vector, are skipped and counted. Of several
    right answers, one must be known, and any is right. Scores are sums or products of cosines in
    float64, and words without a vector are never answers. Words are looked up as in the file, then
    in the spelling of the corpus; with ``fold_case``, then in other cases. Without counts, the
    order of rows is taken for frequency, unless it is alphabetical: then all words are candidates.
    Raises Cancelled.
    """
    _check_method(method)
    top = min(restrict or len(embeddings), len(embeddings))
    order = order_of(embeddings)
    if order == ALPHABETICAL:
        top = len(embeddings)
    rows_of = {
        word: _row_or(embeddings, word, fold_case, len(embeddings))
        for all_words in (questions.words, questions.alternatives, questions.seconds)
        for words in all_words
        for word in words
    }
    table = np.array(
        [[rows_of[word] for word in words] for words in questions.words], dtype=np.int32
    ).reshape(-1, 4)
    live = embeddings.has_vector[:top]
    alive = np.append(live, False)
    stood_for_b = _replace_b(table, questions, rows_of, alive)
    owner, answer = _right_answers(questions, table, rows_of)
    given: Bools = np.asarray((table[:, :3] < top).all(axis=1))
    given_live: Bools = np.asarray(alive[np.minimum(table[:, :3], top)].all(axis=1))
    known = np.unique(owner[given[owner] & (answer < top)])
    can = given_live[owner] & alive[np.minimum(answer, top)]
    if questions.seconds:
        # The word that stands for b isn't an answer.
        can &= answer != table[owner, 1]
    tried = np.flatnonzero(can)
    owner, answer = owner[tried], answer[tried]
    question_words = np.column_stack([table[owner, :3], answer]).astype(np.int32)
    predicted, rank = _answer_all(embeddings, question_words, method, live, run)
    # The right answer that was given comes first, then the one with the best rank.
    best = np.lexsort((rank, predicted != answer, owner))
    question, first = np.unique(owner[best], return_index=True)
    best = best[first]
    report = _report(
        method,
        top,
        questions,
        question.astype(np.int32),
        answer[best],
        predicted[best],
        rank[best],
    )
    return replace(
        report,
        without_vector=len(known) - len(question),
        order=order,
        words=len(embeddings),
        left_out=len(questions.left_out),
        stood_for_b=stood_for_b,
    )


def _right_answers(
    questions: Questions, table: Ids, rows_of: Mapping[str, int]
) -> tuple[Places, Ids]:
    """Question and row of every right answer."""
    owner, answer = np.arange(len(table)), table[:, 3]
    if questions.alternatives:
        owner = np.repeat(owner, [1 + len(others) for others in questions.alternatives])
        answer = np.array(
            [rows_of[word] for at in range(len(table)) for word in questions.answers(at)],
            dtype=np.int32,
        )
    return owner, answer


def _replace_b(
    table: Ids, questions: Questions, rows_of: Mapping[str, int], alive: Bools
) -> dict[int, str]:
    """Put the first alternative with a vector into the place of each b without one; returns the
    alternatives by question.
    """
    top = len(alive) - 1
    stood_for_b: dict[int, str] = {}
    for at, others in enumerate(questions.seconds):
        if others and not alive[min(table[at, 1], top)]:
            spare = next((word for word in others if alive[min(rows_of[word], top)]), None)
            if spare is not None:
                table[at, 1] = rows_of[spare]
                stood_for_b[at] = spare
    return stood_for_b


def _answer_all(
    embeddings: Embeddings,
    question_words: Ids,
    method: str,
    live: Bools,
    run: JobControl | None,
) -> tuple[Ids, Ids]:
    """The predicted row and the rank of the right answer, for each of ``question_words``
    int32[n, 4]. Raises Cancelled.
    """
    top = len(live)
    predicted = np.full(len(question_words), -1, dtype=np.int32)
    rank = np.zeros(len(question_words), dtype=np.int32)
    score = _score_add if method == "3cosadd" else _score_mul
    for start, stop in _blocks(
        question_words, max(3, min(_ROWS_AT_ONCE, _BYTES_AT_ONCE // (8 * max(top, 1))))
    ):
        ids, places = np.unique(question_words[start:stop, :3], return_inverse=True)
        places = places.reshape(-1, 3).astype(np.int32)
        rows = _cosine_rows(embeddings, ids, top, run)
        for at in range(start, stop, _QUESTIONS_AT_ONCE):
            part = slice(at, min(at + _QUESTIONS_AT_ONCE, stop))
            if run is not None:
                run.check()
                run.advance(at / len(question_words), tr("Solving analogies"))
            score(
                rows,
                live,
                places[part.start - start : part.stop - start],
                question_words[part],
                predicted[part],
                rank[part],
            )
    return predicted, rank


def _row_or(embeddings: Embeddings, word: str, fold_case: bool, none: int) -> int:
    row = (
        embeddings.find(word)
        if fold_case
        else look_up(word, embeddings.index, embeddings.options, fold=False)
    )
    return none if row is None else row


def _check_method(method: str) -> None:
    if method not in METHODS:
        raise UserError(
            tr("Unknown analogy method “{method}”.", method=method),
            tr("Choose one of: {names}.", names=", ".join(METHODS)),
        )


def _blocks(questions: Ids, most: int) -> Iterator[tuple[int, int]]:
    """Ranges of questions that need at most ``most`` different query words."""
    start = 0
    seen: set[int] = set()
    for i, row in enumerate(questions[:, :3].tolist()):
        if len(seen.union(row)) > most:
            yield start, i
            start = i
            seen = set()
        seen.update(row)
    if start < len(questions):
        yield start, len(questions)


def _cosine_rows(
    embeddings: Embeddings, ids: npt.NDArray[np.int32], top: int, run: JobControl | None
) -> Doubles:
    """float64[len(ids), top], cosines of these words with the first ``top`` words, a few rows at a
    time.
    """
    rows = np.empty((len(ids), top))
    if not embeddings.sparse:
        chosen = unit_doubles(embeddings, ids)
        for part in blocks((top, embeddings.dim)):
            if run is not None:
                run.check()
            rows[:, part] = chosen @ unit_doubles(embeddings, np.arange(part.start, part.stop)).T
        return rows
    norms = embeddings.norms[:top]
    candidates = sp.diags_array(1 / np.where(norms > 0, norms, 1.0)) @ embeddings.vectors[
        :top
    ].astype(np.float64)
    for at in range(0, len(ids), _SPARSE_AT_ONCE):
        if run is not None:
            run.check()
        part = slice(at, at + _SPARSE_AT_ONCE)
        rows[part] = np.asarray(candidates @ unit_doubles(embeddings, ids[part]).T).T
    return rows


@kernel
def _score_add(
    cosines: Doubles, live: Bools, places: Ids, questions: Ids, predicted: Ids, rank: Ids
) -> None:
    """3CosAdd of every candidate: cos(x, b) − cos(x, a) + cos(x, c), as cos(x, b − a + c) times a
    length.
    """
    for q in range(questions.shape[0]):
        a, b, c, d = questions[q]
        to_a, to_b, to_c = cosines[places[q, 0]], cosines[places[q, 1]], cosines[places[q, 2]]
        wanted = to_b[d] - to_a[d] + to_c[d] if live[d] else -np.inf
        winner, winning, better = -1, -np.inf, 0
        for x in range(cosines.shape[1]):
            score = to_b[x] - to_a[x] + to_c[x]
            if (
                (score > winning + _EQUAL or score > wanted + _EQUAL)
                and live[x]
                and x != a
                and x != b
                and x != c
            ):
                better += score > wanted + _EQUAL
                if score > winning + _EQUAL:
                    winner, winning = x, score
        predicted[q] = winner
        rank[q] = better + 1


@kernel
def _score_mul(
    cosines: Doubles, live: Bools, places: Ids, questions: Ids, predicted: Ids, rank: Ids
) -> None:
    """3CosMul of every candidate: cos(x, b)·cos(x, c) / (cos(x, a) + 0.001), cosines shifted to
    0..1.
    """
    epsilon = 0.001
    for q in range(questions.shape[0]):
        a, b, c, d = questions[q]
        to_a, to_b, to_c = cosines[places[q, 0]], cosines[places[q, 1]], cosines[places[q, 2]]
        wanted = -np.inf
        if live[d]:
            wanted = (
                (to_b[d] + 1.0) * 0.5 * ((to_c[d] + 1.0) * 0.5) / ((to_a[d] + 1.0) * 0.5 + epsilon)
            )
        winner, winning, better = -1, -np.inf, 0
        for x in range(cosines.shape[1]):
            score = (
                (to_b[x] + 1.0) * 0.5 * ((to_c[x] + 1.0) * 0.5) / ((to_a[x] + 1.0) * 0.5 + epsilon)
            )
            if (
                (score > winning + _EQUAL or score > wanted + _EQUAL)
                and live[x]
                and x != a
                and x != b
                and x != c
            ):
                better += score > wanted + _EQUAL
                if score > winning + _EQUAL:
                    winner, winning = x, score
        predicted[q] = winner
        rank[q] = better + 1


def _report(
    method: str,
    top: int,
    questions: Questions,
    question: Ids,
    expected: Ids,
    predicted: Ids,
    rank: Ids,
) -> AnalogyReport:
    size = len(questions.sections)
    all_sections = np.array(questions.section, dtype=np.intp)
    right = predicted == expected
    asked_in = all_sections[question]
    total = np.bincount(all_sections, minlength=size)
    question_counts = np.bincount(asked_in, minlength=size)
    correct = np.bincount(asked_in, weights=right, minlength=size).astype(np.int64)
    sections = {
        name: Section(int(correct[i]), int(question_counts[i]), int(total[i]))
        for i, name in enumerate(questions.sections)
    }
    every = list(sections.values())
    syntactic = [section for name, section in sections.items() if is_syntactic(name)]
    semantic = [section for name, section in sections.items() if not is_syntactic(name)]
    return AnalogyReport(
        method=method,
        restrict=top,
        all=_micro(every),
        semantic=_micro(semantic),
        syntactic=_micro(syntactic),
        macro=_macro(every),
        macro_semantic=_macro(semantic),
        macro_syntactic=_macro(syntactic),
        correct=int(right.sum()),
        asked=len(question),
        total=len(questions),
        covered=len(question) / len(questions) if len(questions) else math.nan,
        sections=sections,
        question=question,
        expected=np.ascontiguousarray(expected),
        predicted=predicted,
        rank=rank,
    )


def _micro(sections: Sequence[Section]) -> float:
    question_count = sum(section.asked for section in sections)
    if question_count:
        return sum(section.correct for section in sections) / question_count
    return math.nan


def _macro(sections: Sequence[Section]) -> float:
    shares = [section.accuracy for section in sections if section.asked]
    if shares:
        return sum(shares) / len(shares)
    return math.nan
