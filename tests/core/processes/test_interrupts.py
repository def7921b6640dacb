"""Signals that ask a process to end."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator

import pytest

from workbench.core.processes import interrupts

pytestmark = pytest.mark.skipif(os.name != "posix", reason="Windows sends other signals")

ALL = (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))


@pytest.fixture
def handlers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Restore signal handlers after a test, in a process that doesn’t listen for signals yet."""
    before = {number: signal.getsignal(number) for number in ALL}
    monkeypatch.setattr(interrupts, "_listening", False)
    # Tests under nohup or in the background of a shell ignore some signals.
    for number in ALL:
        signal.signal(number, signal.SIG_DFL)
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
@pytest.mark.parametrize("number", ALL)
def test_signals_end_work_by_an_exception_that_cleans_up(number: signal.Signals) -> None:
    interrupts.exit_on_signal()
    outside = signal.getsignal(number)
    with pytest.raises(KeyboardInterrupt) as interrupt, interrupts.raise_on_signal():
        os.kill(os.getpid(), number)
        # Python checks for signals between bytecode instructions.
        for _ in range(1000):
            pass
    assert interrupts.exit_code(interrupt.value) == 128 + number
    # Outside the block, no work is left half done.
    assert signal.getsignal(number) is outside
    assert callable(outside)


@pytest.mark.usefixtures("handlers")
def test_signals_that_the_parent_ignores_stay_ignored() -> None:
    """Signals that the parent process ignores stay ignored, as with nohup and background jobs."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    interrupts.exit_on_signal()
    with interrupts.raise_on_signal():
        os.kill(os.getpid(), signal.SIGHUP)
        assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGHUP) is signal.SIG_IGN


@pytest.mark.usefixtures("handlers")
def test_handlers_of_another_program_stay() -> None:
    before = [signal.getsignal(number) for number in ALL]
    with interrupts.raise_on_signal():
        assert [signal.getsignal(number) for number in ALL] == before


def test_keyboard_interrupt_ends_with_130() -> None:
    assert interrupts.exit_code(KeyboardInterrupt()) == 130
