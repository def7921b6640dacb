"""Logs of IRC as common programs write them (irssi, mIRC, HexChat, ZNC, WeeChat)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.conversations.messages import (
    Message,
    iso_date,
    message_blocks,
    order_of_dates,
)
from workbench.corpus.readers.records import beginning, lines

_NICK = r"[^\s<>]{1,40}"
_TIME = (
    r"\[?(?:(\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|[A-Z][a-z]{2} +\d{1,2})[T ,]+)?"
    r"\d{1,2}:\d\d(?::\d\d)?(?: [AP]M)?\]?"
)
_LINE = re.compile(rf"\ufeff?{_TIME}(?:\s+|(?=<))(.*)$")
_SPEECH = re.compile(rf"<[ @+%&~!]?({_NICK})>\s?(.*)$")
_ACTION = re.compile(rf" ?\* ({_NICK}) (.*)$")
_COLUMNS = re.compile(r"(\d{4}-\d\d-\d\d) \d\d:\d\d:\d\d\t([^\t\n]{0,60})\t(.*)$")
_NOTICE = re.compile(
    r"\(?[^\s@]+@[^\s)]+\)? |has (?:joined|left|quit|set|changed)|(?:joined|left|quit)\b|sets? |"
    r"is now known as|was kicked|Topic|Joins:|Parts:|Quits:"
)
_DAY = re.compile(
    r"(?:Log opened|Day changed(?: to)?|Session (?:Start|Time):|BEGIN LOGGING AT)\s.{0,20}?"
    r"([A-Z][a-z]{2}) (\d{1,2}) (?:[\d:]{5,8} )?(\d{4})"
)
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
# Another line that a log may contain.
_OTHER = re.compile(r"---|\*\*\*|===|-!-|Session |\s*$")
_ADDRESSED = re.compile(rf"({_NICK}?)[:,]\s+")
_MODES = "@+%&~! "
_SAMPLE, _MOST = 100, 0.8


class Irc(Reader):
    key = "irc"
    title = tr("IRC log")
    ambiguous_suffixes = (".log", ".weechatlog")
    marks_rows = True
    order = 90

    @classmethod
    def detect(cls, document: Document) -> bool:
        head = [line for line in beginning(document).split("\n")[:_SAMPLE] if line.strip()]
        spoken = sum(bool(_parts(line)[0]) for line in head)
        dated = sum(
            _LINE.match(line) is not None
            or _COLUMNS.match(line) is not None
            or _OTHER.match(line) is not None
            for line in head
        )
        return spoken >= 2 and dated >= _MOST * len(head)

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        return message_blocks(document, cls.title, _messages(document))


def _messages(document: Document) -> Iterator[Message | None]:
    head = beginning(document).split("\n")
    names = {speaker.casefold() for line in head if (speaker := _parts(line)[0])}
    order = order_of_dates((date for line in head if (date := _parts(line)[2])), False)
    day = ""
    for number, line in lines(document):
        if number % 1000 == 0:
            yield None
        changed = _DAY.search(line)
        if changed and changed[1] in _MONTHS:
            month = _MONTHS.index(changed[1]) + 1
            day = f"{changed[3]}-{month:02}-{int(changed[2]):02}"
        speaker, text, date = _parts(line)
        if speaker:
            names.add(speaker.casefold())
            addressed = _ADDRESSED.match(text)
            if addressed and addressed[1].casefold() in names:
                text = text[addressed.end() :]
            yield Message(text, speaker, iso_date(date, order) or day)
        elif line.strip():
            yield Message("")


def _parts(line: str) -> tuple[str, str, str]:
    """The speaker, the text and the date of a line, or "" each."""
    columns = _COLUMNS.match(line)
    if columns:
        speaker, text = columns[2].strip(_MODES), columns[3]
        if speaker == "*":
            speaker, _, text = text.partition(" ")
        return (speaker, text, columns[1]) if any(map(str.isalnum, speaker)) else ("", "", "")
    found = _LINE.match(line)
    if not found:
        return "", "", ""
    speech = _SPEECH.match(found[2])
    if not speech:
        speech = _ACTION.match(found[2])
        if not speech or _NOTICE.match(speech[2]):
            return "", "", ""
    return speech[1].strip(_MODES), speech[2], found[1] or ""
