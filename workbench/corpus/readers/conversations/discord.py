"""Channels of Discord that DiscordChatExporter wrote as JSON or as text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.conversations.messages import (
    Message,
    has_names,
    iso_date,
    message_blocks,
    objects,
    order_of_dates,
    string,
)
from workbench.corpus.readers.records import beginning, lines

_BEGINS = re.compile(r"\ufeff?={20,}\nGuild: [^\n]*\nChannel: ")
_HEADER = re.compile(r"\[(\d{1,4}[./-]\d{1,2}[./-]\d{1,4}) (\d{1,2}:\d\d(?: [AP]M)?)\] (.{1,100})$")
_PINNED = " (pinned)"
_SECTION = re.compile(r"\{(?:Attachments|Embed|Reactions|Stickers|Forwarded Message)\}$")
_RULE = re.compile(r"={20,}$")
# The others are notices about calls, members and pins.
_WRITTEN = frozenset(("Default", "Reply", "0", "19"))
# Emojis and members as the program itself writes them, if it doesn't replace them by names.
_CODE = re.compile(r"<(?:a?:\w{1,40}:\d+|@[!&]?\d+|#\d+|t:\d+(?::\w)?|/[^<>]{1,80}:\d+)>")


class Discord(Reader):
    key = "discord"
    title = tr("Discord channel")
    ambiguous_suffixes = (".json",)
    marks_rows = True
    order = 90

    @classmethod
    def detect(cls, document: Document) -> bool:
        return (
            has_names(document, ("guild", "channel", "messages"))
            or _BEGINS.match(beginning(document)[:2000]) is not None
        )

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        if _BEGINS.match(beginning(document)[:2000]):
            return message_blocks(document, cls.title, _of_text(document))
        return message_blocks(document, cls.title, _of_objects(document))


def _of_objects(document: Document) -> Iterator[Message | None]:
    for message in objects(document, "messages"):
        if message is None:
            yield None
            continue
        author = message.get("author")
        written = string(message.get("type", "Default")) in _WRITTEN
        yield Message(
            _plain(message) if written else "",
            string(author.get("name")) if isinstance(author, dict) else "",
            string(message.get("timestamp")),
        )


def _plain(message: dict[str, Any]) -> str:
    text = _CODE.sub(" ", string(message.get("content")))
    mentions = message.get("mentions")
    for member in mentions if isinstance(mentions, list) else []:
        for name in ("nickname", "name"):
            if isinstance(member, dict) and string(member.get(name)):
                text = text.replace(f"@{member[name]}", " ")
    return text


def _of_text(document: Document) -> Iterator[Message | None]:
    head = [found for line in beginning(document).split("\n") if (found := _HEADER.match(line))]
    order = order_of_dates((found[1] for found in head), any("M" in found[2] for found in head))
    speaker = date = ""
    written: list[str] = []
    skipped = False
    for number, line in lines(document):
        if number % 1000 == 0:
            yield None
        begins = _HEADER.match(line)
        if begins or _RULE.match(line):
            if date:
                yield Message(_CODE.sub(" ", "".join(written)), speaker, date)
            speaker = date = ""
            written, skipped = [], False
            if begins:
                speaker = begins[3].strip().removesuffix(_PINNED)
                date = iso_date(begins[1], order)
        elif _SECTION.match(line):
            skipped = True
        elif not line.strip():
            skipped = False
            written.append(line)
        elif not skipped:
            written.append(line)
    if date:
        yield Message(_CODE.sub(" ", "".join(written)), speaker, date)
