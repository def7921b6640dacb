"""The choice of a matrix, the time when it is computed, and the messages shown instead of it."""

from __future__ import annotations

import csv
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot
from ui.toy import WORDS, look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.matrix.board import Board, BoardRequest, compute_board
from workbench.analysis.matrix.values import KINDS, MatrixRequest, compute
from workbench.core.job_control import JobControl, Phase
from workbench.corpus.corpus import Corpus
from workbench.corpus.loader import open_corpus as read_text
from workbench.corpus.pictures.picture import PictureParams, face, picture_corpus
from workbench.session.lessons import bundled_lessons
from workbench.session.lessons.actions import Put
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.settings.session_settings import MATRIX_KINDS, MATRIX_SHARED
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.theme import DARK, SPACE_2, SPACE_3
from workbench.ui.export.figure_dialog import FigureDialog
from workbench.ui.panels.lessons.stage import LessonStage
from workbench.ui.panels.matrix.image import make_images
from workbench.ui.panels.matrix.pane_headers import PaneHeader
from workbench.ui.panels.matrix.panel import MatrixPanel
from workbench.ui.shell.hidden_controls import HiddenControls
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[MatrixPanel]:
    new_panel = MatrixPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(700, 520)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


@pytest.fixture
def model_panel(panel: MatrixPanel, qtbot: QtBot) -> MatrixPanel:
    """The panel with a corpus, a model and the first picture, of PPMI alone."""
    panel.view_state = panel.view_state.replace(kinds=("ppmi",))
    look_at(panel.session, toy_model(negative=3))
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: panel.idle and first(panel) is not None)
    return panel


def choose(panel: MatrixPanel, qtbot: QtBot, *, kind: str = "", source: str = "") -> None:
    for box, value in ((panel.heads.all[0].kind, kind), (panel.controls.source, source)):
        if value:
            box.setFocus()
            box.setCurrentIndex(box.findData(value))
    until(qtbot, lambda: panel.idle)
    # Controls without room move into the popup in the next turn of the event loop.
    qtbot.wait(1)


def first(panel: MatrixPanel) -> Any:
    """Content of the first pane, a MatrixResult; None while a message is shown."""
    board = panel.view.board
    return None if board is None or panel.view.covered else board.panes[0]


def words_of(panel: MatrixPanel) -> tuple[str, ...]:
    return first(panel).words if first(panel) is not None else ()


def kinds_of(panel: MatrixPanel) -> list[str]:
    """Kinds of the matrices that are shown."""
    return [head.choice[0] for head in panel.heads.visible_heads]


def notice(panel: MatrixPanel) -> str:
    found = panel.findChild(QLabel, "matrix.here.notice")
    assert found is not None
    return found.text() if found.isVisible() else ""


def readout(panel: MatrixPanel) -> str:
    found = panel.findChild(QLabel, "matrix.readout")
    assert found is not None
    return found.accessibleName()


def type_words(panel: MatrixPanel, text: str, qtbot: QtBot) -> None:
    panel.controls.words.setFocus()
    panel.controls.words.selectAll()
    qtbot.keyClicks(panel.controls.words, text)
    qtbot.keyClick(panel.controls.words, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.idle)


def test_without_a_corpus_it_says_what_to_do(panel: MatrixPanel) -> None:
    assert panel.state == "empty"


@pytest.mark.parametrize("kind", list(KINDS))
def test_every_kind_is_drawn(model_panel: MatrixPanel, kind: str, qtbot: QtBot) -> None:
    choose(model_panel, qtbot, kind=kind)
    result = first(model_panel)
    assert result is not None
    assert result.kind == kind
    assert result.title
    assert readout(model_panel).startswith(result.label)
    for place in ((0, 1), (2, 0)):
        point(model_panel, place)
        assert readout(model_panel).startswith(
            f"{result.words[place[0]]} · {result.columns[place[1]]}"
        )


def test_counts_are_those_of_the_analysis(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    choose(model_panel, qtbot, kind="count")
    expected = compute(toy_corpus(), MatrixRequest(kind="count", top=25))
    assert first(model_panel) is not None
    assert first(model_panel).words == expected.words
    np.testing.assert_array_equal(first(model_panel).values, expected.values)


def test_it_waits_until_somebody_looks(
    context: PanelContext, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    kinds: list[str] = []

    def counting(corpus: Corpus | None, request: BoardRequest, run: JobControl) -> Board:
        kinds.append(request.panes[0].kind)
        return compute_board(corpus, request, run)

    monkeypatch.setattr("workbench.ui.panels.matrix.board_job.compute_board", counting)
    panel = MatrixPanel(context)
    qtbot.addWidget(panel)
    open_corpus(panel.session, toy_corpus())
    assert panel.idle
    panel.heads.all[0].kind.setCurrentIndex(panel.heads.all[0].kind.findData("npmi"))
    panel.show()
    until(qtbot, lambda: first(panel) is not None)
    panel.hide()
    panel.heads.all[0].kind.setCurrentIndex(panel.heads.all[0].kind.findData("pmi"))
    panel.heads.all[0].kind.setCurrentIndex(panel.heads.all[0].kind.findData("count"))
    assert panel.idle
    panel.show()
    until(qtbot, lambda: first(panel) is not None and first(panel).kind == "count")
    assert kinds == ["npmi", "count"]
    panel.release()


def test_how_many_words_is_chosen(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    assert model_panel.controls.source_key == "content"
    model_panel.controls.source.setCurrentIndex(model_panel.controls.source.findData("top"))
    model_panel.controls.top.setFocus()
    model_panel.controls.top.selectAll()
    qtbot.keyClicks(model_panel.controls.top, "4")
    qtbot.keyClick(model_panel.controls.top, Qt.Key.Key_Return)
    until(qtbot, lambda: words_of(model_panel) == tuple(toy_corpus().words[:4]))


def test_typed_words_are_shown(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    choose(model_panel, qtbot, source="typed")
    assert notice(model_panel) == "Which words?"
    assert first(model_panel) is None
    type_words(model_panel, "queen, king queen man", qtbot)
    assert words_of(model_panel) == ("queen", "king", "man")


def test_an_unknown_word_is_told_in_place_of_the_picture(
    model_panel: MatrixPanel, qtbot: QtBot
) -> None:
    choose(model_panel, qtbot, source="typed")
    type_words(model_panel, "zebra", qtbot)
    assert notice(model_panel) == "“zebra” is not in the vocabulary."
    assert model_panel.controls.words.property("invalid") == "true"
    assert first(model_panel) is None
    type_words(model_panel, "king man", qtbot)
    assert words_of(model_panel) == ("king", "man")
    assert model_panel.controls.words.property("invalid") == ""


def test_unknown_words_of_a_list_are_left_out_and_told(
    model_panel: MatrixPanel, qtbot: QtBot
) -> None:
    choose(model_panel, qtbot, source="typed")
    type_words(model_panel, "king zebra quen man", qtbot)
    assert words_of(model_panel) == ("king", "man")
    left_out = model_panel.findChild(QLabel, "matrix.left_out")
    assert left_out is not None
    assert left_out.isVisible()
    assert left_out.accessibleName() == (
        "Left out (not in the vocabulary): “zebra”, “quen”. Did you mean “queen” for “quen”?"
    )
    assert model_panel.controls.words.property("invalid") == ""
    type_words(model_panel, "king man", qtbot)
    assert not left_out.isVisible()


def test_it_follows_the_selection(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    choose(model_panel, qtbot, source="selection")
    assert notice(model_panel) == "No words selected"
    model_panel.session.selection.select(["king", "queen", "saw"])
    until(qtbot, lambda: words_of(model_panel) == ("king", "queen", "saw"))
    model_panel.session.selection.select([])
    assert first(model_panel) is None


def test_a_click_selects_the_pair_and_keeps_the_picture(
    model_panel: MatrixPanel, qtbot: QtBot
) -> None:
    choose(model_panel, qtbot, source="selection")
    model_panel.session.selection.select(["king", "queen", "saw"])
    until(qtbot, lambda: len(words_of(model_panel)) == 3)
    for row, column, selection in ((0, 2, ("saw", "king")), (1, 1, ("queen",))):
        qtbot.mouseClick(
            model_panel.view, LEFT, pos=model_panel.view.cell_rect(row, column).center().toPoint()
        )
        assert model_panel.session.selection.words == selection
        assert model_panel.idle
    choose(model_panel, qtbot, kind="count")
    assert words_of(model_panel) == ("king", "queen", "saw")
    model_panel.session.selection.select(["man"])
    until(qtbot, lambda: words_of(model_panel) == ("man",))


def test_neighbours_stand_against_the_contexts_they_share(
    model_panel: MatrixPanel, qtbot: QtBot
) -> None:
    model_panel.session.selection.select(["queen"])
    choose(model_panel, qtbot, source="near", kind="ppmi")
    result = first(model_panel)
    assert result is not None
    assert result.words[:2] == ("queen", "princess")
    assert set(result.words) <= set(WORDS) & set(toy_corpus().words)
    assert set(result.columns) <= set(toy_corpus().words)
    shared = np.nansum(result.values, axis=0)
    assert (shared > 0).all()
    assert (np.diff(shared) <= 1e-9).all()


def test_the_pointer_reads_numbers(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    qtbot.mouseMove(model_panel.view, model_panel.view.cell_rect(0, 1).center().toPoint())
    until(qtbot, lambda: readout(model_panel).startswith("the · "))


def test_k_is_taken_from_the_model_and_can_be_changed(
    model_panel: MatrixPanel, qtbot: QtBot
) -> None:
    assert model_panel.controls.negative.value() == 3
    assert not model_panel.controls.negative.isVisible()
    choose(model_panel, qtbot, kind="xstar")
    assert model_panel.controls.negative.isVisible()
    assert first(model_panel) is not None
    before = first(model_panel).values.copy()
    model_panel.controls.negative.setValue(6)
    until(qtbot, lambda: model_panel.idle)
    difference = before - first(model_panel).values
    finite = difference == difference
    assert difference[finite] == pytest.approx(0.6931, abs=1e-4)


def test_vectors_without_contexts_are_told_and_left_again(panel: MatrixPanel, qtbot: QtBot) -> None:
    look_at(panel.session, toy_model(contexts=False))
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: first(panel) is not None)
    choose(panel, qtbot, kind="model")
    assert "no context vectors" in notice(panel)
    assert first(panel) is None
    choose(panel, qtbot, kind="ppmi")
    assert first(panel) is not None


def test_vectors_without_a_corpus_show_their_own_products(panel: MatrixPanel, qtbot: QtBot) -> None:
    look_at(panel.session, toy_model())
    until(qtbot, lambda: bool(words_of(panel)))
    assert kinds_of(panel) == ["model"]
    assert words_of(panel) == tuple(WORDS)
    choose(panel, qtbot, kind="ppmi")
    until(qtbot, lambda: "needs the corpus" in notice(panel))


def test_it_begins_with_the_model_beside_its_own_target_on_one_scale(
    panel: MatrixPanel, qtbot: QtBot
) -> None:
    session = panel.session
    open_corpus(session, toy_corpus())
    assert kinds_of(panel) == ["ppmi"]
    record = look_at(session, toy_model())
    until(qtbot, lambda: panel.idle and first(panel) is not None)
    assert kinds_of(panel) == ["target", "model"]
    assert panel.shared.isChecked()
    one, two = (picture.scale for picture in panel.view.pictures if picture is not None)
    assert (one.low, one.high, one.centre0) == (two.low, two.high, True)
    # The counts of another text don't match, and vectors without contexts have no products.
    record.corpus_digest = "another"
    open_corpus(session, toy_corpus("third"))
    assert kinds_of(panel) == ["ppmi"]
    look_at(session, toy_model(contexts=False))
    assert kinds_of(panel) == ["ppmi"]
    # A choice is kept, whatever model is active.
    panes(panel, qtbot, "count")
    look_at(session, toy_model())
    assert kinds_of(panel) == ["count"]


def test_a_choice_for_a_view_that_is_not_there_adds_it(panel: MatrixPanel, qtbot: QtBot) -> None:
    """Lessons choose the second view like this."""
    open_corpus(panel.session, toy_corpus())
    choose(panel, qtbot, kind="count")
    box = panel.heads.all[1].kind
    box.setCurrentIndex(box.findData("npmi"))
    until(qtbot, lambda: panel.idle and first(panel) is not None)
    assert kinds_of(panel) == ["count", "npmi"]


def test_a_corpus_on_its_way_is_waited_for(panel: MatrixPanel, qtbot: QtBot) -> None:
    go = threading.Event()
    session = panel.session
    look_at(session, toy_model())
    session.corpora.opening = session.jobs.start("Opening", lambda run: go.wait(30))
    session.corpora.changed.emit()
    assert notice(panel) == "Opening the corpus…"
    session.corpora.opening = None
    go.set()
    open_corpus(session, toy_corpus())
    until(qtbot, lambda: first(panel) is not None)


def test_a_closed_corpus_and_a_deleted_model_lead_back(
    model_panel: MatrixPanel, qtbot: QtBot
) -> None:
    model_panel.session.runs.delete(model_panel.session.runs[0])
    until(qtbot, lambda: model_panel.idle)
    assert model_panel.state == "body"
    open_corpus(model_panel.session, None)
    assert model_panel.state == "empty"
    assert first(model_panel) is None


def test_counting_tells_how_far_it_is_and_is_cancelled(
    panel: MatrixPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def endless(corpus: object, request: BoardRequest, run: JobControl) -> Board:
        run.enter(Phase.COUNTING, "Counting pairs.")
        while True:
            run.advance(0.25)
            threading.Event().wait(0.005)
            run.check()

    monkeypatch.setattr("workbench.ui.panels.matrix.board_job.compute_board", endless)
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: notice(panel) == "Counting pairs …")
    button = panel.findChild(QPushButton, "matrix.here.notice.action")
    assert button is not None
    assert button.text() == "Cancel"
    qtbot.mouseClick(button, LEFT)
    until(qtbot, lambda: notice(panel) == "Counting was cancelled")
    monkeypatch.setattr("workbench.ui.panels.matrix.board_job.compute_board", compute_board)
    qtbot.mouseClick(button, LEFT)
    until(qtbot, lambda: first(panel) is not None)


def test_a_slow_picture_never_overwrites_a_newer_one(
    model_panel: MatrixPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def slow(corpus: Corpus | None, request: BoardRequest, run: JobControl) -> Board:
        if request.panes[0].kind == "npmi":
            go.wait(30)
            run = JobControl()
        return compute_board(corpus, request, run)

    monkeypatch.setattr("workbench.ui.panels.matrix.board_job.compute_board", slow)
    model_panel.heads.all[0].kind.setCurrentIndex(model_panel.heads.all[0].kind.findData("npmi"))
    model_panel.heads.all[0].kind.setCurrentIndex(model_panel.heads.all[0].kind.findData("pmi"))
    until(qtbot, lambda: first(model_panel) is not None and first(model_panel).kind == "pmi")
    model_panel.heads.all[0].kind.setCurrentIndex(model_panel.heads.all[0].kind.findData("npmi"))
    model_panel.controls.source.setCurrentIndex(model_panel.controls.source.findData("typed"))
    go.set()
    until(qtbot, lambda: not model_panel.session.jobs.active)
    assert first(model_panel) is None
    assert notice(model_panel) == "Which words?"


def test_figures_and_tables_are_saved(
    model_panel: MatrixPanel, tmp_path: Path, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    messages: list[str] = []
    model_panel.session.message.connect(lambda text, hint, bad: messages.append(text))
    panes(model_panel, qtbot, "ppmi", "model")
    menu = model_panel.export.menu()

    def save(text: str, name: str) -> Path:
        monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / name), ""))
        menu.aboutToShow.emit()
        next(action for action in menu.actions() if action.text() == text).trigger()
        for dialog in model_panel.findChildren(FigureDialog):
            qtbot.mouseClick(dialog.save, Qt.MouseButton.LeftButton)
        until(qtbot, lambda: messages and messages[-1] == f"Saved {name} from Matrix.")
        return tmp_path / name

    for suffix in (".png", ".svg", ".pdf"):
        assert save("Save figure…", f"figure{suffix}").stat().st_size > 1000
    assert QImage(str(tmp_path / "figure.png")).width() == round(174 / 25.4 * 300)
    words = words_of(model_panel)
    rows = list(csv.reader(save("Save data…", "all.csv").read_text("utf-8").splitlines()))
    assert rows[0] == ["word", "context", "PPMI · toy", "Model W·Cᵀ · toy", "#(w,c)"]
    assert len(rows) == 1 + len(words) ** 2
    board = model_panel.view.board
    assert board is not None
    at = 1 + 2 * len(words) + 1
    assert rows[at][:2] == [words[2], words[1]]
    assert [float(value) for value in rows[at][2:4]] == [
        result.values[2, 1] for result in board.results
    ]
    one = list(
        csv.reader(
            save("Save data of Model W·Cᵀ · toy…", "one.csv").read_text("utf-8").splitlines()
        )
    )
    assert one[0] == ["", *words]
    assert float(one[3][2]) == board.results[1].values[2, 1]
    model_panel.exports.save_data(tmp_path / "missing" / "numbers.csv")
    until(qtbot, lambda: "numbers.csv" in messages[-1] and "Saved" not in messages[-1])
    assert not (tmp_path / "missing").exists()


# -- several views


def panes(panel: MatrixPanel, qtbot: QtBot, *kinds: str) -> None:
    """Show matrices of these kinds side by side, with the button and the boxes."""
    while panel.heads.number < len(kinds):
        qtbot.mouseClick(panel.add, LEFT)
    for head, kind in zip(panel.heads.visible_heads, kinds, strict=True):
        head.kind.setCurrentIndex(head.kind.findData(kind))
    until(qtbot, lambda: panel.idle and panel.view.board is not None)


def point(panel: MatrixPanel, cell: tuple[int, int], pane: int = 0) -> None:
    place = panel.view.cell_rect(*cell, pane).center().toPoint()
    QTest.mouseMove(panel.view, place + QPoint(1, 0))
    QTest.mouseMove(panel.view, place)
    QTest.qWait(1)


def test_views_are_added_chosen_and_removed(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    for number in (2, 3, 4):
        qtbot.mouseClick(model_panel.add, LEFT)
        until(
            qtbot,
            lambda number=number: (
                model_panel.view.board is not None and len(model_panel.view.board.panes) == number
            ),
        )
    assert not model_panel.add.isEnabled()
    board = model_panel.view.board
    assert board is not None
    assert [result.kind for result in board.results] == ["ppmi", "target", "model", "residual"]
    assert [result.words for result in board.results] == [board.words] * 4
    _, target, product, residual = (result.values for result in board.results)
    np.testing.assert_allclose(residual, product - target)
    qtbot.mouseClick(model_panel.heads.all[0].close_, LEFT)
    until(
        qtbot, lambda: model_panel.view.board is not None and len(model_panel.view.board.panes) == 3
    )
    assert first(model_panel).kind == "target"
    assert model_panel.session.settings.all().get("matrix.kinds") == ["target", "model", "residual"]
    for _ in range(2):
        qtbot.mouseClick(model_panel.heads.all[0].close_, LEFT)
    until(
        qtbot, lambda: model_panel.view.board is not None and len(model_panel.view.board.panes) == 1
    )
    assert not model_panel.heads.all[0].close_.isVisible()


def test_another_run_stands_beside_the_shown_one(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    vectors = np.eye(len(WORDS), dtype=np.float32)
    other = Embeddings(
        list(WORDS), vectors, contexts=2 * vectors, metadata={"parameters": {"min_count": 1}}
    )
    record = RunRecord(
        "b", "other", "", {}, "", "", "2026-01-01", state=State.DONE, embeddings=other
    )
    model_panel.session.runs.append(record)
    model_panel.session.runs.changed.emit()
    panes(model_panel, qtbot, "model", "model")
    box = model_panel.heads.all[1].run
    box.setFocus()
    qtbot.keyClicks(box, "other")
    until(qtbot, lambda: model_panel.idle and model_panel.view.board is not None)
    assert box.currentText() == "other"
    board = model_panel.view.board
    assert board is not None
    first_, second = (result.values for result in board.results)
    np.testing.assert_array_equal(second, 2 * np.eye(len(board.words)))
    assert (first_ != second).any()
    model_panel.session.runs.delete(record)
    until(qtbot, lambda: model_panel.idle and model_panel.view.board is not None)
    assert box.currentData() == ""


def test_a_view_that_cannot_be_made_leaves_the_others(panel: MatrixPanel, qtbot: QtBot) -> None:
    look_at(panel.session, toy_model(contexts=False))
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: panel.view.board is not None)
    panes(panel, qtbot, "ppmi", "model")
    board = panel.view.board
    assert board is not None
    assert len(board.results) == 1
    assert "no context vectors" in str(board.panes[1])
    assert readout(panel).startswith("max(PMI")


def test_one_scale_for_views_of_one_unit(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    assert not model_panel.shared.isVisible()
    panes(model_panel, qtbot, "pmi", "xstar")
    highs = lambda: [image.scale.high for image in model_panel.view.pictures if image is not None]  # noqa: E731
    before = highs()
    assert before[0] != before[1]
    model_panel.shared.setFocus()
    qtbot.keyClick(model_panel.shared, Qt.Key.Key_Space)
    until(qtbot, lambda: highs() == [max(before)] * 2)
    assert model_panel.session.settings.all().get("matrix.shared") is True


def test_a_model_beside_counts_is_brought_beside_its_own_target_in_the_same_look(
    model_panel: MatrixPanel, qtbot: QtBot
) -> None:
    record = model_panel.session.active.run
    assert record is not None
    record.algorithm = "sgns"
    model_panel.resize(1400, 600)
    assert not model_panel.met.isVisible()
    panes(model_panel, qtbot, "pmi", "model")
    assert model_panel.met.isVisible()
    assert model_panel.met.isChecked()
    finite = lambda: [np.isfinite(one.values) for one in model_panel.view.board.results]  # noqa: E731
    assert not finite()[0].all()
    np.testing.assert_array_equal(*finite())
    assert model_panel.shared.isChecked()
    qtbot.mouseClick(model_panel._parts.compare, LEFT)
    until(
        qtbot,
        lambda: (
            model_panel.idle
            and first(model_panel) is not None
            and first(model_panel).kind == "target"
        ),
    )
    assert [head.choice[0] for head in model_panel.heads.visible_heads] == ["target", "model"]
    assert model_panel._parts.compare.text() == "Compare with PMI"
    np.testing.assert_array_equal(*finite())
    assert model_panel.shared.isChecked()
    one, two = (picture.scale for picture in model_panel.view.pictures if picture is not None)
    assert (one.low, one.high, one.centre0) == (two.low, two.high, True)
    # PMI is the step before, one click away.
    qtbot.mouseClick(model_panel._parts.compare, LEFT)
    until(qtbot, lambda: model_panel.idle and kinds_of(model_panel) == ["pmi", "model"])
    assert model_panel._parts.compare.text() == "Compare with own target"
    qtbot.mouseClick(model_panel._parts.compare, LEFT)
    until(qtbot, lambda: model_panel.idle and kinds_of(model_panel) == ["target", "model"])
    model_panel.met.setFocus()
    qtbot.keyClick(model_panel.met, Qt.Key.Key_Space)
    until(qtbot, lambda: model_panel.idle and finite()[1].all())
    assert model_panel.session.settings.all().get("matrix.met") is False
    # A scale chosen by hand is kept.
    qtbot.mouseClick(model_panel.shared, LEFT, pos=QPoint(8, model_panel.shared.height() // 2))
    until(qtbot, lambda: model_panel.idle)
    panes(model_panel, qtbot, "target", "model")
    assert not model_panel.shared.isChecked()


@pytest.mark.parametrize(
    ("algorithm", "kinds"),
    [
        ("sgns", ["target", "model"]),
        ("glove", ["target", "score"]),
        ("skipgram-softmax", ["target", "score"]),
        ("lsa", ["pmi", "model"]),
    ],
)
def test_the_first_views_are_what_a_run_approximates_and_its_scores(
    panel: MatrixPanel, qtbot: QtBot, algorithm: str, kinds: list[str]
) -> None:
    open_corpus(panel.session, toy_corpus())
    record = look_at(panel.session, toy_model())
    record.algorithm = algorithm
    panel._refresh_views()
    assert kinds_of(panel) == kinds
    panel._parts.update_controls()
    assert panel._parts.compare.isVisible() == (kinds[0] == "target")
    until(qtbot, lambda: panel.idle)


def control_rows(panel: MatrixPanel) -> set[int]:
    """Vertical middles of the visible controls above the matrices."""
    controls = (panel.controls.source, panel.controls.order, *panel.finding.fields, panel.export)
    return {one.geometry().center().y() for one in controls if one.isVisible()}


def test_a_single_matrix_owns_the_page_below_one_row_of_controls(
    model_panel: MatrixPanel, qtbot: QtBot
) -> None:
    model_panel.resize(1440, 760)
    until(qtbot, lambda: model_panel.idle and model_panel.view.width() > 1400)
    qtbot.wait(1)
    frame = model_panel.view.frame
    cells = frame.visible_rect(0)
    picture = cells.united(frame.heads[0]).united(frame.scale_place(0)).adjusted(0, 0, 0, 0)
    share = picture.width() * picture.height() / (model_panel.width() * model_panel.height())
    assert share >= 0.55
    assert cells.bottom() >= model_panel.view.height() - frame.rows - 20
    assert frame.cell.width() == frame.cell.height()
    assert len({y // 8 for y in control_rows(model_panel)}) == 1
    # The matrices lie on the page.
    corner = model_panel.view.grab().toImage().pixelColor(3, model_panel.view.height() - 4)
    assert corner.name() == model_panel.theme.palette.ground.lower()


def test_controls_without_room_move_into_a_popup_and_back(
    model_panel: MatrixPanel, qtbot: QtBot
) -> None:
    panes(model_panel, qtbot, "pmi", "model")
    more = model_panel.findChild(QToolButton, "matrix.more")
    model_panel.resize(1500, 600)
    until(qtbot, lambda: not more.isVisible() and model_panel.shared.isVisible())
    model_panel.resize(820, 600)
    until(qtbot, lambda: more.isVisible() and not model_panel.shared.isVisible())
    assert len({y // 8 for y in control_rows(model_panel)}) == 1
    before = model_panel.shared.isChecked()
    qtbot.mouseClick(more, LEFT)
    until(qtbot, model_panel.shared.isVisible)
    model_panel.shared.setFocus()
    qtbot.keyClick(model_panel.shared, Qt.Key.Key_Space)
    assert model_panel.shared.isChecked() != before
    qtbot.keyClick(model_panel.shared.window(), Qt.Key.Key_Escape)
    until(qtbot, lambda: not model_panel.shared.isVisible())
    model_panel.resize(1500, 600)
    until(qtbot, lambda: model_panel.shared.isVisible() and not more.isVisible())


def test_another_theme_has_other_colours(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    choose(model_panel, qtbot, kind="model")
    before = model_panel.view.pictures
    model_panel.theme.choose("dark")
    until(qtbot, lambda: model_panel.idle and model_panel.view.pictures is not before)
    middle = model_panel.view.pictures[0].levels[0]
    model_panel.theme.choose("light")
    until(qtbot, lambda: model_panel.idle and model_panel.view.pictures[0].levels[0] != middle)


def test_a_theme_that_changes_while_counting_is_followed(
    model_panel: MatrixPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go = threading.Event()

    def slow(corpus: Corpus | None, request: BoardRequest, run: JobControl) -> Board:
        go.wait(30)
        return compute_board(corpus, request, run)

    monkeypatch.setattr("workbench.ui.panels.matrix.board_job.compute_board", slow)
    model_panel.heads.all[0].kind.setCurrentIndex(model_panel.heads.all[0].kind.findData("pmi"))
    model_panel.theme.choose("dark")
    go.set()
    until(
        qtbot,
        lambda: (
            model_panel.idle and first(model_panel) is not None and first(model_panel).kind == "pmi"
        ),
    )
    dark = make_images(model_panel.view.board.panes, False, DARK)
    model_panel.theme.choose("light")
    assert model_panel.view.pictures[0].levels[0] == dark[0].levels[0]
    until(qtbot, lambda: model_panel.idle)


# -- orders


@pytest.mark.parametrize("order", ["alphabet", "rows", "vectors"])
def test_words_are_ordered(model_panel: MatrixPanel, qtbot: QtBot, order: str) -> None:
    before = words_of(model_panel)
    box = model_panel.controls.order
    box.setFocus()
    box.setCurrentIndex(box.findData(order))
    until(qtbot, lambda: model_panel.idle and first(model_panel) is not None)
    assert sorted(words_of(model_panel)) == sorted(before)
    assert model_panel.view.board is not None
    assert model_panel.view.board.columns == model_panel.view.board.words
    if order == "alphabet":
        assert words_of(model_panel) == tuple(sorted(before))
    expected = compute(toy_corpus(), MatrixRequest("ppmi", words_of(model_panel)))
    np.testing.assert_array_equal(first(model_panel).values, expected.values)
    assert box.toolTip()


# -- finding words


def find(panel: MatrixPanel, qtbot: QtBot, axis: int, text: str) -> None:
    field = panel.finding.fields[axis]
    field.setFocus()
    until(qtbot, lambda: not panel.session.jobs.busy("matrix.index"))
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_words_are_found_marked_and_gone_through(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    words = words_of(model_panel)
    find(model_panel, qtbot, 0, "prince")
    place = words.index("prince")
    assert model_panel.view.found_lines == ((place,), ())
    assert model_panel.view.cell == (place, 0)
    assert model_panel.finding.note.whole == f"“prince” is row {place + 1}. 1 of 2 found."
    field = model_panel.finding.fields[0]
    qtbot.keyClick(field, Qt.Key.Key_F3)
    other = words.index("princess")
    until(qtbot, lambda: model_panel.view.cell == (other, 0))
    qtbot.keyClick(field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert model_panel.view.cell == (place, 0)
    find(model_panel, qtbot, 1, "king")
    assert model_panel.view.found_lines == ((place,), (words.index("king"),))
    assert model_panel.view.cell == (place, words.index("king"))
    qtbot.keyClick(model_panel.finding.fields[1], Qt.Key.Key_Escape)
    assert model_panel.view.found_lines == ((place,), ())
    assert model_panel.view.hasFocus()


def test_a_word_that_is_begun_is_completed(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    field = model_panel.finding.fields[0]
    field.setFocus()
    until(qtbot, lambda: not model_panel.session.jobs.busy("matrix.index"))
    qtbot.keyClicks(field, "que")
    popup = field.completions
    until(qtbot, popup.isVisible)
    qtbot.keyClick(popup, Qt.Key.Key_Down)
    qtbot.keyClick(popup, Qt.Key.Key_Return)
    until(qtbot, lambda: model_panel.view.cell == (words_of(model_panel).index("queen"), 0))


def test_a_word_that_is_not_there_is_offered_and_added(
    model_panel: MatrixPanel, qtbot: QtBot
) -> None:
    model_panel.controls.source.setCurrentIndex(model_panel.controls.source.findData("top"))
    model_panel.controls.top.setValue(4)
    until(qtbot, lambda: len(words_of(model_panel)) == 4)
    missing = next(word for word in toy_corpus().words[4:] if word in WORDS)
    find(model_panel, qtbot, 0, missing)
    assert model_panel.finding.note.whole == f"“{missing}” isn’t in the rows."
    qtbot.mouseClick(model_panel.finding.add, LEFT)
    until(qtbot, lambda: len(words_of(model_panel)) == 5 and model_panel.view.cell == (4, 0))
    assert words_of(model_panel)[4] == missing
    assert not model_panel.finding.add.isVisible()
    find(model_panel, qtbot, 1, "zebra")
    assert model_panel.finding.note.whole == "“zebra” isn’t in the vocabulary."
    assert not model_panel.finding.add.isVisible()
    choose(model_panel, qtbot, source="typed")
    type_words(model_panel, "king man", qtbot)
    find(model_panel, qtbot, 0, "queen")
    qtbot.mouseClick(model_panel.finding.add, LEFT)
    until(qtbot, lambda: words_of(model_panel) == ("king", "man", "queen"))


def test_the_selected_pair_is_ringed_in_every_view(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    panes(model_panel, qtbot, "ppmi", "model")
    row, column = (words_of(model_panel).index(word) for word in ("king", "queen"))
    areas = [
        model_panel.view.cell_rect(row, column, pane).toRect().adjusted(-2, -2, 2, 2)
        for pane in (0, 1)
    ]
    before = model_panel.view.grab().toImage()
    model_panel.session.selection.select(("queen", "king"))
    after = model_panel.view.grab().toImage()
    assert all(before.copy(area) != after.copy(area) for area in areas)


def test_a_picture_is_shown_in_place_of_words(
    model_panel: MatrixPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    source = model_panel.controls.source
    assert source.findData("picture") < 0
    path = tmp_path / "face.txt"
    picture_corpus(face(8), PictureParams(size=8, pairs=4000), "face").write(path)
    open_corpus(model_panel.session, read_text([path]))
    until(qtbot, lambda: model_panel.idle and first(model_panel) is not None)
    assert model_panel.controls.source_key == "picture"
    until(qtbot, lambda: first(model_panel).words == tuple(f"r{i}" for i in range(8)))
    assert first(model_panel).columns == tuple(f"c{j}" for j in range(8))
    assert model_panel.view.board.picture
    choose(model_panel, qtbot, source="top")
    until(qtbot, lambda: "c0" in first(model_panel).words)
    assert not model_panel.view.board.picture
    choose(model_panel, qtbot, source="picture")
    open_corpus(model_panel.session, toy_corpus())
    until(qtbot, lambda: model_panel.idle and first(model_panel) is not None)
    assert model_panel.controls.source_key == "content"
    assert source.findData("picture") < 0


@pytest.mark.parametrize(("size", "width"), [(100, 380), (150, 570)])
def test_the_choices_above_a_matrix_grow_with_the_text(
    context: PanelContext, qtbot: QtBot, size: int, width: int
) -> None:
    context.theme.choose_text_size(size)
    window = QWidget()
    qtbot.addWidget(window)
    header = PaneHeader(context.session, context.theme, 1, window)
    header.place_in(QRectF(0, 0, 900, 40))
    assert header.width() == width


def test_after_a_lesson_the_views_still_follow_the_run(
    panel: MatrixPanel, context: PanelContext, qtbot: QtBot
) -> None:
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: panel.idle and first(panel) is not None)
    assert shown_kinds(panel) == ["ppmi"]
    shared = panel.shared.isChecked()
    stage = LessonStage(context, panel)
    stage._remember_state(bundled_lessons()[0])
    look_at(panel.session, toy_model(negative=3))
    usual = shown_kinds(panel)
    assert len(usual) == 2
    stage._do_action(Put(1, "matrix.pane1.kind", "count"))
    stage._do_action(Put(2, "matrix.shared", "off" if shared else "on"))
    assert shown_kinds(panel)[0] == "count"
    until(qtbot, lambda: panel.idle)
    stage.give_back()
    for _ in range(8):
        context.bridge.tick.emit()
        until(qtbot, lambda: panel.idle)
    assert shown_kinds(panel) == usual
    assert panel.session.settings[MATRIX_KINDS] is None
    assert panel.session.settings[MATRIX_SHARED] is None


def shown_kinds(panel: MatrixPanel) -> list[str]:
    return [head.choice[0] for head in panel.heads.visible_heads]


def test_no_row_of_the_controls_stays_on_a_slide(model_panel: MatrixPanel, qtbot: QtBot) -> None:
    hidden = HiddenControls()
    model_panel.set_presented(True)
    hidden.hide(model_panel, focus_by_keys=False)
    qtbot.waitUntil(lambda: model_panel.view.y() <= SPACE_3 + SPACE_2)
    hidden.show()
    model_panel.set_presented(False)
    qtbot.waitUntil(lambda: model_panel.view.y() > SPACE_3 + 2 * SPACE_2)
