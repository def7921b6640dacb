"""The window around the panels: docks, menus, shortcuts, search, messages, closing."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPointF, Qt, QUrl
from PySide6.QtGui import QDropEvent, QImage
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QProgressBar,
    QPushButton,
    QTabBar,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot
from session.fakes import Gate, small_corpus
from ui.windows import several_windows

from workbench.core.errors import UserError
from workbench.models.base import MODELS
from workbench.session.runs.run_record import State
from workbench.session.session import Session
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.elided import ElidedLabel
from workbench.ui.base.panel import PanelContext
from workbench.ui.base.panel_kind import PANELS
from workbench.ui.shell.activity import sentence_of
from workbench.ui.shell.window import Window
from workbench.ui.shell.workspaces import WORKSPACES
from workbench.ui.widgets.inputs.word_search import WordIndex

TEXT = "the cat saw the dog and the bird saw the king\n" * 40


Maker = Callable[[], Window]


@pytest.fixture
def make(gate: Gate, context: PanelContext, qtbot: QtBot) -> Iterator[Maker]:
    with several_windows(context, qtbot) as open_window:
        yield open_window
        gate.opened.set()


@pytest.fixture
def window(make: Maker) -> Window:
    return make()


def open_tiny(window: Window) -> None:
    window.session.corpora.current = small_corpus()
    window.session.corpora.changed.emit()


def child(window: QWidget, kind: type, name: str) -> QWidget:
    found = window.findChild(kind, name)
    assert found is not None, name
    return found


def test_every_panel_has_a_dock(window: Window) -> None:
    assert set(window.docks) == set(PANELS.keys())


@pytest.mark.parametrize("size", [(900, 600), (1440, 900)])
def test_no_content_is_squeezed_below_its_own_minimum(
    window: Window, qtbot: QtBot, size: tuple[int, int]
) -> None:
    window.resize(*size)
    for dock in window.docks.values():
        window.raise_panel(dock.panel.key)
        dock.panel.show_body()
        body = dock.panel.body
        # Rows that wrap get their height in a second pass of the layout.
        qtbot.waitUntil(
            lambda body=body: (
                body.size().boundedTo(body.minimumSizeHint()) == body.minimumSizeHint()
            )
        )


# A workspace with a single panel has no tabs.
WITH_TABS = [
    workspace.key
    for workspace in WORKSPACES
    if sum(workspace.key in kind.workspaces for kind in PANELS) > 1
]


@pytest.mark.parametrize("workspace", WITH_TABS)
def test_no_tab_is_squeezed_out_of_its_name(window: Window, qtbot: QtBot, workspace: str) -> None:
    window.resize(900, 600)
    window.layouts.show_workspace(workspace)

    def bars() -> list[QTabBar]:
        found = window.findChildren(QTabBar, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return [bar for bar in found if bar.isVisible()]

    qtbot.waitUntil(lambda: any(bar.count() > 1 for bar in bars()))
    for bar in bars():
        qtbot.waitUntil(lambda bar=bar: bar.elideMode() is Qt.TextElideMode.ElideNone)
        for index in range(bar.count()):
            assert bar.tabRect(index).width() >= bar.fontMetrics().horizontalAdvance(
                bar.tabText(index)
            )


def test_a_closed_panel_is_brought_back_and_an_unknown_one_is_told(window: Window) -> None:
    window.docks["corpus"].close()
    assert not window.docks["corpus"].isVisible()
    window.raise_panel("corpus")
    assert window.docks["corpus"].isVisible()
    with pytest.raises(UserError, match="nowhere"):
        window.raise_panel("nowhere")


def test_slash_searches_and_selects_by_the_first_letters(window: Window, qtbot: QtBot) -> None:
    open_tiny(window)
    qtbot.keyClick(window, Qt.Key.Key_Slash)
    qtbot.waitUntil(window.top.search.hasFocus)
    qtbot.waitUntil(lambda: window.top.search._index is not None)
    qtbot.keyClicks(window.top.search, "do")
    qtbot.keyClick(window.top.search, Qt.Key.Key_Return)
    assert window.session.selection.words == ("dog",)
    window.top.search.clear()
    qtbot.keyClicks(window.top.search, "cat saw")
    qtbot.keyClick(window.top.search, Qt.Key.Key_Return)
    assert window.session.selection.words == ("cat", "saw")


def test_escape_clears_the_selection(window: Window, qtbot: QtBot) -> None:
    open_tiny(window)
    window.session.selection.select(["cat"])
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.session.selection.words == ()


def test_escape_in_the_search_leaves_it_before_it_clears_the_selection(
    window: Window, qtbot: QtBot
) -> None:
    open_tiny(window)
    window.session.selection.select(["cat"])
    qtbot.keyClick(window, Qt.Key.Key_Slash)
    qtbot.waitUntil(window.top.search.hasFocus)
    qtbot.keyClicks(window.top.search, "x")
    qtbot.keyClick(window.top.search, Qt.Key.Key_Escape)
    assert window.top.search.text() == ""
    assert window.session.selection.words == ("cat",)
    qtbot.waitUntil(lambda: not window.top.search.hasFocus())
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.session.selection.words == ()


def test_words_are_offered_by_frequency() -> None:
    index = WordIndex(["the", "This", "them", "a", "this", "theme"])
    assert index.beginning("th", 3) == ["the", "This", "them"]
    assert index.beginning("them") == ["them", "theme"]
    assert index.find("THEM") == "them"
    assert index.find("this") == "this"
    assert index.find("x") is None


def test_files_dropped_on_the_window_are_opened(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    text = tmp_path / "dropped.txt"
    text.write_text(TEXT)
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(text))])
    event = QDropEvent(
        QPointF(300, 300),
        Qt.DropAction.CopyAction,
        data,
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    window.dropEvent(event)
    qtbot.waitUntil(lambda: window.session.corpora.current is not None, timeout=180_000)
    assert "dropped" in window.windowTitle()
    assert window.top.corpus.text().strip() == "dropped"
    qtbot.waitUntil(lambda: window.idle, timeout=180_000)


def test_the_foot_tells_what_runs_and_stops_it(window: Window, gate: Gate, qtbot: QtBot) -> None:
    open_tiny(window)
    gate.opened.clear()
    kind = MODELS["step"]
    record = window.session.training.start(TrainingSpec("step", kind.params_type(min_count=1)))
    text = child(window, QLabel, "activity.text")
    qtbot.waitUntil(lambda: "training" in text.accessibleName())
    assert record.name in text.accessibleName()
    pause, stop = (
        child(window, QToolButton, "activity.pause"),
        child(window, QToolButton, "activity.stop"),
    )
    assert child(window, QProgressBar, "activity.progress").isVisible()
    qtbot.mouseClick(pause, Qt.MouseButton.LeftButton)
    assert record.state is State.PAUSED
    qtbot.waitUntil(lambda: "paused" in text.accessibleName())
    qtbot.mouseClick(pause, Qt.MouseButton.LeftButton)
    assert record.state is State.TRAINING
    qtbot.mouseClick(stop, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: record.state is State.STOPPED)
    qtbot.waitUntil(lambda: record.name + " · training" not in text.accessibleName())
    qtbot.waitUntil(lambda: window.idle and not stop.isVisible())


def test_the_foot_leaves_its_place_to_panels_while_it_has_nothing_to_say(
    window: Window, gate: Gate, qtbot: QtBot
) -> None:
    open_tiny(window)
    bar = window.statusBar()
    assert bar.isVisible()
    record = window.session.training.start(
        TrainingSpec("step", MODELS["step"].params_type(min_count=1))
    )
    qtbot.waitUntil(lambda: record.state is State.DONE and bar.isHidden(), timeout=60_000)
    panel = window.docks["map"].panel
    assert window.session.active.run is record
    # The line is hidden a moment before panels are laid out over its place.
    docks = [dock for dock in window.docks.values() if not dock.visibleRegion().isEmpty()]
    qtbot.waitUntil(lambda: max(dock.geometry().bottom() for dock in docks) > bar.y())
    qtbot.waitUntil(lambda: window.idle)
    height = panel.height()
    gate.opened.clear()
    other = window.session.training.start(
        TrainingSpec("step", MODELS["step"].params_type(min_count=1))
    )
    qtbot.waitUntil(lambda: bar.isVisible() and panel.height() < height)
    gate.opened.set()
    qtbot.waitUntil(lambda: other.state is State.DONE and bar.isHidden(), timeout=60_000)
    qtbot.waitUntil(lambda: panel.height() == height)


class _Requests(QObject):
    """Counter of requests to lay out a widget again."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() is QEvent.Type.LayoutRequest
        return False


def test_what_the_foot_tells_leaves_the_layout_of_the_window(window: Window, qtbot: QtBot) -> None:
    text = child(window, ElidedLabel, "activity.text")
    qtbot.waitUntil(lambda: window.idle)
    QApplication.processEvents()
    requests, number = _Requests(window), -1
    while requests.count != number:
        number = requests.count
        QApplication.processEvents()
    for sentence in ("Training", "Training · epoch 3 of 5 · 3.6 M tokens/s · 4 s left"):
        text.put(sentence)
        QApplication.processEvents()
    assert requests.count == number
    window.statusBar().hide()
    qtbot.waitUntil(lambda: requests.count > number)


def test_a_panel_is_made_when_it_is_first_seen(window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.idle)
    for dock in window.docks.values():
        assert dock.is_made or dock.visibleRegion().isEmpty()
    assert not window.docks["matrix"].is_made
    window.show_panel("matrix")
    qtbot.waitUntil(lambda: window.docks["matrix"].is_made)


def test_a_request_reaches_a_panel_that_nobody_has_seen(window: Window, qtbot: QtBot) -> None:
    open_tiny(window)
    dock = window.docks["corpus"]
    assert not dock.is_made
    window.session.requests.lines.emit("cat", "")
    assert dock.is_made
    qtbot.waitUntil(lambda: not dock.visibleRegion().isEmpty())
    assert dock.panel.lenses.lens == "lines"


def test_what_waits_is_listed_with_a_cancel(window: Window, gate: Gate, qtbot: QtBot) -> None:
    open_tiny(window)
    gate.opened.clear()
    kind = MODELS["step"]
    records = [
        window.session.training.start(TrainingSpec("step", kind.params_type(min_count=1)))
        for _ in range(2)
    ]
    button = child(window, QPushButton, "activity.jobs")
    qtbot.waitUntil(lambda: button.isVisible() and button.text().startswith("2 "))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    list_widget = child(window, QWidget, "activity.list")

    def waiting() -> list[int]:
        """Positions of the visible labels that say that Step 2 is waiting."""
        labels = [label for label in list_widget.findChildren(QLabel) if label.isVisible()]
        return [place for place, label in enumerate(labels) if label.text() == "Step 2 · waiting"]

    qtbot.waitUntil(lambda: bool(waiting()))
    cancel = child(window, QPushButton, f"activity.cancel.{waiting()[0]}")
    qtbot.mouseClick(cancel, Qt.MouseButton.LeftButton)
    assert records[1].state is State.CANCELLED
    list_widget.hide()


def test_a_message_stays_until_it_is_closed(window: Window, qtbot: QtBot) -> None:
    bar = window.activity.message
    assert not bar.isVisible()
    window.session.message.emit("It <failed>.", "Mend it.", True)
    assert bar.isVisible()
    assert bar.text == "It <failed>. Mend it."
    qtbot.mouseClick(
        child(window, QToolButton, "activity.message.close"), Qt.MouseButton.LeftButton
    )
    assert not bar.isVisible()


def test_an_offer_is_taken_by_its_button(
    window: Window, qtbot: QtBot, context: PanelContext
) -> None:
    calls: list[str] = []
    context.bridge.offer("A run was deleted.", "Undo", lambda: calls.append("undo"))
    qtbot.mouseClick(
        child(window, QPushButton, "activity.message.action"), Qt.MouseButton.LeftButton
    )
    assert calls == ["undo"]
    assert not window.activity.message.isVisible()


def test_an_offer_goes_when_it_is_of_no_use_any_more(
    window: Window, qtbot: QtBot, context: PanelContext
) -> None:
    undo = window.session.undo
    change = undo.push("deletion", lambda: None, lambda: None)
    context.bridge.offer(
        "A run was deleted.", "Undo", lambda: undo.revert(change), lambda: undo.is_applied(change)
    )
    context.bridge.pump()
    assert window.activity.message.isVisible()
    undo.undo()
    context.bridge.pump()
    assert not window.activity.message.isVisible()


def test_the_theme_is_chosen_and_remembered(window: Window, context: PanelContext) -> None:
    entries = {entry.key: entry for entry in window.commands.entries("view.theme")}
    window.commands.choose("view.theme", entries["dark"])
    assert context.theme.palette.dark
    assert window.session.settings.all().get("theme") == "dark"
    window.commands.choose("view.theme", entries["light"])
    assert not context.theme.palette.dark


def test_closing_ends_a_training(window: Window, gate: Gate, qtbot: QtBot) -> None:
    open_tiny(window)
    gate.opened.clear()
    window.session.training.start(TrainingSpec("step", MODELS["step"].params_type(min_count=1)))
    window.close()
    assert window.session.jobs.active == ()
    assert not window.isVisible()


def test_compiling_is_told_as_happening_once() -> None:
    from workbench.core.job_control import JobControl, Phase

    run = JobControl()
    run.enter(Phase.COMPILING)
    sentence = "SGNS 1 · compiling for this computer (only the first time)"
    assert sentence_of(run, "SGNS 1") == sentence
    run.enter(Phase.TRAINING)
    run.advance(0.5, "Epoch 3 of 5.", rate=3.6e6, unit="tokens")
    assert sentence_of(run, "SGNS 1").startswith(
        "SGNS 1 · training · epoch 3 of 5 · 3.60 M tokens/s"
    )
    run.advance(0.5, "SGNS 4")
    assert "· SGNS 4 ·" in sentence_of(run, "Scoring runs")
    assert sentence_of(run, "SGNS 4").count("SGNS 4") == 1


def take_screenshot(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "workbench", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_screenshot_has_exactly_its_size(home: Path, tmp_path: Path) -> None:
    text, picture, boxes = tmp_path / "text.txt", tmp_path / "shot.png", tmp_path / "boxes.json"
    text.write_text(TEXT)
    size = ["--size", "1000x700", "--theme", "dark", "--panel", "corpus"]
    process = take_screenshot(
        str(text), "--screenshot", str(picture), *size, "--widgets", str(boxes)
    )
    assert process.returncode == 0, process.stderr
    image = QImage(str(picture))
    assert (image.width(), image.height()) == (1000, 700)
    assert image.pixelColor(500, 4).lightness() < 60
    document = json.loads(boxes.read_text(encoding="utf-8"))
    assert document["window"] == {"width": 1000, "height": 700}
    widgets = document["widgets"]
    assert "panel.corpus" in widgets
    # The map is behind another tab.
    assert "panel.map" not in widgets
    for box in widgets.values():
        assert box["width"] > 0
        assert box["height"] > 0
        assert 0 <= box["x"] < 1000
        assert -5 <= box["y"] < 700


def test_a_screenshot_of_an_empty_text_fails_with_a_sentence(home: Path, tmp_path: Path) -> None:
    picture = tmp_path / "shot.png"
    empty = tmp_path / "empty.txt"
    empty.write_text("")
    process = take_screenshot(str(empty), "--screenshot", str(picture))
    assert process.returncode == 2
    assert "empty.txt is empty" in process.stderr
    assert "Traceback" not in process.stderr
    assert not picture.exists()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="fonts are those of Linux")
def test_a_window_without_fonts_warns_where_it_can_be_read(home: Path, no_fonts: None) -> None:
    warning = "No fonts were found: every letter in the window is a box. Install with: "
    command = [sys.executable, "-m", "workbench"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        found = any(line.startswith(warning) for line in process.stderr)
        process.terminate()
        process.communicate()
    assert found
    # The window opens all the same.
    assert process.returncode != 2


def test_of_several_words_the_unknown_are_told_and_left_out(
    window: Window, session: Session, qtbot: QtBot
) -> None:
    session.corpora.current = small_corpus()
    session.corpora.changed.emit()
    window.top.make_index()
    qtbot.waitUntil(lambda: window.top.search.index is not None)
    window.top.search.setFocus()
    window.top.search.setText("dog zebra cat")
    qtbot.keyClick(window.top.search, Qt.Key.Key_Return)
    assert session.selection.words == ("dog", "cat")
    assert "“zebra”" in window.activity.message.text
