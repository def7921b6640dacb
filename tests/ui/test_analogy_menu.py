"""The menu and history of the analogy bar: earlier questions, candidates, copying, and the command
that opens the breakdown.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu, QToolButton
from pytestqt.qtbot import QtBot
from ui.toy import look_at, toy_model, until

from workbench.analysis.analogy.solver import solve
from workbench.session.selection.words import AnalogyShown
from workbench.ui.action import submenu
from workbench.ui.panel import PanelContext
from workbench.ui.panels.analogy.panel import AnalogyPanel
from workbench.ui.widgets.inputs.query_history import QueryHistory
from workbench.ui.widgets.inputs.word_field import WordField

LEFT = Qt.MouseButton.LeftButton
KING = AnalogyShown("king", "man", "woman", "queen")
PRINCE = AnalogyShown("prince", "boy", "girl", "princess")


@pytest.fixture
def asked(context: PanelContext, qtbot: QtBot) -> Iterator[AnalogyPanel]:
    made = AnalogyPanel(context)
    qtbot.addWidget(made)
    made.resize(1000, 100)
    made.show()
    made.activateWindow()
    look_at(made.session, toy_model())
    until(qtbot, lambda: made.session.selection.analogy == KING)
    yield made
    made.release()


def first(panel: AnalogyPanel) -> WordField:
    found = panel.findChild(WordField, "analogy.a")
    assert found is not None
    return found


def ask(panel: AnalogyPanel, text: str, qtbot: QtBot) -> WordField:
    target = first(panel)
    target.setFocus()
    until(qtbot, target.hasFocus)
    target.selectAll()
    qtbot.keyClicks(target, text)
    qtbot.keyClick(target, Qt.Key.Key_Return)
    return target


def chosen(menu: QMenu, *names: str) -> None:
    """Choose an entry of a menu or its submenus by name, filling each as opening it would."""
    for name in names[:-1]:
        below = next(submenu(action) for action in menu.actions() if action.text() == name)
        assert below is not None
        menu = below
        menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text() == names[-1]).trigger()


def test_up_and_down_walk_through_what_was_asked(asked: AnalogyPanel, qtbot: QtBot) -> None:
    target = ask(asked, "prince boy girl", qtbot)
    until(qtbot, lambda: asked.session.selection.analogy == PRINCE)
    qtbot.keyClick(target, Qt.Key.Key_Up)
    until(qtbot, lambda: asked.session.selection.analogy == KING)
    assert target.selectedText() == "king"
    qtbot.keyClick(target, Qt.Key.Key_Up)
    assert target.text() == "king"
    qtbot.keyClick(target, Qt.Key.Key_Down)
    until(qtbot, lambda: asked.session.selection.analogy == PRINCE)


def test_what_was_begun_gives_way_to_what_was_asked_before(
    asked: AnalogyPanel, qtbot: QtBot
) -> None:
    target = ask(asked, "prince boy girl", qtbot)
    until(qtbot, lambda: asked.session.selection.analogy == PRINCE)
    qtbot.keyClicks(target, "zz")
    assert not target.offering
    qtbot.keyClick(target, Qt.Key.Key_Up)
    assert target.text() == "king"


def test_offered_words_keep_the_arrow_keys(asked: AnalogyPanel, qtbot: QtBot) -> None:
    ask(asked, "prince boy girl", qtbot)
    until(qtbot, lambda: asked.session.selection.analogy == PRINCE)
    target = first(asked)
    target.selectAll()
    qtbot.keyClicks(target, "w")
    until(qtbot, lambda: target.offering)
    qtbot.keyClick(target, Qt.Key.Key_Up)
    assert target.text() == "w"
    target._popup.hide()


def test_the_menu_asks_again(asked: AnalogyPanel, qtbot: QtBot) -> None:
    ask(asked, "prince boy girl", qtbot)
    until(qtbot, lambda: asked.session.selection.analogy == PRINCE)
    asked._menu.before.aboutToShow.emit()
    assert [action.text() for action in asked._menu.before.actions()] == [
        "prince − boy + girl",
        "king − man + woman",
    ]
    chosen(asked._menu, "Recent analogies", "king − man + woman")
    until(qtbot, lambda: asked.session.selection.analogy == KING)


def test_candidates_are_limited_and_said(asked: AnalogyPanel, qtbot: QtBot) -> None:
    chosen(asked._menu, "Candidates", "Top 10,000")
    until(
        qtbot,
        lambda: (
            asked.session.selection.analogy
            == AnalogyShown("king", "man", "woman", "queen", restrict=10_000)
        ),
    )
    assert asked._note.whole == "Among the 10,000 most frequent words"
    assert asked._note.isVisible()
    chosen(asked._menu, "Candidates", "All words")
    until(qtbot, lambda: asked.session.selection.analogy == KING)
    assert not asked._note.isVisible()


def test_answers_are_copied(asked: AnalogyPanel) -> None:
    answers = solve(toy_model(), "king", "man", "woman", n=8)
    chosen(asked._menu, "Copy answers")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "king − man + woman (3CosAdd)"
    assert lines[1] == f"queen\t{answers[0].score:.4f}"
    assert len(lines) == 1 + len(answers)
    chosen(asked._menu, "Copy answers as CSV")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "a,b,c,method,place,answer,score"
    assert lines[1] == f"king,man,woman,3cosadd,1,queen,{answers[0].score!r}"


def test_nothing_is_copied_without_answers(asked: AnalogyPanel, qtbot: QtBot) -> None:
    heard: list[str] = []
    asked.session.message.connect(lambda text, hint, error: heard.append(text))
    ask(asked, "zebra", qtbot)
    until(qtbot, lambda: asked.session.selection.analogy is None)
    chosen(asked._menu, "Copy answers")
    assert heard == ["No answers to copy yet."]


def test_the_anatomy_is_one_click_away(asked: AnalogyPanel, qtbot: QtBot) -> None:
    heard: list[str] = []
    asked.context.bridge.wanted.connect(heard.append)
    why = asked.findChild(QToolButton, "analogy.why")
    assert why is not None
    qtbot.mouseClick(why, LEFT)
    chosen(asked._menu, "Explain the answers")
    assert heard == ["relations", "relations"]


def test_others_may_ask(asked: AnalogyPanel, qtbot: QtBot) -> None:
    asked.session.requests.analogy.emit("prince", "boy", "girl")
    assert first(asked).text() == "prince"
    until(qtbot, lambda: asked.session.selection.analogy == PRINCE)


def test_a_history_holds_each_question_once() -> None:
    history = QueryHistory()
    assert history.step(forward=False) is None
    for words in (("a", "b", "c"), ("d", "e", "f"), ("a", "b", "c")):
        history.add(words)
    assert history.latest_first == (("a", "b", "c"), ("d", "e", "f"))
    assert history.step(forward=True) is None
    assert history.step(forward=False) == ("d", "e", "f")
    # Asking again for the question reached by walking doesn't reorder the history.
    history.add(("d", "e", "f"))
    assert history.latest_first[0] == ("a", "b", "c")
    assert history.step(forward=True) == ("a", "b", "c")
