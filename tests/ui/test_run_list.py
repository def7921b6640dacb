"""The list of runs: their order and colours, and the effects of clicks and keys."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QColor
from pytestqt.qtbot import QtBot
from session.fakes import Gate, small_corpus

from workbench.session.runs.run_record import RunRecord, State, now
from workbench.session.session import Session
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.train.run_list import RunList
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def runs(context: PanelContext, session: Session, gate: Gate, qtbot: QtBot) -> Iterator[RunList]:
    session.corpora.current = small_corpus()
    new_list = RunList(context)
    qtbot.addWidget(new_list)
    session.runs.changed.connect(new_list.refresh)
    session.active.changed.connect(new_list.refresh)
    new_list.resize(320, 260)
    new_list.show()
    qtbot.waitExposed(new_list)
    yield new_list
    session.runs.changed.disconnect(new_list.refresh)
    session.active.changed.disconnect(new_list.refresh)


def add(
    session: Session, name: str, text: str = "feed", state: State = State.DONE, colour: int = 0
) -> RunRecord:
    """Add a run on the text with this digest to the end of the session’s list, as if it had been
    trained.
    """
    record = RunRecord(
        f"2026-{len(session.runs)}",
        name,
        "step",
        {},
        "tiny",
        text,
        now(),
        colour=colour,
        state=state,
        embeddings=Embeddings(["a", "b"], np.eye(2, dtype=np.float32))
        if state is State.DONE
        else None,
    )
    session.runs.append(record)
    session.runs.changed.emit()
    return record


def names(runs: RunList) -> list[str]:
    return [str(runs.model().index(row, 0).data()) for row in range(runs.model().rowCount())]


def place(runs: RunList, name: str) -> QPoint:
    return runs.visualRect(runs.model().index(names(runs).index(name), 0)).center()


def nearest_colour(runs: RunList, name: str, context: PanelContext) -> int:
    """Number of the run colour that most pixels at the left of a row are nearest to."""
    picture = runs.viewport().grab().toImage()
    box = runs.visualRect(runs.model().index(names(runs).index(name), 0))
    ratio = picture.devicePixelRatio()
    pixels = [
        QColor(picture.pixel(round(x * ratio), round(y * ratio))).name()
        for x in range(box.left() + 4, box.left() + 22)
        for y in range(box.top() + 4, box.bottom() - 4)
    ]
    colours = [QColor(colour).name() for colour in context.theme.palette.runs]
    return max(range(len(colours)), key=lambda number: pixels.count(colours[number]))


def test_runs_of_the_open_text_stand_first_and_the_latest_of_each_text_before_the_others(
    runs: RunList, session: Session
) -> None:
    for name, text in (
        ("a1", "aaaa"),
        ("b1", "bbbb"),
        ("c1", "cccc"),
        ("a2", "aaaa"),
        ("b2", "bbbb"),
    ):
        add(session, name, text)
    assert names(runs) == ["b2", "b1", "a2", "a1", "c1"]
    for text, expected in (
        ("aaaa", ["a2", "a1", "b2", "b1", "c1"]),
        ("cccc", ["c1", "b2", "b1", "a2", "a1"]),
        ("of none", ["b2", "b1", "a2", "a1", "c1"]),
    ):
        session.corpora.current = small_corpus(text)
        runs.refresh()
        assert names(runs) == expected
    # Without an open text, the order is the same as in menus.
    session.corpora.current = None
    runs.refresh()
    assert names(runs) == ["b2", "b1", "a2", "a1", "c1"]


def test_a_click_and_the_return_key_show_a_run_and_one_without_vectors_shows_nothing(
    runs: RunList, session: Session, qtbot: QtBot
) -> None:
    one, two = add(session, "one"), add(session, "two")
    session.active.show(two)
    assert session.active.run is two
    assert runs.current() is two
    qtbot.mouseClick(runs.viewport(), LEFT, pos=place(runs, "one"))
    assert session.active.run is one
    assert runs.runs_in_hand() == [one]
    qtbot.keyClick(runs, Qt.Key.Key_Up)
    assert runs.current() is two
    assert session.active.run is one
    qtbot.keyClick(runs, Qt.Key.Key_Return)
    assert session.active.run is two
    failed_run = add(session, "failed", state=State.FAILED)
    qtbot.mouseClick(runs.viewport(), LEFT, pos=place(runs, "failed"))
    assert session.active.run is two
    assert runs.current() is failed_run


def test_each_has_a_dot_in_its_own_colour_wherever_it_stands(
    runs: RunList, session: Session, context: PanelContext
) -> None:
    one, two, three = (
        add(session, name, colour=colour) for name, colour in (("one", 0), ("two", 1), ("three", 4))
    )
    assert [nearest_colour(runs, record.name, context) for record in (one, two, three)] == [0, 1, 4]
    session.runs.delete(one)
    assert [nearest_colour(runs, record.name, context) for record in (two, three)] == [1, 4]
