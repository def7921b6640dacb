"""Help and diagnosis: tour, presentation, log, report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.language import tr
from workbench.ui.action import Action
from workbench.ui.commands.registry import ActionGroup
from workbench.ui.dialogs.text import copy
from workbench.ui.shell.help_features import Guide, guide_of

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
            "guide.tour",
            tr("Take the short tour"),
            tr("Take a tour of the window in eight steps. Press Esc to leave."),
            lambda window: _guide(window).start_tour(),
            (),
            "",
            "Help",
            10,
            synonyms=tr("introduction, walkthrough"),
        ),
        Action(
            "guide.present",
            tr("Present"),
            tr("Show one panel at a time, enlarged for a projector. Press Esc to leave."),
            lambda window: _guide(window).toggle_presentation(),
            ("F11",),
            "",
            "View",
            40,
            checked=lambda window: _guide(window).presentation.running,
            synonyms=tr("full screen, slides"),
        ),
        Action(
            "guide.log",
            tr("Log"),
            tr("Read the log of the program, filtered by level or text."),
            lambda window: _guide(window).show_log(),
            (),
            "",
            "Help",
            50,
        ),
        Action(
            "guide.report",
            tr("Copy a report"),
            tr(
                "Copy versions, recent actions and the end of the log. Contains none of your texts."
            ),
            _copy_report,
            (),
            "",
            "Help",
            51,
            synonyms=tr("bug report"),
        ),
    )
