"""Cyclic garbage is collected by the window's thread only, in small pieces; what is freed goes back
to the system.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator

from PySide6.QtCore import QTimer

from workbench.core.memory import return_free_memory

_INTERVAL_MS = 100
# Containers made since the last collection that make another worth its while: about a millisecond.
_YOUNG = 2000
# Collections of one generation before the next older one is looked at, too.
_MIDDLE, _OLD = 10, 10
# While something is computed the oldest generation waits, but not for ever.
_OLD_AT_LAST = 200
# Steps without anything being computed until memory is given back: whoever works on at once needs
# it again.
_REST = 20


class Collector:
    """Collects the young often, the old seldom, and the oldest when ``busy()`` is false. Some steps
    after it was true, free memory goes back to the system.
    """

    def __init__(self, busy: Callable[[], bool]) -> None:
        self._busy = busy
        self._young = self._middle = self._rest = 0

    def step(self) -> None:
        """Look at what has gathered."""
        if self._busy():
            self._rest = _REST
        elif self._rest:
            self._rest -= 1
            if not self._rest:
                return_free_memory()
        if gc.get_count()[0] < _YOUNG:
            return
        self._young += 1
        if self._young < _MIDDLE:
            gc.collect(0)
            return
        self._young = 0
        self._middle += 1
        if self._middle < (_OLD_AT_LAST if self._busy() else _OLD):
            gc.collect(1)
            return
        self._middle = 0
        gc.collect()


@contextlib.contextmanager
def collected_here(busy: Callable[[], bool]) -> Iterator[None]:
    """Take automatic collection out of every thread and do it here, in the thread of the window.

    The collector may run in any thread, wherever it happens to allocate: in a worker's it would
    destroy Qt objects outside their thread, and in the window's a collection of the oldest
    generation stops the frames for a tenth of a second. Objects that exist on entry are treated as
    permanent until the end.
    """
    enabled = gc.isenabled()
    gc.disable()
    # Without collecting before: that would take a twentieth of the start, for next to nothing.
    gc.freeze()
    collector = Collector(busy)
    timer = QTimer()
    timer.setInterval(_INTERVAL_MS)
    timer.timeout.connect(collector.step)
    timer.start()
    try:
        yield
    finally:
        timer.stop()
        gc.unfreeze()
        if enabled:
            gc.enable()
