"""The step view with clicks and keys; it shows exactly the steps that the stepper computed."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from reference.naive_step import read, replay
from ui.toy import look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.step.settings import steppable_algorithms
from workbench.analysis.step.step import TrainingStep, step_csv
from workbench.core.job_control import JobControl
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.step import grid
from workbench.ui.panels.step.panel import StepPanel
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[StepPanel]:
    new_panel = StepPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(820, 520)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


def current_step(panel: StepPanel) -> TrainingStep:
    assert panel.view.step is not None
    return panel.view.step


def open_steps(panel: StepPanel, qtbot: QtBot) -> TrainingStep:
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: panel.idle and panel.view.step is not None)
    return current_step(panel)


def rest(panel: StepPanel, qtbot: QtBot) -> TrainingStep:
    until(qtbot, lambda: panel.idle and not panel.result.busy)
    return current_step(panel)


def choose(panel: StepPanel, algorithm: str, qtbot: QtBot) -> TrainingStep:
    box = panel.controls.algorithm
    box.setFocus()
    index = box.findData(algorithm)
    while box.currentIndex() != index:
        qtbot.keyClick(box, Qt.Key.Key_Down if box.currentIndex() < index else Qt.Key.Key_Up)
    until(
        qtbot,
        lambda: panel.idle and not panel.result.busy and current_step(panel).algorithm == algorithm,
    )
    return current_step(panel)


def run_of(algorithm: str) -> Embeddings:
    """Vectors of the toy corpus's words, as if trained."""
    words = toy_corpus().vocabulary(1)
    random = np.random.default_rng(4)
    size = len(words)
    return Embeddings(
        words.words,
        random.normal(size=(size, 7)).astype(np.float32),
        words.counts,
        contexts=random.normal(size=(size, 7)).astype(np.float32),
        metadata={
            "algorithm": algorithm,
            "parameters": {"min_count": 1, "dim": 7, "window": 2, "sample": 0.0},
        },
    )


def test_without_a_corpus_it_says_what_to_do(panel: StepPanel) -> None:
    assert panel.state == "empty"
    look_at(panel.session, toy_model())
    assert panel.state == "empty"


def test_steps_by_buttons_and_back(panel: StepPanel, qtbot: QtBot) -> None:
    first = open_steps(panel, qtbot)
    assert panel.state == "body"
    assert first.number == 1
    assert not panel.controls.back.isEnabled()
    qtbot.mouseClick(panel.controls.forward, LEFT)
    second = rest(panel, qtbot)
    assert second.number == 2
    assert second.position > first.position
    assert panel.controls.place.value() == second.position + 1
    qtbot.mouseClick(panel.controls.many, LEFT)
    assert rest(panel, qtbot).number == 102
    assert panel.losses.text.startswith("Step 102: loss ")
    qtbot.mouseClick(panel.controls.back, LEFT)
    assert rest(panel, qtbot).number == 101
    qtbot.mouseClick(panel.controls.restart, LEFT)
    again = rest(panel, qtbot)
    assert step_csv(again) == step_csv(first)


def test_steps_by_keys(panel: StepPanel, qtbot: QtBot) -> None:
    first = open_steps(panel, qtbot)
    panel.view.setFocus()
    qtbot.keyClick(panel.view, Qt.Key.Key_Right)
    assert rest(panel, qtbot).number == 2
    qtbot.keyClick(panel.view, Qt.Key.Key_Space)
    assert rest(panel, qtbot).number == 3
    for _ in range(2):
        qtbot.keyClick(panel.view, Qt.Key.Key_Left)
        rest(panel, qtbot)
    assert step_csv(current_step(panel)) == step_csv(first)
    qtbot.keyClick(panel.view, Qt.Key.Key_Left)
    assert rest(panel, qtbot).number == 1
    pair = panel.view.pair
    qtbot.keyClick(panel.view, Qt.Key.Key_Down)
    assert panel.view.pair == pair + 1
    qtbot.keyClick(panel.view, Qt.Key.Key_Right, Qt.KeyboardModifier.AltModifier)
    assert rest(panel, qtbot).number == 2


@pytest.mark.parametrize("algorithm", list(steppable_algorithms()))
def test_every_algorithm_is_shown_and_saved(
    panel: StepPanel, algorithm: str, qtbot: QtBot, tmp_path: Path
) -> None:
    open_steps(panel, qtbot)
    step = choose(panel, algorithm, qtbot)
    assert panel.controls.start.currentText() == "From fresh vectors"
    assert (step.cell is not None) == (algorithm == "glove")
    qtbot.mouseClick(panel.controls.many, LEFT)
    step = rest(panel, qtbot)
    for suffix in (".png", ".svg", ".pdf", ".csv"):
        panel._export.save(tmp_path / f"step{suffix}")
        assert (tmp_path / f"step{suffix}").stat().st_size > 500
    found = read((tmp_path / "step.csv").read_text("utf-8"))
    after, loss = replay(found)
    assert loss == pytest.approx(step.loss)
    for change in step.changes:
        assert after[change.table, change.name] == pytest.approx(change.after.tolist(), abs=1e-12)
    for theme in ("dark", "light"):
        panel.theme.choose(theme)
        assert not panel.grab().toImage().isNull()


@pytest.mark.parametrize("percent", [100, 150, 200])
def test_heads_of_columns_are_drawn_once_and_apart(
    percent: int, panel: StepPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel.theme.choose_text_size(percent)
    open_steps(panel, qtbot)
    drawn: list[tuple[str, QRectF]] = []

    def record(
        painter: QPainter, area: QRectF, text: str, font: QFont, colour: str, *rest: Any, **how: Any
    ) -> None:
        height = QFontMetricsF(font).height()
        middle = area.center().y()
        drawn.append((text, QRectF(area.left(), middle - height / 2, area.width(), height)))

    monkeypatch.setattr(grid, "draw_text", record)
    panel.view.grab()
    heads = [(text, area) for text, area in drawn if text]
    assert {"observed", "noise", "loss"} <= {text for text, _ in heads}
    for at, (text, area) in enumerate(heads):
        for other, place in heads[:at]:
            # Lines may touch, because the height of a font includes room above and below.
            shared = area.intersected(place).height()
            assert shared <= area.height() / 5, (text, other)


def test_a_click_chooses_a_decision_a_vector_and_a_word(panel: StepPanel, qtbot: QtBot) -> None:
    step = open_steps(panel, qtbot)
    assert step.window is not None
    qtbot.mouseClick(panel.view, LEFT, pos=panel.view.place("pair", 2).center())
    assert panel.view.pair == 2
    pair = step.pairs[2]
    assert f"{pair.loss:.4f}" in panel.view.accessibleDescription()
    last = len(step.all_changes) - 1
    qtbot.mouseClick(panel.view, LEFT, pos=panel.view.place("vector", last).center())
    assert panel.view.vector == last
    place = step.window.inside[0]
    qtbot.mouseClick(panel.view, LEFT, pos=panel.view.place("token", place).center())
    assert panel.session.selection.words == (step.window.tokens[place].word,)
    qtbot.mouseClick(panel.view, LEFT, pos=QPoint(2, 2))
    assert panel.view.vector == last


def test_going_to_a_place_and_to_the_selected_word(panel: StepPanel, qtbot: QtBot) -> None:
    open_steps(panel, qtbot)
    assert not panel.controls.to_word.isEnabled()
    panel.session.selection.select(["queen"])
    assert panel.controls.to_word.text() == "Next “queen”"
    qtbot.mouseClick(panel.controls.to_word, LEFT)
    step = rest(panel, qtbot)
    assert step.window is not None
    assert step.window.word == "queen"
    field = panel.controls.place.lineEdit()
    field.selectAll()
    qtbot.keyClicks(field, "60")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    step = rest(panel, qtbot)
    assert step.window is not None
    assert step.position >= 59
    # All tokens in between were dropped.
    assert not any(
        one.fate == "used" for one in step.window.tokens if 59 <= one.position < step.position
    )
    panel.session.selection.select(["zebra"])
    messages: list[str] = []
    panel.session.message.connect(lambda text, hint, error: messages.append(text))
    qtbot.mouseClick(panel.controls.to_word, LEFT)
    until(qtbot, lambda: messages)
    assert "“zebra” isn’t in the vocabulary" in messages[0]
    assert panel.state == "body"


def test_the_place_that_is_typed_is_the_one_that_is_shown(panel: StepPanel, qtbot: QtBot) -> None:
    """Positions found one after the other are visited in another order."""
    positions = [open_steps(panel, qtbot).position]
    for _ in range(4):
        qtbot.mouseClick(panel.controls.forward, LEFT)
        positions.append(rest(panel, qtbot).position)
    field = panel.controls.place.lineEdit()
    for number in (1, 3, 0, 4, 2):
        field.selectAll()
        qtbot.keyClicks(field, str(positions[number] + 1))
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert rest(panel, qtbot).position == positions[number]
        assert panel.controls.place.value() == positions[number] + 1
    assert panel.controls.place.minimum() == 1
    assert panel.controls.place.maximum() == toy_corpus().tokens


def test_it_starts_from_the_shown_run_where_it_can(panel: StepPanel, qtbot: QtBot) -> None:
    open_steps(panel, qtbot)
    run = run_of("cbow")
    look_at(panel.session, run)
    until(qtbot, lambda: panel.idle and current_step(panel).algorithm == "cbow")
    assert panel.controls.start.currentText() == "From the active run"
    step = rest(panel, qtbot)
    np.testing.assert_array_equal(
        step.changes[0].before, run.inputs[step.changes[0].row].astype(np.float64)
    )
    choose(panel, "sgns", qtbot)
    assert panel.controls.start.currentText() == "From fresh vectors"
    choose(panel, "cbow", qtbot)
    assert panel.controls.start.currentText() == "From the active run"
    panel.controls.start.setFocus()
    qtbot.keyClick(panel.controls.start, Qt.Key.Key_Down)
    fresh = rest(panel, qtbot)
    assert np.abs(fresh.changes[0].before).max() <= 0.5 / 7


def test_a_run_of_other_words_is_refused_with_a_mend(panel: StepPanel, qtbot: QtBot) -> None:
    words = [f"word{number}" for number in range(9)]
    vectors = np.ones((9, 3), np.float32)
    look_at(
        panel.session, Embeddings(words, vectors, contexts=vectors, metadata={"algorithm": "sgns"})
    )
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: panel.idle and panel.notice.kind == "error")
    button = panel.findChild(QPushButton, "step.here.notice.action")
    assert button is not None
    assert button.text() == "Start from fresh vectors"
    qtbot.mouseClick(button, LEFT)
    until(qtbot, lambda: panel.idle and panel.view.step is not None)


def test_the_learning_rate_holds_from_the_next_step_on(panel: StepPanel, qtbot: QtBot) -> None:
    open_steps(panel, qtbot)
    assert panel.controls.rate.value() == pytest.approx(0.025)
    field = panel.controls.rate.lineEdit()
    field.selectAll()
    qtbot.keyClicks(field, "0.5")
    qtbot.keyClick(field, Qt.Key.Key_Return)
    qtbot.mouseClick(panel.controls.forward, LEFT)
    step = rest(panel, qtbot)
    assert step.rate == 0.5
    change = step.changes[0]
    np.testing.assert_allclose(change.after, change.before - 0.5 * change.gradient)


def test_preparing_can_be_cancelled_and_begun_again(
    panel: StepPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(
            "workbench.ui.panels.step.panel.open_stepper",
            lambda *arguments: until_cancelled(arguments[-1]),
        )
        open_corpus(panel.session, toy_corpus())
        button = panel.findChild(QPushButton, "step.here.notice.action")
        assert button is not None
        until(qtbot, lambda: panel.notice.kind == "busy" and button.text() == "Cancel")
        qtbot.mouseClick(button, LEFT)
        until(qtbot, lambda: panel.idle and panel.notice.kind == "empty")
    assert button.text() == "Restart"
    qtbot.mouseClick(button, LEFT)
    assert rest(panel, qtbot).number == 1


def until_cancelled(run: JobControl) -> None:
    pause = threading.Event()
    while True:
        run.check()
        pause.wait(0.005)
