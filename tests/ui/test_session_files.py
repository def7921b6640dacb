"""A session saved with the keyboard and dropped onto another window, with the map as it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog
from pytestqt.qtbot import QtBot
from session.fakes import Gate, StepParams, small_corpus

from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.session_timer import Bridge
from workbench.ui.panels.map.panel import MapPanel
from workbench.ui.panels.matrix.panel import MatrixPanel
from workbench.ui.panels.train.panel import TrainPanel
from workbench.ui.shell.window import Window

TEXT = " ".join(f"w{a} w{b}" for a in range(8) for b in range(8))


@pytest.fixture
def open_window(
    gate: Gate, context: PanelContext, qtbot: QtBot
) -> Iterator[Callable[[Session], Window]]:
    """A function that opens a window on a session of its own."""
    windows: list[Window] = []

    def make(session: Session) -> Window:
        bridge = Bridge(session)
        window = Window(PanelContext(session, bridge, context.theme))
        qtbot.addWidget(window)
        windows.append(window)
        window.show()
        qtbot.waitExposed(window)
        return window

    yield make
    for window in windows:
        window.close()
        window.session.close()


def choose(qapp: QApplication, qtbot: QtBot, path: Path) -> None:
    """Choose a path in the file dialog."""

    def dialogs() -> list[QFileDialog]:
        return [w for w in qapp.topLevelWidgets() if isinstance(w, QFileDialog) and w.isVisible()]

    qtbot.waitUntil(lambda: len(dialogs()) == 1)
    dialog = dialogs()[0]
    dialog.fileSelected.emit(str(path))
    dialog.close()


def map_of(window: Window) -> MapPanel:
    panel = window.docks["map"].panel
    assert isinstance(panel, MapPanel)
    return panel


def test_a_session_travels(
    open_window: Callable[[Session], Window],
    session: Session,
    qapp: QApplication,
    qtbot: QtBot,
    tmp_path: Path,
    move_home: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    here = open_window(session)
    session.corpora.current = small_corpus(text=TEXT)
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1, dim=5)))
    qtbot.waitUntil(lambda: session.active.run is record and session.training.current is None)
    session.selection.select(["w1", "w2"])
    session.settings.put({"map.sets": [{"name": "pair", "words": ["w1", "w2"]}]})
    panel = map_of(here)
    here.raise_panel("map")
    qtbot.waitUntil(lambda: bool(panel.layouts.saved_layouts()) and here.idle)
    places = {layout["method"]: layout["positions"] for layout in panel.layouts.saved_layouts()}
    assert "umap" in places
    path = tmp_path / "class.workbench"
    QTest.keyClick(
        here, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    choose(qapp, qtbot, path)
    qtbot.waitUntil(path.exists)
    here.close()

    move_home()
    there = open_window(Session())
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    copy, left, none = (
        Qt.DropAction.CopyAction,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    there.dropEvent(QDropEvent(QPointF(300, 300), copy, data, left, none))
    calls: list[object] = []
    # A requested UMAP would have to be computed; the one in the file doesn't.
    monkeypatch.setattr(map_of(there).layouts, "_begin_umap", calls.append)
    qtbot.waitUntil(lambda: there.session.active.embeddings is not None)
    assert [run.name for run in there.session.runs] == [record.name]
    assert there.session.selection.words == ("w1", "w2")
    assert [word_set.name for word_set in map_of(there).sets.sets] == ["pair"]
    qtbot.waitUntil(lambda: bool(map_of(there).layouts.saved_layouts()))
    (layout,) = map_of(there).layouts.saved_layouts()
    np.testing.assert_array_equal(layout["positions"], places["umap"])
    assert calls == []
    there.close()


def test_a_session_is_opened_by_the_menu(
    open_window: Callable[[Session], Window],
    session: Session,
    qapp: QApplication,
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    window = open_window(session)
    text = tmp_path / "no.workbench"
    text.write_text("no session")
    (action,) = [
        action for action in window.findChildren(QAction) if action.text() == "Open session…"
    ]
    action.trigger()
    choose(qapp, qtbot, text)
    qtbot.waitUntil(lambda: window.activity.message.isVisible())
    assert "no.workbench isn’t a session file" in window.activity.message.text


def test_what_was_typed_and_chosen_is_back(
    open_window: Callable[[Session], Window],
    session: Session,
    qtbot: QtBot,
    tmp_path: Path,
    move_home: Callable[[], None],
) -> None:
    """The form, the words of the matrix and its two views are restored in a program that has no
    other settings.
    """
    text = tmp_path / "text.txt"
    text.write_text(TEXT)
    here = open_window(session)
    session.corpora.open([text])
    qtbot.waitUntil(lambda: session.corpora.opening is None and session.corpora.current is not None)
    record = session.training.start(TrainingSpec("step", StepParams(min_count=1, dim=5)))
    qtbot.waitUntil(lambda: session.active.run is record and session.training.current is None)
    train, matrix = here.docks["train"].panel, here.docks["matrix"].panel
    assert isinstance(train, TrainPanel)
    assert isinstance(matrix, MatrixPanel)
    train.choose("step")
    train.form.put(train._baseline, {"dim": 7, "steps": 99})
    here.raise_panel("matrix")
    matrix.controls.source.setCurrentIndex(matrix.controls.source.findData("typed"))
    matrix.controls.words.setText("w3 w1 w7")
    matrix.controls.words.returnPressed.emit()
    matrix.heads.set_choices([("pmi", ""), ("model", record.identifier)])
    matrix.heads.changed.emit()
    qtbot.waitUntil(lambda: here.idle)
    path = tmp_path / "class.workbench"
    here.save_session(path)
    qtbot.waitUntil(path.exists)
    here.close()

    move_home()
    there = open_window(Session())
    there.session.corpora.open([path])
    matrix, train = there.docks["matrix"].panel, there.docks["train"].panel
    assert isinstance(train, TrainPanel)
    assert isinstance(matrix, MatrixPanel)
    there.raise_panel("matrix")
    qtbot.waitUntil(
        lambda: (
            there.session.active.embeddings is not None
            and there.session.corpora.current is not None
            and there.idle
        )
    )
    qtbot.waitUntil(lambda: matrix.controls.words.text() == "w3 w1 w7" and there.idle)
    assert matrix.controls.source.currentData() == "typed"
    qtbot.waitUntil(
        lambda: (
            [head.choice for head in matrix.heads.visible_heads]
            == [("pmi", ""), ("model", record.identifier)]
        )
    )
    assert train.algorithm.currentData() == "step"
    assert {name: train.form.values()[name] for name in ("dim", "steps")} == {"dim": 7, "steps": 99}
    there.close()
