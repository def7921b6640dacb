"""Which matrix is shown, when it is computed, and what is said in its place."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton
from pytestqt.qtbot import QtBot
from ui.toy import WORDS, look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.matrix import KINDS, MatrixRequest, MatrixResult, compute
from workbench.core.run import Phase, Run
from workbench.ui.panel import Context
from workbench.ui.panels.matrix import MatrixPanel

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: Context, qtbot: QtBot) -> Iterator[MatrixPanel]:
    made = MatrixPanel(context)
    qtbot.addWidget(made)
    made.resize(700, 520)
    made.show()
    made.activateWindow()
    yield made
    made.release()


@pytest.fixture
def shown(panel: MatrixPanel, qtbot: QtBot) -> MatrixPanel:
    """With a corpus, a model and the first picture."""
    look_at(panel.session, toy_model(negative=3))
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: panel.idle and panel.view.result is not None)
    return panel


def choose(panel: MatrixPanel, qtbot: QtBot, *, kind: str = "", source: str = "") -> None:
    for box, value in ((panel.kind, kind), (panel.source, source)):
        if value:
            box.setFocus()
            box.setCurrentIndex(box.findData(value))
    until(qtbot, lambda: panel.idle)


def words_of(panel: MatrixPanel) -> tuple[str, ...]:
    return panel.view.result.words if panel.view.result is not None else ()


def notice(panel: MatrixPanel) -> str:
    found = panel.findChild(QLabel, "matrix.here.notice")
    assert found is not None
    return found.text() if found.isVisible() else ""


def readout(panel: MatrixPanel) -> str:
    found = panel.findChild(QLabel, "matrix.readout")
    assert found is not None
    return found.accessibleName()


def type_words(panel: MatrixPanel, text: str, qtbot: QtBot) -> None:
    panel.words.setFocus()
    panel.words.selectAll()
    qtbot.keyClicks(panel.words, text)
    qtbot.keyClick(panel.words, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.idle)


def test_without_a_corpus_it_says_what_to_do(panel: MatrixPanel) -> None:
    assert panel.state == "empty"


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_is_drawn(shown: MatrixPanel, kind: str, qtbot: QtBot) -> None:
    choose(shown, qtbot, kind=kind)
    result = shown.view.result
    assert result is not None
    assert result.kind == kind
    assert shown.view.isVisible()
    assert readout(shown).startswith(KINDS[kind].label)


def test_counts_are_those_of_the_analysis(shown: MatrixPanel, qtbot: QtBot) -> None:
    choose(shown, qtbot, kind="count")
    expected = compute(toy_corpus(), MatrixRequest(kind="count", top=25))
    assert shown.view.result is not None
    assert shown.view.result.words == expected.words
    np.testing.assert_array_equal(shown.view.result.values, expected.values)


def test_it_waits_until_somebody_looks(context: Context, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def counting(corpus: object, request: MatrixRequest, *rest: object) -> MatrixResult:
        asked.append(request.kind)
        return compute(corpus, request, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr("workbench.ui.panels.matrix.compute", counting)
    panel = MatrixPanel(context)
    qtbot.addWidget(panel)
    open_corpus(panel.session, toy_corpus())
    assert panel.idle
    panel.kind.setCurrentIndex(panel.kind.findData("npmi"))
    panel.show()
    until(qtbot, lambda: panel.view.result is not None)
    panel.hide()
    panel.kind.setCurrentIndex(panel.kind.findData("pmi"))
    panel.kind.setCurrentIndex(panel.kind.findData("count"))
    assert panel.idle
    panel.show()
    until(qtbot, lambda: panel.view.result is not None and panel.view.result.kind == "count")
    assert asked == ["npmi", "count"]
    panel.release()


def test_how_many_words_is_chosen(shown: MatrixPanel, qtbot: QtBot) -> None:
    shown.top.setFocus()
    shown.top.selectAll()
    qtbot.keyClicks(shown.top, "4")
    qtbot.keyClick(shown.top, Qt.Key.Key_Return)
    until(qtbot, lambda: words_of(shown) == tuple(toy_corpus().words[:4]))


def test_typed_words_are_shown(shown: MatrixPanel, qtbot: QtBot) -> None:
    choose(shown, qtbot, source="typed")
    assert notice(shown) == "Which words?"
    assert shown.view.result is None
    type_words(shown, "queen, king queen man", qtbot)
    assert words_of(shown) == ("queen", "king", "man")


def test_an_unknown_word_is_told_in_place_of_the_picture(shown: MatrixPanel, qtbot: QtBot) -> None:
    choose(shown, qtbot, source="typed")
    type_words(shown, "king zebra", qtbot)
    assert notice(shown) == "“zebra” is not in the vocabulary."
    assert shown.words.property("invalid") == "true"
    assert shown.view.result is None
    type_words(shown, "king man", qtbot)
    assert words_of(shown) == ("king", "man")
    assert shown.words.property("invalid") == ""


def test_it_follows_the_selection(shown: MatrixPanel, qtbot: QtBot) -> None:
    choose(shown, qtbot, source="selection")
    assert notice(shown) == "No words selected"
    shown.session.select(["king", "queen", "saw"])
    until(qtbot, lambda: words_of(shown) == ("king", "queen", "saw"))
    shown.session.select([])
    assert shown.view.result is None


def test_a_click_selects_the_pair_and_keeps_the_picture(shown: MatrixPanel, qtbot: QtBot) -> None:
    choose(shown, qtbot, source="selection")
    shown.session.select(["king", "queen", "saw"])
    until(qtbot, lambda: len(words_of(shown)) == 3)
    for row, column, selected in ((0, 2, ("saw", "king")), (1, 1, ("queen",))):
        qtbot.mouseClick(shown.view, LEFT, pos=shown.view.cell_rect(row, column).center().toPoint())
        assert shown.session.selection == selected
        assert shown.idle
    choose(shown, qtbot, kind="count")
    assert words_of(shown) == ("king", "queen", "saw")
    shown.session.select(["man"])
    until(qtbot, lambda: words_of(shown) == ("man",))


def test_neighbours_stand_against_the_contexts_they_share(shown: MatrixPanel, qtbot: QtBot) -> None:
    shown.session.select(["queen"])
    choose(shown, qtbot, source="near", kind="ppmi")
    result = shown.view.result
    assert result is not None
    assert result.words[:2] == ("queen", "princess")
    assert set(result.words) <= set(WORDS) & set(toy_corpus().words)
    assert set(result.columns) <= set(toy_corpus().words)
    shared = np.nansum(result.values, axis=0)
    assert (shared > 0).all()
    assert (np.diff(shared) <= 1e-9).all()


def test_the_pointer_reads_numbers(shown: MatrixPanel, qtbot: QtBot) -> None:
    qtbot.mouseMove(shown.view, shown.view.cell_rect(0, 1).center().toPoint())
    until(qtbot, lambda: readout(shown).startswith("the · "))


def test_k_is_taken_from_the_model_and_can_be_changed(shown: MatrixPanel, qtbot: QtBot) -> None:
    assert shown.negative.value() == 3
    assert not shown.negative.isVisible()
    choose(shown, qtbot, kind="xstar")
    assert shown.negative.isVisible()
    assert shown.view.result is not None
    before = shown.view.result.values.copy()
    shown.negative.setValue(6)
    until(qtbot, lambda: shown.idle)
    difference = before - shown.view.result.values
    seen = difference == difference
    assert difference[seen] == pytest.approx(0.6931, abs=1e-4)


def test_vectors_without_contexts_are_told_and_left_again(panel: MatrixPanel, qtbot: QtBot) -> None:
    look_at(panel.session, toy_model(contexts=False))
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: panel.view.result is not None)
    choose(panel, qtbot, kind="model")
    assert "without context vectors" in notice(panel)
    assert panel.view.result is None
    choose(panel, qtbot, kind="ppmi")
    assert panel.view.isVisible()
    assert panel.view.result is not None


def test_vectors_without_a_corpus_show_their_own_products(panel: MatrixPanel, qtbot: QtBot) -> None:
    look_at(panel.session, toy_model())
    until(qtbot, lambda: "needs the corpus" in notice(panel))
    choose(panel, qtbot, kind="model")
    assert words_of(panel) == tuple(WORDS)


def test_a_corpus_on_its_way_is_waited_for(panel: MatrixPanel, qtbot: QtBot) -> None:
    go = threading.Event()
    session = panel.session
    look_at(session, toy_model())
    session.opening = session.jobs.start("Opening", lambda run: go.wait(30))  # type: ignore[assignment]
    session.corpus_changed.emit()
    assert notice(panel) == "Opening the corpus …"
    session.opening = None
    go.set()
    open_corpus(session, toy_corpus())
    until(qtbot, lambda: panel.view.result is not None and panel.view.isVisible())


def test_a_closed_corpus_and_a_deleted_model_lead_back(shown: MatrixPanel, qtbot: QtBot) -> None:
    shown.session.delete(shown.session.runs[0])
    until(qtbot, lambda: shown.idle)
    assert shown.state == "body"
    open_corpus(shown.session, None)
    assert shown.state == "empty"
    assert shown.view.result is None


def test_counting_tells_how_far_it_is_and_is_cancelled(
    panel: MatrixPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(corpus: object, request: MatrixRequest, embeddings: object, run: Run) -> MatrixResult:
        run.enter(Phase.COUNTING, "Counting pairs.")
        while True:
            run.advance(0.25)
            threading.Event().wait(0.005)
            run.check()

    monkeypatch.setattr("workbench.ui.panels.matrix.compute", endless)
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: notice(panel) == "Counting pairs …")
    button = panel.findChild(QPushButton, "matrix.here.notice.action")
    assert button is not None
    assert button.text() == "Cancel"
    qtbot.mouseClick(button, LEFT)
    until(qtbot, lambda: notice(panel) == "Counting was cancelled")
    monkeypatch.setattr("workbench.ui.panels.matrix.compute", compute)
    qtbot.mouseClick(button, LEFT)
    until(qtbot, lambda: panel.view.isVisible() and panel.view.result is not None)


def test_a_slow_picture_never_overwrites_a_newer_one(
    shown: MatrixPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def slow(corpus: object, request: MatrixRequest, *rest: object) -> MatrixResult:
        if request.kind == "npmi":
            go.wait(30)
        return compute(corpus, request, *rest[:1])  # type: ignore[arg-type]

    monkeypatch.setattr("workbench.ui.panels.matrix.compute", slow)
    shown.kind.setCurrentIndex(shown.kind.findData("npmi"))
    shown.kind.setCurrentIndex(shown.kind.findData("pmi"))
    until(qtbot, lambda: shown.view.result is not None and shown.view.result.kind == "pmi")
    shown.kind.setCurrentIndex(shown.kind.findData("npmi"))
    shown.source.setCurrentIndex(shown.source.findData("typed"))
    go.set()
    until(qtbot, lambda: not shown.session.jobs.active)
    assert shown.view.result is None
    assert notice(shown) == "Which words?"


def test_numbers_and_picture_are_exported(
    shown: MatrixPanel, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, kind, path in (
        ("numbers", "Numbers (*.csv)", tmp_path / "numbers.csv"),
        ("picture", "Picture (*.png)", tmp_path / "picture.png"),
    ):
        chosen = (str(tmp_path / name), kind)
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_, chosen=chosen: chosen)
        qtbot.mouseClick(shown.export, LEFT)
        assert readout(shown) == f"Written to {path.name}."
    assert (tmp_path / "numbers.csv").read_text("utf-8").startswith(",the,")
    assert QImage(str(tmp_path / "picture.png")).width() == 2 * shown.view.width()
    shown.export_to(tmp_path / "missing" / "numbers.csv")
    assert "numbers.csv" in readout(shown)
    assert not (tmp_path / "missing").exists()
