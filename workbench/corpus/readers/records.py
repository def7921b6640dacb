"""Lines of limited length, and texts of records as paragraphs, shared by readers of tables and of
JSON.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.columns import MARK
from workbench.corpus.readers.base import BLOCK, Document
from workbench.corpus.readers.html_entities import unescape_plain

# Maximum characters of a row or field, which must be in memory as a whole.
LONGEST = 16 << 20

# Names of columns that usually contain written text, and of parents whose fields describe
# the author instead. Both weigh more than the length of the texts, unless it differs greatly.
_TEXT = frozenset(
    ["text", "full_text", "fulltext", "body", "content", "selftext", "message", "comment", "tweet"]
)
_AUTHOR = re.compile(r"(?:^|[._])(?:user|author|owner|profile|account|creator|sender|from)[._]")
_WEIGHT = 8.0


def beginning(document: Document) -> str:
    """The head of a document, decoded."""
    decided = document.decide()
    text = codecs.getincrementaldecoder(decided.codec)("replace").decode(
        document.head[decided.mark :]
    )
    return text.replace("\r\n", "\n").replace("\r", "\n")


def lines(document: Document) -> Iterator[tuple[int, str]]:
    """The lines of a document with their numbers from 1; each ends with LF, which also replaces CR
    LF and CR.

    Raises UserError for a line longer than LONGEST.
    """
    number = 1
    begun: list[str] = []
    held = 0
    after_cr = False
    for text in document.characters():
        if after_cr and text:
            # This is the second half of a CR LF that the end of a block cut in two.
            text = text.removeprefix("\n")
            after_cr = False
        if "\r" in text:
            after_cr = text.endswith("\r")
            text = text.replace("\r\n", "\n").replace("\r", "\n")
        parts = text.split("\n")
        for part in parts[:-1]:
            begun.append(part)
            yield number, "".join(begun) + "\n"
            number += 1
            begun, held = [], 0
        begun.append(parts[-1])
        held += len(parts[-1])
        if held > LONGEST:
            raise too_long(document.shown, number)
    if held:
        yield number, "".join(begun)


def too_long(shown: str, line: int) -> UserError:
    return UserError(
        tr(
            "Line {line:,} of {shown}, or a quotation that begins there, is longer than "
            "{longest:,} characters.",
            line=line,
            shown=shown,
            longest=LONGEST,
        ),
        tr("Check the quotation marks, or split the text into smaller parts."),
    )


def blocks(texts: Iterable[str | None]) -> Iterator[bytes]:
    """Each text as a paragraph, in blocks; empty texts count towards a block, and None ends one.

    Services export the posts of their users with HTML entities, which become characters. A text may
    begin with the MARK of its row.
    """
    waiting: list[str] = []
    size = seen = 0
    for text in texts:
        seen += 1
        if text:
            mark = MARK if text[0] == MARK else ""
            waiting.append(mark + unescape_plain(text).replace("\0", " ").replace(MARK, " "))
            size += len(text)
        if text is None or size > BLOCK // 4 or seen >= 4096:
            yield "".join(f"{text}\n\n" for text in waiting).encode(errors="replace")
            waiting, size, seen = [], 0, 0
    yield "".join(f"{text}\n\n" for text in waiting).encode(errors="replace")


def worth(name: str, texts: Iterable[str]) -> tuple[float, float]:
    """Amount of text in a column: words per cell, then letters per cell, both weighted by whether
    the column's name (a path with dots in JSON) means the text itself or its author.
    """
    words = letters = cells = 0
    for text in texts:
        cells += 1
        # Numbers, dates and addresses have no words.
        words += sum(
            part.isalpha() for part in (word.strip(".,;:!?\"'()") for word in text.split())
        )
        letters += sum(map(str.isalpha, text))
    weight = 1.0 / max(cells, 1)
    if name.strip().casefold() in _TEXT:
        weight *= _WEIGHT
    elif _AUTHOR.search(name.casefold()):
        weight /= _WEIGHT
    return (words * weight, letters * weight)
