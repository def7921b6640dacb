"""HTML: the text of a page, without scripts and styles, its blocks as paragraphs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.markup import declared_encoding, paragraphs

_BEGINS = re.compile(
    rb"\s*(?:<\?xml[^<>]{0,200}>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html[\s>])",
    re.IGNORECASE | re.DOTALL,
)
# A line that is an element of a page, of which a part has at least so many.
_ELEMENT = re.compile(
    rb"\s*<(p|div|h[1-6]|ul|ol|li|blockquote)(?:\s[^<>]*)?>.*</\1>\s*$", re.IGNORECASE
)
_FEWEST_ELEMENTS = 3
# The main content, which a page contains once (HTML Standard, 4.4.14).
_MAIN = re.compile(rb"<main[\s>]", re.IGNORECASE)


class Html(Reader):
    key = "html"
    title = tr("HTML page")
    suffixes = (".html", ".htm", ".xhtml", ".hocr")

    @classmethod
    def detect(cls, document: Document) -> bool:
        return (
            document.suffix in cls.suffixes
            or _BEGINS.match(document.head[:4096].removeprefix(b"\xef\xbb\xbf")) is not None
            or _is_part_of_page(document.head)
        )

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        main = _MAIN.search(document.head) is not None
        yield from paragraphs(document.characters(declared_encoding(document.head)), main)
        if main:
            document.note(tr("Only the main part of the page was read, without what is around it."))


def _is_part_of_page(head: bytes) -> bool:
    """Whether most lines of a text without the beginning of a page are elements of one."""
    if b"</" not in head:
        return False
    rows = [line for line in head.split(b"\n") if line.strip()]
    elements = sum(_ELEMENT.match(line) is not None for line in rows)
    return elements >= _FEWEST_ELEMENTS and 2 * elements > len(rows)
