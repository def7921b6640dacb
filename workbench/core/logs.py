"""Log files of bounded size, with the reader for the log window.

logs/workbench.log, .1, .2 ...   the newest first; one line per entry, further lines indented
     crash-<process>.txt         see :mod:`workbench.core.crashes`

Nothing is sent anywhere. Entries contain algorithms, sizes and times, but no content of texts.
"""

from __future__ import annotations

import logging
import os
import re
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from logging.handlers import RotatingFileHandler
from pathlib import Path

from workbench.core.paths import log_folder

LOG = logging.getLogger("workbench")
LEVELS = ("DEBUG", "INFO", "WARNING", "ERROR")
# Maximum bytes of one file, and number of older files that are kept.
SIZE, KEPT = 512 << 10, 4
# Maximum number of entries for a reader.
MOST = 5000

_FILE = "workbench.log"
_ENTRY = re.compile(
    r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (DEBUG|INFO|WARNING|ERROR|CRITICAL) ([\w.\-]+): (.*)"
)
# Text in quotation marks may be a word of a corpus or the name of a file.
_QUOTED = re.compile(r"(?<!\w)'[^'\n]*'(?!\w)|(?<!\w)\"[^\"\n]*\"(?!\w)|“[^”]*”|‘[^’]*’")
_PATH = re.compile(r"(?<![\w.])(?:~|\$\w+|[A-Za-z]:)?[/\\][^\s'\"“”:,;()]+")
# Keys of recent actions, the latest last, for bug reports.
_DONE: deque[str] = deque(maxlen=40)


@dataclass(frozen=True)
class LogEntry:
    """One entry: local time as ``2026-01-31 12:00:00``, a name of ``LEVELS``, the logger, and the
    text.
    """

    time: str
    level: str
    source: str
    text: str

    def __str__(self) -> str:
        return _indent_lines(f"{self.time} {self.level} {self.source}: {self.text}")


class _Lines(logging.Formatter):
    """Formatter that indents further lines of an entry, so that they can't be taken for entries."""

    def format(self, record: logging.LogRecord) -> str:
        return _indent_lines(super().format(record))


class _Quiet(RotatingFileHandler):
    """Log handler that ignores errors, so that a full disk neither stops the program nor is
    reported for every entry.
    """

    def handleError(self, record: logging.LogRecord) -> None:
        return


def _indent_lines(text: str) -> str:
    return "\n    ".join(text.splitlines())


@contextmanager
def logging_to_files(level: int = logging.INFO) -> Iterator[Path]:
    """Write log entries to the log folder while the block runs; yield the newest file."""
    path = log_folder() / _FILE
    handler = _Quiet(
        path,
        maxBytes=SIZE,
        backupCount=KEPT,
        encoding="utf-8",
        delay=True,
        errors="backslashreplace",
    )
    handler.setFormatter(
        _Lines("%(asctime)s %(levelname)s %(name)s: %(message)s", "%Y-%m-%d %H:%M:%S")
    )
    before = LOG.level
    LOG.setLevel(level)
    LOG.addHandler(handler)
    try:
        yield path
    finally:
        LOG.removeHandler(handler)
        LOG.setLevel(before)
        handler.close()


def log_files() -> list[Path]:
    """The log's files, the oldest first."""
    found = [
        path
        for path in log_folder().glob(f"{_FILE}*")
        if path.suffix == ".log" or path.suffix[1:].isdecimal()
    ]
    return sorted(found, key=lambda path: 0 if path.suffix == ".log" else -int(path.suffix[1:]))


def read_entries(most: int = MOST) -> list[LogEntry]:
    """The latest entries in order, without unreadable lines."""
    entries: deque[LogEntry] = deque(maxlen=most)
    for path in log_files():
        try:
            entries.extend(
                parse_entries(path.read_text(encoding="utf-8", errors="replace").splitlines())
            )
        except OSError:
            continue
    return list(entries)


def parse_entries(lines: Iterable[str]) -> Iterator[LogEntry]:
    """Entries from lines; text before the first entry is left out."""
    head: re.Match[str] | None = None
    body: list[str] = []

    def entry(match: re.Match[str]) -> LogEntry:
        time, level, source, first = match.groups()
        return LogEntry(
            time, "ERROR" if level == "CRITICAL" else level, source, "\n".join([first, *body])
        )

    for line in lines:
        match = _ENTRY.fullmatch(line)
        if match is not None:
            if head is not None:
                yield entry(head)
            head, body = match, []
        elif head is not None:
            body.append(line.removeprefix("    "))
    if head is not None:
        yield entry(head)


def record_action(key: str) -> None:
    """Record an action by its key."""
    _DONE.append(key)
    LOG.debug("action %s", key)


def recent_actions() -> tuple[str, ...]:
    """The keys of recent actions, the latest last."""
    return tuple(_DONE)


def without_private_text(text: str) -> str:
    """``text`` without quotations and paths."""
    return _PATH.sub("…", _QUOTED.sub("“…”", text))


def without_home(text: str) -> str:
    """``text`` with ~ for the user's folder, and $WORKBENCH_HOME for the folder in that
    variable.
    """
    moved = os.environ.get("WORKBENCH_HOME", "")
    for folder, shown in ((moved, "$WORKBENCH_HOME"), (str(Path.home()), "~")):
        if len(folder) > 1:
            text = text.replace(folder.rstrip("/\\"), shown)
    return text
