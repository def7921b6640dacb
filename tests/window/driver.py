"""Runs the workbench as main.py does, and answers questions about its widgets.

One JSON line in, ``[question, name]``, one JSON line out. It only looks: whatever happens in the
window comes from the mouse and the keys. It knows Qt and object names, and nothing of the workbench
but its ``main``.
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex, QObject, QPoint, QRect, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QTabBar,
    QTextEdit,
    QWidget,
)

MOST_ROWS = 200


class Answerer(QObject):
    """Lives in the window's thread; ``asked`` may be emitted from any."""

    asked = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self.asked.connect(self.answer, Qt.ConnectionType.QueuedConnection)

    @Slot(str, str)
    def answer(self, question: str, name: str) -> None:
        try:
            result = self._result(question, name)
        except Exception as error:
            # An answer in any case: the test is waiting for one.
            result = {"failed": repr(error)}
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()

    def _result(self, question: str, name: str) -> Any:
        if question == "names":
            return sorted({w.objectName() for w in QApplication.allWidgets() if w.isVisible()} - {""})
        if question == "active":
            return QApplication.activeWindow() is not None
        if question == "windows":
            return [windows(window) for window in QApplication.topLevelWidgets() if window.isVisible()]
        if question == "tab":
            return tab(name)
        return look(name)


def tab(title: str) -> tuple[int, int, int] | None:
    """0 and the middle of the tab of this title; ∓1 where it is out of sight to the left or right, and the middle
    of its bar; None where there is none.
    """
    for bar in QApplication.allWidgets():
        if not isinstance(bar, QTabBar) or not bar.isVisible():
            continue
        for index in range(bar.count()):
            if bar.tabText(index) == title:
                middle = bar.tabRect(index).center()
                side = -1 if middle.x() < 0 else 1 if bar.childAt(middle) or middle.x() >= bar.width() else 0
                place = bar.mapToGlobal(bar.rect().center() if side else middle)
                return side, place.x(), place.y()
    return None


def windows(window: QWidget) -> dict[str, Any]:
    """What a failure is told by: the title of a window and, of a small one, its texts."""
    shown = [child for child in window.findChildren(QWidget) if child.isVisible()]
    said = [text for child in shown for text in lines(child) if text] if len(shown) < 100 else []
    focus = window.focusWidget()
    return {
        "title": window.windowTitle(),
        "kind": type(window).__name__,
        "active": window.isActiveWindow(),
        "focus": focus.objectName() if focus is not None else "",
        "texts": said[:20],
        "message": [
            text for child in shown if child.objectName().startswith("activity.") for text in lines(child) if text
        ],
    }


def look(name: str) -> dict[str, Any] | None:
    found = [widget for widget in QApplication.allWidgets() if widget.objectName() == name]
    if not found:
        return None
    widget = max(found, key=lambda widget: (widget.isVisible(), widget.width()))
    seen = unclipped(widget)
    middle = seen.center()
    return {
        "name": name,
        "kind": type(widget).__name__,
        "visible": widget.isVisible() and not seen.isEmpty() and placed(widget.window()),
        "enabled": widget.isEnabled(),
        "focused": widget.hasFocus(),
        "x": middle.x(),
        "y": middle.y(),
        "width": widget.width(),
        "height": widget.height(),
        "lines": lines(widget),
        "accessible": widget.accessibleName(),
    }


def unclipped(widget: QWidget) -> QRect:
    """What can be seen of a widget, on the screen: a scroll area may clip halves of it."""
    seen = QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
    while not widget.isWindow():
        widget = widget.parentWidget()
        seen &= QRect(widget.mapToGlobal(QPoint(0, 0)), widget.size())
    return seen


def placed(window: QWidget) -> bool:
    """Whether the window manager has framed the window: until then it may still be moved."""
    handle = window.windowHandle()
    if handle is None or not handle.isExposed():
        return False
    unmanaged = window.windowFlags() & (Qt.WindowType.FramelessWindowHint | Qt.WindowType.BypassWindowManagerHint)
    popup = window.windowType() in (Qt.WindowType.Popup, Qt.WindowType.ToolTip, Qt.WindowType.SplashScreen)
    return bool(unmanaged) or popup or handle.frameMargins().top() > 0


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
    # a list's number of columns is private to Qt
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(root)
    texts = []
    for row in range(min(model.rowCount(root), MOST_ROWS)):
        cells = [model.index(row, column, root).data() for column in range(columns)]
        texts.append("\t".join("" if cell is None else str(cell) for cell in cells))
    return texts


def serve() -> None:
    """Pass questions on to the window's thread once there is one."""
    pause = threading.Event()
    while (application := QApplication.instance()) is None:
        pause.wait(0.02)
    answerer = Answerer()
    answerer.moveToThread(application.thread())
    for line in sys.stdin:
        question, name = json.loads(line)
        answerer.asked.emit(question, name)


if __name__ == "__main__":
    threading.Thread(target=serve, name="answers", daemon=True).start()
    from workbench.__main__ import main

    sys.exit(main(sys.argv[1:]))
