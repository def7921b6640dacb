"""The page of a word: its content, and that everything on it can be clicked."""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ngram_toy import ngram_model
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtWidgets import QAbstractItemView, QLabel
from pytestqt.qtbot import QtBot
from ui.toy import TEXT, look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.neighbours.nearest import nearest
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.inspector.panel import InspectorPanel
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[InspectorPanel]:
    new_panel = InspectorPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(290, 1500)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


def inspect(
    panel: InspectorPanel, word: str, qtbot: QtBot, embeddings: Embeddings | None = None
) -> None:
    """Open the toy corpus, make a model active, select a word, and wait for the page."""
    open_corpus(panel.session, toy_corpus())
    look_at(
        panel.session,
        embeddings if embeddings is not None else toy_model(sample=0.01, ns_exponent=0.75),
    )
    select(panel, word, qtbot)


def select(panel: InspectorPanel, word: str, qtbot: QtBot) -> None:
    panel.session.selection.select([word])
    until(qtbot, lambda: panel.idle and panel._word.whole == word and panel.state == "body")


def click(view: QAbstractItemView, row: int, qtbot: QtBot) -> None:
    index: QModelIndex = view.model().index(row, 0)
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())


def test_without_anything_it_says_what_to_do(panel: InspectorPanel, qtbot: QtBot) -> None:
    assert panel.state == "empty"
    open_corpus(panel.session, toy_corpus())
    notice = panel.findChild(QLabel, "inspector.notice")
    assert notice is not None
    assert notice.text() == "No word selected"
    panel.session.selection.select(["zebra"])
    until(qtbot, lambda: "“zebra” is not in the vocabulary." in notice.text())


def test_facts_of_the_text_and_of_the_runs_own_parameters(
    panel: InspectorPanel, qtbot: QtBot
) -> None:
    inspect(panel, "king", qtbot)
    frequencies = Counter(TEXT.split())
    facts = panel.facts.visible_facts
    assert facts["Count"] == f"{frequencies['king']} of {frequencies.total()} tokens"
    assert facts["Share"] == f"{100 * frequencies['king'] / frequencies.total():.3g}%"
    counts = np.arange(1300, 0, -100)
    share = 1000 / counts.sum()
    assert facts["Kept"] == f"{100 * ((share / 0.01) ** 0.5 + 1) * 0.01 / share:.3g}% at t = 0.01"
    assert facts["Noise"].startswith(f"{100 * 1000**0.75 / (counts**0.75).sum():.3g}%")
    assert facts["Norm"].startswith("4.24")


def test_every_word_on_it_can_be_clicked(panel: InspectorPanel, qtbot: QtBot) -> None:
    inspect(panel, "king", qtbot)
    assert [row.key for row in panel.neighbours.rows] == [
        one.word for one in nearest(toy_model(), "king", 10)
    ]
    second = panel.neighbours.rows[1].key
    click(panel.neighbours.view, 1, qtbot)
    assert panel.session.selection.words == (second,)
    until(qtbot, lambda: panel.idle and panel._word.whole == second)
    context = panel.contexts.rows[0].key
    click(panel.contexts.view, 0, qtbot)
    assert panel.session.selection.words == (context,)
    until(qtbot, lambda: panel.idle and panel._word.whole == context)
    line = panel.lines.lines[0]
    right = line.right.split()[0]
    qtbot.mouseClick(panel.lines.viewport(), LEFT, pos=panel.lines.place_of(0, 1))
    assert panel.session.selection.words == (right,)


def test_a_word_double_clicked_goes_into_the_analogy(panel: InspectorPanel, qtbot: QtBot) -> None:
    inspect(panel, "king", qtbot)
    words: list[str] = []
    panel.session.requests.analogy_word.connect(words.append)
    view, word = panel.contexts.view, panel.contexts.rows[1].key
    place = view.visualRect(view.model().index(1, 0)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=place)
    qtbot.mouseDClick(view.viewport(), LEFT, pos=place)
    assert words == [word]


def test_back_and_forward_by_buttons(panel: InspectorPanel, qtbot: QtBot) -> None:
    inspect(panel, "king", qtbot)
    select(panel, "queen", qtbot)
    select(panel, "man", qtbot)
    qtbot.mouseClick(panel.back, LEFT)
    assert panel.session.selection.focus == "queen"
    qtbot.mouseClick(panel.back, LEFT)
    assert panel.session.selection.focus == "king"
    assert not panel.back.isEnabled()
    qtbot.mouseClick(panel.forward, LEFT)
    qtbot.mouseClick(panel.forward, LEFT)
    assert panel.session.selection.focus == "man"
    qtbot.mouseClick(panel.back, LEFT)
    panel.session.selection.select(["boy"])
    assert not panel.forward.isEnabled()


def test_contexts_by_count(panel: InspectorPanel, qtbot: QtBot) -> None:
    inspect(panel, "king", qtbot)
    qtbot.mouseClick(panel.orders["count"], LEFT)
    until(qtbot, lambda: panel.idle)
    words = TEXT.split()
    around: Counter[str] = Counter()
    for at, word in enumerate(words):
        if word == "king":
            for distance in range(1, 6):
                for place in (at - distance, at + distance):
                    if 0 <= place < len(words):
                        around[words[place]] += 6 - distance
    assert panel.contexts.rows[0].key == around.most_common(1)[0][0]


def test_all_lines_are_a_click_away(panel: InspectorPanel, qtbot: QtBot) -> None:
    inspect(panel, "the", qtbot)
    requests: list[tuple[str, str]] = []
    panel.session.requests.lines.connect(lambda word, near: requests.append((word, near)))
    assert len(panel.lines.lines) == 8
    assert panel.all_lines.text() == f"All {TEXT.split().count('the')} ›"
    qtbot.mouseClick(panel.all_lines, LEFT)
    assert requests == [("the", "")]


def test_ngrams_of_a_seen_and_an_unseen_word(panel: InspectorPanel, qtbot: QtBot) -> None:
    embeddings = ngram_model()
    inspect(panel, embeddings.words[0], qtbot, embeddings)
    assert {row.note for row in panel.ngrams.rows} == {"", "whole word"}
    assert panel.ngrams.isVisible()
    assert not panel.path.isVisible()
    unseen = embeddings.words[0] + "s"
    select(panel, unseen, qtbot)
    assert panel.ngrams.rows
    assert not panel.neighbours.isVisible()
    note = panel.findChild(QLabel, "inspector.note")
    assert note is not None
    assert note.text() == f"“{unseen}” isn’t in the vocabulary of this model."


def test_the_path_in_the_tree(panel: InspectorPanel, qtbot: QtBot) -> None:
    toy = toy_model()
    embeddings = dataclasses.replace(toy, metadata={**toy.metadata, "algorithm": "skipgram-hs"})
    inspect(panel, "king", qtbot, embeddings)
    note = panel.findChild(QLabel, "inspector.path.note")
    assert note is not None
    code = note.text().split(":")[0]
    assert [row.text for row in panel.path.rows] == list(code)
    steps = [row.split(",") for row in panel._page_table().splitlines() if row.startswith("step,")]
    assert [row[1] for row in steps] == list(code)
    assert [row[2] for row in steps] == [row.note for row in panel.path.rows]
    other = panel.path.rows[0].key
    click(panel.path.view, 0, qtbot)
    assert panel.session.selection.words == (other,)


def test_nothing_is_computed_while_nobody_looks(panel: InspectorPanel, qtbot: QtBot) -> None:
    panel.hide()
    open_corpus(panel.session, toy_corpus())
    look_at(panel.session, toy_model())
    panel.session.selection.select(["king"])
    assert panel.idle
    assert panel._word.whole == ""
    panel.show()
    until(qtbot, lambda: panel.idle and panel._word.whole == "king")


def test_the_page_as_a_table(panel: InspectorPanel, qtbot: QtBot, tmp_path: Path) -> None:
    inspect(panel, "king", qtbot)
    panel._export.save(tmp_path / "king.csv")
    rows = [line.split(",") for line in (tmp_path / "king.csv").read_text().splitlines()]
    assert rows[1][:2] == ["word", "king"]
    assert [row[1] for row in rows if row[0] == "neighbour"] == [
        row.key for row in panel.neighbours.rows
    ]


def test_a_word_that_is_gone_with_its_run_is_said_to_be_and_is_not_come_back_to(
    panel: InspectorPanel, qtbot: QtBot
) -> None:
    model = toy_model()
    look_at(panel.session, Embeddings([*model.words[:-1], "queer"], model.vectors), "with")
    select(panel, "king", qtbot)
    select(panel, "queer", qtbot)
    look_at(panel.session, model, "without")
    notice = panel.findChild(QLabel, "inspector.notice")
    assert notice is not None
    until(
        qtbot,
        lambda: (
            panel.state == "empty"
            and notice.text() == "“queer” isn’t in the active run or open text"
        ),
    )
    assert not panel.forward.isEnabled()
    select(panel, "queen", qtbot)
    qtbot.mouseClick(panel.back, LEFT)
    until(qtbot, lambda: panel.idle and panel._word.whole == "king")
    panel.session.selection.select(["nobody"])
    until(qtbot, lambda: panel.state == "empty" and "nobody" in notice.text())
    select(panel, "man", qtbot)
    qtbot.mouseClick(panel.back, LEFT)
    until(qtbot, lambda: panel.idle and panel._word.whole == "king")


def test_a_word_without_company_has_a_page_that_says_so(
    panel: InspectorPanel, qtbot: QtBot
) -> None:
    model = toy_model()
    vectors = np.array(model.vectors)
    row = model.index["king"]
    vectors[row] = 0
    inspect(panel, "king", qtbot, dataclasses.replace(model, vectors=vectors))
    assert panel.facts.visible_facts["Norm"] == "0: no vector"
    assert panel._note.text() == "The vector of “king” is zero, so it has no neighbours."
