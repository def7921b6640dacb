"""Plain Python threads over parts of the work: kernels release the GIL, Python owns everything
else.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence

from workbench.core.job_control import JobControl

# How often the calling thread looks whether it is to pause or to cancel, in seconds.
_WAIT = 0.03


def run_steps(
    run: JobControl, steps: Sequence[Callable[[], bool]], look: Callable[[], None]
) -> None:
    """Call every step again and again until it returns False, each in a thread of its own.

    A step is one bounded piece of work (20 to 50 ms). ``look`` is called after every piece, in the
    thread that made it but never in two at once: it reports and takes snapshots, and may raise to
    end the work. A thread that finds another one looking continues with its next piece; a last look
    comes after all. One step alone runs in the calling thread, so that nothing depends on timing.
    Pause, stop and cancel take effect between pieces. Raises Cancelled, or what a step or ``look``
    raised; no thread remains.
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
                # Looking may mean to copy all weights, which nobody is to wait for.
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
        # Cancelled early enough, the threads may all have ended before anybody looked.
        run.check()
    finally:
        halt.set()
        for thread in threads:
            thread.join()
    if failures:
        raise failures[0]
    look()
