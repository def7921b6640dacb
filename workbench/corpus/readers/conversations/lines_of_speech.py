"""Chats and transcripts as other programs write them in plain text: lines that begin with a speaker
or a time (Zoom, LINE, KakaoTalk, Signal, Otter), and lists of utterances (STM of NIST’s scoring
tools, LibriSpeech’s transcripts, Cornell’s movie dialogues).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from re import Pattern

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.conversations.messages import (
    Message,
    iso_date,
    message_blocks,
    order_of_dates,
)
from workbench.corpus.readers.records import beginning, lines

_SAMPLE = 200
_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?"
_PLUS = r" \+{3}\$\+{3} "
_NEVER = re.compile(r"(?!)")


@dataclass(frozen=True)
class _Form:
    """A way to write utterances.

    begins : matches the line with which one begins, with groups ``speaker``, ``text`` and ``date``
    where it has them
    title : of the program or the collection
    first : what the first line of the text matches; ``begins`` if None
    second : what the next line that isn't empty matches
    day : a line with the ``date`` of those after it
    other : lines that belong to no utterance
    silent : texts that stand for pictures and the like
    continues : whether the lines that follow belong to an utterance; otherwise every line is one
    """

    title: str
    begins: Pattern[str]
    first: Pattern[str] | None = None
    second: Pattern[str] = re.compile("")
    day: Pattern[str] = _NEVER
    other: Pattern[str] = _NEVER
    silent: Pattern[str] = _NEVER
    continues: bool = True

    def fits(self, head: list[str]) -> bool:
        """Whether a text that begins with these lines, none of them empty, has this form."""
        if not self.second.match("".join(head[1:2])):
            return False
        begun = sum(self.begins.match(line) is not None for line in head)
        if self.first is not None:
            return begun > 0 and self.first.match(head[0]) is not None
        wanted = 2 if self.continues else len(head) - sum(map(bool, map(self.other.match, head)))
        return begun >= max(wanted, 2) and (
            self.begins.match(head[0]) is not None or self.other.match(head[0]) is not None
        )


_FORMS = (
    _Form(
        tr("Zoom chat"),
        re.compile(
            rf"(?:(?P<date>\d{{4}}-\d\d-\d\d) )?{_CLOCK}\s+From\s+(?P<speaker>\S[^\n]{{0,100}}?)"
            r"(?:\s+[Tt]o\s+[^\n:]{1,100}?)?\s*:(?:\s+(?P<text>.*)|\s*$)"
        ),
    ),
    _Form(
        tr("LINE chat"),
        re.compile(
            rf"(?:[上下]午|午[前後])?{_CLOCK}(?: [AP]M)?\t(?P<speaker>[^\t\n]{{1,80}})\t"
            r"(?P<text>.*)"
        ),
        first=re.compile(r"\[LINE\]"),
        day=re.compile(r"(?:\w{3}, )?(?P<date>\d{1,4}[/.]\d{1,2}[/.]\d{1,4})\W"),
        other=re.compile(rf"\[LINE\]|Saved on|保存日時|儲存日期|{_CLOCK}\t[^\t]*$"),
        silent=re.compile(r"\[\w[^\[\]\n]{0,20}\]\s*\Z"),
    ),
    _Form(
        tr("KakaoTalk chat"),
        re.compile(
            rf"\[(?P<speaker>[^\[\]\n]{{1,80}})\] \[(?:오전|오후)? ?{_CLOCK}(?: [AP]M)?\] "
            r"(?P<text>.*)"
            rf"|(?P<date>\d{{4}}[년.] \d{{1,2}}[월.] \d{{1,2}}[일.]?) (?:오전|오후) {_CLOCK}, "
            r"(?P<speaker2>[^:\n]{1,80}) : (?P<text2>.*)"
        ),
        first=re.compile(r".{0,200}(?:카카오톡|KakaoTalk)"),
        day=re.compile(r"-{5,} ?(?P<date>\d{4}년 \d{1,2}월 \d{1,2}일).*-{5,}"),
        other=re.compile(r"저장한 날짜|Date Saved|.{0,200}(?:카카오톡 대화|KakaoTalk Chats)"),
        silent=re.compile(r"(?:사진|동영상|이모티콘|삭제된 메시지입니다\.)\s*\Z"),
    ),
    _Form(
        tr("Signal chat"),
        re.compile(r"From: (?P<speaker>[^\n(]{1,80}?)(?: \(\+?[\d ]+\))?\s*$"),
        second=re.compile(r"Type: (?:incoming|outgoing)"),
        day=re.compile(r"Sent: (?P<date>.{1,60})$"),
        other=re.compile(r"(?:Type: (?:incoming|outgoing)|Received: |Attachment: |Conversation: )"),
    ),
    _Form(
        tr("Otter transcript"),
        re.compile(rf"(?P<speaker>\S[^\n]{{0,60}}?) {{2,}}{_CLOCK}\s*$"),
        other=re.compile(r"Transcribed by https?://otter\.ai"),
    ),
    _Form(
        tr("STM transcript"),
        re.compile(
            r"\S+ \S+ (?P<speaker>\S+) +\d+(?:\.\d+)? +\d+(?:\.\d+)? +(?:<[^<>\n]*> +)?"
            r"(?P<text>.*[^\W\d_].*)"
        ),
        other=re.compile(r";;"),
        silent=re.compile(r"ignore_time_segment_in_scoring\s*\Z"),
        continues=False,
    ),
    _Form(
        tr("LibriSpeech transcript"),
        re.compile(r"(?P<speaker>\d{1,6})-\d{1,8}-\d{4} (?P<text>.*)"),
        continues=False,
    ),
    _Form(
        tr("Cornell movie dialogues"),
        re.compile(
            rf"L\d+(?:{_PLUS}[^+\n]*){{2}}{_PLUS}(?P<speaker>[^+\n]*){_PLUS.rstrip()} ?(?P<text>.*)"
        ),
        continues=False,
    ),
)
_KOREAN_DATE = re.compile(r"(\d{4})[년.] (\d{1,2})[월.] (\d{1,2})[일.]?")


class LinesOfSpeech(Reader):
    key = "lines_of_speech"
    title = tr("Chat or transcript with speakers in its lines")
    marks_rows = True
    order = 95

    @classmethod
    def detect(cls, document: Document) -> bool:
        return _form(document) is not None

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        form = _form(document) or _FORMS[0]
        return message_blocks(document, form.title, _messages(document, form))


def _form(document: Document) -> _Form | None:
    text = beginning(document)
    rows = text.lstrip("\ufeff").split("\n")[: _SAMPLE + 1]
    if len(rows) > 1:
        rows.pop()  # The head may end within a line.
    head = [row for row in rows if row.strip()]
    return next((form for form in _FORMS if head and form.fits(head)), None)


def _messages(document: Document, form: _Form) -> Iterator[Message | None]:
    days = (form.day.match(row) for row in beginning(document).split("\n"))
    order = order_of_dates((row["date"] for row in days if row), False)
    day = speaker = date = ""
    written: list[str] | None = None

    def message() -> Message:
        text = "".join(written or ()).strip()
        return Message("" if form.silent.match(text) else text, speaker, date)

    for number, line in lines(document):
        if number % 1000 == 0:
            yield None
        line = line.lstrip("\ufeff") if number == 1 else line
        begins = form.begins.match(line)
        new_day = form.day.match(line)
        if begins:
            if written is not None:
                yield message()
            parts = {name.rstrip("2"): text for name, text in begins.groupdict().items() if text}
            speaker = parts.get("speaker", "").strip()
            date = _date(parts["date"], order) if "date" in parts else day
            written = [parts.get("text", "").rstrip() + "\n"]
        elif new_day:
            day = _date(new_day["date"], order)
            if not "".join(written or ()).strip():
                date = day  # It belongs to the utterance that has just begun.
        elif written is not None and form.continues and not form.other.match(line):
            written.append(line)
    if written is not None:
        yield message()


def _date(written: str, order: str) -> str:
    korean = _KOREAN_DATE.match(written)
    if korean:
        return f"{korean[1]}-{korean[2]:0>2}-{korean[3]:0>2}"
    if written[3:5] == ", ":
        with suppress(ValueError):
            return parsedate_to_datetime(written).date().isoformat()
    return iso_date(written, order)
