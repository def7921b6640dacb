"""The order of the queue, changed by every button, key and drop, and deleted runs restored to their
places.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QModelIndex, Qt
from pytestqt.qtbot import QtBot
from session.fakes import Gate, StepParams, small_corpus

from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.runs.panel import RunsPanel

LEFT, ALT = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.AltModifier


@pytest.fixture
def panel(gate: Gate, context: PanelContext, session: Session, qtbot: QtBot) -> Iterator[RunsPanel]:
    session.corpora.current = small_corpus()
    new_panel = RunsPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(1000, 600)
    new_panel.show()
    new_panel.activateWindow()
    qtbot.waitUntil(lambda: new_panel.isActiveWindow())
    yield new_panel
    gate.opened.set()
    new_panel.release()


def test_every_way_to_move_in_the_queue_moves_its_way(
    panel: RunsPanel, session: Session, gate: Gate, qtbot: QtBot
) -> None:
    gate.opened.clear()
    _, one, two, three = (
        session.training.start(TrainingSpec("step", StepParams(min_count=1, seed=at)))
        for at in range(4)
    )
    queue, table = panel.queue, panel.queue.table
    panel.instruments.show_instrument("queue")
    qtbot.waitUntil(lambda: len(table.turns) == 4)
    table.setFocus()
    table.selectRow(1)
    assert not queue.up.isEnabled()
    assert not queue.first.isEnabled()
    qtbot.mouseClick(queue.down, LEFT)
    assert session.training.queue.waiting == (two, one, three)
    qtbot.mouseClick(queue.up, LEFT)
    assert session.training.queue.waiting == (one, two, three)
    qtbot.keyClick(table, Qt.Key.Key_Down, ALT)
    qtbot.keyClick(table, Qt.Key.Key_Down, ALT)
    assert session.training.queue.waiting == (two, three, one)
    assert not queue.down.isEnabled()
    qtbot.keyClick(table, Qt.Key.Key_Home)
    assert session.training.queue.waiting == (one, two, three)


def test_a_row_that_is_dropped_comes_to_stand_where_it_was_let_go_of(
    panel: RunsPanel, session: Session, gate: Gate, qtbot: QtBot
) -> None:
    gate.opened.clear()
    _, one, two, three = (
        session.training.start(TrainingSpec("step", StepParams(min_count=1, seed=at)))
        for at in range(4)
    )
    model = panel.queue.table.table
    panel.instruments.show_instrument("queue")
    qtbot.waitUntil(lambda: len(panel.queue.table.turns) == 4)

    def drop(row: int, before: int) -> None:
        """Drop a row above the row ``before``; −1 is below all. The view must not remove a row."""
        data = model.mimeData([model.index(row, 1)])
        assert not model.dropMimeData(data, Qt.DropAction.MoveAction, before, 0, QModelIndex())

    drop(1, 3)
    assert session.training.queue.waiting == (two, one, three)
    drop(1, -1)
    assert session.training.queue.waiting == (one, three, two)
    drop(3, 1)
    assert session.training.queue.waiting == (two, one, three)
    # The active training keeps its position.
    drop(0, 3)
    assert session.training.queue.waiting == (two, one, three)


def test_deleted_runs_come_back_to_their_places_with_their_vectors(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    records = [
        session.training.start(TrainingSpec("step", StepParams(min_count=1, dim=2 + at, steps=5)))
        for at in range(3)
    ]
    qtbot.waitUntil(lambda: all(record.state.over for record in records))
    for record in records[:2]:
        session.runs.delete(record)
    assert session.runs.records == records[2:]
    session.undo.undo()
    session.undo.undo()
    assert session.runs.records == records
    table = panel.runs.table
    qtbot.waitUntil(lambda: [table.records[int(row)] for row in table.table.order] == records[::-1])
    for record in records:
        session.active.show(record)
        qtbot.waitUntil(lambda: record.embeddings is not None)  # noqa: B023
        assert record.embeddings is not None
        assert record.embeddings.dim == record.parameters["dim"]


def test_the_queue_is_emptied_by_its_button(
    panel: RunsPanel, session: Session, gate: Gate, qtbot: QtBot
) -> None:
    gate.opened.clear()
    trains, *_ = [
        session.training.start(TrainingSpec("step", StepParams(min_count=1, seed=at)))
        for at in range(4)
    ]
    panel.instruments.show_instrument("queue")
    qtbot.waitUntil(lambda: len(panel.queue.table.turns) == 4)
    panel.queue.table.selectRow(1)
    qtbot.mouseClick(panel.queue.clear, LEFT)
    assert session.training.queue.waiting == ()
    assert not trains.state.over
