"""Tree and n-grams with clicks and keys; their numbers match those of the analysis."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ngram_toy import ngram_model
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton
from pytestqt.qtbot import QtBot
from ui.toy import WORDS, look_at, toy_model, until

from workbench.analysis.theory.softmax_tree import leaf_path
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.text import decimal
from workbench.ui.panels.inside.panel import InsidePanel
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import compose

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[InsidePanel]:
    new_panel = InsidePanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(820, 560)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


def tree_model() -> Embeddings:
    plain = toy_model()
    nodes = np.random.default_rng(5).normal(size=(len(WORDS) - 1, 6)).astype(np.float32)
    return Embeddings(plain.words, plain.vectors, plain.counts, state={"nodes": nodes})


def test_it_says_which_algorithms_have_them(panel: InsidePanel, qtbot: QtBot) -> None:
    assert panel.state == "empty"
    look_at(panel.session, toy_model())
    until(qtbot, lambda: panel.idle and panel.tree.picture.view is not None)
    assert "Only hierarchical softmax learns node vectors" in panel.tree.fact.whole
    qtbot.mouseClick(panel.instruments.buttons[1], LEFT)
    assert panel.ngrams.state == "empty"


def test_vectors_without_counts_have_a_button_that_leads_to_a_model(
    panel: InsidePanel, qtbot: QtBot
) -> None:
    requested: list[str] = []
    panel.context.bridge.action_requested.connect(requested.append)
    plain = toy_model()
    look_at(panel.session, Embeddings(plain.words, plain.vectors))
    assert (panel.tree.state, panel.tree.lack) == ("empty", "These vectors have no word counts")
    (button,) = [one for one in panel.tree.notice.findChildren(QAbstractButton) if one.isVisible()]
    qtbot.mouseClick(button, LEFT)
    assert requested == ["file.open"]
    look_at(panel.session, toy_model())
    until(qtbot, lambda: panel.tree.state == "body")


def test_the_path_of_the_selected_word_given_the_one_before(
    panel: InsidePanel, qtbot: QtBot
) -> None:
    model = tree_model()
    look_at(panel.session, model)
    panel.session.selection.select(["king"])
    panel.session.selection.select(["queen"])
    until(
        qtbot,
        lambda: (
            panel.idle
            and panel.tree.picture.view is not None
            and panel.tree.picture.view.given == "king"
        ),
    )
    expected = leaf_path(model, "queen", ["king"])
    view = panel.tree.picture.view
    assert view is not None
    assert [turn.probability for turn in view.turns] == pytest.approx(
        expected.probabilities.tolist()
    )
    assert [row.numbers[2] for row in panel.tree.path.rows] == [
        f"{p:.3f}" for p in expected.probabilities
    ]
    assert (
        f"P(queen | king) = {decimal(float(np.exp(expected.log_probability)), 4)}"
        in panel.tree.fact.whole
    )
    field = panel.tree.given
    field.selectAll()
    qtbot.keyClicks(field, "man")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.idle and "P(queen | man)" in panel.tree.fact.whole)
    field.selectAll()
    qtbot.keyClicks(field, "zebra")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.idle and panel.tree.state == "error")


def test_the_picture_by_clicks_and_keys(panel: InsidePanel, qtbot: QtBot, tmp_path: Path) -> None:
    look_at(panel.session, tree_model())
    panel.session.selection.select(["wood"])
    tree = panel.tree
    until(
        qtbot,
        lambda: panel.idle and tree.picture.view is not None and tree.picture.view.word == "wood",
    )
    tree.picture.setFocus()
    qtbot.keyClick(tree.picture, Qt.Key.Key_Down)
    until(qtbot, lambda: panel.idle and tree.picture.view.begin == 1)
    qtbot.keyClick(tree.picture, Qt.Key.Key_Minus)
    until(qtbot, lambda: panel.idle and max(box.level for box in tree.picture.view.boxes) <= 4)
    qtbot.keyClick(tree.picture, Qt.Key.Key_Up)
    until(qtbot, lambda: panel.idle and tree.picture.view.begin == 0)
    view = tree.picture.view
    number = next(n for n, box in enumerate(view.boxes) if box.chosen and box.level == 2)
    place = tree.picture.place(number).center().toPoint()
    qtbot.mouseClick(tree.picture.viewport(), LEFT, pos=place)
    until(qtbot, lambda: panel.idle and tree.picture.view.begin == 2)
    for suffix in (".png", ".svg", ".pdf", ".csv"):
        tree.saved.save(tmp_path / f"tree{suffix}")
        assert (tmp_path / f"tree{suffix}").stat().st_size > 100
    tree.begin.setValue(0)
    until(qtbot, lambda: panel.idle and tree.picture.view.begin == 0)
    view = tree.picture.view
    number = next(n for n, box in enumerate(view.boxes) if box.node < 0)
    place = tree.picture.place(number).center().toPoint()
    qtbot.mouseClick(tree.picture.viewport(), LEFT, pos=place)
    assert panel.session.selection.words == (view.boxes[number].word,)


def test_ngrams_of_any_typed_word(panel: InsidePanel, qtbot: QtBot, tmp_path: Path) -> None:
    model = ngram_model()
    look_at(panel.session, model)
    page = panel.ngrams
    assert panel.instruments.current is page
    qtbot.keyClicks(page.word, "unhappiness")
    until(qtbot, lambda: panel.idle and page.found is not None and page.found.word == "unhappiness")
    parts = sorted(compose(model, "unhappiness").parts, key=lambda part: -part.share)
    assert [row.text for row in page.parts.rows] == [part.text for part in parts]
    assert "not in the vocabulary" in page.fact.text()
    assert page.picked == parts[0].text
    assert len(page.near) == 20 or page._problem.text()
    page.parts.view.setFocus()
    qtbot.keyClick(page.parts.view, Qt.Key.Key_Down)
    until(qtbot, lambda: panel.idle and page.picked == parts[1].text)
    for suffix in (".png", ".svg", ".pdf", ".csv"):
        page.saved.save(tmp_path / f"n{suffix}")
        assert (tmp_path / f"n{suffix}").stat().st_size > 100
    panel.session.selection.select(["kind"])
    page.parts.view.setFocus()
    panel.session.selection.select(["selfish"])
    until(qtbot, lambda: panel.idle and page.found is not None and page.found.word == "selfish")
    assert "in the vocabulary" in page.fact.text()


def test_the_tree_lies_above_what_is_told_of_the_path_in_a_low_panel_too(
    panel: InsidePanel, qtbot: QtBot
) -> None:
    look_at(panel.session, tree_model())
    panel.session.selection.select(["queen"])
    until(qtbot, lambda: panel.idle and panel.tree.picture.view is not None)
    panel.resize(480, 300)
    tree = panel.tree
    until(qtbot, lambda: panel.idle and panel.height() == 300 and tree.fact.height() > 24)
    # Heights that depend on widths are set in the next pass of the layout.
    until(qtbot, lambda: tree.fact.y() > tree.picture.geometry().bottom())
    until(qtbot, lambda: tree.path.y() > tree.fact.geometry().bottom())
