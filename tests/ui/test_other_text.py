"""Opening another text: words that it doesn't contain, and a text that was made from a picture."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
from PySide6.QtWidgets import QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from session.fakes import StepParams, small_corpus
from ui.toy import look_at, toy_corpus, toy_model

from workbench.session.training.request import TrainingSpec
from workbench.ui.dialogs.picture import PictureDialog
from workbench.ui.shell.window import Window
from workbench.vectors.embeddings import Embeddings


def field_of(widget: QWidget, name: str) -> QLineEdit:
    found = widget.findChild(QLineEdit, name)
    assert found is not None, name
    return found


# -- what another text doesn't contain


def test_words_of_the_last_text_leave_the_selection_and_the_searches(
    window: Window, qtbot: QtBot
) -> None:
    session = window.session
    look_at(session, toy_model())
    session.runs[0].corpus_digest = "toy"
    session.corpora.current = toy_corpus("toy")
    session.corpora.changed.emit()
    session.selection.select(["king", "queen"])
    neighbours = window.docks["neighbours"].panel
    field = field_of(neighbours, "neighbours.word")
    qtbot.waitUntil(lambda: field.text() == "queen")
    finder = field_of(window.docks["map"].panel, "map.search")
    for search in (finder, window.top.search):
        search.setText("queen")
    window.docks["map"].panel.setFocus()
    # Another text and its run, which have the king but not the queen.
    vectors = np.eye(3, dtype=np.float32)
    other = look_at(session, Embeddings(["king", "man", "sea"], vectors, contexts=vectors), "other")
    other.corpus_digest = "other"
    session.corpora.current = small_corpus("other", "the king saw the man and the sea " * 9)
    session.corpora.changed.emit()
    assert session.selection.words == ("king",)
    qtbot.waitUntil(lambda: field.text() == "king")
    assert finder.text() == ""
    assert window.top.search.text() == ""
    # So it is without a run.
    session.active.show(None)
    window.top.search.setText("sea")
    session.corpora.current = small_corpus("third", "the king saw the man " * 9)
    session.corpora.changed.emit()
    assert window.top.search.text() == ""
    window.top.search.setText("King")
    session.corpora.current = small_corpus("fourth", "the king saw the woman " * 9)
    session.corpora.changed.emit()
    assert window.top.search.text() == "King"
    # A choice made since isn't changed by further signals.
    session.selection.select(["queen"])
    session.corpora.changed.emit()
    assert session.selection.words == ("queen",)


# -- a text made from a picture


def test_the_way_from_a_picture_leads_to_the_picture(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    window.commands.run("file.picture")
    dialog = window.findChild(PictureDialog, "picture")
    assert dialog is not None
    dialog.options.put(dialog.options.values(), {"size": 8, "pairs": 2000, "zipf": 0.0})
    dialog.write_text(tmp_path / "face.txt")
    qtbot.waitUntil(lambda: not window.docks["matrix"].visibleRegion().isEmpty(), timeout=60_000)
    assert window.layouts.workspace == "theory"
    assert window.session.corpora.current is not None
    # After a training that was watched elsewhere, the picture is offered.
    window.raise_panel("map")
    offers: list[str] = []
    buttons: list[Callable[[], object]] = []

    def offered(_text: str, button: str, action: Callable[[], object], _holds: object) -> None:
        offers.append(button)
        buttons.append(action)

    window.context.bridge.offered.connect(offered)
    record = window.session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    qtbot.waitUntil(lambda: record.state.over, timeout=60_000)
    assert "Show picture" in offers
    buttons[offers.index("Show picture")]()
    assert not window.docks["matrix"].visibleRegion().isEmpty()
    offers.clear()
    record = window.session.training.start(TrainingSpec("step", StepParams(min_count=1)))
    qtbot.waitUntil(lambda: record.state.over, timeout=60_000)
    assert "Show picture" not in offers
