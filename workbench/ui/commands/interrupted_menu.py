"""Texts and actions of an interrupted training, wherever it is shown."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from workbench.core.language import tr, trn
from workbench.models.base import MODELS
from workbench.session.runs.journal_entries import AbandonedQueue, InterruptedTraining
from workbench.session.session import Session
from workbench.ui.base.plain_text import RichText, menu_text, rich_tip, safe_tip
from workbench.ui.base.session_timer import Bridge

GO_ON, KEEP, DISCARD = tr("Continue"), tr("Save as run"), tr("Discard")
_KEPT = tr("Save what was trained so far as a run")
_DISCARDED = tr("Move the training to the trash")


def how_far(entry: InterruptedTraining) -> str:
    """The progress, as shown in a list."""
    return tr("interrupted at {value:.0f}%", value=100 * entry.progress)


def action_tips(entry: InterruptedTraining) -> dict[str, str]:
    """Tooltips of the three actions."""
    return {
        GO_ON: tr("Train the remaining epochs: {left:,}", left=entry.remaining_passes),
        KEEP: _KEPT,
        DISCARD: _DISCARDED,
    }


def describe(entry: InterruptedTraining) -> RichText:
    """Description of an interrupted training for a tooltip."""
    title = MODELS[entry.algorithm].title
    lines = [f"{title} · {entry.corpus_name}" if entry.corpus_name else title]
    lines.append(
        tr(
            "This training was {entry}. Its last good checkpoint is saved. Open its menu "
            "to continue it.",
            entry=how_far(entry),
        )
    )
    return rich_tip(entry.name, *lines, width=280)


def discard(entry: InterruptedTraining | AbandonedQueue, session: Session, bridge: Bridge) -> None:
    """Discard a training or a queue, with a way to undo it."""
    if not session.recovery.discard(entry):
        return
    if isinstance(entry, AbandonedQueue):
        text = trn(
            "{number:,} training was discarded.",
            "{number:,} trainings were discarded.",
            len(entry.entries),
        )
    else:
        text = tr("“{name}” was discarded.", name=entry.name)
    bridge.offer(text, tr("Undo"), lambda: session.recovery.undiscard(entry))


def make_menu(
    entry: InterruptedTraining, session: Session, bridge: Bridge, parent: QWidget
) -> QMenu:
    """Menu to continue, keep or discard the training."""
    menu = QMenu(parent)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.setToolTipsVisible(True)
    does = {
        GO_ON: lambda: session.recovery.go_on(entry),
        KEEP: lambda: session.recovery.keep(entry),
        DISCARD: lambda: discard(entry, session, bridge),
    }
    for text, tip in action_tips(entry).items():
        if text == DISCARD:
            menu.addSeparator()
        action = menu.addAction(menu_text(text))
        action.setToolTip(safe_tip(tip))
        action.triggered.connect(lambda _=False, text=text: does[text]())
    return menu
