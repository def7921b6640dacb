"""Runs and corpora that a lesson step needs, compared with those of a session."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, CorpusOptions
from workbench.session.lessons.actions import (
    FigureAction,
    Highlight,
    LessonAction,
    Open,
    Press,
    Put,
    Select,
    Show,
    Train,
    View,
)
from workbench.session.lessons.lesson import Lesson
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session


def is_open(session: Session, wanted: Open) -> bool:
    """Whether the open corpus is the one of a lesson, read with the options of lessons."""
    corpus = session.corpora.current
    if (
        corpus is None
        or session.corpora.opening is not None
        or corpus.options.effective() != CorpusOptions()
    ):
        return False
    if corpus.metadata.get("sample"):
        return corpus.metadata.get("sample") == wanted.corpus
    return session.corpora.source.get("paths") == [wanted.corpus]


def run_for(session: Session, wanted: Train, corpus: Corpus) -> RunRecord | None:
    """The latest finished run of the session with exactly these settings on this corpus, else the
    latest one that waits, trains or is paused; None without any.
    """
    params = wanted.params.to_dict()
    alike = [
        record
        for record in session.runs
        if record.algorithm == wanted.algorithm
        and record.corpus_digest == corpus.digest
        and dict(record.parameters) == params
        and "continued" not in record.summary
    ]
    done = [record for record in alike if record.state is State.DONE and record.error is None]
    under_way = [record for record in alike if not record.state.over]
    found = done or under_way
    if found:
        return found[-1]
    return None


def preparations(
    lesson: Lesson,
    step: int,
    corpora: Mapping[str, Corpus],
    session: Session,
    done: Collection[int] = (),
) -> list[LessonAction]:
    """Actions of earlier steps that this step depends on: missing trainings, opening the corpus
    that is open when the step starts, viewing the run that is active then, and the words and
    contents of controls that steps not ``done`` would have left.
    """
    wanted: list[LessonAction] = []
    own = {action.label for action in lesson.steps[step].actions if isinstance(action, Train)}
    for label in lesson.labels_needed(step):
        if label in own:
            continue
        opened, train = lesson.trainings[label]
        corpus = corpora.get(opened.corpus)
        if corpus is None or run_for(session, train, corpus) is None:
            wanted += [opened, train]
    before = lesson.corpus_at(step - 1) if step else None
    if before is not None:
        wanted.append(before)
    active = _active_before(lesson, step)
    if active is not None and active.label in lesson.labels_needed(step):
        wanted.append(View(active.line, active.label))
    return [*wanted, *_left_before(lesson, step, done)]


def _left_before(lesson: Lesson, step: int, done: Collection[int]) -> list[LessonAction]:
    """The last selection, and the last contents of controls in the panels that a step uses, from
    earlier steps that weren't done.
    """
    own, labels = lesson.steps[step].actions, lesson.labels_needed(step)
    panels = {panel for action in own if (panel := _panel_used(action))}
    last: dict[str, tuple[int, Put | Select]] = {}
    for at, earlier in enumerate(lesson.steps[:step]):
        for action in earlier.actions:
            if isinstance(action, Select):
                last["select"] = (at, action)
            elif isinstance(action, Put) and action.widget.partition(".")[0] in panels:
                last[action.widget] = (at, action)
    set_here = {action.widget for action in own if isinstance(action, Put)}
    if any(isinstance(action, Select) for action in own):
        set_here.add("select")
    return [
        action
        for place, (at, action) in last.items()
        if at not in done and place not in set_here and set(action.labels) <= set(labels)
    ]


def _panel_used(action: LessonAction) -> str:
    match action:
        case Show():
            return action.panel
        case Put() | Press() | Highlight() | FigureAction():
            return action.widget.partition(".")[0]
    return ""


def _active_before(lesson: Lesson, step: int) -> Train | View | None:
    """The last action of earlier steps that made a run active."""
    activating = [
        action
        for each in lesson.steps[:step]
        for action in each.actions
        if isinstance(action, (Train, View))
    ]
    if activating:
        return activating[-1]
    return None


def check_trained(record: RunRecord, train: Train) -> RunRecord:
    """The record of an ended training whose result can be shown. Raises UserError if it has no
    result.
    """
    if record.has_vectors:
        return record
    if record.error is not None:
        raise record.error
    raise UserError(
        tr("The training “{name}” was cancelled.", name=record.name),
        tr("Run the training of “{label}” in the lesson again.", label=train.label),
    )
