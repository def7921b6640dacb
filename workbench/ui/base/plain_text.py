"""Functions for text from outside the program, which is always shown as plain text, never rendered.

Qt interprets the text of a tooltip, a label or a message box as HTML if its beginning looks like
it, and loads any files that such HTML refers to. Words, lines of a corpus, names of files, runs and
columns, and error messages may contain anything. So every tooltip passes through ``safe_tip``,
every label is a ``PlainLabel``, and text with bold or line breaks is built by ``rich_tip`` or shown
in a ``RichLabel``; ``tests/ui/test_foreign_text.py`` finds text that bypasses them.
"""

from __future__ import annotations

import html
import re
import textwrap

from PySide6.QtCore import Qt
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QLabel, QWidget

# Maximum number of characters of a tooltip and of a label; nobody reads more, and Qt would lay out
# all of them.
TIP_LENGTH, LABEL_LENGTH = 2_000, 20_000
MENU_LENGTH, _PAINTED = 120, 1_000
_TIP_LINES, _LINE = 40, 120
# Zero-width non-joiner, which users don't see; after "<" it keeps Qt from taking what follows for
# the name of a tag.
_BREAK = "\u200c"
_CONTROL = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
# Line breaks, and the tab that separates keys in a menu.
_ENDS = re.compile(r"[\t\n\r\u2028\u2029]+")
_OWN_TAG = re.compile(
    r"<(?!/?(?:b|i|br|code|p|span|ul|li|table|tr|td|style|a href=\"https?://[^\"]*\"|a)\b[^<]*>)"
)
_LOADS = re.compile(r"url\s*\(|@import|background", re.IGNORECASE)


class RichText(str):
    """HTML in which all foreign text was escaped; only the functions of this module create it."""

    __slots__ = ()


def visible_text(text: str) -> str:
    """Replace control characters, and those that reverse, hide or join others, by visible symbols:
    ESC → "␛".

    Line breaks and tabs stay, and so do the two joiners that Persian, Hindi and emoji are written
    with.
    """
    return _CONTROL.sub(_visible_sign, text)


def truncate_text(text: str, most: int) -> str:
    """Cut off a text that is longer than anyone would read."""
    if len(text) <= most:
        return text
    return text[: most - 1] + "…"


def plain_text(text: str, most: int = TIP_LENGTH) -> str:
    """Make Qt show a text as plain, even where it chooses between plain and rich; its look is
    unchanged.
    """
    text = visible_text(truncate_text(text, most))
    if GuiQt.mightBeRichText(text):
        text = re.sub(r"[<&]", lambda found: found[0] + _BREAK, text)
    return text


def safe_tip(text: str) -> str:
    """Make a text a tooltip: plain, unless ``rich_tip`` made it; long lines are wrapped, long texts
    end in "…".
    """
    if isinstance(text, RichText):
        return text
    lines: list[str] = []
    for line in truncate_text(text, TIP_LENGTH).split("\n"):
        lines += textwrap.wrap(line, _LINE, expand_tabs=False, replace_whitespace=False) or [""]
    if len(lines) > _TIP_LINES:
        lines = [*lines[: _TIP_LINES - 1], "…"]
    return plain_text("\n".join(lines))


def rich_tip(title: str, *lines: str, symbol: str = "", width: int = 300) -> RichText:
    """A tooltip with a title in bold ("" for none) and lines of text; it is ``width`` pixels
    wide.
    """
    head = []
    if title:
        head = [
            f"<b>{_escape_html(title)}</b>" + (f" <i>{_escape_html(symbol)}</i>" if symbol else "")
        ]
    body = "<br>".join([*head, *(_escape_html(line) for line in lines)])
    return RichText(f"<div style='width: {width}px'>{body}</div>")


def paintable_text(text: str) -> str:
    """A text as painted in a cell or a picture: on one line, control characters visible, no longer
    than can be seen.
    """
    return visible_text(_ENDS.sub(" ", truncate_text(text, _PAINTED)))


def menu_text(text: str, most: int = MENU_LENGTH) -> str:
    """A text for a menu, a button or a tab: on one line, and without letters that become
    mnemonics.
    """
    return plain_text(_ENDS.sub(" ", text), most).replace("&", "&&")


def title_text(text: str) -> str:
    """A text for the title of a window, where Qt would take "[*]" for the mark of unsaved
    changes.
    """
    return plain_text(_ENDS.sub(" ", text), 2 * MENU_LENGTH).replace("[*]", "[*][*]")


class PlainLabel(QLabel):
    """A label whose text is never interpreted as HTML."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(visible_text(truncate_text(text, LABEL_LENGTH)))


class RichLabel(QLabel):
    """A label with HTML from the program; tags that it never writes are shown as text, and no files
    are loaded.
    """

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.RichText)
        self.setText(text)

    def setText(self, text: str) -> None:
        harmless = _LOADS.sub(
            lambda found: found[0][:1] + _BREAK + found[0][1:], visible_text(text)
        )
        super().setText(_OWN_TAG.sub("&lt;", harmless))


def _visible_sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    return f"[U+{code:04X}]"


def _escape_html(text: str) -> str:
    return html.escape(visible_text(truncate_text(text, TIP_LENGTH)))
