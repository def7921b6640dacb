"""Number and priority of worker threads."""

from __future__ import annotations

import os
import sys
import threading

_MOST = 8
_QUESTION, _TRAINING = 10, 15


def usable_threads(threads: int = 0) -> int:
    """``threads``, or for 0 the cores this process may use, at most 8."""
    if threads > 0:
        return threads
    cores = (
        len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    )
    return min(cores, _MOST)


def step_back(*, training: bool = False) -> None:
    """Let this thread, and those it starts, run after others: a window beside it stays smooth.
    Training, which isn’t urgent, runs after requests of the user.

    On Linux every thread has a niceness of its own, which its children inherit. Elsewhere nothing
    is changed.
    """
    if sys.platform == "linux":
        os.setpriority(
            os.PRIO_PROCESS, threading.get_native_id(), _TRAINING if training else _QUESTION
        )


def run_after(niceness: int) -> None:
    """Give this whole process at least this niceness, whatever it has inherited from the thread
    that started it.
    """
    if hasattr(os, "nice"):
        os.nice(max(niceness - os.nice(0), 0))
