"""Markdown (CommonMark 0.31, with the front matter and links of note-taking programs): the text
without addresses of links, blocks of code, and metadata.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from workbench.core.language import tr
from workbench.corpus.readers.base import BLOCK, Document, Reader
from workbench.corpus.readers.records import lines

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
# The address of a reference, the label of a note before its text, and a line of a table.
_DEFINITION = re.compile(r" {0,3}\[[^\[\]^][^\[\]]{0,200}\]:\s*\S")
_NOTE = re.compile(r" {0,3}\[\^[^\[\]\s]{1,100}\]:\s*")
_ADDRESS = (
    r"\((?:[^()\s]|\([^()\s]{0,500}\)){0,2000}(?:\s+(?:\"[^\"]{0,500}\"|'[^']{0,500}'))?\s*\)"
)
_LINK = re.compile(
    rf"!?\[((?:[^\[\]]|\[[^\[\]]{{0,500}}\]){{0,2000}})\](?:{_ADDRESS}|\[[^\[\]]{{0,200}}\])"
)
_WIKI_LINK = re.compile(r"!?\[\[([^\[\]|]{1,300})(?:\|([^\[\]]{1,300}))?\]\]")
# A picture or another file in its place.
_EMBEDDED = re.compile(r"!\[\[[^\[\]|]{1,300}\.\w{2,5}(?:\|[^\[\]]{1,300})?\]\]")
_REFERENCE = re.compile(r"\[\^[^\[\]\s]{1,100}\]")
_AUTOMATIC = re.compile(
    r"<(?:[a-z][a-z0-9+.-]{1,30}:[^<>\s]{0,2000}|[^<>\s@]{1,200}@[^<>\s]{1,200})>", re.IGNORECASE
)
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9-]{0,30}(?:\s[^<>]{0,1000})?/?>|<!--.{0,2000}?-->")


class Markdown(Reader):
    key = "markdown"
    title = tr("Markdown text")
    suffixes = (".md", ".markdown")

    @classmethod
    def detect(cls, document: Document) -> bool:
        return document.suffix in cls.suffixes

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        waiting: list[str] = []
        size = 0
        fence = ""
        metadata = left_out = False
        for number, line in lines(document):
            size += len(line)
            if size > BLOCK // 4:
                yield "".join(waiting).encode(errors="replace")
                waiting, size = [], 0
            mark = line.strip()
            if number == 1 and mark == "---":
                metadata = left_out = True
            elif metadata:
                metadata = mark not in ("---", "...")
            elif fence:
                if mark.startswith(fence) and not mark.strip(fence[0]):
                    fence = ""
            elif found := _FENCE.match(line):
                fence, left_out = found[1], True
            elif not _DEFINITION.match(line):
                waiting.append(plain_line(line))
        yield "".join(waiting).encode(errors="replace")
        if left_out:
            document.note(tr("Blocks of code and metadata were left out."))


def plain_line(line: str) -> str:
    """A line without addresses, tags and marks of notes."""
    if "[" in line:
        line = _REFERENCE.sub("", _NOTE.sub("", line))
        line = _EMBEDDED.sub("", line)
        line = _WIKI_LINK.sub(lambda found: found[2] or found[1], line)
        # A picture may be in a link.
        for _ in range(2):
            line = _LINK.sub(r"\1", line)
    if "<" in line:
        line = _TAG.sub("", _AUTOMATIC.sub(" ", line))
    return line
