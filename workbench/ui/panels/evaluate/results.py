"""Results of runs on evaluation sets: computed in one job for all pages, and shared by them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from workbench.analysis.analogy import solver
from workbench.analysis.analogy.questions import Questions, load_questions
from workbench.analysis.evaluation import similarity
from workbench.analysis.evaluation.by_frequency import mean_log_frequency
from workbench.analysis.evaluation.leaderboard import (
    ANALOGIES,
    EvaluationSet,
    Score,
    score_of_answers,
    score_of_pairs,
)
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.job_control import JobControl, Portion
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.scores import ScoreStore
from workbench.session.runs.vector_loader import loader
from workbench.session.session import Session
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import subwords_of

PUBLISHED, FAILED = "results", "failed sets"
# Results beyond this limit aren't kept in memory: questions-words.txt takes half a megabyte per
# run.
_MOST = 200


@dataclass(frozen=True, eq=False)
class AnalogyAnswers:
    """One run's answers to a question file.

    frequency : mean log count of each asked question's words; None without counts
    answered : the answer to each asked question, "–" if there was none
    """

    questions: Questions
    report: solver.AnalogyReport
    frequency: Doubles | None
    answered: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class PairCosines:
    """One run's cosines of a set of word pairs; ``composed``: the report with vectors of n-grams
    for unseen words, if the model has n-grams and pairs are unknown.
    """

    pairs: similarity.WordPairs
    report: similarity.SimilarityReport
    composed: similarity.SimilarityReport | None = None


Result = AnalogyAnswers | PairCosines
Sets = Sequence[tuple[str, EvaluationSet]]
Task = tuple[RunRecord, Callable[[], Embeddings], Sets]


@dataclass(frozen=True, eq=False)
class RunResult:
    """The result of a run on the set with this key, and its score."""

    identifier: str
    key: str
    result: Result
    score: Score


def ask_sets(
    tasks: Sequence[Task], run: JobControl, going_on: bool = False
) -> tuple[RunResult, ...]:
    """Results of all tasks, published one by one; in a worker.

    ``going_on``: leave out a set that can't be read, and publish these sets as FAILED: their titles
    and errors by their keys. Raises UserError, and Cancelled.
    """
    found: tuple[RunResult, ...] = ()
    failed: dict[str, tuple[str, UserError]] = {}
    total = sum(len(sets) for _, _, sets in tasks)
    done = 0
    for record, load, sets in tasks:
        run.check()
        run.advance(done / total, record.name)
        embeddings = load()
        for key, one in sets:
            part = Portion(run, done / total, 1 / total, f"{record.name} · {one.title}")
            done += 1
            if key in failed:
                continue
            try:
                result, score = _ask(embeddings, key, one, part)
            except UserError as error:
                if not going_on:
                    raise
                failed = {**failed, key: (one.title, error)}
                run.publish(FAILED, failed)
                continue
            found = (*found, RunResult(record.identifier, key, result, score))
            run.publish(PUBLISHED, found)
    return found


def _ask(
    embeddings: Embeddings, key: str, one: EvaluationSet, run: JobControl
) -> tuple[Result, Score]:
    if one.kind != ANALOGIES:
        pairs = similarity.load_pairs(one.path, one.column)
        cosines = similarity.evaluate(embeddings, pairs, run)
        composed = None
        if cosines.missing and subwords_of(embeddings) is not None:
            composed = similarity.evaluate(embeddings, pairs, run, composing=True)
        return PairCosines(pairs, cosines, composed), score_of_pairs(cosines)
    questions = _load_questions(one.path, key)
    report = solver.evaluate(embeddings, questions, one.method, one.restrict, run)
    frequency = None
    if embeddings.counts is not None:
        frequency = mean_log_frequency(embeddings, questions, report)
    words = embeddings.words
    answered = tuple(words[row] if row >= 0 else "–" for row in report.predicted.tolist())
    return AnalogyAnswers(questions, report, frequency, answered), score_of_answers(report)


@lru_cache(maxsize=4)
def _load_questions(path: Path, key: str) -> Questions:
    """The questions of a file, cached by a ``key`` of content and method: read once for all
    runs.
    """
    return load_questions(path)


class Results:
    """Results by run and by key of the set, for this session; only scores are saved on disk.

    ``changed``: new results have arrived.
    """

    def __init__(self, session: Session) -> None:
        self.changed: Signal[()] = Signal()
        self.scores = ScoreStore()
        self._session = session
        self._known: dict[tuple[str, str], RunResult] = {}
        self._keys: dict[tuple[object, ...], str] = {}

    def key(self, one: EvaluationSet) -> str:
        """The key of a set; its files are hashed again only if one has changed. Raises UserError
        and OSError.
        """
        known = (one, *((file, file.stat().st_mtime_ns) for file in one.files()))
        if known not in self._keys:
            self._keys[known] = one.key()
        return self._keys[known]

    def get(self, record: RunRecord, key: str) -> Result | None:
        """The result of a run, if there is one."""
        found = self._known.get((record.identifier, key))
        if found is None:
            return None
        return found.result

    def task(self, record: RunRecord, sets: Sets) -> Task:
        """Input of a worker that scores a run on these sets."""
        return record, loader(self._session.store, record), sets

    def put(self, found: Sequence[RunResult]) -> None:
        """Keep new results, and save their scores."""
        new = [one for one in found if self._known.get((one.identifier, one.key)) is not one]
        for one in new:
            self._known[one.identifier, one.key] = one
            self.scores.put(one.identifier, one.key, one.score)
        # A job publishes all of its results again and again: a dropped result would count as new
        # the next time.
        passing = {(one.identifier, one.key) for one in found}
        for oldest in [known for known in self._known if known not in passing]:
            if len(self._known) <= _MOST:
                break
            del self._known[oldest]
        if new:
            self.changed.emit()
