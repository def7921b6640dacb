"""The dialog that derives vectors from a run, with keys and clicks."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from ngram_toy import ngram_model
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot
from ui.toy import look_at, toy_model, until

from workbench.session.runs.run_record import RunRecord
from workbench.ui.base.panel import PanelContext
from workbench.ui.dialogs.vectors import VectorsDialog
from workbench.ui.panels.train.run_list import RunList
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import Postprocessing, apply_postprocessing

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def runs(context: PanelContext, qtbot: QtBot) -> RunList:
    new_list = RunList(context)
    qtbot.addWidget(new_list)
    new_list.show()
    return new_list


def open_dialog(
    runs: RunList, context: PanelContext, qtbot: QtBot, model: Embeddings
) -> VectorsDialog:
    """The dialog opened from the menu of a run with these vectors."""
    record = look_at(context.session, model, "SGNS 3")
    menu: QMenu = runs.make_menu(record)
    (action,) = [action for action in menu.actions() if action.text() == "Derive vectors…"]
    assert action.isEnabled()
    action.trigger()
    menu.close()
    (dialog,) = runs.window().findChildren(VectorsDialog)
    qtbot.addWidget(dialog)
    until(qtbot, dialog.result_box.isEnabled)
    return dialog


def made_run(context: PanelContext, qtbot: QtBot, number: int = 2) -> RunRecord:
    until(qtbot, lambda: len(context.session.runs) == number)
    return context.session.runs[-1]


def test_by_keys(runs: RunList, context: PanelContext, qtbot: QtBot) -> None:
    dialog = open_dialog(runs, context, qtbot, toy_model())
    assert not dialog.isModal()
    assert not dialog.make.isEnabled()
    assert dialog.note.text() == "The vectors of this run already have these settings."
    qtbot.keyClick(dialog.result_box, Qt.Key.Key_Down)
    assert dialog.note.text() == "SGNS 3 · W + C"
    assert not dialog.top.isEnabled()
    qtbot.keyClick(dialog.mean, Qt.Key.Key_Space)
    dialog.top.selectAll()
    qtbot.keyClicks(dialog.top, "2")
    qtbot.keyClick(dialog.unit, Qt.Key.Key_Space)
    assert dialog.note.text() == "SGNS 3 · W + C · all but the top 2 · unit"
    assert dialog.choice == Postprocessing("w+c", True, 2)
    qtbot.keyClick(dialog.make, Qt.Key.Key_Space)
    record = made_run(context, qtbot)
    assert record.name == "SGNS 3 · W + C · all but the top 2 · unit"
    assert context.session.active.run is record
    assert record.embeddings is not None
    np.testing.assert_array_equal(
        record.embeddings.vectors,
        apply_postprocessing(toy_model(), Postprocessing("w+c", True, 2)).vectors,
    )


def test_by_clicks_from_a_run_that_is_not_loaded(
    runs: RunList, context: PanelContext, qtbot: QtBot
) -> None:
    dialog = open_dialog(runs, context, qtbot, toy_model())
    qtbot.mouseClick(dialog.unit, LEFT, pos=dialog.unit.rect().center() * 0.2)
    qtbot.mouseClick(dialog.make, LEFT)
    child = made_run(context, qtbot)
    assert child.stored
    child.embeddings = None
    again = VectorsDialog(context.session, child, runs.window())
    again.show()
    qtbot.addWidget(again)
    assert "Loading" in again.note.text()
    until(qtbot, again.result_box.isEnabled)
    assert again.unit.isChecked()
    qtbot.mouseClick(again.unit, LEFT, pos=again.unit.rect().center() * 0.2)
    assert again.note.text() == "SGNS 3 · W"
    qtbot.mouseClick(again.make, LEFT)
    plain = made_run(context, qtbot, 3)
    assert plain.embeddings is not None
    np.testing.assert_array_equal(plain.embeddings.vectors, toy_model().vectors)


def test_without_contexts(runs: RunList, context: PanelContext, qtbot: QtBot) -> None:
    dialog = open_dialog(runs, context, qtbot, toy_model(contexts=False))
    model = dialog.result_box.model()
    assert [
        bool(model.flags(model.index(row, 0)) & Qt.ItemFlag.ItemIsEnabled) for row in range(3)
    ] == [
        True,
        False,
        False,
    ]
    assert dialog.result_box.itemText(1) == "W + C (no context vectors)"
    qtbot.keyClick(dialog.result_box, Qt.Key.Key_Down)
    assert dialog.choice.result == "w"
    dialog.mean.click()
    dialog.top.selectAll()
    qtbot.keyClicks(dialog.top, "99")
    assert "6 principal components" in dialog.note.text()
    assert not dialog.make.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    until(qtbot, lambda: not runs.window().findChildren(VectorsDialog))
    assert len(context.session.runs) == 1


def test_sparse_vectors_can_only_be_normalised(
    runs: RunList, context: PanelContext, qtbot: QtBot
) -> None:
    sparse = Embeddings(["a", "b"], sp.csr_matrix(np.array([[3, 4], [0, 2]], np.float32)))
    dialog = open_dialog(runs, context, qtbot, sparse)
    assert dialog.result_box.itemText(1) == "W + C (the vectors are sparse)"
    assert not dialog.mean.isEnabled()
    assert "sparse" in dialog.mean.text()
    dialog.unit.click()
    dialog.make.click()
    record = made_run(context, qtbot)
    assert record.embeddings is not None
    assert record.embeddings.sparse


def test_n_grams_are_spoken_for(runs: RunList, context: PanelContext, qtbot: QtBot) -> None:
    dialog = open_dialog(runs, context, qtbot, ngram_model())
    qtbot.keyClick(dialog.result_box, Qt.Key.Key_Down)
    assert "Out-of-vocabulary words get no vectors" in dialog.note.text()
    dialog.cancel.click()
