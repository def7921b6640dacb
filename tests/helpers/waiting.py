"""Waits in tests, which end when nothing can fulfil their condition any more.

A wait continues while any work is under way, however busy the machine is: while a thread of this
process, or a child process, uses a processor, waits for one, waits for a disk, or waits until
another process unlocks a file, for example after compiling the same kernels. If only the event loop
of the window has run for some seconds, the condition won’t be fulfilled: a signal isn’t connected,
or the condition is wrong.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import psutil

from workbench.core.operating_system import Linux, OperatingSystem

# Turns of at least 10 ms between two checks, and consecutive checks without any work.
TURNS, LOOKS = 10, 40
# Processor seconds between two checks that count as work, not just polling.
_WORK = 0.02
_TASKS = Path("/proc/self/task")
_LOCKS = Path("/proc/locks")


def keep_priorities() -> None:
    """Keep all threads of this process at its own priority. Tests wait for them, and threads of low
    priority take ten times as long while other programs use all processors.
    """
    Linux.set_thread_niceness = OperatingSystem.set_thread_niceness  # type: ignore[method-assign]


def children(*, recursive: bool = False) -> list[psutil.Process]:
    """Child processes of this process. Asks the system first, because psutil goes through all
    processes.
    """
    if hasattr(os, "waitid"):
        try:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        except ChildProcessError:
            return []
    return psutil.Process().children(recursive=recursive)


class Calm:
    """Detects when nothing has been under way for long; call ``turned()`` at every turn of a wait.

    turns : between two checks; more if a turn takes less than 10 ms
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
        """Whether other threads or child processes have worked since the last check, or are waiting
        to.
        """
        usage: dict[tuple[int, int], float] = {}
        waiting: set[int] = set()
        mine = psutil.Process()
        this = threading.get_native_id()
        for thread in mine.threads():
            if thread.id != this:
                usage[mine.pid, thread.id] = thread.user_time + thread.system_time
                if _is_waiting(thread.id):
                    waiting.add(thread.id)
        for child in children(recursive=True):
            try:
                times = child.cpu_times()
                usage[child.pid, 0] = times.user + times.system
                if child.status() in (psutil.STATUS_RUNNING, psutil.STATUS_DISK_SLEEP):
                    waiting.add(child.pid)
            except psutil.Error:
                # The child has just ended, which may be what the test waits for.
                return True
        before, self._spent = self._spent, usage
        waiting |= {process for process, _ in usage} & _waiting_for_locks()
        # A thread that polls now and then may be seen running once, but not twice in a row.
        still_waiting, self._waiting = waiting & self._waiting, waiting
        more = sum(max(seconds - before.get(key, 0.0), 0.0) for key, seconds in usage.items())
        return bool(still_waiting) or more >= _WORK or not before.keys() <= usage.keys()


def _is_waiting(thread: int) -> bool:
    """Whether a thread of this process is running, or waiting for a processor or a disk; False if
    that can’t be read.
    """
    try:
        # The thread’s name, up to the bracket, may be cut off within a character.
        status = (_TASKS / str(thread) / "stat").read_text("utf-8", "replace")
        state = status.rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state in ("R", "D")


def _waiting_for_locks() -> set[int]:
    """Numbers of all processes that wait until a file is unlocked; none if that can’t be read."""
    try:
        lines = _LOCKS.read_text("ascii").splitlines()
    except OSError:
        return set()
    # 1: -> FLOCK ADVISORY WRITE <process> <file> …
    fields = [line.split() for line in lines]
    return {int(one[5]) for one in fields if one[1] == "->"}


def wait_until(turn: Callable[[], object], condition: Callable[[], bool], seconds: float) -> None:
    """Call ``turn`` until ``condition``. Raises TimeoutError if nothing works towards it any more,
    or after ``seconds``, counting a hundredth of a second per turn.
    """
    calm = Calm()
    turns = 0
    while not condition():
        if calm.turned():
            raise TimeoutError(
                "Nothing is under way any more that could bring about what is waited for."
            )
        if turns > 100 * seconds:
            raise TimeoutError(f"Not reached in more than {seconds:.0f} seconds.")
        turns += 1
        turn()
