"""MediaWiki's XML dumps: the articles, without redirects and without markup (mediawiki.org,
Help:Export).

Memory is bounded by the longest page, independent of the length of the dump. A dump that ends in
the middle of a page, such as the first gigabyte of a dump, is read up to that page.
"""

from __future__ import annotations

from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.safe_xml import parse, root_name
from workbench.corpus.readers.wikitext import DROPPED, plain_text

# A page has a few kilobytes; a page with more characters than this isn’t an article.
_LONGEST = 8 << 20
_FILES, _CATEGORIES = "6", "14"
_MOST_DROPPED = 100


class MediaWiki(Reader):
    key = "mediawiki"
    title = tr("MediaWiki XML dump")
    ambiguous_suffixes = (".xml",)

    @classmethod
    def detect(cls, document: Document) -> bool:
        return root_name(document.head) == "mediawiki"

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        pages = _Pages()
        for _ in parse(document, pages):
            yield pages.take_text()
        if pages.long:
            document.note(
                tr(
                    "Pages left out because they are longer than {longest:,} characters: {long:,}.",
                    longest=_LONGEST,
                    long=pages.long,
                )
            )


class _Pages:
    """Takes the parts of a dump and collects the text of its articles."""

    def __init__(self) -> None:
        self.long = 0
        self._dropped = set(DROPPED)
        self._plain_articles: list[str] = []
        self._kept: list[str] | None = None
        self._size = 0
        self._namespace = ""
        self._redirect = False
        self._text = ""
        self._key = ""

    def take_text(self) -> bytes:
        """The articles that ended since the last call."""
        text = "".join(f"{article}\n\n" for article in self._plain_articles)
        self._plain_articles.clear()
        return text.encode(errors="replace")

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "page":
            self._namespace, self._redirect, self._text = "", False, ""
        elif tag == "redirect":
            self._redirect = True
        elif tag == "text" or tag == "ns" or tag == "namespace":
            self._kept, self._size = [], 0
            self._key = attributes.get("key", "")

    def data(self, data: str) -> None:
        if self._kept is None:
            return
        self._size += len(data)
        if self._size <= _LONGEST:
            self._kept.append(data)

    def end(self, tag: str) -> None:
        if tag == "page":
            self._article()
        if self._kept is None:
            return
        text = "".join(self._kept)
        if tag == "namespace":
            if self._key in (_FILES, _CATEGORIES) and len(self._dropped) < _MOST_DROPPED:
                self._dropped.add(text.strip().lower())
        elif tag == "ns":
            self._namespace = text.strip()
        elif tag == "text":
            # The last of several revisions counts.
            self._text = text
            self.long += self._size > _LONGEST
            if self._size > _LONGEST:
                self._text = ""
        else:
            return
        self._kept = None

    def _article(self) -> None:
        # Early dumps have neither <ns> nor <redirect>.
        if (
            self._namespace not in ("", "0")
            or self._redirect
            or self._text[:64].lstrip().lower().startswith("#redirect")
        ):
            return
        article = plain_text(self._text, frozenset(self._dropped))
        if article:
            self._plain_articles.append(article)
        self._text = ""
