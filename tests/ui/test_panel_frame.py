"""The frame of a panel's body: what is below wrapped lines keeps its minimum height."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QLabel, QListWidget, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from workbench.ui.base.panel_frame import PanelFrame, least_height


@pytest.mark.parametrize("width", [160, 240, 600])
def test_wrapped_lines_squeeze_nothing_below_them(qtbot: QtBot, width: int) -> None:
    body = QWidget()
    column = QVBoxLayout(body)
    lines = QLabel("a few words that wrap " * 12)
    lines.setWordWrap(True)
    figure, caption = QWidget(), QLabel("caption")
    figure.setMinimumHeight(120)
    for widget in (lines, figure, caption):
        column.addWidget(widget)
    frame = PanelFrame(body)
    qtbot.addWidget(frame)
    needed = column.minimumSize().height()
    for height in (needed, needed + 20, needed + 600):
        frame.resize(width, height)
        frame.show()
        QApplication.processEvents()
        assert lines.height() >= lines.heightForWidth(lines.width())
        assert figure.height() >= 120
        assert lines.geometry().bottom() < figure.geometry().top()
        assert figure.geometry().bottom() < caption.geometry().top()
    # Where everything fits, nothing scrolls.
    frame.resize(width, 2000)
    QApplication.processEvents()
    assert not frame.verticalScrollBar().isVisible()
    # Longer lines need more room, although the minimum width and height stay the same.
    frame.resize(width, column.totalMinimumHeightForWidth(width))
    lines.setText("a few words that wrap " * 24)
    qtbot.waitUntil(lambda: lines.height() >= lines.heightForWidth(lines.width()))
    assert figure.height() >= 120


def test_what_scrolls_by_itself_may_be_as_low_as_it_can(qtbot: QtBot) -> None:
    """Wrapped lines count with their height, a list between them with its minimum."""
    body = QWidget()
    qtbot.addWidget(body)
    column = QVBoxLayout(body)
    inner = QWidget()
    lines = QVBoxLayout(inner)
    label = QLabel("Words that wrap. " * 20)
    label.setWordWrap(True)
    rows = QListWidget()
    rows.setMinimumHeight(30)
    lines.addWidget(label)
    lines.addWidget(rows)
    column.addWidget(inner)
    outer, within = column.contentsMargins(), lines.contentsMargins()
    width = 300
    room = width - outer.left() - outer.right() - within.left() - within.right()
    frames = outer.top() + outer.bottom() + within.top() + within.bottom()
    wanted = label.heightForWidth(room) + lines.spacing() + 30 + frames
    assert least_height(body, width) == wanted
    assert rows.sizeHint().height() > 30


def test_a_body_of_limited_height_stays_at_the_top(qtbot: QtBot) -> None:
    """Also if the dock is a little higher; another body fills the frame."""
    for highest in (48, 500):
        body = QWidget()
        body.setMaximumHeight(highest)
        frame = PanelFrame(body)
        qtbot.addWidget(frame)
        frame.show()
        for height in (48, 51, 120):
            frame.resize(300, height)
            qtbot.waitUntil(lambda: body.height() == min(height, highest))  # noqa: B023
            assert body.mapTo(frame, body.rect().topLeft()).toTuple() == (0, 0)
