"""The word pairs of a relation: from a section of a question file, or typed."""

from __future__ import annotations

import re

from workbench.analysis.analogy.questions import Questions
from workbench.core.errors import UserError, shorten_text
from workbench.core.language import tr

Pair = tuple[str, str]

_ENTRIES = re.compile(r"[\n\r\u2028\u2029,;]+")
_WORDS = re.compile(r"(?:\s|:|→|->)+")


def section_pairs(questions: Questions, section: str) -> tuple[Pair, ...]:
    """The distinct pairs (a, b) and (c, d) of a section's questions a : b :: c : d, in the file's
    order.
    """
    at = questions.sections.index(section)
    pairs: dict[Pair, None] = {}
    for (a, b, c, d), place in zip(questions.words, questions.section, strict=True):
        if place == at:
            pairs.setdefault((a, b))
            pairs.setdefault((c, d))
    return tuple(pairs)


def parse_pairs(text: str) -> tuple[Pair, ...]:
    """ "man king, woman queen" → (("man", "king"), ("woman", "queen")), each once.

    Pairs are separated by commas, semicolons or line breaks, their words by spaces, colons or
    arrows; a text without commas is read two words at a time. Raises UserError naming the first
    entry that is not two different words.
    """
    entries = [[word for word in _WORDS.split(entry) if word] for entry in _ENTRIES.split(text)]
    entries = [entry for entry in entries if entry]
    if len(entries) == 1 and len(entries[0]) % 2 == 0:
        words = entries[0]
        entries = [words[at : at + 2] for at in range(0, len(words), 2)]
    pairs: dict[Pair, None] = {}
    for entry in entries:
        if len(entry) != 2:
            raise UserError(
                tr("“{name}” isn’t a pair of words.", name=shorten_text(" ".join(entry), 40)),
                tr("Write pairs such as: man king, woman queen."),
            )
        if entry[0] == entry[1]:
            raise UserError(
                tr("“{word}” is paired with itself.", word=shorten_text(entry[0], 40)),
                tr("Write pairs of different words, such as: man king, woman queen."),
            )
        pairs.setdefault((entry[0], entry[1]))
    return tuple(pairs)
