"""Handling of Ctrl-C, of a request to terminate, and of a closed terminal.

Imports no slow modules, so that it can be imported first.
"""

from __future__ import annotations

import atexit
import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from workbench.core.operating_system import system

# Signals that ask a process to end.
SIGNALS = tuple(getattr(signal, name) for name in system().exit_signals if hasattr(signal, name))

_listening = False


class Terminated(KeyboardInterrupt):
    """Ctrl-C, or another signal that asks the process to end."""

    def __init__(self, number: int = signal.SIGINT) -> None:
        super().__init__()
        self.number = number


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """Exit code by the convention of shells: 130 after Ctrl-C, 143 after a request to terminate."""
    return 128 + (interrupt.number if isinstance(interrupt, Terminated) else signal.SIGINT)


def exit_on_signal() -> None:
    """Let a signal end this process silently, because no work is half done: during imports, and
    at the end.

    Call it in the main thread. Signals that the parent process set to be ignored stay ignored.
    """
    global _listening
    if not _listening:
        _listening = True
        # What is registered first is called last.
        atexit.register(_ignore_signals)
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _exit_process)


@contextmanager
def raise_on_signal() -> Iterator[None]:
    """Raise ``Terminated`` in the main thread at a signal within the block, so that everything is
    cleaned up; only in a process whose signals the workbench handles.
    """
    if not _listening:
        yield
        return
    before = {number: signal.getsignal(number) for number in SIGNALS}
    for number, handler in before.items():
        if handler is _exit_process:
            signal.signal(number, _raise_terminated)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _ignore_signals() -> None:
    """Let the process end with its own exit code: all work is done, and Python, while it ends,
    replaces all handlers by the system's, which kill the process.
    """
    for number in SIGNALS:
        if signal.getsignal(number) is _exit_process:
            signal.signal(number, signal.SIG_IGN)


def _exit_process(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)


def _raise_terminated(number: int, frame: FrameType | None) -> None:
    raise Terminated(number)
