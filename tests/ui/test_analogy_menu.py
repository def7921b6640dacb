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
from workbench.ui.base.action import submenu
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.analogy.panel import AnalogyPanel
from workbench.ui.widgets.inputs.query_history import QueryHistory
from workbench.ui.widgets.inputs.word_field import WordField

LEFT = Qt.MouseButton.LeftButton
KING = AnalogyShown("king", "man", "woman", "queen")
PRINCE = AnalogyShown("prince", "boy", "girl", "princess")


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[AnalogyPanel]:
    new_panel = AnalogyPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(1000, 100)
    new_panel.show()
    new_panel.activateWindow()
    look_at(new_panel.session, toy_model())
    until(qtbot, lambda: new_panel.session.selection.analogy == KING)
    yield new_panel
    new_panel.release()


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


def choose(menu: QMenu, *names: str) -> None:
    """Choose an entry of a menu or its submenus by name, filling each as opening it would."""
    for name in names[:-1]:
        below = next(submenu(action) for action in menu.actions() if action.text() == name)
        assert below is not None
        menu = below
        menu.aboutToShow.emit()
    next(action for action in menu.actions() if action.text() == names[-1]).trigger()


def test_up_and_down_walk_through_what_was_asked(panel: AnalogyPanel, qtbot: QtBot) -> None:
    target = ask(panel, "prince boy girl", qtbot)
    until(qtbot, lambda: panel.session.selection.analogy == PRINCE)
    qtbot.keyClick(target, Qt.Key.Key_Up)
    until(qtbot, lambda: panel.session.selection.analogy == KING)
    assert target.selectedText() == "king"
    qtbot.keyClick(target, Qt.Key.Key_Up)
    assert target.text() == "king"
    qtbot.keyClick(target, Qt.Key.Key_Down)
    until(qtbot, lambda: panel.session.selection.analogy == PRINCE)


def test_what_was_begun_gives_way_to_what_was_asked_before(
    panel: AnalogyPanel, qtbot: QtBot
) -> None:
    target = ask(panel, "prince boy girl", qtbot)
    until(qtbot, lambda: panel.session.selection.analogy == PRINCE)
    qtbot.keyClicks(target, "zz")
    assert not target.offering
    qtbot.keyClick(target, Qt.Key.Key_Up)
    assert target.text() == "king"


def test_offered_words_keep_the_arrow_keys(panel: AnalogyPanel, qtbot: QtBot) -> None:
    ask(panel, "prince boy girl", qtbot)
    until(qtbot, lambda: panel.session.selection.analogy == PRINCE)
    target = first(panel)
    target.selectAll()
    qtbot.keyClicks(target, "w")
    until(qtbot, lambda: target.offering)
    qtbot.keyClick(target, Qt.Key.Key_Up)
    assert target.text() == "w"
    target._popup.hide()


def test_the_menu_asks_again(panel: AnalogyPanel, qtbot: QtBot) -> None:
    ask(panel, "prince boy girl", qtbot)
    until(qtbot, lambda: panel.session.selection.analogy == PRINCE)
    panel._menu.before.aboutToShow.emit()
    assert [action.text() for action in panel._menu.before.actions()] == [
        "prince − boy + girl",
        "king − man + woman",
    ]
    choose(panel._menu, "Recent analogies", "king − man + woman")
    until(qtbot, lambda: panel.session.selection.analogy == KING)


def test_candidates_are_limited_and_said(panel: AnalogyPanel, qtbot: QtBot) -> None:
    choose(panel._menu, "Candidates", "Top 10,000")
    until(
        qtbot,
        lambda: (
            panel.session.selection.analogy
            == AnalogyShown("king", "man", "woman", "queen", restrict=10_000)
        ),
    )
    assert panel._note.whole == "Among the 10,000 most frequent words"
    assert panel._note.isVisible()
    choose(panel._menu, "Candidates", "All words")
    until(qtbot, lambda: panel.session.selection.analogy == KING)
    assert not panel._note.isVisible()


def test_answers_are_copied(panel: AnalogyPanel) -> None:
    answers = solve(toy_model(), "king", "man", "woman", n=8)
    choose(panel._menu, "Copy answers")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "king − man + woman (3CosAdd)"
    assert lines[1] == f"queen\t{answers[0].score:.4f}"
    assert len(lines) == 1 + len(answers)
    choose(panel._menu, "Copy answers as CSV")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0] == "a,b,c,method,place,answer,score"
    assert lines[1] == f"king,man,woman,3cosadd,1,queen,{answers[0].score!r}"


def test_nothing_is_copied_without_answers(panel: AnalogyPanel, qtbot: QtBot) -> None:
    messages: list[str] = []
    panel.session.message.connect(lambda text, hint, error: messages.append(text))
    ask(panel, "zebra", qtbot)
    until(qtbot, lambda: panel.session.selection.analogy is None)
    choose(panel._menu, "Copy answers")
    assert messages == ["No answers to copy yet."]


def test_the_anatomy_is_one_click_away(panel: AnalogyPanel, qtbot: QtBot) -> None:
    requests: list[str] = []
    panel.context.bridge.wanted.connect(requests.append)
    why = panel.findChild(QToolButton, "analogy.why")
    assert why is not None
    qtbot.mouseClick(why, LEFT)
    choose(panel._menu, "Explain the answers")
    assert requests == ["relations", "relations"]


def test_others_may_ask(panel: AnalogyPanel, qtbot: QtBot) -> None:
    panel.session.requests.analogy.emit("prince", "boy", "girl")
    assert first(panel).text() == "prince"
    until(qtbot, lambda: panel.session.selection.analogy == PRINCE)


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
