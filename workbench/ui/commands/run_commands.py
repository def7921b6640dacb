"""Commands that mark runs, compare them, train them again or open their grid."""

from __future__ import annotations

from functools import partial

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.models.base import MODELS
from workbench.session.corpus.counts_params import adapt_values
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.action import Action
from workbench.ui.commands.run_availability import (
    needs_grid,
    needs_one_run,
    needs_one_trained_here,
    needs_runs,
    needs_trained_here,
    needs_two_with_vectors,
)
from workbench.ui.commands.run_targets import RunTarget


def _star(target: RunTarget) -> None:
    target.session.runs.star(target.records, not _is_starred(target))


def _is_starred(target: RunTarget) -> bool:
    return bool(target.records) and all(record.star for record in target.records)


def _note(target: RunTarget) -> None:
    """Edit the note in a table that shows notes, else in a small dialog."""
    record = target.one
    if record is None:
        return
    edit = getattr(target.widget, "edit_note", None)
    if callable(edit):
        edit(record)
        return
    from workbench.ui.dialogs.name import ask_name

    title = tr("Note on {name}", name=record.name)
    ask_name(
        target.widget,
        title,
        record.note,
        partial(target.session.runs.write_note, record),
        tr("Note"),
    )


def _compare(target: RunTarget) -> None:
    """Compare two runs side by side, more than two in the leaderboard."""
    # First the panel, which may not have been created yet.
    target.context.bridge.wanted.emit("compare" if len(target.records) == 2 else "evaluate")
    target.session.requests.comparison.emit(target.records)


def _train_again(target: RunTarget) -> None:
    """Train runs again; warn first if they were trained on another corpus than the open one."""
    corpus = target.session.corpora.current
    others = {
        r.corpus_name for r in target.records if corpus is None or r.corpus_digest != corpus.digest
    }
    if corpus is not None and others:
        message = tr(
            "Trained on {others}; {name} is open.",
            others=", ".join(sorted(others)),
            name=corpus.name,
        )
        if target.session.corpora.counts is not None:
            message += " " + tr(
                "Settings fixed by the counts, such as the window, come from the counts."
            )
        target.context.bridge.offer(
            message, tr("Train on {name}", name=corpus.name), partial(_train, target)
        )
    else:
        _train(target)


def _train(target: RunTarget) -> None:
    # In the order of their creation.
    for record in sorted(target.records, key=lambda record: record.identifier):
        try:
            params = adapt_values(
                target.session.corpora.current, MODELS[record.algorithm], record.parameters
            )
            target.session.training.start(TrainingSpec(record.algorithm, params, show=False))
        except UserError as error:
            target.session.message.report(error)
            return


def _settings(target: RunTarget) -> None:
    if target.one is not None:
        target.context.bridge.wanted.emit("train")
        target.session.requests.parameters.emit(target.one)


def _plan(target: RunTarget) -> None:
    if target.one is not None:
        target.context.bridge.wanted.emit("runs")
        target.session.requests.grid_plan.emit(target.one)


def _results(target: RunTarget) -> None:
    if target.one is not None:
        target.context.bridge.wanted.emit("runs")
        target.session.requests.grid.emit(target.one.group)


DOINGS = (
    Action(
        key="run.star",
        text=tr("Star"),
        description=tr("Add a star to the run, or remove it."),
        run=_star,
        keys=("S",),
        place=13,
        why_not=needs_runs,
        checked=_is_starred,
    ),
    Action(
        key="run.note",
        text=tr("Note…"),
        description=tr("Write a note on the run."),
        run=_note,
        keys=("N",),
        place=14,
        why_not=needs_one_run,
    ),
    Action(
        key="run.compare",
        text=tr("Compare"),
        description=tr("Compare two runs side by side, or more in the leaderboard."),
        run=_compare,
        keys=("C",),
        place=24,
        why_not=needs_two_with_vectors,
    ),
    Action(
        key="run.again",
        text=tr("Train again"),
        description=tr("Train with the same settings on the open corpus."),
        run=_train_again,
        keys=("T",),
        place=25,
        why_not=needs_trained_here,
    ),
    Action(
        key="run.settings",
        text=tr("Use these settings"),
        description=tr("Copy the settings of the run into the form, where you can change them."),
        run=_settings,
        keys=("U",),
        place=26,
        why_not=needs_one_trained_here,
    ),
    Action(
        key="run.plan",
        text=tr("Train a grid…"),
        description=tr("Plan a grid of runs that starts from the settings of this one."),
        run=_plan,
        place=27,
        why_not=needs_one_trained_here,
    ),
    Action(
        key="run.grid",
        text=tr("Show grid results"),
        description=tr("Plot scores or losses of the run’s grid by parameter."),
        run=_results,
        keys=("G",),
        place=28,
        why_not=needs_grid,
    ),
)
