"""Runs the workbench as main.py does, and answers questions about its widgets.

Each question is a line of JSON, ``[question, name]``, and so is each answer. This program only
looks: everything in the window is done with the mouse and the keyboard. It uses Qt and object
names, and nothing of the workbench but its ``main``.
"""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtCore import (
    QAbstractItemModel,
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPoint,
    QRect,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QMenu,
    QMenuBar,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

MOST_ROWS = 200
Kind = TypeVar("Kind", bound=QWidget)


class Answerer(QObject):
    """Answers questions in the window's thread; any thread may emit ``asked``."""

    asked = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.asked.connect(self.answer, Qt.ConnectionType.QueuedConnection)

    @Slot(str, str)
    def answer(self, question: str, name: str) -> None:
        try:
            result = self._result(question, name)
        except Exception as error:
            # Always answer: the test is waiting.
            result = {"failed": repr(error)}
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()

    def _result(self, question: str, name: str) -> Any:
        if question == "names":
            return sorted(
                {w.objectName() for w in QApplication.allWidgets() if w.isVisible()} - {""}
            )
        if question == "active":
            return QApplication.activeWindow() is not None
        if question == "windows":
            return [
                windows(window) for window in QApplication.topLevelWidgets() if window.isVisible()
            ]
        if question in ("tab", "row", "entry", "button", "word"):
            return {"tab": tab, "row": row, "entry": entry, "button": button, "word": word}[
                question
            ](name)
        if question == "focus":
            focus = QApplication.focusWidget()
            return (
                focus.objectName()
                if focus is not None and not visible_part(focus).isEmpty()
                else ""
            )
        return look(name)


def widgets(kind: type[Kind], name: str | None = None) -> Iterator[Kind]:
    """Every widget of a kind, or only those with an object name. Qt searches for them: Python would
    make an object for each of a few thousand widgets at each question.
    """
    for top in QApplication.topLevelWidgets():
        if top.parentWidget() is not None:
            # Child windows are found below their parents.
            continue
        if isinstance(top, kind) and name in (None, top.objectName()):
            yield top
        yield from top.findChildren(kind) if name is None else top.findChildren(kind, name)


def tab(title: str) -> tuple[int, int, int] | None:
    """0 and the centre of the tab with this title; if it is out of sight, −1 (left) or +1 (right)
    and the centre of its bar; None if there is no such tab.
    """
    for bar in widgets(QTabBar):
        if not bar.isVisible():
            continue
        for index in range(bar.count()):
            if bar.tabText(index) == title:
                middle = bar.tabRect(index).center()
                side = (
                    -1
                    if middle.x() < 0
                    else 1
                    if bar.childAt(middle) or middle.x() >= bar.width()
                    else 0
                )
                place = bar.mapToGlobal(bar.rect().center() if side else middle)
                return side, place.x(), place.y()
    return None


def row(name: str) -> tuple[int, int] | None:
    """Centre of a visible row; ``name`` is the name of its view, a tab, and the beginning of the
    row's text.
    """
    view_name, _, text = name.partition("\t")
    for view in widgets(QAbstractItemView, view_name):
        if view.isVisible():
            model, root = view.model(), view.rootIndex()
            for at in range(model.rowCount(root)):
                index = model.index(at, max(view.property("modelColumn") or 0, 0), root)
                place = view.visualRect(index)
                if str(index.data()).startswith(text) and view.viewport().rect().contains(
                    place.center()
                ):
                    return spot(view.viewport(), place)
    return None


def entry(text: str) -> tuple[int, int] | None:
    """Centre of an enabled entry in an open menu or in the menu bar."""
    for menu in (*widgets(QMenu), *widgets(QMenuBar)):
        if menu.isVisible():
            for action in menu.actions():
                if action.text().replace("&", "").partition("\t")[0] == text and action.isEnabled():
                    return spot(menu, menu.actionGeometry(action))
    return None


def button(text: str) -> tuple[int, int] | None:
    """Centre of an enabled button with this text, for the buttons of Qt's own dialogs, which have
    no names.
    """
    for each in widgets(QAbstractButton):
        if not each.isVisible() or not each.isEnabled():
            continue
        if each.text().replace("&", "") == text and is_placed(each.window()):
            return spot(each, each.rect())
    return None


def word(name: str) -> tuple[int, int] | None:
    """Position of a word on the map; ``name`` is the name of the map, a tab, and the word."""
    view_name, _, text = name.partition("\t")
    for view in widgets(QWidget, view_name):
        if view.isVisible():
            pixel = view.pixel(text)  # type: ignore[attr-defined]
            if pixel is not None and view.rect().contains(pixel.toPoint()):
                return spot(view, QRect(pixel.toPoint(), pixel.toPoint()))
    return None


def spot(widget: QWidget, place: QRect) -> tuple[int, int]:
    middle = widget.mapToGlobal(place.center())
    return middle.x(), middle.y()


def windows(window: QWidget) -> dict[str, Any]:
    """Description of a window for a failure: its title and, if the window is small, its texts."""
    children = [child for child in window.findChildren(QWidget) if child.isVisible()]
    texts = (
        [text for child in children for text in lines(child) if text] if len(children) < 100 else []
    )
    focus = window.focusWidget()
    return {
        "title": window.windowTitle(),
        "kind": type(window).__name__,
        "active": window.isActiveWindow(),
        "focus": focus.objectName() if focus is not None else "",
        "texts": texts[:20],
        "message": [
            text
            for child in children
            if child.objectName().startswith("activity.")
            for text in lines(child)
            if text
        ],
    }


def look(name: str) -> dict[str, Any] | None:
    found = list(widgets(QWidget, name))
    if not found:
        return None
    widget = max(found, key=lambda widget: (widget.isVisible(), widget.width()))
    visible_area = visible_part(widget)
    middle = visible_area.center()
    return {
        "name": name,
        "kind": type(widget).__name__,
        "visible": widget.isVisible() and not visible_area.isEmpty() and is_placed(widget.window()),
        "enabled": widget.isEnabled(),
        "focused": widget.hasFocus(),
        "x": middle.x(),
        "y": middle.y(),
        "width": widget.width(),
        "height": widget.height(),
        "lines": lines(widget),
        "accessible": widget.accessibleName(),
    }


def visible_part(widget: QWidget) -> QRect:
    """The visible part of a widget in screen coordinates: a scroll area may clip it."""
    visible_area = QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
    while not widget.isWindow():
        widget = widget.parentWidget()
        visible_area &= QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
    return visible_area


def is_placed(window: QWidget) -> bool:
    """Whether the window manager has framed the window, which may move until then."""
    handle = window.windowHandle()
    if handle is None or not handle.isExposed():
        return False
    is_unmanaged = window.windowFlags() & (
        Qt.WindowType.FramelessWindowHint | Qt.WindowType.BypassWindowManagerHint
    )
    popup = window.windowType() in (
        Qt.WindowType.Popup,
        Qt.WindowType.ToolTip,
        Qt.WindowType.SplashScreen,
    )
    return bool(is_unmanaged) or popup or handle.frameMargins().top() > 0


def lines(widget: QWidget) -> list[str]:
    if isinstance(widget, QAbstractItemView):
        return rows(widget.model())
    if isinstance(widget, (QPlainTextEdit, QTextEdit)):
        return widget.toPlainText().split("\n")
    if isinstance(widget, QComboBox):
        return [widget.currentText()]
    if isinstance(widget, (QLabel, QLineEdit, QAbstractButton)):
        return [widget.text()]
    value = widget.property("text")
    return [str(value)] if value is not None else []


def rows(model: QAbstractItemModel | None) -> list[str]:
    if model is None:
        return []
    root = QModelIndex()
    # the number of columns of a list model is private in Qt
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(root)
    texts = []
    for row in range(min(model.rowCount(root), MOST_ROWS)):
        cells = [model.index(row, column, root).data() for column in range(columns)]
        texts.append("\t".join("" if cell is None else str(cell) for cell in cells))
    return texts


def serve(answerer: Answerer) -> None:
    """Pass questions on to the window's thread once there is a window."""
    pause = threading.Event()
    while QApplication.instance() is None:
        pause.wait(0.02)
    for line in sys.stdin:
        question, name = json.loads(line)
        answerer.asked.emit(question, name)


if __name__ == "__main__":
    # Created here, in the thread that becomes the window's.
    answerer = Answerer()
    threading.Thread(target=serve, args=(answerer,), name="answers", daemon=True).start()
    from workbench.__main__ import main

    sys.exit(main(sys.argv[1:]))
