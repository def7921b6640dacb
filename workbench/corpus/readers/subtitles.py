"""Subtitles (SubRip, WebVTT; W3C WebVTT, 2019): the words that a viewer reads, without numbers,
times and styles.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.records import beginning, blocks, lines

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[,.](\d{3})"
_TIMES = re.compile(rf"\s*{_TIME}\s+-->\s+{_TIME}")
_BEGINS = re.compile(rf"(?:\ufeff)?\s*(?:\d+\s*\n)?{_TIMES.pattern}")
_TAGS = re.compile(
    r"</?[A-Za-z][^<>\n]{0,200}>|<\d[\d:.]*>|\{\\[^{}\n]{0,200}\}|\{[a-zA-Z]:[^{}\n]{0,80}\}"
)
_SPEECH = re.compile(r"\s*[-–—‐]\s*(?=\S)")
# A pause of this many seconds begins a paragraph.
_PAUSE = 5.0


class Subtitles(Reader):
    key = "subtitles"
    title = tr("Subtitles")
    suffixes = (".srt", ".vtt")

    @classmethod
    def detect(cls, document: Document) -> bool:
        text = beginning(document)[:4096]
        return (
            text.lstrip("\ufeff").startswith(("WEBVTT\n", "WEBVTT ", "WEBVTT\t"))
            or _BEGINS.match(text) is not None
        )

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        return blocks(_paragraphs(document))


def _paragraphs(document: Document) -> Iterator[str | None]:
    """Speeches, a line each, joined to paragraphs at pauses; None for every 1,000 lines."""
    speeches: list[str] = []
    cue: list[str] = []
    ended = 0.0
    inside = False
    for number, line in lines(document):
        if number % 1000 == 0:
            yield None
        times = _TIMES.match(line)
        if times:
            # The line before is the number or the name of this one, if no empty line came between.
            if cue and inside:
                cue.pop()
            speeches += _speeches(cue)
            start = _seconds(times.groups()[:4])
            if speeches and start - ended > _PAUSE:
                yield "\n".join(speeches)
                speeches = []
            ended = _seconds(times.groups()[4:])
            cue, inside = [], True
        elif not line.strip():
            speeches += _speeches(cue)
            cue, inside = [], False
        elif inside:
            cue.append(line)
        if len(speeches) > 200:
            yield "\n".join(speeches)
            speeches = []
    yield "\n".join(speeches + _speeches(cue))


def _speeches(cue: list[str]) -> list[str]:
    """The lines of a subtitle as speeches: one that begins with a dash is another speaker’s."""
    found: list[str] = []
    for line in cue:
        plain = unescape(_TAGS.sub("", line)).strip()
        dash = _SPEECH.match(plain)
        if dash:
            plain = plain[dash.end() :]
        if not plain:
            continue
        if found and not dash:
            found[-1] += f" {plain}"
        else:
            found.append(plain)
    return found


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, thousandths = (int(part or 0) for part in parts)
    return hours * 3600 + minutes * 60 + seconds + thousandths / 1000
