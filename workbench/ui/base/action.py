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

# Target of an action: the Window for an action of a group, the panel for an action of a panel, a
# RunTarget for an action on runs.
Target = Any

_PROPERTY = "command"
# The property of an entry of a menu that is only the title of those below it.
HEADING = "heading"


def always(target: Target) -> str:
    """Reason for an action that is always available."""
    return ""


@dataclass(frozen=True, kw_only=True)
class Action:
    """A command.

    key : "group.name", never changed: settings store shortcuts and usage counts under it
    text : as in a menu, ending in "…" if the action asks something before it does anything
    description : one sentence for the palette, the status of the menu and the manual
    run : performs the action
    keys : default shortcuts, as QKeySequence writes them
    icon : name of an icon of the theme
    menu : path in the menu bar, such as "View" or "View/Theme"; "" for none (for an action of a
    panel: the panel's own menu below View)
    place : position in the menu; a separator comes between entries of different tens
    why_not : a sentence on why the action isn't available now, or ""
    checked : whether the action is on, for one that can be on or off
    label : the current text, if it changes
    local : for an action of a panel: its shortcut works only while the panel has the focus
    raises : for an action of a panel: it brings the panel to the front first
    synonyms : other names by which the palette finds the action, separated by commas
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


@dataclass(frozen=True, kw_only=True)
class ChoiceEntry:
    """One of several choices. ``checked`` is None for an entry that can't be on or off."""

    key: str
    text: str
    run: Callable[[], object]
    description: str = ""
    why_not: str = ""
    checked: bool | None = None
    section: str = ""
    synonyms: str = ""


@dataclass(frozen=True, kw_only=True)
class Choices:
    """A command with several choices: a submenu, and one palette entry for each choice.

    text : title of the menu; ``prompt`` precedes each entry in the palette, such as "Theme: "
    entries : the current choices; called whenever a menu or the palette opens, so it must be quick
    exclusive : whether only one entry can be on
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
                key=str(value),
                text=option.text,
                run=partial(settings.__setitem__, setting, value),
                description=option.hint,
                checked=value == settings[setting],
            )
            for value, option in setting.choices.items()
        ]

    return entries


def set_action_key(action: QAction | QMenu, key: str) -> None:
    """Record the declaration that a QAction, or a menu filled by a panel, belongs to."""
    action.setProperty(_PROPERTY, key)


def action_key(action: QAction | QMenu) -> str:
    """The key of the action's declaration, or "" without one."""
    return str(action.property(_PROPERTY) or "")


def of_menu(find: Callable[[Target], QMenu]) -> Callable[[Target], list[ChoiceEntry]]:
    """The entries, for the palette, of a menu that a panel fills itself."""

    def entries(target: Target) -> list[ChoiceEntry]:
        menu = find(target)
        menu.aboutToShow.emit()
        return _leaves(menu, "")

    return entries


def by_qaction(
    *,
    key: str,
    text: str,
    description: str,
    find: Callable[[Target], QAction],
    keys: str = "",
    place: int = 50,
    local: bool = True,
) -> Action:
    """The declaration of an action that wraps a panel's QAction and is available while that is
    enabled. With ``local``, its keys work only while the panel has the focus.
    """
    return Action(
        key=key,
        text=text,
        description=description,
        run=lambda target: find(target).trigger(),
        keys=(keys,) if keys else (),
        place=place,
        why_not=lambda target: "" if find(target).isEnabled() else tr("Not available right now."),
        local=local,
    )


def submenu(action: QAction) -> QMenu | None:
    """The menu that an entry opens; None if it opens none.

    PySide6 before 6.11.2 makes Python the owner of what ``QAction.menu()`` returns, so the menu is
    deleted together with its wrapper. The action of a menu is a child of that menu.
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
        elif text and not (action.isSeparator() or action.property(HEADING) or action_key(action)):
            found.append(
                ChoiceEntry(
                    key=action.objectName() or f"{above}{text}",
                    text=above + text,
                    run=action.trigger,
                    description=action.toolTip() if action.toolTip() != action.text() else "",
                    why_not="" if action.isEnabled() else tr("Not available right now."),
                    checked=action.isChecked() if action.isCheckable() else None,
                )
            )
    return found


def flaw_of_actions(home: str, actions: Sequence[Declared]) -> str:
    """Why the window can't offer the actions that a panel or a group with the key ``home``
    declares; "" if it can.
    """
    keys = [action.key for action in actions]
    for key in keys:
        if key.partition(".")[0] != home or keys.count(key) > 1:
            return tr(
                "the key “{key}” of an action must begin with “{home}.” and occur once",
                key=key,
                home=home,
            )
    return ""
