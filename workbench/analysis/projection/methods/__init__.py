"""Projections: each is one module in this package, and the window’s map, the command line, lessons
and session files offer it.
"""

from __future__ import annotations

from workbench.analysis.projection.methods.base import Need, Projection
from workbench.core.language import tr
from workbench.core.registry import Registry

PROJECTIONS: Registry[Projection] = Registry(
    "workbench.analysis.projection.methods", Projection, tr("projection"), group="projections"
)

__all__ = ["PROJECTIONS", "Need", "Projection"]
