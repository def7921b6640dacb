"""The panel of runs with clicks and keys."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from session.fakes import Gate, StepParams, small_corpus

from workbench.analysis.evaluation.leaderboard import Score
from workbench.models.base import MODELS
from workbench.session.runs.facts import ScoreColumn, score_column
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.session import Session
from workbench.session.training.grid import Grid, plan_of
from workbench.session.training.grid_results import Losses
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.action import Action
from workbench.ui.base.panel import PanelContext
from workbench.ui.commands.registry import GROUPS
from workbench.ui.commands.run_targets import RunTarget
from workbench.ui.dialogs.name import NameDialog
from workbench.ui.panels.runs import grid_chart
from workbench.ui.panels.runs.panel import RunsPanel
from workbench.ui.panels.runs.runs_table import RunsTable
from workbench.ui.panels.train.panel import TrainPanel
from workbench.ui.widgets.tables.runs_columns import EMPTY


@pytest.fixture
def panel(gate: Gate, context: PanelContext, session: Session, qtbot: QtBot) -> Iterator[RunsPanel]:
    session.corpora.current = small_corpus()
    new_panel = RunsPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(1000, 600)
    new_panel.show()
    new_panel.activateWindow()
    qtbot.waitUntil(lambda: new_panel.isActiveWindow())
    yield new_panel
    gate.opened.set()
    new_panel.release()


def until(qtbot: QtBot, condition: Callable[[], object]) -> None:
    qtbot.waitUntil(lambda: bool(condition()))


def runs(session: Session, qtbot: QtBot, number: int = 3) -> list[RunRecord]:
    records = [
        session.training.start(TrainingSpec("step", StepParams(min_count=1, dim=2 + at, steps=5)))
        for at in range(number)
    ]
    until(qtbot, lambda: all(record.state.over for record in records))
    return records


def names(table: RunsTable) -> list[str]:
    return [table.records[int(row)].name for row in table.table.order]


def wait_for_rows(panel: RunsPanel, qtbot: QtBot, count: int) -> None:
    qtbot.waitUntil(lambda: len(panel.runs.table.table.order) == count)


NONE, CONTROL = Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.ControlModifier


def click(
    table: RunsTable,
    qtbot: QtBot,
    row: int,
    key: str = "name",
    modifier: Qt.KeyboardModifier = NONE,
) -> None:
    place = table.visualRect(table.table.index(row, table.keys.index(key))).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, modifier, place)


def test_it_teaches_where_there_is_nothing(panel: RunsPanel) -> None:
    assert panel.runs.state == "empty"


def test_columns_are_what_differs_and_rows_sort_by_any(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    runs(session, qtbot)
    wait_for_rows(panel, qtbot, 3)
    table = panel.runs.table
    assert names(table) == ["Step 3", "Step 2", "Step 1"]
    assert "dim" in table.keys
    assert "steps" not in table.keys
    header = table.horizontalHeader()
    at = table.keys.index("dim")
    x = header.sectionViewportPosition(at) + header.sectionSize(at) // 2
    for order in (["Step 3", "Step 2", "Step 1"], ["Step 1", "Step 2", "Step 3"]):
        qtbot.mouseClick(
            header.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(x, header.height() // 2)
        )
        assert names(table) == order
    panel.runs.columns.show_column("steps")
    assert "steps" in table.keys


def test_the_filter_finds_and_says_what_it_does_not_understand(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    runs(session, qtbot)
    wait_for_rows(panel, qtbot, 3)
    view = panel.runs
    qtbot.keyClicks(view.filter, "dim>2 -step1")
    wait_for_rows(panel, qtbot, 2)
    view.filter.clear()
    qtbot.keyClicks(view.filter, "nobody")
    wait_for_rows(panel, qtbot, 0)
    assert view.table._empty == "No runs match this filter"
    view.filter.clear()
    qtbot.keyClicks(view.filter, "dmi>2")
    # Not the empty result for the word “dmi”, which was the text of the filter before “>”.
    assert len(view.table.table.order) == 3
    assert view.filter.property("invalid")
    assert view.wrong.isVisible()
    assert view.wrong.text() == "Unknown column “dmi”. Did you mean dim?"
    assert view.wrong.height() >= view.wrong.heightForWidth(view.wrong.width())
    qtbot.keyClick(view.filter, Qt.Key.Key_Escape)
    assert view.filter.text() == ""
    wait_for_rows(panel, qtbot, 3)
    qtbot.keyClick(view.filter, Qt.Key.Key_Down)
    assert view.table.hasFocus()
    assert [record.name for record in view.table.selected_runs] == ["Step 3"]


def test_a_column_that_the_filter_asks_about_is_seen_where_all_that_pass_agree(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    runs(session, qtbot)
    wait_for_rows(panel, qtbot, 3)
    qtbot.keyClicks(panel.runs.filter, "dim>3")
    wait_for_rows(panel, qtbot, 1)
    assert "dim" in panel.runs.table.keys
    panel.runs.filter.setText("Step 3")
    wait_for_rows(panel, qtbot, 1)
    assert "dim" not in panel.runs.table.keys


def test_f2_renames_the_run_that_is_looked_at_where_none_is_chosen(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    one, two, _ = runs(session, qtbot)
    wait_for_rows(panel, qtbot, 3)
    session.active.show(two)
    table = panel.runs.table
    table.clearSelection()
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_F2)
    qtbot.waitUntil(lambda: table.editing)
    assert table.selected_runs == [two]
    editor = table.viewport().focusWidget()
    editor.selectAll()
    qtbot.keyClicks(editor, "Best")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: two.name == "Best" and not table.editing)
    # A run that the filter hides is renamed in a dialog.
    panel.runs.show_only("Best")
    wait_for_rows(panel, qtbot, 1)
    session.active.show(one)
    table.clearSelection()
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_F2)
    dialog = panel.window().findChild(NameDialog)
    assert dialog is not None
    assert dialog.field.text() == "Step 1"
    dialog.reject()


def test_stars_by_click_and_key_with_undo(panel: RunsPanel, session: Session, qtbot: QtBot) -> None:
    one, two, three = runs(session, qtbot)
    wait_for_rows(panel, qtbot, 3)
    table = panel.runs.table
    click(table, qtbot, 2, "star")
    assert one.star
    click(table, qtbot, 0)
    click(table, qtbot, 1, modifier=CONTROL)
    assert table.selected_runs == [three, two]
    qtbot.keyClick(table, Qt.Key.Key_S)
    assert two.star
    assert three.star
    qtbot.waitUntil(lambda: table.selected_runs == [three, two])
    session.undo.undo()
    assert not two.star
    assert not three.star
    qtbot.mouseClick(panel.runs.starred, Qt.MouseButton.LeftButton)
    wait_for_rows(panel, qtbot, 1)
    assert names(table) == ["Step 1"]


def test_names_and_notes_are_written_in_place(
    panel: RunsPanel, session: Session, qtbot: QtBot, qtlog: Any
) -> None:
    one, _, three = runs(session, qtbot)
    wait_for_rows(panel, qtbot, 3)
    table = panel.runs.table
    click(table, qtbot, 0)
    qtbot.keyClick(table, Qt.Key.Key_F2)
    qtbot.waitUntil(lambda: table.editing)
    # The end of a training meanwhile doesn't close the editor.
    session.runs.changed.emit()
    editor = table.viewport().focusWidget()
    assert editor is not None
    editor.selectAll()  # type: ignore[attr-defined]
    table.edit_run(one)
    assert not [record for record in qtlog.records if "edit" in record.message]
    qtbot.keyClicks(editor, "Best one")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: three.name == "Best one")
    qtbot.waitUntil(lambda: names(table)[0] == "Best one" and not table.editing)
    click(table, qtbot, 2)
    qtbot.keyClick(table, Qt.Key.Key_N)
    qtbot.waitUntil(lambda: table.editing)
    editor = table.viewport().focusWidget()
    qtbot.keyClicks(editor, "for class")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: one.note == "for class")
    session.undo.undo()
    assert one.note == ""


def test_several_are_deleted_and_come_back(
    panel: RunsPanel, session: Session, context: PanelContext, qtbot: QtBot
) -> None:
    records = runs(session, qtbot)
    wait_for_rows(panel, qtbot, 3)
    offers: list[tuple[Any, ...]] = []
    context.bridge.offered.connect(lambda *offer: offers.append(offer))
    table = panel.runs.table
    click(table, qtbot, 0)
    qtbot.keyClick(table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert session.runs.records == records[:1]
    wait_for_rows(panel, qtbot, 1)
    text, button, undo, holds = offers[0]
    assert (text, button) == ("2 runs were deleted.", "Undo")
    assert holds()
    undo()
    wait_for_rows(panel, qtbot, 3)
    assert not holds()


def test_a_run_is_shown_compared_trained_again_and_put_into_the_form(
    panel: RunsPanel, session: Session, context: PanelContext, qtbot: QtBot
) -> None:
    one, two, three = runs(session, qtbot)
    wait_for_rows(panel, qtbot, 3)
    form = TrainPanel(context)
    qtbot.addWidget(form)
    form.choose("table")
    comparisons: list[object] = []
    panels: list[str] = []
    records: list[RunRecord] = []
    session.requests.comparison.connect(comparisons.append)
    session.requests.parameters.connect(records.append)
    context.bridge.wanted.connect(panels.append)
    table, buttons = panel.runs.table, panel.runs.buttons
    click(table, qtbot, 2)
    assert not buttons["run.compare"].isEnabled()
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert session.active.run is one
    qtbot.mouseClick(buttons["run.settings"], Qt.MouseButton.LeftButton)
    assert (records, panels) == ([one], ["train"])
    # The form of the receiver has every setting of the run, whatever it contained before.
    assert form.algorithm.currentData() == one.algorithm
    assert form.form.values() == dict(one.parameters)
    click(table, qtbot, 0, modifier=CONTROL)
    qtbot.mouseClick(buttons["run.compare"], Qt.MouseButton.LeftButton)
    assert comparisons == [(three, one)]
    table.selectAll()
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_C)
    assert len(comparisons) == 2
    assert panels[1:] == ["compare", "evaluate"]
    qtbot.mouseClick(buttons["run.again"], Qt.MouseButton.LeftButton)
    until(
        qtbot, lambda: len(session.runs) == 6 and all(record.state.over for record in session.runs)
    )
    assert [record.parameters for record in session.runs[3:]] == [
        record.parameters for record in (one, two, three)
    ]


def test_the_table_is_exported_safely_in_its_order(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    one, *_ = runs(session, qtbot)
    session.runs.rename(one, "=SUM(A1)")
    qtbot.waitUntil(lambda: "=SUM(A1)" in panel.runs.csv())
    qtbot.keyClicks(panel.runs.filter, "dim<4")
    wait_for_rows(panel, qtbot, 2)
    lines = panel.runs.csv().splitlines()
    assert lines[0].startswith("star,name,")
    assert [line.split(",")[1] for line in lines[1:]] == ["Step 2", "'=SUM(A1)"]
    assert "\t'=SUM(A1)\t" in panel.runs.tsv()


def test_an_exported_table_says_which_models_its_rows_are(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    one = runs(session, qtbot, 1)[0]
    wait_for_rows(panel, qtbot, 1)
    assert not {"algorithm", "corpus", "dim"} & set(panel.runs.table.keys)
    (row,) = csv.DictReader(panel.runs.csv().splitlines())
    assert (row["algorithm"], row["corpus"], row["dim"]) == ("step", one.corpus_name, "2")
    assert len(row) == len(panel.runs.table.keys) + 3


def test_the_name_of_a_score_has_no_stray_s() -> None:
    assert score_column("similarity", "Small World’s pairs").key == "small_world_pairs"


def test_scores_that_were_computed_are_columns(
    panel: RunsPanel, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    from workbench.analysis.evaluation.leaderboard import ANALOGIES, EvaluationSet
    from workbench.session.runs.scores import ScoreStore

    records = runs(session, qtbot, 2)
    path = session.store.folder / "questions.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(": a\nx y z w\n")
    one = EvaluationSet(ANALOGIES, path, "Analogies")
    ScoreStore().put(records[0].identifier, one.key(), Score(0.5, 0.4, 0.6, 1.0, 10))
    monkeypatch.setattr("workbench.ui.panels.runs.runs_view.offered_sets", lambda session: [one])
    panel.runs.read_scores()
    table = panel.runs.table
    qtbot.waitUntil(lambda: "analogies" in table.keys)
    column = table.table.columns[table.keys.index("analogies")]
    assert [column.cell_text(row) for row in range(2)] == ["", "50.0%"]
    qtbot.keyClicks(panel.runs.filter, "analogies>=50%")
    wait_for_rows(panel, qtbot, 1)


def test_only_the_row_of_what_trains_changes_while_it_does(
    panel: RunsPanel, session: Session, gate: Gate, qtbot: QtBot
) -> None:
    runs(session, qtbot, 2)
    gate.opened.clear()
    going = session.training.start(TrainingSpec("step", StepParams(min_count=1, dim=9)))
    model = panel.runs.table.table
    wait_for_rows(panel, qtbot, 3)
    qtbot.waitUntil(lambda: panel.runs.tsv().split("\n")[1].count("training") == 1)
    resets: list[object] = []
    rows: set[int] = set()
    model.modelReset.connect(lambda: resets.append(None))
    model.dataChanged.connect(
        lambda first, last, roles: rows.update(range(first.row(), last.row() + 1))
    )
    qtbot.waitUntil(lambda: bool(rows))
    # Scores of earlier runs are loaded in the background and may only have arrived now.
    resets.clear()
    rows.clear()
    qtbot.waitUntil(lambda: bool(rows))
    assert rows == {0}
    assert resets == []
    gate.opened.set()
    until(qtbot, lambda: going.state is State.DONE)


def test_the_queue_is_ordered_by_keys_and_buttons(
    panel: RunsPanel, session: Session, gate: Gate, qtbot: QtBot
) -> None:
    gate.opened.clear()
    first, one, two, three = (
        session.training.start(TrainingSpec("step", StepParams(min_count=1, seed=at)))
        for at in range(4)
    )
    queue = panel.queue
    button = panel.instruments.buttons[1]
    qtbot.waitUntil(lambda: button.text() == "Queue (3)")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: len(queue.table.turns) == 4)
    queue.table.setFocus()
    queue.table.selectRow(3)
    qtbot.keyClick(queue.table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert session.training.queue.waiting == (one, three, two)
    qtbot.mouseClick(queue.first, Qt.MouseButton.LeftButton)
    assert session.training.queue.waiting == (three, one, two)
    assert queue.table.current is not None
    assert queue.table.current.record is three
    assert not queue.up.isEnabled()
    queue.table.table.dropped.emit(3, 1)
    assert session.training.queue.waiting == (two, three, one)
    queue.table.selectRow(2)
    qtbot.keyClick(queue.table, Qt.Key.Key_Delete)
    assert three.state is State.CANCELLED
    qtbot.mouseClick(queue.pause, Qt.MouseButton.LeftButton)
    assert session.training.queue.paused
    gate.opened.set()
    until(qtbot, lambda: first.state.over)
    assert (two.state, one.state) == (State.WAITING, State.WAITING)
    queue.table.selectRow(1)
    qtbot.keyClick(queue.table, Qt.Key.Key_Return)
    until(qtbot, lambda: one.state.over)
    assert two.state is State.WAITING
    qtbot.mouseClick(queue.clear, Qt.MouseButton.LeftButton)
    assert two.state is State.CANCELLED
    qtbot.waitUntil(lambda: queue.state == "empty")


def test_a_grid_is_planned_trained_found_and_drawn(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    qtbot.mouseClick(panel.instruments.buttons[2], Qt.MouseButton.LeftButton)
    grid = panel.grid
    grid.form.more.setChecked(True)
    for name, text in (("min_count", "1"), ("dim", "2..4"), ("steps", "5, 10"), ("seed", "x")):
        line = grid.form.fields[name].line
        line.selectAll()
        qtbot.keyClicks(line, text)
    assert grid.form.fields["seed"].line.property("invalid") is not None
    qtbot.waitUntil(lambda: bool(grid.form.fields["seed"].line.property("invalid")))
    assert not grid.start.isEnabled()
    line = grid.form.fields["seed"].line
    line.selectAll()
    qtbot.keyClicks(line, "1")
    qtbot.waitUntil(lambda: grid.plan is not None)
    assert grid.start.text() == "Train 6 runs"
    assert grid.fact.whole.startswith("6 runs · ")
    qtbot.mouseClick(grid.start, Qt.MouseButton.LeftButton)
    assert panel.instruments.current is panel.runs
    (group,) = session.training.grids.groups
    assert group == f"{MODELS['step'].short} grid 1"
    assert panel.runs.filter.text() == f'group="{group}"'
    until(qtbot, lambda: all(record.state.over for record in session.runs))
    wait_for_rows(panel, qtbot, 6)
    click(panel.runs.table, qtbot, 0)
    qtbot.keyClick(panel.runs.table, Qt.Key.Key_G)
    results = panel.results
    assert panel.instruments.current is results
    qtbot.waitUntil(lambda: results.state == "body")
    assert results.chosen_group == group
    chart = results.chart.chart
    assert chart is not None
    assert [one.name for one in chart.series] == ["steps 5", "steps 10"]
    assert [list(one.x) for one in chart.series] == [[2, 3, 4]] * 2
    assert chart.series[0].y[0] == pytest.approx(1 / 5)
    trained = session.training.grids.runs(group)
    assert [one.colour for one in chart.series] == [
        next(run for run in trained if run.parameters["steps"] == steps).colour for steps in (5, 10)
    ]
    first = session.training.grids.runs(group)[0].identifier
    results.take_scores({first: {"pairs": 0.5}}, [ScoreColumn("pairs", "Pairs", True)])
    assert results.measure.currentData() == "pairs"
    qtbot.keyClick(results.measure, Qt.Key.Key_End)
    results.measure.activated.emit(results.measure.currentIndex())
    assert results.measure.currentData() == "seconds"
    results.take_scores({first: {"more": 0.5}}, [ScoreColumn("more", "More", True)])
    assert results.measure.currentData() == "seconds"
    results.along.setCurrentIndex(results.along.findData("steps"))
    chart = results.chart.chart
    assert chart is not None
    assert len(chart.series) == 3


def test_a_grid_without_scores_and_losses_offers_to_score_it(
    panel: RunsPanel, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without scores or losses, runs could only be compared by duration, which isn't useful."""
    monkeypatch.setattr(MODELS["step"], "loss_label", "")
    corpus = session.corpora.current
    assert corpus is not None
    base = StepParams(min_count=1, steps=5).to_dict()
    grid = Grid(MODELS["step"], base, {"dim": (2, 3)})
    group = session.training.grids.start(plan_of(grid, corpus))
    until(qtbot, lambda: all(record.state.over for record in session.runs))
    panel.show_results(group)
    results = panel.results
    assert results.measure.currentText() == "Scores"
    qtbot.waitUntil(lambda: results.state == "empty")
    rankings: list[Sequence[RunRecord]] = []
    session.requests.ranking.connect(rankings.append)
    button = results.notice.findChild(QPushButton)
    assert button is not None
    assert button.text() == "Open the leaderboard"
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert [{record.identifier for record in runs} for runs in rankings] == [
        {record.identifier for record in session.runs}
    ]
    first = session.runs.records[0].identifier
    results.take_scores({first: {"pairs": 0.5}}, [ScoreColumn("pairs", "Pairs", True)])
    assert results.measure.currentData() == "pairs"
    assert results.state == "body"


def test_the_caption_of_a_grid_names_what_its_axis_states(
    panel: RunsPanel, session: Session, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    corpus = session.corpora.current
    assert corpus is not None
    base = StepParams(min_count=1, steps=5).to_dict()
    group = session.training.grids.start(
        plan_of(Grid(MODELS["step"], base, {"dim": (2, 3)}), corpus)
    )
    until(qtbot, lambda: all(record.state.over for record in session.runs))
    results = panel.results
    panel.show_results(group)
    qtbot.waitUntil(lambda: results.state == "body")
    captions = []
    for gaps in (False, True):
        losses = Losses({record.identifier: 0.5 for record in session.runs}, gaps=gaps)
        monkeypatch.setattr(grid_chart, "compare_losses", lambda runs, losses=losses: losses)
        results.refresh()
        chart, export = results.chart.chart, results.chart.export
        assert chart is not None
        assert export is not None
        assert export.about is not None
        captions.append(export.about())
        assert captions[-1].startswith(f"{chart.y_label} by ")
    assert captions[1].startswith("Loss above its floor by ")


def test_a_grid_starts_from_the_values_of_the_form(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    form = TrainPanel(panel.context)
    qtbot.addWidget(form)
    form.resize(420, 700)
    form.show()
    form.choose("step")
    form.form.fields["dim"].put(17)
    qtbot.mouseClick(panel.instruments.buttons[2], Qt.MouseButton.LeftButton)
    grid = panel.grid
    grid.algorithm.setCurrentIndex(grid.algorithm.findData("step"))
    assert grid.form.fields["dim"].written_text == "17"
    # Also values that change later, unless the grid has its own.
    qtbot.mouseClick(panel.instruments.buttons[0], Qt.MouseButton.LeftButton)
    form.form.fields["dim"].put(19)
    qtbot.mouseClick(panel.instruments.buttons[2], Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: grid.form.fields["dim"].written_text == "19")
    form.release()


def test_too_many_runs_are_refused_before_anything_starts(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    qtbot.mouseClick(panel.instruments.buttons[2], Qt.MouseButton.LeftButton)
    panel.grid.form.write("dim", "1..100")
    panel.grid.form.write("steps", "1..100")
    qtbot.waitUntil(lambda: "can have at most" in panel.grid.fact.whole)
    assert not panel.grid.start.isEnabled()
    assert session.runs.records == []


def test_a_narrow_table_does_without_columns_and_says_which(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    runs(session, qtbot)
    wait_for_rows(panel, qtbot, 3)
    view, table = panel.runs, panel.runs.table
    panel.resize(1400, panel.height())
    qtbot.waitUntil(lambda: not table.gone)
    assert view.columns.text() == "Columns"
    panel.resize(420, panel.height())
    qtbot.waitUntil(lambda: bool(table.gone))
    qtbot.waitUntil(lambda: table.horizontalScrollBar().maximum() == 0)
    assert table.gone[0] == "Tokens/s"
    number = len(table.keys) - 2
    assert view.columns.text() == f"Columns ({number - len(table.gone)} of {number})"
    assert "Tokens/s" in view.columns.toolTip()
    # Exported texts aren't shortened.
    assert "rate" in view.csv().splitlines()[0]
    view.columns.fill()
    boxes = {action.text(): action for action in view.columns.menu().actions()}
    assert not boxes["Tokens/s (no room)"].isChecked()
    boxes["Tokens/s (no room)"].trigger()
    at = table.keys.index("rate")
    qtbot.waitUntil(lambda: not table.isColumnHidden(at))
    assert "Tokens/s" not in table.gone


def test_columns_in_which_nothing_stands_give_way_first(
    panel: RunsPanel, session: Session, gate: Gate, qtbot: QtBot
) -> None:
    runs(session, qtbot)
    gate.opened.clear()
    waits = [
        session.training.start(TrainingSpec("step", StepParams(min_count=1, dim=dim)))
        for dim in (7, 8, 9)
    ][1:]
    wait_for_rows(panel, qtbot, 6)
    spare = {kind.key: kind.spare for kind in panel.runs.columns.kinds}
    assert spare["loss"] < spare["rate"] < EMPTY
    panel.runs.show_only("state:waiting")
    wait_for_rows(panel, qtbot, 2)
    spare = {kind.key: kind.spare for kind in panel.runs.columns.kinds}
    assert spare["loss"] == spare["rate"] == EMPTY
    assert 0 < spare["dim"] < EMPTY
    gate.opened.set()
    until(qtbot, lambda: all(record.state.over for record in waits))


def test_the_focus_leaves_a_column_that_gives_way(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    runs(session, qtbot)
    wait_for_rows(panel, qtbot, 3)
    table = panel.runs.table
    panel.resize(1400, panel.height())
    qtbot.waitUntil(lambda: not table.gone)
    table.setCurrentIndex(table.table.index(0, table.keys.index("rate")))
    panel.resize(420, panel.height())
    qtbot.waitUntil(lambda: bool(table.gone))
    session.runs.star([table.records[0]], True)
    qtbot.waitUntil(lambda: not table.isColumnHidden(table.currentIndex().column()))


def test_how_many_of_all_runs_pass_the_filter_is_told(
    panel: RunsPanel, session: Session, qtbot: QtBot
) -> None:
    runs(session, qtbot)
    wait_for_rows(panel, qtbot, 3)
    view = panel.runs
    assert view.fact.whole == "3 runs"
    qtbot.keyClicks(view.filter, "dim>2 -step1")
    until(qtbot, lambda: view.fact.whole == "2 of 3 runs")


def test_what_trains_is_not_deleted_before_it_is_cancelled(
    panel: RunsPanel, session: Session, gate: Gate, qtbot: QtBot
) -> None:
    gate.opened.clear()
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    delete = next(action for action in GROUPS["run"].actions if action.key == "run.delete")
    assert isinstance(delete, Action)
    why = delete.why_not(RunTarget(panel, panel.context, (record,)))
    assert record.name in why
    gate.opened.set()
    until(qtbot, lambda: record.state.over)
    assert not delete.why_not(RunTarget(panel, panel.context, (record,)))
