"""Subtitles (SubRip, WebVTT; W3C WebVTT, 2019; SubStation Alpha): the words that a viewer reads,
without numbers, times, comments and styles.
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
_SCRIPT = re.compile(r"(?:\ufeff)?\s*\[(?:Script Info|V4\+? Styles|Events)\]", re.IGNORECASE)
_SCRIPT_TIMES = re.compile(
    r"Dialogue:[^,]{0,20},\s*(\d{1,3}):(\d\d):(\d\d)[.:]\d+,\s*(\d{1,3}):(\d\d):(\d\d)[.:]\d+,"
)
_OVERRIDE = re.compile(r"\{[^{}\n]{0,500}\}")
_DRAWING = re.compile(r"\{[^{}]{0,500}\\p[1-9]")
_SPEECH = re.compile(r"\s*[-–—‐]\s*(?=\S)")
# A pause of this many seconds begins a paragraph.
_PAUSE = 5.0


class Subtitles(Reader):
    key = "subtitles"
    title = tr("Subtitles")
    suffixes = (".srt", ".vtt", ".ass", ".ssa")

    @classmethod
    def detect(cls, document: Document) -> bool:
        text = beginning(document)[:4096]
        return (
            text.lstrip("\ufeff").startswith(("WEBVTT\n", "WEBVTT ", "WEBVTT\t"))
            or _BEGINS.match(text) is not None
            or _SCRIPT.match(text) is not None
        )

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        if _SCRIPT.match(beginning(document)[:4096]):
            return blocks(_script(document))
        return blocks(_paragraphs(document))


def _script(document: Document) -> Iterator[str | None]:
    """The dialogue of SubStation Alpha as paragraphs between pauses; None for every 1,000 lines."""
    speeches: list[str] = []
    ended = 0.0
    for number, line in lines(document):
        if number % 1000 == 0:
            yield None
        # The text is the last of ten cells and may contain commas.
        cells = line.split(",", 9)
        times = _SCRIPT_TIMES.match(line)
        if not times or len(cells) < 10:
            continue
        start, end = (_seconds((*times.groups()[at : at + 3], "0")) for at in (0, 3))
        if _DRAWING.search(cells[9]):
            continue
        if len(speeches) > 200 or (speeches and start - ended > _PAUSE):
            yield "\n".join(speeches)
            speeches = []
        ended = end
        plain = re.sub(r"\\[Nn]", "\n", _OVERRIDE.sub("", cells[9]).replace("\\h", " "))
        speeches += _speeches(plain.split("\n"))
    yield "\n".join(speeches)


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
