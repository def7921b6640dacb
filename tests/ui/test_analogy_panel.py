"""Asking an analogy with keys and clicks, and its effect on other views."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest
from ngram_toy import ngram_model
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QLabel, QListView, QScrollArea, QToolButton
from pytestqt.qtbot import QtBot
from ui.toy import look_at, toy_model, until

from workbench.analysis.analogy.rare_words import Occurrences
from workbench.analysis.analogy.solved import SolvedAnalogy
from workbench.analysis.analogy.solver import solve
from workbench.session.lessons import bundled_lessons
from workbench.session.lessons.actions import Ask
from workbench.session.selection.words import AnalogyShown
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.panel import SHOWN_WORDS, PanelContext
from workbench.ui.base.text import MINUS
from workbench.ui.panels.analogy.panel import AnalogyPanel
from workbench.ui.panels.lessons.stage import LessonStage
from workbench.ui.shell.window import Window
from workbench.ui.widgets.inputs.word_field import WordField
from workbench.vectors.embeddings import Embeddings

KING = AnalogyShown("king", "man", "woman", "queen")


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[AnalogyPanel]:
    new_panel = AnalogyPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(1000, 100)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


@pytest.fixture
def model_panel(panel: AnalogyPanel, qtbot: QtBot) -> AnalogyPanel:
    """The panel with a model and its first answer."""
    look_at(panel.session, toy_model())
    until(qtbot, lambda: panel.session.selection.analogy == KING)
    return panel


def field(panel: AnalogyPanel, local: str) -> WordField:
    found = panel.findChild(WordField, f"analogy.{local}")
    assert found is not None
    return found


def words(panel: AnalogyPanel) -> list[str]:
    return [field(panel, local).text() for local in "abc"]


def problem(panel: AnalogyPanel) -> str:
    found = panel.findChild(QLabel, "analogy.problem")
    assert found is not None
    return found.text().replace("\n", " ") if found.isVisible() else ""


def type_into(panel: AnalogyPanel, local: str, text: str, qtbot: QtBot) -> WordField:
    target = field(panel, local)
    target.setFocus()
    until(qtbot, target.hasFocus)
    target.selectAll()
    qtbot.keyClicks(target, text)
    return target


def leave(panel: AnalogyPanel, target: WordField) -> None:
    """The first click elsewhere closes the completions, the second moves the focus."""
    target._popup.hide()
    panel.method.setFocus()


def rare_model() -> Embeddings:
    """The toy model, with “man” seen only three times in the text."""
    model = toy_model()
    counts = np.full(len(model), 500, np.int64)
    counts[model.row("man")] = 3
    return replace(model, counts=counts)


def shown_counts(panel: AnalogyPanel) -> list[str]:
    labels = [panel.findChild(QLabel, f"analogy.count.{local}") for local in "abc"]
    return [label.text() for label in labels if label is not None and label.isVisible()]


def test_each_word_has_its_count_below(panel: AnalogyPanel, qtbot: QtBot) -> None:
    model = toy_model()
    look_at(panel.session, replace(model, counts=np.full(len(model), 1_500, np.int64)))
    until(qtbot, lambda: panel.session.selection.analogy == KING)
    assert shown_counts(panel) == ["1,500 ×"] * 3
    assert not panel.ground.isVisible()


def test_a_german_model_begins_with_a_german_question(panel: AnalogyPanel, qtbot: QtBot) -> None:
    names = {"king": "könig", "man": "mann", "woman": "frau"}
    question = AnalogyShown("könig", "mann", "frau", "queen")
    model = toy_model()
    look_at(
        panel.session, replace(model, words=tuple(names.get(word, word) for word in model.words))
    )
    until(qtbot, lambda: panel.session.selection.analogy == question)


def test_an_answer_from_rare_words_is_faded_with_questions_that_the_model_solves(
    panel: AnalogyPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = (SolvedAnalogy("queen", "woman", "man", "king", "family", 0.9),)
    monkeypatch.setattr(
        "workbench.ui.panels.analogy.panel.solved_analogies", lambda *_, run: solved
    )
    model = rare_model()
    look_at(panel.session, model)
    until(qtbot, lambda: panel.session.selection.analogy == KING)
    assert shown_counts(panel) == ["500 ×", "3 ×", "500 ×"]
    assert panel.ground.text.whole == "Too few occurrences: “man” (3)"
    muted = panel.answers.grab().toImage()
    link = panel.ground.links[0]
    until(qtbot, link.isVisible)
    assert link.text() == "queen − woman + man"
    # Of frequent words alone, the bars are those of an answer that means something.
    look_at(panel.session, replace(model, counts=np.full(len(model), 500, np.int64)))
    until(qtbot, lambda: not panel.ground.isVisible())
    assert panel.answers.grab().toImage() != muted
    look_at(panel.session, model)
    until(qtbot, link.isVisible)
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert words(panel) == ["queen", "woman", "man"]


def test_a_rare_word_that_answers_is_named(panel: AnalogyPanel, qtbot: QtBot) -> None:
    model = toy_model()
    counts = np.full(len(model), 500, np.int64)
    counts[model.row(KING.answer)] = 11
    look_at(panel.session, replace(model, counts=counts))
    until(qtbot, lambda: panel.session.selection.analogy == KING)
    assert shown_counts(panel) == ["500 ×"] * 3
    assert panel.ground.text.whole == f"Too few occurrences: “{KING.answer}” (11)"
    # A rare word among the other answers changes nothing.
    counts = np.full(len(model), 3, np.int64)
    counts[[model.row(word) for word in (KING.a, KING.b, KING.c, KING.answer)]] = 500
    look_at(panel.session, replace(model, counts=counts))
    until(qtbot, lambda: not panel.ground.isVisible())


def test_an_unknown_word_is_answered_with_questions_that_the_model_solves(
    panel: AnalogyPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = (SolvedAnalogy("queen", "woman", "man", "king", "family", 0.9),)
    monkeypatch.setattr(
        "workbench.ui.panels.analogy.panel.solved_analogies", lambda *_, run: solved
    )
    look_at(panel.session, toy_model())
    until(qtbot, lambda: panel.session.selection.analogy == KING)
    leave(panel, type_into(panel, "a", "kraken", qtbot))
    until(qtbot, lambda: "kraken" in problem(panel))
    until(qtbot, panel.ground.links[0].isVisible)
    assert shown_counts(panel) == []


def test_a_model_without_the_words_asked_before_offers_questions_that_it_solves(
    model_panel: AnalogyPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved = (SolvedAnalogy("other-queen", "other-woman", "other-man", "other-king", "", 0.9),)
    monkeypatch.setattr(
        "workbench.ui.panels.analogy.panel.solved_analogies", lambda *_, run: solved
    )
    model = toy_model()
    other = [f"other-{word}" for word in model.words]
    look_at(model_panel.session, Embeddings(other, model.vectors, model.counts), "other")
    until(qtbot, lambda: "king" in problem(model_panel))
    link = model_panel.ground.links[0]
    until(qtbot, link.isVisible)
    qtbot.mouseClick(link, Qt.MouseButton.LeftButton)
    assert words(model_panel) == ["other-queen", "other-woman", "other-man"]


@pytest.mark.parametrize("percent", [100, 150, 175])
def test_a_problem_is_read_in_full_on_a_projector(
    percent: int, model_panel: AnalogyPanel, qtbot: QtBot
) -> None:
    model_panel.theme.choose_text_size(percent)
    model_panel.resize(1264, 140)
    qtbot.keyClick(type_into(model_panel, "a", "kraken", qtbot), Qt.Key.Key_Return)
    until(qtbot, lambda: "kraken" in problem(model_panel))
    label = model_panel._problem
    until(qtbot, lambda: " ".join(label.text().split()) == label.whole)
    # With an answer, there is room for the choices again.
    model_panel.theme.choose_text_size(100)
    qtbot.keyClick(type_into(model_panel, "a", "king", qtbot), Qt.Key.Key_Return)
    until(qtbot, lambda: model_panel.answers.isVisible() and model_panel.method.isVisible())


def test_without_a_model_it_says_what_to_do(panel: AnalogyPanel) -> None:
    assert panel.state == "empty"


def test_the_first_model_answers_king_man_woman(model_panel: AnalogyPanel) -> None:
    assert words(model_panel) == ["king", "man", "woman"]
    assert model_panel.answers.words[0] == "queen"
    assert model_panel.answers.accessibleDescription().startswith("king − man + woman = queen")


def test_a_slide_shows_question_and_answers_in_large_letters(model_panel: AnalogyPanel) -> None:
    model_panel.set_presented(True)
    shown = model_panel.findChild(QLabel, "analogy.slide.question")
    assert shown is not None
    assert shown.isVisible()
    assert shown.text() == f"king {MINUS} man + woman = queen"
    assert shown.font().pixelSize() >= 2 * model_panel.font().pixelSize()
    assert not model_panel.answers.isVisible()
    assert not any(field(model_panel, local).property(SHOWN_WORDS) for local in "abc")
    model_panel.set_presented(False)
    assert not shown.isVisible()
    assert model_panel.answers.isVisible()


def test_the_answer_is_that_of_the_analysis(model_panel: AnalogyPanel) -> None:
    answers = solve(toy_model(), "king", "man", "woman", "3cosadd", 8, True)
    assert model_panel.answers.words == tuple(answer.word for answer in answers)
    np.testing.assert_allclose(model_panel.answers.scores, [answer.score for answer in answers])


def test_three_words_typed_into_one_field_fill_all(model_panel: AnalogyPanel, qtbot: QtBot) -> None:
    target = type_into(model_panel, "a", "prince boy girl", qtbot)
    qtbot.keyClick(target, Qt.Key.Key_Return)
    assert words(model_panel) == ["prince", "boy", "girl"]
    until(
        qtbot,
        lambda: (
            model_panel.session.selection.analogy
            == AnalogyShown("prince", "boy", "girl", "princess")
        ),
    )


@pytest.mark.parametrize("how", ["return", "tab", "leaving"])
def test_a_word_is_settled_by_return_tab_and_leaving(
    model_panel: AnalogyPanel, how: str, qtbot: QtBot
) -> None:
    target = type_into(model_panel, "a", "prince", qtbot)
    if how == "return":
        qtbot.keyClick(target, Qt.Key.Key_Return)
    elif how == "tab":
        qtbot.keyClick(target, Qt.Key.Key_Tab)
        until(qtbot, field(model_panel, "b").hasFocus)
    else:
        leave(model_panel, target)
    until(
        qtbot,
        lambda: (
            model_panel.session.selection.analogy is not None
            and model_panel.session.selection.analogy.a == "prince"
        ),
    )


def test_a_beginning_is_taken_for_the_most_frequent_word(
    model_panel: AnalogyPanel, qtbot: QtBot
) -> None:
    target = type_into(model_panel, "b", "wo", qtbot)
    qtbot.keyClick(target, Qt.Key.Key_Return)
    assert target.text() == "woman"
    leave(model_panel, type_into(model_panel, "b", "PRI", qtbot))
    until(qtbot, lambda: target.text() == "prince")


def test_an_offer_highlighted_is_taken_by_tab(model_panel: AnalogyPanel, qtbot: QtBot) -> None:
    target = type_into(model_panel, "a", "w", qtbot)
    popup = target._popup
    until(qtbot, popup.isVisible)
    assert [popup.model().index(row, 0).data() for row in range(3)] == ["woman", "wool", "wood"]
    popup.setCurrentIndex(popup.model().index(1, 0))
    qtbot.keyClick(target, Qt.Key.Key_Tab)
    assert target.text() == "wool"
    assert not popup.isVisible()


def test_the_first_click_into_a_field_selects_its_word(
    model_panel: AnalogyPanel, qtbot: QtBot
) -> None:
    model_panel.method.setFocus()
    target = field(model_panel, "b")
    qtbot.mouseClick(target, Qt.MouseButton.LeftButton)
    assert target.selectedText() == "man"
    qtbot.keyClicks(target, "boy")
    assert target.text() == "boy"
    qtbot.mouseClick(target, Qt.MouseButton.LeftButton)
    assert target.selectedText() == ""


def test_escape_puts_the_word_back(model_panel: AnalogyPanel, qtbot: QtBot) -> None:
    target = type_into(model_panel, "a", "zzz", qtbot)
    qtbot.keyClick(target, Qt.Key.Key_Escape)
    assert target.text() == "king"
    assert model_panel.session.selection.analogy == KING


def test_unknown_words_are_marked_and_told_in_one_sentence(
    model_panel: AnalogyPanel, qtbot: QtBot
) -> None:
    target = type_into(model_panel, "a", "zebra man yak", qtbot)
    qtbot.keyClick(target, Qt.Key.Key_Return)
    sentence = "“zebra”, “yak” are not in the vocabulary."
    until(qtbot, lambda: problem(model_panel) == sentence)
    # What to do has a line of its own.
    assert model_panel.ground.text.isVisible()
    assert model_panel.ground.text.whole.startswith("Check the spelling.")
    assert [field(model_panel, local).property("invalid") for local in "abc"] == [
        "true",
        "",
        "true",
    ]
    assert model_panel.session.selection.analogy is None
    assert model_panel.answers.words == ()
    target = type_into(model_panel, "a", "king man woman", qtbot)
    qtbot.keyClick(target, Qt.Key.Key_Return)
    until(qtbot, lambda: model_panel.session.selection.analogy == KING)
    assert problem(model_panel) == ""
    assert [field(model_panel, local).property("invalid") for local in "abc"] == ["", "", ""]


def test_an_empty_field_asks_for_three_words(model_panel: AnalogyPanel, qtbot: QtBot) -> None:
    target = type_into(model_panel, "c", "x", qtbot)
    qtbot.keyClick(target, Qt.Key.Key_Backspace)
    qtbot.keyClick(target, Qt.Key.Key_Return)
    assert "Which word is to c as a is to b?" in problem(model_panel)
    assert model_panel.session.selection.analogy is None


def test_query_words_are_let_in_by_the_switch(model_panel: AnalogyPanel, qtbot: QtBot) -> None:
    assert not set(model_panel.answers.words) & {"king", "man", "woman"}
    qtbot.mouseClick(
        model_panel.exclude,
        Qt.MouseButton.LeftButton,
        pos=model_panel.exclude.rect().center() * 0.2,
    )
    until(qtbot, lambda: bool(set(model_panel.answers.words) & {"king", "woman"}))


def test_the_method_is_chosen(model_panel: AnalogyPanel, qtbot: QtBot) -> None:
    model_panel.method.setFocus()
    qtbot.keyClick(model_panel.method, Qt.Key.Key_Down)
    expected = solve(toy_model(), "king", "man", "woman", "3cosmul", 8, True)
    until(
        qtbot,
        lambda: np.allclose(model_panel.answers.scores, [answer.score for answer in expected]),
    )


def test_b_and_c_are_exchanged(model_panel: AnalogyPanel, qtbot: QtBot) -> None:
    swap = model_panel.findChild(QToolButton, "analogy.swap")
    qtbot.mouseClick(swap, Qt.MouseButton.LeftButton)
    assert words(model_panel) == ["king", "woman", "man"]


def test_a_double_click_elsewhere_fills_the_next_free_field(
    model_panel: AnalogyPanel, qtbot: QtBot
) -> None:
    target = type_into(model_panel, "b", "x", qtbot)
    qtbot.keyClick(target, Qt.Key.Key_Backspace)
    qtbot.keyClick(target, Qt.Key.Key_Return)
    model_panel.session.requests.analogy_word.emit("boy")
    assert words(model_panel) == ["king", "boy", "woman"]
    model_panel.session.requests.analogy_word.emit("girl")
    assert words(model_panel) == ["king", "boy", "girl"]
    model_panel.session.requests.analogy_word.emit("prince")
    assert words(model_panel) == ["prince", "boy", "girl"]
    until(
        qtbot,
        lambda: (
            model_panel.session.selection.analogy
            == AnalogyShown("prince", "boy", "girl", "princess")
        ),
    )


def test_an_answer_clicked_is_selected(model_panel: AnalogyPanel, qtbot: QtBot) -> None:
    place = model_panel.answers.visualRect(model_panel.answers.model().index(0, 0)).center()
    qtbot.mouseClick(model_panel.answers.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert model_panel.session.selection.words == ("queen",)


def test_a_model_deleted_takes_its_answer_away(model_panel: AnalogyPanel) -> None:
    model_panel.session.runs.delete(model_panel.session.runs[0])
    assert model_panel.state == "empty"
    assert model_panel.session.selection.analogy is None
    assert model_panel.answers.words == ()


def test_another_model_answers_the_same_question(model_panel: AnalogyPanel, qtbot: QtBot) -> None:
    model = toy_model()
    swapped_words = [{"queen": "wool", "wool": "queen"}.get(word, word) for word in model.words]
    look_at(model_panel.session, Embeddings(swapped_words, model.vectors, model.counts), "swapped")
    until(
        qtbot,
        lambda: (
            model_panel.session.selection.analogy == AnalogyShown("king", "man", "woman", "wool")
        ),
    )


def test_a_model_that_does_not_know_the_words_asked_before_marks_nothing_as_wrong(
    model_panel: AnalogyPanel, qtbot: QtBot
) -> None:
    model = toy_model()
    other = [f"other-{word}" for word in model.words]
    look_at(model_panel.session, Embeddings(other, model.vectors, model.counts), "other")
    until(qtbot, lambda: model_panel._problem.isVisible())
    assert model_panel._problem.property("role") == "muted"
    assert [field(model_panel, name).property("invalid") for name in "abc"] == [""] * 3
    assert model_panel.session.selection.analogy is None
    # Once the user asks, the problem is shown as an error.
    target = type_into(model_panel, "a", "king man woman", qtbot)
    qtbot.keyClick(target, Qt.Key.Key_Return)
    until(qtbot, lambda: model_panel._problem.property("role") == "error")
    assert field(model_panel, "a").property("invalid") == "true"


def test_a_slow_answer_never_overwrites_a_newer_one(
    model_panel: AnalogyPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def slow(embeddings: Embeddings, a: str, *rest: object) -> object:
        if a == "boy":
            go.wait(30)
        return solve(embeddings, a, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("workbench.ui.panels.analogy.answers.solve", slow)
    for text in ("boy man woman", "prince boy girl"):
        qtbot.keyClick(type_into(model_panel, "a", text, qtbot), Qt.Key.Key_Return)
    newest = AnalogyShown("prince", "boy", "girl", "princess")
    until(qtbot, lambda: model_panel.session.selection.analogy == newest)
    go.set()
    until(qtbot, lambda: not model_panel.session.jobs.active)
    assert model_panel.session.selection.analogy == newest
    assert model_panel.answers.words[0] == "princess"


def test_nothing_is_cut_off_in_a_narrow_window(model_panel: AnalogyPanel, qtbot: QtBot) -> None:
    model_panel.resize(820, 100)
    until(
        qtbot,
        lambda: (
            model_panel.exclude.mapTo(model_panel, model_panel.exclude.rect().bottomRight()).x()
            < 820
        ),
    )
    first = model_panel.answers.visualRect(model_panel.answers.model().index(0, 0))
    assert model_panel.answers.viewport().rect().contains(first)
    for local in "abc":
        target = field(model_panel, local)
        assert target.fontMetrics().horizontalAdvance(target.text()) < target.width() - 16


def test_a_narrow_bar_stays_in_one_row_without_what_its_menu_offers(
    model_panel: AnalogyPanel, qtbot: QtBot
) -> None:
    why = model_panel.findChild(QToolButton, "analogy.why")
    assert why is not None
    parts = (model_panel.answers, model_panel.exclude, model_panel.method, why)

    def shown(width: int) -> list[bool]:
        """Whether the answers are beside the question, and the parts that are visible."""
        model_panel.resize(width, 100)
        QApplication.processEvents()
        tops = [part.mapTo(model_panel, QPoint()).y() for part in parts[:2]]
        question = field(model_panel, "a")
        low = question.mapTo(model_panel, question.rect().bottomLeft()).y()
        return [max(tops) < low, *(part.isVisible() for part in parts)]

    assert shown(1000) == [True, True, True, True, True]
    assert shown(800) == [True, True, True, True, False]
    assert shown(680) == [True, True, True, False, False]
    bars = [area.horizontalScrollBar() for area in model_panel.findChildren(QScrollArea)]
    until(qtbot, lambda: not any(bar.isVisible() for bar in bars))
    # The menu has the method, and follows the box.
    offers = model_panel._menu.method.actions()
    assert [offer.isChecked() for offer in offers] == [True, False]
    offers[1].trigger()
    expected = solve(toy_model(), "king", "man", "woman", "3cosmul", 8, True)
    until(
        qtbot,
        lambda: np.allclose(model_panel.answers.scores, [answer.score for answer in expected]),
    )
    model_panel.method.setCurrentIndex(0)
    assert offers[0].isChecked()
    assert shown(560) == [False, True, True, True, True]
    assert shown(1000) == [True, True, True, True, True]


def test_unseen_words_are_made_of_their_n_grams(panel: AnalogyPanel, qtbot: QtBot) -> None:
    model = ngram_model()
    look_at(panel.session, model)
    until(qtbot, lambda: not panel.session.jobs.active)
    qtbot.keyClick(type_into(panel, "a", "happy kindish unkindest", qtbot), Qt.Key.Key_Return)
    expected = solve(model, "happy", "kindish", "unkindest", n=8)
    until(qtbot, lambda: panel.answers.words == tuple(answer.word for answer in expected))
    note = panel.findChild(ElidedLabel, "analogy.unseen")
    assert note is not None
    assert note.isVisible()
    assert note.whole == "Out of vocabulary, built from n-grams: kindish, unkindest"
    # A map has no positions for words built from n-grams.
    assert panel.session.selection.analogy is None
    qtbot.keyClick(type_into(panel, "a", "happy kind unkind", qtbot), Qt.Key.Key_Return)
    until(qtbot, lambda: panel.session.selection.analogy is not None)
    assert not note.isVisible()


def test_a_spelling_is_suggested(model_panel: AnalogyPanel, qtbot: QtBot) -> None:
    qtbot.keyClick(type_into(model_panel, "b", "woool", qtbot), Qt.Key.Key_Return)
    until(qtbot, lambda: problem(model_panel) == "“woool” is not in the vocabulary.")
    assert model_panel.ground.text.whole.startswith("Did you mean “wool”?")


def test_a_spelling_that_is_offered_is_taken_by_a_click(
    model_panel: AnalogyPanel, qtbot: QtBot
) -> None:
    target = type_into(model_panel, "b", "maan", qtbot)
    qtbot.keyClick(target, Qt.Key.Key_Return)
    until(qtbot, lambda: "“maan” is not in the vocabulary." in problem(model_panel))
    assert target.offering
    popup = target.findChild(QListView)
    assert popup is not None
    place = popup.visualRect(popup.model().index(0, 0)).center()
    assert popup.model().index(0, 0).data() == "man"
    qtbot.mouseClick(popup.viewport(), Qt.MouseButton.LeftButton, pos=place)
    until(qtbot, lambda: model_panel.session.selection.analogy == KING)
    assert (target.text(), problem(model_panel), target.property("invalid")) == ("man", "", "")


# -- words from other panels, and other vocabularies


def test_a_word_from_the_map_is_announced_and_undone_alone(
    model_panel: AnalogyPanel, qtbot: QtBot
) -> None:
    session = model_panel.session
    offers: list[tuple[str, str]] = []
    buttons: list[Callable[[], object]] = []

    def offered(text: str, button: str, action: Callable[[], object], _holds: object) -> None:
        offers.append((text, button))
        buttons.append(action)

    model_panel.context.bridge.offered.connect(offered)
    session.selection.select(["prince"])
    session.requests.analogy_word.emit("prince")
    assert words(model_panel) == ["prince", "man", "woman"]
    assert offers == [("“prince” is now word a of the analogy.", "Undo")]
    assert session.undo.undo_text == "“prince” in the analogy"
    session.undo.undo()
    assert words(model_panel) == ["king", "man", "woman"]
    assert session.selection.words == ("prince",)
    session.undo.redo()
    assert words(model_panel) == ["prince", "man", "woman"]
    buttons[0]()
    assert words(model_panel) == ["king", "man", "woman"]
    # The next word goes to the same field again; one that is there already changes nothing.
    session.requests.analogy_word.emit("king")
    assert len(offers) == 1
    until(qtbot, lambda: session.selection.analogy == KING)


def test_words_that_another_model_lacks_leave_and_come_back(
    model_panel: AnalogyPanel, qtbot: QtBot
) -> None:
    session = model_panel.session
    first = session.active.run
    whole = toy_model()
    kept = [at for at, word in enumerate(whole.words) if word != "king"]
    vectors = np.asarray(whole.vectors)[kept]
    other = Embeddings([whole.words[at] for at in kept], vectors, contexts=-vectors)
    look_at(session, other, "without king")
    until(qtbot, lambda: words(model_panel) == ["", "man", "woman"])
    assert problem(model_panel) == "“king” is not in the vocabulary."
    session.active.show(first)
    until(qtbot, lambda: session.selection.analogy == KING)
    assert words(model_panel) == ["king", "man", "woman"]


def test_a_new_question_takes_the_place_of_words_that_have_left(
    model_panel: AnalogyPanel, qtbot: QtBot
) -> None:
    session = model_panel.session
    first = session.active.run
    whole = toy_model()
    vectors = np.asarray(whole.vectors)[1:3]
    look_at(session, Embeddings(["man", "woman"], vectors, contexts=-vectors), "two words")
    until(qtbot, lambda: words(model_panel) == ["", "man", "woman"])
    session.requests.analogy_word.emit("woman")
    assert words(model_panel) == ["woman", "man", "woman"]
    session.active.show(first)
    until(qtbot, lambda: session.selection.analogy is not None)
    assert words(model_panel) == ["woman", "man", "woman"]


def test_typed_words_come_back_after_a_lesson_without_them(
    model_panel: AnalogyPanel, context: PanelContext, qtbot: QtBot
) -> None:
    panel, session = model_panel, model_panel.session
    stage = LessonStage(context, panel)
    stage._remember_state(bundled_lessons()[0])
    model = toy_model()
    rows = [at for at, word in enumerate(model.words) if word != "king"]
    assert model.counts is not None
    other = Embeddings([model.words[at] for at in rows], model.vectors[rows], model.counts[rows])
    look_at(session, other)
    until(qtbot, lambda: panel.idle and words(panel) == ["", "man", "woman"])
    stage._do_action(Ask(1, "man", "woman", "man"))
    until(qtbot, lambda: panel.idle and words(panel) == ["man", "woman", "man"])
    stage.give_back()
    for _ in range(5):
        context.bridge.tick.emit()
        until(qtbot, lambda: panel.idle)
    assert words(panel) == ["king", "man", "woman"]
    assert session.selection.analogy == KING


def test_the_bar_grows_with_the_counts_below_its_words(window: Window, qtbot: QtBot) -> None:
    window.resize(1440, 900)
    panel = window.docks["analogy"].panel
    assert isinstance(panel, AnalogyPanel)
    QApplication.processEvents()
    look_at(window.session, toy_model())
    until(qtbot, lambda: panel.idle and panel.session.selection.analogy == KING)
    panel._show_ground((Occurrences("king", 329),))
    until(qtbot, lambda: panel.height() >= panel.body.minimumSizeHint().height())
    bars = [area.verticalScrollBar() for area in panel.findChildren(QScrollArea)]
    until(qtbot, lambda: not any(bar.isVisible() for bar in bars))
