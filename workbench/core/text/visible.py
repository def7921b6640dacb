"""Safe display of foreign texts, such as words, names and lines of files: on a terminal, in XML, in
a sentence.

A terminal executes control characters, direction marks change how adjacent text reads, and XML
can't represent them. Users see an escape sequence: ``\\x1b`` for an escape character. Other
programs get the text itself.
"""

from __future__ import annotations

import html
import re
import unicodedata

# Control characters (also the second set, 0x80 to 0x9F), marks, overrides and isolates of
# direction, line and paragraph separators, surrogates, annotation and byte order marks, tags, and
# code points that aren’t characters.
_HIDDEN = (
    "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e007f"
)
_ANY = re.compile(f"[{_HIDDEN}]")
# The escapes of JSON, which escapes the first row by itself.
_SHORT = {"\n": r"\n", "\r": r"\r", "\t": r"\t"}


def visible(text: str) -> str:
    """A text on one line with visible control characters, such as ``\\n``, ``\\x1b``, ``\\u202e``;
    all other characters stay.
    """
    if text.isascii() and text.isprintable():
        return text
    return _ANY.sub(_escape_match, text)


def terminal_columns(text: str) -> int:
    """Number of columns that a text takes on a terminal: two for a wide East Asian character, none
    for a combining mark.
    """
    if text.isascii():
        return len(text)
    return sum(
        0
        if unicodedata.category(letter) in ("Mn", "Me", "Cf")
        else 1 + (unicodedata.east_asian_width(letter) in "WF")
        for letter in text
    )


def visible_lines(text: str) -> str:
    """A text of several lines with visible control characters; line ends and tabs stay."""
    return _ANY.sub(_escape_match_in_lines, text)


def xml_text(text: str) -> str:
    """A text for one line of an XML or HTML document, also within quotes."""
    # Not xml.sax.saxutils, which loads all modules for opening URLs, including OpenSSL.
    return html.escape(visible(text)).replace("&#x27;", "&apos;")


def json_escaped(text: str) -> str:
    """An equivalent JSON document with escapes for hidden characters."""
    return _ANY.sub(_escape_match_for_json, text)


def _escape_match(found: re.Match[str]) -> str:
    letter = found[0]
    if letter in _SHORT:
        return _SHORT[letter]
    code = ord(letter)
    if code < 0x100:
        return f"\\x{code:02x}"
    if code < 0x10000:
        return f"\\u{code:04x}"
    return f"\\U{code:08x}"


def _escape_match_in_lines(found: re.Match[str]) -> str:
    if found[0] in "\n\t":
        return found[0]
    return _escape_match(found)


def _escape_match_for_json(found: re.Match[str]) -> str:
    letter = found[0]
    if letter == "\n":
        return letter
    units = letter.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
