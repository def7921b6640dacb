"""Documents of LSA in the window: points, a search, and what is missing for them."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from corpora import make_corpus
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.toy import open_corpus, until

from workbench.corpus.corpus import Corpus
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.training.train_api import train
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.documents.panel import DocumentsPanel

LINES = [
    *(f"the king {verb} the old castle" for verb in ("rules", "sees", "leaves", "builds")),
    *(f"a cook {verb} the warm soup" for verb in ("boils", "tastes", "serves", "burns")),
]


def text() -> Corpus:
    return make_corpus([line.split() for line in LINES], "court")


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[DocumentsPanel]:
    new_panel = DocumentsPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(1000, 560)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


def show_run(panel: DocumentsPanel, algorithm: str = "lsa") -> None:
    corpus = text()
    record = RunRecord(
        *("run", "toy", algorithm, {}, corpus.name, corpus.digest, "2026-01-01"),
        state=State.DONE,
        embeddings=train(corpus, algorithm, dim=3, min_count=1),
    )
    panel.session.runs.append(record)
    panel.session.active.show(record)
    open_corpus(panel.session, corpus)


def search(panel: DocumentsPanel, words: str, qtbot: QtBot) -> None:
    panel.words.setText(words)
    qtbot.keyClick(panel.words, Qt.Key.Key_Return)
    until(qtbot, lambda: not panel.result.busy)


def test_all_documents_are_points_and_a_search_finds_some(
    panel: DocumentsPanel, qtbot: QtBot
) -> None:
    show_run(panel)
    until(qtbot, lambda: panel.answer is not None)
    assert [len(one.x) for one in panel.chart.series] == [8]
    panel.number.setValue(4)
    search(panel, "castle King", qtbot)
    answer = panel.answer
    assert answer is not None
    assert {one.number for one in answer.found} == {0, 1, 2, 3}
    assert [len(one.x) for one in panel.chart.series] == [8, 4, 1]
    assert panel.table.table.columns[1].values[0] == LINES[answer.found[0].number]
    laid_out = answer.map.positions
    search(panel, "soup", qtbot)
    assert panel.answer is not None
    assert panel.answer.map.positions is laid_out


def test_a_click_shows_how_a_document_begins(panel: DocumentsPanel, qtbot: QtBot) -> None:
    show_run(panel)
    until(qtbot, lambda: panel.answer is not None)
    search(panel, "soup", qtbot)
    panel.table.picked.emit("court 5")
    assert LINES[4] in panel.fact.text()


def test_an_unknown_word_is_one_sentence_and_the_map_comes_back(
    panel: DocumentsPanel, qtbot: QtBot
) -> None:
    show_run(panel)
    until(qtbot, lambda: panel.answer is not None)
    assert panel.answer is not None
    laid_out = panel.answer.map
    search(panel, "soop", qtbot)
    assert "soop" in panel.notice.title
    search(panel, "soup", qtbot)
    assert panel.table.isVisible()
    assert panel.answer.map is laid_out


def test_positions_of_the_map_have_no_numbers(panel: DocumentsPanel, qtbot: QtBot) -> None:
    show_run(panel)
    until(qtbot, lambda: panel.answer is not None)
    assert panel.chart.pane.axes == []
    assert not panel.chart.can_log("x")
    assert panel.chart.accessibleDescription() == "documents: 8 points"
    assert panel.chart.table().splitlines()[0] == "series,x,y,low,high,point"


def test_what_is_missing(panel: DocumentsPanel, qtbot: QtBot) -> None:
    show_run(panel, "svd")
    until(qtbot, lambda: not panel.result.busy and panel.notice.isVisible())
    assert "Only LSA" in panel.notice.title
    open_corpus(panel.session, None)
    assert panel.answer is None
