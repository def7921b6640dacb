"""Sharing a run, and saving its vectors and the counts of the corpus, with clicks and keys."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot
from ui.toy import look_at, toy_corpus, toy_model, until

from workbench.models.base import MODELS
from workbench.ui.base.panel import PanelContext
from workbench.ui.dialogs import save_vectors
from workbench.ui.dialogs.share import ShareDialog
from workbench.ui.panels.matrix.panel import MatrixPanel
from workbench.ui.panels.train.run_list import RunList
from workbench.vectors.formats import load_vectors

LEFT = Qt.MouseButton.LeftButton
PROVENANCE = {
    "algorithm": "sgns",
    "parameters": MODELS["sgns"].params_type().to_dict(),
    "corpus": {
        "name": "Tales",
        "tokens": 100,
        "types": 13,
        "digest": "x",
        "files": ["tales.txt"],
        "options": {},
    },
}


@pytest.fixture
def runs(context: PanelContext, qtbot: QtBot) -> RunList:
    new_list = RunList(context)
    qtbot.addWidget(new_list)
    new_list.show()
    return new_list


def from_menu(runs: RunList, context: PanelContext, text: str, known: bool = True) -> None:
    """Choose an entry of the menu of a run."""
    model = toy_model()
    object.__setattr__(model, "metadata", PROVENANCE if known else {})
    record = look_at(context.session, model, "SGNS 3")
    menu = runs.make_menu(record)
    (action,) = [action for action in menu.actions() if action.text() == text]
    assert action.isEnabled()
    action.trigger()
    menu.close()


def open_dialog(
    runs: RunList, context: PanelContext, qtbot: QtBot, known: bool = True
) -> ShareDialog:
    from_menu(runs, context, "Share…", known)
    (dialog,) = runs.window().findChildren(ShareDialog)
    # pytest-qt closes the dialog, so Qt must not delete it on closing.
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    until(qtbot, lambda: dialog.kinds.count() > 0)
    return dialog


def row_of(dialog: ShareDialog, title: str) -> int:
    (row,) = [row for row in range(dialog.kinds.count()) if dialog.kinds.item(row).text() == title]
    return row


def click_box(dialog: ShareDialog, qtbot: QtBot, title: str) -> None:
    """Click the check box in front of a title."""
    place = dialog.kinds.visualItemRect(dialog.kinds.item(row_of(dialog, title)))
    qtbot.mouseClick(
        dialog.kinds.viewport(), LEFT, pos=QPoint(place.left() + 10, place.center().y())
    )


def test_by_clicks(runs: RunList, context: PanelContext, qtbot: QtBot, tmp_path: Path) -> None:
    messages: list[str] = []
    context.session.message.connect(lambda text, hint, wrong: messages.append(text))
    dialog = open_dialog(runs, context, qtbot)
    assert not dialog.isModal()
    assert "train(" in dialog.preview.toPlainText()
    place = dialog.kinds.visualItemRect(
        dialog.kinds.item(row_of(dialog, "word2vec.c command"))
    ).center()
    qtbot.mouseClick(dialog.kinds.viewport(), LEFT, pos=place)
    assert "./word2vec" in dialog.preview.toPlainText()
    qtbot.mouseClick(dialog.copy, LEFT)
    assert QGuiApplication.clipboard().text() == dialog.preview.toPlainText()
    # An export that isn’t available gives the reason, and is not ticked.
    glove = dialog.kinds.item(row_of(dialog, "GloVe commands"))
    assert "trains only GloVe" in glove.toolTip()
    assert "glove" not in dialog.ticked_kinds
    for title in ("word2vec.c command", "fastText command", "gensim script"):
        click_box(dialog, qtbot, title)
    assert dialog.ticked_kinds == ["script", "notebook", "methods", "report"]
    dialog.folder.selectAll()
    qtbot.keyClicks(dialog.folder, str(tmp_path / "out"))
    qtbot.mouseClick(dialog.save, LEFT)
    until(qtbot, lambda: bool(messages) and "Saved" in messages[-1])
    assert {path.name for path in (tmp_path / "out").iterdir()} == {
        "repeat.py",
        "repeat.ipynb",
        "methods.md",
        "references.bib",
        "report.html",
    }
    assert "Nearest words" in (tmp_path / "out" / "report.html").read_text(encoding="utf-8")


def test_by_keys_and_a_place_that_cannot_be_written(
    runs: RunList, context: PanelContext, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = open_dialog(runs, context, qtbot)
    qtbot.keyClick(dialog.kinds, Qt.Key.Key_End)
    qtbot.keyClick(dialog.kinds, Qt.Key.Key_Space)
    assert "report" not in dialog.ticked_kinds
    dialog.folder.selectAll()
    qtbot.keyClicks(dialog.folder, str(tmp_path / "no" / "such"))
    qtbot.keyClick(dialog.folder, Qt.Key.Key_Return)
    until(qtbot, lambda: "Couldn’t create" in dialog.note.text())
    assert dialog.save.isEnabled()
    dialog.folder.clear()
    assert not dialog.save.isEnabled()
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    until(qtbot, lambda: not dialog.isVisible())


def test_vectors_from_elsewhere_have_a_report_alone(
    runs: RunList, context: PanelContext, qtbot: QtBot
) -> None:
    dialog = open_dialog(runs, context, qtbot, known=False)
    assert dialog.ticked_kinds == ["report"]
    assert "don’t contain their training settings" in dialog.kinds.item(0).toolTip()
    assert "<!doctype html>" in dialog.preview.toPlainText()


@pytest.mark.parametrize(
    ("line", "name", "file_name"),
    [
        ("safetensors", "mine", "mine.safetensors"),
        ("npz", "mine.vec", "mine.vec"),
        ("npz-half", "mine", "mine.npz"),
        ("projector", "mine", "mine.projector"),
    ],
)
def test_vectors_are_saved_in_the_chosen_format(
    line: str,
    name: str,
    file_name: str,
    runs: RunList,
    context: PanelContext,
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    from_menu(runs, context, "Save vectors…")
    (dialog,) = runs.window().findChildren(QFileDialog)
    dialog.selectNameFilter(save_vectors.kinds()[line])
    dialog.setDirectory(str(tmp_path))
    field = dialog.findChild(QLineEdit)
    assert isinstance(field, QLineEdit)
    field.selectAll()
    qtbot.keyClicks(field, name)
    qtbot.keyClick(field, Qt.Key.Key_Return)
    until(qtbot, lambda: (tmp_path / file_name).exists() and not context.session.jobs.active)
    vectors = load_vectors(tmp_path / file_name)
    assert list(vectors.words) == list(toy_model().words)
    dtype = np.float16 if line.endswith("half") else np.float32
    np.testing.assert_array_equal(vectors.vectors, np.asarray(toy_model().vectors, dtype=dtype))


def test_counts_from_the_matrix(
    context: PanelContext, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = MatrixPanel(context)
    qtbot.addWidget(panel)
    assert panel.save_counts() is None
    context.session.corpora.current = toy_corpus()
    context.session.corpora.changed.emit()
    dialog = panel.save_counts()
    assert dialog is not None
    qtbot.addWidget(dialog)
    assert not dialog.table.isVisible()
    qtbot.keyClick(dialog.format, Qt.Key.Key_Down)
    assert "counts.bin, counts.vocab.txt" in dialog.note.text()
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "c"), ""))
    qtbot.keyClick(dialog.format, Qt.Key.Key_Down)
    assert dialog.table.isVisible()
    qtbot.mouseClick(dialog.save, LEFT)
    until(qtbot, lambda: (tmp_path / "c.csv").exists() and not context.session.jobs.active)
    assert (tmp_path / "c.csv").read_text().splitlines()[0].endswith("pmi,ppmi")
    again = panel.save_counts()
    assert again is not None
    qtbot.addWidget(again)
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "c.npz"), ""))
    qtbot.mouseClick(again.save, LEFT)
    until(qtbot, lambda: (tmp_path / "c.npz").exists() and not context.session.jobs.active)
    assert (
        sp.load_npz(tmp_path / "c.npz").nnz
        == len((tmp_path / "c.csv").read_text().splitlines()) - 1
    )
