"""The selection, its focus, and the last analogy that was answered."""

from __future__ import annotations

from session.fakes import Listener

from workbench.session.selection.words import AnalogyShown
from workbench.session.session import Session


def test_selection_has_its_focus_last(session: Session) -> None:
    listener = Listener(session)
    session.selection.select(["cat", "dog", "cat"])
    assert session.selection.words == ("cat", "dog")
    session.selection.select(["dog", "cat"])
    assert session.selection.focus == "cat"
    session.selection.select(["dog"], add=True)
    assert session.selection.words == ("cat", "dog")
    session.selection.select(["cat", "dog"])
    assert listener.names() == ["selection.changed"] * 3
    session.selection.select([])
    assert session.selection.focus is None


def test_the_analogy_answered_last(session: Session) -> None:
    analogies = []
    session.selection.analogy_changed.connect(lambda: analogies.append(session.selection.analogy))
    shown = AnalogyShown("king", "man", "woman", "queen")
    for analogy in (shown, shown, None):
        session.selection.show_analogy(analogy)
    assert analogies == [shown, None]
