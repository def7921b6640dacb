"""Weights, ratios, biases, sums and costs, with clicks and keys."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot
from ui.toy import look_at, open_corpus, toy_corpus, until

from workbench.analysis.theory.probability_ratios import Probe, Ratios
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.weights.panel import WeightsPanel
from workbench.ui.panels.weights.ratios_tab import derivation
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[WeightsPanel]:
    new_panel = WeightsPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(760, 480)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


@pytest.fixture
def corpus_panel(panel: WeightsPanel, qtbot: QtBot) -> WeightsPanel:
    open_corpus(panel.session, toy_corpus())
    until(qtbot, lambda: panel.idle and panel.curves.found is not None)
    return panel


def show_random_run(panel: WeightsPanel, algorithm: str) -> None:
    """Show random vectors of the toy corpus as if this algorithm had trained them."""
    words = list(toy_corpus().words)
    random = np.random.default_rng(2).normal(size=(4, len(words), 3)).astype(np.float32)
    e = Embeddings(
        words,
        random[0],
        toy_corpus().counts,
        contexts=random[1],
        biases=random[2, :, 0],
        context_biases=random[3, :, 0],
    )
    record = look_at(panel.session, e, algorithm)
    record.algorithm, record.corpus_digest = algorithm, toy_corpus().digest
    record.parameters = {"min_count": 1, "window": 2}
    panel.session.active.changed.emit()


def show(panel: WeightsPanel, qtbot: QtBot, number: int) -> None:
    qtbot.mouseClick(panel.instruments.buttons[number], LEFT)
    until(qtbot, lambda: panel.idle)


def test_without_a_corpus_it_says_what_to_do(panel: WeightsPanel) -> None:
    assert panel.state == "empty"


def test_curves_of_four_algorithms_stand_over_the_counts(
    corpus_panel: WeightsPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    above, beneath = corpus_panel.curves.above.chart, corpus_panel.curves.beneath.chart
    assert above is not None
    assert beneath is not None
    assert [one.name for one in above.series] == ["SGNS A + B", "AB/(A+B)", "GloVe", "Swivel"]
    assert above.x_range == beneath.x_range
    qtbot.keyClick(corpus_panel.curves.view, Qt.Key.Key_Down)
    shares = corpus_panel.curves.above.chart
    assert shares is not None
    assert np.sum(shares.series[2].y) == pytest.approx(1)
    for suffix in (".png", ".svg", ".pdf", ".csv"):
        corpus_panel.curves.exports["the weights"].save(tmp_path / f"w{suffix}")
        assert (tmp_path / f"w{suffix}").stat().st_size


def test_weights_and_counts_share_their_axis(corpus_panel: WeightsPanel) -> None:
    above, beneath = corpus_panel.curves.above, corpus_panel.curves.beneath
    assert above.is_log("y")
    assert above.chart is not None
    assert min(float(one.y.min()) for one in above.chart.series) > 0
    above.zoom(0.5)
    assert beneath.pane.viewRange()[0] == pytest.approx(above.pane.viewRange()[0])
    beneath.fit()
    assert not above.is_zoomed


def type_into(field: QLineEdit, text: str, qtbot: QtBot) -> None:
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Qt.Key.Key_Return)


def test_ratios_of_typed_words_are_derived(corpus_panel: WeightsPanel, qtbot: QtBot) -> None:
    show(corpus_panel, qtbot, 1)
    until(qtbot, lambda: corpus_panel.ratios.found is not None)
    type_into(corpus_panel.ratios.a, "king", qtbot)
    until(qtbot, lambda: corpus_panel.idle)
    type_into(corpus_panel.ratios.b, "queen", qtbot)
    until(qtbot, lambda: corpus_panel.idle)
    type_into(corpus_panel.ratios.probes, "saw the", qtbot)
    until(
        qtbot,
        lambda: (
            corpus_panel.idle
            and corpus_panel.ratios.found is not None
            and len(corpus_panel.ratios.found.probes) == 2
        ),
    )
    assert corpus_panel.ratios.found is not None
    assert (corpus_panel.ratios.found.a, corpus_panel.ratios.found.b) == ("king", "queen")
    assert corpus_panel.ratios.steps.text().startswith("1.  P(saw|king)")
    corpus_panel.ratios.table.setFocus()
    qtbot.keyClick(corpus_panel.ratios.table, Qt.Key.Key_Down)
    assert corpus_panel.ratios.steps.text().startswith("1.  P(the|king)")
    type_into(corpus_panel.ratios.probes, "saw nobody", qtbot)
    until(
        qtbot,
        lambda: (
            corpus_panel.idle
            and corpus_panel.ratios.found is not None
            and len(corpus_panel.ratios.found.probes) == 1
        ),
    )
    assert "“nobody”" in corpus_panel.ratios.fact.whole
    type_into(corpus_panel.ratios.a, "nobody", qtbot)
    until(qtbot, lambda: corpus_panel.idle and corpus_panel.ratios.state == "error")
    assert corpus_panel.ratios.a.property("invalid") == "true"
    assert corpus_panel.ratios.b.property("invalid") == ""
    qtbot.mouseClick(corpus_panel.ratios.preset, LEFT)
    until(qtbot, lambda: corpus_panel.idle and corpus_panel.ratios.state == "body")


def test_biases_are_those_of_a_model_that_has_them(
    corpus_panel: WeightsPanel, qtbot: QtBot
) -> None:
    show(corpus_panel, qtbot, 2)
    assert corpus_panel.biases.state == "empty"
    show_random_run(corpus_panel, "glove")
    until(qtbot, lambda: corpus_panel.idle and corpus_panel.biases.found is not None)
    corpus_panel.biases.chart.setFocus()
    qtbot.keyClick(corpus_panel.biases.chart, Qt.Key.Key_Right)
    assert len(corpus_panel.session.selection.words) == 1


def test_the_sum_over_all_words_is_made_on_demand(corpus_panel: WeightsPanel, qtbot: QtBot) -> None:
    show(corpus_panel, qtbot, 3)
    assert corpus_panel.entropy.state == "empty"
    assert not corpus_panel.entropy.compute.isEnabled()
    show_random_run(corpus_panel, "skipgram-softmax")
    until(qtbot, lambda: corpus_panel.entropy.compute.isEnabled())
    qtbot.mouseClick(corpus_panel.entropy.compute, LEFT)
    until(qtbot, lambda: corpus_panel.idle and corpus_panel.entropy.found is not None)
    assert len(corpus_panel.entropy.table.texts()) == 4


def test_steps_are_measured_on_demand(corpus_panel: WeightsPanel, qtbot: QtBot) -> None:
    show(corpus_panel, qtbot, 4)
    assert corpus_panel.cost.state == "empty"
    qtbot.mouseClick(corpus_panel.cost.measure, LEFT)
    until(qtbot, lambda: corpus_panel.idle and corpus_panel.cost.found)
    assert [row[1] for row in corpus_panel.cost.table.texts()] == ["O(V)", "O(log V)", "O(k)"]


def test_a_word_without_company_has_no_ratios() -> None:
    probe = Probe("k", 0, 0, 0.0, math.nan, math.nan, 0.1, 0.0, 0.0)
    (line,) = derivation(Ratios("fox", "owl", 0.0, 12.0, (probe,)), probe)
    assert line.startswith("“fox” never co-occurs with another word, so it has no probabilities.")
