"""The room for the picture of each panel, and a header and tabs that aren't cut."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QKeySequence, QTextDocumentFragment
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot
from surroundings import python_path

from workbench.models.base import MODELS, preset_params
from workbench.session.corpus.counts_params import adapt_values
from workbench.session.training.request import TrainingSpec
from workbench.ui.base.panel import PanelContext
from workbench.ui.shell.screenshot import widget_boxes
from workbench.ui.shell.window import Window
from workbench.ui.shell.workspaces import WORKSPACES

PICTURES = ("map", "time", "relations", "loss", "matrix", "theory", "evaluate", "compare")


@pytest.fixture
def stage(context: PanelContext, qtbot: QtBot, starting_positions: None) -> Iterator[Window]:
    """A window with Small World and a model trained on it for one epoch."""
    session = context.session
    window = Window(context, remembering=False)
    window.resize(1440, 900)
    window.show()
    session.corpora.open_sample("small-world")
    qtbot.waitUntil(lambda: session.corpora.current is not None)
    kind = MODELS["sgns"]
    values = {**preset_params(kind, "classroom").to_dict(), "epochs": 1}
    spec = TrainingSpec("sgns", adapt_values(session.corpora.current, kind, values))
    run = session.training.start(spec)
    # Until it is over, a training takes a line of the window.
    qtbot.waitUntil(lambda: run.state.over and session.training.current is None)
    yield window
    window.close()


def wait_idle(window: Window, qtbot: QtBot) -> None:
    """Wait until nothing is being computed in several checks: a result may start another job."""
    calm = 0

    def is_calm() -> bool:
        nonlocal calm
        jobs = window.session.jobs.active
        busy = not window.idle or any(not job.quiet for job in jobs)
        calm = 0 if busy else calm + 1
        return calm > 3

    qtbot.waitUntil(is_calm)


def boxes(window: Window) -> dict[str, dict[str, int]]:
    found = widget_boxes(window)["widgets"]
    assert isinstance(found, dict)
    return found


def share(window: Window, key: str, qtbot: QtBot) -> float:
    window.raise_panel(key)
    wait_idle(window, qtbot)
    # While kernels are compiled, their progress takes a line of the window.
    qtbot.waitUntil(lambda: not window.statusBar().isVisible())
    wait_idle(window, qtbot)
    box = boxes(window)[f"{key}.view"]
    return box["width"] * box["height"] / (window.width() * window.height())


def test_the_picture_gets_the_window(stage: Window, qtbot: QtBot) -> None:
    for width, height, text, least in (
        (1440, 900, 100, 0.55),
        (1280, 720, 100, 0.45),
        (1280, 720, 150, 0.45),
    ):
        stage.resize(width, height)
        stage.context.theme.choose_text_size(text)
        stage.layouts.size_docks()
        shares = {key: share(stage, key, qtbot) for key in PICTURES}
        assert {key: part for key, part in shares.items() if part < least} == {}
        assert (stage.width(), stage.height()) == (width, height)


# -- notices


def settled_boxes(window: Window, qtbot: QtBot) -> dict[str, dict[str, int]]:
    wait_idle(window, qtbot)
    qtbot.wait(1)
    names = ("activity.message", "activity.text", "toast")
    return {name: box for name, box in boxes(window).items() if not name.startswith(names)}


def test_no_notice_moves_anything(window: Window, qtbot: QtBot) -> None:
    """No notice moves a panel, not even one of several lines with a button."""
    hint = "Choose another folder, or make room on the disk. " * 3
    notices: list[Callable[[], object]] = [
        lambda: window.session.message.emit("Saved map.svg.", "", False),
        lambda: window.session.message.emit("It couldn’t be saved.", hint, True),
        lambda: window.context.bridge.offer("A run was deleted.", "Undo", lambda: None),
        lambda: window.notify("SGNS is trained", "It took 3 s.", "map"),
    ]
    for workspace in WORKSPACES:
        window.layouts.show_workspace(workspace.key)
        before = settled_boxes(window, qtbot)
        for show in notices:
            show()
            assert window.activity.message.isVisible()
            after = settled_boxes(window, qtbot)
            assert {name: box for name, box in after.items() if before.get(name) != box} == {}
            message = window.activity.message.geometry()
            assert window.rect().contains(message)
            assert message.bottom() < window.statusBar().geometry().top()
        window.activity.message.hide()
        for toast in list(window.toasts.shown):
            toast.leave()


def test_no_notice_covers_the_lists_beside_the_picture(window: Window, qtbot: QtBot) -> None:
    window.resize(1280, 720)
    window.layouts.show_workspace("explore")
    wait_idle(window, qtbot)
    for number in range(4):
        window.notify(f"SGNS {number} has finished training", "It took 59 s. Loss: 1.616.", "map")
    beside = window.docks["neighbours"].geometry()
    cards = [toast.geometry() for toast in window.toasts.shown]
    assert len(cards) == 3
    assert not [card for card in cards if card.intersects(beside)]
    # Three messages together are lower than a quarter of the window.
    assert max(card.bottom() for card in cards) - min(card.top() for card in cards) < 180
    # Without the column, they are at the edge of the window.
    window.layouts.show_workspace("evaluate")
    wait_idle(window, qtbot)
    qtbot.waitUntil(lambda: window.toasts.shown[-1].geometry().right() > beside.left())


def test_what_was_done_is_said_for_a_while_and_an_error_until_it_is_read(
    window: Window, qtbot: QtBot
) -> None:
    message = window.activity.message
    with qtbot.waitActive(window):
        window.activateWindow()
    message.leaving.setInterval(1)
    window.session.message.emit("It couldn’t be saved.", "Choose another folder.", True)
    qtbot.wait(20)
    assert message.isVisible()
    window.session.message.emit("Saved map.svg.", "", False)
    qtbot.waitUntil(message.isHidden)


def test_a_long_name_in_a_message_is_not_cut(window: Window) -> None:
    message = window.activity.message
    name = "small-world-4d048d5bd9d279f0a1b2c3d4e5f60718"
    text = f"Couldn’t write /home/me/{name}.part: No space left on device."
    message.show_message(text, "Free some space. Häufigkeitsverteilungen <b>bleiben</b>.", True)
    label = message.findChild(QLabel, "activity.message")
    assert label is not None
    plain = QTextDocumentFragment.fromHtml(label.text()).toPlainText()
    assert plain.replace("\u200b", "") == message.text
    assert "Häufigkeitsverteilungen <b>bleiben</b>" in plain
    words = [word for part in plain.split() for word in re.split("[/\u200b]", part)]
    widest = max(label.fontMetrics().horizontalAdvance(word) for word in words)
    assert widest <= 200
    label.setSelection(0, len(plain))
    label.setFocus()
    QTest.keySequence(label, QKeySequence.StandardKey.Copy)
    assert QGuiApplication.clipboard().text() == message.text


# -- the header and the tabs


@pytest.mark.parametrize("language", ["en", "de"])
def test_nothing_of_the_header_or_of_a_row_of_tabs_is_cut(home: Path, language: str) -> None:
    tests = Path(__file__).parents[1]
    process = subprocess.run(
        [sys.executable, "-W", "ignore", str(tests / "ui" / "header_widths.py")],
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
        env={
            **os.environ,
            "WORKBENCH_LANGUAGE": language,
            "NUMBA_DISABLE_JIT": "1",
            "PYTHONPATH": python_path(tests),
        },
    )
    assert process.returncode == 0, process.stderr[-3000:]
    assert json.loads(process.stdout) == {}
