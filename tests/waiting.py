"""Waits of tests, which end when nothing can fulfil their condition any more.

A wait continues while anything works, however busy the machine is: a thread of this process, or a
child process, that uses a processor, waits for one, or waits for a disk. If only the event loop of
the window has run for some seconds, the condition won’t be fulfilled: a signal isn’t connected, or
the condition is wrong.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import psutil

from workbench.core.operating_system import Linux, OperatingSystem

# Turns between two checks, of at least 10 ms each, and checks without any work.
TURNS, LOOKS = 10, 40
# Processor seconds between two checks that count as work, and not only as a thread that polls.
_WORK = 0.02
_TASKS = Path("/proc/self/task")


def keep_priorities() -> None:
    """Let threads of this process run at its own priority: tests wait for them, and while others
    use all processors, threads of low priority take ten times as long.
    """
    Linux.set_thread_niceness = OperatingSystem.set_thread_niceness  # type: ignore[method-assign]


def children(*, recursive: bool = False) -> list[psutil.Process]:
    """This process's children. psutil goes through every process there is, so the system is asked
    first.
    """
    if hasattr(os, "waitid"):
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return []
    return psutil.Process().children(recursive=recursive)


class Calm:
    """``turned()`` at every turn of a wait says whether nothing has been under way for long.

    turns : between two looks; more where a turn takes less than 10 ms
    """

    def __init__(self, turns: int = TURNS) -> None:
        self._every = turns
        self._turns = 0
        self._looks = 0
        self._spent: dict[tuple[int, int], float] = {}
        self._waiting: set[int] = set()

    def turned(self) -> bool:
        self._turns += 1
        if self._turns % self._every == 0:
            self._looks = 0 if self._work() else self._looks + 1
        return self._looks >= LOOKS

    def _work(self) -> bool:
        """Whether others than this thread have worked since the last look, or would if they
        could.
        """
        spent: dict[tuple[int, int], float] = {}
        waiting: set[int] = set()
        mine = psutil.Process()
        this = threading.get_native_id()
        for thread in mine.threads():
            if thread.id != this:
                spent[mine.pid, thread.id] = thread.user_time + thread.system_time
                if _is_waiting(thread.id):
                    waiting.add(thread.id)
        for child in children(recursive=True):
            try:
                times = child.cpu_times()
                spent[child.pid, 0] = times.user + times.system
                if child.status() in (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP):
                    waiting.add(child.pid)
            except psutil.Error:
                # It has just ended, which is what may have been waited for.
                return True
        before, self._spent = self._spent, spent
        # One that looks at something now and then is seen running once, and not twice in a row.
        stayed, self._waiting = waiting & self._waiting, waiting
        more = sum(max(seconds - before.get(key, 0.0), 0.0) for key, seconds in spent.items())
        return bool(stayed) or more >= _WORK or not before.keys() <= spent.keys()


def _is_waiting(thread: int) -> bool:
    """Whether a thread of this process runs, waits for a processor, or for a disk; False where
    nobody can tell.
    """
    try:
        # The name of a thread, up to the bracket, may be cut within a letter.
        status = (_TASKS / str(thread) / "stat").read_text("utf-8", "replace")
        state = status.rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state in ("R", "D")


def wait_until(turn: Callable[[], object], reached: Callable[[], bool], seconds: float) -> None:
    """Turn the event loop until ``reached``. Raises TimeoutError where nothing works for it, or
    after ``seconds``, of which each turn takes at least a hundredth.
    """
    calm = Calm()
    turns = 0
    while not reached():
        if calm.turned():
            raise TimeoutError(
                "Nothing is under way any more that could bring about what is waited for."
            )
        if turns > 100 * seconds:
            raise TimeoutError(f"Not reached in more than {seconds:.0f} seconds.")
        turns += 1
        turn()
