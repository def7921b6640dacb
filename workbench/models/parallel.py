"""Plain Python threads over parts of the work: kernels release the GIL, Python does everything
else.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from workbench.core.job_control import JobControl

# Seconds between checks of the calling thread for pause and cancel.
_WAIT = 0.03


def run_steps(
    run: JobControl, steps: Sequence[Callable[[], bool]], look: Callable[[], None]
) -> None:
    """Call every step repeatedly until it returns False, each in a thread of its own.

    A step is one bounded piece of work (20 to 50 ms). ``look`` is called after every piece, in the
    same thread, but never in two threads at once: it reports and takes snapshots, and may raise to
    end the work. While one thread calls it, others continue with their next piece; it is called
    once more after all pieces. A single step runs in the calling thread, so that nothing depends on
    timing. Pause, stop and cancel take effect between pieces. Raises Cancelled, or the error of a
    step or ``look``; no thread remains.
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
    looking = threading.Lock()
    failures: list[BaseException] = []

    def body(step: Callable[[], bool]) -> None:
        try:
            more = True
            while more and not halt.is_set() and run.gate():
                more = step()
                # ``look`` may copy all weights, and other threads shouldn’t wait for that.
                if looking.acquire(blocking=False):
                    try:
                        look()
                    finally:
                        looking.release()
        except BaseException as error:
            failures.append(error)
            halt.set()

    threads = [
        threading.Thread(target=body, args=(step,), name=f"trainer {i}")
        for i, step in enumerate(steps)
    ]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            while thread.is_alive():
                thread.join(_WAIT)
                run.check()
        # On an early cancel, all threads may have ended before the first check.
        run.check()
    finally:
        halt.set()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]
    look()
