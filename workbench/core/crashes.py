"""Crashes that Python cannot catch: the stacks of all threads, reported at the next start.

A library that accesses invalid memory ends the process at once. ``record_crashes`` makes Python's
faulthandler write the stacks of all threads into a file of this process; a process that ends
normally removes the file, so a non-empty one that is found later comes from a crash.
"""

from __future__ import annotations

import faulthandler
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from workbench.core.locks import Lock, is_held
from workbench.core.operating_system import system
from workbench.core.paths import log_folder

# Number of reports of earlier crashes that are kept.
KEPT = 5
# A report is some kilobytes; a larger file isn’t a report.
_LONGEST = 256 << 10


@contextmanager
def record_crashes() -> Iterator[None]:
    """Context in which a crash leaves ``crash-<process>.txt`` in the log folder."""
    path = log_folder() / f"crash-{os.getpid()}.txt"
    lock = Lock.take(path.with_suffix(".lock"))
    before = faulthandler.is_enabled()
    try:
        file = path.open("w", encoding="utf-8")
    except OSError:
        # Nothing can be saved; the window reports that itself.
        yield
        return
    faulthandler.enable(file)
    try:
        yield
    finally:
        faulthandler.disable()
        if before:
            with suppress(RuntimeError, ValueError, OSError):
                faulthandler.enable()
        file.close()
        path.unlink(missing_ok=True)
        if lock is not None:
            lock.release()


def new_reports() -> list[Path]:
    """Unread reports of crashes, the oldest first; each is returned once.

    A killed process leaves an empty file, which is removed.
    """
    news = []
    for path in sorted(log_folder().glob("crash-*.txt"), key=_modification_time):
        lock = path.with_suffix(".lock")
        if is_held(lock):
            continue
        try:
            lock.unlink(missing_ok=True)
            if not path.stat().st_size:
                path.unlink()
                continue
            stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(_modification_time(path)))
            name = f"reported-{stamp}-{path.stem.removeprefix('crash-')}.txt"
            reported_path = path.with_name(name)
            system().replace(path, reported_path)
        except OSError:
            continue
        news.append(reported_path)
    for old in sorted(log_folder().glob("reported-*.txt"))[:-KEPT]:
        with suppress(OSError):
            old.unlink()
    return news


def read_report(path: Path) -> str:
    """The text of a report, or "" if it no longer exists."""
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(_LONGEST)
    except OSError:
        return ""


def crash_reason(text: str) -> str:
    """Short reason why the process ended: “Segmentation fault”."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    return first.removeprefix("Fatal Python error: ").strip() or "unknown"


def _modification_time(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
