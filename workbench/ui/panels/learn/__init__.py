"""Learn panel: all lessons as cards, and a page for teachers."""

from __future__ import annotations

from workbench.core.language import tr, trc
from workbench.ui.base.panel_kind import PanelKind, PanelPage


class LearnKind(PanelKind):
    key = "learn"
    title = trc("workspace", "Learn")
    synonyms = tr("lesson, tutorial, course, class")
    area = "centre"
    workspaces = ("learn",)
    order = 10
    fixed_pages = (
        PanelPage("lessons", tr("Lessons"), tr("lesson, tutorial, course, exercises")),
        PanelPage("teach", tr("Teaching"), tr("teacher, class, handout, worksheet, slides")),
    )
