"""The shape of the active run's vectors in the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot
from ui.toy import look_at, open_corpus, toy_corpus, toy_model, until

from workbench.analysis.shape.report import ShapeSettings, describe_shape
from workbench.ui.base.panel import PanelContext
from workbench.ui.panels.shape.figures import FIGURES
from workbench.ui.panels.shape.panel import ShapePanel
from workbench.vectors.embeddings import Embeddings


@pytest.fixture
def panel(context: PanelContext, qtbot: QtBot) -> Iterator[ShapePanel]:
    new_panel = ShapePanel(context)
    qtbot.addWidget(new_panel)
    new_panel.resize(1000, 560)
    new_panel.show()
    new_panel.activateWindow()
    yield new_panel
    new_panel.release()


@pytest.fixture
def trained(panel: ShapePanel, qtbot: QtBot) -> ShapePanel:
    """The panel with the toy model of the open toy corpus."""
    open_corpus(panel.session, toy_corpus())
    record = look_at(panel.session, toy_model())
    record.corpus_digest = toy_corpus().digest
    panel.session.active.changed.emit()
    until(qtbot, lambda: panel.found is not None and not panel.result.busy)
    return panel


def test_without_a_model_it_says_what_to_do(panel: ShapePanel) -> None:
    assert panel.state == "empty"


def test_its_table_is_that_of_the_analysis(trained: ShapePanel) -> None:
    expected = describe_shape(toy_model(), ShapeSettings(), toy_corpus())
    columns = {column.name: column.values for column in trained.table.table.columns}
    assert len(columns["variant"]) == len(expected.variants)
    ranks = [one.spectrum.effective_rank for one in expected.variants]
    assert np.allclose(np.array(columns["effective rank"], dtype=float), ranks)


@pytest.mark.parametrize("which", FIGURES)
def test_every_figure_is_drawn_and_saved(
    trained: ShapePanel, which: str, qtbot: QtBot, tmp_path: Path
) -> None:
    trained.figure.setCurrentIndex(trained.figure.findData(which))
    chart = trained.chart.chart
    assert chart is not None
    assert all(len(series.x) for series in chart.series)
    assert trained.fact.text()
    assert trained.chart.export is not None
    trained.chart.export.save(tmp_path / "shape.svg")
    assert (tmp_path / "shape.svg").stat().st_size


def test_a_point_selects_its_word(trained: ShapePanel, qtbot: QtBot) -> None:
    trained.chart.picked.emit("queen")
    assert trained.session.selection.focus == "queen"
    assert trained.chart.current == "queen"


def test_other_settings_are_computed_again(trained: ShapePanel, qtbot: QtBot) -> None:
    trained.limit.setValue(10)
    qtbot.keyClick(trained.limit, Qt.Key.Key_Return)
    until(qtbot, lambda: trained.found is not None and len(trained.found.rows) == 10)


def test_sparse_and_bare_vectors_end_in_a_sentence(panel: ShapePanel, qtbot: QtBot) -> None:
    bare = Embeddings(["a", "b", "c", "d"], np.eye(4, 3, dtype=np.float32) + 1)
    look_at(panel.session, bare)
    until(qtbot, lambda: panel.found is not None)
    assert panel.fact.text() == "The frequencies of these words are unknown."
    assert panel.chart.chart is None
    few = Embeddings(["a", "b"], np.eye(2, dtype=np.float32))
    look_at(panel.session, few, "few")
    until(qtbot, lambda: not panel.result.busy)
    assert panel.notice.title == "Fewer than three words have vectors."
