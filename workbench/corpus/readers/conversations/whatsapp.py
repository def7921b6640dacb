"""Chats exported by WhatsApp: a line per message with its time and name, in the writing of the
phone's language, and lines that continue a message.
"""

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

# Telephones of Apple write [12.03.24, 18:22:01] Name: text, others 12/03/2024, 18:22 - Name: text.
_LINE = re.compile(
    r"[\u200e\u200f\ufeff]*\[?(\d{1,4}[./-]\d{1,2}[./-]\d{1,4}),?\s{1,2}"
    r"\d{1,2}[:.]\d\d(?:[:.]\d\d)?(\s?[AaPp]\.?\s?[Mm]\.?)?(?:\]\s|\s[-–]\s)"
    r"(?:([^:\n]{1,80}):(?:\s(.*))?$)?",
    re.DOTALL,
)
# The app writes this mark before its own words, in every language.
_OWN_WORDS = "\u200e"
_ATTACHED = re.compile(r"[^\s/]{1,120}\.\w{2,4} \([^()\n]{3,40}\)(?:\n|\Z)")
# <Media omitted>, <attached: a.jpg> and <This message was edited>, in every language.
_IN_BRACKETS = re.compile(r"<[^<>\n]{3,120}>(?=\s*\Z)")
_MENTION = re.compile(r"@(?:\u2068[^\u2069\n]{0,100}\u2069|\d{6,15}\b)")
_OMITTED = re.compile(
    r"(?:image|video|audio|sticker|gif|document|contact card|bild|dokument|kontaktkarte) "
    r"(?:omitted|weggelassen)",
    re.IGNORECASE,
)
_NOTICES = frozenset(
    (
        "null",
        "this message was deleted",
        "you deleted this message",
        "missed voice call",
        "missed video call",
        "diese nachricht wurde gelöscht",
        "du hast diese nachricht gelöscht",
        "verpasster sprachanruf",
        "verpasster videoanruf",
        "se eliminó este mensaje",
        "eliminaste este mensaje",
        "ce message a été supprimé",
        "vous avez supprimé ce message",
        "mensagem apagada",
        "você apagou esta mensagem",
        "questo messaggio è stato eliminato",
        "hai eliminato questo messaggio",
    )
)
_SAMPLE = 200


class WhatsApp(Reader):
    key = "whatsapp"
    title = tr("WhatsApp chat")
    marks_rows = True
    order = 90

    @classmethod
    def detect(cls, document: Document) -> bool:
        head = [line for line in beginning(document).split("\n")[:_SAMPLE] if line.strip()]
        found = [match for line in head if (match := _LINE.match(line))]
        spoken = sum(match[3] is not None for match in found)
        return bool(found) and _LINE.match(head[0]) is not None and spoken >= min(2, len(head))

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        return message_blocks(document, cls.title, _messages(document))


def _messages(document: Document) -> Iterator[Message | None]:
    head = [found for line in beginning(document).split("\n") if (found := _LINE.match(line))]
    order = order_of_dates((found[1] for found in head), any(found[2] for found in head))
    speaker = date = ""
    written: list[str] = []
    for number, line in lines(document):
        if number % 1000 == 0:
            yield None
        found = _LINE.match(line)
        if found is None:
            written.append(line)
            continue
        if date:
            yield Message(_plain("".join(written)) if speaker else "", speaker, date)
        # Without a name, the line is a notice of the app.
        speaker, date = (found[3] or "").strip(), iso_date(found[1], order)
        written = [found[4] or ""]
    if date:
        yield Message(_plain("".join(written)) if speaker else "", speaker, date)


def _plain(text: str) -> str:
    """The words of a message without attachments, mentions and notices."""
    if text.startswith(_OWN_WORDS):
        return ""
    text = _IN_BRACKETS.sub("", _ATTACHED.sub("", text, count=1) if "(" in text else text)
    text = _MENTION.sub(" ", text.replace(_OWN_WORDS, "")).strip()
    notice = text.casefold().rstrip(".")
    return "" if notice in _NOTICES or _OMITTED.fullmatch(text) else text
