"""Plain text, unchanged."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from workbench.core.errors import UserError, shorten_text
from workbench.core.language import tr
from workbench.core.text.encodings import UTF8, encoding_name, has_iso2022_escapes
from workbench.corpus.ingest.utf8 import NotUtf8
from workbench.corpus.readers.base import Document, Reader, not_text
from workbench.corpus.readers.safe_xml import root_element
from workbench.corpus.tokenise.text_repairs import PLACEHOLDER

_TAG = re.compile(rb"</?[A-Za-z][\w:-]*(?:\s[^<>]{0,500})?/?>")
# Comments, then the header, which is the translation of an empty text.
_CATALOGUE = re.compile(rb"(?:\xef\xbb\xbf)?(?:#[^\n]*\n|\s*\n)*msgid \"\"\r?\nmsgstr \"\"\r?\n\"")
# RFC 4155: a line about the delivery, then the header.
_MAILBOX = re.compile(
    rb"From \S+ [^\n]{0,60}\d{4}[^\n]{0,20}\r?\n(?:[A-Za-z][\w-]{1,40}:[^\n]*\n){2}"
)
# A text has tags if at least so many lines, and this share of its first ones, contain them.
_FEWEST_TAGGED, _MOST_TAGGED = 3, 0.02
# Minimum number of pages that show a running head.
_FEWEST_PAGES = 4
# A word and its count; number of lines that are examined, and their minimum.
_COUNT = re.compile(rb"\S+[ \t]+(\d{1,18})\s*")
_COUNTED, _FEWEST_COUNTED = 100, 8
_ENTITY = re.compile(rb"&(?:amp|quot|apos|nbsp|#39|#x27|#8217|#160);")
# Two bytes of UTF-8 that were read as Windows-1252 and encoded again: “Ã” or “Â” with a sign that
# follows no letter.
_TWICE = re.compile(
    rb"\xc3[\x82\x83]\xc2[\x80-\xbf]|\xc3\x83\xe2\x80[\x93-\xa1]|\xc3\xa2\xe2\x82\xac"
)


class Plain(Reader):
    key = "plain"
    title = tr("Plain text")
    suffixes = (".txt", ".text", ".rst", ".utf8", ".tok", ".sent")
    order = 1000  # after all other kinds

    @classmethod
    def detect(cls, document: Document) -> bool:
        return True

    @classmethod
    def promising(cls, document: Document) -> bool:
        return False

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        _refuse_other_kinds(document)
        _note_oddities(document)
        decided = document.decide()
        if decided.codec != UTF8 or document.checked:
            for text in document.characters():
                yield text.encode(errors="replace")
            return
        document.findings.encoding = encoding_name(UTF8)
        # Most text: not decoded here, because the tokeniser detects bytes that aren’t UTF-8.
        for block in document.bytes(decided.mark):
            if b"\0" in block:
                raise not_text(document.shown, tr("binary data (there are zero bytes)"))
            if has_iso2022_escapes(block):
                # ASCII that may encode other letters: decided when the text is read again.
                raise NotUtf8(0x1B, 0, 1)
            yield block


def _refuse_other_kinds(document: Document) -> None:
    """Raise UserError for text that isn’t meant to be read."""
    root = root_element(document.head, document.short)
    if root is not None:
        # Its tags and attributes would become words.
        raise not_text(
            document.shown,
            tr("an XML document with the root element “{root}”", root=shorten_text(root, 40))
            if root
            else tr("an XML document"),
        )
    if _CATALOGUE.match(document.head):
        raise UserError(
            tr(
                "{shown} is a catalogue of translations (gettext), whose keywords would become "
                "words.",
                shown=document.shown,
            ),
            tr("Convert the catalogue with “po2txt” of the Translate Toolkit first."),
        )
    if _MAILBOX.match(document.head):
        raise UserError(
            tr(
                "{shown} is a mailbox (mbox), whose headers would become words.",
                shown=document.shown,
            ),
            tr("Export its messages as text, for example with Python’s module mailbox."),
        )


def _note_oddities(document: Document) -> None:
    """Note what becomes words although it probably isn’t meant to."""
    if _has_tags(document.head):
        document.note(tr("Many lines contain tags such as <p>, which are read as words."))
    if _many_lines(_ENTITY, document.head):
        document.note(
            tr("Many lines contain HTML entities such as &amp;, which are read as words.")
        )
    if _many_lines(_TWICE, document.head):
        document.note(
            tr(
                "Many letters look as if the text had been encoded in UTF-8 twice: Ã© instead "
                "of é. They are read as they are."
            )
        )
    if _is_list_of_counts(document.head):
        document.note(
            tr(
                "Each line is a word and a number, as in a list of counts. The numbers are "
                "read as words, and each word counts once."
            )
        )
    head = _running_head(document.head)
    if head:
        document.note(
            tr(
                "Many pages begin with the line “{line}”, which is read as text.",
                line=shorten_text(head, 60),
            )
        )


def _running_head(head: bytes) -> str:
    """The line with which most pages begin, where form feeds separate them; "" if there is none."""
    pages = head.split(b"\f")[1:]
    if len(pages) < _FEWEST_PAGES:
        return ""
    first = Counter(page.strip().split(b"\n", 1)[0].strip(b" \t\r0123456789") for page in pages)
    line, number = first.most_common(1)[0]
    if line and 2 * number > len(pages):
        return line.decode(errors="replace")
    return ""


def _is_list_of_counts(head: bytes) -> bool:
    """Whether all first lines are a word and its count, the highest first."""
    lines = [line for line in head.split(b"\n")[:_COUNTED] if line.strip()]
    found = [_COUNT.fullmatch(line) for line in lines[: _COUNTED - 1]]
    counts = [int(each[1]) for each in found if each]
    return len(counts) == len(found) >= _FEWEST_COUNTED and counts == sorted(counts, reverse=True)


def _many_lines(pattern: re.Pattern[bytes], head: bytes) -> bool:
    """Whether many of the first lines contain a pattern."""
    if pattern.search(head) is None:
        return False
    lines = [line for line in head.split(b"\n") if line.strip()]
    matched = sum(pattern.search(line) is not None for line in lines)
    return matched >= _FEWEST_TAGGED and matched > _MOST_TAGGED * len(lines)


def _has_tags(head: bytes) -> bool:
    """Whether many of the first lines contain tags other than placeholders."""
    lines = head.split(b"\n")
    tagged = sum(
        any(PLACEHOLDER.fullmatch(tag) is None for tag in _TAG.findall(line))
        for line in lines
        if b"<" in line
    )
    return tagged >= _FEWEST_TAGGED and tagged > _MOST_TAGGED * len(lines)
