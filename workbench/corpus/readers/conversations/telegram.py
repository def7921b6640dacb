"""Chats exported by Telegram’s desktop program: one chat or all of an account as JSON, or the pages
of a chat (messages.html).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.conversations.messages import (
    Message,
    has_names,
    message_blocks,
    objects,
    string,
)
from workbench.corpus.readers.conversations.telegram_page import is_page, page_messages

# Parts of a text that are names, addresses and numbers.
_LEFT_OUT = frozenset(
    ("mention", "mention_name", "link", "email", "phone", "bot_command", "bank_card")
)


class Telegram(Reader):
    key = "telegram"
    title = tr("Telegram chat")
    ambiguous_suffixes = (".json",)
    marks_rows = True
    order = 90

    @classmethod
    def detect(cls, document: Document) -> bool:
        # Before 2022, there were no times in seconds.
        one = has_names(document, ("messages", "date_unixtime")) or has_names(
            document, ("name", "type", "messages", "from_id", "text")
        )
        return (
            one
            or has_names(document, ("about", "personal_information", "contacts"))
            or is_page(document)
        )

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        found = page_messages(document) if is_page(document) else _messages(document)
        return message_blocks(document, cls.title, found)


def _messages(document: Document) -> Iterator[Message | None]:
    for message in objects(document, "messages"):
        if message is None:
            yield None
        else:
            plain = _plain(message) if message.get("type") == "message" else ""
            yield Message(plain, string(message.get("from")), string(message.get("date")))


def _plain(message: dict[str, Any]) -> str:
    """The words of a message, whose text is one string or a list of strings and of parts with a
    type.
    """
    parts = message.get("text_entities") or message.get("text")
    if not isinstance(parts, list):
        return string(parts)
    texts = []
    for part in parts:
        if isinstance(part, dict):
            left_out = part.get("type") in _LEFT_OUT
            texts.append(" " if left_out else string(part.get("text")))
        else:
            texts.append(string(part))
    return "".join(texts)
