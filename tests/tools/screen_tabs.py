"""All pages of a panel, one after another: inner tabs, modes, and choices that change the whole
view.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QComboBox,
    QLineEdit,
    QTabBar,
    QToolButton,
    QWidget,
)

from workbench.ui.base.action import submenu
from workbench.ui.panels.lessons.control_finder import fill_in

# Lists and menus that choose a different view; most others only change numbers in the same one.
_LISTS = (
    "map.method",
    "evaluate.analogies.view",
    "theory.dims.measure",
    "matrix.source",
    "step.algorithm",
)
_MENUS = ("map.colour",)
# Text to type on pages that start with a question, by the object name of the field.
_ENTRIES = {
    "inside.ngrams.word": "waitress",
    "relations.word": "uncle",
    "evaluate.odd.words": "king queen prince table",
}


@dataclass(frozen=True, eq=False)
class _Chooser:
    """A group of choices. ``options``: their names and the functions that choose them; ``current``:
    index of the one that is chosen.
    """

    widget: QObject
    options: tuple[tuple[str, Callable[[], object]], ...]
    current: int


def pages(panel: QWidget, settle: Callable[[], object]) -> Iterator[str]:
    """Show every page and yield a name for its file, "" for the first. Each choice is tried where
    it first appears, with the others unchanged; at the end, the original choices are restored.
    """
    earlier: set[QObject] = set()

    def walk(path: tuple[str, ...]) -> Iterator[str]:
        for field in panel.findChildren(QLineEdit):
            if field.isVisible() and not field.text() and field.objectName() in _ENTRIES:
                fill_in(field, _ENTRIES[field.objectName()])
        settle()
        first = _first_chooser(panel, earlier)
        if first is None:
            yield "-".join(path)
            return
        earlier.add(first.widget)
        # The current choice comes first, because nothing needs to be computed for it.
        order = sorted(range(len(first.options)), key=lambda at: at != first.current)
        for at in order:
            name, choose = first.options[at]
            if at != first.current:
                choose()
            yield from walk((*path, name))
        first.options[first.current][1]()
        settle()

    for number, name in enumerate(walk(())):
        yield name if number else ""


def single(settle: Callable[[], object]) -> Iterator[str]:
    """Show only the current page."""
    settle()
    yield ""


def _first_chooser(panel: QWidget, earlier: set[QObject]) -> _Chooser | None:
    """The first group of choices that wasn’t visited, outermost first."""
    for one in panel.findChildren(QObject):
        chooser = None
        if one in earlier:
            continue
        if isinstance(one, QButtonGroup) and one.exclusive():
            chooser = _of_buttons(one)
        elif isinstance(one, QTabBar) and one.isVisible():
            chooser = _of_tabs(one)
        elif isinstance(one, QComboBox) and one.isVisible() and one.objectName() in _LISTS:
            chooser = _of_list(one)
        elif isinstance(one, QToolButton) and one.isVisible() and one.objectName() in _MENUS:
            chooser = _of_menu(one)
        if chooser is not None and len(chooser.options) > 1 and chooser.current >= 0:
            return chooser
    return None


def _of_buttons(group: QButtonGroup) -> _Chooser:
    buttons = [one for one in group.buttons() if one.isVisible() and one.isEnabled()]

    def choose(button: QAbstractButton) -> Callable[[], object]:
        return button.click

    checked_button = group.checkedButton()
    current = buttons.index(checked_button) if checked_button in buttons else -1
    return _Chooser(group, tuple((_name(one.text()), choose(one)) for one in buttons), current)


def _of_tabs(bar: QTabBar) -> _Chooser:
    def choose(at: int) -> Callable[[], object]:
        return lambda: bar.setCurrentIndex(at)

    usable = [at for at in range(bar.count()) if bar.isTabVisible(at)]
    current = usable.index(bar.currentIndex()) if bar.currentIndex() in usable else -1
    return _Chooser(bar, tuple((_name(bar.tabText(at)), choose(at)) for at in usable), current)


def _of_list(box: QComboBox) -> _Chooser:
    def choose(at: int) -> Callable[[], object]:
        def choose_item() -> None:
            box.setCurrentIndex(at)
            box.activated.emit(at)

        return choose_item

    usable = [
        at
        for at in range(box.count())
        if box.itemText(at) and box.model().index(at, 0).flags().value & 32
    ]
    current = usable.index(box.currentIndex()) if box.currentIndex() in usable else -1
    return _Chooser(box, tuple((_name(box.itemText(at)), choose(at)) for at in usable), current)


def _of_menu(button: QToolButton) -> _Chooser | None:
    menu = button.menu()
    if menu is None:
        return None
    menu.aboutToShow.emit()

    def choose(action: QAction) -> Callable[[], object]:
        return action.trigger

    # Only the first entry of each submenu: the others differ only in a number or a name.
    flat = [_first_of(one) for one in menu.actions()]
    usable = [one for one in flat if one is not None and one.isCheckable() and one.isEnabled()]
    current = next((at for at, one in enumerate(usable) if one.isChecked()), -1)
    return _Chooser(button, tuple((_name(one.text()), choose(one)) for one in usable), current)


def _first_of(action: QAction) -> QAction | None:
    within = submenu(action)
    if within is None:
        return action
    return next((one for one in within.actions() if one.isCheckable()), None)


def _name(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.replace("&", "").lower()).strip("_")
