"""Corpora in SGML with a document after another: Reuters-21578, TREC and Gigaword (<DOC>), Europarl
(<CHAPTER>, <SPEAKER>) and the texts of COHA and COCA (@@number, <p>).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from workbench.core.language import tr
from workbench.corpus.readers.base import BLOCK, Document, Reader
from workbench.corpus.readers.html_entities import shorten_references
from workbench.corpus.readers.records import beginning, lines

_BEGINS = re.compile(
    r"\s*(?:<!DOCTYPE lewis\b[^<>]*>\s*)?(?:<REUTERS\b[^<>]*>|<DOC(?:\s+id=[^<>]*|\s*)>\s*"
    r"<(?:DOCNO|DOCID|HEADLINE|TEXT|DATE\w*|FILEID|HL|DATELINE)\b|<CHAPTER ID=|<SPEAKER ID=)",
    re.IGNORECASE,
)
# The number of a text and, in free samples, ten of its words in two hundred, which are signs.
_NUMBERED = re.compile(r"\s*(?:@@|##)\d{3,}\s")
_HIDDEN_WORDS = re.compile(r"(?:(?<!\S)@(?:\s+|$)){3,}")
_TAG = re.compile(r"<([/!]?)([A-Za-z][\w-]*)(?:\s[^<>]*)?/?>")
_CONTROL = re.compile(r"&#(?:[0-9]|[12][0-9]|3[01]);|[\x00-\x08\x0e-\x1f]")
# Elements that describe a text.
_ABOUT = frozenset(
    (
        *("docno", "docid", "fileid", "date", "date1", "date_time", "topics", "places", "people"),
        *("orgs", "exchanges", "companies", "unknown", "mknote", "dateline", "first", "second"),
        *("note", "byline", "doctype", "header", "in", "so", "co", "gv", "dd", "an", "pub", "page"),
        *("section", "length", "type", "subject", "copyright", "profile", "ht", "au", "author"),
    )
)
_SEVERAL_LINES = frozenset(("unknown", "byline", "note", "profile"))
_DOCUMENTS = frozenset(("doc", "reuters"))


class Sgml(Reader):
    key = "sgml"
    title = tr("SGML corpus (Reuters, TREC, Europarl, COHA)")
    suffixes = (".sgm", ".sgml")
    order = 200

    @classmethod
    def detect(cls, document: Document) -> bool:
        head = beginning(document).lstrip("\ufeff")
        numbered = _NUMBERED.match(head) is not None and "<p>" in head
        return numbered or _BEGINS.match(head) is not None

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        waiting: list[str] = []
        size = 0
        about = ""
        for _, line in lines(document):
            about, text = _plain(line, about)
            waiting.append(text)
            size += len(line)
            if size > BLOCK // 4:
                yield "".join(waiting).encode(errors="replace")
                waiting, size = [], 0
        yield "".join(waiting).encode(errors="replace")
        document.note(tr("Tags, and the elements that describe each text, were left out."))


def _plain(line: str, about: str) -> tuple[str, str]:
    """The open element that describes a text, "" for none, and the text of a line."""
    line = _NUMBERED.sub(" ", _CONTROL.sub(" ", line), count=1)
    parts: list[str] = []
    begin = 0
    for tag in _TAG.finditer(line):
        if not about:
            parts.append(line[begin : tag.start()])
        begin = tag.end()
        name = tag[2].casefold()
        if name in _DOCUMENTS or (tag[1] and name == about):
            # Some collections leave elements open.
            about = ""
        elif (
            not (tag[1] or about)
            and name in _ABOUT
            # Others that don’t end in their line may never end.
            and (name in _SEVERAL_LINES or f"</{tag[2]}" in line[begin:])
        ):
            about = name
        parts.append("\n")
    if not about:
        parts.append(line[begin:].rstrip("\n"))
    text = _HIDDEN_WORDS.sub("\n", unescape(shorten_references("".join(parts))))
    return about, "\n".join(part.strip() for part in text.split("\n")) + "\n"
