"""Lenses on the words of a corpus and on the lines of a word, with clicks and keys."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from corpora import markov_corpus
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot
from ui.toy import look_at, open_corpus, toy_model, until

from workbench.corpus.concordance import concordance
from workbench.corpus.corpus import Corpus
from workbench.counts.sampling import keep_probabilities, noise_distribution
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.corpus.panel import CorpusPanel
from workbench.ui.panels.corpus.vocabulary_table import COUNT, DOCUMENTS, WORD

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return markov_corpus(8_000)


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot, corpus: Corpus) -> Iterator[CorpusPanel]:
    new_panel = CorpusPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(1100, 700)
    new_panel.show()
    new_panel.activateWindow()
    open_corpus(context.session, corpus)
    until(qtbot, lambda: new_panel.idle)
    yield new_panel
    new_panel.release()


def turn_to(panel: CorpusPanel, lens: str, qtbot: QtBot) -> None:
    qtbot.mouseClick(panel.lenses.buttons[lens], LEFT)
    until(qtbot, lambda: panel.idle)


def save(panel: CorpusPanel, path: Path) -> Path:
    export = panel.lenses.exports()
    assert export is not None
    export.save(path)
    return path


def test_zipfs_law_is_fitted_and_says_how(panel: CorpusPanel, corpus: Corpus, qtbot: QtBot) -> None:
    turn_to(panel, "zipf", qtbot)
    caption = panel.lenses.caption.text()
    assert caption.startswith("s = ")
    for word in ("Maximum likelihood", "ranks 1 to", "Clauset"):
        assert word in " ".join(caption.split())
    figure = panel.lenses.figure.figure
    assert figure is not None
    assert figure.y.tolist() == corpus.counts.tolist()
    assert len(figure.chart.series) == 3


def test_the_threshold_moves_the_curve(panel: CorpusPanel, corpus: Corpus, qtbot: QtBot) -> None:
    turn_to(panel, "subsampling", qtbot)
    slider = panel.lenses.threshold
    slider.setFocus()
    before = panel.lenses.t
    qtbot.keyClick(slider, Qt.Key.Key_PageUp)
    assert panel.lenses.t > before
    figure = panel.lenses.figure.figure
    assert figure is not None
    assert np.allclose(figure.y, keep_probabilities(corpus.counts, panel.lenses.t))
    assert np.allclose(
        figure.chart.series[0].y, keep_probabilities(corpus.counts, panel.lenses.t, "paper")
    )
    share = float(keep_probabilities(corpus.counts, panel.lenses.t) @ corpus.counts) / corpus.tokens
    assert f"{100 * share:.1f}% of all tokens are left" in panel.lenses.caption.text()


def test_the_exponent_moves_the_noise(panel: CorpusPanel, corpus: Corpus, qtbot: QtBot) -> None:
    turn_to(panel, "noise", qtbot)
    panel.lenses.exponent.setFocus()
    qtbot.keyClick(panel.lenses.exponent, Qt.Key.Key_Left)
    assert panel.lenses.alpha == 0.74
    figure = panel.lenses.figure.figure
    assert figure is not None
    assert np.allclose(figure.y, noise_distribution(corpus.counts, 0.74))


def test_values_come_from_the_run_looked_at(panel: CorpusPanel) -> None:
    record = look_at(panel.session, toy_model())
    record.parameters = {"sample": 1e-4, "ns_exponent": 0.5}
    panel.session.active.changed.emit()
    assert panel.lenses.t == pytest.approx(1e-4)
    assert panel.lenses.alpha == 0.5


def test_pointing_reads_off_and_a_click_selects(
    panel: CorpusPanel, corpus: Corpus, qtbot: QtBot
) -> None:
    turn_to(panel, "zipf", qtbot)
    figure = panel.lenses.figure
    at = figure.place_of_word(20).toPoint()
    qtbot.mouseMove(figure.viewport(), QPoint(at.x() - 3, at.y() + 40))
    qtbot.mouseMove(figure.viewport(), QPoint(at.x(), at.y() + 40))
    word = figure.readout.split("\n")[0]
    rank = list(corpus.words).index(word)
    assert abs(rank - 20) <= 1
    assert f"{corpus.counts[rank]} ×" in figure.readout
    qtbot.mouseClick(figure.viewport(), LEFT, pos=QPoint(at.x(), at.y() + 40))
    assert panel.session.selection.words == (word,)
    assert figure.figure is not None
    assert figure.figure.chosen == rank


def test_the_arrow_keys_walk_along_the_curve(panel: CorpusPanel, qtbot: QtBot) -> None:
    turn_to(panel, "noise", qtbot)
    figure = panel.lenses.figure
    figure.setFocus()
    for _ in range(20):
        qtbot.keyClick(figure, Qt.Key.Key_Right)
    assert figure.figure is not None
    word = figure.figure.words[figure.pointed]
    qtbot.keyClick(figure, Qt.Key.Key_Return)
    assert panel.session.selection.words == (word,)


@pytest.mark.parametrize("lens", ["zipf", "noise"])
def test_the_figure_and_its_numbers_are_saved(
    panel: CorpusPanel, corpus: Corpus, lens: str, qtbot: QtBot, tmp_path: Path
) -> None:
    turn_to(panel, lens, qtbot)
    size = panel.lenses.figure.file_size
    assert QImage(str(save(panel, tmp_path / "a.png"))).size() == size * 2
    assert corpus.words[0] in save(panel, tmp_path / "a.svg").read_text()
    assert save(panel, tmp_path / "a.pdf").read_bytes().startswith(b"%PDF")
    rows = list(csv.DictReader(io.StringIO(save(panel, tmp_path / "a.csv").read_text())))
    assert [row["word"] for row in rows] == list(corpus.words)
    if lens == "noise":
        expected = noise_distribution(corpus.counts, panel.lenses.alpha)
        assert [float(row["noise"]) for row in rows] == pytest.approx(expected.tolist())


def test_lines_are_sorted_by_what_stands_beside(
    panel: CorpusPanel, corpus: Corpus, qtbot: QtBot
) -> None:
    panel.session.selection.select(["w03"])
    until(qtbot, lambda: panel.idle and panel.concordance.occurrences is not None)
    order = panel.concordance.order
    order.setFocus()
    for key in ("left", "right"):
        qtbot.keyClick(order, Qt.Key.Key_Down)
        until(qtbot, lambda: panel.idle)
        found = panel.concordance.occurrences
        assert found is not None
        assert found.positions.tolist() == concordance(corpus, "w03", key).positions.tolist()
    beside = [line.right.split()[:1] for line in found]
    assert beside == sorted(beside)


def test_a_click_on_a_word_of_a_line_selects_it(panel: CorpusPanel, qtbot: QtBot) -> None:
    panel.session.selection.select(["w03"])
    until(qtbot, lambda: panel.idle and panel.concordance.occurrences is not None)
    view = panel.lines
    row = next(row for row in range(20) if len(view.lines[row].left.split()) > 3)
    word = view.lines[row].left.split()[-2]
    qtbot.mouseClick(view.viewport(), LEFT, pos=view.place_of(row, -2))
    assert panel.session.selection.words == (word,)


def test_lines_with_two_words_are_shown_when_asked_for(
    panel: CorpusPanel, corpus: Corpus, qtbot: QtBot
) -> None:
    turn_to(panel, "zipf", qtbot)
    panel.session.requests.lines.emit("w03", "w08")
    until(qtbot, lambda: panel.idle and panel.concordance.occurrences is not None)
    found = panel.concordance.occurrences
    assert found is not None
    assert panel.lenses.lens == "lines"
    assert all("w08" in (line.left + " " + line.right).split() and line.marks for line in found)
    assert found.total < int(corpus.counts[list(corpus.words).index("w03")])
    qtbot.mouseClick(panel.concordance.whole, LEFT)
    until(qtbot, lambda: panel.idle)
    assert panel.concordance.occurrences is not None
    assert panel.concordance.occurrences.near == ""


def test_the_lines_as_a_table(panel: CorpusPanel, qtbot: QtBot, tmp_path: Path) -> None:
    panel.session.selection.select(["w03"])
    until(qtbot, lambda: panel.idle and panel.concordance.occurrences is not None)
    export = panel.concordance.exports()
    assert export is not None
    export.save(tmp_path / "lines.csv")
    rows = list(csv.DictReader(io.StringIO((tmp_path / "lines.csv").read_text())))
    assert [
        int(row["position"]) for row in rows
    ] == panel.concordance.occurrences.positions.tolist()
    assert {row["word"] for row in rows} == {"w03"}


def test_the_vocabulary_is_sorted_by_its_headers(
    panel: CorpusPanel, corpus: Corpus, qtbot: QtBot
) -> None:
    table = panel.vocabulary
    header = table.horizontalHeader()

    def click(column: int) -> list[str]:
        place = QPoint(header.sectionViewportPosition(column) + 12, header.height() // 2)
        qtbot.mouseClick(header.viewport(), LEFT, pos=place)
        return [table.word(row) for row in range(table.table.rowCount())]

    assert click(WORD) == sorted(corpus.words)
    assert click(WORD) == sorted(corpus.words, reverse=True)
    assert click(COUNT) == list(corpus.words)
    sentences = [
        set(corpus.ids[a:b].tolist())
        for a, b in zip(corpus.sentences[:-1], corpus.sentences[1:], strict=True)
    ]
    documents = {
        word: sum(rank in one for one in sentences) for rank, word in enumerate(corpus.words)
    }
    table.sort_by(DOCUMENTS)
    numbers = [documents[table.word(row)] for row in range(table.table.rowCount())]
    assert numbers == sorted(documents.values(), reverse=True)
    text = table.table.data(table.table.index(0, DOCUMENTS))
    assert text == str(numbers[0])
    panel.session.selection.select(["w03"])
    assert table.word(table.currentIndex().row()) == "w03"
    table.sort_by(WORD)
    assert table.word(table.currentIndex().row()) == "w03"
    until(qtbot, lambda: panel.idle)
