"""Groups of words that supervise a layout: the categories of a column, or the sections of a
question file.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.projection.word_attributes import WordAttribute
from workbench.core.arrays import Ints
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings

T = TypeVar("T")
# A column with more different values isn't a grouping.
MOST_GROUPS = 100


@dataclass(frozen=True)
class WordGroups:
    """Labels of words by word, as written in their file; ``order`` contains every label."""

    name: str
    labels: Mapping[str, str]
    order: tuple[str, ...]

    def __hash__(self) -> int:
        return hash((self.name, self.order))

    def numbers(self, embeddings: Embeddings, words: list[str]) -> Ints:
        """int64[n], the place of each word’s label in ``order``; −1 for words without one. Raises
        UserError if fewer than two groups have words.
        """
        places = {label: place for place, label in enumerate(self.order)}
        found = np.full(len(words), -1, dtype=np.int64)
        labels = by_row(embeddings, self.labels)
        for row, word in enumerate(words):
            if word in labels:
                found[row] = places[labels[word]]
        if len(np.unique(found[found >= 0])) < 2:
            raise UserError(
                tr("Fewer than two groups of {name} contain words of the map.", name=self.name),
                tr("Choose other groups, or show more words."),
            )
        return found


def groups_of(source: WordAttribute | Questions, section: str = "") -> WordGroups | None:
    """The groups of a column or of a question file; None for a column without groups."""
    if not isinstance(source, WordAttribute):
        return groups_of_questions(source, section)
    with suppress(UserError):
        return groups_of_column(source)
    return None


def groups_of_column(column: WordAttribute) -> WordGroups:
    """The categories of a column, also if they are written as numbers. Raises UserError if there
    are too many for groups.
    """
    labels: dict[str, str] = dict(column.categories)
    labels |= {word: f"{number:g}" for word, number in column.numbers.items()}
    order = tuple(dict.fromkeys(labels.values()))
    if len(order) > MOST_GROUPS:
        raise UserError(
            tr(
                "{name} has {count:,} different values, too many for groups.",
                name=column.name,
                count=len(order),
            ),
            tr("Use a column with at most {most} categories.", most=MOST_GROUPS),
        )
    return WordGroups(column.name, labels, order)


def groups_of_questions(questions: Questions, section: str = "") -> WordGroups:
    """All sections (""), each word in the first section that contains it; or one section, by the
    position of the word in a question.
    """
    labels: dict[str, str] = {}
    for words, number in zip(questions.words, questions.section, strict=True):
        name = questions.sections[number]
        if section and name != section:
            continue
        for place, word in enumerate(words):
            if not section:
                label = name
            elif place % 2 == 0:
                label = tr("first and third word")
            else:
                label = tr("second and fourth word")
            labels.setdefault(word, label)
    return WordGroups(section or questions.name, labels, tuple(dict.fromkeys(labels.values())))


def by_row(embeddings: Embeddings, values: Mapping[str, T]) -> dict[str, T]:
    """Values by words as the model spells them; exact spellings take precedence over others."""
    found = {word: value for word, value in values.items() if word in embeddings}
    for word, value in values.items():
        row = embeddings.find(word)
        if row is not None:
            found.setdefault(embeddings.words[row], value)
    return found
