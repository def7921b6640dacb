"""Windows beside each other: views of one session, windows with a session of their own, questions
about a table, undocked panels, and screens that are smaller than the window was.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QScreen
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QToolButton
from pytestqt.qtbot import QtBot
from session.fakes import small_corpus
from ui.windows import several_windows

from workbench.session.session import Session
from workbench.session.settings.session_settings import WINDOW_LAYOUT
from workbench.ui.base.panel import PanelContext
from workbench.ui.dialogs.open import open_paths
from workbench.ui.shell import layouts
from workbench.ui.shell.dock import place_beside, within
from workbench.ui.shell.window import Window

LEFT = Qt.MouseButton.LeftButton
CTRL_SHIFT = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "speeches.csv"
    path.write_text("year,speaker,speech\n1850,ann,The old house stood by the river\n" * 3)
    return str(path)


@pytest.fixture
def open_window(context: PanelContext, qtbot: QtBot) -> Iterator[Callable[..., Window]]:
    with several_windows(context, qtbot) as opening:
        yield opening


def open_tiny(window: Window) -> None:
    window.session.corpora.current = small_corpus()
    window.session.corpora.changed.emit()


def _is_in(window: Window, workspace: str) -> bool:
    return window.layouts.workspace == workspace


def _settle(window: Window, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.session.corpora.opening is None, timeout=60_000)


# -- a question about a table


def test_the_question_about_a_table_comes_to_the_front(
    window: Window, qtbot: QtBot, table: str
) -> None:
    assert not window.docks["corpus"].is_made
    assert window.layouts.workspace != "corpus"
    open_paths(window.session, [table])
    _settle(window, qtbot)
    qtbot.waitUntil(lambda: window.layouts.workspace == "corpus")
    panel = window.docks["corpus"].panel
    button = panel.findChild(QPushButton, "corpus.ask.read")
    assert button is not None
    assert button.isVisible()
    qtbot.waitUntil(lambda: window.focusWidget() is button)
    qtbot.keyClick(button, Qt.Key.Key_Return)
    _settle(window, qtbot)
    assert window.session.corpora.current is not None
    assert window.session.corpora.current.files[0].column == "speech"


def test_the_figures_of_the_open_text_are_not_those_of_the_table(
    window: Window, qtbot: QtBot, table: str
) -> None:
    open_tiny(window)
    window.raise_panel("corpus")
    panel = window.docks["corpus"].panel
    facts = panel.findChild(QLabel, "corpus.facts")
    assert facts is not None
    assert facts.isVisible()
    shown = facts.text()
    window.raise_panel("map")
    open_paths(window.session, [table])
    _settle(window, qtbot)
    qtbot.waitUntil(lambda: panel.isVisible())
    titles = [label.text() for label in panel.findChildren(QLabel) if label.isVisible()]
    assert "speeches.csv" in titles
    assert "tiny" not in titles
    assert not facts.isVisible()
    cancel = panel.findChild(QPushButton, "corpus.ask.cancel")
    assert cancel is not None
    qtbot.mouseClick(cancel, LEFT)
    qtbot.waitUntil(lambda: facts.isVisible())
    assert facts.text() == shown
    assert not cancel.isVisible()


def test_only_the_window_in_use_asks_and_carries_out_requests(
    open_window: Callable[..., Window], context: PanelContext, qtbot: QtBot, table: str
) -> None:
    first = open_window(False)
    second = first.open_view()
    qtbot.waitExposed(second)
    for window, other in ((second, first), (first, second)):
        for one in (first, second):
            one.raise_panel("map")
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        open_paths(context.session, [table])
        _settle(window, qtbot)
        qtbot.waitUntil(partial(_is_in, window, "corpus"))
        assert other.layouts.workspace != "corpus"
        context.session.corpora.choose_column("")
        context.session.requests.ranking.emit([])
        assert window.layouts.workspace == "evaluate"
        assert other.layouts.workspace != "evaluate"


def test_nested_numbers_of_a_table_are_columns(
    window: Window, qtbot: QtBot, tmp_path: Path
) -> None:
    path = tmp_path / "paragraphs.jsonl"
    row = {"text": "The old house stood by the river", "by": "ann", "meta": {"year": 1850}}
    path.write_text("\n".join([json.dumps(row)] * 3))
    open_paths(window.session, [str(path)])
    _settle(window, qtbot)
    box = window.docks["corpus"].panel.findChild(QComboBox, "corpus.ask.column")
    assert box is not None
    assert [box.itemText(at) for at in range(box.count())] == ["text", "by", "meta.year"]


# -- windows with a session of their own


def test_a_new_window_is_another_process(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[list[str]] = []

    class Process:
        def __init__(self, words: list[str], **_: object) -> None:
            started.append(words)

        def poll(self) -> int | None:
            return 0

    monkeypatch.setattr(subprocess, "Popen", Process)
    qtbot.keyClick(window, Qt.Key.Key_N, CTRL_SHIFT)
    qtbot.waitUntil(lambda: len(started) == 1)
    place = window.pos() + QPoint(32, 32)
    assert started[0][-2:] == ["workbench", f"--place={place.x()},{place.y()},2"]
    assert len(window.context.desk.windows) == 1


def test_a_window_opened_from_a_maximised_one_is_shifted_and_numbered(
    open_window: Callable[..., Window], context: PanelContext, qtbot: QtBot
) -> None:
    first = open_window()
    first.showMaximized()
    qtbot.waitUntil(first.isMaximized)
    first.layouts.save_last()
    other = Window(context, place=QPoint(32, 32))
    qtbot.addWidget(other)
    other.show()
    qtbot.waitExposed(other)
    assert not other.isMaximized()
    open_tiny(other)
    assert other.windowTitle().endswith("(2) — Embedding Workbench")
    # Another process opened the first two.
    context.desk.number = 3
    context.desk.changed.emit()
    assert first.windowTitle().endswith("(3) — Embedding Workbench")
    assert context.desk.next_number == 5


def test_a_new_window_that_cannot_start_is_reported(
    window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    window.session.message.connect(lambda text, _hint, _bad: told.append(text))

    def fail(*_: object, **__: object) -> subprocess.Popen[bytes]:
        raise OSError(11, "none left")

    monkeypatch.setattr(subprocess, "Popen", fail)
    window.commands.run("window.new")
    assert [text.partition(":")[0] for text in told] == ["Couldn’t open a new window"]


def test_sessions_of_two_windows_are_independent(window: Window, qtbot: QtBot) -> None:
    """A process beside this one has such a session on the same files."""
    other = Session()
    try:
        open_tiny(window)
        first = window.session.corpora.current
        other.corpora.open_sample("small-world")
        while other.corpora.opening is not None:
            other.pump()
        assert window.session.corpora.current is first
        assert other.corpora.current is not None
        assert other.corpora.current.name != "tiny"
        other.selection.select(["cat"])
        assert window.session.selection.focus is None
    finally:
        other.close()


# -- the screen


def test_a_saved_window_is_fitted_to_a_smaller_screen(
    open_window: Callable[..., Window], monkeypatch: pytest.MonkeyPatch
) -> None:
    window = open_window()
    window.resize(1900, 1000)
    window.move(700, 300)
    window.close()
    screen = QRect(0, 0, 960, 540)
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _: screen)
    monkeypatch.setattr(QScreen, "availableSize", lambda _: screen.size())
    again = open_window()
    assert screen.contains(again.frameGeometry())
    assert again.minimumSize().boundedTo(screen.size() - layouts.FRAME) == again.minimumSize()


def test_geometry_that_cannot_be_restored_leaves_the_window_on_the_screen(
    open_window: Callable[..., Window], monkeypatch: pytest.MonkeyPatch, context: PanelContext
) -> None:
    window = open_window()
    window.close()
    kept = context.session.settings[WINDOW_LAYOUT]
    geometry = QByteArray(b"damaged").toBase64().toStdString()
    context.session.settings[WINDOW_LAYOUT] = {**kept, "geometry": geometry}
    screen = QRect(0, 0, 960, 540)
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _: screen)
    monkeypatch.setattr(QScreen, "availableSize", lambda _: screen.size())
    again = open_window()
    assert screen.contains(again.frameGeometry())


def test_a_second_view_is_wholly_on_the_screen(
    open_window: Callable[..., Window], monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = QRect(0, 0, 1280, 720)
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _: screen)
    monkeypatch.setattr(QScreen, "availableSize", lambda _: screen.size())
    window = open_window(False, QSize(1264, 672))
    window.move(0, 0)
    other = window.open_view()
    assert screen.contains(other.frameGeometry())


# -- undocked panels


def test_an_undocked_panel_is_not_over_its_old_place(window: Window, qtbot: QtBot) -> None:
    window.raise_panel("lessons")
    dock = window.docks["lessons"]
    button = dock.findChild(QToolButton, "dock.lessons.float")
    assert button is not None
    for _ in range(2):
        qtbot.waitUntil(button.isVisible)
        before = QRect(dock.mapToGlobal(QPoint()), dock.size())
        qtbot.mouseClick(button, LEFT)
        assert dock.isFloating()
        assert dock.geometry().topLeft() != before.topLeft()
        assert button.isVisible()
        qtbot.mouseClick(button, LEFT)
        assert not dock.isFloating()


def test_an_undocked_panel_has_a_frame(window: Window, qtbot: QtBot) -> None:
    window.raise_panel("lessons")
    dock = window.docks["lessons"]
    dock.toggle_floating()
    qtbot.waitUntil(dock.isVisible)
    picture = dock.grab().toImage()
    edge = window.context.theme.palette.edge.lower()
    middle = picture.height() // 2
    assert picture.pixelColor(0, middle).name() == edge
    assert picture.pixelColor(picture.width() - 1, middle).name() == edge
    dock.toggle_floating()


def test_an_undocked_panel_comes_back_on_the_screen(
    open_window: Callable[..., Window], qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _: SCREEN)
    window = open_window()
    window.raise_panel("lessons")
    dock = window.docks["lessons"]
    dock.toggle_floating()
    dock.setGeometry(1800, 900, 400, 500)
    window.close()
    small = QRect(0, 0, 960, 540)
    monkeypatch.setattr(QScreen, "availableGeometry", lambda _: small)
    monkeypatch.setattr(QScreen, "availableSize", lambda _: small.size())
    again = open_window()
    again.activateWindow()
    dock = again.docks["lessons"]
    assert dock.isFloating()
    qtbot.waitUntil(lambda: small.contains(dock.geometry()))


SCREEN = QRect(0, 0, 1920, 1080)


@pytest.mark.parametrize(
    ("window", "place", "wanted"),
    [
        # Room on the right, on the left, and nowhere: then at the right edge, or moved.
        (QRect(0, 0, 1400, 900), QRect(0, 50, 300, 600), QPoint(1408, 50)),
        (QRect(500, 0, 1400, 900), QRect(600, 50, 300, 600), QPoint(192, 50)),
        (QRect(0, 0, 1900, 1000), QRect(0, 50, 300, 600), QPoint(1592, 50)),
        (QRect(0, 0, 1920, 1080), QRect(1620, 480, 300, 600), QPoint(1572, 432)),
        (QRect(0, 0, 1400, 1080), QRect(0, 700, 300, 380), QPoint(1408, 700)),
    ],
)
def test_places_of_undocked_panels(window: QRect, place: QRect, wanted: QPoint) -> None:
    found = place_beside(place, window, SCREEN)
    assert found == QRect(wanted, place.size())
    assert SCREEN.contains(found)


@pytest.mark.parametrize(
    "place",
    [
        # The only panel of its workspace, a column at the side, and a bar.
        QRect(0, 46, 1280, 674),
        QRect(8, 54, 1264, 658),
        QRect(1028, 46, 252, 600),
        QRect(0, 660, 1280, 60),
    ],
)
def test_an_undocked_panel_leaves_the_edges_of_its_place(place: QRect) -> None:
    """Also if the window fills the screen."""
    screen = QRect(0, 0, 1280, 720)
    new = place_beside(place, screen, screen)
    assert screen.contains(new)
    assert abs(new.left() - place.left()) >= 40
    assert abs(new.right() - place.right()) >= 40
    assert abs(new.top() - place.top()) >= 40
    assert abs(new.bottom() - place.bottom()) >= 40
    assert new.height() >= min(place.height(), 560)


def test_rectangles_within_a_screen() -> None:
    second = QRect(1920, 40, 1280, 680)
    assert within(QRect(0, 0, 5000, 5000), second) == second
    assert within(QRect(3000, 600, 400, 300), second) == QRect(2800, 420, 400, 300)
    inside = QRect(2000, 100, 400, 300)
    assert within(inside, second) == inside
