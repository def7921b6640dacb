"""Opening a text and looking at its words and lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFileDialog, QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from workbench.counts.sampling import keep_probabilities, noise_distribution
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.corpus.panel import CorpusPanel
from workbench.ui.panels.corpus.vocabulary_table import VocabularyTable

TEXT = "The cat saw the dog.\nThe dog saw the Cat and the bird.\nA bird sings.\n"


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[CorpusPanel]:
    new_panel = CorpusPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(900, 600)
    new_panel.show()
    yield new_panel
    new_panel.release()


@pytest.fixture
def text(tmp_path: Path) -> Path:
    path = tmp_path / "animals.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def open_text(panel: CorpusPanel, qtbot: QtBot, path: Path) -> None:
    panel.session.corpora.open([path])
    qtbot.waitUntil(lambda: panel.session.corpora.opening is None, timeout=180_000)


def label(panel: CorpusPanel, name: str) -> str:
    found = panel.findChild(QLabel, name)
    assert found is not None
    return found.text()


def test_it_begins_by_saying_what_to_do(panel: CorpusPanel) -> None:
    assert panel.state == "empty"
    assert "Open a text" in label(panel, "corpus.notice")


def test_a_text_is_opened_through_the_dialog(panel: CorpusPanel, qtbot: QtBot, text: Path) -> None:
    button = panel.findChild(QPushButton, "corpus.notice.action")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    dialog = panel.findChild(QFileDialog, "open.dialog")
    assert dialog is not None
    dialog.filesSelected.emit([str(text)])
    dialog.reject()
    qtbot.waitUntil(lambda: panel.state == "body", timeout=180_000)
    facts = label(panel, "corpus.facts")
    assert "16 tokens" in facts
    assert "1 file" in facts
    assert "UTF-8" in facts


def test_while_reading_it_is_busy(panel: CorpusPanel, qtbot: QtBot, text: Path) -> None:
    panel.session.corpora.open([text])
    assert panel.state == "busy"
    assert not panel.idle
    qtbot.waitUntil(lambda: panel.state == "body", timeout=180_000)


def test_a_failure_says_what_is_wrong_and_offers_another_file(
    panel: CorpusPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    open_text(panel, qtbot, empty)
    assert panel.state == "error"
    assert "empty" in label(panel, "corpus.notice")
    button = panel.findChild(QPushButton, "corpus.notice.action")
    assert button is not None
    assert "another" in button.text()


def test_the_table_holds_counts_kept_share_and_noise(
    panel: CorpusPanel, qtbot: QtBot, text: Path
) -> None:
    open_text(panel, qtbot, text)
    corpus = panel.session.corpora.current
    assert corpus is not None
    model = panel.vocabulary.table
    assert model.rowCount() == corpus.types
    row = [model.data(model.index(0, column)) for column in range(7)]
    kept_share = 100 * keep_probabilities(corpus.counts, 1e-3)[0]
    noise = noise_distribution(corpus.counts, 0.75)[0]
    assert row[:3] == ["1", "the", "5"]
    assert float(row[3].removesuffix("%")) == pytest.approx(500 / 16, rel=2e-2)
    assert float(row[5].removesuffix("%")) == pytest.approx(kept_share, rel=1e-2)
    assert float(row[6]) == pytest.approx(noise, rel=1e-2)


def test_the_filter_keeps_words_that_hold_the_letters(
    panel: CorpusPanel, qtbot: QtBot, text: Path
) -> None:
    open_text(panel, qtbot, text)
    qtbot.keyClicks(panel.filter, "s")
    model = panel.vocabulary.table
    qtbot.waitUntil(lambda: model.rowCount() == 2)
    assert [panel.vocabulary.word(row) for row in range(2)] == ["saw", "sings"]
    panel.filter.clear()
    qtbot.waitUntil(lambda: model.rowCount() > 2)


def test_what_to_do_for_lines_stands_in_their_middle(
    panel: CorpusPanel, qtbot: QtBot, text: Path
) -> None:
    open_text(panel, qtbot, text)
    note = panel.findChild(QLabel, "corpus.lines.note")
    assert note is not None
    assert note.isVisible()
    assert note.alignment() == Qt.AlignmentFlag.AlignCenter
    # No controls without a function above the note: it fills the pane.
    pane = note.parentWidget()
    assert pane is not None
    assert note.height() > 0.9 * pane.height()
    for name in ("order", "export"):
        control = panel.findChild(QWidget, f"corpus.lines.{name}")
        assert control is not None
        assert not control.isVisible()
    panel.session.selection.select(["bird"])
    qtbot.waitUntil(lambda: panel.lines.isVisible() and not note.isVisible())
    order = panel.findChild(QWidget, "corpus.lines.order")
    assert order is not None
    assert order.isVisible()


def test_a_click_selects_the_word_and_shows_its_lines(
    panel: CorpusPanel, qtbot: QtBot, text: Path
) -> None:
    open_text(panel, qtbot, text)
    table = panel.vocabulary
    row = [table.word(r) for r in range(table.table.rowCount())].index("bird")
    place = table.visualRect(table.table.index(row, 1)).center()
    qtbot.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert panel.session.selection.words == ("bird",)
    qtbot.waitUntil(lambda: panel.lines.model().rowCount() == 2)
    assert "sings" in panel.lines.model().index(1, 0).data()


def test_a_word_selected_elsewhere_is_marked_in_the_table(
    panel: CorpusPanel, qtbot: QtBot, text: Path
) -> None:
    open_text(panel, qtbot, text)
    panel.session.selection.select(["dog"])
    table = panel.vocabulary
    assert table.word(table.currentIndex().row()) == "dog"
    panel.session.selection.select(["unheard"])
    assert not table.selectionModel().hasSelection()
    qtbot.waitUntil(lambda: panel.idle)


def test_the_same_files_are_read_again_in_another_way(
    panel: CorpusPanel, qtbot: QtBot, text: Path
) -> None:
    open_text(panel, qtbot, text)
    again = panel.findChild(QPushButton, "corpus.again")
    tokeniser = panel.findChild(QComboBox, "corpus.option.tokeniser")
    assert again is not None
    assert tokeniser is not None
    assert not again.isVisible()
    tokeniser.setCurrentText("whitespace")
    assert again.isVisible()
    qtbot.mouseClick(again, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: panel.session.corpora.opening is None, timeout=180_000)
    assert panel.session.corpora.current is not None
    assert "dog." in panel.session.corpora.current.words
    assert not again.isVisible()


def test_a_large_vocabulary_is_filtered_without_a_row_being_made(
    context: PanelContext, qtbot: QtBot
) -> None:
    words = [f"word{number}" for number in range(400_000)]
    table = VocabularyTable(context.theme)
    qtbot.addWidget(table)
    table.set_words(words, np.arange(400_000, 0, -1, dtype=np.int64))
    table.set_filter("99999")
    assert {table.word(row) for row in range(table.table.rowCount())} == {
        word for word in words if "99999" in word
    }
    table.set_filter("")
    assert table.table.rowCount() == 400_000
    assert table.table.place_of(399_999) == 399_999


def test_the_vocabulary_of_another_corpus_begins_at_its_top(
    context: PanelContext, qtbot: QtBot
) -> None:
    table = VocabularyTable(context.theme)
    qtbot.addWidget(table)
    table.resize(500, 300)
    table.show()
    bar = table.verticalScrollBar()
    for corpus in ("one", "other"):
        words = [f"{corpus}{number}" for number in range(500)]
        table.set_words(words, np.arange(500, 0, -1, dtype=np.int64))
        assert bar.value() == 0
        qtbot.waitUntil(lambda: bar.maximum() > 0)
        bar.setValue(bar.maximum())
