"""Parts that are side by side, or one below the other if there isn't enough width."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollArea, QTextEdit, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from workbench.ui.widgets.layout.responsive_splitter import TurningSplitter


def make_splitter(qtbot: QtBot, comfort: int = 0) -> tuple[QScrollArea, TurningSplitter]:
    """Two parts of at least 200 by 80 pixels, in a scroll area."""
    splitter = TurningSplitter(comfort)
    for _ in range(2):
        part = QWidget()
        part.setMinimumSize(200, 80)
        splitter.addWidget(part)
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setWidget(splitter)
    qtbot.addWidget(area)
    return area, splitter


def test_it_turns_by_its_width_and_back_with_the_shares_that_were(qtbot: QtBot) -> None:
    area, splitter = make_splitter(qtbot)
    area.resize(700, 200)
    splitter.setSizes([500, 200])
    area.show()
    assert splitter.orientation() == Qt.Orientation.Horizontal
    before = splitter.sizes()
    assert before[0] > 1.5 * before[1]
    area.resize(300, 200)
    qtbot.waitUntil(lambda: splitter.orientation() == Qt.Orientation.Vertical)
    assert not area.horizontalScrollBar().isVisible()
    assert splitter.minimumSizeHint().width() == 200
    assert splitter.minimumSizeHint().height() >= 160
    area.resize(700, 200)
    qtbot.waitUntil(lambda: splitter.orientation() == Qt.Orientation.Horizontal)
    assert abs(splitter.sizes()[0] - before[0]) <= 2


def test_a_part_that_is_hidden_needs_no_room(qtbot: QtBot) -> None:
    area, splitter = make_splitter(qtbot)
    splitter.widget(1).hide()
    area.resize(300, 200)
    area.show()
    assert splitter.orientation() == Qt.Orientation.Horizontal
    assert splitter.minimumSizeHint().height() == 80


def test_below_one_another_parts_keep_the_height_that_they_prefer(qtbot: QtBot) -> None:
    area, splitter = make_splitter(qtbot, comfort=150)
    for at in range(2):
        QVBoxLayout(splitter.widget(at)).addWidget(QTextEdit())
    area.resize(300, 200)
    area.show()
    qtbot.waitUntil(lambda: splitter.orientation() == Qt.Orientation.Vertical)
    qtbot.waitUntil(lambda: min(splitter.sizes()) >= 150)
    assert area.verticalScrollBar().maximum() > 0
    area.resize(700, 200)
    qtbot.waitUntil(lambda: splitter.orientation() == Qt.Orientation.Horizontal)
    assert [splitter.widget(at).minimumHeight() for at in range(2)] == [80, 80]
    qtbot.waitUntil(lambda: area.verticalScrollBar().maximum() == 0)
