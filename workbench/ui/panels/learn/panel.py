"""The Learn panel: which lesson comes next, and what a teacher prepares."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.core.setting import Setting
from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_state import choice
from workbench.ui.panels.learn import LearnKind
from workbench.ui.panels.learn.lessons_page import LessonsPage
from workbench.ui.panels.learn.teaching_page import TeachingPage
from workbench.ui.widgets.layout.panel_tab import InstrumentPanel, PageState

_PAGE = Setting("learn.shown", str, "")


@dataclass(frozen=True)
class LearnState(PageState):
    page: str = choice(setting=_PAGE)


class LearnPanel(LearnKind, InstrumentPanel):
    """Two pages; the current one is saved in the settings."""

    state_kind = LearnState

    def __init__(self, context: PanelContext) -> None:
        super().__init__(context)
        self.lessons = LessonsPage(self)
        self.teaching = TeachingPage(self)
        self.put_instruments([self.lessons, self.teaching])
        self.show_instruments()

    def drawn_runs(self) -> Sequence[RunRecord]:
        return ()
