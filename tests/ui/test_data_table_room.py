"""Columns that a table hides or shortens when it is narrow."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from workbench.ui.base.panel import PanelContext
from workbench.ui.widgets.tables.data_table import DataTable, TableColumn

COLUMNS = (
    TableColumn("run", ["the first", "the second"]),
    TableColumn("often asked for", [1.0, 2.0], spare=1),
    TableColumn("seldom", [3.0, 4.0], spare=9),
    TableColumn("now and then", [5.0, 6.0], spare=5),
    TableColumn(
        "score",
        [0.5, 0.25],
        texts=["0.500 (0.400 to 0.600)", "0.250 (0.100 to 0.300)"],
        brief=["0.500", "0.250"],
    ),
)


@pytest.fixture
def table(context: PanelContext, qtbot: QtBot) -> DataTable:
    new_table = DataTable(context.theme)
    qtbot.addWidget(new_table)
    new_table.resize(1000, 300)
    new_table.set_columns(COLUMNS)
    new_table.show()
    return new_table


def needed_width(table: DataTable) -> int:
    return sum(table.columnWidth(at) for at in range(len(COLUMNS)))


def visible_columns(table: DataTable) -> list[str]:
    return [
        column.name for at, column in enumerate(table.table.columns) if not table.isColumnHidden(at)
    ]


def resize(table: DataTable, room: int) -> None:
    table.resize(room + table.width() - table.viewport().width(), table.height())


def test_columns_give_way_by_their_number_and_come_back(table: DataTable, qtbot: QtBot) -> None:
    changes: list[list[str]] = []
    table.gave_way.connect(lambda: changes.append(list(table.gone)))
    whole = needed_width(table)
    widths = [table.columnWidth(at) for at in range(len(COLUMNS))]
    resize(table, whole)
    assert (visible_columns(table), changes) == ([column.name for column in COLUMNS], [])
    resize(table, whole - 1)
    assert visible_columns(table) == ["run", "often asked for", "now and then", "score"]
    resize(table, whole - widths[2] - 1)
    assert visible_columns(table) == ["run", "often asked for", "score"]
    assert changes == [["seldom"], ["seldom", "now and then"]]
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    # The last column switches to its brief texts before the table has to scroll.
    resize(table, widths[0] + widths[4] - 1)
    assert (visible_columns(table), table.table.brief) == (["run", "score"], True)
    assert table.columnWidth(4) < widths[4]
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    resize(table, whole)
    assert (
        [table.columnWidth(at) for at in range(len(COLUMNS))],
        table.gone,
        table.table.brief,
    ) == (widths, [], False)


def test_a_column_that_gave_way_comes_back_as_wide_with_other_values(table: DataTable) -> None:
    whole, wide = needed_width(table), table.columnWidth(2)
    resize(table, whole - 1)
    table.set_columns(COLUMNS)
    assert table.gone == ["seldom"]
    resize(table, whole)
    assert (table.gone, table.columnWidth(2)) == ([], wide)


def test_what_somebody_draws_wider_takes_room_from_the_others(table: DataTable) -> None:
    whole = needed_width(table)
    table.setColumnWidth(1, table.columnWidth(1) + 40)
    resize(table, whole)
    assert table.gone == ["seldom"]
    resize(table, whole + 40)
    assert table.gone == []


@pytest.mark.parametrize(
    ("name", "folded"),
    [
        ("Window", "Window"),
        ("Negative samples", "Negative\nsamples"),
        ("Small World’s pairs", "Small\nWorld’s pairs"),
        ("GloVe 1", "GloVe 1"),
        ("GloVe 1 questions", "GloVe 1\nquestions"),
        ("", ""),
    ],
)
def test_headings_have_two_lines_of_about_one_length(name: str, folded: str) -> None:
    assert TableColumn(name, []).two_line_name == folded


def test_two_lines_are_as_wide_as_the_longer_one(table: DataTable) -> None:
    one = table.columnWidth(1), table.horizontalHeader().height()
    table.table.folds = True
    table.set_columns(COLUMNS[:1])
    table.set_columns(COLUMNS)
    assert table.columnWidth(1) < one[0]
    assert table.horizontalHeader().sizeHint().height() > one[1]


def test_a_text_that_outgrew_its_column_gets_room_and_others_give_way(table: DataTable) -> None:
    names = ["the first", "the second"]
    table.set_columns([TableColumn("run", names), *COLUMNS[1:]])
    resize(table, needed_width(table))
    first = table.columnWidth(0)
    names[1] = "the second, for which there was no room before"
    table.widen(1)
    wide = table.columnWidth(0)
    assert wide > first
    assert visible_columns(table)[0] == "run"
    assert "seldom" not in visible_columns(table)
    # A shorter text doesn't change the width.
    names[1] = "the"
    table.widen(1)
    assert table.columnWidth(0) == wide


def test_a_table_without_rows_says_why(context: PanelContext, qtbot: QtBot) -> None:
    new_table = DataTable(context.theme)
    qtbot.addWidget(new_table)
    new_table.resize(400, 200)
    new_table.set_columns([TableColumn("run", [])])
    new_table.show()
    before = new_table.viewport().grab().toImage()
    new_table.say_empty("Nothing passes")
    assert new_table.viewport().grab().toImage() != before
    new_table.set_columns([TableColumn("run", ["one"])])
    one = new_table.viewport().grab().toImage()
    new_table.say_empty("")
    assert new_table.viewport().grab().toImage() == one
