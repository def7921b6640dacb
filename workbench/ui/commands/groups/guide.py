"""Help and diagnosis: tour, presentation, log, report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.ui.base.action import Action
from workbench.ui.commands.registry import ActionGroup
from workbench.ui.dialogs.text import copy
from workbench.ui.shell.help.help_features import Guide, guide_of

if TYPE_CHECKING:
    from workbench.ui.shell.window import Window


def _guide(window: Window) -> Guide:
    return guide_of(window, window.context)


def _copy_report(window: Window) -> None:
    copy(_guide(window).report())
    window.session.message.emit(tr("Copied a report of versions, steps and the log."), "", False)


class GuideActions(ActionGroup):
    key = "guide"
    title = tr("Guide")
    order = 85
    actions = (
        Action(
            key="guide.tour",
            text=tr("Take the short tour"),
            description=tr("Take a tour of the window in eight steps. Press Esc to leave."),
            run=lambda window: _guide(window).start_tour(),
            menu="Help",
            place=10,
            synonyms=tr("introduction, walkthrough"),
        ),
        Action(
            key="guide.present",
            text=tr("Present"),
            description=tr(
                "Show one panel at a time, enlarged for a projector. Press Esc to leave."
            ),
            run=lambda window: _guide(window).toggle_presentation(),
            keys=("F11",),
            menu="View",
            place=40,
            checked=lambda window: _guide(window).presentation.running,
            synonyms=tr("full screen, slides"),
        ),
        Action(
            key="guide.log",
            text=tr("Log"),
            description=tr("Read the log of the program, filtered by level or text."),
            run=lambda window: _guide(window).show_log(),
            menu="Help",
        ),
        Action(
            key="guide.report",
            text=tr("Copy a report"),
            description=tr(
                "Copy versions, recent actions and the end of the log. Contains none of your texts."
            ),
            run=_copy_report,
            menu="Help",
            place=51,
            synonyms=tr("bug report"),
        ),
    )
