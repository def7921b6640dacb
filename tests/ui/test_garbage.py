"""Garbage is collected in the window's thread, and only there."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from workbench.ui.shell import gc_control
from workbench.ui.shell.gc_control import Collector, collected_here


@pytest.fixture(autouse=True)
def automatic() -> None:
    gc.enable()


class _Knot(QObject):
    """Part of a reference cycle, like a lambda that holds its own widget."""

    def __init__(self, ends: list[str]) -> None:
        super().__init__()
        self.itself = self
        weakref.finalize(self, lambda: ends.append(threading.current_thread().name))


def test_what_a_worker_leaves_behind_ends_in_the_thread_of_the_window(qtbot: QtBot) -> None:
    ends: list[str] = []

    def work() -> None:
        # Enough objects to start automatic collection in this thread.
        objects = [[index] for index in range(200_000)]
        del objects

    with collected_here(lambda: False):
        _Knot(ends)
        worker = threading.Thread(target=work, name="worker")
        worker.start()
        worker.join()
        assert ends == []
        litter: list[list[int]] = []

        def is_collected() -> bool:
            litter.extend([0] for _ in range(3000))
            return bool(ends)

        qtbot.waitUntil(is_collected)
    assert ends == [threading.main_thread().name]


@pytest.mark.parametrize("busy", [True, False])
def test_the_oldest_generation_waits_while_something_is_computed(busy: bool) -> None:
    ends: list[str] = []
    gc.disable()
    try:
        gc.collect()
        # Otherwise, the collector would go through the imports of all tests dozens of times.
        gc.freeze()
        knot = _Knot(ends)
        gc.collect(1)  # from here on the knot is in the oldest generation
        del knot
        collector = Collector(lambda: busy)
        litter: list[list[int]] = []
        for _ in range(150):
            litter.extend([0] for _ in range(3000))
            collector.step()
        assert len(ends) == (0 if busy else 1)
        for _ in range(2000):
            litter.extend([0] for _ in range(2100))
            collector.step()
            litter.clear()
        assert len(ends) == 1
    finally:
        gc.unfreeze()
        gc.enable()


def test_the_end_puts_everything_back() -> None:
    with collected_here(lambda: False):
        assert not gc.isenabled()
        assert gc.get_freeze_count() > 0
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0


def test_memory_is_given_back_some_time_after_something_was_computed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    returns: list[int] = []
    monkeypatch.setattr(gc_control, "return_free_memory", lambda: returns.append(step))
    monkeypatch.setattr(gc_control, "_REST", 3)
    # Something is computed in steps 4 and 5, and again in 7 and 20.
    collector = Collector(lambda: step in (4, 5, 7, 20))
    for step in range(30):  # noqa: B007 – the closures look at it
        collector.step()
    assert returns == [10, 23]
