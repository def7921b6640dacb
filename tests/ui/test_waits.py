"""A wait without anything going on ends soon; a wait for work in progress does not."""

from __future__ import annotations

import subprocess
import sys
import threading
from pathlib import Path

import pytest
import waiting
from PySide6.QtCore import QObject, QTimer, Signal
from pytestqt.exceptions import TimeoutError as QtTimeoutError
from pytestqt.qtbot import QtBot
from session.fakes import wait_until

from workbench.core.locks import exclusive_lock


class Teller(QObject):
    message = Signal()


class Idle:
    def pump(self) -> None:
        pass


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting, "LOOKS", 3)


def test_what_nothing_brings_about_is_not_waited_for(qtbot: QtBot) -> None:
    with pytest.raises(QtTimeoutError, match="Nothing is under way"):
        qtbot.waitUntil(lambda: False)
    teller = Teller()
    with pytest.raises(QtTimeoutError, match="not emitted"), qtbot.waitSignal(teller.message):
        pass
    with pytest.raises(AssertionError, match="nothing is under way"):
        wait_until(Idle(), lambda: False)


def test_what_the_window_does_by_itself_is_waited_for(qtbot: QtBot) -> None:
    teller, signals = Teller(), []
    teller.message.connect(lambda: signals.append(1))
    QTimer.singleShot(50, teller.message)
    with qtbot.waitSignal(teller.message):
        pass
    qtbot.waitUntil(lambda: signals == [1])


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="Elsewhere nobody can see what a thread waits for."
)
def test_work_of_a_thread_is_waited_for_however_long_it_takes(qtbot: QtBot) -> None:
    """The wait lasts some three times as long as it would without a working thread."""
    finished, looks = threading.Event(), 0

    def toil() -> None:
        while not finished.is_set():
            sum(range(1000))

    def is_reached() -> bool:
        nonlocal looks
        looks += 1
        return looks > 30 * waiting.TURNS // 3

    thread = threading.Thread(target=toil)
    thread.start()
    try:
        qtbot.waitUntil(is_reached)
    finally:
        finished.set()
        thread.join()


@pytest.mark.skipif(
    not sys.platform.startswith("linux"),
    reason="Elsewhere nobody can see what a process waits for.",
)
def test_work_of_another_process_is_waited_for(qtbot: QtBot) -> None:
    child = subprocess.Popen([sys.executable, "-c", "while True: pass"])
    looks = 0

    def is_reached() -> bool:
        nonlocal looks
        looks += 1
        return looks > 30 * waiting.TURNS // 3

    try:
        qtbot.waitUntil(is_reached)
    finally:
        child.kill()
        child.wait()


@pytest.mark.skipif(
    not sys.platform.startswith("linux"), reason="Elsewhere nobody can see what a thread waits for."
)
def test_a_file_that_is_locked_elsewhere_is_waited_for(qtbot: QtBot, tmp_path: Path) -> None:
    """The process that compiles what a training needs locks such a file."""
    path, looks = tmp_path / "compiling.lock", 0

    def wait() -> None:
        with exclusive_lock(path):
            pass

    def is_reached() -> bool:
        nonlocal looks
        looks += 1
        return looks > 30 * waiting.TURNS // 3

    thread = threading.Thread(target=wait)
    with exclusive_lock(path):
        thread.start()
        qtbot.waitUntil(is_reached)
    thread.join()
