"""HTML: the text of a page, without scripts and styles, its blocks as paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.markup import declared_encoding, paragraphs

_BEGINS = re.compile(
    rb"\s*(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html[\s>])", re.IGNORECASE | re.DOTALL
)
# The main content, which a page contains once (HTML Standard, 4.4.14).
_MAIN = re.compile(rb"<main[\s>]", re.IGNORECASE)


class Html(Reader):
    key = "html"
    title = tr("HTML page")
    suffixes = (".html", ".htm", ".xhtml")

    @classmethod
    def detect(cls, document: Document) -> bool:
        return (
            document.suffix in cls.suffixes
            or _BEGINS.match(document.head[:4096].removeprefix(b"\xef\xbb\xbf")) is not None
        )

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        main = _MAIN.search(document.head) is not None
        yield from paragraphs(document.characters(declared_encoding(document.head)), main)
        if main:
            document.note(tr("Only the main part of the page was read, without what is around it."))
