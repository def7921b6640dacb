"""Words between the groups of a text with a planted change, by keys and clicks."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from corpora import make_corpus, planted_corpus
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.toy import look_at, open_corpus, until

from workbench.analysis.groups.trail import Trail
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.groups.group_choice import PATTERN
from workbench.ui.panels.groups.panel import GroupsPanel
from workbench.vectors.embeddings import Embeddings


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[GroupsPanel]:
    new_panel = GroupsPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(1000, 560)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


@pytest.fixture
def planted(panel: GroupsPanel, qtbot: QtBot) -> GroupsPanel:
    """The panel with the planted corpus, grouped by years."""
    open_corpus(panel.session, planted_corpus())
    panel.groups.by.setCurrentIndex(panel.groups.by.findData(PATTERN))
    assert panel.notice.title == "Which part of a file name is the group?"
    panel.groups.pattern.setText(r"_(\d{4})_")
    qtbot.keyClick(panel.groups.pattern, Qt.Key.Key_Return)
    assert panel.notice.title == "Which words?"
    return panel


def compare(panel: GroupsPanel, words: str, to: str, qtbot: QtBot) -> None:
    panel.words.setText(words)
    panel.words.editingFinished.emit()
    panel.to.setText(to)
    qtbot.keyClick(panel.to, Qt.Key.Key_Return)
    until(qtbot, lambda: not panel.result.busy)


def test_without_groups_it_says_what_to_open(panel: GroupsPanel) -> None:
    assert panel.state == "empty"
    open_corpus(panel.session, make_corpus([["a", "b"]], "single"))
    assert panel.notice.title == "This text has no groups"


def test_a_planted_change_is_drawn_with_its_control(planted: GroupsPanel, qtbot: QtBot) -> None:
    compare(planted, "mover", "a0 b0", qtbot)
    found, chart = planted.found, planted.chart.chart
    assert found is not None
    assert chart is not None
    assert chart.x_names == tuple(str(year) for year in range(1800, 1808))
    control, other, shown = chart.series
    assert (control.name, other.name, shown.name) == (
        "groups shuffled",
        "mover and b0",
        "mover and a0",
    )
    assert shown.y[:4].min() > shown.y[4:].max()
    assert np.array_equal(shown.y, found.series[0].cosines)
    assert control.fill
    assert "largest change before 1804" in planted.fact.text()
    # The contexts are those of the group of the change.
    assert "mover in 1804" in planted.heading.text()
    gained = planted.contexts.table.columns[0].values
    assert {str(word)[0] for word in gained[:3]} == {"b"}


def test_another_curve_and_another_group_are_chosen(planted: GroupsPanel, qtbot: QtBot) -> None:
    compare(planted, "mover", "a0 b0", qtbot)
    qtbot.keyClick(planted.pair, Qt.Key.Key_Down)
    chart = planted.chart.chart
    assert chart is not None
    assert chart.series[-1].name == "mover and b0"
    planted.chart.picked.emit("1800")
    assert "mover in 1800" in planted.heading.text()
    assert planted.found is not None
    word = planted.found.words[0]
    contexts = [one.context for one in (*word.gained[0], *word.lost[0])]
    assert list(planted.contexts.table.columns[0].values) == contexts


def test_selected_words_are_compared_until_others_are_typed(
    planted: GroupsPanel, qtbot: QtBot
) -> None:
    planted.session.selection.select(["still"])
    until(qtbot, lambda: planted.found is not None)
    assert planted.words.placeholderText() == "still"
    assert planted.found is not None
    assert [one.word for one in planted.found.words] == ["still"]
    # A context can be looked at without losing the comparison.
    planted._pick_context("c0")
    assert planted.words.text() == "still"
    assert planted.session.selection.focus == "c0"


@pytest.mark.parametrize(
    ("words", "to", "said"),
    [
        ("nobody", "", "“nobody”"),
        ("mover " * 3 + " ".join(f"a{number}" for number in range(9)), "", "At most 6 words"),
    ],
)
def test_bad_input_ends_in_a_sentence(
    planted: GroupsPanel, words: str, to: str, said: str, qtbot: QtBot
) -> None:
    compare(planted, words, to, qtbot)
    assert planted.notice.kind == "error"
    assert said in planted.notice.title
    compare(planted, "mover", "", qtbot)
    assert planted.found is not None


def test_a_wrong_pattern_ends_in_a_sentence(planted: GroupsPanel, qtbot: QtBot) -> None:
    planted.words.setText("mover")
    planted.words.editingFinished.emit()
    planted.groups.pattern.setText("(")
    qtbot.keyClick(planted.groups.pattern, Qt.Key.Key_Return)
    until(qtbot, lambda: not planted.result.busy)
    assert planted.notice.kind == "error"
    assert "isn’t a valid pattern" in planted.notice.title


def test_tables_and_figures_are_saved(planted: GroupsPanel, qtbot: QtBot, tmp_path: Path) -> None:
    compare(planted, "mover", "a0", qtbot)
    rows = list(csv.DictReader(io.StringIO(planted.cosines_table())))
    assert planted.found is not None
    assert len(rows) == 8
    assert float(rows[2]["cosine"]) == pytest.approx(planted.found.series[0].cosines[2])
    assert "gained" in planted.contexts_table()
    assert planted.chart.export is not None
    for suffix in (".png", ".svg", ".pdf", ".csv"):
        planted.chart.export.save(tmp_path / f"groups{suffix}")
        assert (tmp_path / f"groups{suffix}").stat().st_size


def test_the_trail_needs_a_run_of_this_text(planted: GroupsPanel, qtbot: QtBot) -> None:
    assert planted.no_trail
    compare(planted, "mover", "", qtbot)
    assert not planted.map_button.isEnabled()
    corpus = planted.session.corpora.current
    assert corpus is not None
    vectors = np.random.default_rng(1).normal(size=(len(corpus.words), 6)).astype(np.float32)
    record = look_at(planted.session, Embeddings(list(corpus.words), vectors, corpus.counts))
    assert planted.no_trail
    record.corpus_digest = corpus.digest
    planted.session.active.changed.emit()
    assert not planted.no_trail
    sent: list[Trail] = []
    planted.session.requests.trail.connect(sent.append)
    qtbot.mouseClick(planted.map_button, Qt.MouseButton.LeftButton)
    until(qtbot, lambda: sent)
    assert sent[0].word == "mover"
    assert sent[0].groups == tuple(str(year) for year in range(1800, 1808))


def test_minimum_count_and_window_are_those_of_the_state(
    planted: GroupsPanel, qtbot: QtBot
) -> None:
    compare(planted, "mover", "a0 b0", qtbot)
    assert planted.found is not None
    first = planted.found.series[0].cosines
    planted.near.setValue(1)
    until(qtbot, lambda: planted.view_state.near == 1 and not planted.result.busy)
    assert planted._settings()[1].window == 1
    assert not np.array_equal(planted.found.series[0].cosines, first)
    # Nothing occurs so often.
    planted.min_count.setValue(9_000)
    until(qtbot, lambda: planted.view_state.min_count == 9_000 and not planted.result.busy)
    assert planted._settings()[1].min_count == 9_000
    assert planted.notice.title
