"""File names suggested by dialogs are allowed on every system."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot
from ui.toy import look_at, toy_corpus, toy_model

from workbench.ui.base.panel import PanelContext
from workbench.ui.dialogs.save_vectors import ask_vectors
from workbench.ui.dialogs.session import ask_save_session
from workbench.ui.dialogs.share import ShareDialog

NAMES = [("con", "_con"), ("a/b.", "a-b"), ("x" * 300, "x" * 120)]


@pytest.fixture
def parent(qtbot: QtBot) -> QWidget:
    widget = QWidget()
    qtbot.addWidget(widget)
    return widget


@pytest.mark.parametrize(("name", "stem"), NAMES)
def test_of_a_run(name: str, stem: str, parent: QWidget, context: PanelContext) -> None:
    record = look_at(context.session, toy_model(), name)
    dialog = ask_vectors(parent, context.session, record)
    assert [Path(path).name for path in dialog.selectedFiles()] == [f"{stem}.npz"]
    dialog.reject()
    shared = ShareDialog(context.session, record, parent)
    assert Path(shared.folder.text()).name == stem
    shared.reject()


@pytest.mark.parametrize(("name", "stem"), NAMES)
def test_of_a_corpus(name: str, stem: str, parent: QWidget, context: PanelContext) -> None:
    context.session.corpora.current = dataclasses.replace(toy_corpus(), name=name)
    ask_save_session(parent, context.session, lambda path: None)
    (dialog,) = parent.findChildren(QFileDialog)
    assert [Path(path).stem for path in dialog.selectedFiles()] == [stem]
    dialog.reject()
