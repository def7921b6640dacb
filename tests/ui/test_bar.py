"""A bar of controls at widths where they fit and where they don't."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import (
    QApplication,
    QLineEdit,
    QPushButton,
    QTextEdit,
    QToolTip,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from workbench.ui.base.scaling import SPACE_2
from workbench.ui.widgets.inputs.editors import ChoiceBox
from workbench.ui.widgets.layout.wrapping_bar import Bar


def make_bar(qtbot: QtBot) -> tuple[QWidget, list[QWidget], QTextEdit]:
    """Three buttons, a field that takes the remaining width and a button at the right, above a
    text.
    """
    host = QWidget()
    qtbot.addWidget(host)
    column = QVBoxLayout(host)
    bar = Bar()
    column.addLayout(bar)
    widgets: list[QWidget] = [QPushButton(f"Button {number}") for number in range(3)]
    for widget in widgets:
        bar.addWidget(widget)
    widgets.append(QLineEdit())
    bar.addWidget(widgets[-1], 1)
    bar.addStretch()
    widgets.append(QPushButton("Export"))
    bar.addWidget(widgets[-1])
    text = QTextEdit()
    column.addWidget(text, 1)
    return host, widgets, text


def show_at(qtbot: QtBot, host: QWidget, width: int) -> None:
    host.resize(width, 400)
    host.show()
    qtbot.waitUntil(lambda: host.width() == width)


def test_where_there_is_room_all_is_in_one_row(qtbot: QtBot) -> None:
    host, widgets, text = make_bar(qtbot)
    show_at(qtbot, host, 900)
    middles = {widget.geometry().center().y() for widget in widgets}
    assert max(middles) - min(middles) <= 1
    assert widgets[-1].geometry().right() == text.geometry().right()
    assert widgets[3].width() > widgets[3].sizeHint().width()


def test_where_there_is_none_further_rows_begin_and_nothing_overlaps(qtbot: QtBot) -> None:
    host, widgets, text = make_bar(qtbot)
    show_at(qtbot, host, 260)
    qtbot.waitUntil(
        lambda: text.geometry().top() > max(widget.geometry().bottom() for widget in widgets)
    )
    places = [widget.geometry() for widget in widgets]
    assert len({place.top() for place in places}) > 1
    assert not any(one.intersects(other) for at, one in enumerate(places) for other in places[:at])
    assert all(place.left() >= 0 and place.right() < host.width() for place in places)
    assert all(
        place.width() >= widget.sizeHint().width()
        for widget, place in zip(widgets, places, strict=True)
        if isinstance(widget, QPushButton)
    )


def test_a_widget_put_before_another_stands_before_it(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    bar = Bar(host)
    first, last = QPushButton("a"), QPushButton("c")
    bar.addWidget(first)
    bar.addWidget(last)
    between = QPushButton("b")
    bar.insertWidget(1, between)
    show_at(qtbot, host, 500)
    assert first.x() < between.x() < last.x()
    assert bar.takeAt(1) is not None
    assert bar.takeAt(5) is None
    assert bar.count() == 2


def test_the_last_one_stands_at_the_right_also_alone_in_its_row(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    bar = Bar(host)
    field, button = QLineEdit(), QPushButton("Export")
    field.setMinimumWidth(200)
    bar.addWidget(field, 1)
    bar.addWidget(button)
    show_at(qtbot, host, 220)
    qtbot.waitUntil(lambda: button.geometry().top() > field.geometry().top())
    assert button.geometry().right() == host.rect().right()


def test_what_is_chosen_keeps_its_room_and_a_longer_choice_gets_it(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    column = QVBoxLayout(host)
    bar = Bar()
    column.addLayout(bar)
    boxes = [ChoiceBox(), ChoiceBox()]
    for box in boxes:
        box.addItems(["the first 2,000 words", "of all words those that were met"])
        bar.addWidget(box)
    column.addStretch()
    whole = boxes[0].sizeHint().width()
    show_at(qtbot, host, 2 * max(boxes[0].readable_width(), round(0.75 * whole)) + 40)
    qtbot.waitUntil(lambda: boxes[0].y() == boxes[1].y())
    assert all(box.readable_width() <= box.width() < whole for box in boxes)
    boxes[1].setCurrentIndex(1)
    qtbot.waitUntil(lambda: boxes[1].width() >= boxes[1].readable_width())


def test_what_one_has_no_use_for_the_others_take(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    bar = Bar(host)
    narrow, wide, button = QLineEdit(), QLineEdit(), QPushButton("Export")
    narrow.setMaximumWidth(150)
    bar.addWidget(narrow, 3)
    bar.addWidget(wide, 1)
    bar.addWidget(button)
    show_at(qtbot, host, 900)
    assert narrow.width() == 150
    assert wide.geometry().left() == narrow.geometry().right() + 1 + SPACE_2
    assert button.geometry().right() == host.width() - 1


def test_several_that_follow_a_stretch_stand_at_the_right_of_their_row_together(
    qtbot: QtBot,
) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    bar = Bar(host)
    field, fit, export = QLineEdit(), QPushButton("Fit"), QPushButton("Export")
    field.setMinimumWidth(240)
    bar.addWidget(field, 1)
    bar.addWidget(fit)
    bar.addWidget(export)
    show_at(qtbot, host, 260)
    qtbot.waitUntil(lambda: fit.y() == export.y() > field.geometry().top())
    assert export.geometry().right() == host.rect().right()
    assert fit.x() > 0


def row_of_choices(qtbot: QtBot) -> tuple[QWidget, list[ChoiceBox], QPushButton]:
    """Two choice boxes, one of which may shrink, and a button at the right."""
    host = QWidget()
    qtbot.addWidget(host)
    bar = Bar(host)
    boxes = [ChoiceBox(), ChoiceBox()]
    boxes[1].squeezed = 90
    for box in boxes:
        box.addItem("a section of a file")
        bar.addWidget(box)
    bar.addStretch()
    button = QPushButton("Export")
    bar.addWidget(button)
    return host, boxes, button


def test_a_choice_is_squeezed_where_one_row_holds_all_then_and_told_whole_by_the_tooltip(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    host, boxes, button = row_of_choices(qtbot)
    boxes[1].setToolTip("Which section")
    whole = boxes[0].readable_width()
    show_at(qtbot, host, 2 * whole + button.sizeHint().width() + 2 * SPACE_2 - 20)
    qtbot.waitUntil(lambda: button.y() < boxes[0].geometry().bottom())
    assert boxes[0].width() == whole
    assert 90 <= boxes[1].width() == whole - 20
    tips: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, *_: tips.append(text))
    for box in boxes:
        QApplication.sendEvent(
            box, QHelpEvent(QEvent.Type.ToolTip, QPoint(5, 5), box.mapToGlobal(QPoint(5, 5)))
        )
    assert tips == ["a section of a file\nWhich section"]


def test_a_choice_is_not_squeezed_where_there_are_two_rows_all_the_same(qtbot: QtBot) -> None:
    host, boxes, button = row_of_choices(qtbot)
    show_at(qtbot, host, boxes[0].readable_width() + 40)
    qtbot.waitUntil(lambda: button.y() > boxes[0].geometry().bottom())
    assert all(box.width() >= box.readable_width() for box in boxes)


def test_choices_that_come_unheard_have_their_room_at_once(qtbot: QtBot) -> None:
    host, boxes, _ = row_of_choices(qtbot)
    show_at(qtbot, host, 900)
    boxes[0].blockSignals(True)
    boxes[0].addItem("another section of a file")
    boxes[0].blockSignals(False)
    qtbot.waitUntil(lambda: boxes[0].width() == boxes[0].sizeHint().width())
