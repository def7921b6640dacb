"""Sentences after their numbers and a tab, one per line, as in the Leipzig Corpora Collection."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from workbench.core.language import tr
from workbench.corpus.readers.base import Document, Reader
from workbench.corpus.readers.records import beginning, blocks, lines

_NUMBERED = re.compile(r"(\d{1,10})\t([^\t\n]*)\n?")
_SAMPLE = 200
_FEWEST = 2


class NumberedSentences(Reader):
    key = "numbered_sentences"
    title = tr("Numbered sentences (Leipzig Corpora)")
    order = 300

    @classmethod
    def detect(cls, document: Document) -> bool:
        rows = beginning(document).lstrip("\ufeff").split("\n")[:_SAMPLE]
        # The head may end within a line.
        found = [_NUMBERED.fullmatch(row) for row in rows[:-1] or rows]
        numbers = [int(row[1]) for row in found if row and any(map(str.isalpha, row[2]))]
        return len(numbers) == len(found) >= _FEWEST and all(
            two == one + 1 for one, two in pairwise(numbers)
        )

    @classmethod
    def read(cls, document: Document) -> Iterator[bytes]:
        yield from blocks(_sentences(document))
        document.note(tr("The numbers of the sentences were left out."))


def _sentences(document: Document) -> Iterator[str | None]:
    """The sentences; None for every 1,000 lines."""
    for number, line in lines(document):
        if number % 1000 == 0:
            yield None
        found = _NUMBERED.fullmatch(line.lstrip("\ufeff"))
        yield (found[2] if found else line).strip()
