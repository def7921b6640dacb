"""The subset of Markdown for lessons: paragraphs, lists, *emphasis*, **strong**, `code`, links,
formulas on lines of their own.

Texts contain ``{name}`` for values that are measured later. Until then, a page leaves out the
sentences that mention them (``without_holes``); elsewhere, a missing value is shown as “…”.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workbench.session.export.markup import text as escaped

UNKNOWN = "…"
_PLACEHOLDER = re.compile(r"\{([a-z][a-z0-9-]*)\}")
# The end of a sentence; a decimal point isn’t followed by a space.
_END = re.compile(r"(?<=[.!?])(?=\s)|(?<=[.!?][)”“*])(?=\s)")
_ITEM = re.compile(r"\s*[-*]\s+(.*)")
_CODE = re.compile(r"`([^`]+)`")
_PLAIN_MARKS = {"item": "• ", "formula": "    "}
_STRONG = re.compile(r"\*\*(?=\S)(.+?)(?<=\S)\*\*")
_EMPHASIS = re.compile(r"(?<![\w*])\*(?=\S)([^*]+?)(?<=\S)\*(?![\w*])")
_STYLED = re.compile(
    r"`(?P<code>[^`]+)`|\*\*(?=\S)(?P<strong>.+?)(?<=\S)\*\*|"
    r"(?<![\w*])\*(?=\S)(?P<emphasis>[^*]+?)(?<=\S)\*(?![\w*])"
)
_LINK = re.compile(r"\[([^\]]+)\]\((https?://[^\s)]+)\)")


@dataclass(frozen=True)
class MarkdownBlock:
    """A block. ``kind`` is "text", "item" or "formula"; ``text`` its source, on one line, except
    formulas.
    """

    kind: str
    text: str


def blocks_of(lines: list[str]) -> tuple[MarkdownBlock, ...]:
    """Split lines into blocks. Paragraphs end at empty lines; lines that start with "-" are list
    items, indented lines continue an item.
    """
    found: list[MarkdownBlock] = []
    open_ = False
    for line in lines:
        item = _ITEM.fullmatch(line)
        if not line.strip():
            open_ = False
        elif item:
            found.append(MarkdownBlock("item", item[1].strip()))
            open_ = True
        elif open_:
            found[-1] = MarkdownBlock(found[-1].kind, f"{found[-1].text} {line.strip()}")
        else:
            found.append(MarkdownBlock("text", line.strip()))
            open_ = True
    return tuple(found)


def placeholders(blocks: tuple[MarkdownBlock, ...]) -> tuple[str, ...]:
    """The names in braces, in order, each once."""
    return tuple(
        dict.fromkeys(
            name for block in blocks for name in _PLACEHOLDER.findall(_CODE.sub("", block.text))
        )
    )


def sentences(text: str) -> list[str]:
    """Split a text into its sentences."""
    return _END.split(text)


def without_holes(
    blocks: tuple[MarkdownBlock, ...], values: Mapping[str, str]
) -> tuple[MarkdownBlock, ...]:
    """Remove the sentences and list items that mention values which aren't measured yet, and a
    sentence with a colon that introduces only what is removed.
    """
    found: list[MarkdownBlock] = []
    introduced = False
    for block in reversed(blocks):
        parts = sentences(block.text) if block.kind == "text" else [block.text]
        kept = [
            each
            for each in parts
            if all(name in values for name in placeholders((MarkdownBlock("text", each),)))
        ]
        if kept and kept[-1] is parts[-1] and kept[-1].endswith(":") and introduced:
            kept = kept[:-1]
        if text := "".join(kept).strip():
            found.append(MarkdownBlock(block.kind, text))
            introduced = False
        elif block.kind != "item" or not found or found[-1].kind != "item":
            # Nothing is left to introduce, unless later items of the same list stay.
            introduced = True
    return tuple(reversed(found))


def to_html(blocks: tuple[MarkdownBlock, ...], values: Mapping[str, str]) -> str:
    """HTML for web pages and for Qt's labels; values are bold."""
    parts: list[str] = []
    listed = False
    for block in blocks:
        if listed != (block.kind == "item"):
            parts.append("</ul>" if listed else "<ul>")
            listed = not listed
        inner = inline_html(block.text, values)
        if block.kind == "item":
            parts.append(f"<li>{inner}</li>")
        elif block.kind == "formula":
            parts.append(f'<p class="formula">{inner.replace(chr(10), "<br>")}</p>')
        else:
            parts.append(f"<p>{inner}</p>")
    return "".join([*parts, "</ul>" if listed else ""])


def inline_html(text: str, values: Mapping[str, str]) -> str:
    """One line of text as HTML."""

    def fill_placeholder(match: re.Match[str]) -> str:
        return f"<b>{escaped(values.get(match[1], UNKNOWN))}</b>"

    def style_text(plain: str) -> str:
        html = escaped(plain)
        html = _LINK.sub(r'<a href="\2">\1</a>', html)
        html = _EMPHASIS.sub(r"<i>\1</i>", _STRONG.sub(r"<b>\1</b>", html))
        return _PLACEHOLDER.sub(fill_placeholder, html)

    return _around_code(text, style_text, lambda code: f"<code>{escaped(code)}</code>")


def to_plain(blocks: tuple[MarkdownBlock, ...], values: Mapping[str, str]) -> str:
    """Plain text for a terminal: one line per paragraph, separated by empty lines."""
    parts = []
    for block in blocks:
        inner = inline_plain(block.text, values)
        parts.append(_PLAIN_MARKS.get(block.kind, "") + inner)
    return "\n\n".join(parts)


def inline_plain(text: str, values: Mapping[str, str]) -> str:
    """One line of text without markup."""

    def bare(plain: str) -> str:
        text_only = _LINK.sub(r"\1 (\2)", plain)
        text_only = _EMPHASIS.sub(r"\1", _STRONG.sub(r"\1", text_only))
        return _PLACEHOLDER.sub(lambda found: values.get(found[1], UNKNOWN), text_only)

    return _around_code(text, bare, lambda code: code)


def inline_parts(text: str) -> list[tuple[str, str]]:
    """One line of text as pairs of a style ("", "code", "strong", "emphasis") and a text without
    markup, which may contain placeholders, except in code. Of links, only their text is left.
    """
    parts: list[tuple[str, str]] = []
    plain, at = _LINK.sub(r"\1", text), 0
    for found in _STYLED.finditer(plain):
        parts.append(("", plain[at : found.start()]))
        style = next(name for name, inside in found.groupdict().items() if inside is not None)
        parts.append((style, found[style]))
        at = found.end()
    parts.append(("", plain[at:]))
    return [part for part in parts if part[1]]


def _around_code(text: str, outside: Callable[[str], str], inside: Callable[[str], str]) -> str:
    """Apply ``outside`` to the text and ``inside`` to the code in it, which has no markup."""
    parts, at = [], 0
    for found in _CODE.finditer(text):
        parts += [outside(text[at : found.start()]), inside(found[1])]
        at = found.end()
    return "".join([*parts, outside(text[at:])])
