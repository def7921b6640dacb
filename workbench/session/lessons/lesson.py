"""Parsed lesson: frozen, checked, without measured values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from workbench.core.language import tr
from workbench.session.lessons import markdown
from workbench.session.lessons.actions import LessonAction, Open, Train
from workbench.session.lessons.assertions import Claim
from workbench.session.lessons.markdown import MarkdownBlock

LEVELS = ("beginner", "intermediate", "advanced")
LEVEL_TITLES = {
    "beginner": tr("Beginner"),
    "intermediate": tr("Intermediate"),
    "advanced": tr("Advanced"),
}


@dataclass(frozen=True)
class Prediction:
    """An answer that can be predicted."""

    text: str
    right: bool


@dataclass(frozen=True)
class Question:
    """A question to predict; exactly one of the ``choices`` is correct."""

    blocks: tuple[MarkdownBlock, ...]
    choices: tuple[Prediction, ...]

    @property
    def right(self) -> int:
        return next(at for at, choice in enumerate(self.choices) if choice.right)


@dataclass(frozen=True)
class LessonStep:
    """A step. ``line`` is the line of its title. ``reveal`` is shown once the question is answered
    and all actions are done.
    """

    line: int
    title: str
    text: tuple[MarkdownBlock, ...]
    question: Question | None
    actions: tuple[LessonAction, ...]
    reveal: tuple[MarkdownBlock, ...]
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Lesson:
    """A lesson. ``key`` is the name of its file; ``sources`` are cited at the end. ``objectives``
    complete “After this lesson, you can …”; ``notes`` are for teachers. ``open_question`` has no
    single answer, and ``exit_question`` checks what students learned; "" for none.
    """

    key: str
    path: Path
    title: str
    about: str
    level: str
    minutes: int
    order: int
    sources: tuple[str, ...]
    objectives: tuple[str, ...]
    notes: tuple[str, ...]
    open_question: str
    exit_question: str
    steps: tuple[LessonStep, ...]

    @property
    def closing_questions(self) -> list[tuple[str, str]]:
        """Title and text of the open question and of the exit question, if the lesson has them."""
        both = (
            (tr("Open question"), self.open_question),
            (tr("Exit question"), self.exit_question),
        )
        return [(title, question) for title, question in both if question]

    @cached_property
    def trainings(self) -> Mapping[str, tuple[Open, Train]]:
        """Every training by its label, with the corpus that is open at its line."""
        found: dict[str, tuple[Open, Train]] = {}
        corpus: Open | None = None
        for action in (action for step in self.steps for action in step.actions):
            if isinstance(action, Open):
                corpus = action
            elif isinstance(action, Train) and corpus is not None:
                found[action.label] = (corpus, action)
        return found

    def corpus_at(self, step: int) -> Open | None:
        """The corpus that is open after the actions of a step."""
        opened = [
            action
            for each in self.steps[: step + 1]
            for action in each.actions
            if isinstance(action, Open)
        ]
        if opened:
            return opened[-1]
        return None

    @cached_property
    def _named_at(self) -> Mapping[str, int]:
        """The step in which each value is measured, by its name."""
        return {
            claim.name: at
            for at, step in enumerate(self.steps)
            for claim in step.claims
            if claim.name
        }

    def steps_needed(self, step: int) -> tuple[int, ...]:
        """This step, and earlier steps whose values it mentions or compares with."""
        wanted, unseen = {step}, [step]
        while unseen:
            here = self.steps[unseen.pop()]
            names = [*markdown.placeholders((*here.text, *here.reveal))]
            names += [
                operand.term
                for claim in here.claims
                for operand in claim.operands
                if operand.named and isinstance(operand.term, str)
            ]
            for at in {self._named_at[name] for name in names if name in self._named_at} - wanted:
                wanted.add(at)
                unseen.append(at)
        return tuple(sorted(wanted))

    def labels_needed(self, step: int) -> tuple[str, ...]:
        """Labels of the runs that a step trains, sets, views, compares or measures."""
        wanted: dict[str, None] = {}
        for action in self.steps[step].actions:
            wanted.update(dict.fromkeys(action.labels))
        for at in self.steps_needed(step):
            for claim in self.steps[at].claims:
                for call in claim.calls:
                    wanted.update(dict.fromkeys(call.runs))
        return tuple(label for label in wanted if label in self.trainings)
