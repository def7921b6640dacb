"""Random actions of a user in a window: clicks, keys and words, sent to real widgets as Qt events.

Nothing here depends on what a panel is for: every visible widget with an object name is used as its
type allows. Menus, dialogs and file pickers that open are used or closed next.
"""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QContextMenuEvent, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QDockWidget,
    QFileDialog,
    QLabel,
    QLineEdit,
    QListView,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QPushButton,
    QScrollArea,
    QTabBar,
    QWidget,
)
from shiboken6 import isValid

# Parts of menu and button texts that would close the window, use the network, or read for minutes.
_NEVER = (" MB)", "Quit", "Close window", "Python’s documentation", "Open recent", "Locate")
_LONG = ("compare.seeds.train",)
_LEFT = Qt.MouseButton.LeftButton
_PLAIN = (QLabel, QDockWidget, QDialog, QMenu, QScrollArea, QTabBar)


class Hands:
    """One user. ``words``: words to type; ``picks(dialog)``: the file to choose in a dialog."""

    def __init__(
        self,
        rng: random.Random,
        words: Callable[[], Sequence[str]],
        picks: Callable[[QFileDialog], Path | None],
    ) -> None:
        self.rng = rng
        self._words = words
        self._picks = picks

    # -- popups and dialogs above the window

    def answer(self) -> str:
        """Use or close what has opened; returns a description, "" if nothing is open."""
        popup = QApplication.activePopupWidget()
        if isinstance(popup, QMenu):
            return self._menu(popup)
        if popup is not None:
            # A list of choices or a small form.
            if self.rng.random() < 0.6 and (action := self.use(popup)):
                return f"popup: {action}"
            if popup.isVisible():
                popup.close()
            return "popup: close"
        dialogs = [
            one
            for one in QApplication.topLevelWidgets()
            if isinstance(one, QDialog) and one.isVisible()
        ]
        if not dialogs:
            return ""
        modal = QApplication.activeModalWidget()
        dialog = modal if isinstance(modal, QDialog) else dialogs[-1]
        if isinstance(dialog, QFileDialog):
            return self._files(dialog)
        if isinstance(dialog, QMessageBox):
            self._press(self.rng.choice(dialog.buttons()))
            return "message: answer"
        if self.rng.random() < 0.6 and (action := self.use(dialog)):
            return f"dialog: {action}"
        name = type(dialog).__name__
        dialog.close()
        if (
            isValid(dialog)
            and dialog.isVisible()
            and QApplication.activeModalWidget() in (None, dialog)
        ):
            logging.getLogger("workbench.use").error("%s does not close", name)
        return f"dialog: close {name}"

    def _menu(self, menu: QMenu) -> str:
        if self.rng.random() < 0.35:
            QTest.keyClick(menu, Qt.Key.Key_Escape)
            if menu.isVisible():
                menu.close()
            return "menu: leave"
        fit = [
            action
            for action in menu.actions()
            if action.isEnabled()
            and action.isVisible()
            and not action.isSeparator()
            and is_allowed(action.text())
        ]
        if not fit:
            menu.close()
            return "menu: leave"
        action = self.rng.choice(fit)
        text = action.text()
        place = menu.actionGeometry(action).center()
        QTest.mouseMove(menu, place)
        # Moving the pointer handles events, such as the end of a job, which may close the menu.
        if not isValid(menu):
            return f"menu: {text}, closed"
        QTest.mouseClick(menu, _LEFT, Qt.KeyboardModifier.NoModifier, place)
        return f"menu: {text}"

    def _files(self, dialog: QFileDialog) -> str:
        title = dialog.windowTitle()
        choice = None if self.rng.random() < 0.15 else self._picks(dialog)
        if choice is None:
            dialog.reject()
            return f"files: leave {title}"
        name = dialog.findChild(QLineEdit)
        if name is None:
            dialog.reject()
            return f"files: leave {title}"
        name.setText(str(choice))
        accept = QDialog.accept if dialog.fileMode() == QFileDialog.FileMode.Directory else None
        button = next(
            (
                one
                for one in dialog.findChildren(QPushButton)
                if one.isDefault() and one.isEnabled()
            ),
            None,
        )
        if button is not None and accept is None:
            self._press(button)
        else:
            QTest.keyClick(name, Qt.Key.Key_Return)
        if dialog.isVisible() and QApplication.activeModalWidget() in (dialog, None):
            dialog.reject()
        return f"files: {title}"

    # -- widgets

    def use(self, place: QWidget) -> str:
        """Use a random widget inside a widget; returns a description, "" if none can be used."""
        fit = [widget for widget in place.findChildren(QWidget) if _usable(widget)]
        if not fit:
            return ""
        # Choose a type first; otherwise the form, which has the most widgets, would be used most
        # often.
        kinds: dict[str, list[QWidget]] = {}
        for widget in fit:
            kinds.setdefault(_kind(widget), []).append(widget)
        kind = self.rng.choice(sorted(kinds))
        widget = self.rng.choice(sorted(kinds[kind], key=lambda one: one.objectName()))
        name = widget.objectName()
        getattr(self, f"_{kind}")(widget)
        return f"{kind} {name}"

    def _press(self, button: QWidget) -> None:
        QTest.mouseClick(button, _LEFT)

    def _button(self, widget: QWidget) -> None:
        self._press(widget)

    def _choice(self, widget: QWidget) -> None:
        assert isinstance(widget, QComboBox)
        if widget.isEditable() and self.rng.random() < 0.2:
            QTest.keyClicks(widget, self._word())
            return
        for _ in range(self.rng.randint(1, 3)):
            QTest.keyClick(widget, self.rng.choice((Qt.Key.Key_Down, Qt.Key.Key_Up)))

    def _number(self, widget: QWidget) -> None:
        # Up and down equally often, so that the value stays close to where it started.
        QTest.keyClick(widget, self.rng.choice((Qt.Key.Key_Up, Qt.Key.Key_Down)))

    def _slider(self, widget: QWidget) -> None:
        keys = (
            Qt.Key.Key_Right,
            Qt.Key.Key_Left,
            Qt.Key.Key_Home,
            Qt.Key.Key_End,
            Qt.Key.Key_PageUp,
        )
        for _ in range(self.rng.randint(1, 3)):
            QTest.keyClick(widget, self.rng.choice(keys))

    def _field(self, widget: QWidget) -> None:
        assert isinstance(widget, QLineEdit)
        if widget.isReadOnly():
            return
        widget.setFocus()
        widget.selectAll()
        QTest.keyClicks(
            widget, " ".join(self._word() for _ in range(self.rng.choice((1, 1, 1, 2, 4))))
        )
        end = self.rng.choice(
            (Qt.Key.Key_Return, Qt.Key.Key_Return, Qt.Key.Key_Tab, Qt.Key.Key_Escape)
        )
        QTest.keyClick(widget, end)

    def _text(self, widget: QWidget) -> None:
        QTest.keyClick(widget, Qt.Key.Key_PageDown)

    def _rows(self, widget: QWidget) -> None:
        assert isinstance(widget, QAbstractItemView)
        model = widget.model()
        if model is None or not model.rowCount():
            return
        column = (
            0 if isinstance(widget, QListView) else self.rng.randrange(max(model.columnCount(), 1))
        )
        index = model.index(self.rng.randrange(min(model.rowCount(), 300)), column)
        widget.scrollTo(index)
        place = widget.visualRect(index).center()
        chance = self.rng.random()
        if chance < 0.5:
            QTest.mouseClick(widget.viewport(), _LEFT, Qt.KeyboardModifier.NoModifier, place)
        elif chance < 0.65:
            QTest.mouseDClick(widget.viewport(), _LEFT, Qt.KeyboardModifier.NoModifier, place)
        elif chance < 0.8:
            for key in (Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return):
                QTest.keyClick(widget, key)
        else:
            _context(widget.viewport(), place)

    def _canvas(self, widget: QWidget) -> None:
        """Use a figure: point, click, drag, turn the wheel, press keys, or open its menu."""
        here = QPoint(
            self.rng.randrange(max(widget.width(), 1)), self.rng.randrange(max(widget.height(), 1))
        )
        there = QPoint(
            self.rng.randrange(max(widget.width(), 1)), self.rng.randrange(max(widget.height(), 1))
        )
        # A graphics view gets mouse events through its viewport.
        target = (
            QAbstractScrollArea.viewport(widget)
            if isinstance(widget, QAbstractScrollArea)
            else widget
        )
        chance = self.rng.random()
        if chance < 0.3:
            QTest.mouseMove(target, here)
            QTest.mouseClick(target, _LEFT, Qt.KeyboardModifier.NoModifier, here)
        elif chance < 0.5:
            QTest.mousePress(target, _LEFT, Qt.KeyboardModifier.NoModifier, here)
            QTest.mouseMove(target, (here + there) / 2)
            QTest.mouseMove(target, there)
            QTest.mouseRelease(target, _LEFT, Qt.KeyboardModifier.NoModifier, there)
        elif chance < 0.7:
            turn = QPoint(0, self.rng.choice((120, -120, 240)))
            event = QWheelEvent(
                QPointF(here),
                QPointF(target.mapToGlobal(here)),
                QPoint(),
                turn,
                Qt.MouseButton.NoButton,
                Qt.KeyboardModifier.NoModifier,
                Qt.ScrollPhase.NoScrollPhase,
                False,
            )
            QApplication.sendEvent(target, event)
        elif chance < 0.9:
            keys = (
                Qt.Key.Key_Right,
                Qt.Key.Key_Up,
                Qt.Key.Key_Plus,
                Qt.Key.Key_Minus,
                Qt.Key.Key_0,
                Qt.Key.Key_Home,
            )
            QTest.keyClick(widget, self.rng.choice(keys))
        else:
            _context(target, here)

    def _word(self) -> str:
        # QTest aborts the process for a key that isn’t on an ASCII keyboard.
        words = [word for word in self._words() if word.isascii()]
        if words and self.rng.random() < 0.85:
            return self.rng.choice(words)
        return self.rng.choice(("xyzzy", "12", "a*b", "-", "w1 w2", "=1+1", "x" * 60))


def is_allowed(text: str) -> bool:
    return not any(part in text for part in _NEVER)


def _context(widget: QWidget, place: QPoint) -> None:
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, widget.mapToGlobal(place))
    QApplication.sendEvent(widget, event)


def _kind(widget: QWidget) -> str:
    kinds = (
        (QComboBox, "choice"),
        (QAbstractSpinBox, "number"),
        (QAbstractSlider, "slider"),
        (QAbstractButton, "button"),
        (QLineEdit, "field"),
        (QPlainTextEdit, "text"),
        (QAbstractItemView, "rows"),
    )
    return next((kind for qt, kind in kinds if isinstance(widget, qt)), "canvas")


def _usable(widget: QWidget) -> bool:
    name = widget.objectName()
    if not (
        widget.isVisible() and widget.isEnabled() and widget.width() > 3 and widget.height() > 3
    ):
        return False
    # Only widgets that the workbench has named: those made by Qt and pyqtgraph have no name, or one
    # without a dot.
    if (
        "." not in name
        or name in _LONG
        or isinstance(widget, _PLAIN)
        or name.startswith(("panel.", "dock."))
    ):
        return False
    if isinstance(widget, QAbstractButton) and not is_allowed(widget.text()):
        return False
    if _kind(widget) == "canvas" and (
        widget.focusPolicy() == Qt.FocusPolicy.NoFocus or widget.layout() is not None
    ):
        return False
    return not widget.visibleRegion().isEmpty()
