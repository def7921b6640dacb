"""Conversion of wikitext to plain text, one line per paragraph (mediawiki.org, Help:Formatting).

Removes templates, tables, references, files, categories and formulas; a link becomes its label.
Makes one pass for each kind of bracket, so the time is proportional to the length even with
unclosed brackets.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from html import unescape

from workbench.corpus.readers.html_entities import shorten_references

# Namespaces whose links aren’t words of the text, in lowercase; dumps declare further names.
DROPPED = frozenset(("file", "image", "media", "category"))

_COMMENTS = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
# Elements that are removed with their content.
_GONE = (
    "ref",
    "math",
    "gallery",
    "timeline",
    "syntaxhighlight",
    "source",
    "score",
    "imagemap",
    "chem",
    "style",
    "script",
    "hiero",
    "templatestyles",
    "mapframe",
    "graph",
    "includeonly",
    # Deleted text, and the readings of ruby annotations.
    "del",
    "rt",
    "rp",
    "rtc",
)
# Formulas stand between words without spaces.
_APART = frozenset(("math", "chem", "score", "hiero"))
_OPENING = re.compile(rf"<({'|'.join(_GONE)})\b[^<>]*?(/?)>", re.IGNORECASE)
_CLOSING = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in _GONE}
_TAGS = re.compile(r"</?[a-zA-Z][^<>]{0,2000}>")
_BREAKS = re.compile(
    r"<(?:br|hr|p|/p|div|/div|li|/li|tr|/tr|blockquote|/blockquote)\b[^<>]{0,2000}>", re.IGNORECASE
)
# "|}" ends a table, but "|}}" a template whose last part is empty.
_BRACES = re.compile(r"\{\{|\}\}|\{\||\|\}(?!\})")
_LINKS = re.compile(r"\[\[|\]\]")
_EXTERNAL = re.compile(
    r"\[(?:https?:|ftp:|mailto:)?//[^\s\[\]]++[ \t]*+([^\[\]\n]*+)\]|\[mailto:[^\s\[\]]++[ "
    r"\t]*+([^\[\]\n]*+)\]"
)
_ADDRESSES = re.compile(r"(?:https?|ftp)://[^\s<>\[\]{}|]+")
# Conversion between variants of a script (mediawiki.org, Writing systems/Syntax).
_VARIANTS = re.compile(r"-\{([^{}]*)\}-")
_QUOTES = re.compile(r"'''*")
_SWITCHES = re.compile(r"__[A-Z]{3,30}__")
_INDENTATION = 40
_DEEPEST = 20
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:-[a-z-]{2,12})?:[^|]+")
_EMPTY = re.compile(r"\(\s*+[,;:]?\s*+\)")
_LINES = re.compile(r"\n\s*\n\s*")


def plain_text(text: str, dropped: Collection[str] = DROPPED) -> str:
    """The words of a page. ``dropped``: namespaces, in lowercase, whose links are left out."""
    text = _without_elements(_COMMENTS.sub("", text))
    text = _VARIANTS.sub(_variant, text)
    text = _without_braces(text)
    text = _links(text, dropped)
    text = _EXTERNAL.sub(lambda found: found[1] or found[2] or "", text)
    if "://" in text:
        text = _ADDRESSES.sub("", text)
    text = _BREAKS.sub("\n", text)
    text = _TAGS.sub("", text)
    text = _SWITCHES.sub("", _QUOTES.sub("", text))
    # References may be nested: dumps write a space as "&amp;nbsp;".
    text = unescape(shorten_references(text)).replace("\xa0", " ").replace("\t", " ")
    while "  " in text:
        text = text.replace("  ", " ")
    text = _EMPTY.sub("", text)
    return _LINES.sub("\n\n", "\n".join(map(_line, text.split("\n")))).strip()


def _variant(found: re.Match[str]) -> str:
    """The first variant, such as the simplified one; nothing for rules that print nothing."""
    flags, bar, text = found[1].rpartition("|")
    if bar and set(flags.upper()) & set("HT-"):
        return ""
    return text.partition(";")[0].rpartition(":")[2].strip()


def _line(line: str) -> str:
    """A line without the marks of headings, lists and rules."""
    line = line.strip()
    if line.startswith("=") and line.endswith("="):
        # A heading is a paragraph of its own.
        return f"\n{line.strip('= ')}\n"
    if line.startswith("----"):
        line = line.lstrip("-")
    if line.startswith(("*", "#", ":", ";")):
        return line.lstrip("*#:; ")
    return line


def _without_elements(text: str) -> str:
    """Remove the elements of _GONE; of an element that is never closed, only the tag."""
    parts: list[str] = []
    at = 0
    unclosed: set[str] = set()
    while True:
        opened = _OPENING.search(text, at)
        if opened is None:
            return "".join([*parts, text[at:]])
        parts.append(text[at : opened.start()])
        at = opened.end()
        name = opened[1].lower()
        if opened[2] or name in unclosed:
            continue
        closed = _CLOSING[name].search(text, at)
        if closed is None:
            unclosed.add(name)
        else:
            at = closed.end()
            if name in _APART:
                parts.append(" ")


def _without_braces(text: str) -> str:
    """Remove {{templates}} and {| tables |}, also nested ones; unclosed brackets become spaces."""
    pieces: list[str] = []
    # For every open bracket: its kind, and the number of pieces before it.
    opened: list[tuple[str, int]] = []
    at = 0
    for found in _BRACES.finditer(text):
        kind = found[0]
        if kind in ("{|", "|}") and not _begins_line(text, found.start()):
            continue
        pieces.append(text[at : found.start()])
        at = found.end()
        if kind in ("{{", "{|"):
            opened.append((kind, len(pieces)))
            continue
        wanted = "{{" if kind == "}}" else "{|"
        # A template that is left open in a table ends with the table.
        while (
            opened
            and wanted == "{|"
            and opened[-1][0] != wanted
            and any(each[0] == wanted for each in opened[-8:])
        ):
            opened.pop()
        if opened and opened[-1][0] == wanted:
            del pieces[opened.pop()[1] :]
    pieces.append(text[at:])
    return "".join(pieces)


def _begins_line(text: str, at: int) -> bool:
    """Whether only spaces and indentation marks precede a position in its line."""
    before = text[max(at - _INDENTATION, 0) : at].rpartition("\n")[2]
    return not before.strip(" \t:*#")


def _links(text: str, dropped: Collection[str]) -> str:
    """Replace [[page|label]] by its label, and remove links to ``dropped`` namespaces and other
    languages.
    """
    pieces: list[str] = []
    opened: list[int] = []
    at = deeper = 0
    for found in _LINKS.finditer(text):
        pieces.append(text[at : found.start()])
        at = found.end()
        if found[0] == "[[":
            # The content of a link is processed again by every enclosing link, of which a text has
            # two or three.
            if len(opened) < _DEEPEST:
                opened.append(len(pieces))
            else:
                deeper += 1
        elif deeper:
            deeper -= 1
        elif opened:
            begin = opened.pop()
            inside = "".join(pieces[begin:])
            del pieces[begin:]
            pieces.append(_label(inside, dropped))
    pieces.append(text[at:])
    return "".join(pieces)


def _label(inside: str, dropped: Collection[str]) -> str:
    target, bar, label = inside.partition("|")
    space, colon, _ = target.partition(":")
    if colon and space.strip().lower() in dropped:
        return ""
    if not bar and _LANGUAGE.fullmatch(target):
        return ""
    if bar:
        return label.rpartition("|")[2]
    return target.removeprefix(":")
