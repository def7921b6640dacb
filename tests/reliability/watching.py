"""Observations of a window beside its measures: that it does not answer, and unexpected errors."""

from __future__ import annotations

import faulthandler
import logging
import re
import tempfile
import threading
import time
from collections import Counter
from typing import Any

_BLOCKED = 1.0
# Messages of the platform without a screen about missing features, and of Qt about an application
# that was made before.
_SILENT = (
    "propagateSizeHints",
    "raise()",
    "grabbing the keyboard",
    "setHighDpiScaleFactorRoundingPolicy",
    "QPlatformServices::open",
)


class Watch(threading.Thread):
    """Tells when the window's thread has not moved ``beat`` for a second, and where it is then."""

    def __init__(self) -> None:
        super().__init__(name="watch", daemon=True)
        self.beat = time.monotonic()
        self._spent = time.thread_time()
        self.doing = ""
        self.paused = False
        self.blocked: list[dict[str, Any]] = []
        self._main = threading.main_thread().ident or 0
        self._over = threading.Event()

    def mark(self) -> None:
        """The window's thread is there. For a time without an answer, the report says how long it
        had a processor.
        """
        now, spent = time.monotonic(), time.thread_time()
        if now - self.beat > _BLOCKED and self.blocked and "processor" not in self.blocked[-1]:
            self.blocked[-1] |= {"seconds": now - self.beat, "processor": spent - self._spent}
        self.beat, self._spent = now, spent

    def run(self) -> None:
        told = 0.0
        while not self._over.wait(0.1):
            beat = self.beat
            late = time.monotonic() - beat
            if self.paused:
                continue
            if late > _BLOCKED and beat != told:
                told = beat
                self.blocked.append({"doing": self.doing, "at": place(self._main), "seconds": late})

    def end(self) -> None:
        if self.is_alive():
            self._over.set()
            self.join()


def place(thread: int) -> list[str]:
    """Where a thread is, "file:line function", innermost last, six of them.

    As faulthandler reads it: frames of a thread that runs on meanwhile are not to be had safely
    from Python.
    """
    with tempfile.TemporaryFile("w+") as file:
        faulthandler.dump_traceback(file)
        file.seek(0)
        parts = file.read().split("\n\n")
    own = next((part for part in parts if f"{thread:#018x}" in part.partition("\n")[0]), "")
    found = re.findall(r'File "(?:.*/)?([^"/]+)", line (\d+) in (\S+)', own)
    return [f"{file}:{line} {name}" for file, line, name in reversed(found[:6])]


class Errors(logging.Handler):
    """Unexpected errors, from Python's hooks and from jobs, which log them, and from Qt."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        self.found[record.getMessage()[-1500:]] += 1

    def from_qt(self, kind: Any, _: Any, text: str) -> None:
        if not any(part in text for part in _SILENT):
            self.found[f"Qt: {text}"[:500]] += 1
