"""What the window knows of a panel before the panel exists: its name, its place, its commands.

A panel is a package in ``workbench/ui/panels``. The package itself declares a PanelKind; its module
``panel`` has the widget, which is imported when the panel is first seen.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from workbench.core.registry import Registry
from workbench.ui.action import Declared
from workbench.ui.scaling import SPACE_3


class PanelPage(NamedTuple):
    """A page that a panel can turn to; ``synonyms`` are other names by which the palette finds it,
    with commas between them.
    """

    key: str
    title: str
    synonyms: str = ""


class PanelKind:
    """A declaration of a panel; the class of the panel derives from it.

    ``workspaces`` are the tasks that it serves, by their keys, or "any" for a panel that stays
    beside all of them; it opens in the first one. ``area`` is where it docks there: "left",
    "centre" (a tab), "bottom" (the bar below that) or "right". ``order`` sorts within an area.
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    area: ClassVar[str] = "centre"
    workspaces: ClassVar[tuple[str, ...]] = ("explore",)
    order: ClassVar[int] = 100
    # Actions of the panel: for menus, the palette and the manual. Their targets are the panel.
    commands: ClassVar[tuple[Declared, ...]] = ()
    # Other names by which the palette finds the panel, with commas between them.
    synonyms: ClassVar[str] = ""
    # Pages that it always has. None where they depend on what it shows: then it is asked for them.
    fixed_pages: ClassVar[tuple[PanelPage, ...] | None] = ()
    # Which widget the keyboard goes to when the panel is asked for, by its local name; "" for the
    # first one there is.
    entry: ClassVar[str] = ""
    # Whether it shows the vectors that are rebuilt from the first modes, while there are some.
    shows_rebuilt: ClassVar[bool] = False
    # Requests (``PanelRequests``) that it carries out, with the names of its methods for them.
    requests: ClassVar[Mapping[str, str]] = {}
    # Left edge of the content: the title of the dock is above it.
    indent: ClassVar[int] = SPACE_3

    @classmethod
    def panel_class(cls) -> type[Any]:
        """The class of the panel, a Panel, which is imported now."""
        module = importlib.import_module(f"{cls.__module__}.panel")
        for member in vars(module).values():
            if isinstance(member, type) and issubclass(member, cls) and member is not cls:
                return member
        raise ImportError(f"{module.__name__} has no panel of {cls.__name__}")


PANELS: Registry[PanelKind] = Registry(
    "workbench.ui.panels", PanelKind, "panel", within_packages=False
)
