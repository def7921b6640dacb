"""Numeric character references of any length: Python's ``html.unescape`` fails at a number of
more than 4,300 digits.
"""

from __future__ import annotations

import re

_LONG = re.compile(r"&#(\d{8,})")
_OPEN = re.compile(r"&(?:#\d*)?")
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
