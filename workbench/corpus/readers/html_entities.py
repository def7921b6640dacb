"""Numeric character references of any length: Python's ``html.unescape`` refuses to read a number
of 4,300 digits.
"""

from __future__ import annotations

import re

_LONG = re.compile(r"&#(\d{8,})")
_OPEN = re.compile(r"&(?:#\d*)?")
# No character has a number of nine digits: it is shown as U+FFFD, as browsers do.
_DIGITS = 9


def shorten_references(text: str) -> str:
    """``text`` with references of at most nine digits, which mean the same."""
    return _LONG.sub(lambda found: "&#" + (found[1].lstrip("0")[:_DIGITS] or "0"), text)


def split_open_reference(text: str) -> tuple[str, str]:
    """``bounded``, and apart from it a reference at the end that may continue in the text that
    follows.
    """
    text = shorten_references(text)
    at = text.rfind("&")
    if at >= 0 and _OPEN.fullmatch(text, at):
        return (text[:at], text[at:])
    return (text, "")
