"""Subtitles in TTML (W3C Timed Text Markup Language 2; DFXP, IMSC): the lines that a viewer
reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.safe_xml import parse, root_name

_CLOCK = re.compile(r"(\d{1,4}):(\d\d):(\d\d(?:\.\d{1,9})?)")
_SECONDS = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)(h|ms|m|s)")
_UNITS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
# A pause of this many seconds begins a paragraph.
_PAUSE = 5.0


class TimedText(Reader):
    key = "ttml"
    title = tr("Subtitles (TTML)")
    suffixes = (".ttml", ".dfxp")
    ambiguous_suffixes = (".xml",)

    @classmethod
    def detect(cls, document: Document) -> bool:
        return root_name(document.head) == "tt"

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        text = _Lines()
        for _ in parse(document, text):
            yield text.take()
        yield text.take() + b"\n"


class _Lines:
    """Takes subtitles, each of which becomes a line."""

    def __init__(self) -> None:
        self._done: list[str] = []
        self._pieces: list[str] | None = None
        self._ended: float | None = None
        self._dropped = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if self._dropped or name in ("metadata", "head"):
            self._dropped += 1
        elif name == "p":
            self._pieces = []
            begin = _seconds(attributes.get("begin", ""))
            if begin is not None and begin - (self._ended or begin) > _PAUSE:
                self._done.append("\n")
            end = _seconds(attributes.get("end", ""))
            self._ended = begin if end is None else end
        elif name == "br" and self._pieces is not None:
            self._pieces.append(" ")

    def data(self, text: str) -> None:
        if self._pieces is not None and not self._dropped:
            self._pieces.append(text)

    def end(self, name: str) -> None:
        if self._dropped:
            self._dropped -= 1
        elif name == "p" and self._pieces is not None:
            line = " ".join("".join(self._pieces).split())
            self._done += [line, "\n"] if line else []
            self._pieces = None

    def take(self) -> bytes:
        """The lines that ended since the last call."""
        text = "".join(self._done)
        self._done.clear()
        return text.encode(errors="replace")


def _seconds(time: str) -> float | None:
    """A time in seconds; None for one in frames or ticks."""
    clock = _CLOCK.match(time)
    if clock:
        return int(clock[1]) * 3600 + int(clock[2]) * 60 + float(clock[3])
    offset = _SECONDS.fullmatch(time)
    return float(offset[1]) * _UNITS[offset[2]] if offset else None
