"""The filter of runs with keys: its columns, errors in its text, and the text that it saves."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from workbench.session.files.session_settings import RUN_FILTER
from workbench.session.settings import Settings
from workbench.ui.panels.runs.runs_view import RunsFilter

NAMES = ["name", "dim", "star"]


@pytest.fixture
def asked(qtbot: QtBot, home: object) -> Iterator[RunsFilter]:
    row = QWidget()
    qtbot.addWidget(row)
    made = RunsFilter(Settings(), row)
    controls = QHBoxLayout(row)
    controls.addWidget(made.line)
    controls.addWidget(made.starred)
    row.show()
    yield made
    row.close()


def test_runs_pass_that_are_found_and_starred(asked: RunsFilter, qtbot: QtBot) -> None:
    qtbot.keyClicks(asked.line, "dim>2")
    passes = asked.read(NAMES)
    assert asked.keys == {"dim"}
    rows = [{"name": "a", "dim": dim, "star": dim > 3} for dim in (2, 3, 4)]
    assert [passes(row) for row in rows] == [False, True, True]
    qtbot.mouseClick(asked.starred, Qt.MouseButton.LeftButton)
    starred = asked.read(NAMES)
    assert [starred(row) for row in rows] == [False, False, True]


def test_what_is_not_understood_is_told_at_the_line(asked: RunsFilter, qtbot: QtBot) -> None:
    qtbot.keyClicks(asked.line, "dmi>2")
    assert asked.read(NAMES)({"name": "a", "dim": 1, "star": False})
    assert asked.line.property("invalid")
    assert "“dmi”" in asked.wrong
    qtbot.keyClick(asked.line, Qt.Key.Key_Escape)
    assert asked.line.text() == ""
    assert asked.read(NAMES)({"name": "a", "dim": 1, "star": False})
    assert asked.wrong == ""
    assert not asked.line.property("invalid")


def test_down_and_return_leave_the_line(asked: RunsFilter, qtbot: QtBot) -> None:
    for key in (Qt.Key.Key_Down, Qt.Key.Key_Return):
        with qtbot.waitSignal(asked.left):
            qtbot.keyClick(asked.line, key)


def test_what_was_typed_is_there_again(asked: RunsFilter, qtbot: QtBot) -> None:
    qtbot.keyClicks(asked.line, "dim>2")
    qtbot.waitUntil(lambda: Settings()[RUN_FILTER] == "dim>2")
    asked.line.clear()
    asked.restore()
    assert asked.line.text() == "dim>2"
