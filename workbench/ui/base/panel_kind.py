"""Properties of a panel that the window needs before the panel exists: name, place, commands.

A panel is a package in ``workbench/ui/panels``. The package itself declares a PanelKind; its module
``panel`` has the widget, which is imported when the panel is first seen.
"""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

from workbench.core.language import tr
from workbench.core.registry import Registry
from workbench.session.requests import PanelRequests
from workbench.ui.base.action import Declared, flaw_of_actions
from workbench.ui.base.scaling import SPACE_3

# Where a panel can dock.
AREAS = ("left", "centre", "right", "bottom")


class PanelPage(NamedTuple):
    """A page of a panel; ``synonyms`` are other names by which the palette finds it, separated by
    commas.
    """

    key: str
    title: str
    synonyms: str = ""


class PanelKind:
    """A declaration of a panel; the class of the panel derives from it.

    ``workspaces`` are the keys of the workspaces that the panel belongs to, or "any" for a panel
    that is in all of them; it opens in the first one. ``area`` is where it docks there: "left",
    "centre" (a tab), "bottom" (the bar below that) or "right". ``order`` sorts within an area.
    """

    key: ClassVar[str] = ""
    title: ClassVar[str] = ""
    area: ClassVar[str] = "centre"
    workspaces: ClassVar[tuple[str, ...]] = ("explore",)
    order: ClassVar[int] = 100
    # Actions of the panel: for menus, the palette and the manual. Their targets are the panel.
    commands: ClassVar[tuple[Declared, ...]] = ()
    # Other names by which the palette finds the panel, separated by commas.
    synonyms: ClassVar[str] = ""
    # Pages that it always has. None if they depend on its content: then the panel is asked for
    # them.
    fixed_pages: ClassVar[tuple[PanelPage, ...] | None] = ()
    # Local name of the widget that gets the focus when the panel is requested; "" for the first
    # one.
    entry: ClassVar[str] = ""
    # Whether the panel shows the vectors rebuilt from the first modes, if there are any.
    shows_rebuilt: ClassVar[bool] = False
    # Requests (``PanelRequests``) that it carries out, with the names of its methods for them.
    requests: ClassVar[Mapping[str, str]] = {}
    # Left edge of the content: the title of the dock is above it.
    indent: ClassVar[int] = SPACE_3

    @classmethod
    def flaw(cls) -> str:
        """Why the window can't use the panel of another package; "" if it can."""
        if cls.area not in AREAS:
            return tr("its area must be one of {names}", names=", ".join(AREAS))
        unknown = [name for name in cls.requests if not hasattr(PanelRequests(), name)]
        if unknown:
            return tr("there are no requests {names}", names=", ".join(unknown))
        return flaw_of_actions(cls.key, cls.commands)

    @classmethod
    def panel_class(cls) -> type[Any]:
        """The class of the panel, a Panel, which is imported now."""
        module = importlib.import_module(f"{cls.__module__}.panel")
        for member in vars(module).values():
            if isinstance(member, type) and issubclass(member, cls) and member is not cls:
                return member
        raise ImportError(f"{module.__name__} has no panel of {cls.__name__}")


PANELS: Registry[PanelKind] = Registry(
    "workbench.ui.panels", PanelKind, "panel", within_packages=False, group="panels"
)
