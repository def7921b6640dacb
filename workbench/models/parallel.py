"""Plain Python threads over shards: kernels release the GIL, Python owns everything else."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence

from workbench.core.run import Run

# How often the coordinator looks at threads that are computing, in seconds.
_LOOK = 0.03
_MOST_THREADS = 8


def usable_threads(threads: int) -> int:
    """``threads``, or for 0 the cores this process may use, at most 8."""
    if threads > 0:
        return threads
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, _MOST_THREADS)


def run_steps(run: Run, steps: Sequence[Callable[[], bool]], look: Callable[[], None]) -> None:
    """Call every step again and again until it returns False, each in a thread of its own.

    A step is one bounded piece of work (20 to 50 ms). ``look`` is called in the calling thread
    between pieces: it reports and takes snapshots, and may raise to end the work. One step alone
    runs in the calling thread, so that nothing depends on timing. Pause, stop and cancel take
    effect between pieces. Raises Cancelled, or what a step or ``look`` raised; no thread remains.
    """
    if len(steps) == 1:
        more = True
        while more:
            run.check()
            if run.stopping:
                return
            more = steps[0]()
            look()
        return

    halt = threading.Event()
    failures: list[BaseException] = []

    def body(step: Callable[[], bool]) -> None:
        try:
            while not halt.is_set() and run.gate() and step():
                pass
        except BaseException as error:
            failures.append(error)
            halt.set()

    threads = [threading.Thread(target=body, args=(step,), name=f"trainer {i}") for i, step in enumerate(steps)]
    for thread in threads:
        thread.start()
    try:
        while any(thread.is_alive() for thread in threads):
            for thread in threads:
                if thread.is_alive():
                    thread.join(_LOOK)
                    break
            run.check()
            look()
    finally:
        halt.set()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]
    look()
