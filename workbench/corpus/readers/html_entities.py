"""HTML entities in texts, with numeric character references of any length: Python's
``html.unescape`` fails at a number of more than 4,300 digits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape, unescape

_LONG = re.compile(r"&#(\d{8,})")
_OPEN = re.compile(r"&(?:#\d*)?")
_ENTITY = re.compile(r"&(?:#\d+|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
# No character has a number of nine digits: such a number becomes U+FFFD, as in browsers.
_DIGITS = 9


def shorten_references(text: str) -> str:
    """``text`` with long references replaced by equivalent ones of at most nine digits."""
    return _LONG.sub(lambda found: "&#" + (found[1].lstrip("0")[:_DIGITS] or "0"), text)


def split_open_reference(text: str) -> tuple[str, str]:
    """Split ``text`` from a reference at its end that may continue in the following text; shorten
    both.
    """
    text = shorten_references(text)
    at = text.rfind("&")
    if at >= 0 and _OPEN.fullmatch(text, at):
        return (text[:at], text[at:])
    return (text, "")


def unescape_plain(text: str) -> str:
    """``text`` with its entities replaced. A text with another ampersand stays unchanged: nothing
    escaped it, so it is about entities.
    """
    if "&" not in text or len(_ENTITY.findall(text)) != text.count("&"):
        return text
    return unescape(shorten_references(text))


_NAMED = re.compile(r"&[^\s&;<>\"']{1,64};")
# The five that XML itself defines.
_OF_XML = frozenset(("amp", "lt", "gt", "quot", "apos"))
# Names of ISO sets and of older editions that HTML lacks.
_OLDER = {"longs": "ſ", "rdquor": "”", "ldquor": "„", "lsquor": "‚", "hyphen": "-", "blank": " "}


def name_characters(text: str, declared: Mapping[str, str]) -> tuple[str, int]:
    """``text`` of an XML document with named entities that are ``declared``, or that HTML defines,
    replaced by characters; and the number of unknown ones, which become U+FFFD.
    """
    unknown = 0

    def replace(found: re.Match[str]) -> str:
        nonlocal unknown
        name = found[0][1:-1]
        if name.startswith("#") or name in _OF_XML:
            return found[0]
        if name in declared:
            return escape(declared[name])
        character = _OLDER.get(name) or unescape(found[0])
        if character == found[0]:
            unknown += 1
            return "\ufffd"
        return character

    return _NAMED.sub(replace, text), unknown
