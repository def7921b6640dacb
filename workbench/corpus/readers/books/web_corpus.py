"""Texts of crawled pages: WET files of Common Crawl (WARC 1.0 and 1.1, ISO 28500), and corpora with
a line CURRENT URL before each page, such as itWaC.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.records import LONGEST, beginning, blocks, lines

_RECORD = b"WARC/1."
_HEADER = re.compile(rb"WARC/1\.\d\r?\n(.*?)\r?\n\r?\n", re.DOTALL)
_FIELD = re.compile(rb"^([A-Za-z-]{1,60}):[ \t]*([^\r\n]*)", re.MULTILINE)
_LONGEST_HEADER = 1 << 16
# Records with texts, and others that describe the archive.
_TEXTS, _ABOUT = (b"conversion", b"resource"), (b"warcinfo", b"metadata")
_CURRENT = "CURRENT URL "


class WebArchive(Reader):
    key = "web_archive"
    title = tr("Web archive with texts (WET)")
    suffixes = (".wet",)
    binary = True
    marks_rows = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        return document.head.startswith(_RECORD)

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        return blocks(_texts(document))


class CurrentUrl(Reader):
    key = "current_url"
    title = tr("Web corpus with addresses (itWaC)")
    marks_rows = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        return beginning(document).lstrip("\ufeff \n").startswith(_CURRENT)

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        return blocks(_pages(document))


def _texts(document: Document) -> Iterator[str | None]:
    """The text of each record; None for every block without one. Raises UserError."""
    held = b""
    for block in document.bytes():
        held += block
        yield None
        while (record := _record(held)) is not None:
            fields, text, held = record
            kind = fields.get(b"warc-type", b"")
            plain = fields.get(b"content-type", b"").startswith(b"text/plain")
            if kind in _TEXTS and plain:
                about = {
                    name: fields[key].decode(errors="replace")
                    for name, key in (("address", b"warc-target-uri"), ("date", b"warc-date"))
                    if key in fields
                }
                words = text.decode(errors="replace").strip()
                yield document.begin_row(about) + words if words else ""
            elif kind not in _ABOUT:
                raise UserError(
                    tr(
                        "{shown} contains web pages as they were sent, not their texts.",
                        shown=document.shown,
                    ),
                    tr("Choose the archive of texts, whose name contains “wet”."),
                )
        if len(held) > LONGEST:
            break
    if held.strip():
        document.note(tr("The file is truncated; all complete elements were read."))


def _record(held: bytes) -> tuple[dict[bytes, bytes], bytes, bytes] | None:
    """The fields and the content of the first record, and what follows it; None if it isn’t
    complete.
    """
    held = held.lstrip(b"\r\n")
    header = _HEADER.match(held[:_LONGEST_HEADER])
    if header is None:
        return None
    fields = {name.lower(): value for name, value in _FIELD.findall(header[1])}
    length = fields.get(b"content-length", b"")
    size = int(length) if length.isdigit() and len(length) < 12 else LONGEST + 1
    end = header.end() + size
    if end > len(held):
        return None
    return fields, held[header.end() : end], held[end:]


def _pages(document: Document) -> Iterator[str | None]:
    """The text of each page; None for every 1,000 lines."""
    page: list[str] = []
    size = 0
    mark = ""
    for number, line in lines(document):
        if number % 1000 == 0:
            yield None
        begins = line.lstrip("\ufeff").startswith(_CURRENT)
        if begins or size > LONGEST // 16:
            yield mark + "".join(page).strip() if page else ""
            page, size = [], 0
        if begins:
            mark = document.begin_row({"address": line.split(_CURRENT, 1)[1].strip()})
        else:
            page.append(line)
            size += len(line)
    yield mark + "".join(page).strip() if page else ""
