"""MediaWiki's XML dumps: the articles, without redirects and without markup (mediawiki.org,
Help:Export).

Memory is bounded by the longest page, independent of the length of the dump. A dump that ends in
the middle of a page, such as the first gigabyte of a dump, is read up to that page.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from xml.parsers import expat

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.safe_xml import Bounds, declared_encoding, local, parser
from workbench.corpus.readers.wikitext import DROPPED, plain_text

# A page has a few kilobytes; a page with more characters than this isn’t an article.
_LONGEST = 8 << 20
# Small enough that even a block of redirects doesn’t take long.
_PIECE = 1 << 15
_FILES, _CATEGORIES = "6", "14"
_MOST_DROPPED = 100


class MediaWiki(Reader):
    key = "mediawiki"
    title = tr("MediaWiki XML dump")
    ambiguous_suffixes = (".xml",)

    @classmethod
    def detect(cls, document: Document) -> bool:
        # In UTF-16, every other byte is zero.
        return b"<mediawiki" in document.head[:4096].replace(b"\0", b"")

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        pages = _Pages()
        with _naming(document.shown):
            hint = declared_encoding(document.head, document.options.encoding)
        for text in document.characters(hint):
            block = text.encode(errors="replace")
            # An encoding that needs more text to be detected yields nothing at first.
            for at in range(0, max(len(block), 1), _PIECE):
                with _naming(document.shown):
                    pages.feed(block[at : at + _PIECE])
                yield pages.take_text()
        if not pages.ended:
            document.note(tr("The file is truncated; all complete pages were read."))
        if pages.long:
            document.note(
                tr(
                    "Pages left out because they are longer than {longest:,} characters: {long:,}.",
                    longest=_LONGEST,
                    long=pages.long,
                )
            )


@contextmanager
def _naming(shown: str) -> Iterator[None]:
    """Turn errors of the XML into UserErrors that name the document."""
    try:
        yield
    except expat.ExpatError as error:
        raise UserError(
            tr(
                "{shown} isn’t well-formed XML ({error}).",
                shown=shown,
                error=error_text(error),
            ),
            tr("Download or export the file again."),
        ) from error
    except UserError as error:
        raise UserError(
            tr("Couldn’t read {shown}. {message}", shown=shown, message=error.message), error.hint
        ) from error


class _Pages:
    """Takes XML in pieces and collects the text of its articles."""

    def __init__(self) -> None:
        self.ended = False
        self.long = 0
        self._parser = parser()
        self._bounds = Bounds(self._parser)
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.CharacterDataHandler = self._data
        self._dropped = set(DROPPED)
        self._plain_articles: list[str] = []
        self._kept: list[str] | None = None
        self._size = 0
        self._namespace = ""
        self._redirect = False
        self._text = ""
        self._key = ""

    def feed(self, piece: bytes) -> None:
        """Parse a piece. Raises ExpatError, and UserError for declared entities and for content
        that isn't from a dump.
        """
        self._bounds.feed(piece)

    def take_text(self) -> bytes:
        """The articles that ended since the last call."""
        text = "".join(f"{article}\n\n" for article in self._plain_articles)
        self._plain_articles.clear()
        return text.encode(errors="replace")

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._bounds.start(name, attributes)
        tag = local(name)
        if tag == "page":
            self._namespace, self._redirect, self._text = "", False, ""
        elif tag == "redirect":
            self._redirect = True
        elif tag == "text" or tag == "ns" or tag == "namespace":
            self._kept, self._size = [], 0
            self._key = attributes.get("key", "")

    def _data(self, data: str) -> None:
        if self._kept is None:
            return
        self._size += len(data)
        if self._size <= _LONGEST:
            self._kept.append(data)

    def _end(self, name: str) -> None:
        self._bounds.end()
        tag = local(name)
        if tag == "mediawiki":
            self.ended = True
        elif tag == "page":
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
