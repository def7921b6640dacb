"""The dialog of a handout, with clicks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot
from ui.toy import look_at, toy_model, until

from workbench.ui.base.panel import PanelContext
from workbench.ui.dialogs.handout import HandoutDialog
from workbench.ui.panels.train.run_list import RunList
from workbench.vectors.embeddings import Embeddings

LEFT = Qt.MouseButton.LeftButton


def open_dialog(
    context: PanelContext, qtbot: QtBot, model: Embeddings | None = None
) -> HandoutDialog:
    """The dialog, from the menu of a run."""
    runs = RunList(context)
    qtbot.addWidget(runs)
    runs.show()
    record = look_at(context.session, toy_model() if model is None else model, "SGNS 3")
    menu = runs.make_menu(record)
    (action,) = [action for action in menu.actions() if action.text() == "Handout…"]
    action.trigger()
    menu.close()
    (dialog,) = runs.window().findChildren(HandoutDialog)
    # pytest-qt closes the dialog, so Qt must not delete it on closing.
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose, False)
    qtbot.addWidget(dialog)
    until(qtbot, lambda: "Loading" not in dialog.note.text())
    return dialog


def test_by_clicks(context: PanelContext, qtbot: QtBot, tmp_path: Path) -> None:
    messages: list[tuple[str, str, bool]] = []
    context.session.message.connect(lambda *message: messages.append(message))
    dialog = open_dialog(context, qtbot)
    assert not dialog.isModal()
    size = len(toy_model())
    assert dialog.words.value() == dialog.words.maximum() == size
    assert dialog.note.text().startswith("About 0.")
    assert "need the text of the run" in dialog.note.text()
    dialog.words.setValue(size - 1)
    qtbot.mouseClick(dialog.save, LEFT)
    (chooser,) = dialog.findChildren(QFileDialog)
    (field,) = chooser.findChildren(QLineEdit)
    assert field.text() == "SGNS 3.html"
    field.setText(str(tmp_path / "page"))
    chooser.accept()
    until(qtbot, lambda: bool(messages))
    assert messages == [
        (
            "Saved page.html.",
            "Without contexts and fit: the text of the run wasn’t found, or has changed.",
            False,
        )
    ]
    assert not dialog.isVisible()
    html = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert f'"words":{size - 1},' in html


def test_vectors_that_no_page_can_contain(context: PanelContext, qtbot: QtBot) -> None:
    model = Embeddings(list("abcd"), sp.csr_matrix(np.eye(4, dtype=np.float32)))
    dialog = open_dialog(context, qtbot, model)
    assert "too large for a page" in dialog.note.text()
    assert not dialog.save.isEnabled()
    assert not dialog.words.isEnabled()


@pytest.mark.parametrize("place", ["missing/page.html", ""])
def test_a_file_that_cannot_be_written(
    place: str, context: PanelContext, qtbot: QtBot, tmp_path: Path
) -> None:
    messages: list[tuple[str, str, bool]] = []
    context.session.message.connect(lambda *message: messages.append(message))
    dialog = open_dialog(context, qtbot)
    path = tmp_path / place
    if not place:
        path = tmp_path / "folder.html"
        path.mkdir()
    dialog.save_as(path)
    until(qtbot, lambda: bool(messages))
    assert messages[0][2]
