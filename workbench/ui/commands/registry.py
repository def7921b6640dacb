"""All that is declared: the actions of groups in ``workbench/ui/actions`` and those of panels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from workbench.core.registry import Registry
from workbench.ui.action import Choices, Declared
from workbench.ui.panel import PANELS, Panel


class ActionGroup:
    """Actions that belong together, in a file of their own. Their keys begin with the key of the
    group.

    ``subject`` says what they are done to: "window", or "run" for those that are done to runs.
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    order: ClassVar[int] = 100
    subject: ClassVar[str] = "window"
    actions: ClassVar[tuple[Declared, ...]] = ()


GROUPS: Registry[ActionGroup] = Registry("workbench.ui.actions", ActionGroup, "group of actions")


class Known(NamedTuple):
    """A declaration, and the group or the panel that it is of."""

    action: Declared
    home: type[ActionGroup] | type[Panel]

    @property
    def panel(self) -> type[Panel] | None:
        if issubclass(self.home, Panel):
            return self.home
        return None

    @property
    def subject(self) -> str:
        if issubclass(self.home, Panel):
            return "panel"
        return self.home.subject


def declared_actions() -> Iterator[Known]:
    """Groups in their order, then panels in theirs."""
    for group in GROUPS:
        yield from (Known(action, group) for action in group.actions)
    for panel in PANELS:
        yield from (Known(action, panel) for action in panel.commands)


def by_key() -> dict[str, Known]:
    """Raises ValueError where two declarations have one key, or one lies outside of its group."""
    found: dict[str, Known] = {}
    for each in declared_actions():
        if each.action.key in found:
            raise ValueError(f"two actions are called “{each.action.key}”")
        if each.action.group != each.home.key:
            raise ValueError(f"the action “{each.action.key}” is declared by “{each.home.key}”")
        found[each.action.key] = each
    return found


def declared_choices(key: str) -> Choices:
    """The declaration of choices of a group, for a menu of them that a panel has."""
    group = GROUPS[key.partition(".")[0]]
    return next(each for each in group.actions if isinstance(each, Choices) and each.key == key)
