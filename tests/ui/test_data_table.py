"""Keys, clicks, copying, sorting, check boxes and typing in every table."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from workbench.ui.base.panel import PanelContext
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.table_model import TableColumn, sorted_rows

LEFT = Qt.MouseButton.LeftButton
WORDS = ["pear", "apple", "wool", "apricot"]
COUNTS = np.array([3, 9, 1, 9])


@pytest.fixture
def table(context: PanelContext, qtbot: QtBot) -> DataTable:
    new_table = DataTable(context.theme)
    qtbot.addWidget(new_table)
    new_table.resize(400, 300)
    new_table.set_columns(
        [TableColumn("count", COUNTS, text=str), TableColumn("word", WORDS, stretch=True)]
    )
    new_table.show()
    return new_table


def shown_words(table: DataTable) -> list[str]:
    return [texts[1] for texts in table.texts()]


def copy_selection(table: DataTable, qtbot: QtBot) -> str:
    qtbot.keyClick(table, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    return QGuiApplication.clipboard().text()


def test_arrows_pick_return_opens_home_and_end_go_to_the_ends(
    table: DataTable, qtbot: QtBot
) -> None:
    signals: list[object] = []
    table.picked.connect(signals.append)
    table.opened.connect(lambda row: signals.append(f"open {row}"))
    table.sort_by(1)
    assert shown_words(table) == ["apple", "apricot", "pear", "wool"]
    table.pick(0)
    assert signals == []
    for key in (Qt.Key.Key_Home, Qt.Key.Key_Down, Qt.Key.Key_Return, Qt.Key.Key_End):
        qtbot.keyClick(table, key)
    # Signals give row numbers in the original order, not in the sorted one.
    assert signals == [1, 3, "open 3", 2]


def test_a_selection_is_copied_with_tabs(table: DataTable, qtbot: QtBot) -> None:
    table.pick(1)
    assert copy_selection(table, qtbot) == "9\tapple"
    table.setSelectionMode(DataTable.SelectionMode.ExtendedSelection)
    table.selectAll()
    assert copy_selection(table, qtbot) == "3\tpear\n9\tapple\n1\twool\n9\tapricot"


def test_typing_finds_a_word_whatever_cell_is_the_current_one(
    table: DataTable, qtbot: QtBot
) -> None:
    table.pick(0)
    qtbot.keyClicks(table, "wo")
    assert table.current_row == 2


def test_a_filter_and_an_order_go_together_and_the_current_row_stays(table: DataTable) -> None:
    table.pick(3)
    table.sort_by(0)
    assert shown_words(table) == ["apple", "apricot", "pear", "wool"]
    assert table.current_row == 3
    table.table.set_passing(np.array([3, 2, 0]))
    assert shown_words(table) == ["apricot", "pear", "wool"]
    table.table.sort(-1)
    assert shown_words(table) == ["apricot", "wool", "pear"]


def test_rows_of_numbers_are_sorted_as_those_of_a_list() -> None:
    random = np.random.default_rng(0)
    values, aside = random.integers(0, 5, 60), random.random(60) < 0.3
    for descending in (False, True):
        rows = random.permutation(60)[:40]
        rows.sort()
        expected = sorted(rows.tolist(), key=lambda row: values[row], reverse=descending)
        for kind in (np.int64, np.uint16, np.float32):
            assert sorted_rows(values.astype(kind), descending, (), rows).tolist() == expected
        assert sorted_rows(values.tolist(), descending, (), rows).tolist() == expected
        for each in (values, values.tolist()):
            last = sorted_rows(each, descending, aside.tolist(), rows).tolist()
            assert last == sorted(expected, key=lambda row: aside[row])


def test_a_check_box_is_clicked_where_it_is_painted(context: PanelContext, qtbot: QtBot) -> None:
    new_table = DataTable(context.theme)
    qtbot.addWidget(new_table)
    context.theme.dress(new_table)
    out: set[int] = {1}
    new_table.set_columns([TableColumn("word", WORDS, checked=lambda row: row not in out)])
    new_table.table.toggled.connect(lambda row: out.symmetric_difference_update({row}))
    new_table.resize(300, 200)
    new_table.show()
    box = new_table.visualRect(new_table.table.index(1, 0))
    picture = new_table.viewport().grab().toImage()
    ground = picture.pixel(box.right() - 2, box.center().y())
    ink = [x for x in range(box.left(), box.right()) if picture.pixel(x, box.top() + 8) != ground]
    place = box.center()
    place.setX(ink[0] + 4)
    qtbot.mouseClick(new_table.viewport(), LEFT, pos=place)
    assert out == set()


def test_a_cell_without_a_key_is_not_told(context: PanelContext, qtbot: QtBot) -> None:
    new_table = DataTable(context.theme, plain=True)
    qtbot.addWidget(new_table)
    new_table.set_columns([TableColumn("", WORDS, keys=["a", None, "c", "d"], number=False)])
    new_table.resize(300, 200)
    new_table.show()
    picks: list[object] = []
    new_table.picked.connect(picks.append)
    for row in (1, 2):
        place = new_table.visualRect(new_table.table.index(row, 0)).center()
        qtbot.mouseClick(new_table.viewport(), LEFT, pos=place)
    assert picks == ["c"]
    new_table.mark("d")
    assert new_table.current_row == 3
    new_table.mark("unknown")
    assert new_table.current_row == -1
    assert picks == ["c"]
