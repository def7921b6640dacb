"""The model against its theory: drawn, explained, moved and saved, with clicks and keys."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot
from session.fakes import Gate, StepModel
from ui.toy import look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.theory.pair_counts import PairCountSettings, count_pairs
from workbench.analysis.theory.pair_scores import PairScores
from workbench.analysis.theory.target_fit import fit
from workbench.analysis.theory.targets import TargetSettings, theory_target
from workbench.models.base import MODELS
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.theory.panel import TheoryPanel
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[TheoryPanel]:
    new_panel = TheoryPanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(760, 480)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


def model(**parameters: object) -> Embeddings:
    """A model of the words of the toy corpus, with context vectors."""
    words = list(toy_corpus().words)
    random = np.random.default_rng(2).normal(scale=0.7, size=(2, len(words), 4)).astype(np.float32)
    settings = {"min_count": 1, "window": 2, "sample": 0.0, "negative": 3, **parameters}
    metadata = {"algorithm": "sgns", "parameters": settings}
    return Embeddings(words, random[0], toy_corpus().counts, contexts=random[1], metadata=metadata)


@pytest.fixture
def model_panel(panel: TheoryPanel, qtbot: QtBot) -> TheoryPanel:
    open_corpus(panel.session, toy_corpus())
    look_at(panel.session, model())
    until(qtbot, lambda: panel.idle and panel.fit.fit is not None)
    # The axes may get more room after the first painting.
    area = None
    while area != panel.fit.density.frame.area:
        area = panel.fit.density.frame.area
        panel.grab()
        QApplication.processEvents()
    return panel


def text_of(panel: TheoryPanel, name: str) -> str:
    found = panel.findChild(QLabel, f"theory.{name}")
    assert found is not None
    return found.accessibleName() or found.text()


def test_without_a_model_it_says_what_to_do(panel: TheoryPanel) -> None:
    assert panel.state == "empty"


def test_figures_are_those_of_the_analysis(model_panel: TheoryPanel) -> None:
    e = model()
    parameters = e.metadata["parameters"]
    pairs, own = count_pairs(toy_corpus(), PairCountSettings.of(parameters)), theory_target("sgns")
    expected = fit(
        pairs, TargetSettings.of(parameters), "xstar", own, PairScores(e, pairs, "product")
    )
    assert model_panel.fit.fit is not None
    assert model_panel.fit.fit.weighted == expected.weighted
    assert f"{expected.weighted.r2:.3f}".replace("-", "\u2212") in text_of(
        model_panel, "fit.figures"
    )
    first = model_panel.fit.bands.texts()[0]
    assert first[:2] == ["all", str(expected.pairs)]
    assert model_panel.fit.bands.texts()[-1][:2] == ["unobserved", str(expected.unseen_pairs)]


def test_another_target_and_other_weights_are_chosen(
    model_panel: TheoryPanel, qtbot: QtBot
) -> None:
    before = model_panel.fit.fit
    model_panel.fit.target.setFocus()
    model_panel.fit.target.setCurrentIndex(model_panel.fit.target.findData("pmi"))
    until(qtbot, lambda: model_panel.idle and model_panel.fit.fit is not before)
    axis = model_panel.fit.density.pane.bottom
    assert axis is not None
    assert "PMI" in axis.title
    figures = text_of(model_panel, "fit.figures")
    qtbot.keyClick(model_panel.fit.weighted, Qt.Key.Key_Down)
    assert text_of(model_panel, "fit.figures") != figures


def test_sliders_move_target_and_ties_together(model_panel: TheoryPanel, qtbot: QtBot) -> None:
    look = model_panel.fit.density.look
    assert look is not None
    assert look.own is None
    qtbot.mouseClick(model_panel.fit.side.buttons[1], LEFT)
    sliders = model_panel.fit.sliders
    assert not sliders.back.isEnabled()
    sliders.negative.setFocus()
    for _ in range(3):
        qtbot.keyClick(sliders.negative, Qt.Key.Key_Right)
    assert "6 negative samples" in sliders.texts["negative"]
    assert "log k = 1.79" in sliders.texts["negative"]
    until(qtbot, lambda: model_panel.idle and model_panel.fit.density.look is not look)
    new_look = model_panel.fit.density.look
    assert new_look is not None
    assert new_look.own is not None
    assert new_look.pair is not None
    assert new_look.pair.own_target - new_look.pair.target == pytest.approx(np.log(2))
    assert "model’s settings" in text_of(model_panel, "fit.pair")
    qtbot.keyClick(sliders.reach, Qt.Key.Key_Right)
    assert "3 words" in sliders.texts["window"]
    until(qtbot, lambda: model_panel.idle and model_panel.fit.density.look is not new_look)
    qtbot.mouseClick(sliders.back, LEFT)
    until(
        qtbot,
        lambda: (
            model_panel.idle
            and model_panel.fit.density.look is not None
            and model_panel.fit.density.look.own is None
        ),
    )


def test_a_click_and_the_arrow_keys_find_pairs(model_panel: TheoryPanel, qtbot: QtBot) -> None:
    found = model_panel.fit.fit
    assert found is not None
    place = model_panel.fit.density.place_of(
        float(found.targets[0]), float(found.scores[0])
    ).toPoint()
    qtbot.mouseMove(model_panel.fit.density.viewport(), place)
    qtbot.mouseClick(model_panel.fit.density.viewport(), LEFT, pos=place)
    assert model_panel.session.selection.words
    assert set(model_panel.session.selection.words) <= set(found.words)
    until(qtbot, lambda: model_panel.idle)
    assert model_panel.fit.readout.whole.startswith("target ")
    before = model_panel.fit.readout.whole
    qtbot.keyClick(model_panel.fit.density, Qt.Key.Key_Left)
    assert model_panel.fit.readout.whole != before


def test_figure_and_data_are_written(model_panel: TheoryPanel, tmp_path: Path) -> None:
    export = model_panel.fit.density.export
    assert export is not None
    for suffix in (".png", ".svg", ".pdf", ".csv"):
        export.save(tmp_path / f"density{suffix}")
        assert (tmp_path / f"density{suffix}").stat().st_size
    # What hasn't been computed isn't saved.
    assert model_panel.dims.chart.export is not None
    model_panel.dims.chart.export.save(tmp_path / "dims.csv")
    assert not (tmp_path / "dims.csv").exists()
    assert not QImage(str(tmp_path / "density.png")).isNull()
    rows = list(csv.reader(io.StringIO((tmp_path / "density.csv").read_text())))
    assert rows[0] == ["word", "context", "target", "model"]
    assert model_panel.fit.fit is not None
    assert len(rows) == 1 + len(model_panel.fit.fit.targets)


def test_the_four_matrices_are_linked(
    model_panel: TheoryPanel, qtbot: QtBot, tmp_path: Path
) -> None:
    qtbot.mouseClick(model_panel.instruments.buttons[1], LEFT)
    view = model_panel.factors.view
    until(qtbot, lambda: model_panel.idle and view.factors is not None)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.cell == (0, 0, -1)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert view.cell == (1, 1, -1)
    assert view.factors is not None
    assert model_panel.factors.readout.whole.startswith(
        f"{view.factors.words[1]} · {view.factors.words[1]}: model"
    )
    qtbot.keyClick(view, Qt.Key.Key_Right)
    qtbot.keyClick(view, Qt.Key.Key_Return)
    assert model_panel.session.selection.words == (view.factors.words[2], view.factors.words[1])
    qtbot.mouseMove(view.viewport(), QPoint(3, 3))
    assert view.cell is None
    model, target, inputs, contexts = view.panes
    model.show_range((1.0, 3.0), (-2.0, 0.0))
    assert target.viewRange() == model.viewRange()
    assert (contexts.viewRange()[0], inputs.viewRange()[1]) == tuple(model.viewRange())
    contexts.show_range((0.0, 2.0), (-1.5, 0.0))
    assert model.viewRange() == [[0.0, 2.0], [-2.0, 0.0]]
    low, high = contexts.viewRange()[1]
    assert inputs.viewRange()[0] == [-high, -low]
    view.fit()
    assert view.export is not None
    for suffix in (".png", ".svg", ".csv"):
        view.export.save(tmp_path / f"m{suffix}")
        assert (tmp_path / f"m{suffix}").stat().st_size


def test_a_model_that_factorises_nothing_and_another_corpus_are_told(
    model_panel: TheoryPanel, qtbot: QtBot
) -> None:
    words = toy_model()
    e = Embeddings(words.words, words.vectors, metadata={"algorithm": "lsa", "parameters": {}})
    look_at(model_panel.session, e, "lsa")
    until(qtbot, lambda: model_panel.idle)
    assert model_panel.fit.state == "empty"
    assert "documents" in text_of(model_panel, "fit.notice")
    bare = Embeddings(
        words.words, words.vectors, metadata={"algorithm": "sgns", "parameters": {"min_count": 1}}
    )
    look_at(model_panel.session, bare, "bare")
    until(qtbot, lambda: model_panel.idle and model_panel.fit.state == "error")
    record = look_at(model_panel.session, model(), "elsewhere")
    record.corpus_digest = "other"
    model_panel.fit.refresh()
    assert model_panel.fit.state == "empty"


def test_snapshots_of_a_training_are_compared(
    panel: TheoryPanel, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Slow(StepModel):
        key = "step"

    monkeypatch.setattr(MODELS, "_classes", {"step": Slow})
    StepModel.gate = Slow.gate = Gate()
    open_corpus(panel.session, toy_corpus())
    record = panel.session.training.start(
        TrainingSpec("step", Slow.params_type(min_count=1, steps=50))
    )
    until(qtbot, lambda: record.run is not None and record.run.progress.phase.value == "training")
    assert record.run is not None
    record.run.publish("embeddings", model())
    until(qtbot, lambda: panel.fit.fit is not None)
    assert panel.following.subject is not None
    assert panel.following.subject.live
    first = panel.fit.fit
    better = model()
    record.run.publish(
        "embeddings",
        Embeddings(better.words, 0.1 * np.asarray(better.vectors), contexts=better.contexts),
    )
    until(qtbot, lambda: panel.fit.fit is not first)
    Slow.gate.opened.set()
    until(qtbot, lambda: panel.session.active.run is record and panel.idle)
    assert not panel.following.subject.live


def test_runs_are_points_by_their_dimension(model_panel: TheoryPanel, qtbot: QtBot) -> None:
    for dim in (2, 4):
        record = look_at(model_panel.session, model(), f"run {dim}")
        record.algorithm, record.corpus_digest = "sgns", toy_corpus().digest
        record.parameters = {"min_count": 1, "window": 2, "sample": 0.0}
    qtbot.mouseClick(model_panel.instruments.buttons[2], LEFT)
    until(
        qtbot,
        lambda: (
            model_panel.idle
            and model_panel.dims.chart.chart is not None
            and model_panel.dims.chart.chart.series
        ),
    )
    chart = model_panel.dims.chart.chart
    assert chart is not None
    assert len(chart.series[0].x) == 2
    qtbot.keyClick(model_panel.dims.measure, Qt.Key.Key_Down)
    assert model_panel.dims.chart.chart is not None
    assert model_panel.dims.chart.chart.y_label == "R²"
