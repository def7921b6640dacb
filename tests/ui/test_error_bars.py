"""Error bars from the text in panels: equal to those of the analysis, by run and question, once."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot
from ui.toy import look_at, open_corpus, toy_corpus, until

from workbench.analysis.analogy.questions import load_questions
from workbench.analysis.associations.word_sets import typed_test
from workbench.analysis.evaluation.similarity import load_pairs
from workbench.analysis.neighbours.stability import stability
from workbench.analysis.resampling.estimates import effects, pair_estimates
from workbench.analysis.resampling.intervals import spread_interval
from workbench.analysis.resampling.neighbour_intervals import neighbour_intervals
from workbench.analysis.resampling.statistics import accuracy_of, similarity_of
from workbench.analysis.resampling.texts_drawn import ResampleParams, TextDraws, resample
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.models.count.ppmi import PPMI, PPMIParams
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.session.settings.session_settings import ANALOGY_CANDIDATES, ANALOGY_METHOD
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.compare.panel import ComparePanel
from workbench.ui.panels.evaluate.panel import EvaluatePanel
from workbench.ui.panels.neighbours.panel import NeighboursPanel
from workbench.ui.panels.pair.panel import PairPanel
from workbench.ui.panels.theory.panel import TheoryPanel
from workbench.vectors.embeddings import Embeddings

PARAMS = PPMIParams(min_count=1)
LEFT = Qt.MouseButton.LeftButton


def text() -> Corpus:
    """The toy text in sentences of eight tokens."""
    whole = toy_corpus()
    return replace(whole, sentences=np.append(np.arange(0, whole.tokens, 8), whole.tokens))


def draws() -> TextDraws:
    return TextDraws(text(), "ppmi", PARAMS, ResampleParams())


def trained(session: Session) -> RunRecord:
    """A run of PPMI on the open text."""
    open_corpus(session, text())
    record = look_at(session, PPMI(PARAMS).fit(text(), JobControl()))
    record.algorithm, record.parameters = "ppmi", PARAMS.to_dict()
    record.corpus_digest, record.corpus_name = text().digest, "toy"
    session.runs.changed.emit()
    return record


@pytest.fixture
def neighbours(context: PanelContext, qtbot: QtBot) -> Iterator[NeighboursPanel]:
    panel = NeighboursPanel(context)
    qtbot.addWidget(panel)
    panel.resize(320, 620)
    panel.show()
    yield panel
    panel.release()


def press(panel: NeighboursPanel | PairPanel, qtbot: QtBot) -> None:
    qtbot.mouseClick(panel.bars.switch, LEFT)
    until(qtbot, lambda: panel.idle and not panel.bars.busy)


def test_neighbours_have_intervals_and_stay(neighbours: NeighboursPanel, qtbot: QtBot) -> None:
    trained(neighbours.session)
    neighbours.session.selection.select(["queen"])
    until(qtbot, lambda: neighbours.list.words)
    press(neighbours, qtbot)
    expected = neighbour_intervals(draws(), "queen", 20, 25)
    columns = {column.name: column for column in neighbours.intervals.table.columns}
    assert list(columns["Cosine"].ranges) == [
        (one.cosines.low, one.cosines.high) for one in expected.neighbours
    ]
    assert list(columns["Stays"].values) == [one.stays for one in expected.neighbours]
    assert "25 texts of" in neighbours.bars.fact.text()
    assert neighbours._neighbours_csv().startswith("rank,neighbour of queen,cosine,low,high")
    # Another word needs no other refits: these are kept.
    kept = neighbours.session.text_draws._held
    neighbours.session.selection.select(["king"])
    until(qtbot, lambda: neighbours.intervals.isVisible() and not neighbours.bars.busy)
    assert neighbours.session.text_draws._held is kept
    press(neighbours, qtbot)
    assert neighbours.list.isVisible()
    assert neighbours.session.text_draws._held is None


def test_without_its_text_a_run_has_no_error_bars(
    neighbours: NeighboursPanel, qtbot: QtBot
) -> None:
    trained(neighbours.session).corpus_digest = "another"
    neighbours.session.selection.select(["queen"])
    until(qtbot, lambda: neighbours.list.words)
    press(neighbours, qtbot)
    shown = " ".join(neighbours.bars.fact.text().split())
    assert shown == "Error bars need the text of this run. Open toy."
    assert neighbours.list.isVisible()


def test_a_pair_has_the_intervals_of_pmi_and_cosine(context: PanelContext, qtbot: QtBot) -> None:
    panel = PairPanel(context)
    qtbot.addWidget(panel)
    panel.resize(820, 520)
    panel.show()
    trained(panel.session)
    panel.session.selection.select(["king", "queen"])
    until(qtbot, lambda: panel.idle and panel.figure.view is not None)
    press(panel, qtbot)
    view = panel.figure.view
    assert view is not None
    expected = pair_estimates(draws(), view.word, view.context, 25)
    assert panel.estimates == expected
    assert panel.figure.pmi == expected.pmi
    assert "PMI low" in panel.pair_table()
    panel.release()


def test_effects_of_associations_have_intervals(context: PanelContext, qtbot: QtBot) -> None:
    panel = EvaluatePanel(context)
    qtbot.addWidget(panel)
    panel.resize(1100, 560)
    panel.show()
    trained(panel.session)
    panel.show_page("associations")
    page = panel.associations
    until(qtbot, lambda: panel.idle)
    sets = {"x": "king prince", "y": "queen princess", "a": "man", "b": "woman"}
    page.sets.set.setCurrentIndex(page.sets.set.findData("typed"))
    for key, text in sets.items():
        page.sets.fields[key].setText(text)
    qtbot.keyClick(page.sets.fields["b"], Qt.Key.Key_Return)
    until(qtbot, lambda: not page.busy and page.found)
    qtbot.mouseClick(page.bars.switch, LEFT)
    until(qtbot, lambda: not page.bars.busy and not page.busy)
    x, y, a, b = (text.split() for text in sets.values())
    (expected,) = effects(draws(), typed_test((x, y), (a, b)).tests, 25)
    columns = {column.name: column.values for column in page.results.table.columns}
    assert list(columns["95%"]) == pytest.approx([expected.interval.low], nan_ok=True)
    panel.release()


def test_accuracy_and_rho_have_intervals(
    context: PanelContext, qtbot: QtBot, tmp_path: Path
) -> None:
    questions, pairs = tmp_path / "mine.txt", tmp_path / "pairs.csv"
    questions.write_text(
        ": a\nman king woman queen\nboy prince girl princess\nking man queen boy\n"
    )
    pairs.write_text("word1,word2,score\nking,queen,8\nman,boy,5\nsaw,and,1\nprince,girl,3\n")
    panel = EvaluatePanel(context)
    qtbot.addWidget(panel)
    panel.resize(1100, 560)
    panel.show()
    trained(panel.session)
    panel.open_file(questions)
    page = panel.analogies
    qtbot.mouseClick(page.start, LEFT)
    until(qtbot, lambda: page.answers is not None and page.answers.runs)
    qtbot.mouseClick(page.bars.switch, LEFT)
    until(qtbot, lambda: not page.bars.busy)
    assert "25 texts of" in page.bars.fact.whole
    settings = panel.session.settings
    accuracy = accuracy_of(
        load_questions(questions), settings[ANALOGY_METHOD], settings[ANALOGY_CANDIDATES]
    )
    found = resample(draws(), accuracy, 25)
    ends = spread_interval(float(found.estimate[0]), found.values[:, 0], 0.0, 1.0)
    shown = [float(one) for one in re.findall(r"([\d.]+)%", page.bars.fact.whole)]
    expected_share = [100 * one for one in (found.estimate[0], ends.low, ends.high)]
    assert shown == pytest.approx(expected_share, abs=0.06)
    panel.show_page("similarity")
    other = panel.similarity
    other.set.open_file(pairs)
    until(qtbot, lambda: other.scored and panel.idle)
    qtbot.mouseClick(other.bars.switch, LEFT)
    until(qtbot, lambda: not other.bars.busy)
    columns = {column.name: column.values for column in other.scores.table.columns}
    rho = resample(draws(), similarity_of(load_pairs(pairs)), 25)
    expected = spread_interval(float(rho.estimate[0]), rho.values[:, 0], -1.0, 1.0)
    assert list(columns["texts"]) == pytest.approx([expected.low])
    qtbot.mouseClick(other.bars.switch, LEFT)
    assert "texts" not in [column.name for column in other.scores.table.columns]
    panel.release()


def test_resampled_texts_are_compared(context: PanelContext, qtbot: QtBot) -> None:
    panel = ComparePanel(context)
    qtbot.addWidget(panel)
    panel.resize(1100, 560)
    panel.show()
    trained(panel.session)
    qtbot.mouseClick(panel.findChild(QPushButton, "compare.show.seeds"), LEFT)
    view = panel.seeds
    view.number.setValue(3)
    view.source.setFocus()
    qtbot.keyClick(view.source, Qt.Key.Key_Down)
    until(qtbot, lambda: view.stability is not None and panel.idle)
    assert view.stability is not None
    models = [draws().refit(at).embeddings for at in range(3)]
    expected = stability(models, view.view_state.nearest, view.view_state.top)
    assert view.stability.models == 3
    assert view.stability.overlap.tolist() == expected.overlap.tolist()
    assert view.fact.whole.startswith("3 texts")
    assert not view.train.isVisible()
    panel.release()


def test_the_ceiling_of_a_fit_is_that_of_the_halves(context: PanelContext, qtbot: QtBot) -> None:
    panel = TheoryPanel(context)
    qtbot.addWidget(panel)
    panel.resize(900, 560)
    panel.show()
    random = np.random.default_rng(2).normal(size=(2, len(text().words), 4)).astype(np.float32)
    settings = {"min_count": 1, "window": 2, "sample": 0.0, "negative": 3}
    metadata = {"algorithm": "sgns", "parameters": settings}
    model = Embeddings(
        list(text().words), random[0], text().counts, contexts=random[1], metadata=metadata
    )
    open_corpus(panel.session, text())
    record = look_at(panel.session, model)
    record.algorithm, record.corpus_digest, record.parameters = "sgns", text().digest, settings
    until(qtbot, lambda: panel.fit.density.ceiling is not None and panel.idle)
    ceiling = panel.fit.density.ceiling
    assert ceiling is not None
    assert ceiling.r2.low <= ceiling.r2.high <= 1
    assert ceiling.noise > 0
    assert "ceiling" in panel.fit.figures.whole
    qtbot.mouseClick(panel.instruments.buttons[2], LEFT)
    dims = panel.dims.chart
    until(qtbot, lambda: panel.idle and dims.chart is not None and dims.chart.series)
    assert dims.chart is not None
    band = dims.chart.series[0]
    assert band.high is not None
    assert band.name == "noise of the text"
    assert band.high.tolist() == pytest.approx([ceiling.noise] * 2)
    panel.release()
