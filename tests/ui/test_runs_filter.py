"""The filter of runs with keys: its columns, and errors in its text."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from workbench.ui.panels.runs.runs_view import RunsFilter

NAMES = ["name", "dim", "star"]


@pytest.fixture
def runs_filter(qtbot: QtBot, home: object) -> Iterator[RunsFilter]:
    row = QWidget()
    qtbot.addWidget(row)
    new_filter = RunsFilter(row)
    controls = QHBoxLayout(row)
    controls.addWidget(new_filter.line)
    controls.addWidget(new_filter.starred)
    row.show()
    yield new_filter
    row.close()


def test_runs_pass_that_are_found_and_starred(runs_filter: RunsFilter, qtbot: QtBot) -> None:
    qtbot.keyClicks(runs_filter.line, "dim>2")
    passes = runs_filter.read(NAMES)
    assert runs_filter.keys == {"dim"}
    rows = [{"name": "a", "dim": dim, "star": dim > 3} for dim in (2, 3, 4)]
    assert [passes(row) for row in rows] == [False, True, True]
    qtbot.mouseClick(runs_filter.starred, Qt.MouseButton.LeftButton)
    passes_now = runs_filter.read(NAMES)
    assert [passes_now(row) for row in rows] == [False, False, True]


def test_what_is_not_understood_is_told_at_the_line(runs_filter: RunsFilter, qtbot: QtBot) -> None:
    qtbot.keyClicks(runs_filter.line, "dmi>2")
    assert runs_filter.read(NAMES)({"name": "a", "dim": 1, "star": False})
    assert runs_filter.line.property("invalid")
    assert "“dmi”" in runs_filter.wrong
    qtbot.keyClick(runs_filter.line, Qt.Key.Key_Escape)
    assert runs_filter.line.text() == ""
    assert runs_filter.read(NAMES)({"name": "a", "dim": 1, "star": False})
    assert runs_filter.wrong == ""
    assert not runs_filter.line.property("invalid")


def test_down_and_return_leave_the_line(runs_filter: RunsFilter, qtbot: QtBot) -> None:
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
        with qtbot.waitSignal(runs_filter.left):
            qtbot.keyClick(runs_filter.line, key)
