"""Lists of choices open at full height and width, so that every entry can be read in full."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem
from PySide6.QtWidgets import (
    QAbstractItemView,
    QApplication,
    QComboBox,
    QListView,
    QListWidget,
    QWidget,
)
from pytestqt.qtbot import QtBot
from shiboken6 import Shiboken

import workbench.ui
from workbench.ui.base.colours import DARK, LIGHT, Palette, contrast_ratio
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.base.theme import Theme
from workbench.ui.shell.window import Window
from workbench.ui.widgets.inputs.editors import ChoiceBox, set_choice_enabled
from workbench.ui.widgets.inputs.run_choice import add_heading

UI = Path(workbench.ui.__file__).parent


def assert_whole(box: QComboBox) -> None:
    """Open the list with a click, and check that every entry is fully visible."""
    box.showPopup()
    view = box.view()
    assert isinstance(view, QListView)
    name, inside = box.objectName(), view.viewport().rect()
    rows = sum(map(view.sizeHintForRow, range(box.count())))
    screen = view.screen().availableGeometry()
    assert screen.contains(view.window().geometry()), name
    if box.count() <= box.maxVisibleItems() and rows < screen.height() - 4:
        assert view.verticalScrollBar().maximum() == 0, name
        areas = [view.visualRect(view.model().index(at, 0)) for at in range(box.count())]
        assert all(inside.contains(row) for row in areas), (name, inside, areas)
    # No scroll arrows take the place of rows.
    assert view.window().height() - inside.height() <= 4, name
    box.hidePopup()
    view.window().hide()


@pytest.mark.parametrize("size", [100, 150])
def test_lists_of_all_boxes_show_every_entry(size: int, window: Window) -> None:
    window.context.theme.choose_text_size(size)
    for key in [kind.key for kind in PANELS]:
        window.raise_panel(key)
        for box in window.docks[key].panel.findChildren(QComboBox):
            assert isinstance(box, ChoiceBox), box.objectName()
            if box.count():
                was = box.isVisibleTo(window)
                parent, was_hidden = box.parentWidget(), box.isHidden()
                assert_whole(box)
                assert (box.parentWidget(), box.isHidden()) == (parent, was_hidden)
                assert box.isVisibleTo(window) == was


@pytest.mark.parametrize("entries", [1, 2, 4, 12, 20, 60])
@pytest.mark.parametrize("editable", [False, True])
def test_a_list_is_as_wide_and_tall_as_its_entries(
    qtbot: QtBot, qapp: QApplication, entries: int, editable: bool
) -> None:
    frame = QWidget()
    box = ChoiceBox()
    box.setParent(frame)
    box.setEditable(editable)
    for at in range(entries):
        box.addItem(f"choice {at}, whose name is longer than the box is wide")
    Theme(qapp, "light").dress(frame)
    qtbot.addWidget(frame)
    frame.resize(300, 60)
    box.setFixedWidth(120)
    frame.show()
    box.setCurrentIndex(entries - 1)
    assert_whole(box)
    box.showPopup()
    assert box.view().viewport().width() >= box.view().sizeHintForColumn(0)
    box.hidePopup()


def row_grounds(view: QAbstractItemView) -> list[list[str]]:
    """The colours of each row of a list, at its left edge and away from its text."""
    image = view.viewport().grab().toImage()
    areas = [view.visualRect(view.model().index(row, 0)) for row in range(view.model().rowCount())]
    return [
        [image.pixelColor(x, area.center().y()).name() for x in (area.left() + 1, area.right() - 6)]
        for area in areas
    ]


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("by", ["opening", "keys", "mouse"])
def test_a_list_shows_where_it_is(
    qtbot: QtBot, qapp: QApplication, by: str, palette: Palette
) -> None:
    frame, box = QWidget(), ChoiceBox()
    box.setParent(frame)
    box.addItems(["first", "second", "third", "fourth"])
    Theme(qapp, "dark" if palette.dark else "light").dress(frame)
    qtbot.addWidget(frame)
    frame.show()
    box.setCurrentIndex(1)
    box.showPopup()
    view, marked = box.view(), 1
    if by == "keys":
        qtbot.keyClick(view, Qt.Key.Key_Down)
        marked = 2
    elif by == "mouse":
        for row in (0, 3):
            qtbot.mouseMove(view.viewport(), view.visualRect(view.model().index(row, 0)).center())
        marked = 3
        qtbot.waitUntil(lambda: view.currentIndex().row() == marked)
    grounds = row_grounds(view)
    plain = [row for at, row in enumerate(grounds) if at != marked]
    assert plain == [[palette.surface.lower()] * 2] * 3
    edge, ground = grounds[marked]
    assert ground == palette.accent_soft.lower()
    # The ground alone is too pale on a projector.
    assert contrast_ratio(edge.upper(), palette.surface) >= 3
    box.hidePopup()


@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_every_kind_of_list_shows_where_it_is(
    qtbot: QtBot, qapp: QApplication, palette: Palette
) -> None:
    for role in ("", "popup", "pages", "plain"):
        view = QListWidget()
        view.setProperty("role", role)
        view.addItems(["first", "second", "third"])
        Theme(qapp, "dark" if palette.dark else "light").dress(view)
        qtbot.addWidget(view)
        view.show()
        view.setCurrentRow(1)
        first, second, _ = row_grounds(view)
        assert second[1] == palette.accent_soft.lower() != first[1], role
        assert contrast_ratio(second[0].upper(), palette.surface) >= 3, role
        for row in (0, 2):
            qtbot.mouseMove(view.viewport(), view.visualItemRect(view.item(row)).center())
        qtbot.waitUntil(lambda view=view: row_grounds(view)[2][1] == palette.hover.lower())


def test_a_list_opens_at_the_choice_after_it_was_closed_without_one(qtbot: QtBot) -> None:
    box = ChoiceBox()
    qtbot.addWidget(box)
    box.addItems(["first", "second", "third"])
    box.show()
    for _ in range(2):
        box.showPopup()
        assert box.view().currentIndex().row() == 0
        qtbot.keyClick(box.view(), Qt.Key.Key_Down)
        assert box.view().currentIndex().row() == 1
        qtbot.keyClick(box.view(), Qt.Key.Key_Escape)
    assert box.currentIndex() == 0


def test_an_entry_is_skipped_by_keys_until_it_can_be_chosen(qtbot: QtBot) -> None:
    box = ChoiceBox()
    qtbot.addWidget(box)
    for text in ("first", "second", "third"):
        box.addItem(text, text)
    set_choice_enabled(box, 1, False)
    box.show()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    assert box.currentData() == "third"
    set_choice_enabled(box, 1, True)
    qtbot.keyClick(box, Qt.Key.Key_Up)
    assert box.currentData() == "second"


def test_a_click_on_an_entry_that_cannot_be_chosen_chooses_none(qtbot: QtBot) -> None:
    box = ChoiceBox()
    qtbot.addWidget(box)
    for text in ("alpha", "beta", "gamma"):
        box.addItem(text, text)
    set_choice_enabled(box, 1, False)
    box.show()
    box.showPopup()
    view = box.view()
    places = [view.visualRect(view.model().index(row, 0)).center() for row in range(3)]
    # Qt would otherwise choose the entry that the mouse was over before.
    qtbot.mouseMove(view.viewport(), places[2])
    view.setCurrentIndex(view.model().index(2, 0))
    # A list that has just opened ignores a release, which may belong to the click that opened it.
    qtbot.wait(QApplication.doubleClickInterval() + 50)
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=places[1])
    assert box.currentData() == "alpha"
    assert view.isVisible()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=places[2])
    assert box.currentData() == "gamma"
    assert not view.isVisible()


def test_only_lists_that_are_filled_once_have_objects_of_their_entries() -> None:
    """Item objects outlive their entries in PySide6 6.8."""
    found = [path.name for path in UI.rglob("*.py") if "QStandardItem" in path.read_text("utf-8")]
    # algorithm_choice.py fills its list once; editors.py only explains in a comment.
    assert sorted(found) == ["algorithm_choice.py", "editors.py"]


def test_a_removed_heading_leaves_nothing_that_events_are_taken_for(qtbot: QtBot) -> None:
    box = ChoiceBox()
    qtbot.addWidget(box)
    add_heading(box, "Other texts")
    box.clear()
    assert [one for one in Shiboken.getAllValidWrappers() if type(one) is QStandardItem] == []


def test_every_box_of_choices_is_the_shared_one() -> None:
    found = [
        f"{path.relative_to(UI)}:{node.lineno}"
        for path in sorted(UI.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "QComboBox"
    ]
    assert found == []


def test_no_space_stands_before_the_dots_of_a_menu_entry() -> None:
    pattern = re.compile(r'tr\("(Save|Open|Export|Copy) [^"]* …"')
    found = [
        str(path.relative_to(UI))
        for path in sorted(UI.rglob("*.py"))
        if pattern.search(path.read_text(encoding="utf-8"))
    ]
    assert found == []
