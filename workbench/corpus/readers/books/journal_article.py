"""Journal articles (JATS and NLM, as in PubMed Central): title, abstract and text, without
references, tables and formulas.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.safe_xml import parse, root_name
from workbench.corpus.readers.xml_text import Paragraphs

# Elements that only articles have.
_OWN = re.compile(rb"<(?:article-meta|journal-meta|front|article-title)\b")
_TEXT = frozenset(("article-title", "abstract", "body", "ack", "app"))
_APART = frozenset(
    ("p", "title", "sec", "article-title", "list-item", "disp-quote", "caption", "def", "term")
)
_DROPPED = frozenset(
    (
        *("ref-list", "table", "inline-formula", "disp-formula", "fn-group", "label", "object-id"),
        *("supplementary-material", "trans-abstract", "permissions", "related-article"),
    )
)


class JournalArticle(Reader):
    key = "journal_article"
    title = tr("Journal article (JATS)")
    suffixes = (".nxml",)
    ambiguous_suffixes = (".xml",)

    @classmethod
    def detect(cls, document: Document) -> bool:
        return root_name(document.head) == "article" and _OWN.search(document.head) is not None

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        text = _Article()
        for _ in parse(document, text):
            yield text.paragraphs.take_text()
        text.paragraphs.end_paragraph()
        yield text.paragraphs.take_text()
        document.note(tr("References, tables and formulas were left out."))


class _Article:
    def __init__(self) -> None:
        self.paragraphs = Paragraphs()
        self._text = self._dropped = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        # Numbers of references and notes aren’t words; “Figure 1” is text.
        mark = name == "xref" and attributes.get("ref-type") in ("bibr", "fn", "table-fn", "aff")
        if self._dropped or name in _DROPPED or mark:
            self._dropped += 1
            return
        self._text += name in _TEXT
        if name in _APART:
            self.paragraphs.end_paragraph()

    def data(self, text: str) -> None:
        if self._text and not self._dropped:
            self.paragraphs.add(text)

    def end(self, name: str) -> None:
        if self._dropped:
            self._dropped -= 1
            return
        if name in _APART:
            self.paragraphs.end_paragraph()
        self._text -= name in _TEXT
