"""Tabs whose names are visible in full or not at all."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTabBar, QToolButton
from pytestqt.qtbot import QtBot

from workbench.ui.widgets.layout.whole_tabs import WholeTabs

NAMES = (
    "Map",
    "Matrix",
    "Theory",
    "Weights",
    "Pair",
    "Time",
    "Corpus",
    "Relations",
    "Evaluate",
    "Compare",
    "Runs",
)


@pytest.fixture
def bar(qtbot: QtBot) -> QTabBar:
    new_bar = QTabBar()
    qtbot.addWidget(new_bar)
    new_bar.setElideMode(Qt.TextElideMode.ElideNone)
    new_bar.setUsesScrollButtons(True)
    for name in NAMES:
        new_bar.addTab(name)
    new_bar.resize(400, new_bar.sizeHint().height())
    WholeTabs.on(new_bar)
    new_bar.show()
    qtbot.waitExposed(new_bar)
    return new_bar


def cut(bar: QTabBar) -> list[str]:
    """Titles of the tabs that are partly visible."""
    room = bar.rect()
    for arrow in (one.geometry() for one in bar.findChildren(QToolButton) if one.isVisible()):
        if arrow.center().x() > bar.width() / 2:
            room.setRight(min(room.right(), arrow.left() - 1))
        else:
            room.setLeft(max(room.left(), arrow.right() + 1))
    covers = [one.geometry() for one in bar.findChild(WholeTabs).covers if one.isVisible()]
    found = []
    for at in range(bar.count()):
        place = bar.tabRect(at)
        visible_part = place.intersected(room)
        # The line below the tabs may be visible.
        is_covered = any(cover.contains(visible_part.adjusted(0, 0, 0, -2)) for cover in covers)
        if 0 < visible_part.width() < place.width() and at != bar.currentIndex() and not is_covered:
            found.append(bar.tabText(at))
    return found


@pytest.mark.parametrize("current", range(len(NAMES)))
def test_no_name_is_cut(bar: QTabBar, qtbot: QtBot, current: int) -> None:
    bar.setCurrentIndex(current)
    bar.repaint()
    assert cut(bar) == []
    picture = bar.grab().toImage()
    for cover in bar.findChild(WholeTabs).covers:
        if cover.isVisible():
            place = cover.geometry()
            assert not place.intersects(bar.tabRect(current))
            colours = {
                picture.pixel(x, place.center().y()) for x in range(place.left(), place.right() + 1)
            }
            assert len(colours) == 1


def test_it_follows_the_arrows(bar: QTabBar, qtbot: QtBot) -> None:
    bar.setCurrentIndex(0)
    left, right = sorted(
        (one for one in bar.findChildren(QToolButton) if one.isVisible()), key=lambda one: one.x()
    )
    for arrow in (right, right, right, left):
        before = bar.tabRect(0)
        arrow.click()
        bar.repaint()
        assert bar.tabRect(0) != before
        assert cut(bar) == []


def test_with_room_for_all_nothing_is_covered(bar: QTabBar, qtbot: QtBot) -> None:
    bar.resize(bar.sizeHint())
    bar.repaint()
    assert all(cover.isHidden() for cover in bar.findChild(WholeTabs).covers)


def test_a_bar_is_watched_once(bar: QTabBar) -> None:
    WholeTabs.on(bar)
    assert len(bar.findChildren(WholeTabs)) == 1
