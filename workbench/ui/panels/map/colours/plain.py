"""Plain colour mode: points are darker for frequent words."""

from __future__ import annotations

from collections.abc import Callable

from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.ui.panels.map.colours.base import ColourMode
from workbench.ui.panels.map.layout import MapLayout
from workbench.ui.widgets.map.colour_scheme import Shading


class PlainColours(ColourMode):
    key = "plain"
    title = tr("Plain")
    entry = tr("Plain, darker for frequent words")
    order = 20
    is_plain = True

    def task(self, layout: MapLayout, detail: str) -> Callable[[JobControl], Shading] | None:
        return None
