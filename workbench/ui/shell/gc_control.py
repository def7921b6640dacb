"""Collection of cyclic garbage in small steps, only in the window's thread; returns free memory to
the system.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Callable, Iterator

from PySide6.QtCore import QTimer

from workbench.core.machine.memory import return_free_memory

_INTERVAL_MS = 100
# Number of containers created since the last collection that make another one worthwhile: about a
# millisecond.
_YOUNG = 2000
# Number of collections of a generation before the next older one is collected, too.
_MIDDLE, _OLD = 10, 10
# While something is computed, number of collections of the middle generation before the oldest is
# collected anyway.
_OLD_AT_LAST = 200
# Idle steps before memory is returned: if work continues at once, the memory is needed again.
_REST = 20


class Collector:
    """Collects the young generation often, the old one seldom, and the oldest while ``busy()`` is
    false. Some steps after it was true, free memory is returned to the system.
    """

    def __init__(self, busy: Callable[[], bool]) -> None:
        self._busy = busy
        self._young = self._middle = self._rest = 0

    def step(self) -> None:
        """Collect the generations that are due."""
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
    """Disable automatic collection in all threads and collect here, in the window's thread.

    Automatic collection may start in any thread that allocates: in a worker's thread it would
    destroy Qt objects outside their thread, and in the window's thread a collection of the oldest
    generation blocks frames for a tenth of a second. Objects that exist on entry are treated as
    permanent until the block ends.
    """
    enabled = gc.isenabled()
    gc.disable()
    # Without a collection before: it would take a twentieth of the start-up time and free almost
    # nothing.
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
