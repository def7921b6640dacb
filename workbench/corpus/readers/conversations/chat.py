"""CHAT transcripts of conversations (CHILDES, TalkBank; MacWhinney, The CHAT manual, 2024): what
the speakers say, without headers and dependent tiers.

Of a repeated or corrected passage, the last version is read, of a replaced word its replacement.
Fragments, events, pauses and unintelligible words (xxx) are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.records import beginning, blocks, lines

_SPEAKER = re.compile(r"\*([A-Za-z0-9_-]{1,8}):[ \t]*")
# Times of the recording, in a pair of control characters.
_BULLET = re.compile(r"\x15[^\x15]{0,100}\x15")
_ONE = r"(?:<[^<>]{0,2000}>|[^\s<>\[\]]{1,200})"
_RETRACED = re.compile(rf"{_ONE}[ ]*\[/(?:/|//|-|\?)?\]")
_REPLACED = re.compile(rf"{_ONE}[ ]*\[::?[ ]([^\[\]]{{1,200}})\]")
_CODE = re.compile(r"\[[^\[\]]{0,500}\]")
# Fragments, fillers and events; pauses; omitted and unintelligible words; marks of overlaps and of
# interrupted turns.
_LEFT_OUT = re.compile(
    r"(?<!\S)(?:&\S+|\(\.{1,3}\)|\(\d[\d:.]*\)|0\w*|(?:xxx|yyy|www)(?:@\S*)?|\+(?=[,\"^<+])\S+)(?!\S)"
)
_ENDING = re.compile(r"\+(?:\.\.|//|/|!|\"/|\"|=)?([.?!])")
_MARKED = re.compile(r"@[a-z]\S*")
_INSIDE = re.compile(r"[()<>‹›↑↓≠⌈⌉⌊⌋∙^]|(?<=\w):+(?=\s|\w|$)")


class Chat(Reader):
    key = "chat"
    title = tr("CHAT transcript")
    suffixes = (".cha",)
    marks_rows = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        head = beginning(document)[:4096].lstrip("\ufeff")
        return head.startswith("@") and re.search(r"^@Begin\s*$", head, re.MULTILINE) is not None

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        return blocks(_speeches(document))


def _speeches(document: Document) -> Iterator[str | None]:
    """What is said, each speech after the mark of its speaker; None for every 1,000 lines."""
    speaker, spoken = "", ""
    for number, line in lines(document):
        if number % 1000 == 0:
            yield None
        if line.startswith(("\t", " ")):
            spoken += f" {line.strip()}" if speaker else ""
            continue
        yield _row(document, speaker, spoken)
        begins = _SPEAKER.match(line)
        speaker, spoken = (begins[1], line[begins.end() :]) if begins else ("", "")
    yield _row(document, speaker, spoken)


def _row(document: Document, speaker: str, spoken: str) -> str:
    text = plain_speech(spoken)
    return document.begin_row({"speaker": speaker}) + text if text else ""


def plain_speech(line: str) -> str:
    """The words of a main line without codes."""
    text = _BULLET.sub("", line)
    text = _REPLACED.sub(r"\1", _RETRACED.sub(" ", text))
    text = _LEFT_OUT.sub(" ", _CODE.sub(" ", text))
    text = _INSIDE.sub("", _MARKED.sub("", _ENDING.sub(r"\1", text)))
    text = " ".join(text.split())
    return text if any(map(str.isalnum, text)) else ""
