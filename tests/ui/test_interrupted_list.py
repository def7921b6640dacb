"""Interrupted trainings in the list of runs: their position, and the actions of their menu."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QMenu
from pytestqt.qtbot import QtBot
from session.fakes import Gate, StepParams, leave_interrupted, small_corpus

from workbench.session.runs.run_record import State
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.train.run_list import RunList


@pytest.fixture
def session(gate: Gate, home: Path) -> Iterator[Session]:
    """A session that began after a training was interrupted."""
    first = Session()
    leave_interrupted(first.store, "Step 7", 0.4)
    first.close()
    new_session = Session()
    new_session.corpora.current = small_corpus()
    yield new_session
    new_session.close()


@pytest.fixture
def runs(context: PanelContext, session: Session, qtbot: QtBot) -> Iterator[RunList]:
    new_list = RunList(context)
    qtbot.addWidget(new_list)
    session.runs.changed.connect(new_list.refresh)
    session.recovery.changed.connect(new_list.refresh)
    new_list.resize(280, 200)
    new_list.show()
    new_list.refresh()
    qtbot.waitExposed(new_list)
    yield new_list
    session.runs.changed.disconnect(new_list.refresh)
    session.recovery.changed.disconnect(new_list.refresh)


def names(runs: RunList) -> list[str]:
    model = runs.model()
    return [
        str(model.index(row, 0).data(Qt.ItemDataRole.AccessibleTextRole))
        for row in range(model.rowCount())
    ]


def menu_of(runs: RunList, row: int, qtbot: QtBot, qapp: QApplication) -> QMenu:
    place = runs.visualRect(runs.model().index(row, 0)).center()
    runs.customContextMenuRequested.emit(place)
    qtbot.waitUntil(lambda: isinstance(qapp.activePopupWidget(), QMenu))
    menu = qapp.activePopupWidget()
    assert isinstance(menu, QMenu)
    return menu


def choose(menu: QMenu, text: str, qtbot: QtBot) -> None:
    (action,) = [action for action in menu.actions() if action.text() == text]
    qtbot.mouseClick(menu, Qt.MouseButton.LeftButton, pos=menu.actionGeometry(action).center())


def test_it_stands_by_when_it_began_and_is_no_run(
    runs: RunList, session: Session, qtbot: QtBot, qapp: QApplication
) -> None:
    assert names(runs) == ["Step 7, interrupted at 40%"]
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    qtbot.waitUntil(lambda: record.state is State.DONE)
    assert [name.partition(",")[0] for name in names(runs)] == [record.name, "Step 7"]
    leave_interrupted(session.store, "Step 9", 0.85)
    session.recovery.refresh()
    assert [name.partition(",")[0] for name in names(runs)] == ["Step 9", record.name, "Step 7"]
    # Clicking an interrupted training doesn't change the active run, and its name can't be edited.
    place = runs.visualRect(runs.model().index(0, 0)).center()
    qtbot.mouseClick(runs.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert session.active.run is record
    assert runs.runs_in_hand() == []
    assert not runs.model().flags(runs.model().index(0, 0)) & Qt.ItemFlag.ItemIsEditable
    assert runs.current() is None
    assert "interrupted at 85%" in runs.model().index(0, 0).data(Qt.ItemDataRole.ToolTipRole)


@pytest.mark.parametrize(("text", "left"), [("Save as run", 1), ("Continue", 2), ("Discard", 0)])
def test_its_menu_goes_on_keeps_and_discards(
    text: str, left: int, runs: RunList, session: Session, qtbot: QtBot, qapp: QApplication
) -> None:
    (entry,) = session.recovery.interrupted
    choose(menu_of(runs, 0, qtbot, qapp), text, qtbot)
    qtbot.waitUntil(lambda: len(session.runs) == left and session.training.current is None)
    assert session.recovery.interrupted == []
    assert [record.state for record in session.runs] == [State.STOPPED, State.DONE][:left]
    assert len(names(runs)) == left
    if not left:
        session.recovery.undiscard(entry)
        assert names(runs) == ["Step 7, interrupted at 40%"]
