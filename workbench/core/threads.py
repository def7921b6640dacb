"""How many threads to use."""

from __future__ import annotations

import os

_MOST = 8


def usable_threads(threads: int = 0) -> int:
    """``threads``, or for 0 the cores this process may use, at most 8."""
    if threads > 0:
        return threads
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, _MOST)
