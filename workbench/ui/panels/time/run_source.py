"""Whose training is gone over, and why there is none."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.models.base import MODELS
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session


def objective_of(record: RunRecord) -> str:
    """What the run's loss measures, "" where it is not trained step by step."""
    return MODELS[record.algorithm].loss_label if record.algorithm in MODELS else ""


def followed(session: Session) -> RunRecord | None:
    """The run that trains, else the one that is shown."""
    training = session.training
    return training if training is not None and objective_of(training) else session.shown


def why_none(record: RunRecord) -> tuple[bool, str, str]:
    """Where there are no states: whether some are on their way, a title, and what can be done."""
    if not record.state.over:
        return True, tr("The first states are on their way"), tr("{name} is being prepared.", name=record.name)
    if record.algorithm and not objective_of(record):
        hint = tr("It is solved directly, without steps. Train SGNS, GloVe or another that learns step by step.")
        return False, tr("{name} has one state only", name=record.name), hint
    if not record.algorithm:
        return (
            False,
            tr("{name} was opened from a file", name=record.name),
            tr("Train a model here: its states on the way are kept."),
        )
    hint = tr("States are kept in memory while the window is open. Train it again to go over its training.")
    return False, tr("No states of {name} were kept", name=record.name), hint
