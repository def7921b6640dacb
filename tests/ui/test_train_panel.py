"""Choosing an algorithm, training, and managing runs, with clicks and keys."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QComboBox, QDoubleSpinBox, QLabel, QLineEdit, QPushButton, QSpinBox
from pytestqt.qtbot import QtBot
from session.fakes import Gate, StepModel, StepParams, TableModel, leave_interrupted, small_corpus

from workbench.core.params import Value
from workbench.core.paths import cache_folder
from workbench.corpus.corpus import Corpus
from workbench.models.base import Estimate, Preset
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.train.cost import time_needed
from workbench.ui.panels.train.panel import TrainPanel
from workbench.ui.panels.train.run_list import state_text
from workbench.ui.widgets.tables.run_texts import describe


@pytest.fixture
def gate(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Two algorithms, the first of which has presets."""
    classroom: dict[str, Value] = {"dim": 8, "min_count": 1}
    presets = (
        Preset("careful", {"dim": 9}, "a paper"),
        Preset("classroom", classroom, "for class"),
    )
    monkeypatch.setattr(StepModel, "presets", presets)
    monkeypatch.setattr(TableModel, "presets", ())
    return gate


@pytest.fixture
def panel(gate: Gate, context: PanelContext, qtbot: QtBot) -> Iterator[TrainPanel]:
    new_panel = TrainPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(320, 700)
    new_panel.show()
    yield new_panel
    gate.opened.set()
    new_panel.release()


def open_corpus(panel: TrainPanel) -> None:
    panel.session.corpora.current = small_corpus()
    panel.session.corpora.changed.emit()


def click(qtbot: QtBot, widget: object) -> None:
    qtbot.mouseClick(widget, Qt.MouseButton.LeftButton)


def train(panel: TrainPanel, qtbot: QtBot) -> None:
    """Click the button and wait for the run to end."""
    click(qtbot, panel.start)
    qtbot.waitUntil(
        lambda: bool(panel.session.runs) and all(run.state.over for run in panel.session.runs)
    )


def test_all_settings_of_a_run_are_put_into_the_form(panel: TrainPanel, qtbot: QtBot) -> None:
    """Every setting differs from its default and from the previous content of the form."""
    open_corpus(panel)
    params = StepParams(
        dim=7,
        epochs=3,
        steps=11,
        learning_rate=0.125,
        seed=42,
        verbose=True,
        failing="defect",
        min_count=2,
        max_vocab=99,
    )
    record = RunRecord(
        "r", "before", StepModel.key, params.to_dict(), "", "", "2026-01-01", state=State.DONE
    )
    content = panel.form.values()
    panel.session.requests.parameters.emit(record)
    values = panel.form.values()
    assert {name: values[name] for name in content} == {
        name: params.to_dict()[name] for name in content
    }
    assert all(
        content[name] != values[name]
        for name in ("dim", "epochs", "steps", "learning_rate", "seed", "verbose")
    )


def test_without_a_corpus_the_button_says_why_not(panel: TrainPanel) -> None:
    assert not panel.start.isEnabled()
    assert "corpus" in panel.start.toolTip()
    open_corpus(panel)
    assert panel.start.isEnabled()


def test_the_button_trains_with_what_the_form_says(panel: TrainPanel, qtbot: QtBot) -> None:
    open_corpus(panel)
    assert panel.preset.currentText() == "classroom"
    box = panel.findChild(QSpinBox, "train.param.dim")
    assert box is not None
    box.setFocus()
    box.selectAll()
    qtbot.keyClicks(box, "6")
    train(panel, qtbot)
    record = panel.session.runs[0]
    assert (record.algorithm, record.parameters["dim"], record.parameters["min_count"]) == (
        "step",
        6,
        1,
    )
    assert record.state is State.DONE
    assert panel.runs.model().rowCount() == 1
    qtbot.waitUntil(lambda: panel.session.active.run is record)


def test_the_form_has_most_of_a_low_panel(panel: TrainPanel, qtbot: QtBot) -> None:
    epochs = panel.findChild(QSpinBox, "train.param.epochs")
    panel.resize(400, 380)
    # The last of the first settings.
    qtbot.waitUntil(lambda: epochs.visibleRegion().boundingRect() == epochs.rect())


def test_a_preset_puts_its_values_in(panel: TrainPanel, qtbot: QtBot) -> None:
    assert panel.form.values()["dim"] == 8
    panel.preset.setFocus()
    qtbot.keyClick(panel.preset, Qt.Key.Key_Up)
    assert panel.preset.currentText() == "careful"
    assert panel.form.values()["dim"] == 9
    assert "a paper" in panel.preset.toolTip()


def test_values_typed_for_an_algorithm_come_back_with_it(panel: TrainPanel) -> None:
    box = panel.findChild(QSpinBox, "train.param.dim")
    assert box is not None
    box.setValue(77)
    panel.choose("table")
    assert panel.form.values()["dim"] == 4
    panel.choose("step")
    assert panel.form.values()["dim"] == 77
    assert panel.form.changes() == {"dim": 77}


def pick(panel: TrainPanel, qtbot: QtBot, key: str) -> None:
    """Choose an algorithm with the keyboard."""
    panel.algorithm.setFocus()
    arrow = Qt.Key.Key_Down
    if panel.algorithm.findData(key) < panel.algorithm.currentIndex():
        arrow = Qt.Key.Key_Up
    qtbot.keyClick(panel.algorithm, arrow)
    assert panel.algorithm.currentData() == key


def carried_text(panel: TrainPanel) -> str:
    label = panel.findChild(QLabel, "train.carried.text")
    assert label is not None
    return label.text() if label.isVisible() else ""


def test_shared_settings_go_to_the_next_algorithm_and_back(panel: TrainPanel, qtbot: QtBot) -> None:
    open_corpus(panel)
    panel.choose("step", "classroom")
    box = panel.findChild(QSpinBox, "train.param.dim")
    assert box is not None
    assert carried_text(panel) == ""
    box.setValue(7)
    pick(panel, qtbot, "table")
    assert panel.form.values()["dim"] == 7
    assert "7" in carried_text(panel)
    assert StepModel.short in carried_text(panel)
    # One step undoes both the choice and the carried-over settings.
    panel.session.undo.undo()
    assert panel.algorithm.currentData() == "step"
    assert panel.form.values()["dim"] == 7
    assert carried_text(panel) == ""
    panel.session.undo.redo()
    assert panel.form.values()["dim"] == 7
    pick(panel, qtbot, "step")
    pick(panel, qtbot, "table")
    click(qtbot, panel.findChild(QPushButton, "train.carried.back"))
    assert panel.form.changes() == {}
    assert carried_text(panel) == ""


def test_a_preset_takes_the_place_of_carried_settings(panel: TrainPanel, qtbot: QtBot) -> None:
    open_corpus(panel)
    panel.choose("table")
    panel.findChild(QSpinBox, "train.param.dim").setValue(6)
    pick(panel, qtbot, "step")
    assert panel.form.values()["dim"] == 6
    assert carried_text(panel)
    panel.preset.setFocus()
    qtbot.keyClick(panel.preset, Qt.Key.Key_Home)
    assert panel.preset.currentData() == "careful"
    assert panel.form.values()["dim"] == 9
    assert carried_text(panel) == ""


def test_settings_put_back_to_the_preset_are_carried_no_more(
    panel: TrainPanel, qtbot: QtBot
) -> None:
    open_corpus(panel)
    panel.choose("step", "classroom")
    panel.findChild(QSpinBox, "train.param.dim").setValue(7)
    pick(panel, qtbot, "table")
    pick(panel, qtbot, "step")
    panel.findChild(QSpinBox, "train.param.dim").setValue(8)
    pick(panel, qtbot, "table")
    assert panel.form.changes() == {}
    assert carried_text(panel) == ""


def test_values_are_remembered_for_the_next_start(
    panel: TrainPanel, context: PanelContext, qtbot: QtBot
) -> None:
    open_corpus(panel)
    panel.choose("table")
    box = panel.findChild(QSpinBox, "train.param.dim")
    assert box is not None
    box.setValue(5)
    panel.findChild(QSpinBox, "train.param.min_count").setValue(1)
    train(panel, qtbot)
    again = TrainPanel(context)
    qtbot.addWidget(again)
    algorithm = again.findChild(QComboBox, "train.algorithm")
    assert algorithm is not None
    assert algorithm.currentData() == "table"
    assert again.form.values()["dim"] == 5
    again.release()


def test_a_wrong_value_disables_the_button(panel: TrainPanel) -> None:
    open_corpus(panel)
    box = panel.findChild(QSpinBox, "train.param.dim")
    assert box is not None
    box.setValue(1000)
    assert not panel.start.isEnabled()
    box.setValue(10)
    assert panel.start.isEnabled()


def test_the_cost_is_told_beforehand(panel: TrainPanel, qtbot: QtBot) -> None:
    open_corpus(panel)
    qtbot.waitUntil(lambda: "words" in panel.findChild(object, "train.estimate").text())


def test_pause_and_stop_act_on_the_training(panel: TrainPanel, gate: Gate, qtbot: QtBot) -> None:
    open_corpus(panel)
    gate.opened.clear()
    click(qtbot, panel.start)
    record = panel.session.runs[0]
    qtbot.waitUntil(lambda: record.run is not None and record.run.progress.phase == "training")
    click(qtbot, panel.pause)
    assert record.state is State.PAUSED
    assert panel.pause.accessibleName() == "Resume training"
    click(qtbot, panel.pause)
    assert record.state is State.TRAINING
    click(qtbot, panel.stop)
    qtbot.waitUntil(lambda: record.state is State.STOPPED)
    assert not panel.stop.isVisible()


def test_a_second_training_queues(panel: TrainPanel, gate: Gate, qtbot: QtBot) -> None:
    open_corpus(panel)
    gate.opened.clear()
    click(qtbot, panel.start)
    click(qtbot, panel.start)
    assert [run.state for run in panel.session.runs] == [State.TRAINING, State.WAITING]
    # Meanwhile the button says “Add to queue”.
    assert panel.start.text() == "Add to queue"
    gate.opened.set()
    qtbot.waitUntil(lambda: all(run.state is State.DONE for run in panel.session.runs))
    assert panel.start.text() == "Train"


def test_a_training_that_was_interrupted_comes_into_the_list_and_goes_from_it(
    panel: TrainPanel,
) -> None:
    session = panel.session
    leave_interrupted(session.store, "Step 7")
    assert not panel.runs.isVisible()
    session.recovery.refresh()
    assert panel.runs.isVisible()
    assert panel.runs.model().index(0, 0).data() == "Step 7"
    session.recovery.discard(session.recovery.interrupted[0])
    assert not panel.runs.isVisible()
    assert panel.no_runs.isVisible()


def test_the_run_in_hand_is_trained_on_and_not_the_one_looked_at(
    panel: TrainPanel, qtbot: QtBot
) -> None:
    open_corpus(panel)
    train(panel, qtbot)
    train(panel, qtbot)
    first, second = panel.session.runs
    assert panel.session.active.run is second
    panel.runs.setFocus()
    qtbot.keyClick(panel.runs, Qt.Key.Key_Down)
    assert panel.runs.current() is first
    assert panel.session.active.run is second
    panel.train_current_on()
    assert panel.further.record is first


def test_runs_are_shown_renamed_deleted_and_brought_back(
    panel: TrainPanel, qtbot: QtBot, qtlog: Any
) -> None:
    open_corpus(panel)
    train(panel, qtbot)
    train(panel, qtbot)
    first, second = panel.session.runs
    qtbot.waitUntil(lambda: panel.session.active.run is second)
    runs = panel.runs
    # The latest comes first, so the first run is the second line.
    place = runs.visualRect(runs.model().index(1, 0)).center()
    qtbot.mouseClick(runs.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert panel.session.active.run is first
    runs.setFocus()
    qtbot.keyClick(runs, Qt.Key.Key_F2)
    editor = runs.findChild(QLineEdit)
    assert editor is not None
    editor.selectAll()
    # Asking for an editor again, for this run or another, keeps the open one with its text.
    runs.edit_run(second)
    assert not [record for record in qtlog.records if "edit" in record.message]
    qtbot.keyClicks(editor, "mine")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: first.name == "mine")
    offers: list[tuple[str, str, object]] = []
    panel.context.bridge.offered.connect(lambda *offer: offers.append(offer))
    runs.setFocus()
    qtbot.keyClick(runs, Qt.Key.Key_Delete)
    assert panel.session.runs.records == [second]
    assert offers[0][1] == "Undo"
    offers[0][2]()  # type: ignore[operator]
    assert panel.session.runs.records == [first, second]


def test_a_run_is_copied_as_the_command_that_makes_it(panel: TrainPanel, qtbot: QtBot) -> None:
    open_corpus(panel)
    train(panel, qtbot)
    menu_item(panel, panel.session.runs[0], "Copy as command").trigger()
    command = QGuiApplication.clipboard().text()
    assert "train tiny --algorithm step" in command
    assert "--dim 8" in command
    assert "--min-count 1" in command
    assert "--steps" not in command


# -- training a run on


def menu_item(panel: TrainPanel, record: RunRecord, text: str) -> QAction:
    menu = panel.runs.make_menu(record)
    found = next(action for action in menu.actions() if action.text().startswith(text))
    found.setParent(panel)
    menu.close()
    return found


def test_a_run_is_trained_on_from_its_menu(panel: TrainPanel, qtbot: QtBot) -> None:
    open_corpus(panel)
    train(panel, qtbot)
    first = panel.session.runs[0]
    menu_item(panel, first, "Continue training…").trigger()
    assert panel.further.isVisible()
    assert not panel.form.isVisible()
    assert panel.start.text() == "Continue training"
    epochs = panel.findChild(QSpinBox, "train.further.epochs")
    rate = panel.findChild(QDoubleSpinBox, "train.further.learning_rate")
    assert epochs is not None
    assert rate is not None
    assert epochs.hasFocus()
    assert (epochs.value(), rate.value()) == (1, 0.25)
    qtbot.keyClicks(epochs, "3")
    # The proposed rate follows the number of epochs until another one is chosen.
    assert rate.value() == pytest.approx(0.375)
    assert epochs.hasFocus()
    assert "Step 1 +3" in panel.start.toolTip()
    rate.setValue(0.2)
    epochs.setValue(4)
    assert rate.value() == pytest.approx(0.2)
    qtbot.waitUntil(lambda: "words" in panel.findChild(object, "train.estimate").text())
    train(panel, qtbot)
    second = panel.session.runs[1]
    assert (second.name, second.parameters["epochs"], second.parameters["learning_rate"]) == (
        "Step 1 +4",
        4,
        0.2,
    )
    assert second.summary["continued"]["identifier"] == first.identifier
    assert panel.form.isVisible()
    assert panel.start.text() == "Train"
    assert "Continued from Step 1." in describe(second)
    menu_item(panel, second, "Copy as command").trigger()
    command = QGuiApplication.clipboard().text()
    assert f"{first.identifier}/vectors.npz" in command
    assert "--epochs 4 --learning-rate 0.2" in command
    assert "--algorithm" not in command
    assert "--dim" not in command


def test_there_is_a_way_back_by_key_and_click(panel: TrainPanel, qtbot: QtBot) -> None:
    open_corpus(panel)
    train(panel, qtbot)
    record = panel.session.runs[0]
    panel.train_current_on()
    assert panel.further.isVisible()
    qtbot.keyClick(panel.findChild(QSpinBox, "train.further.epochs"), Qt.Key.Key_Escape)
    assert not panel.further.isVisible()
    assert panel.algorithm.hasFocus()
    panel.train_on(record)
    click(qtbot, panel.further.back)
    assert panel.form.isVisible()
    panel.train_on(record)
    panel.session.runs.delete(record)
    assert panel.form.isVisible()
    panel.session.runs.undelete()
    panel.train_on(record)
    panel.session.corpora.current = small_corpus("other", "one two two")
    panel.session.corpora.changed.emit()
    assert panel.form.isVisible()


def test_another_corpus_is_refused_in_a_sentence(panel: TrainPanel, qtbot: QtBot) -> None:
    open_corpus(panel)
    train(panel, qtbot)
    messages: list[str] = []
    panel.session.message.connect(lambda text, hint, error: messages.append(text))
    panel.session.corpora.current = small_corpus("other", "one two two")
    panel.train_on(panel.session.runs[0])
    assert "the open corpus isn’t the corpus of the run" in messages[-1]
    panel.session.corpora.current = None
    panel.train_on(panel.session.runs[0])
    assert "No corpus is open" in messages[-1]
    assert not panel.further.isVisible()


def test_a_wrong_number_of_epochs_disables_the_button(panel: TrainPanel, qtbot: QtBot) -> None:
    open_corpus(panel)
    train(panel, qtbot)
    panel.train_on(panel.session.runs[0])
    panel.findChild(QSpinBox, "train.further.epochs").setValue(1000)
    assert not panel.start.isEnabled()
    assert panel.train() is None
    panel.findChild(QSpinBox, "train.further.epochs").setValue(2)
    assert panel.start.isEnabled()


def test_a_run_that_diverged_says_so_in_the_list(panel: TrainPanel, qtbot: QtBot) -> None:
    open_corpus(panel)
    panel.findChild(object, "train.param.failing").setCurrentText("diverge")
    train(panel, qtbot)
    record = panel.session.runs[0]
    assert record.has_vectors
    assert state_text(record) == "diverged"
    assert "diverged at 44%" in describe(record)


def test_what_does_not_fit_is_told_and_mended_by_a_click(
    panel: TrainPanel, gate: Gate, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    def heavy(model: StepModel, corpus: Corpus) -> Estimate:
        assert isinstance(model.params, StepParams)
        return Estimate(corpus.types, corpus.tokens, model.params.dim * 10**9, None)

    monkeypatch.setattr(StepModel, "estimate", heavy)
    monkeypatch.setattr("workbench.session.training.memory_check.free_memory", lambda: 5 * 10**9)
    offers: list[tuple[str, str]] = []
    panel.context.bridge.offered.connect(lambda text, button, action: offers.append((text, button)))
    panel.choose("step", "classroom")
    open_corpus(panel)
    qtbot.waitUntil(panel.fit.isVisible)
    assert panel.fit.text.text() == (
        "Not enough memory: training needs about 8.0 GB, but only 5.0 GB is free. "
        "These settings would fit:"
    )
    click(qtbot, panel.start)
    assert panel.session.runs.records == []
    assert offers[0][1] == "Train anyway"
    panel.form.put(panel._baseline, {**panel.form.changes(), "epochs": 3})
    qtbot.waitUntil(panel.fit.isVisible)
    button = panel.findChild(QPushButton, "train.fit.dim")
    assert button.text() == "dim 4"
    click(qtbot, button)
    assert panel.form.values()["dim"] == 4
    qtbot.waitUntil(lambda: not panel.fit.isVisible())
    train(panel, qtbot)
    # A choice made by hand is kept.
    assert (
        panel.session.runs[0].parameters["dim"],
        panel.session.runs[0].parameters["epochs"],
    ) == (4, 3)


def test_what_does_not_fit_can_be_trained_all_the_same(
    panel: TrainPanel, gate: Gate, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.session.training.memory_check.free_memory", lambda: -1)
    actions: list[Callable[[], object]] = []
    panel.context.bridge.offered.connect(lambda text, button, action: actions.append(action))
    open_corpus(panel)
    qtbot.waitUntil(panel.fit.isVisible)
    click(qtbot, panel.start)
    actions[0]()
    qtbot.waitUntil(lambda: bool(panel.session.runs) and panel.session.runs[0].state is State.DONE)


def test_every_setting_of_a_run_comes_into_the_form(panel: TrainPanel, qtbot: QtBot) -> None:
    """Each setting differs from the current value, so that a missing one is noticed."""
    open_corpus(panel)
    panel.choose("step", "classroom")
    settings = {
        "min_count": 1,
        "max_vocab": 3,
        "dim": 11,
        "epochs": 3,
        "steps": 31,
        "learning_rate": 0.25,
        "seed": 77,
        "verbose": True,
        "threads": 2,
    }
    params = {name: value for name, value in settings.items() if name in panel.form.values()}
    assert len(params) > 6
    record = panel.session.training.start(
        TrainingSpec("step", StepModel.params_type.from_mapping(params))
    )
    qtbot.waitUntil(lambda: record.state.over)
    panel.choose("table")
    panel.session.requests.parameters.emit(record)
    assert panel.algorithm.currentData() == "step"
    assert panel.form.values() == dict(record.parameters)
    again = panel.train()
    assert again is not None
    assert dict(again.parameters) == dict(record.parameters)
    qtbot.waitUntil(lambda: again.state.over)


def test_what_a_training_took_corrects_the_estimate_of_the_next_at_once(
    panel: TrainPanel, qtbot: QtBot, gate: Gate, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = StepModel.estimate

    def estimate(model: StepModel, corpus: Corpus) -> Estimate:
        over = any(run.state.over for run in panel.session.runs)
        return replace(before(model, corpus), seconds=40.0 if over else 4000.0)

    monkeypatch.setattr(StepModel, "estimate", estimate)
    # Other tests of this process may have trained, too.
    (cache_folder() / "paces.json").unlink(missing_ok=True)
    open_corpus(panel)
    label = panel.findChild(object, "train.estimate")
    # Either hours, or seconds and minutes: the value depends on the load of the machine, and “below
    # 1 s” appears if no kernel has to be compiled.
    in_hours = re.compile(r"\d h\b")
    likely = re.compile(r"(about|below) \d")

    def estimate_text() -> str:
        return label.text().replace("\u00a0", " ")

    qtbot.waitUntil(lambda: bool(in_hours.search(estimate_text())))
    train(panel, qtbot)
    qtbot.waitUntil(
        lambda: bool(likely.search(estimate_text())) and not in_hours.search(estimate_text())
    )


@pytest.mark.parametrize(
    ("seconds", "most", "text"),
    [
        (0.3, 9, "below 1 s, up to 9 s"),
        (0.2, 0.4, "below 1 s"),
        (3, 20, "about 3 s, up to 20 s"),
        (3, 3, "about 3 s"),
    ],
)
def test_an_estimated_range_says_once_that_it_is_about(
    seconds: float, most: float, text: str
) -> None:
    assert time_needed(seconds, most) == text
