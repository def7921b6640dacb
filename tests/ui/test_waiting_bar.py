"""The offer to train the runs that were queued when the workbench was closed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from session.fakes import Gate, StepParams, small_corpus, wait_until

from workbench.session.runs.run_record import State
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.ui.shell.window import Window

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def session(gate: Gate, home: Path) -> Iterator[Session]:
    """A session whose predecessor was closed with one running and two queued trainings."""
    before = Session()
    before.corpora.current = small_corpus()
    gate.opened.clear()
    for seed in range(3):
        before.training.start(TrainingSpec("step", StepParams(min_count=1, seed=seed)))
    wait_until(before, lambda: gate.fits)
    before.close()
    gate.opened.set()
    new_session = Session()
    new_session.corpora.current = small_corpus()
    yield new_session
    new_session.close()


def press(window: Window, name: str, qtbot: QtBot) -> None:
    button = window.activity.waiting.findChild(QPushButton, name)
    assert button is not None
    assert button.isVisible()
    qtbot.mouseClick(button, LEFT)


def test_they_are_trained_at_one_click(window: Window, session: Session, qtbot: QtBot) -> None:
    bar = window.activity.waiting
    assert bar.text.whole == f"3 trainings on {small_corpus().name} were still in the queue."
    assert bar.text.toolTip() == "Step 1\nStep 2\nStep 3"
    press(window, "waiting.train", qtbot)
    assert not bar.isVisible()
    qtbot.waitUntil(lambda: [run.state for run in session.runs] == [State.DONE] * 3)


def test_they_are_discarded_with_a_way_back(window: Window, session: Session, qtbot: QtBot) -> None:
    bar = window.activity.waiting
    press(window, "waiting.discard", qtbot)
    assert not bar.isVisible()
    assert session.runs.records == []
    undo = window.activity.message.findChild(QPushButton, "activity.message.action")
    assert undo is not None
    assert undo.text() == "Undo"
    qtbot.mouseClick(undo, LEFT)
    assert bar.isVisible()
    assert len(session.recovery.queues) == 1
