"""A label that shortens its text with an ellipsis, or wraps it into further lines."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from workbench.ui.base.elided import ElidedLabel

TEXT = "1,501 common words · mean overlap 0.35 · neighbours alone are compared"


@pytest.fixture
def host(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


def label(qtbot: QtBot, host: QWidget, width: int, lines: int = 1) -> ElidedLabel:
    """A label in a column, above a stretch that takes the remaining height."""
    new_label = ElidedLabel(TEXT, lines=lines)
    column = QVBoxLayout(host)
    column.setContentsMargins(0, 0, 0, 0)
    column.addWidget(new_label)
    column.addStretch(1)
    host.resize(width, 200)
    host.show()
    qtbot.waitExposed(host)
    return new_label


def test_one_line_ends_in_an_ellipsis(qtbot: QtBot, host: QWidget) -> None:
    new_label = label(qtbot, host, 200)
    assert new_label.text().endswith("…")
    assert "\n" not in new_label.text()
    assert new_label.toolTip() == TEXT


@pytest.mark.parametrize("lines", [2, 3])
def test_it_breaks_between_words_and_leaves_out_no_more_than_it_must(
    qtbot: QtBot, host: QWidget, lines: int
) -> None:
    new_label = label(qtbot, host, 2000, lines=lines)
    advance = new_label.fontMetrics().horizontalAdvance
    host.resize(advance(TEXT) // lines + max(map(advance, TEXT.split())), 200)
    assert new_label.text().count("\n") == lines - 1
    assert new_label.text().replace("\n", " ") == TEXT
    qtbot.waitUntil(lambda: new_label.height() >= lines * new_label.fontMetrics().height())


def test_it_never_has_more_lines_than_it_may(qtbot: QtBot, host: QWidget) -> None:
    new_label = label(qtbot, host, 90, lines=2)
    assert new_label.text().count("\n") == 1
    assert new_label.text().endswith("…")


def test_with_more_room_it_has_fewer_lines(qtbot: QtBot, host: QWidget) -> None:
    new_label = label(qtbot, host, 200, lines=3)
    qtbot.waitUntil(lambda: new_label.height() >= 3 * new_label.fontMetrics().height())
    before = new_label.height()
    new_label.window().resize(new_label.fontMetrics().horizontalAdvance(TEXT) + 20, 200)
    qtbot.waitUntil(lambda: new_label.text() == TEXT)
    qtbot.waitUntil(lambda: new_label.height() < before)


def test_no_line_but_the_last_is_cut_at_any_width(qtbot: QtBot) -> None:
    new_label = ElidedLabel(TEXT, lines=2)
    qtbot.addWidget(new_label)
    new_label.show()
    for width in range(200, new_label.fontMetrics().horizontalAdvance(TEXT)):
        new_label.resize(width, 40)
        assert "…" not in new_label.text().split("\n")[0]
