"""Trainings that pause in the middle, and processes that end there."""

from __future__ import annotations

import threading
from pathlib import Path

from session.fakes import Gate, StepParams, wait_until

from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec


class Until(threading.Event):
    """Gate that closes after a number of steps, and opens permanently when it is set."""

    def __init__(self, gate: Gate, steps: float) -> None:
        super().__init__()
        self._gate, self._steps = gate, steps

    def wait(self, timeout: float | None = None) -> bool:
        return self._gate.steps < self._steps or super().wait(timeout)


def begin(
    session: Session, gate: Gate, steps: int = 40, epochs: int = 10, until: float = 0.4
) -> Path:
    """Start a training that pauses at about ``until`` of its progress, with a state on disk."""
    gate.opened = Until(gate, until * steps)
    record = session.training.start(
        TrainingSpec("step", StepParams(min_count=1, steps=steps, epochs=epochs))
    )
    path = session.store.journal.path(record.identifier)
    wait_until(session, path.exists)
    return path


def die(session: Session, path: Path) -> None:
    """Simulate the end of the process: saved states stay, and the lock is released."""
    content = path.read_bytes()
    assert session.training.current is not None
    session.training.cancel(session.training.current)
    wait_until(session, lambda: session.training.current is None)
    path.write_bytes(content)
