"""Runs of two corpora in every list, menu and choice of runs in the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QComboBox, QLineEdit, QMenu, QPushButton
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus
from ui.toy import toy_corpus, toy_model

from workbench.session.runs.groups import grouped_by_corpus
from workbench.session.runs.run_record import RunRecord, State
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.panels.runs.runs_table import RunsTable
from workbench.ui.panels.train.run_list import RunList
from workbench.ui.shell.window import Window
from workbench.ui.widgets.tables.data_table import DataTable

Section = tuple[str, list[str]]
# Panels that show no run, or others than the active one: runs of their own choice, of the open
# corpus, or with a loss.
_WITHOUT_ACTIVE_RUN = {
    "corpus",
    "train",
    "runs",
    "lessons",
    "learn",
    "compare",
    "collocations",
    "evaluate",
    "groups",
    "loss",
    "weights",
}


def add(window: Window, name: str, corpus_name: str, digest: str) -> RunRecord:
    session = window.session
    record = RunRecord(
        f"2026-{len(session.runs)}",
        name,
        "",
        {},
        corpus_name,
        digest,
        "2026-01-01",
        state=State.DONE,
        embeddings=toy_model(),
    )
    session.runs.append(record)
    session.runs.changed.emit()
    return record


@pytest.fixture
def mixed_window(window: Window) -> Window:
    """A window with a corpus, two runs of it, a run of another corpus, and one without a corpus."""
    session = window.session
    session.corpora.current = toy_corpus()
    session.corpora.changed.emit()
    first = add(window, "First", session.corpora.current.name, "toy")
    add(window, "Theirs", "jane", "0" * 32)
    add(window, "Last", session.corpora.current.name, "toy")
    add(window, "Vectors", "", "")
    session.active.show(first)
    return window


@pytest.fixture
def expected(mixed_window: Window) -> list[Section]:
    assert mixed_window.session.corpora.current is not None
    return [
        (mixed_window.session.corpora.current.name, ["Last", "First"]),
        ("jane", ["Theirs"]),
        ("Vectors from files", ["Vectors"]),
    ]


def sections_of_menu(menu: QMenu) -> list[Section]:
    """The titled sections of a menu, with the texts of their entries."""
    menu.aboutToShow.emit()
    sections: list[Section] = []
    for action in menu.actions():
        if action.isSeparator():
            continue
        if not action.isCheckable():
            assert not action.isEnabled()
            sections.append((action.text(), []))
        elif sections:
            sections[-1][1].append(action.text())
    return sections


def sections_of_box(box: QComboBox) -> list[Section]:
    """The headings of a box, which can't be chosen, with the names of the runs below them."""
    sections: list[Section] = []
    for row in range(box.count()):
        flags = box.model().index(row, 0).flags()
        if not flags & Qt.ItemFlag.ItemIsEnabled:
            sections.append((box.itemText(row), []))
        elif sections:
            sections[-1][1].append(box.itemText(row).partition(" · ")[0])
    return sections


@pytest.mark.parametrize(
    ("panel", "name"),
    [
        ("compare", "compare.models.first"),
        ("compare", "compare.models.second"),
        ("compare", "compare.seeds.run"),
        ("matrix", "matrix.pane1.run"),
    ],
)
def test_boxes_have_a_heading_for_each_corpus(
    mixed_window: Window, expected: list[Section], panel: str, name: str
) -> None:
    mixed_window.raise_panel(panel)
    box = mixed_window.docks[panel].panel.findChild(QComboBox, name)
    assert box is not None
    assert sections_of_box(box) == expected
    assert box.model().index(box.currentIndex(), 0).flags() & Qt.ItemFlag.ItemIsEnabled
    # Runs of another corpus come first once that corpus is open.
    mixed_window.session.corpora.current = small_corpus("0" * 32)
    mixed_window.session.corpora.changed.emit()
    assert sections_of_box(box)[0] == (mixed_window.session.corpora.current.name, ["Theirs"])


def test_the_box_of_the_second_map_takes_a_run_of_the_same_corpus(
    mixed_window: Window, expected: list[Section]
) -> None:
    mixed_window.raise_panel("map")
    box = mixed_window.docks["map"].panel.findChild(QComboBox, "map.other")
    assert box is not None
    assert sections_of_box(box) == [(expected[0][0], ["Last"]), *expected[1:]]
    assert box.currentText() == "Last"


@pytest.mark.parametrize(
    ("panel", "name"),
    [
        ("evaluate", "evaluate.analogies.runs"),
        ("evaluate", "evaluate.similarity.runs"),
        ("evaluate", "evaluate.leaderboard.runs"),
        ("theory", "theory.dims.runs"),
        ("neighbours", "neighbours.columns.runs"),
    ],
)
def test_menus_have_a_section_for_each_corpus(
    mixed_window: Window, expected: list[Section], panel: str, name: str
) -> None:
    mixed_window.raise_panel(panel)
    button = mixed_window.docks[panel].panel.findChild(QPushButton, name)
    assert button is not None
    assert sections_of_menu(button.menu())[-3:] == expected


def test_the_menu_of_the_header_and_both_lists_have_one_order(
    mixed_window: Window, expected: list[Section]
) -> None:
    assert sections_of_menu(mixed_window.top.run.run_menu) == expected
    names = [name for _, runs in expected for name in runs]
    runs = mixed_window.docks["train"].panel.findChild(RunList)
    assert runs is not None
    texts = [runs.model().index(row, 0).data() for row in range(runs.model().rowCount())]
    assert texts == names


def sections_of_table(table: DataTable) -> list[Section]:
    """The headings of a list or a table, with the names of the runs below them."""
    keys = [column.key for column in table.table.columns]
    at = keys.index("name") if "name" in keys else 0
    sections: list[Section] = []
    for place in range(table.table.rowCount()):
        heading = table.table.heading(place)
        if heading:
            sections.append((heading, []))
        sections[-1][1].append(str(table.table.index(place, at).data()))
    return sections


def heading_point(table: DataTable, name: str) -> QPoint:
    """A point on the heading above a run."""
    names = [name for _, runs in sections_of_table(table) for name in runs]
    return QPoint(40, table.rowViewportPosition(names.index(name)) + 6)


def point_of(table: DataTable, name: str) -> QPoint:
    """A point on the row of a run, below its heading."""
    names = [name for _, runs in sections_of_table(table) for name in runs]
    return QPoint(60, table.visualRect(table.model().index(names.index(name), 0)).center().y())


def test_the_list_of_runs_has_a_heading_for_each_corpus(
    mixed_window: Window, expected: list[Section], qtbot: QtBot
) -> None:
    mixed_window.raise_panel("train")
    runs = mixed_window.docks["train"].panel.findChild(RunList)
    assert runs is not None
    assert sections_of_table(runs) == expected
    # Clicking a heading activates nothing; clicking the run below it activates the run.
    qtbot.mouseClick(runs.viewport(), Qt.MouseButton.LeftButton, pos=heading_point(runs, "Theirs"))
    assert mixed_window.session.active.run is mixed_window.session.runs[0]
    qtbot.mouseClick(runs.viewport(), Qt.MouseButton.LeftButton, pos=point_of(runs, "Theirs"))
    assert mixed_window.session.active.run is mixed_window.session.runs[1]
    text = runs.model().index(2, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert text.startswith("Theirs, jane")


def test_the_table_of_runs_keeps_its_headings_where_it_is_sorted_and_filtered(
    mixed_window: Window, expected: list[Section], qtbot: QtBot
) -> None:
    mixed_window.raise_panel("runs")
    table = mixed_window.docks["runs"].panel.findChild(RunsTable)
    assert table is not None
    qtbot.waitUntil(lambda: table.table.rowCount() == 4)
    assert sections_of_table(table) == expected
    left, at = Qt.MouseButton.LeftButton, table.keys.index("name")
    header = table.horizontalHeader()
    middle = QPoint(header.sectionViewportPosition(at) + header.sectionSize(at) // 2, 8)
    qtbot.mouseClick(header.viewport(), left, pos=middle)
    own, *others = expected
    assert sections_of_table(table) == [(own[0], ["First", "Last"]), *others]
    assert [table.rowHeight(place) > table.rowHeight(1) for place in range(4)] == [
        True,
        False,
        True,
        True,
    ]
    # Headings aren't rows: keys move from run to run, and a range of runs contains no headings.
    qtbot.mouseClick(table.viewport(), left, pos=point_of(table, "First"))
    qtbot.keyClick(table, Qt.Key.Key_Down)
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert [run.name for run in table.selected_runs] == ["Last", "Theirs"]
    assert table.copied_text().count("\n") == 1
    filter_line = mixed_window.docks["runs"].panel.findChild(QLineEdit, "runs.table.filter")
    assert filter_line is not None
    qtbot.keyClicks(filter_line, "name:Theirs")
    assert sections_of_table(table) == [("jane", ["Theirs"])]
    assert table.indexAt(heading_point(table, "Theirs")).row() == -1


def test_runs_of_one_corpus_need_no_heading(window: Window) -> None:
    session = window.session
    session.corpora.current = toy_corpus()
    session.corpora.changed.emit()
    session.active.show(add(window, "First", "toy", "toy"))
    add(window, "Last", "toy", "toy")
    window.raise_panel("compare")
    box = window.docks["compare"].panel.findChild(QComboBox, "compare.models.first")
    assert box is not None
    assert sections_of_box(box) == []
    assert [box.itemText(row) for row in range(box.count())] == ["Last", "First"]
    window.raise_panel("train")
    runs = window.docks["train"].panel.findChild(RunList)
    assert runs is not None
    assert [runs.table.heading(place) for place in range(runs.table.rowCount())] == ["", ""]
    assert runs.rowHeight(0) == runs.rowHeight(1)


def test_the_same_text_read_differently_has_a_heading_of_its_own(mixed_window: Window) -> None:
    corpus = mixed_window.session.corpora.current
    assert corpus is not None
    other = add(mixed_window, "Read by lines", corpus.name, "1" * 32)
    titles = {
        run.name: group.title
        for group in grouped_by_corpus(mixed_window.session.runs, corpus)
        for run in group.runs
    }
    assert titles[other.name] != titles["First"] == corpus.name


def test_every_panel_that_draws_a_run_of_another_corpus_says_so(
    mixed_window: Window, qtbot: QtBot
) -> None:
    def is_said(key: str) -> bool:
        origin = mixed_window.docks[key].panel.origin
        return not origin.isHidden() and "jane" in origin.accessibleName()

    for key in sorted({panel.key for panel in PANELS} - _WITHOUT_ACTIVE_RUN):
        mixed_window.raise_panel(key)
        for run in (1, 0):
            mixed_window.session.active.show(mixed_window.session.runs[run])
            qtbot.waitUntil(lambda key=key, run=run: is_said(key) == bool(run))


def test_a_comparison_with_a_run_of_another_corpus_says_so(
    mixed_window: Window, qtbot: QtBot
) -> None:
    mixed_window.raise_panel("compare")
    panel = mixed_window.docks["compare"].panel
    box = panel.findChild(QComboBox, "compare.models.second")
    assert box is not None
    qtbot.waitUntil(panel.origin.isHidden)
    box.setCurrentIndex(box.findText("Theirs · on jane"))
    qtbot.waitUntil(lambda: not panel.origin.isHidden())
    assert "jane" in panel.origin.accessibleName()
