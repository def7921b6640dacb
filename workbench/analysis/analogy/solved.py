"""Analogies that a model solves, to suggest to someone whose own question it can't answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from workbench.analysis.analogy.questions import Questions, load_questions
from workbench.analysis.analogy.rare_words import FEW
from workbench.analysis.analogy.solver import solve
from workbench.analysis.neighbours.ranking import cosines, unit_doubles
from workbench.core.job_control import JobControl
from workbench.corpus.samples import SAMPLES
from workbench.vectors.embeddings import Embeddings

# Number of questions of a section that are tried, those with the most frequent words.
_TRIED = 30

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True)
class SolvedAnalogy:
    """The best answer to a − b + c is the expected one: a is to b as ``answer`` is to c.

    section : name of the section in the question file
    score : as returned by :func:`workbench.analysis.analogy.solver.solve`
    """

    a: str
    b: str
    c: str
    answer: str
    section: str
    score: float


def solved_analogies(
    embeddings: Embeddings,
    most: int = 3,
    method: str = "3cosadd",
    restrict: int = 0,
    run: JobControl | None = None,
) -> tuple[SolvedAnalogy, ...]:
    """Up to ``most`` questions from the bundled question sets that the model answers correctly.

    Each is from another section if enough sections have one; sections of frequent words come
    first. Questions with an unknown word, or a rare one
    (:mod:`workbench.analysis.analogy.rare_words`), are left out. Only a few of each section are
    tried, so the search takes about a second for 100,000 words. Raises Cancelled.
    """
    first: list[SolvedAnalogy] = []
    more: list[SolvedAnalogy] = []
    for section, rows in _frequent_questions(embeddings):
        if run is not None:
            run.check()
        found = list(_find_solved(embeddings, section, rows, most, method, restrict))
        first += found[:1]
        more += found[1:]
        if len(first) == most:
            break
    return tuple([*first, *more][:most])


@cache
def _bundled_questions() -> tuple[Questions, ...]:
    return tuple(
        load_questions(sample.questions) for sample in SAMPLES.values() if sample.questions
    )


def _frequent_questions(embeddings: Embeddings) -> list[tuple[str, Rows]]:
    """Each section's questions b − a + c = d with the most frequent words, as rows b, a, c and d:
    intp[n, 4]. Sections with frequent words come first.
    """
    counts = embeddings.counts
    sections = []
    for questions in _bundled_questions():
        known = {
            word: row
            for word in {word for words in questions.words for word in words}
            if (row := embeddings.find(word)) is not None
            and embeddings.has_vector[row]
            and (counts is None or counts[row] >= FEW)
        }
        asked: list[list[tuple[int, ...]]] = [[] for _ in questions.sections]
        for (a, b, c, d), section in zip(questions.words, questions.section, strict=True):
            rows = tuple(known.get(word, -1) for word in (b, a, c, d))
            if min(rows) >= 0 and len(set(rows)) == len(rows):
                asked[section].append(rows)
        sections += [
            (name, np.array(sorted(every, key=max)[:_TRIED], dtype=np.intp))
            for name, every in zip(questions.sections, asked, strict=True)
            if every
        ]
    return sorted(sections, key=lambda one: int(one[1][0].max()))


def _find_solved(
    embeddings: Embeddings, section: str, questions: Rows, most: int, method: str, restrict: int
) -> Iterator[SolvedAnalogy]:
    """Up to ``most`` solved questions, in their order; no two of them have the same answer."""
    plus, minus, other = (unit_doubles(embeddings, questions[:, at]) for at in range(3))
    scores = cosines(embeddings, plus - minus + other)
    np.put_along_axis(scores, questions[:, :3].T, -np.inf, axis=0)
    words = embeddings.words
    asked: set[int] = set()
    for a, b, c, d in questions[scores.argmax(axis=0) == questions[:, 3]].tolist():
        if d in asked:
            continue
        best = solve(embeddings, words[a], words[b], words[c], method, 1, True, restrict)
        if best and best[0].row == d:
            asked.add(d)
            yield SolvedAnalogy(words[a], words[b], words[c], words[d], section, best[0].score)
            if len(asked) == most:
                return
