"""The selection, its focus, and the analogy that was answered last."""

from __future__ import annotations

from session.fakes import Listener

from workbench.session.selection.words import AnalogyShown
from workbench.session.session import Session


def test_selection_has_its_focus_last(session: Session) -> None:
    listener = Listener(session)
    session.select(["cat", "dog", "cat"])
    assert session.selection == ("cat", "dog")
    session.select(["dog", "cat"])
    assert session.focus == "cat"
    session.select(["dog"], add=True)
    assert session.selection == ("cat", "dog")
    session.select(["cat", "dog"])
    assert listener.names() == ["selection_changed"] * 3
    session.select([])
    assert session.focus is None


def test_the_analogy_answered_last(session: Session) -> None:
    told = []
    session.analogy_changed.connect(lambda: told.append(session.analogy))
    shown = AnalogyShown("king", "man", "woman", "queen")
    for analogy in (shown, shown, None):
        session.show_analogy(analogy)
    assert told == [shown, None]
