"""A pair chosen by typing, by clicks, and during a training."""

from __future__ import annotations

import csv
import dataclasses
import io
import math
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot
from ui.toy import look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.theory.pair_view import PairView
from workbench.core.job_control import JobControl
from workbench.session.runs.run_record import RunRecord, State
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.pair.figure import PairFigure, divide_room, equations
from workbench.ui.panels.pair.panel import PairPanel

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[PairPanel]:
    new_panel = PairPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(820, 520)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


def wait_for_pair(panel: PairPanel, word: str, context: str, qtbot: QtBot) -> PairView:
    def there() -> bool:
        view = panel.figure.view
        return panel.idle and view is not None and (view.word, view.context) == (word, context)

    until(qtbot, there)
    assert panel.figure.view is not None
    return panel.figure.view


def test_states(panel: PairPanel, qtbot: QtBot) -> None:
    assert panel.state == "empty"
    open_corpus(panel.session, toy_corpus())
    assert panel.state == "body"
    qtbot.keyClicks(panel.word, "zebra")
    qtbot.keyClick(panel.word, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.idle and panel.notice.kind == "error")


def test_a_corpus_opens_on_a_pair_that_co_occurs_until_words_are_typed(
    panel: PairPanel, qtbot: QtBot
) -> None:
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: panel.idle and panel.figure.view is not None)
    example = panel.figure.view
    assert example is not None
    assert example.word != example.context
    assert example.lines.total >= 5
    # The fields show the pair as placeholders: a session file saves only words that a user typed.
    assert (panel.word.text(), panel.other.text()) == ("", "")
    fields = (panel.word.placeholderText(), panel.other.placeholderText())
    assert fields == (example.word, example.context)
    qtbot.mouseClick(panel.swap, LEFT)
    wait_for_pair(panel, example.context, example.word, qtbot)
    assert panel.word.text() == example.context
    panel.word.clear()
    qtbot.keyClick(panel.other, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.idle and panel.notice.kind == "empty")
    panel.other.clear()
    qtbot.keyClick(panel.other, Qt.Key.Key_Return)
    wait_for_pair(panel, example.word, example.context, qtbot)


def test_two_words_by_typing_swapping_and_selecting(
    panel: PairPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    model = toy_model(sample=0.0, window=3, negative=2)
    open_corpus(panel.session, toy_corpus())
    look_at(panel.session, model)
    qtbot.keyClicks(panel.word, "king")
    qtbot.keyClicks(panel.other, "saw")
    qtbot.keyClick(panel.other, Qt.Key.Key_Return)
    view = wait_for_pair(panel, "king", "saw", qtbot)
    assert view.product is None
    assert view.lines.total == len(view.lines) == len(panel.lines.lines) > 0
    qtbot.mouseClick(panel.swap, LEFT)
    wait_for_pair(panel, "saw", "king", qtbot)
    panel.session.selection.select(["queen", "king"])
    view = wait_for_pair(panel, "king", "queen", qtbot)
    assert view.negative == 2
    assert view.product == pytest.approx(float(-model.vectors[3] @ model.vectors[4]), rel=1e-6)
    # Of several selected words, the panel shows the last two.
    panel.session.selection.select(["man", "queen", "king"])
    assert (panel.word.text(), panel.other.text()) == ("king", "queen")
    view = wait_for_pair(panel, "king", "queen", qtbot)
    texts = dict(equations(view, ()))
    assert texts["x*"].startswith("log A − log B = ")
    assert f"= {view.best:.3f}".replace("-", "−") in [line for _, line in equations(view, ())]
    assert math.isfinite(view.best)
    for suffix in (".png", ".svg", ".pdf", ".csv"):
        panel._export.save(tmp_path / f"pair{suffix}")
        assert (tmp_path / f"pair{suffix}").stat().st_size > 100
    table = {row[0]: row[1] for row in csv.reader(io.StringIO(panel.pair_table()))}
    assert (table["word"], table["context"]) == ("king", "queen")
    for name, value in (
        ("A", view.observed),
        ("B", view.expected_negatives),
        ("k", 2),
        ("#(w)", view.total),
        ("P_n(c)", view.noise),
        ("x*", view.best),
        ("x", view.product),
    ):
        assert value is not None
        assert float(table[name]) == pytest.approx(value, rel=1e-5)
    middle = panel.figure.frame.area.center().toPoint()
    for place in (middle, middle + QPoint(9, 3)):
        qtbot.mouseMove(panel.figure.viewport(), place)
    until(qtbot, lambda: "ℓ =" in panel.readout.whole)
    reading = panel.readout.whole
    qtbot.keyClick(panel.figure, Qt.Key.Key_Right)
    assert "ℓ =" in panel.readout.whole != reading
    word = panel.lines.lines[0].right.split()[0]
    qtbot.mouseClick(panel.lines.viewport(), LEFT, pos=panel.lines.place_of(0, 1))
    assert panel.session.selection.words == (word,)
    # Without a context word, the panel proposes one.
    until(
        qtbot,
        lambda: panel.idle and panel.figure.view is not None and panel.figure.view.word == word,
    )
    assert panel.other.text()


def test_two_words_in_one_field_are_a_pair_and_more_are_told(
    panel: PairPanel, qtbot: QtBot
) -> None:
    open_corpus(panel.session, toy_corpus())
    qtbot.keyClicks(panel.word, "king saw")
    qtbot.keyClick(panel.word, Qt.Key.Key_Return)
    wait_for_pair(panel, "king", "saw", qtbot)
    assert (panel.word.text(), panel.other.text()) == ("king", "saw")
    panel.other.setText("queen " * 2000)
    qtbot.keyClick(panel.other, Qt.Key.Key_Return)
    until(qtbot, lambda: panel.idle and panel.notice.kind == "error")
    notice = " ".join(label.text() for label in panel.notice.findChildren(QLabel))
    assert "is more than one word" in notice
    assert "Enter one word in each field" in notice
    assert len(notice) < 200
    # The typed text is kept.
    assert panel.other.text() == "queen " * 2000


def test_a_pair_that_was_never_seen(panel: PairPanel, qtbot: QtBot) -> None:
    open_corpus(panel.session, toy_corpus())
    look_at(panel.session, toy_model(sample=0.0, window=1))
    panel.session.selection.select(["girl", "king"])
    view = wait_for_pair(panel, "king", "girl", qtbot)
    assert view.best == -math.inf
    assert any("unobserved" in text for _, text in equations(view, ()))
    assert not panel.grab().toImage().isNull()


def test_the_way_of_a_run_that_trains(panel: PairPanel, qtbot: QtBot) -> None:
    model = toy_model(sample=0.0)
    open_corpus(panel.session, toy_corpus())
    look_at(panel.session, model)
    panel.session.selection.select(["queen", "king"])
    wait_for_pair(panel, "king", "queen", qtbot)
    run = JobControl()
    record = RunRecord(
        "live", "live", "sgns", {}, "", "", "2026-01-01", state=State.TRAINING, run=run
    )
    panel.session.runs.append(record)
    panel.session.runs.changed.emit()
    link = panel.findChild(QPushButton, "pair.watch")
    assert link is not None
    assert link.text() == "Watch live"
    qtbot.mouseClick(link, LEFT)
    wait_for_pair(panel, "king", "queen", qtbot)
    until(qtbot, run.take_snapshot_request)
    for scale in (1.0, 0.5):
        vectors = (scale * np.asarray(model.vectors)).astype(np.float32)
        run.publish("embeddings", dataclasses.replace(model, vectors=vectors))
        places = len(panel.figure.way)
        until(qtbot, lambda places=places: len(panel.figure.way) == places + 1)
    product = float(-model.vectors[3] @ model.vectors[4])
    assert [place for _, place in panel.figure.way] == pytest.approx(
        [product, 0.5 * product], rel=1e-6
    )
    assert "training" in dict(equations(panel.figure.view, panel.figure.way))
    panel.session.runs.records.remove(record)


def test_counting_can_be_cancelled_and_begun_again(
    panel: PairPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    pause = threading.Event()

    def endless(*arguments: object) -> None:
        run = arguments[-1]
        assert isinstance(run, JobControl)
        while True:
            run.check()
            pause.wait(0.005)

    open_corpus(panel.session, toy_corpus())
    button = panel.findChild(QPushButton, "pair.here.notice.action")
    assert button is not None
    with monkeypatch.context() as patch:
        patch.setattr("workbench.ui.panels.pair.panel.look_at_pair", endless)
        panel.session.selection.select(["queen", "king"])
        until(qtbot, lambda: panel.notice.kind == "busy" and button.text() == "Cancel")
        qtbot.mouseClick(button, LEFT)
        until(qtbot, lambda: panel.idle and panel.notice.kind == "empty")
    assert button.text() == "Count again"
    qtbot.mouseClick(button, LEFT)
    wait_for_pair(panel, "king", "queen", qtbot)


def test_the_way_of_a_run_whose_states_were_kept(panel: PairPanel, qtbot: QtBot) -> None:
    model = toy_model(sample=0.0)
    open_corpus(panel.session, toy_corpus())
    record = look_at(panel.session, model)
    other = look_at(panel.session, dataclasses.replace(model), "without states")
    for progress in (0.0, 0.5, 1.0):
        vectors = (progress * np.asarray(model.vectors)).astype(np.float32)
        record.history.add(progress, progress, 1.0, dataclasses.replace(model, vectors=vectors))
    panel.session.selection.select(["queen", "king"])
    wait_for_pair(panel, "king", "queen", qtbot)
    assert panel.figure.way == ()
    panel.session.active.show(record)
    until(qtbot, lambda: len(panel.figure.way) == 3)
    product = float(-model.vectors[3] @ model.vectors[4])
    assert [list(place) for place in panel.figure.way] == [
        [progress, pytest.approx(progress * product, abs=1e-6)] for progress in (0.0, 0.5, 1.0)
    ]
    panel.session.active.show(other)
    until(qtbot, lambda: panel.figure.way == ())


def test_the_equations_stand_below_the_curves_where_it_is_narrow(
    panel: PairPanel, qtbot: QtBot
) -> None:
    wide, _ = divide_room(QRectF(0, 0, 800, 300))
    narrow, _ = divide_room(QRectF(0, 0, 400, 500))
    assert 800 - wide.right() > 300 > 400 - narrow.right()
    assert 500 - narrow.bottom() >= 180 > 300 - wide.bottom()
    figure = PairFigure(panel.theme)
    qtbot.addWidget(figure)
    figure.resize(400, 300)
    figure.show()
    assert figure.minimumHeight() > 380
    figure.resize(800, 300)
    assert figure.minimumHeight() < 300
