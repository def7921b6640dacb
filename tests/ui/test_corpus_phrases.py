"""Joining phrases from the Corpus panel, with clicks and keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus

from workbench.corpus.corpus import CorpusOptions
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.theme import SPACE_2
from workbench.ui.panels.corpus.panel import CorpusPanel
from workbench.ui.widgets.layout.flow import FlowLayout

TEXT = (
    "New York is big\nthe New York Times of New York\nold York is new\nis the New York Times here\n"
    * 3
)
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot, tmp_path: Path) -> Iterator[CorpusPanel]:
    """The panel with a corpus read without phrases."""
    new_panel = CorpusPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(900, 700)
    new_panel.show()
    path = tmp_path / "city.txt"
    path.write_text(TEXT)
    new_panel.session.corpora.open([path])
    settle(new_panel, qtbot)
    yield new_panel
    new_panel.release()


def settle(panel: CorpusPanel, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: panel.session.corpora.opening is None, timeout=180_000)


def put(panel: CorpusPanel, qtbot: QtBot, option: str, text: str) -> None:
    """Replace the content of a number field by typing."""
    box = panel.findChild(QAbstractSpinBox, f"corpus.option.{option}")
    assert box is not None
    assert box.isVisible()
    box.selectAll()
    qtbot.keyClicks(box, text)


def again(panel: CorpusPanel, qtbot: QtBot) -> None:
    button = panel.findChild(QPushButton, "corpus.again")
    assert button is not None
    assert button.isVisible()
    qtbot.mouseClick(button, LEFT)
    settle(panel, qtbot)


def is_shown(panel: CorpusPanel, option: str) -> bool:
    widget = panel.findChild(QWidget, f"corpus.option.{option}")
    assert widget is not None
    return widget.isVisible()


def listed_phrases(panel: CorpusPanel) -> list[str]:
    return [panel.phrases.word(row) for row in range(panel.phrases.table.rowCount())]


def click_column(panel: CorpusPanel, qtbot: QtBot, column: int) -> None:
    header = panel.phrases.horizontalHeader()
    place = QRect(
        header.sectionViewportPosition(column), 0, header.sectionSize(column), header.height()
    ).center()
    qtbot.mouseClick(header.viewport(), LEFT, pos=place)


def test_settings_of_phrases_come_with_the_first_pass(panel: CorpusPanel, qtbot: QtBot) -> None:
    assert not panel.words.pages.isVisible()
    assert [is_shown(panel, name) for name in ("phrases", "phrase_score", "phrase_threshold")] == [
        True,
        False,
        False,
    ]
    put(panel, qtbot, "phrases", "1")
    assert [
        is_shown(panel, name) for name in ("phrase_score", "phrase_threshold", "phrase_fall")
    ] == [
        True,
        True,
        False,
    ]
    put(panel, qtbot, "phrases", "2")
    assert is_shown(panel, "phrase_fall")
    put(panel, qtbot, "phrases", "0")
    assert not is_shown(panel, "phrase_score")


def test_phrases_are_joined_and_listed(panel: CorpusPanel, qtbot: QtBot) -> None:
    put(panel, qtbot, "phrases", "2")
    put(panel, qtbot, "phrase_threshold", "1.5")
    put(panel, qtbot, "phrase_min_count", "3")
    again(panel, qtbot)
    assert panel.session.corpora.current is not None
    assert panel.session.corpora.current.options == CorpusOptions(
        phrases=2, phrase_threshold=1.5, phrase_min_count=3
    )
    assert panel.words.pages.isVisible()
    assert panel.phrases.isVisible()
    names = listed_phrases(panel)
    assert "new_york" in names
    assert any(name.count("_") > 1 for name in names)
    assert panel.words.pages.tabText(1) == f"Phrases · {len(names)}"
    model = panel.phrases.table
    scores = [float(str(model.data(model.index(row, 2)))) for row in range(model.rowCount())]
    assert scores == sorted(scores, reverse=True)
    click_column(panel, qtbot, 1)
    counts = [int(str(model.data(model.index(row, 1)))) for row in range(model.rowCount())]
    assert counts == sorted(counts, reverse=True)
    click_column(panel, qtbot, 0)
    assert listed_phrases(panel) == sorted(names)


def test_a_click_selects_a_phrase_and_shows_its_lines(panel: CorpusPanel, qtbot: QtBot) -> None:
    put(panel, qtbot, "phrases", "1")
    put(panel, qtbot, "phrase_threshold", "1.2")
    again(panel, qtbot)
    row = listed_phrases(panel).index("new_york")
    place = panel.phrases.visualRect(panel.phrases.table.index(row, 1)).center()
    qtbot.mouseClick(panel.phrases.viewport(), LEFT, pos=place)
    assert panel.session.selection.words == ("new_york",)
    qtbot.waitUntil(lambda: panel.lines.model().rowCount() == 12)
    assert "new_york times" in str(panel.lines.model().index(1, 0).data())
    # The vocabulary selects the phrase, too.
    panel.words.pages.setFocus()
    qtbot.keyClick(panel.words.pages, Qt.Key.Key_Left)
    assert panel.vocabulary.isVisible()
    assert panel.vocabulary.word(panel.vocabulary.currentIndex().row()) == "new_york"


def test_where_no_pair_is_good_enough_it_says_what_to_change(
    panel: CorpusPanel, qtbot: QtBot
) -> None:
    put(panel, qtbot, "phrases", "1")
    again(panel, qtbot)
    label = panel.findChild(QLabel, "corpus.no_phrases")
    assert label is not None
    assert label.isVisible()
    assert "score above 100" in label.text()
    assert "Lower the threshold" in label.text()
    score = panel.findChild(QComboBox, "corpus.option.phrase_score")
    assert score is not None
    score.setFocus()
    qtbot.keyClick(score, Qt.Key.Key_Down)
    assert score.currentText() == "npmi"
    again(panel, qtbot)
    assert not label.isVisible()
    assert "new_york" in listed_phrases(panel)
    put(panel, qtbot, "phrases", "0")
    again(panel, qtbot)
    assert not panel.words.pages.isVisible()
    assert panel.vocabulary.isVisible()


def test_a_value_that_makes_no_sense_is_said_and_not_kept(panel: CorpusPanel, qtbot: QtBot) -> None:
    put(panel, qtbot, "phrases", "1")
    put(panel, qtbot, "phrase_threshold", "-2")
    error = panel.findChild(QLabel, "corpus.option.error")
    button = panel.findChild(QPushButton, "corpus.again")
    assert error is not None
    assert button is not None
    assert error.isVisible()
    assert "at least" in error.text()
    assert not button.isVisible()
    assert panel.session.corpora.current is not None
    choice = panel.session.corpora.readings.choice(panel.session.corpora.current.digest)
    assert choice is not None
    assert choice.phrase_threshold != -2
    put(panel, qtbot, "phrase_threshold", "3")
    assert not error.isVisible()
    assert button.isVisible()


def test_the_choices_are_remembered(
    panel: CorpusPanel, qtbot: QtBot, context: PanelContext
) -> None:
    put(panel, qtbot, "phrases", "3")
    put(panel, qtbot, "phrase_fall", "0.5")
    other = CorpusPanel(context)
    qtbot.addWidget(other)
    box = other.findChild(QAbstractSpinBox, "corpus.option.phrases")
    assert box is not None
    assert box.text() == "3"
    # A session file that is saved now contains them.
    assert other.view_state.reading["values"] == {"phrases": 3, "phrase_fall": 0.5}
    qtbot.waitUntil(lambda: other.idle)
    other.release()


def test_what_was_chosen_for_another_corpus_is_not_shown_for_this_one(
    panel: CorpusPanel, qtbot: QtBot, context: PanelContext
) -> None:
    context.session.corpora.readings.choose(small_corpus("0ther").digest, CorpusOptions(phrases=3))
    other = CorpusPanel(context)
    qtbot.addWidget(other)
    box = other.findChild(QAbstractSpinBox, "corpus.option.phrases")
    assert box is not None
    assert box.text() == "0"
    qtbot.waitUntil(lambda: other.idle)
    other.release()


def test_the_filter_keeps_phrases_that_hold_the_letters(panel: CorpusPanel, qtbot: QtBot) -> None:
    put(panel, qtbot, "phrases", "1")
    put(panel, qtbot, "phrase_threshold", "0.8")
    put(panel, qtbot, "phrase_min_count", "1")
    again(panel, qtbot)
    every = listed_phrases(panel)
    qtbot.keyClicks(panel.filter, "york")
    qtbot.waitUntil(lambda: listed_phrases(panel) == [name for name in every if "york" in name])
    assert len(listed_phrases(panel)) < len(every)


def test_widgets_flow_into_the_rows_that_they_need(qtbot: QtBot) -> None:
    host = QWidget()
    qtbot.addWidget(host)
    flow = FlowLayout(host, gap=10, row_gap=4)
    boxes = [QWidget() for _ in range(4)]
    for box in boxes:
        box.setFixedSize(100, 20)
        flow.addWidget(box)
    host.resize(330, 100)
    host.show()
    assert [(box.x(), box.y()) for box in boxes] == [(0, 0), (110, 0), (220, 0), (0, 24)]
    assert (flow.heightForWidth(330), flow.heightForWidth(430), flow.heightForWidth(50)) == (
        44,
        20,
        92,
    )
    boxes[1].hide()
    assert flow.heightForWidth(330) == 20


@pytest.mark.parametrize("passes", ["99", "2"])
def test_no_row_of_options_is_squeezed_into_the_next(
    panel: CorpusPanel, qtbot: QtBot, passes: str
) -> None:
    panel.resize(804, 447)
    for name in ("corpus.option.more", "corpus.show_preview"):
        button = panel.findChild(QAbstractButton, name)
        assert button is not None
        qtbot.mouseClick(button, LEFT)
    qtbot.waitUntil(lambda: panel.preview.effect.isVisible())
    put(panel, qtbot, "phrases", passes)
    options, preview = panel.reading.options, panel.preview

    def apart() -> bool:
        layout = options.layout()
        assert layout is not None
        whole = options.height() >= layout.heightForWidth(options.width())
        return whole and options.geometry().bottom() + SPACE_2 < preview.geometry().top()

    qtbot.waitUntil(lambda: not panel.session.jobs.active)
    qtbot.waitUntil(apart)
