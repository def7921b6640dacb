"""Menus made from declarations: the menu bar, the menus of panels, and context menus."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QMenuBar

from workbench.core.language import tr
from workbench.ui.base.action import Action, ChoiceEntry, Choices, Declared, Target, set_action_key
from workbench.ui.base.plain_text import menu_text, safe_tip
from workbench.ui.commands.registry import Known
from workbench.ui.commands.shortcuts import Shortcuts
from workbench.ui.commands.window_actions import Commands
from workbench.ui.widgets.layout.transient_menu import clear_menu

# The titles in their order; other menus are placed before the last.
_BAR = ("File", "Edit", "View", "Run", "Window", "Help")
_OF_PANELS = "Panel actions"
# Maximum number of characters of an entry.
_LONGEST = 72
# Titles by menu; a panel's own menu has the panel's title.
_TITLES = {
    "File": tr("File"),
    "Edit": tr("Edit"),
    "View": tr("View"),
    "Run": tr("Run"),
    "Window": tr("Window"),
    "Help": tr("Help"),
    _OF_PANELS: tr("Panel actions"),
}


def fill_bar(bar: QMenuBar, commands: Commands) -> None:
    """Fill the whole menu bar; each menu is updated when it opens."""
    by_path: dict[str, list[Known]] = {}
    for known in commands.actions:
        path = known.action.menu
        if not path and known.panel is not None:
            path = f"View/{_OF_PANELS}/{known.panel.title}"
        if path:
            by_path.setdefault(path, []).append(known)
    tops = {path.partition("/")[0] for path in by_path}
    others = sorted(tops - set(_BAR))
    for title in (*_BAR[:-1], *others, _BAR[-1]):
        if title in tops:
            _fill_path(bar.addMenu(f"&{_TITLES.get(title, title)}"), title, by_path, commands)


def fill_menu(menu: QMenu, keys: Sequence[str], commands: Commands) -> None:
    """Fill a menu with these actions of the window; it is updated when it opens."""
    for key in keys:
        _add(menu, commands.declaration(key), commands)
    plain = [key for key in keys if isinstance(commands.declaration(key), Action)]
    menu.aboutToShow.connect(partial(_refresh, plain, commands))
    menu.aboutToHide.connect(partial(_wake, plain, commands))


def _add(menu: QMenu, declared: Declared, commands: Commands) -> None:
    if isinstance(declared, Choices):
        sub = _submenu(menu, declared)
        sub.aboutToShow.connect(partial(_refill, sub, declared.key, commands))
    else:
        menu.addAction(commands.qaction(declared.key))


def _fill_path(menu: QMenu, path: str, by_path: dict[str, list[Known]], commands: Commands) -> None:
    menu.setToolTipsVisible(True)
    keys: list[str] = []
    below = sorted(
        {rest.partition("/")[0] for other in by_path if (rest := _path_below(other, path))}
    )
    last = None
    for known in sorted(by_path.get(path, []), key=lambda known: known.action.place):
        declared = known.action
        if last is not None and declared.place // 10 != last:
            menu.addSeparator()
        last = declared.place // 10
        _add(menu, declared, commands)
        if isinstance(declared, Action):
            keys.append(declared.key)
    if below and not menu.isEmpty():
        menu.addSeparator()
    for title in below:
        _fill_path(
            menu.addMenu(menu_text(_TITLES.get(title, title))), f"{path}/{title}", by_path, commands
        )
    menu.aboutToShow.connect(partial(_refresh, keys, commands))
    menu.aboutToHide.connect(partial(_wake, keys, commands))


def _path_below(path: str, above: str) -> str:
    if path.startswith(f"{above}/"):
        return path.removeprefix(f"{above}/")
    return ""


def _refresh(keys: Sequence[str], commands: Commands) -> None:
    for key in keys:
        commands.refresh(key)


def _wake(keys: Sequence[str], commands: Commands) -> None:
    for key in keys:
        commands.wake(key)


def _submenu(menu: QMenu, declared: Choices) -> QMenu:
    sub = menu.addMenu(menu_text(declared.text))
    sub.setToolTipsVisible(True)
    sub.menuAction().setToolTip(safe_tip(declared.description))
    sub.menuAction().setStatusTip(safe_tip(declared.description))
    set_action_key(sub, declared.key)
    set_action_key(sub.menuAction(), declared.key)
    return sub


def _refill(menu: QMenu, key: str, commands: Commands) -> None:
    declared = commands.declaration(key)
    assert isinstance(declared, Choices)
    put_entries(menu, declared, commands.entries(key), partial(commands.choose, key))


def _shorten_middle(text: str) -> str:
    """Shorten a long name in the middle: a menu is as wide as its longest entry."""
    if len(text) <= _LONGEST:
        return text
    return f"{text[: _LONGEST // 2]}…{text[-_LONGEST // 4 :]}"


def put_entries(
    menu: QMenu,
    declared: Choices,
    entries: Sequence[ChoiceEntry],
    choose: Callable[[ChoiceEntry], object],
) -> None:
    """Refill a menu with the current choices."""
    clear_menu(menu)
    group: QActionGroup | None = None
    section = ""
    for entry in entries:
        if entry.section != section:
            section = entry.section
            menu.addSection(menu_text(section))
        action = menu.addAction(menu_text(_shorten_middle(entry.text)))
        action.setObjectName(f"{declared.key}.{entry.key}")
        whole = entry.text if len(entry.text) > _LONGEST else ""
        tip_lines = (whole, entry.description or declared.description, entry.why_not)
        action.setToolTip(safe_tip(" ".join(part for part in tip_lines if part)))
        action.setEnabled(not entry.why_not)
        set_action_key(action, declared.key)
        if entry.checked is not None:
            action.setCheckable(True)
            action.setChecked(entry.checked)
            if declared.exclusive:
                group = group or QActionGroup(menu)
                group.addAction(action)
        action.triggered.connect(lambda _=False, chosen=entry: choose(chosen))
    if not entries:
        none = menu.addAction(menu_text(declared.empty))
        none.setEnabled(False)
        set_action_key(none, declared.key)


def fill_for(
    menu: QMenu, actions: Iterable[Declared], target: Target, shortcuts: Shortcuts
) -> None:
    """Fill a context menu with the actions available now, with their keys."""
    menu.setToolTipsVisible(True)
    last = None
    for declared in sorted(actions, key=lambda action: action.place):
        if last is not None and declared.place // 10 != last:
            menu.addSeparator()
        last = declared.place // 10
        if isinstance(declared, Choices):
            put_entries(
                _submenu(menu, declared),
                declared,
                declared.entries(target),
                lambda entry: entry.run(),
            )
            continue
        menu.addAction(_menu_action(menu, declared, target, shortcuts))


def _menu_action(menu: QMenu, action: Action, target: Target, shortcuts: Shortcuts) -> QAction:
    reason = action.why_not(target)
    keys = shortcuts.of(action.key)
    text = action.label(target) if action.label is not None else action.text
    qt_action = QAction(menu_text(text) + (f"\t{keys[0]}" if keys else ""), menu)
    qt_action.setObjectName(f"menu.{action.key}")
    qt_action.setToolTip(safe_tip(f"{action.description} {reason}".strip()))
    qt_action.setEnabled(not reason)
    if action.checked is not None:
        qt_action.setCheckable(True)
        qt_action.setChecked(action.checked(target))
    set_action_key(qt_action, action.key)
    qt_action.triggered.connect(lambda _=False: action.run(target))
    return qt_action
