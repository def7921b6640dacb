from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QTimer
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from workbench.ui.widgets.layout.transient_menu import clear_menu, show_menu_once


def _settle() -> None:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def test_a_menu_asked_once_leaves_nothing_with_its_parent(qtbot: QtBot) -> None:
    page = QWidget()
    qtbot.addWidget(page)
    page.show()
    for _ in range(3):
        menu = QMenu(page)
        menu.addAction("Copy")
        menu.addMenu("Sort by").addAction("Word")
        QTimer.singleShot(0, page, lambda: QApplication.activePopupWidget().close())
        show_menu_once(menu, page.mapToGlobal(QPoint(5, 5)))
    _settle()
    assert page.findChildren(QMenu) == []


def test_a_menu_filled_anew_holds_what_it_shows_and_no_more(qtbot: QtBot) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    for _ in range(3):
        clear_menu(menu)
        group = QActionGroup(menu)
        group.addAction(menu.addAction("Plain"))
        menu.addMenu("Clusters").addAction("3")
    _settle()
    assert [action.text() for action in menu.actions()] == ["Plain", "Clusters"]
    assert len(menu.findChildren(QMenu)) == len(menu.findChildren(QActionGroup)) == 1
