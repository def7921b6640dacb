"""The run whose states the Time panel shows, or the reason why it has none."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.models.base import MODELS
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.snapshot_file import ALL
from workbench.session.session import Session
from workbench.ui.base.text import memory


def objective_of(record: RunRecord) -> str:
    """The objective of a run, "" if it isn't trained in steps."""
    if record.algorithm not in MODELS:
        return ""
    return MODELS[record.algorithm].loss_label


def followed_run(session: Session) -> RunRecord | None:
    """The watched training, or else the active run."""
    training = session.training.watched.run
    if training is not None and objective_of(training):
        return training
    return session.active.run


def why_no_states(record: RunRecord) -> tuple[bool, str, str]:
    """Whether states will be available soon, and a title and a hint on why there are none yet."""
    if not record.state.over:
        return (
            True,
            tr("Waiting for the first snapshots"),
            tr("{name} is being prepared.", name=record.name),
        )
    if record.algorithm and not objective_of(record):
        hint = tr(
            "This algorithm is solved directly, without steps. Train SGNS, GloVe or "
            "another algorithm that learns step by step."
        )
        return False, tr("{name} has only one snapshot", name=record.name), hint
    if not record.algorithm:
        return (
            False,
            tr("{name} was opened from a file", name=record.name),
            tr("Train a model to record its snapshots."),
        )
    hint = tr(
        "Snapshots of earlier runs are removed when all together need more than {room}. Train the "
        "run again to replay its training.",
        room=memory(ALL),
    )
    return False, tr("{name} has no snapshots", name=record.name), hint
