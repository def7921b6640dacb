"""Colour modes of the map: each is one module in this package, and the menu offers it."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.core.registry import Registry
from workbench.ui.panels.map.colours.base import ColourMode

COLOUR_MODES: Registry[ColourMode] = Registry(
    "workbench.ui.panels.map.colours", ColourMode, tr("colour mode")
)

__all__ = ["COLOUR_MODES", "ColourMode"]
