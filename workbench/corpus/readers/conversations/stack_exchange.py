"""Data dumps of Stack Exchange (archive.org/details/stackexchange): the titles and bodies of posts,
or the texts of comments, without program code in blocks of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.markup import fragment_text
from workbench.corpus.readers.safe_xml import parse, root_name

_TABLES = ("posts", "comments")
_ROW = re.compile(rb"<row\s[^<>]{0,2000}\b(?:Body|Text)=")
_CODE = re.compile(r"<pre\b.*?</pre>", re.DOTALL | re.IGNORECASE)


class StackExchange(Reader):
    key = "stack_exchange"
    title = tr("Stack Exchange dump")
    ambiguous_suffixes = (".xml",)
    marks_rows = True

    @classmethod
    def detect(cls, document: Document) -> bool:
        return root_name(document.head) in _TABLES and _ROW.search(document.head) is not None

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        posts = _Posts(document)
        for _ in parse(document, posts):
            yield posts.take()
        yield posts.take()
        document.note(tr("Program code in blocks of its own was left out."))


class _Posts:
    def __init__(self, document: Document) -> None:
        self._document = document
        self._done: list[str] = []

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name != "row":
            return
        body = fragment_text(_CODE.sub(" ", attributes.get("Body", "")))
        parts = [attributes.get("Title", ""), body, attributes.get("Text", "")]
        text = "\n\n".join(filter(None, map(str.strip, parts)))
        if text:
            year = attributes.get("CreationDate", "")[:4]
            mark = self._document.begin_row({"year": year} if year else {})
            self._done.append(f"{mark}{text}\n\n")

    def data(self, text: str) -> None:
        pass  # everything is in attributes

    def end(self, name: str) -> None:
        pass

    def take(self) -> bytes:
        """The posts since the last call."""
        text = "".join(self._done)
        self._done.clear()
        return text.encode(errors="replace")
