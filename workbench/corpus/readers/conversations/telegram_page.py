"""Telegram Desktop’s export of a chat as web pages (messages.html, messages2.html): each message is
an element with a date, a name unless it follows a message of the same person, and a text.

Source: Telegram Desktop, export_output_html.cpp (version 5).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import BLOCK, Document
from workbench.corpus.readers.conversations.messages import Message
from workbench.corpus.readers.html_entities import split_open_reference
from workbench.corpus.readers.markup import PageParser, declared_encoding

_BEGINS = re.compile(rb"(?:\xef\xbb\xbf)?\s*<(?:!doctype html|html)\b", re.IGNORECASE)
_MESSAGE = re.compile(rb'<div class="message (?:default|service)')
_HISTORY = re.compile(rb'<title>\s*Exported Data\s*</title>|<div class="history"')
_DATE = re.compile(r"\s*(\d\d)\.(\d\d)\.(\d{4}) (\d\d:\d\d(?::\d\d)?)")
_VIA = re.compile(r"\s+via @\w+\Z")
# Links to members, commands, addresses and numbers, which aren’t words.
_CALLS = ("ShowMentionName", "ShowBotCommand")
_PIECE, _LONGEST_TAG, _DEEPEST = 1 << 14, 1 << 15, 200
_EMPTY = ("br", "img", "meta", "link", "input", "hr")


def is_page(document: Document) -> bool:
    """Whether a document is a page of such an export."""
    head = document.head
    return (
        _BEGINS.match(head) is not None
        and _HISTORY.search(head) is not None
        and _MESSAGE.search(head) is not None
    )


def page_messages(document: Document) -> Iterator[Message | None]:
    """The messages of a page; None after each piece that was read."""
    page = _Page()
    held = ""
    for text in document.characters(declared_encoding(document.head)):
        for at in range(0, len(text), _PIECE):
            piece, held = split_open_reference(held + text[at : at + _PIECE])
            page.feed(piece)
        yield from page.take()
        yield None
    page.feed(held)
    if page.open:
        document.note(tr("The file is truncated; what comes before its end was read."))
    page.end_message()
    yield from page.take()


class _Page(PageParser):
    """Takes messages. ``open``: whether elements are open."""

    def __init__(self) -> None:
        super().__init__()
        self._classes: list[frozenset[str]] = []
        self._done: list[Message] = []
        # Whether a message is open; whether it was written, unlike a notice.
        self._begun = self._written = False
        self._speaker = self._date = ""
        self._text: list[str] = []
        self._size = 0
        # What is collected, and at which depth it began.
        self._name: list[str] = []
        self._into: list[str] | None = None
        self._depth = 0
        self._link, self._address, self._silent = 0, "", False

    @property
    def open(self) -> bool:
        return bool(self._classes)

    def feed(self, data: str) -> None:
        """Parse at once, and drop a tag that is too long."""
        super().feed(data)
        if len(self.rawdata) > _LONGEST_TAG:
            self.rawdata = ""

    def take(self) -> list[Message]:
        """The messages that ended since the last call."""
        done, self._done = self._done, []
        return done

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "br" and self._into is not None:
            self._into.append("\n")
        elif tag == "a":
            self._address = values.get("href", "").strip()
            self._silent = self._address.startswith(("mailto:", "tel:")) or any(
                call in values.get("onclick", "") for call in _CALLS
            )
            self._link = len(self._into or ())
        elif tag == "div" and len(self._classes) < _DEEPEST:
            self._start_part(frozenset(values.get("class", "").split()), values.get("title", ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _EMPTY:
            self.handle_starttag(tag, attrs)

    def _start_part(self, classes: frozenset[str], title: str) -> None:
        forwarded = any("forwarded" in outer for outer in self._classes)
        self._classes.append(classes)
        if "message" in classes:
            self.end_message()
            self._begun, self._written = True, "default" in classes
            if "joined" not in classes:
                self._speaker = ""
        elif not self._begun or self._into is not None:
            return
        elif "date" in classes and not forwarded:
            date = _DATE.match(title)
            self._date = f"{date[3]}-{date[2]}-{date[1]}T{date[4]}" if date else title
        elif "from_name" in classes and not forwarded:
            self._name = self._into = []
            self._depth = len(self._classes)
        elif "text" in classes:
            self._into, self._depth = self._text, len(self._classes)

    def handle_endtag(self, tag: str) -> None:
        if tag == "a" and self._into is not None:
            text = "".join(self._into[self._link :]).strip()
            if (
                self._silent
                or text == self._address
                or (text.startswith("@") and self._address.endswith(text[1:]))
            ):
                self._into[self._link :] = [" "]
            self._address, self._silent = "", False
        elif tag == "div" and self._classes:
            if self._into is not None and len(self._classes) == self._depth:
                if self._into is not self._text:
                    name = " ".join("".join(self._name).split())
                    self._speaker = _VIA.sub("", name)
                self._into = None
            self._classes.pop()

    def handle_data(self, data: str) -> None:
        if self._into is None:
            return
        # Line ends in the file are spaces.
        self._into.append(" ".join(data.split("\n")))
        self._size += len(data)
        if self._size > BLOCK and self._into is self._text:
            self._end_text()
            self._link = 0

    def end_message(self) -> None:
        """The end of the message that is open."""
        if self._begun:
            self._end_text()
        self._begun, self._into, self._date = False, None, ""

    def _end_text(self) -> None:
        text = "\n".join(" ".join(line.split()) for line in "".join(self._text).split("\n"))
        self._done.append(Message(text if self._written else "", self._speaker, self._date))
        self._text.clear()
        self._size = 0
