"""Several models side by side, and the contexts behind a neighbour, with clicks and keys."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
import scipy.sparse as sp
from ngram_toy import ngram_model
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from ui.toy import WORDS, look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.neighbours.nearest import nearest
from workbench.session.runs.run_record import RunRecord, State
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.neighbours.panel import NeighboursPanel
from workbench.ui.panels.neighbours.table import rank_change_text
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[NeighboursPanel]:
    new_panel = NeighboursPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(480, 800)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


def other_model(seed: int = 1) -> Embeddings:
    vectors = np.random.default_rng(seed).normal(size=(len(WORDS), 6)).astype(np.float32)
    return Embeddings(list(WORDS), vectors, metadata={"parameters": {"min_count": 1}})


def turn_to(panel: NeighboursPanel, page: int, qtbot: QtBot) -> None:
    qtbot.mouseClick(panel.pages, LEFT, pos=panel.pages.tabRect(page).center())
    until(qtbot, lambda: panel.idle)


@pytest.fixture
def three(panel: NeighboursPanel, qtbot: QtBot) -> NeighboursPanel:
    """The panel with “queen” in three models, of which the toy is active."""
    look_at(panel.session, other_model(1), "first")
    look_at(panel.session, other_model(2), "second")
    look_at(panel.session, toy_model(), "toy")
    panel.session.selection.select(["queen"])
    until(qtbot, lambda: panel.list.isVisible())
    turn_to(panel, 1, qtbot)
    until(qtbot, lambda: panel.columns.comparison is not None)
    return panel


def test_columns_ranks_and_overlap(three: NeighboursPanel) -> None:
    found = three.columns.comparison
    assert found is not None
    assert [column.name for column in found.columns] == ["toy", "first", "second"]
    models = (toy_model(), other_model(1), other_model(2))
    for column, model in zip(found.columns, models, strict=True):
        assert [one.word for one in column.neighbours] == [
            one.word for one in nearest(model, "queen", 20)
        ]
    reference = [one.word for one in nearest(toy_model(), "queen", 20)]
    model = three.columns.view.model()
    tip = model.data(model.index(0, 1), Qt.ItemDataRole.ToolTipRole)
    word = model.data(model.index(0, 1))
    assert f"rank {reference.index(word) + 1} in toy" in tip
    assert "in 3 of 3 lists" in tip


@pytest.mark.parametrize("how", ["click", "keys"])
def test_a_word_picked_in_any_column_is_picked_everywhere(
    three: NeighboursPanel, how: str, qtbot: QtBot
) -> None:
    view = three.columns.view
    index = view.model().index(2, 1)
    if how == "click":
        qtbot.mouseClick(view.viewport(), LEFT, pos=view.visualRect(index).center())
    else:
        view.setFocus()
        view.setCurrentIndex(view.model().index(1, 1))
        qtbot.keyClick(view, Qt.Key.Key_Down)
    assert three.session.selection.words == ("queen", index.data())
    until(qtbot, lambda: three.idle)
    # The columns stay those of “queen”.
    assert three.columns.comparison is not None
    assert three.columns.comparison.word == "queen"
    qtbot.keyClick(view, Qt.Key.Key_Return)
    word = index.data()
    assert three.session.selection.words == (word,)
    until(
        qtbot,
        lambda: (
            three.idle
            and three.columns.comparison is not None
            and three.columns.comparison.word == word
        ),
    )


def test_chosen_runs_are_remembered(
    three: NeighboursPanel, context: PanelContext, qtbot: QtBot
) -> None:
    menu = three.columns.runs.menu()
    menu.aboutToShow.emit()
    actions = {action.text(): action for action in menu.actions()}
    assert not actions["toy"].isEnabled()
    actions["first"].trigger()
    until(qtbot, lambda: three.idle)
    assert three.columns.comparison is not None
    assert [column.name for column in three.columns.comparison.columns] == ["toy", "second"]
    again = NeighboursPanel(context)
    qtbot.addWidget(again)
    again.show()
    until(qtbot, lambda: again.list.isVisible())
    turn_to(again, 1, qtbot)
    until(qtbot, lambda: again.columns.comparison is not None)
    assert [column.name for column in again.columns.comparison.columns] == ["toy", "second"]
    again.release()


def test_vectors_are_read_once_for_runs_that_were_never_looked_at(
    panel: NeighboursPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    identifiers: list[str] = []

    def vectors(identifier: str) -> Embeddings:
        identifiers.append(identifier)
        return other_model(3)

    monkeypatch.setattr(panel.session.store, "vectors", vectors)
    record = RunRecord("kept", "kept", "", {}, "", "", "2026-01-01", state=State.DONE, stored=True)
    panel.session.runs.append(record)
    look_at(panel.session, toy_model())
    panel.session.selection.select(["king"])
    until(qtbot, lambda: panel.list.isVisible())
    turn_to(panel, 1, qtbot)
    until(qtbot, lambda: panel.columns.comparison is not None)
    assert record.embeddings is not None
    panel.session.selection.select(["queen"])
    until(
        qtbot,
        lambda: (
            panel.idle
            and panel.columns.comparison is not None
            and panel.columns.comparison.word == "queen"
        ),
    )
    assert identifiers == ["kept"]


def test_a_change_of_rank_is_told_in_signs() -> None:
    assert [rank_change_text(rise) for rise in (3, -1234, 27_400, 0, None)] == [
        "▲3",
        "▼1.2k",
        "▲27k",
        "=",
        "–",
    ]


def ppmi_like() -> Embeddings:
    """A sparse model of the words of the toy corpus."""
    corpus = toy_corpus()
    table = np.random.default_rng(2).random((corpus.types, corpus.types)).astype(np.float32)
    table[table < 0.4] = 0
    return Embeddings(
        list(corpus.words),
        sp.csr_matrix(table),
        metadata={"parameters": {"window": 3, "min_count": 1}},
    )


def test_exact_parts_and_the_lines_behind_them(panel: NeighboursPanel, qtbot: QtBot) -> None:
    open_corpus(panel.session, toy_corpus())
    model = ppmi_like()
    look_at(panel.session, model)
    panel.session.selection.select(["king"])
    until(qtbot, lambda: panel.list.isVisible())
    turn_to(panel, 2, qtbot)
    until(qtbot, lambda: panel.why.context_result is not None)
    found = panel.why.context_result
    assert found is not None
    assert (found.word, found.other) == ("king", panel.list.words[0])
    assert found.exact
    rows = model.vectors.toarray()[[model.row("king"), model.row(found.other)]]
    cosine = float(rows[0] @ rows[1] / np.linalg.norm(rows[0]) / np.linalg.norm(rows[1]))
    assert sum(one.part for one in found.shown) == pytest.approx(cosine, abs=1e-6)
    note = panel.findChild(QLabel, "neighbours.shared.note")
    assert note is not None
    assert "exactly the sum of the parts" in note.text()
    keys = [row.key for row in panel.why.list.rows]
    assert keys == [one.word for one in found.shown]
    view = panel.why.list.view
    row = keys.index("saw") if "saw" in keys else 0
    place = view.visualRect(view.model().index(row, 0)).center()
    qtbot.mouseClick(view.viewport(), LEFT, pos=place)
    until(qtbot, lambda: panel.why.lines.occurrences is not None)
    lines = panel.why.lines.occurrences
    assert lines is not None
    assert (lines.word, lines.near, lines.window) == ("king", keys[row], 3)
    requests: list[tuple[str, str]] = []
    panel.session.requests.lines.connect(lambda word, near: requests.append((word, near)))
    qtbot.mouseClick(panel.why.sides[1], LEFT)
    until(qtbot, lambda: panel.idle)
    qtbot.mouseClick(panel.why.onward, LEFT)
    assert requests == [(found.other, keys[row])]


def test_a_dense_model_is_explained_from_the_text_and_says_so(
    panel: NeighboursPanel, qtbot: QtBot
) -> None:
    note = panel.findChild(QLabel, "neighbours.shared.note")
    title = panel.findChild(QLabel, "neighbours.shared.title")
    assert note is not None
    assert title is not None
    look_at(panel.session, toy_model())
    panel.session.selection.select(["king"])
    until(qtbot, lambda: panel.list.isVisible())
    turn_to(panel, 2, qtbot)
    until(qtbot, lambda: "no corpus is open" in title.text())
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: panel.why.context_result is not None)
    assert "roughly" in note.text()
    word = panel.list.words[3]
    panel._select_neighbour(word)
    until(
        qtbot,
        lambda: panel.why.context_result is not None and panel.why.context_result.other == word,
    )


def test_a_model_of_ngrams_is_explained_by_those_that_both_have(
    panel: NeighboursPanel, qtbot: QtBot
) -> None:
    model = ngram_model()
    look_at(panel.session, model)
    panel.session.selection.select(["happy"])
    until(qtbot, lambda: panel.list.isVisible())
    turn_to(panel, 2, qtbot)
    panel._select_neighbour("unhappy")
    until(
        qtbot,
        lambda: panel.why.ngram_result is not None and panel.why.ngram_result.other == "unhappy",
    )
    found = panel.why.ngram_result
    assert found is not None
    rows = panel.why.list.rows
    assert [row.text for row in rows] == [*(one.text for one in found.shown), "everything else"]
    shares = [float(row.numbers[0].removesuffix("%").replace("−", "-")) for row in rows]
    assert sum(shares) == pytest.approx(100, abs=0.05 * len(rows))
    note = panel.findChild(QLabel, "neighbours.shared.note")
    assert note is not None
    assert f"{len(found.shown)} n-grams that both words contain" in note.text()
    # Without a corpus there are no contexts, but the n-grams stay.
    qtbot.mouseClick(panel.why.by_contexts, LEFT)
    assert "no corpus is open" in note.text()
    qtbot.mouseClick(panel.why.by_ngrams, LEFT)
    assert panel.why.list.rows == rows
    # For a model without n-grams there is nothing to choose.
    look_at(panel.session, ppmi_like(), "sparse")
    panel.session.selection.select(["king"])
    until(qtbot, lambda: panel.why.context_result is not None)
    assert not panel.why.by_ngrams.isVisible()


def test_without_a_second_word_it_says_what_to_pick(panel: NeighboursPanel, qtbot: QtBot) -> None:
    look_at(panel.session, toy_model())
    assert not panel.pages.isVisible()
    panel.session.selection.select(["king"])
    until(qtbot, lambda: panel.pages.isVisible())
    qtbot.mouseClick(panel.pages, LEFT, pos=panel.pages.tabRect(1).center() + QPoint(1, 0))
    until(qtbot, lambda: panel.idle)
    assert panel.columns.summary.whole == "Choose other models to compare with."
