"""Messages of chats as paragraphs, shared by the readers of chats: names and times are values of
columns, not words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from workbench.core.language import tr
from workbench.corpus.readers.base import Document
from workbench.corpus.readers.json_texts.json_elements import elements
from workbench.corpus.readers.records import beginning, blocks

# Date as written by services: of the year 2024 or of the year 24.
_DATE = re.compile(r"(\d{1,4})([./-])(\d{1,2})[./-](\d{1,4})")


@dataclass(frozen=True)
class Message:
    """One message. Its text is "" for a picture, a notice and others without words.

    date : ISO 8601 with or without a time, or as written if day and month aren't certain
    """

    text: str
    speaker: str = ""
    date: str = ""


def message_blocks(
    document: Document, kind: str, messages: Iterable[Message | None]
) -> Iterator[bytes]:
    """Each message as a paragraph with its speaker and date as values of columns; None ends a
    block. ``kind``: the title of the reader, for a note.
    """
    document.note(tr("{kind}: names and times are columns, not words.", kind=kind))
    return blocks(_rows(document, messages))


def _rows(document: Document, messages: Iterable[Message | None]) -> Iterator[str | None]:
    silent = 0
    for message in messages:
        if message is None:
            yield None
        elif message.text.strip():
            values = {"speaker": message.speaker, "date": message.date}
            yield document.begin_row(values) + message.text.strip()
        else:
            silent += 1
            yield ""
    if silent:
        document.note(
            tr("Messages without words, such as pictures and notices: {silent:,}.", silent=silent)
        )


def objects(document: Document, name: str = "") -> Iterator[dict[str, Any] | None]:
    """The objects in the arrays of a JSON document that have this name, as for ``elements``; None
    after each piece that was read.
    """
    for part in elements(document, name):
        for value in part:
            if isinstance(value, dict):
                yield value
        yield None


def has_names(document: Document, names: Iterable[str], begins: str = "{") -> bool:
    """Whether a JSON document begins with an object or an array, and members in its head have all
    these ``names``.
    """
    if document.suffix != ".json":
        return False
    head = beginning(document).lstrip("\ufeff \t\r\n")
    return head.startswith(begins) and all(
        re.search(rf'"{name}"\s*:', head) is not None for name in names
    )


def string(value: object) -> str:
    """A text of a JSON object, "" for another value."""
    return value if isinstance(value, str) else ""


def moment(value: object, each: int = 1) -> str:
    """A time in seconds since 1970, or in seconds / ``each``, in ISO 8601 (UTC); "" for another
    value.
    """
    try:
        seconds = float(string(value)) / each
        return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M")
    except (ValueError, OverflowError, OSError):
        return ""


def order_of_dates(dates: Iterable[str], afternoon: bool) -> str:
    """Whether dates of a text are written as "ymd", "dmy" or "mdy", "" if that isn't certain.
    ``afternoon``: its times have AM and PM.
    """
    parts = [found for date in dates if (found := _DATE.match(date))]
    if any(len(found[1]) == 4 for found in parts):
        return "ymd"
    if any(int(found[1]) > 12 or found[2] == "." for found in parts):
        return "dmy"
    if any(int(found[3]) > 12 for found in parts):
        return "mdy"
    return "mdy" if parts and afternoon else ""


def iso_date(date: str, order: str) -> str:
    """A date in ISO 8601, or as written without an ``order``."""
    found = _DATE.match(date)
    if not found or not order:
        return date
    values = dict(zip(order, (found[1], found[3], found[4]), strict=True))
    year = values["y"] if len(values["y"]) == 4 else f"20{values['y']:0>2}"
    return f"{year}-{values['m']:0>2}-{values['d']:0>2}"
