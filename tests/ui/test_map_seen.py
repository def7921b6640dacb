"""The model that the map shows while one trains and another one is active."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from ui.map_fakes import record, vectors

from workbench.core.job_control import Phase
from workbench.session.runs.run_record import State
from workbench.session.training.watched import Watched
from workbench.ui.panels.map.model import SeenModel


@pytest.fixture
def session() -> Any:
    finished_run = record(1)
    return SimpleNamespace(
        active=SimpleNamespace(run=finished_run, embeddings=finished_run.embeddings),
        training=SimpleNamespace(watched=SimpleNamespace(run=None)),
    )


def test_a_training_is_followed_from_its_first_snapshot_on(session: Any) -> None:
    seen, training = SeenModel(session), record(2, state=State.TRAINING)
    assert not seen.runs_changed()
    assert (seen.is_live, seen.record, seen.embeddings) == (
        False,
        session.active.run,
        session.active.embeddings,
    )
    session.training.watched.run = training
    assert seen.runs_changed()
    assert (seen.is_live, seen.record, seen.embeddings) == (True, training, None)
    assert training.run is not None
    assert not seen.poll_snapshot(ready=True)
    assert not training.run.take_snapshot_request()
    training.run.enter(Phase.TRAINING)
    assert not seen.poll_snapshot(ready=True)
    assert training.run.take_snapshot_request()
    snapshot = vectors(2)
    training.run.publish("embeddings", snapshot)
    assert not seen.poll_snapshot(ready=False)
    assert seen.poll_snapshot(ready=True)
    assert seen.embeddings is snapshot
    # A snapshot is delivered once, and another one isn't requested at every poll.
    assert not seen.poll_snapshot(ready=True)
    assert not training.run.take_snapshot_request()
    session.training.watched.run = None
    assert seen.runs_changed()
    assert (seen.is_live, seen.record, seen.embeddings) == (
        False,
        session.active.run,
        session.active.embeddings,
    )


def test_another_model_can_be_looked_at_meanwhile(session: Any) -> None:
    seen, training, other = SeenModel(session), record(2, state=State.TRAINING), record(3)
    watched = Watched(session.active, lambda: training)
    session.training.watched = watched
    # The training doesn't take the active run's picture away before the user chooses to watch it.
    assert not seen.runs_changed()
    watched.watch(training)
    assert seen.runs_changed()
    assert (seen.is_live, seen.record, seen.embeddings) == (True, training, None)
    session.active.run, session.active.embeddings = other, other.embeddings
    assert seen.runs_changed()
    assert (seen.is_live, seen.record, seen.embeddings) == (False, other, other.embeddings)
    # The training is still the same.
    assert not seen.runs_changed()
    session.active.run, session.active.embeddings = training, None
    assert seen.runs_changed()
    assert (seen.is_live, seen.record, seen.embeddings) == (True, training, None)
