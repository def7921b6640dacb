"""The history of words in focus."""

from __future__ import annotations

from workbench.session.selection.word_history import WordHistory
from workbench.session.session import Session


def test_the_history() -> None:
    history = WordHistory()
    assert history.go_back() is None
    for word in ("a", "b", "b", "c"):
        history.visit_word(word)
    assert [history.go_back(), history.go_back(), history.go_back()] == ["b", "a", None]
    assert history.go_forward() == "b"
    history.visit_word("d")
    assert history.go_forward() is None
    assert history.go_back() == "b"


def test_a_forgotten_word_is_no_stop_of_the_way_back() -> None:
    history = WordHistory()
    for word in ("a", "b", "a", "c", "b"):
        history.visit_word(word)
    history.forget_word("b")
    assert history.go_back() == "a"
    assert history.go_forward() == "c"
    history.forget_word("c")
    assert not history.can_go_forward


def test_the_selection_remembers_what_was_in_focus(session: Session) -> None:
    """Whether or not a panel that goes back through the words is open."""
    for words in (["king", "queen"], ["man"], []):
        session.selection.select(words)
    session.selection.select(["woman"])
    session.selection.keep(lambda word: word != "woman")
    assert [session.selection.history.go_back() for _ in range(3)] == ["man", "queen", None]
