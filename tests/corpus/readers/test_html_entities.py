"""Numeric character references of any length, in HTML and in wikitext."""

from __future__ import annotations

from html import unescape

import pytest

from workbench.corpus.readers.html_entities import shorten_references, split_open_reference
from workbench.corpus.readers.markup import paragraphs
from workbench.corpus.readers.wikitext import plain_text

LONG = "9" * 16_000


@pytest.mark.parametrize(
    "text",
    [
        "&#65;",
        "&#0065;",
        "&#65",
        "&#x41;",
        "&#1114111;",
        "&#1114112;",
        "&#99999999;",
        "&#123456789012;",
        "&amp;#5",
        "&",
        "&#",
        "a&#0;b",
        "&#000000000;",
        "&#00000000065;&#66;",
    ],
)
def test_entities_match_the_standard_library(text: str) -> None:
    assert unescape(shorten_references(text)) == unescape(text)
    head, tail = split_open_reference(text)
    assert unescape(head + tail) == unescape(text)


def test_more_digits_than_python_reads() -> None:
    for text in (f"&#{LONG};", f"&#{'0' * 16_000}65;"):
        with pytest.raises(ValueError, match="digits"):
            unescape(text)
    assert unescape(shorten_references(f"a&#{LONG};b")) == "a\ufffdb"
    assert unescape(shorten_references(f"a&#{'0' * 16_000}65;b")) == "aAb"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 4000, 100_000])
def test_pages_in_pieces(size: int) -> None:
    # The page ends within a reference.
    page = f"<p title='&#{LONG};'>one &#{LONG}; two &#{'0' * 5000}65; &#66;&amp; A&#67"
    pieces = [page[at : at + size] for at in range(0, len(page), size)]
    text = b"".join(paragraphs(pieces)).decode()
    assert text.split() == ["one", "\ufffd", "two", "A", "B&", "AC"]


def test_wikitext() -> None:
    assert plain_text(f"one &#{LONG}; two").split() == ["one", "\ufffd", "two"]
