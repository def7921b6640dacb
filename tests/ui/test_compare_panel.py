"""Two models and their seeds side by side, with clicks and keys."""

from __future__ import annotations

import csv
import dataclasses
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, Qt
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QSplitter, QToolTip, QWidget
from pytestqt.qtbot import QtBot
from session.fakes import Gate, StepParams
from ui.toy import WORDS, look_at, open_corpus, toy_corpus, toy_model, until

from workbench.session.runs.run_record import State
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.action import submenu
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.compare.panel import ComparePanel
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[ComparePanel]:
    new_panel = ComparePanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(900, 560)
    new_panel.show()
    yield new_panel
    new_panel.release()


def click(qtbot: QtBot, widget: QWidget | None) -> None:
    assert widget is not None
    qtbot.mouseClick(widget, LEFT)


def notice(panel: ComparePanel, local: str) -> str:
    label = panel.findChild(QLabel, f"compare.{local}.notice")
    assert label is not None
    return label.text() if label.isVisible() else ""


def changed_model(word: str = "wool", columns: int = 6) -> Embeddings:
    """The toy model with negated vectors and one word moved."""
    base = toy_model()
    vectors = -np.asarray(base.vectors).copy()
    vectors[list(WORDS).index(word)] = [-5, 0, 0, 0, 1, 0]
    if columns > 6:
        vectors = np.hstack([vectors, np.zeros((len(vectors), columns - 6), np.float32)])
    return dataclasses.replace(base, vectors=vectors.astype(np.float32))


def compare(panel: ComparePanel, qtbot: QtBot, other: Embeddings) -> None:
    look_at(panel.session, other, "other")
    look_at(panel.session, toy_model(), "toy")
    panel.models.first.choose(panel.session.runs[1])
    panel.models.second.choose(panel.session.runs[0])
    until(
        qtbot,
        lambda: (
            panel.models.state == "body" and panel.models.lists.lists is not None and panel.idle
        ),
    )


def test_one_model_is_not_enough(panel: ComparePanel) -> None:
    assert panel.state == "empty"
    look_at(panel.session, toy_model())
    assert panel.state == "body"
    assert notice(panel, "models") == "A comparison needs two models"


def test_the_second_model_is_compared_with_the_first_as_soon_as_it_is_there(
    panel: ComparePanel, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model(), "toy")
    look_at(panel.session, changed_model(), "other")
    panel.session.runs.changed.emit()
    until(qtbot, lambda: panel.models.state == "body" and panel.idle)
    assert {panel.models.first.currentText(), panel.models.second.currentText()} == {"toy", "other"}


def test_models_that_differ_in_several_settings_are_named_by_them(
    panel: ComparePanel, qtbot: QtBot
) -> None:
    one = look_at(panel.session, changed_model(), "other")
    other = look_at(panel.session, toy_model(), "toy")
    one.algorithm, one.parameters = "cbow", {"window": 5, "epochs": 3, "seed": 1}
    other.algorithm, other.parameters = "sgns", {"window": 10, "epochs": 5, "seed": 2}
    panel.models.first.choose(other)
    panel.models.second.choose(one)
    line = panel.models.differences
    until(qtbot, lambda: panel.models.state == "body" and panel.idle and line.isVisible())
    assert line.whole == "These models differ in: algorithm, window, epochs."
    other.algorithm, other.parameters = "cbow", {"window": 10, "epochs": 3, "seed": 2}
    panel.models.swap.click()
    until(qtbot, lambda: panel.idle and not line.isVisible())


def test_the_word_that_moved_comes_first_and_a_click_selects_it(
    panel: ComparePanel, qtbot: QtBot
) -> None:
    compare(panel, qtbot, changed_model())
    view = panel.models
    assert [column.name for column in view.words.table.columns] == [
        "Word",
        "Moved",
        "Overlap",
        "Count",
    ]
    rows = view.words.texts()
    assert rows[0][0] == "wool"
    assert float(rows[0][1]) > 0.5
    assert len(rows) == len(WORDS)
    assert "13 common words" in view.fact.whole
    where = view.words.visualRect(view.words.model().index(2, 0)).center()
    qtbot.mouseClick(view.words.viewport(), LEFT, pos=where)
    assert panel.session.selection.words == (rows[2][0],)
    until(qtbot, lambda: view.lists.lists is not None and view.lists.lists.word == rows[2][0])
    assert view.lists.titles[0].text() == "toy"
    assert view.chart.current == rows[2][0]


def test_neighbours_are_walked_beside_their_word_and_opened(
    panel: ComparePanel, qtbot: QtBot
) -> None:
    compare(panel, qtbot, changed_model())
    view = panel.models
    panel.session.selection.select(["king"])
    until(qtbot, lambda: view.lists.lists is not None and view.lists.lists.word == "king")
    assert view.lists.lists is not None
    table = view.lists.tables[0]
    where = table.visualRect(table.model().index(0, 1)).center()
    qtbot.mouseClick(table.viewport(), LEFT, pos=where)
    first = view.lists.lists.first[0].word
    assert panel.session.selection.words == ("king", first)
    until(qtbot, lambda: panel.idle)
    assert view.lists.lists.word == "king"
    qtbot.keyClick(table, Qt.Key.Key_Return)
    assert panel.session.selection.words == (first,)
    until(qtbot, lambda: view.lists.lists is not None and view.lists.lists.word == first)
    panel.session.selection.select(["nobody"])
    until(qtbot, lambda: view.lists.lists is None)
    assert "nobody" in view.lists.heading.whole


def test_the_other_run_of_the_same_text_is_what_is_meant(
    context: PanelContext, qtbot: QtBot
) -> None:
    for name, digest in (("same", "t"), ("newer of another corpus", "u"), ("shown", "t")):
        look_at(context.session, toy_model(), name).corpus_digest = digest
    panel = ComparePanel(context)
    qtbot.addWidget(panel)
    first, second = panel.models.first.record, panel.models.second.record
    assert first is not None
    assert second is not None
    assert (first.name, second.name) == ("shown", "same")
    panel.release()


def test_another_number_of_neighbours_is_compared_anew(panel: ComparePanel, qtbot: QtBot) -> None:
    compare(panel, qtbot, changed_model())
    view = panel.models
    assert view.comparison is not None
    before = view.comparison.k
    view.nearest.setFocus()
    qtbot.keyClick(view.nearest, Qt.Key.Key_Up if view.nearest.currentIndex() else Qt.Key.Key_Down)
    number = int(view.nearest.currentData())
    assert number != before
    until(qtbot, lambda: panel.idle and view.comparison is not None and view.comparison.k == number)
    assert f"Share of the {number} nearest" in view.words.table.columns[2].tip


def test_dots_of_the_plot_are_words(panel: ComparePanel, qtbot: QtBot) -> None:
    compare(panel, qtbot, changed_model())
    view = panel.models
    click(qtbot, panel.findChild(QPushButton, "compare.models.side.by_frequency"))
    assert view.chart.isVisible()
    assert view.chart.chart is not None
    assert len(view.chart.chart.series[0].x) == len(WORDS)
    qtbot.mouseClick(view.chart.viewport(), LEFT, pos=view.chart.place_of("queen").toPoint())
    # Dots of equal overlap are close together: the nearest one is selected.
    assert len(panel.session.selection.words) == 1
    before = panel.session.selection.words
    qtbot.keyClick(view.chart, Qt.Key.Key_Left)
    assert panel.session.selection.words != before


def test_other_dimensions_compare_neighbours_alone_and_say_so(
    panel: ComparePanel, qtbot: QtBot
) -> None:
    compare(panel, qtbot, changed_model(columns=9))
    assert "6 and 9 dimensions" in panel.models.fact.whole
    assert [column.name for column in panel.models.words.table.columns] == [
        "Word",
        "Overlap",
        "Count",
    ]
    assert panel.models.words.texts()[0][1] <= panel.models.words.texts()[-1][1]
    click(qtbot, panel.models.swap)
    until(qtbot, lambda: "9 and 6 dimensions" in panel.models.fact.whole)


def test_figures_and_data_are_saved(panel: ComparePanel, qtbot: QtBot, tmp_path: Path) -> None:
    compare(panel, qtbot, changed_model())
    exports = panel.models.exports
    for suffix in (".png", ".svg", ".pdf"):
        exports["overlap"].save(tmp_path / f"overlap{suffix}")
        assert (tmp_path / f"overlap{suffix}").stat().st_size > 500
    exports["moved words"].save(tmp_path / "moved.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "moved.csv").read_text("utf-8"))))
    assert rows[0] == ["Word", "Moved", "Overlap", "Count"]
    assert rows[1][0] == "wool"
    exports["neighbours"].save(tmp_path / "near.csv")
    rows = list(csv.reader(io.StringIO((tmp_path / "near.csv").read_text("utf-8"))))
    assert rows[0][-1] == "rank in the other"
    assert len(rows) == 1 + 2 * (len(WORDS) - 1)


def test_sorting_by_keys_through_the_menu(panel: ComparePanel, qtbot: QtBot) -> None:
    compare(panel, qtbot, changed_model())
    menu = panel.models.words.menu()
    by = submenu(menu.actions()[0])
    assert by is not None
    assert [action.text() for action in by.actions()] == ["Word", "Moved", "Overlap", "Count"]
    by.popup(panel.mapToGlobal(QPoint(10, 10)))
    by.setActiveAction(by.actions()[0])
    qtbot.keyClick(by, Qt.Key.Key_Return)
    assert [row[0] for row in panel.models.words.texts()] == sorted(WORDS)


def test_seeds_are_trained_on_demand_and_their_spread_is_shown(
    panel: ComparePanel, gate: Gate, qtbot: QtBot
) -> None:
    session = panel.session
    open_corpus(session, toy_corpus())
    base = session.training.start(TrainingSpec("step", StepParams.from_mapping({"min_count": 1})))
    until(qtbot, lambda: base.state is State.DONE)
    click(qtbot, panel.findChild(QPushButton, "compare.show.seeds"))
    view = panel.seeds
    assert notice(panel, "seeds") == "How much of Step 1 is due to chance?"
    view.number.setFocus()
    view.number.selectAll()
    qtbot.keyClicks(view.number, "3")
    assert view.train.text() == "Train 2 more"
    click(qtbot, panel.findChild(QPushButton, "compare.seeds.notice.action"))
    until(qtbot, lambda: view.stability is not None and view.stability.models == 3 and panel.idle)
    assert session.active.run is base
    assert [record.name for record in session.runs] == [
        "Step 1",
        "Step 1 · seed 2",
        "Step 1 · seed 3",
    ]
    assert view.train.text() == "All trained"
    assert not view.train.isEnabled()
    assert "3 seeds" in view.fact.whole
    session.selection.select(["king"])
    until(qtbot, lambda: view.heading.text().startswith("king: "))
    rows = view.spread.texts()
    assert rows
    assert all(row[3].endswith(" of 3") for row in rows)
    view.spread.pick(0)
    view.spread.setFocus()
    qtbot.keyClick(view.spread, Qt.Key.Key_Down)
    assert panel.session.selection.words == ("king", rows[1][0])


def test_seeds_that_wait_are_cancelled(panel: ComparePanel, gate: Gate, qtbot: QtBot) -> None:
    session = panel.session
    open_corpus(session, toy_corpus())
    base = session.training.start(TrainingSpec("step", StepParams.from_mapping({"min_count": 1})))
    until(qtbot, lambda: base.state is State.DONE)
    click(qtbot, panel.findChild(QPushButton, "compare.show.seeds"))
    gate.opened.clear()
    click(qtbot, panel.seeds.train)
    until(qtbot, lambda: panel.seeds.train.text() == "Cancel 4")
    assert "4 more seeds" in notice(panel, "seeds")
    click(qtbot, panel.seeds.train)
    until(qtbot, lambda: panel.seeds.train.text() == "Train 4 more")
    assert [record.state for record in session.runs[1:]] == [State.CANCELLED] * 4


def test_without_the_corpus_no_seed_is_trained_and_it_is_said_why(
    panel: ComparePanel, gate: Gate, qtbot: QtBot
) -> None:
    look_at(panel.session, toy_model())
    click(qtbot, panel.findChild(QPushButton, "compare.show.seeds"))
    click(qtbot, panel.seeds.train)
    assert "come from a file" in notice(panel, "seeds")


LONG = "antidisestablishmentarianism"


def renamed_model(base: Embeddings) -> Embeddings:
    """The model with a very long word in place of “wool”."""
    return dataclasses.replace(
        base, words=tuple(LONG if word == "wool" else word for word in base.words)
    )


def test_what_can_be_left_out_of_a_list_gives_way_before_long_words_are_cut(
    panel: ComparePanel, qtbot: QtBot
) -> None:
    look_at(panel.session, renamed_model(changed_model()), "other")
    look_at(panel.session, renamed_model(toy_model()), "toy")
    lists = panel.models.lists
    until(qtbot, lambda: lists.lists is not None and panel.idle)
    panel.session.selection.select(["wood"])
    until(qtbot, lambda: panel.idle)
    table = lists.tables[0]
    there = table.table.columns[-1]
    panel.resize(1400, 560)
    qtbot.waitUntil(lambda: not table.table.brief)
    whole = there.cell_text(0)
    assert table.model().index(0, 2).data() == whole
    assert "=" in whole or "▲" in whole or "▼" in whole
    wide = table.columnWidth(2)
    panel.resize(700, 560)
    qtbot.waitUntil(lambda: table.table.brief)
    assert table.isColumnHidden(0)
    # With some fonts the heading needs as much room as the longest text.
    heading = table.horizontalHeader().fontMetrics().horizontalAdvance(there.name)
    assert table.columnWidth(2) < wide or wide <= heading + 20
    assert there.cell_text(0, brief=True) == whole.split()[0]
    assert table.model().index(0, 2).data(Qt.ItemDataRole.ToolTipRole) == whole
    # Texts that are read aloud, copied or saved aren't shortened.
    assert table.texts()[0][2] == whole
    panel.resize(1400, 560)
    qtbot.waitUntil(lambda: not table.table.brief)
    assert table.columnWidth(2) == wide


def test_a_word_that_is_cut_is_told_whole(
    panel: ComparePanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    look_at(panel.session, renamed_model(changed_model()), "other")
    look_at(panel.session, renamed_model(toy_model()), "toy")
    view = panel.models.words
    until(qtbot, lambda: panel.models.comparison is not None and panel.idle)
    tips: list[str] = []
    monkeypatch.setattr(QToolTip, "showText", lambda place, text, *_: tips.append(text))
    rows = [row[0] for row in view.texts()]
    for width in (90, 400):
        view.setColumnWidth(0, width)
        where = view.visualRect(view.model().index(rows.index(LONG), 0)).center()
        event = QHelpEvent(QEvent.Type.ToolTip, where, view.viewport().mapToGlobal(where))
        QApplication.sendEvent(view.viewport(), event)
    assert [text for text in tips if text] == [LONG]


def test_how_the_room_is_shared_is_remembered(
    panel: ComparePanel, context: PanelContext, qtbot: QtBot
) -> None:
    compare(panel, qtbot, changed_model())
    parts = panel.findChild(QSplitter, "compare.models.parts")
    assert parts is not None
    handle = parts.handle(1)
    before = parts.sizes()
    qtbot.mousePress(handle, LEFT, pos=handle.rect().center())
    qtbot.mouseMove(handle, handle.rect().center() + QPoint(90, 0))
    qtbot.mouseRelease(handle, LEFT, pos=handle.rect().center() + QPoint(90, 0))
    sizes = parts.sizes()
    assert sizes[0] > before[0]
    again = ComparePanel(context)
    qtbot.addWidget(again)
    again.resize(panel.size())
    again.show()
    compare(again, qtbot, changed_model())
    parts = again.findChild(QSplitter, "compare.models.parts")
    assert parts is not None
    assert abs(parts.sizes()[0] - sizes[0]) <= 2
    again.release()


def test_a_run_of_a_long_name_takes_no_room_from_the_words(
    panel: ComparePanel, qtbot: QtBot
) -> None:
    look_at(panel.session, changed_model(), "other " * 60)
    look_at(panel.session, toy_model(), "toy " * 60)
    until(qtbot, lambda: panel.models.lists.lists is not None and panel.idle)
    assert panel.minimumSizeHint().width() < 900
    assert panel.models.side.width() < 600
