"""Output of WikiExtractor: articles between lines ``<doc …>`` and ``</doc>``, with remains of
wikitext.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.records import LONGEST, blocks, lines
from workbench.corpus.readers.wikitext import DROPPED, plain_text

_BEGINS = re.compile(rb'\s*<doc\s+id="[^"<>]*"\s+(?:rev)?(?:id|url)="')
_DROPPED = frozenset(DROPPED)


class WikiExtractor(Reader):
    key = "wiki_extractor"
    title = tr("WikiExtractor’s output")

    @classmethod
    def detect(cls, document: Document) -> bool:
        return _BEGINS.match(document.head) is not None

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        return blocks(_articles(document))


def _articles(document: Document) -> Iterator[str | None]:
    article: list[str] = []
    size = 0
    for number, line in lines(document):
        if number % 1000 == 0:
            yield None
        ends = line.startswith("</doc>") or size > LONGEST
        if ends or (line.startswith("<doc ") and line.rstrip().endswith(">")):
            yield _text(article)
            article, size = [], 0
        if not line.startswith(("</doc>", "<doc ")):
            article.append(line)
            size += len(line)
    yield _text(article)


def _text(article: list[str]) -> str:
    # The tool escapes what it leaves of references and entities.
    return plain_text(unescape("".join(article)), _DROPPED)
