"""Menus that are created each time they are shown, and deleted afterwards."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QActionGroup, QCursor
from PySide6.QtWidgets import QAbstractButton, QMenu

from workbench.ui.base.action import HEADING
from workbench.ui.base.plain_text import menu_text


def show_menu_once(menu: QMenu, place: QPoint) -> None:
    """Show a menu that was created for this; it is deleted when it closes, as its parent would keep
    it for ever.
    """
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.exec(place)


def follow_menu_closing(button: QAbstractButton, menu: QMenu) -> None:
    """Remove the hover colour from a button when its menu closes: while the menu is open, the
    button doesn't notice that the pointer has left it.
    """
    menu.aboutToHide.connect(partial(_update_hover, button))


def _update_hover(button: QAbstractButton) -> None:
    inside = button.rect().contains(button.mapFromGlobal(QCursor.pos()))
    button.setAttribute(Qt.WidgetAttribute.WA_UnderMouse, inside)
    button.update()


def clear_menu(menu: QMenu) -> QMenu:
    """Empty a menu, to fill it again: ``clear`` would leave submenus and groups to its parent."""
    menu.clear()
    for child in menu.findChildren(QObject, options=Qt.FindChildOption.FindDirectChildrenOnly):
        if isinstance(child, (QMenu, QActionGroup)):
            child.deleteLater()
    return menu


def add_menu_heading(menu: QMenu, title: str) -> None:
    """Start a section of a menu under a title. With a style sheet for separators, Qt doesn't draw
    the titles of its own sections.
    """
    menu.addSeparator()
    if not title:
        return
    heading = menu.addAction(menu_text(title))
    font = menu.font()
    font.setBold(True)
    heading.setFont(font)
    heading.setEnabled(False)
    heading.setProperty(HEADING, True)
