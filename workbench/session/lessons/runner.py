"""Lessons without a window: training of their runs and measurement of their claims."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.session.corpus.reading import read_corpus
from workbench.session.lessons.actions import Open, Train, View
from workbench.session.lessons.assertions import ClaimResult, judge_claim
from workbench.session.lessons.context import LessonCache, LessonScene
from workbench.session.lessons.lesson import Lesson, LessonStep
from workbench.session.lessons.measure_registry import Value
from workbench.session.lessons.words import UnknownInStep, unknown_words
from workbench.session.training.train_api import train_run
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class Outcome:
    """The result of a step; ``shown`` contains every value so far, formatted, by name; ``unknown``
    are words that the step uses and that the text or run doesn't have.
    """

    step: LessonStep
    measured: tuple[ClaimResult, ...]
    shown: dict[str, str]
    unknown: tuple[UnknownInStep, ...] = ()

    @property
    def true(self) -> bool:
        """Whether every claim of the step holds."""
        return all(one.true is not False for one in self.measured)


class Bench:
    """Environment that plays lessons. Opens each corpus and makes equal trainings only once for all
    lessons.
    """

    def __init__(self) -> None:
        self.kept = LessonCache()
        self._corpora: dict[str, Corpus] = {}
        self._trained: dict[tuple[str, str, str], Embeddings] = {}

    def corpus(self, opened: Open, run: JobControl) -> Corpus:
        """Raises UserError and Cancelled."""
        if opened.corpus not in self._corpora:
            name = "" if opened.corpus.find("/") < 0 else Path(opened.corpus).stem
            self._corpora[opened.corpus] = read_corpus([opened.corpus], None, run, name)
        return self._corpora[opened.corpus]

    def train_vectors(self, corpus: Corpus, wanted: Train, run: JobControl) -> Embeddings:
        """Raises UserError and Cancelled."""
        params = wanted.params
        key = (corpus.digest, wanted.algorithm, repr(sorted(params.to_dict().items())))
        if key not in self._trained:
            self._trained[key] = train_run(corpus, wanted.algorithm, params, run)
        return self._trained[key]

    def play(
        self, lesson: Lesson, run: JobControl | None = None, seed: int | None = None
    ) -> Iterator[Outcome]:
        """Yield the outcome of every step in order. ``seed`` replaces the lowest seed of all
        trainings and shifts all other seeds equally, so that different seeds stay different;
        the control that takes other cells away draws with it, too. Raises UserError and Cancelled.
        """
        run = run or JobControl()
        shift = seed - min(_named_seeds(lesson), default=seed) if seed is not None else 0
        corpus: Corpus | None = None
        runs: dict[str, tuple[Embeddings, Corpus]] = {}
        found: dict[str, Value] = {}
        shown: dict[str, str] = {}
        seen: tuple[str, Embeddings] | None = None
        for step in lesson.steps:
            run.check()
            unknown: list[UnknownInStep] = []
            for action in step.actions:
                if isinstance(action, Open):
                    corpus = self.corpus(action, run)
                elif isinstance(action, Train) and corpus is not None:
                    if shift and "seed" in action.values:
                        shifted = int(action.values["seed"]) + shift
                        action = replace(action, values={**action.values, "seed": shifted})
                    runs[action.label] = (self.train_vectors(corpus, action, JobControl()), corpus)
                    shown[action.label] = action.title
                if isinstance(action, (Train, View)) and action.label in runs:
                    seen = shown[action.label], runs[action.label][0]
                unknown += unknown_words(action, corpus, seen)
            scene = LessonScene(corpus, runs, run, self.kept, 1 if seed is None else seed)
            measured = measure_step(step, scene, found, shown)
            yield Outcome(step, measured, dict(shown), tuple(unknown))


def _named_seeds(lesson: Lesson) -> list[int]:
    actions = [action for step in lesson.steps for action in step.actions]
    return [
        int(action.values["seed"])
        for action in actions
        if isinstance(action, Train) and "seed" in action.values
    ]


def measure_step(
    step: LessonStep, scene: LessonScene, found: dict[str, Value], shown: dict[str, str]
) -> tuple[ClaimResult, ...]:
    """Measure the claims of a step; put named values into ``found``, and the formatted values into
    ``shown``.
    """
    measured = []
    for claim in step.claims:
        scene.run.check()
        one = judge_claim(claim, found, scene)
        measured.append(one)
        if claim.name:
            shown[claim.name] = one.shown
    return tuple(measured)
