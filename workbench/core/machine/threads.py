"""Number and priority of worker threads, and those of BLAS."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from typing import Any

from workbench.core.operating_system import system

_MOST = 8
_QUESTION, _TRAINING = 10, 15


def usable_threads(threads: int = 0) -> int:
    """``threads``, or for 0 the number of cores that this process may use, at most 8."""
    if threads > 0:
        return threads
    return min(system().usable_cores(), _MOST)


def share_rows(size: int, work: Callable[[int, int], None], rows: int) -> None:
    """Call ``work`` for ranges of so many of ``size`` rows in the usable threads, which release the
    GIL. Raises what it raises.
    """
    starts = iter(range(0, size, rows))
    lock = threading.Lock()
    problems: list[BaseException] = []

    def serve() -> None:
        try:
            while not problems:
                with lock:
                    first = next(starts, None)
                if first is None:
                    return
                work(first, min(first + rows, size))
        except BaseException as error:
            problems.append(error)

    threads = [
        threading.Thread(target=serve) for _ in range(min(usable_threads(), -(-size // rows)) - 1)
    ]
    for thread in threads:
        thread.start()
    serve()
    for thread in threads:
        thread.join()
    if problems:
        raise problems[0]


def step_back(*, training: bool = False) -> None:
    """Lower the priority of this thread, so that the window stays responsive; even lower for
    training, which runs after requests of the user.

    On Linux, threads that it starts inherit the niceness.
    """
    system().set_thread_niceness(_TRAINING if training else _QUESTION)


def run_after(niceness: int) -> None:
    """Raise the niceness of the whole process to at least this value, whatever it inherited."""
    system().raise_niceness(niceness)


class _BlasAlone:
    """Context in which BLAS computes each product in the calling thread.

    For trainers, which have threads of their own, for small products, and during a training: the
    threads of OpenBLAS wait for each other in a busy loop that takes processors from other threads.
    The setting applies to the whole process, so the last thread to leave restores it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._limits: list[Any] = []
        self._modules = 0
        self._libraries: Any = None

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            libraries = self._search()
            if any(library["num_threads"] > 1 for library in libraries.info()):
                self._limits.append(libraries.limit(limits=1))

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            while self._inside == 0 and self._limits:
                self._limits.pop().restore_original_limits()

    def _search(self) -> Any:
        """All libraries of BLAS. Takes milliseconds, so only after an import: SciPy’s own BLAS may
        be loaded later than NumPy’s.
        """
        if self._modules != len(sys.modules):
            from threadpoolctl import ThreadpoolController

            # What another thread imports meanwhile is searched for the next time.
            modules = len(sys.modules)
            self._libraries = ThreadpoolController().select(user_api="blas")
            self._modules = modules
        return self._libraries


BLAS_ALONE = _BlasAlone()
