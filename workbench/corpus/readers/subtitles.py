"""Subtitles (SubRip; WebVTT, W3C 2019; SubViewer, as YouTube writes it; SubStation Alpha; MicroDVD;
MPL2; lyrics in LRC): the words that a viewer reads, without numbers, times, comments and styles.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from html import unescape

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.records import beginning, blocks, lines
from workbench.corpus.tokenise.text_repairs import LINE_END

_TIME = r"(?:(\d{1,3}):)?(\d{1,2}):(\d{2})[,.](\d{3})"
_TIMES = re.compile(rf"\s*{_TIME}(?:\s+-->\s+|,(?=[\d:.]+\s*$)){_TIME}", re.MULTILINE)
_BEGINS = re.compile(rf"(?:\ufeff)?\s*(?:\d+\s*\n)?{_TIMES.pattern}", re.MULTILINE)
_TAGS = re.compile(
    r"</?[A-Za-z][^<>\n]{0,200}>|<\d[\d:.]*>|\{\\[^{}\n]{0,200}\}|\{[a-zA-Z]:[^{}\n]{0,80}\}"
)
_SCRIPT = re.compile(r"(?:\ufeff)?\s*\[(?:Script Info|V4\+? Styles|Events)\]", re.IGNORECASE)
_SCRIPT_TIMES = re.compile(
    r"Dialogue:[^,]{0,20},\s*(\d{1,3}):(\d\d):(\d\d)[.:]\d+,\s*(\d{1,3}):(\d\d):(\d\d)[.:]\d+,"
)
_OVERRIDE = re.compile(r"\{[^{}\n]{0,500}\}")
_DRAWING = re.compile(r"\{[^{}]{0,500}\\p[1-9]")
# Times or frames before a line, of lyrics, MicroDVD and MPL2, and data about a song.
_TIMED = re.compile(
    r"(?:\ufeff)?\s*(?:(?:\[\d{1,3}:\d\d(?:[.:]\d{1,3})?\]\s*)+"
    r"|(?P<frames>\{\d{1,8}\}\{\d{0,8}\}|\[\d{1,8}\]\[\d{0,8}\]))"
)
_OF_SONG = re.compile(r"(?:\ufeff)?\s*\[[A-Za-z#]{1,10}:[^\]\n]*\]\s*$")
_FEWEST_TIMED = 3
_RATE = re.compile(r"\d{1,3}(?:\.\d{1,3})?")
# The name of a speaker, as in transcripts of video conferences.
_SPEAKER = re.compile(r"\s*((?:[^\W\d_a-z][\w.’'-]{0,30} ?){1,5}): (?=\S)")
# If at least so many cues, and this share of all, begin with a few names, names aren’t spoken.
_FEWEST_NAMED, _NAMED = 4, 0.6
_CUT = re.compile(r"\w-\Z")
_SPEECH = re.compile(r"\s*[-–—‐]\s*(?=\S)")
# A pause of this many seconds begins a paragraph.
_PAUSE = 5.0
# Cues closer than so many seconds follow each other at once. If at least so many of the first cues,
# and this share of them, repeat lines of the one before, the lines roll up.
_AT_ONCE = 0.1
_FEWEST_ROLLING, _ROLLING = 3, 0.4
_MOST_LINES = 1000


class Subtitles(Reader):
    key = "subtitles"
    title = tr("Subtitles")
    suffixes = (".srt", ".vtt", ".sbv", ".ass", ".ssa", ".lrc")

    @classmethod
    def detect(cls, document: Document) -> bool:
        text = beginning(document)[:4096]
        return (
            text.lstrip("\ufeff").startswith(("WEBVTT\n", "WEBVTT ", "WEBVTT\t"))
            or _BEGINS.match(text) is not None
            or _SCRIPT.match(text) is not None
            or _is_timed(text.split("\n"))
        )

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        if _SCRIPT.match(beginning(document)[:4096]):
            return blocks(_script(document))
        if _is_timed(beginning(document)[:4096].split("\n")):
            return blocks(_timed_lines(document))
        if _rolls_up(enumerate(beginning(document).split("\n"), 1)):
            document.note(tr("Each line is shown several times; it was read once."))
            return blocks(_rolled(_cues(lines(document))))
        cues = _cues(lines(document))
        if _begin_with_speakers(enumerate(beginning(document).split("\n"), 1)):
            document.note(tr("The names of the speakers were left out."))
            cues = map(_without_speaker, cues)
        return blocks(_paragraphs(cues))


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


@dataclass(frozen=True)
class _Cue:
    start: float
    end: float
    lines: list[str]


def _cues(numbered: Iterable[tuple[int, str]]) -> Iterator[_Cue | None]:
    """The subtitles with their times; None for every 1,000 lines."""
    cue: _Cue | None = None
    for number, line in numbered:
        if number % 1000 == 0:
            yield None
        times = _TIMES.match(line)
        if times:
            if cue:
                # The line before is the number or the name of this one, if no empty line came
                # between.
                yield replace(cue, lines=cue.lines[:-1])
            cue = _Cue(_seconds(times.groups()[:4]), _seconds(times.groups()[4:]), [])
        elif not line.rstrip("\r\n"):
            if cue:
                yield cue
            cue = None
        elif cue and line.strip() and len(cue.lines) < _MOST_LINES:
            cue.lines.append(line)
    if cue:
        yield cue


def _is_timed(rows: list[str]) -> bool:
    """Whether all lines but data about a song begin with a time."""
    rows = [row for row in rows[:-1] or rows if row.strip() and not _OF_SONG.match(row)]
    return len(rows) >= _FEWEST_TIMED and all(map(_TIMED.match, rows))


def _timed_lines(document: Document) -> Iterator[str | None]:
    """The lines after their times, as paragraphs of 200; None for every 1,000 lines."""
    speeches: list[str] = []
    for number, line in lines(document):
        if number % 1000 == 0:
            yield None
        if _OF_SONG.match(line):
            continue
        found = _TIMED.match(line)
        text = line[found.end() :] if found else line
        if found and found["frames"]:
            # MicroDVD and MPL2 separate lines by a bar; a slash means italics. The first line may
            # be the number of frames per second.
            rate = number == 1 and _RATE.fullmatch(text.strip())
            parts = [part.removeprefix("/") for part in text.split("|")]
            speeches += [] if rate else _speeches(parts)
        else:
            speeches += _speeches([text])
        if len(speeches) > 200:
            yield "\n".join(speeches)
            speeches = []
    yield "\n".join(speeches)


def _paragraphs(cues: Iterable[_Cue | None]) -> Iterator[str | None]:
    """Speeches, a line each, joined to paragraphs at pauses."""
    speeches: list[str] = []
    ended = 0.0
    for cue in cues:
        if cue is None:
            yield None
            continue
        if len(speeches) > 200 or (speeches and cue.start - ended > _PAUSE):
            yield "\n".join(speeches)
            speeches = []
        ended = cue.end
        speeches += _speeches(cue.lines)
    yield "\n".join(speeches)


def _new_lines(before: list[str], shown: list[str]) -> list[str]:
    """The lines of a cue that weren’t in the one before it."""
    for number in range(min(len(before), len(shown)), 0, -1):
        if before[-number:] == shown[:number]:
            return shown[number:]
    return shown


def _plain_lines(cue: _Cue) -> list[str]:
    return list(filter(None, (unescape(_TAGS.sub("", line)).strip() for line in cue.lines)))


def _rolls_up(numbered: Iterable[tuple[int, str]]) -> bool:
    """Whether captions move up by a line, so that each is in two or three cues."""
    before: list[str] = []
    ended = 0.0
    repeated = number = 0
    for cue in _cues(numbered):
        if cue is None:
            continue
        shown = _plain_lines(cue)
        number += 1
        if abs(cue.start - ended) <= _AT_ONCE:
            repeated += len(_new_lines(before, shown)) < len(shown)
        before, ended = shown, cue.end
    return repeated >= _FEWEST_ROLLING and repeated > _ROLLING * number


def _begin_with_speakers(numbered: Iterable[tuple[int, str]]) -> bool:
    """Whether most cues begin with the name of a speaker, each of several cues."""
    first = [cue.lines[0] for cue in _cues(numbered) if cue and cue.lines]
    names = [found[1] for found in map(_SPEAKER.match, first) if found]
    return (
        len(names) >= _FEWEST_NAMED
        and len(names) >= _NAMED * len(first)
        and 2 * len(set(names)) <= len(names)
    )


def _without_speaker(cue: _Cue | None) -> _Cue | None:
    if cue is None or not cue.lines:
        return cue
    return replace(cue, lines=[_SPEAKER.sub("", cue.lines[0], count=1), *cue.lines[1:]])


def _rolled(cues: Iterable[_Cue | None]) -> Iterator[str | None]:
    """Captions that roll up: the lines between pauses, each once, as one line."""
    words: list[str] = []
    before: list[str] = []
    ended = 0.0
    for cue in cues:
        if cue is None:
            yield None
            continue
        if len(words) > 200 or (words and cue.start - ended > _PAUSE):
            yield " ".join(words)
            words = []
        shown = _plain_lines(cue)
        words += _new_lines(before if cue.start - ended <= _PAUSE else [], shown)
        before, ended = shown or before, cue.end
    yield " ".join(words)


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
            # A hyphen at the end of a line may cut a word.
            joint = f"{LINE_END} " if _CUT.search(found[-1]) else " "
            found[-1] += f"{joint}{plain}"
        else:
            found.append(plain)
    return found


def _seconds(parts: tuple[str | None, ...]) -> float:
    hours, minutes, seconds, thousandths = (int(part or 0) for part in parts)
    return hours * 3600 + minutes * 60 + seconds + thousandths / 1000
