"""Ctrl-C, a request to terminate, and a terminal that is closed: what a process of the workbench
does then.

Imports nothing that takes long, so that it can come first.
"""

from __future__ import annotations

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
    """Ctrl-C, or another signal by which the process is asked to end."""

    def __init__(self, number: int = signal.SIGINT) -> None:
        super().__init__()
        self.number = number


def exit_code(interrupt: KeyboardInterrupt) -> int:
    """Exit code by the convention of shells: 130 after Ctrl-C, 143 after a request to terminate."""
    return 128 + (interrupt.number if isinstance(interrupt, Terminated) else signal.SIGINT)


def exit_on_signal() -> None:
    """Let a signal end this process silently, because nothing is half done: while it imports,
    and as it ends.

    Belongs to the main thread. Signals that whoever started it had it ignore stay ignored.
    """
    global _listening
    _listening = True
    for number in SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _exit_process)


@contextmanager
def raise_on_signal() -> Iterator[None]:
    """Within the block a signal raises ``Terminated`` in the main thread, so that everything is
    cleaned up; only in a process whose signals are the workbench's.
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


def _exit_process(number: int, frame: FrameType | None) -> None:
    os._exit(128 + number)


def _raise_terminated(number: int, frame: FrameType | None) -> None:
    raise Terminated(number)
