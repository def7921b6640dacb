"""“Which lines did it?” on pages whose numbers come from cosines."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtWidgets import QPushButton

from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.ui import kit
from workbench.ui.widgets.layout.panel_tab import Instrument


@dataclass(frozen=True)
class AskedNumber:
    """A number of a run. words : two for their cosine, or the four sets of an association, with
    commas
    """

    record: RunRecord
    words: tuple[str, ...]


def why_not_ask(asked: AskedNumber | None) -> str:
    """Why no number can be explained by its lines now, or ""."""
    if asked is None:
        return tr("Choose a pair under Similarity, or a test under Associations.")
    return ""


def ask_for_lines(session: Session, asked: AskedNumber | None) -> None:
    """Show the run of the number, and rank the lines behind the number."""
    if asked is None:
        session.message.emit(why_not_ask(asked), "", False)
    else:
        session.active.show(asked.record)
        session.requests.influence.emit(asked.words)


def lines_button(
    page: Instrument, asked: Callable[[], AskedNumber | None], tip: str
) -> QPushButton:
    """A button that asks for the lines behind the chosen number."""
    text = tr("Which lines did it?")
    button = kit.button(text, role="link", pressed=lambda: ask_for_lines(page.session, asked()))
    return page.named(button, "influence", text, tip)
