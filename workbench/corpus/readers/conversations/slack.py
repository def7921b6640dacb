"""Channels exported by Slack: a folder for each channel, with a JSON array for each day."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from typing import Any

from workbench.core.errors import UserError
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

# Lists of users, channels, groups and changes, which are beside the folders of channels.
_LISTS = (("team_id", "profile"), ("members", "created"), ("service_id", "change_type"))
# <@U1>, <!here>, <#C1|channel>, <https://a.example|label>
_REFERENCE = re.compile(r"<([@!#]?)([^<>|]{0,2000})(?:\|([^<>]{0,2000}))?>")
_EMOJI = re.compile(r"(?<![\w:]):[a-z0-9_+'-]{1,60}:(?::skin-tone-\d:)?(?!\w)")
# Messages with other subtypes are notices, such as of members who join.
_WRITTEN = frozenset(
    ("", "bot_message", "me_message", "thread_broadcast", "file_share", "file_comment")
)


class Slack(Reader):
    key = "slack"
    title = tr("Slack channel")
    ambiguous_suffixes = (".json",)
    marks_rows = True
    order = 90

    @classmethod
    def detect(cls, document: Document) -> bool:
        return has_names(document, ("type", "ts", "text"), "[") or _is_list(document)

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        if _is_list(document):
            raise UserError(
                tr(
                    "{shown} is a list of Slack’s users or channels, not of messages.",
                    shown=document.shown,
                ),
                tr("Open the folders of the channels, or the whole folder of the export."),
            )
        return message_blocks(document, cls.title, _messages(document))


def _is_list(document: Document) -> bool:
    return not has_names(document, ("ts", "text"), "[") and any(
        has_names(document, names, "[") for names in _LISTS
    )


def _messages(document: Document) -> Iterator[Message | None]:
    for message in objects(document):
        if message is None:
            yield None
            continue
        written = string(message.get("subtype")) in _WRITTEN
        plain = _plain(string(message.get("text"))) if written else ""
        yield Message(plain, _speaker(message), moment(message.get("ts")))


def _speaker(message: dict[str, Any]) -> str:
    profile = message.get("user_profile")
    names = [profile.get("real_name"), profile.get("name")] if isinstance(profile, dict) else []
    names += [message.get("username"), message.get("user")]
    return next((name for name in map(string, names) if name), "")


def _plain(text: str) -> str:
    """The words of a message without names of users, addresses and emojis."""
    return unescape(_EMOJI.sub(" ", _REFERENCE.sub(_label, text)))


def _label(found: re.Match[str]) -> str:
    return " " if found[1] in ("@", "!") else found[3] or " "
