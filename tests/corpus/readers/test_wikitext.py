"""Conversion of wikitext to plain text, compared with text written by hand, and unclosed markup."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.corpus.readers.wikitext import plain_text

PAGE = """{{Infobox country
| name = {{nowrap|A {{b|c}}}}
}}
'''Anarchism''' is a [[political philosophy|philosophy]] of [[self-government|''self'']]s.<ref name="x" />
{| class="wikitable"
! a || b {{t|{{u}}}}
|-
| {| nested |}
|}
== History ==
* first [http://x.org label] item, see https://foo.org/bar here
*# second
[[File:x.jpg|thumb|left|A [[cat]] here]][[Category:Things]] [[fr:Anarchisme]] [[:Category:Kept]]
<math>x^2</math>text&nbsp;with<br/>a break &amp; <b class="x">bold</b> (, )__NOTOC__<!-- gone
-->
----
end<ref>cited {{cite|[[x]]}}</ref>."""


def test_a_page() -> None:
    assert plain_text(PAGE).split("\n") == [
        "Anarchism is a philosophy of selfs.",
        "",
        "History",
        "",
        "first label item, see here",
        "second",
        "Category:Kept",
        "text with",
        "a break & bold",
        "",
        "end.",
    ]


def test_namespaces_of_the_dump() -> None:
    assert plain_text("[[Datei:a.png|mini]]x [[Kategorie:Y]]", {"datei", "kategorie"}) == "x"
    assert plain_text("[[Star Wars: A New Hope]]") == "Star Wars: A New Hope"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("{{open and on", "open and on"),
        ("a }} b", "a b"),
        ("[[open", "open"),
        ("a ]] b", "a b"),
        ("<ref>open", "open"),
        ("{| open", "open"),
        ("<!-- open", ""),
        ("[[a|b|c]]", "c"),
        ("5 < 6 > 4", "5 < 6 > 4"),
    ],
)
def test_markup_that_never_closes(text: str, wanted: str) -> None:
    assert plain_text(text) == wanted


@pytest.mark.parametrize(
    "part", ["{{", "}}", "[[", "{|\n", "<ref>", "<!--", "[http://a ", "''", "= ", "<a ", "{{a|[["]
)
def test_long_random_markup_is_read(part: str) -> None:
    assert len(plain_text(part * 20_000)) <= len(part) * 20_000


PARTS = (
    "{{",
    "}}",
    "[[",
    "]]",
    "{|",
    "|}",
    "|",
    "<ref>",
    "</ref>",
    "==",
    "'''",
    "ab",
    ":",
    "*",
    "\n",
)


@settings(max_examples=200)
@given(st.lists(st.sampled_from(PARTS)))
def test_plain_text_adds_nothing(parts: list[str]) -> None:
    text = plain_text("".join(parts))
    assert text.count("ab") <= parts.count("ab")
    assert len(text) <= len("".join(parts)) + 2 * parts.count("==")
