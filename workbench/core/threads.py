"""Number and priority of worker threads."""

from __future__ import annotations

from workbench.core.operating_system import system

_MOST = 8
_QUESTION, _TRAINING = 10, 15


def usable_threads(threads: int = 0) -> int:
    """``threads``, or for 0 the cores this process may use, at most 8."""
    if threads > 0:
        return threads
    return min(system().usable_cores(), _MOST)


def step_back(*, training: bool = False) -> None:
    """Let this thread run after others: a window beside it stays smooth. Training, which isn’t
    urgent, runs after requests of the user.

    On Linux, the threads that it starts inherit the niceness.
    """
    system().set_thread_niceness(_TRAINING if training else _QUESTION)


def run_after(niceness: int) -> None:
    """Raise the niceness of the whole process to at least this value, whatever it inherited."""
    system().raise_niceness(niceness)
