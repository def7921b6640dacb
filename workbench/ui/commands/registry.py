"""All declared actions: those of groups in ``workbench/ui/commands/groups`` and those of panels."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, NamedTuple, Protocol

from workbench.core.registry import Registry
from workbench.ui.base.action import Choices, Declared, flaw_of_actions


class ActionGroup:
    """Actions that belong together, in a module of their own. Their keys begin with the group's
    key.

    ``subject`` is the target of the actions: "window", or "run" for actions on runs.
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    order: ClassVar[int] = 100
    subject: ClassVar[str] = "window"
    actions: ClassVar[tuple[Declared, ...]] = ()

    @classmethod
    def flaw(cls) -> str:
        """Why the window can't use the group of another package; "" if it can."""
        return flaw_of_actions(cls.key, cls.actions)


GROUPS: Registry[ActionGroup] = Registry(
    "workbench.ui.commands.groups", ActionGroup, "group of actions", group="actions"
)


class PanelKind(Protocol):
    """The class of a panel, as far as its commands are concerned."""

    key: str
    title: str
    commands: tuple[Declared, ...]


class Known(NamedTuple):
    """A declaration with its group or panel; ``panel`` is None for a group."""

    action: Declared
    home: type[ActionGroup] | PanelKind
    subject: str
    panel: PanelKind | None = None


def declared_actions(panels: Iterable[PanelKind]) -> Iterator[Known]:
    """All declarations: first those of groups, then those of panels, each in order."""
    for group in GROUPS:
        yield from (Known(action, group, group.subject) for action in group.actions)
    for panel in panels:
        yield from (Known(action, panel, "panel", panel) for action in panel.commands)


def by_key(panels: Iterable[PanelKind]) -> dict[str, Known]:
    """All declarations by key. Raises ValueError if two have the same key, or a key doesn't belong
    to its group.
    """
    found: dict[str, Known] = {}
    for each in declared_actions(panels):
        if each.action.key in found:
            raise ValueError(f"two actions are called “{each.action.key}”")
        if each.action.group != each.home.key:
            raise ValueError(f"the action “{each.action.key}” is declared by “{each.home.key}”")
        found[each.action.key] = each
    return found


def declared_choices(key: str) -> Choices:
    """The choices that a group declares under this key, for a panel that has a menu of them."""
    group = GROUPS[key.partition(".")[0]]
    return next(each for each in group.actions if isinstance(each, Choices) and each.key == key)
