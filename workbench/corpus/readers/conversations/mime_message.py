"""Single messages (Internet Message Format, RFC 5322; MIME): the text of an e-mail or of a post in
a newsgroup without its headers and attachments, and of a web page that a browser saved in one file
(MHTML).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email import message_from_bytes
from email.message import Message
from email.policy import compat32

from workbench.core.language import tr
from workbench.core.text.encodings import Findings, decode_blocks, detect_encoding
from workbench.corpus.readers.base import BLOCK, Document, Reader
from workbench.corpus.readers.markup import declared_encoding, paragraphs
from workbench.corpus.readers.records import LONGEST, too_long

# The beginning of a message: lines of a header, perhaps continued, among which are those that only
# messages have.
_HEADER = re.compile(
    rb"(?:[A-Za-z][A-Za-z0-9-]{0,60}:[^\n]{0,2000}\n(?:[ \t][^\n]{0,2000}\n)*){3,}"
)
_OF_MESSAGES = re.compile(
    rb"^(?:MIME-Version|Message-ID|Received|Return-Path|Newsgroups|NNTP-Posting-Host|X-Mailer):"
    rb"|^From:(?s:.*)^Subject:|^Subject:(?s:.*)^From:",
    re.IGNORECASE | re.MULTILINE,
)


class MimeMessage(Reader):
    key = "mime_message"
    title = tr("E-mail or web page in one file (EML, MHTML)")
    suffixes = (".eml", ".mht", ".mhtml")
    order = 150

    @classmethod
    def detect(cls, document: Document) -> bool:
        header = _HEADER.match(document.head[:16384].replace(b"\r\n", b"\n"))
        return header is not None and _OF_MESSAGES.search(header[0]) is not None

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        data = bytearray()
        for block in document.bytes():
            data += block
            if len(data) > 4 * LONGEST:
                raise too_long(document.shown, 1)
            yield b""
        message = message_from_bytes(bytes(data), policy=compat32)
        wanted = "text/plain"
        if message.get_content_type() == "multipart/related":
            wanted = "text/html"
        parts = [part for part in message.walk() if _is_text(part)]
        part = next((one for one in parts if one.get_content_type() == wanted), None)
        part = part or next(iter(parts), None)
        if part is not None:
            yield from _text(part, document.findings)
        document.note(tr("Headers and attachments were left out."))


def _is_text(part: Message) -> bool:
    return (
        part.get_content_type() in ("text/plain", "text/html")
        and part.get_content_disposition() != "attachment"
    )


def _text(part: Message, findings: Findings) -> Iterator[bytes]:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes):
        return
    is_page = part.get_content_type() == "text/html"
    hint = part.get_content_charset("") or (declared_encoding(data) if is_page else "")
    data = data.replace(b"\r\n", b"\n")
    decided = detect_encoding(data[:BLOCK], hint=hint)
    text = decode_blocks(iter([data[decided.mark :]]), decided, findings, hint)
    if is_page:
        yield from paragraphs(text)
    else:
        for piece in text:
            yield piece.encode(errors="replace")
