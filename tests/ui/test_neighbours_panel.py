"""Neighbours follow the selection, and choosing neighbours changes the selection."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest
from ngram_toy import ngram_model
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus
from ui.toy import WORDS, look_at, open_corpus, toy_model, until

from workbench.analysis.neighbours.nearest import nearest
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.neighbours.panel import NeighboursPanel
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[NeighboursPanel]:
    new_panel = NeighboursPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(280, 620)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


@pytest.fixture
def looking(panel: NeighboursPanel, qtbot: QtBot) -> NeighboursPanel:
    """The panel with a model, with “queen” selected."""
    look_at(panel.session, toy_model())
    panel.session.selection.select(["queen"])
    until(qtbot, lambda: panel.list.words == expected("queen"))
    return panel


def expected(word: str, n: int = 20) -> tuple[str, ...]:
    return tuple(neighbour.word for neighbour in nearest(toy_model(), word, n))


def title(panel: NeighboursPanel) -> str:
    found = panel.findChild(QLabel, "neighbours.title")
    assert found is not None
    return found.text()


def emptiness(panel: NeighboursPanel) -> str:
    """Title of the message shown instead of a word and its neighbours; "" while these are shown."""
    found = panel.findChild(QLabel, "neighbours.none.notice")
    assert found is not None
    assert found.isVisible() is not bool(title(panel))
    return found.text() if found.isVisible() else ""


def shown_text(panel: NeighboursPanel) -> str:
    return " ".join(label.text() for label in panel.findChildren(QLabel) if label.isVisible())


def fact(panel: NeighboursPanel) -> str:
    found = panel.findChild(QLabel, "neighbours.fact")
    assert found is not None
    return found.text()


def click(panel: NeighboursPanel, row: int, qtbot: QtBot) -> None:
    place = panel.list.visualRect(panel.list.model().index(row, 0)).center()
    qtbot.mouseClick(panel.list.viewport(), LEFT, pos=place)


def type_word(panel: NeighboursPanel, text: str, qtbot: QtBot) -> None:
    panel.word.setFocus()
    until(qtbot, panel.word.hasFocus)
    panel.word.selectAll()
    qtbot.keyClicks(panel.word, text)


def test_without_a_model_and_without_a_word_it_says_what_to_do(panel: NeighboursPanel) -> None:
    assert panel.state == "empty"
    look_at(panel.session, toy_model())
    assert panel.state == "body"
    assert emptiness(panel) == "No word selected"
    assert not panel.list.isVisible()
    # The message is in the middle, as in every empty panel.
    notice = panel.findChild(QLabel, "neighbours.none.notice")
    assert notice is not None
    middle = notice.mapTo(panel, notice.rect().center())
    assert abs(middle.x() - panel.width() / 2) <= 8
    assert middle.y() > panel.height() / 4


def test_runs_of_another_corpus_are_nothing_to_choose_from(panel: NeighboursPanel) -> None:
    session = panel.session
    corpus = small_corpus(text="the cat saw the dog " * 20)
    open_corpus(session, corpus)
    run = look_at(session, toy_model())
    run.corpus_digest = "another"
    session.active.show(None)
    session.runs.changed.emit()
    assert "Press Train." in shown_text(panel)
    run.corpus_digest = corpus.digest
    session.runs.changed.emit()
    assert "Choose a run at the top of the window, or train another." in shown_text(panel)


def test_it_follows_the_selection(looking: NeighboursPanel, qtbot: QtBot) -> None:
    assert title(looking) == "queen"
    assert fact(looking) == "900 × · rank 5 of 13"
    assert looking.word.text() == "queen"
    looking.session.selection.select(["apple"])
    until(qtbot, lambda: looking.list.words == expected("apple"))
    looking.session.selection.select([])
    assert emptiness(looking) == "No word selected"


def test_a_narrow_column_has_room_for_the_list(looking: NeighboursPanel, qtbot: QtBot) -> None:
    looking.session.selection.select(["queen"])
    qtbot.waitUntil(lambda: looking.list.isVisible())
    assert looking.body.minimumSizeHint().width() <= 252


def test_a_typed_word_is_selected(looking: NeighboursPanel, qtbot: QtBot) -> None:
    type_word(looking, "pear", qtbot)
    qtbot.keyClick(looking.word, Qt.Key.Key_Return)
    assert looking.session.selection.words == ("pear",)
    until(qtbot, lambda: looking.list.words == expected("pear"))


def test_walking_the_list_keeps_it_while_the_map_follows(
    looking: NeighboursPanel, qtbot: QtBot
) -> None:
    words = looking.list.words
    click(looking, 0, qtbot)
    assert looking.session.selection.words == ("queen", words[0])
    qtbot.keyClick(looking.list, Qt.Key.Key_Down)
    assert looking.session.selection.words == ("queen", words[1])
    until(qtbot, lambda: not looking.session.jobs.active)
    assert looking.list.words == words
    assert title(looking) == "queen"
    assert looking.list.currentIndex().row() == 1


@pytest.mark.parametrize("how", ["return", "link"])
def test_return_or_the_link_moves_on(looking: NeighboursPanel, how: str, qtbot: QtBot) -> None:
    link = looking.findChild(QPushButton, "neighbours.onward")
    assert link is not None
    assert not link.isVisible()
    click(looking, 2, qtbot)
    word = looking.list.words[2]
    assert word in link.text()
    if how == "return":
        qtbot.keyClick(looking.list, Qt.Key.Key_Return)
    else:
        qtbot.mouseClick(link, LEFT, pos=link.rect().center())
    assert looking.session.selection.words == (word,)
    until(qtbot, lambda: looking.list.words == expected(word))
    assert not link.isVisible()


def test_a_double_click_takes_the_word_into_the_analogy(
    looking: NeighboursPanel, qtbot: QtBot
) -> None:
    words: list[str] = []
    looking.session.requests.analogy_word.connect(words.append)
    click(looking, 1, qtbot)
    place = looking.list.visualRect(looking.list.model().index(1, 0)).center()
    qtbot.mouseDClick(looking.list.viewport(), LEFT, pos=place)
    assert words == [looking.list.words[1]]
    assert title(looking) == "queen"


def test_how_many_are_listed_is_chosen(looking: NeighboursPanel, qtbot: QtBot) -> None:
    assert len(looking.list.words) == len(WORDS) - 1
    looking.number.setFocus()
    qtbot.keyClick(looking.number, Qt.Key.Key_Up)
    until(qtbot, lambda: len(looking.list.words) == 10)


def test_an_unknown_word_is_marked_and_told(looking: NeighboursPanel, qtbot: QtBot) -> None:
    looking.session.selection.select(["zebra"])
    until(qtbot, lambda: "“zebra” is not in the vocabulary." in fact(looking))
    assert looking.word.property("invalid") == "true"
    assert not looking.list.isVisible()
    asked: list[str] = []
    looking.session.requests.teach.connect(asked.append)
    looking.unknown.click()
    looking.session.selection.select(["queen"])
    until(qtbot, lambda: looking.list.isVisible())
    assert not looking.unknown.isVisible()
    next(
        a for a in looking.list.actions() if a.text() == "Teach the model new lines with the word"
    ).trigger()
    assert asked == ["zebra", "queen"]
    assert looking.word.property("invalid") == ""


def test_a_model_deleted_and_brought_back(looking: NeighboursPanel, qtbot: QtBot) -> None:
    record = looking.session.runs[0]
    looking.session.runs.delete(record)
    assert looking.state == "empty"
    looking.session.runs.undelete()
    looking.session.active.show(record)
    assert looking.state == "body"
    until(qtbot, lambda: looking.list.words == expected("queen"))


def test_a_slow_search_never_overwrites_a_newer_one(
    looking: NeighboursPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def slow(embeddings: Embeddings, word: str, n: int) -> object:
        if word == "wool":
            go.wait(30)
        return nearest(embeddings, word, n)

    monkeypatch.setattr("workbench.ui.panels.neighbours.panel.nearest", slow)
    looking.session.selection.select(["wool"])
    looking.session.selection.select([])
    go.set()
    until(qtbot, lambda: not looking.session.jobs.active)
    assert emptiness(looking) == "No word selected"


def test_what_is_being_typed_is_left_alone(
    looking: NeighboursPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def slow(embeddings: Embeddings, word: str, n: int) -> object:
        go.wait(30)
        return nearest(embeddings, word, n)

    monkeypatch.setattr("workbench.ui.panels.neighbours.panel.nearest", slow)
    type_word(looking, "pear", qtbot)
    qtbot.keyClick(looking.word, Qt.Key.Key_Return)
    qtbot.keyClicks(looking.word, "woo")
    go.set()
    until(qtbot, lambda: looking.list.words == expected("pear"))
    assert looking.word.text() == "woo"


def test_an_unseen_word_is_made_of_its_n_grams(panel: NeighboursPanel, qtbot: QtBot) -> None:
    model = ngram_model()
    look_at(panel.session, model)
    until(qtbot, lambda: not panel.session.jobs.active)
    type_word(panel, "unhappyish", qtbot)
    qtbot.keyClick(panel.word, Qt.Key.Key_Return)
    near = nearest(model, "unhappyish", 20)
    until(qtbot, lambda: panel.list.words == tuple(neighbour.word for neighbour in near))
    assert title(panel) == "unhappyish"
    assert fact(panel) == "not in the corpus: 18 of 27 n-grams known"
    assert panel.word.property("invalid") == ""
    assert panel.parts.isVisible()
    assert "unh" in panel.parts.words
    assert sum(panel.parts.scores) == pytest.approx(near[0].cosine, abs=1e-5)
    # Known words are still completed, and their n-grams aren't listed.
    type_word(panel, "unhap", qtbot)
    qtbot.keyClick(panel.word, Qt.Key.Key_Return)
    until(qtbot, lambda: title(panel) == "unhappy")
    assert not panel.parts.isVisible()
    panel.session.selection.select([""])
    until(qtbot, lambda: "the model has none of its n-grams" in fact(panel))


def test_without_n_grams_spellings_are_suggested(looking: NeighboursPanel, qtbot: QtBot) -> None:
    looking.session.selection.select(["quen"])
    until(qtbot, lambda: "Did you mean “queen”?" in fact(looking))


def test_the_list_is_copied_as_a_table(looking: NeighboursPanel) -> None:
    looking.export.copy()
    lines = QGuiApplication.clipboard().text().splitlines()
    best = nearest(toy_model(), "queen", 1)[0]
    assert lines[0] == "rank,neighbour of queen,cosine"
    assert lines[1] == f"1,{best.word},{looking.list.scores[0]}"
    assert len(lines) == 1 + len(looking.list.words)


@pytest.mark.parametrize(
    ("entry", "heading", "signs"),
    [
        ("king queen", "king + queen", (1, 1)),
        ("king - man + woman", "king − man + woman", (1, -1, 1)),
        ("king,pear", "king + pear", (1, 1)),
    ],
)
def test_several_words_are_added(
    looking: NeighboursPanel, entry: str, heading: str, signs: tuple[int, ...], qtbot: QtBot
) -> None:
    type_word(looking, entry, qtbot)
    qtbot.keyClick(looking.word, Qt.Key.Key_Return)
    until(qtbot, lambda: title(looking) == heading)
    words = heading.replace("− ", "").replace("+ ", "").split()
    unit = {word: np.array(row) / np.linalg.norm(row) for word, row in WORDS.items()}
    total = sum(sign * unit[word] for sign, word in zip(signs, words, strict=True))
    best = sorted(
        (word for word in WORDS if word not in words), key=lambda word: -(unit[word] @ total)
    )
    assert list(looking.list.words) == best
    assert looking.word.text() == heading
    assert looking.session.selection.words == tuple(words)
    assert "sum" in fact(looking)
    # The pages with details of neighbours are for single words only.
    assert not looking.pages.isVisible()
    # Choosing a neighbour keeps the sum; another word replaces it.
    click(looking, 1, qtbot)
    assert looking.session.selection.words == (*words, best[1])
    assert (title(looking), list(looking.list.words)) == (heading, best)
    looking.session.selection.select(["apple"])
    until(qtbot, lambda: looking.list.words == expected("apple"))
    assert title(looking) == "apple"
    assert looking.pages.isVisible()


def test_of_several_words_the_one_that_is_not_known_is_named(
    looking: NeighboursPanel, qtbot: QtBot
) -> None:
    type_word(looking, "king unheard", qtbot)
    qtbot.keyClick(looking.word, Qt.Key.Key_Return)
    until(qtbot, lambda: "“unheard” is not in the vocabulary." in fact(looking))
    assert not looking.list.isVisible()
    # A question may repeat a word; words that cancel each other out are reported.
    type_word(looking, "king - king", qtbot)
    qtbot.keyClick(looking.word, Qt.Key.Key_Return)
    until(qtbot, lambda: "no direction" in fact(looking))


def test_a_walk_goes_on_in_another_run_only_where_that_knows_the_word(
    looking: NeighboursPanel, qtbot: QtBot
) -> None:
    looking.list.setFocus()
    qtbot.keyClick(looking.list, Qt.Key.Key_Down)
    last_word = looking.session.selection.focus
    assert last_word in looking.list.words
    link = looking.findChild(QPushButton, "neighbours.onward")
    assert link is not None
    assert link.isVisible()
    words = [word for word in WORDS if word != last_word]
    model = toy_model()
    rows = [model.index[word] for word in words]
    look_at(looking.session, Embeddings(words, model.vectors[rows], model.counts[rows]), "other")
    until(qtbot, lambda: last_word not in looking.list.words and looking.list.words)
    assert not link.isVisible()
    assert title(looking) == "queen"
    looking.session.active.show(looking.session.runs[0])
    until(qtbot, lambda: last_word in looking.list.words)
    assert link.isVisible()


def test_a_model_whose_vectors_all_point_one_way_is_told_and_the_next_is_not(
    panel: NeighboursPanel, qtbot: QtBot
) -> None:
    random = np.random.default_rng(1)
    words = [f"w{number}" for number in range(80)]
    table = random.normal(size=(80, 6)).astype(np.float32)
    warning = panel.findChild(QLabel, "neighbours.crowded")
    assert warning is not None
    look_at(panel.session, Embeddings(words, 5 + 0.2 * table))
    until(qtbot, warning.isVisible)
    assert "point the same way" in warning.text()
    assert "All but the top" in warning.text() or "all_but_the_top" in warning.text()
    look_at(panel.session, Embeddings(words, table))
    until(qtbot, lambda: panel.idle and not warning.isVisible())
