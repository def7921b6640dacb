"""Declarations of commands, from which menus, buttons, palette and manual are made."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from workbench.core.language import tr
from workbench.core.setting import Setting

# Target of an action: the Window for one of a group, the panel for one of a panel, a RunTarget for
# one of runs.
Target = Any

_PROPERTY = "command"


def always(target: Target) -> str:
    """Reason for an action that is always available."""
    return ""


@dataclass(frozen=True)
class Action:
    """A command.

    key : "group.name", the same for ever: settings hold shortcuts and uses by it
    text : as in a menu, with "…" where it asks something before it does anything
    description : one sentence for the palette, the status of the menu and the manual
    run : does it
    keys : shortcuts it has at first, as QKeySequence writes them
    icon : name of an icon of the theme
    menu : where in the bar, as "View" or "View/Theme"; "" for none (of a panel's: its own menu
    below View)
    place : order there; those of another ten are set off by a line
    why_not : why it cannot be done now, in a sentence, or ""
    checked : whether it is on, for what is on or off
    label : the current text, where it changes
    local : of a panel: its shortcut holds only while the panel has the focus
    raises : of a panel: it brings the panel to the front first
    synonyms : other names by which the palette finds it, with commas between them
    """

    key: str
    text: str
    description: str
    run: Callable[[Target], object]
    keys: tuple[str, ...] = ()
    icon: str = ""
    menu: str = ""
    place: int = 50
    why_not: Callable[[Target], str] = always
    checked: Callable[[Target], bool] | None = None
    label: Callable[[Target], str] | None = None
    local: bool = False
    raises: bool = True
    synonyms: str = ""

    @property
    def group(self) -> str:
        return self.key.partition(".")[0]


@dataclass(frozen=True)
class ChoiceEntry:
    """One of several things to choose. ``checked`` None: it is not one that is on or off."""

    key: str
    text: str
    run: Callable[[], object]
    description: str = ""
    why_not: str = ""
    checked: bool | None = None
    section: str = ""
    synonyms: str = ""


@dataclass(frozen=True)
class Choices:
    """A command that asks which: a menu below a menu, and an entry each in the palette.

    text : of the menu; ``prompt`` precedes an entry in the palette, as "Theme: "
    entries : what there is to choose now; it is asked whenever a menu or the palette opens, and
    must be quick
    exclusive : of entries that are on or off, whether one alone is on
    """

    key: str
    text: str
    description: str
    entries: Callable[[Target], Sequence[ChoiceEntry]]
    prompt: str = ""
    icon: str = ""
    menu: str = ""
    place: int = 50
    empty: str = tr("Nothing here yet")
    raises: bool = True
    exclusive: bool = True

    @property
    def group(self) -> str:
        return self.key.partition(".")[0]


Declared = Action | Choices


def setting_entries(setting: Setting[Any]) -> Callable[[Target], list[ChoiceEntry]]:
    """Entries of a command that chooses a value of a setting."""

    def entries(window: Target) -> list[ChoiceEntry]:
        settings = window.session.settings
        return [
            ChoiceEntry(
                str(value),
                option.text,
                partial(settings.__setitem__, setting, value),
                option.hint,
                checked=value == settings[setting],
            )
            for value, option in setting.choices.items()
        ]

    return entries


def set_action_key(action: QAction | QMenu, key: str) -> None:
    """Say which declaration a QAction, or a menu that a panel fills itself with choices, belongs
    to.
    """
    action.setProperty(_PROPERTY, key)


def action_key(action: QAction | QMenu) -> str:
    """The key of its declaration, "" without one."""
    return str(action.property(_PROPERTY) or "")


def of_menu(find: Callable[[Target], QMenu]) -> Callable[[Target], list[ChoiceEntry]]:
    """The entries of a menu that a panel fills itself, for the palette."""

    def entries(target: Target) -> list[ChoiceEntry]:
        menu = find(target)
        menu.aboutToShow.emit()
        return _leaves(menu, "")

    return entries


def by_qaction(
    key: str,
    text: str,
    description: str,
    find: Callable[[Target], QAction],
    keys: str = "",
    place: int = 50,
    *,
    local: bool = True,
) -> Action:
    """The declaration of what a panel has a QAction for, whose being enabled decides. With
    ``local``, its keys hold while the panel has the focus.
    """
    return Action(
        key,
        text,
        description,
        lambda target: find(target).trigger(),
        (keys,) if keys else (),
        "",
        "",
        place,
        lambda target: "" if find(target).isEnabled() else tr("Not available right now."),
        local=local,
    )


def submenu(action: QAction) -> QMenu | None:
    """The menu that an entry opens; None if it opens none.

    PySide6 before 6.11.2 gives what ``QAction.menu()`` returns to Python, which deletes the menu
    as soon as nobody holds its wrapper. The action of a menu is a child of it.
    """
    owner = action.parent()
    return owner if isinstance(owner, QMenu) and owner.menuAction() is action else None


def _leaves(menu: QMenu, above: str) -> list[ChoiceEntry]:
    found: list[ChoiceEntry] = []
    for action in menu.actions():
        below, text = submenu(action), re.sub("&(.)", r"\1", action.text())
        if below is not None:
            below.aboutToShow.emit()
            found += _leaves(below, f"{above}{text}: ")
        elif text and not action.isSeparator() and not action_key(action):
            found.append(
                ChoiceEntry(
                    action.objectName() or f"{above}{text}",
                    above + text,
                    action.trigger,
                    action.toolTip() if action.toolTip() != action.text() else "",
                    "" if action.isEnabled() else tr("Not available right now."),
                    action.isChecked() if action.isCheckable() else None,
                )
            )
    return found
