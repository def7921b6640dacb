"""Measures of analogies: single ones, and the corpus's question set."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from workbench.analysis.analogy import solver
from workbench.analysis.analogy.questions import Questions, load_questions
from workbench.analysis.evaluation.by_frequency import mean_log_frequency
from workbench.analysis.neighbours.ranking import dense_rows
from workbench.core.arrays import Doubles, Places
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.samples import SAMPLES
from workbench.session.lessons.measure_registry import MeasureScene, Name, RunLabel, Word, measure

_AT_ONCE = 512
FIRST = "small-world"


@measure(tr("answer to {a} − {b} + {c} in {run}"))
def answer(scene: MeasureScene, run: RunLabel, a: Word, b: Word, c: Word) -> str:
    return solver.solve(scene.vectors(run), a, b, c, n=1)[0].word


@measure(tr("answer to {a} − {b} + {c} in {run}, query words allowed"))
def answer_with_query(scene: MeasureScene, run: RunLabel, a: Word, b: Word, c: Word) -> str:
    return solver.solve(scene.vectors(run), a, b, c, n=1, exclude_query=False)[0].word


@measure(tr("cosine of {a} − {b} + {c} with {d} in {run}"))
def analogy_cosine(scene: MeasureScene, run: RunLabel, a: Word, b: Word, c: Word, d: Word) -> float:
    model = scene.vectors(run)
    every = solver.solve(model, a, b, c, n=len(model), exclude_query=False)
    row = model.row(d)
    return next(each.score for each in every if each.row == row)


@measure(tr("correct analogies in {run}"), digits=1, percent=True)
def accuracy(scene: MeasureScene, run: RunLabel) -> float:
    return solver.evaluate(
        scene.vectors(run), questions_of(scene, run), restrict=0, run=scene.run
    ).all


@measure(tr("correct semantic analogies in {run}"), digits=1, percent=True)
def accuracy_of_meaning(scene: MeasureScene, run: RunLabel) -> float:
    return solver.evaluate(
        scene.vectors(run), questions_of(scene, run), restrict=0, run=scene.run
    ).semantic


@measure(tr("correct syntactic analogies in {run}"), digits=1, percent=True)
def accuracy_of_grammar(scene: MeasureScene, run: RunLabel) -> float:
    return solver.evaluate(
        scene.vectors(run), questions_of(scene, run), restrict=0, run=scene.run
    ).syntactic


@measure(tr("correct analogies of “{section}” in {run}"), digits=1, percent=True)
def accuracy_in(scene: MeasureScene, run: RunLabel, section: Name) -> float:
    questions = questions_of(scene, run)
    if section not in questions.sections:
        raise UserError(
            tr("Unknown section “{section}”.", section=section),
            tr("Choose one of: {names}.", names=", ".join(questions.sections)),
        )
    return (
        solver.evaluate(scene.vectors(run), questions, restrict=0, run=scene.run)
        .sections[section]
        .accuracy
    )


@measure(tr("correct analogies in {run}, query words allowed"), digits=1, percent=True)
def accuracy_with_query(scene: MeasureScene, run: RunLabel) -> float:
    return _share_right(scene, run, lambda unit, a, b, c: unit[b] - unit[a] + unit[c], set())


@measure(
    tr("correct analogies in {run} if the answer is the nearest word of c"), digits=1, percent=True
)
def accuracy_of_nearest(scene: MeasureScene, run: RunLabel) -> float:
    """Baseline without arithmetic: the word nearest to c, excluding a and b."""
    return _share_right(scene, run, lambda unit, a, b, c: unit[c], {0, 1, 2})


@measure(
    tr("analogies answered with a query word in {run}, query words allowed"),
    digits=1,
    percent=True,
)
def answered_by_query(scene: MeasureScene, run: RunLabel) -> float:
    found, table = _predict_rows(
        scene, run, lambda unit, a, b, c: unit[b] - unit[a] + unit[c], set()
    )
    return float((table[:, :3] == found[:, None]).any(axis=1).mean())


@measure(tr("correct analogies in {run}, rarer half of the questions"), digits=1, percent=True)
def accuracy_of_rare(scene: MeasureScene, run: RunLabel) -> float:
    return _half_accuracy(scene, run, rare=True)


@measure(
    tr("correct analogies in {run}, more frequent half of the questions"),
    digits=1,
    percent=True,
)
def accuracy_of_frequent(scene: MeasureScene, run: RunLabel) -> float:
    return _half_accuracy(scene, run, rare=False)


def questions_of(scene: MeasureScene, run: str) -> Questions:
    """The analogy questions of the sample that a run was trained on, else those of Small World.
    Raises UserError if the vocabulary doesn't contain the words of any question.
    """
    key = str(scene.corpus_of(run).metadata.get("sample", ""))
    path = (SAMPLES[key].questions if key in SAMPLES else None) or SAMPLES[FIRST].questions
    assert path is not None
    found, index = load_questions(path), scene.vectors(run).index
    if not any(all(word in index for word in words) for words in found.words):
        raise UserError(
            tr("This corpus doesn’t contain all words of any analogy question."),
            tr("Open small-world."),
        )
    return found


def _half_accuracy(scene: MeasureScene, run: str, *, rare: bool) -> float:
    model, questions = scene.vectors(run), questions_of(scene, run)
    report = solver.evaluate(model, questions, restrict=0, run=scene.run)
    frequency = mean_log_frequency(model, questions, report)
    below = frequency <= np.median(frequency)
    chosen = below if rare else ~below
    if chosen.any():
        return float((report.predicted == report.expected)[chosen].mean())
    return math.nan


def _predict_rows(
    scene: MeasureScene,
    run: str,
    query: Callable[[Doubles, Places, Places, Places], Doubles],
    left_out: set[int],
) -> tuple[Places, Places]:
    """intp[n]: the row nearest to a query made of unit rows a, b, c; and intp[n, 4], the rows of
    the questions.
    """
    model, index = scene.vectors(run), scene.vectors(run).index
    questions = [
        words for words in questions_of(scene, run).words if all(word in index for word in words)
    ]
    table = np.array(
        [[index[word] for word in words] for words in questions], dtype=np.intp
    ).reshape(-1, 4)
    unit = dense_rows(model.unit, np.arange(len(model))).astype(np.float64)
    found = np.empty(len(table), dtype=np.intp)
    for at in range(0, len(table), _AT_ONCE):
        scene.run.check()
        part = table[at : at + _AT_ONCE]
        scores = query(unit, *part[:, :3].T) @ unit.T
        for column in left_out:
            scores[np.arange(len(part)), part[:, column]] = -np.inf
        found[at : at + _AT_ONCE] = scores.argmax(axis=1)
    return found, table


def _share_right(
    scene: MeasureScene,
    run: str,
    query: Callable[[Doubles, Places, Places, Places], Doubles],
    left_out: set[int],
) -> float:
    found, table = _predict_rows(scene, run, query, left_out)
    return float((found == table[:, 3]).mean())
