"""Texts from elsewhere are shown without effects."""

from __future__ import annotations

import json
import unicodedata
from xml.etree import ElementTree

import pytest

from workbench.core.text.visible import json_escaped, visible, visible_lines, xml_text


@pytest.fixture(scope="module")
def control_characters() -> list[str]:
    """Characters that affect a terminal or a text renderer, according to Unicode: controls, line
    and paragraph separators, surrogates, and format characters for direction, annotation, byte
    order and tags.
    """
    return [
        chr(code)
        for code in range(0x110000)
        if unicodedata.category(chr(code)) in ("Cc", "Zl", "Zp", "Cs")
        or unicodedata.bidirectional(chr(code))
        in ("LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI")
        or code in (0x61C, 0x200E, 0x200F, 0xFEFF, 0xFFF9, 0xFFFA, 0xFFFB, 0xFFFE, 0xFFFF)
        or (0xE0000 <= code < 0xE0080 and unicodedata.category(chr(code)) == "Cf")
    ]


def test_no_control_character_stays(control_characters: list[str]) -> None:
    text = "a" + "".join(control_characters) + "b"
    assert not set(visible(text)) & set(control_characters)
    assert set(visible_lines(text)) & set(control_characters) == {"\n", "\t"}
    assert not set(json_escaped(json.dumps(text, ensure_ascii=False))) & set(control_characters)
    assert not set(xml_text(text)) & set(control_characters)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("\n\r\t", r"\n\r\t"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\x9b", r"\x9b"),
        ("a\u202eb", r"a\u202eb"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
        ("naïve 😀 שלום‍ \\", "naïve 😀 שלום‍ \\"),
        ("", ""),
    ],
)
def test_control_characters_are_shown_as_escapes(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_line_breaks_and_tabs_stay_but_carriage_returns_do_not() -> None:
    assert visible_lines("a\tb\nc\r\x1bd\u2028") == "a\tb\nc\\r\\x1bd\\u2028"


@pytest.mark.parametrize(
    "text", ["\u202e\x9b\ufeff", "\U000e0041 tag", "\ud800 half", "\x1b\n\t\r", "😀 é"]
)
def test_json_keeps_the_text(text: str) -> None:
    for ascii_only in (True, False):
        assert json.loads(
            json_escaped(json.dumps({text: [text]}, ensure_ascii=ascii_only, indent=1))
        ) == {text: [text]}


def test_xml_text_contains_no_markup() -> None:
    text = "<a> & \"b\" 'c' \x1b"
    element = ElementTree.fromstring(
        f"<x y=\"{xml_text(text)}\" z='{xml_text(text)}'>{xml_text(text)}</x>"
    )
    assert element.get("y") == element.get("z") == element.text == "<a> & \"b\" 'c' \\x1b"
