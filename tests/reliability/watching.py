"""Watching a window beyond its measurements: periods without a response, and unexpected errors."""

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
# Messages of the offscreen platform about missing features, and of Qt about an application object
# that already exists.
_SILENT = (
    "propagateSizeHints",
    "raise()",
    "grabbing the keyboard",
    "setHighDpiScaleFactorRoundingPolicy",
    "QPlatformServices::open",
)


class Watch(threading.Thread):
    """Reports when the window’s thread hasn’t moved ``beat`` for a second, and where it is then."""

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
        """Called regularly by the window’s thread. After a period without a response, adds its
        length and its processor time to the report.
        """
        now, thread_seconds = time.monotonic(), time.thread_time()
        if now - self.beat > _BLOCKED and self.blocked and "processor" not in self.blocked[-1]:
            self.blocked[-1] |= {
                "seconds": now - self.beat,
                "processor": thread_seconds - self._spent,
            }
        self.beat, self._spent = now, thread_seconds

    def run(self) -> None:
        reported_beat = 0.0
        while not self._over.wait(0.1):
            beat = self.beat
            late = time.monotonic() - beat
            if self.paused:
                continue
            if late > _BLOCKED and beat != reported_beat:
                reported_beat = beat
                self.blocked.append({"doing": self.doing, "at": place(self._main), "seconds": late})

    def end(self) -> None:
        if self.is_alive():
            self._over.set()
            self.join()


def place(thread: int) -> list[str]:
    """Position of a thread: up to six of "file:line function", innermost last.

    Uses faulthandler, because Python can’t safely read the frames of a thread that is running.
    """
    with tempfile.TemporaryFile("w+") as file:
        faulthandler.dump_traceback(file)
        file.seek(0)
        parts = file.read().split("\n\n")
    own = next((part for part in parts if f"{thread:#018x}" in part.partition("\n")[0]), "")
    frames = re.findall(r'File "(?:.*/)?([^"/]+)", line (\d+) in (\S+)', own)
    return [f"{file}:{line} {name}" for file, line, name in reversed(frames[:6])]


class Errors(logging.Handler):
    """Unexpected errors that Python’s hooks and jobs log, and those from Qt."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: Counter[str] = Counter()

    def emit(self, record: logging.LogRecord) -> None:
        self.found[record.getMessage()[-1500:]] += 1

    def from_qt(self, kind: Any, _: Any, text: str) -> None:
        if not any(part in text for part in _SILENT):
            self.found[f"Qt: {text}"[:500]] += 1
