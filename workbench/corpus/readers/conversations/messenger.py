"""Chats of Messenger and Instagram, as their owner downloads them (message_1.json)."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.conversations.messages import (
    Message,
    has_names,
    message_blocks,
    moment,
    objects,
    string,
)

# Notices, such as of members who join and of calls.
_NOTICES = frozenset(("Subscribe", "Unsubscribe", "Call"))


class Messenger(Reader):
    key = "messenger"
    title = tr("Messenger or Instagram chat")
    ambiguous_suffixes = (".json",)
    marks_rows = True
    order = 90

    @classmethod
    def detect(cls, document: Document) -> bool:
        return has_names(
            document, ("participants", "messages", "sender_name", "timestamp_ms")
        ) or has_names(document, ("participants", "messages", "senderName", "timestamp"))

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        return message_blocks(document, cls.title, _messages(document))


def _messages(document: Document) -> Iterator[Message | None]:
    for message in objects(document, "messages"):
        if message is None:
            yield None
            continue
        text = string(message.get("content")) or string(message.get("text"))
        if message.get("type") in _NOTICES or message.get("is_unsent") is True:
            text = ""
        speaker = string(message.get("sender_name")) or string(message.get("senderName"))
        date = moment(message.get("timestamp_ms") or message.get("timestamp"), 1000)
        yield Message(_as_meant(text), _as_meant(speaker), date)


def _as_meant(text: str) -> str:
    """The text whose bytes in UTF-8 were written as if each were a character (Ã¼ for ü)."""
    try:
        return text.encode("latin-1").decode()
    except UnicodeError:
        return text
