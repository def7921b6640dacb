"""A lesson inside a handout: its steps in all languages, what the program measured, pictures, and a
training that the page repeats. The page writes the file that students hand in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.analysis.matrix.picture import corpus_picture_size, picture_products
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import languages
from workbench.core.language import mark as tr
from workbench.core.version import __version__
from workbench.corpus.corpus import Corpus
from workbench.session.classes.hand_in import FORMAT, VERSION, lesson_digest, lesson_seed
from workbench.session.classes.page_trainer import PageTraining, page_training, trainer_section
from workbench.session.export.handout_page.section import PageSection
from workbench.session.kernel_compiler import compile_sets, kernels_of
from workbench.session.lessons.actions import Train
from workbench.session.lessons.assertions import ClaimResult, rows_of
from workbench.session.lessons.lesson import Lesson, LessonStep
from workbench.session.lessons.markdown import MarkdownBlock, inline_parts
from workbench.session.lessons.parser import read_in
from workbench.session.lessons.runner import Bench, Outcome

_SGNS = "sgns"
_TEXTS = {
    "lesson": tr("Lesson"),
    "lesson_objectives": tr("After this lesson, you can:"),
    "lesson_panels": tr("Panels and menus that this lesson mentions are in Embedding Workbench."),
    "lesson_step": tr("{number}. {title}"),
    "lesson_predict": tr("Your prediction"),
    "lesson_reveal": tr("Show the result"),
    "lesson_choose": tr("Choose an answer first."),
    "lesson_after": tr("Your answer now"),
    "lesson_right": tr("Right answer: {answer}"),
    "lesson_measured": tr("measured"),
    "lesson_value": tr("value"),
    "lesson_claim": tr("claim"),
    "lesson_true": tr("true"),
    "lesson_false": tr("not true here"),
    "lesson_picture": tr("Products w·c of “{name}”"),
    "lesson_open": tr("Open question"),
    "lesson_exit": tr("Exit question"),
    "lesson_name": tr("Your name, or nothing"),
    "lesson_hand_in": tr("Hand in"),
    "lesson_hand_in_note": tr(
        "Saves a file with your predictions, the measured values and your answers, for your "
        "teacher. It isn’t sent anywhere."
    ),
    "lesson_copy": tr("If no file appears, copy this text and send it."),
    "lesson_sources": tr("Sources"),
}


def lesson_sections(
    lesson: Lesson, run: JobControl, bench: Bench | None = None
) -> list[PageSection]:
    """Play the lesson, and make its sections. Raises UserError and Cancelled."""
    bench = bench or Bench()
    sets = [
        name
        for _, train in lesson.trainings.values()
        for name in kernels_of(train.algorithm, train.params)
    ]
    if sets:
        compile_sets(tuple(dict.fromkeys([*sets, _SGNS, "counts", "floor", "analysis"])), run)
    run.enter(Phase.TRAINING, lesson.title)
    outcomes = []
    for outcome in bench.play(lesson, run):
        outcomes.append(outcome)
        run.advance(len(outcomes) / len(lesson.steps))
    arrays: dict[str, npt.NDArray[Any]] = {}
    others = {
        name: read_in(lesson.path, "" if name == "en" else name) for name in ("en", *languages())
    }
    pictures = [_pictures(lesson, step, bench, arrays, run) for step in lesson.steps]
    data = {
        "format": FORMAT,
        "version": VERSION,
        "program": __version__,
        "key": lesson.key,
        "digest": lesson_digest(lesson),
        "seed": lesson_seed(lesson),
        "texts": {name: _texts_of_lesson(other) for name, other in others.items()},
        "right": [None if step.question is None else step.question.right for step in lesson.steps],
        "values": _values(outcomes, others),
        "measured": [[_claim(one, others) for one in outcome.measured] for outcome in outcomes],
        "listed": [
            [outcome.measured.index(one) for one in rows_of(outcome.measured)]
            for outcome in outcomes
        ],
        "pictures": pictures,
    }
    sections = [PageSection("lesson", ("lesson.js", "lesson-trainer.js"), data, arrays, _TEXTS)]
    training = _training(lesson, bench, run)
    if training is not None:
        values = training.params.to_dict()
        own = Train(0, _SGNS, _SGNS, values)
        result = bench.train_vectors(training.corpus, own, run)
        sections.insert(0, trainer_section(training, result, run))
    return sections


def _training(lesson: Lesson, bench: Bench, run: JobControl) -> PageTraining | None:
    """The first training of the lesson by skip-gram, or else one like its first training, whose
    text isn't too large.
    """
    found = list(lesson.trainings.values())
    for opened, train in sorted(found, key=lambda pair: pair[1].algorithm != _SGNS):
        corpus = bench.corpus(opened, run)
        training = page_training(corpus, train.algorithm, train.values)
        if training is not None:
            return training
    return None


def _pictures(
    lesson: Lesson,
    step: LessonStep,
    bench: Bench,
    arrays: dict[str, npt.NDArray[Any]],
    run: JobControl,
) -> list[dict[str, Any]]:
    """The pictures that the trainings of a step make of a picture corpus."""
    found = []
    for action in step.actions:
        if not isinstance(action, Train):
            continue
        opened, _ = lesson.trainings[action.label]
        corpus = bench.corpus(opened, run)
        size = corpus_picture_size(corpus)
        if size:
            products = _products(bench, corpus, action, size, run)
            if products is not None:
                arrays[f"picture-{action.label}"] = products
                found.append({"run": action.label, "array": f"picture-{action.label}"})
    return found


def _products(
    bench: Bench, corpus: Corpus, action: Train, size: int, run: JobControl
) -> npt.NDArray[np.float32] | None:
    try:
        products, _ = picture_products(bench.train_vectors(corpus, action, run), size)
    except UserError:
        return None
    return products.astype(np.float32)


def _texts_of_lesson(lesson: Lesson) -> dict[str, Any]:
    return {
        "title": lesson.title,
        "about": inline_parts(lesson.about),
        "objectives": [inline_parts(each) for each in lesson.objectives],
        "sources": [inline_parts(each) for each in lesson.sources],
        "open": inline_parts(lesson.open_question),
        "exit": inline_parts(lesson.exit_question),
        "steps": [
            {
                "title": step.title,
                "text": _blocks(step.text),
                "question": None if step.question is None else _blocks(step.question.blocks),
                "choices": []
                if step.question is None
                else [inline_parts(choice.text) for choice in step.question.choices],
                "reveal": _blocks(step.reveal),
            }
            for step in lesson.steps
        ],
    }


def _blocks(blocks: Sequence[MarkdownBlock]) -> list[dict[str, Any]]:
    return [{"kind": block.kind, "parts": inline_parts(block.text)} for block in blocks]


def _run_names(lesson: Lesson) -> dict[str, str]:
    return {label: train.title for label, (_, train) in lesson.trainings.items()}


def _values(outcomes: Sequence[Outcome], others: Mapping[str, Lesson]) -> dict[str, dict[str, str]]:
    """Every value and name of a run that texts mention, by name, in all languages."""
    runs = {name: _run_names(other) for name, other in others.items()}
    found = {
        label: {name: names[label] for name, names in runs.items() if label in names}
        for label in runs["en"]
    }
    for outcome in outcomes:
        found |= {
            one.claim.name: _texts_of_value(one) for one in outcome.measured if one.claim.name
        }
    return found


def _texts_of_value(one: ClaimResult) -> dict[str, str]:
    return {name: one.claim.call.measure.show(one.value, name) for name in ("en", *languages())}


def _claim(one: ClaimResult, others: Mapping[str, Lesson]) -> dict[str, Any]:
    """A measured claim, as the file to hand in has it, with its description."""
    value = one.value
    if isinstance(value, float) and not np.isfinite(value):
        value = one.shown
    call = one.claim.call
    return {
        "claim": one.claim.text,
        "value": value,
        "shown": _texts_of_value(one),
        "true": one.true,
        "described": {
            name: call.measure.describe(call.arguments, _run_names(other), name)
            for name, other in others.items()
        },
    }
