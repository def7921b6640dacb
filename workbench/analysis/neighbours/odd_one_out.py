"""Odd one out: the word that differs most from the rest of a few words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.analogy.questions import Questions
from workbench.analysis.neighbours.ranking import unit_rows
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.suggestions import unknown_words
from workbench.vectors.embeddings import Embeddings

# Number of words from one section that are shown with one word from another.
_ALIKE = 4


@dataclass(frozen=True)
class OddOneOut:
    """The given words, each with its mean cosine to the others, and the index of the odd one.

    left_out : words that the model does not know
    """

    words: tuple[str, ...]
    scores: tuple[float, ...]
    odd: int
    left_out: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        return self.words[self.odd]

    @property
    def margin(self) -> float:
        """Margin to the next candidate; near 0, the answer is a toss-up."""
        others = [score for place, score in enumerate(self.scores) if place != self.odd]
        return min(others) - self.scores[self.odd]


def odd_one_out(embeddings: Embeddings, words: Sequence[str]) -> OddOneOut:
    """The word with the lowest mean cosine to the others, the first of equal ones.

    The mean cosine to the others gives the same order as the cosine with the common centre. Unknown
    words are left out if three others are known. Raises UserError for fewer than three different
    words and for a word without a vector; and UnknownWord.
    """
    found = {word: embeddings.find(word) for word in words}
    rows = list(dict.fromkeys(row for row in found.values() if row is not None))
    unknown = [word for word, row in found.items() if row is None]
    if len(rows) < 3 and unknown:
        raise unknown_words(unknown, embeddings.words)
    if len(rows) < 3:
        raise UserError(
            tr("The odd one out needs at least three different words."),
            tr("Enter at least three words."),
        )
    for row in rows:
        if not embeddings.has_vector[row]:
            raise UserError(
                tr("The vector of “{word}” is zero.", word=embeddings.words[row]),
                tr("Choose another word."),
            )
    unit = unit_rows(embeddings, rows).astype(np.float64)
    cosines = unit @ unit.T
    scores = (cosines.sum(axis=1) - np.diagonal(cosines)) / (len(rows) - 1)
    return OddOneOut(
        tuple(embeddings.words[row] for row in rows),
        tuple(float(one) for one in scores),
        int(np.argmin(scores)),
        tuple(unknown),
    )


@dataclass(frozen=True)
class OddQuestion:
    """Words of one kind and an intruder among them, made from a question file."""

    section: str
    words: tuple[str, ...]
    intruder: str


def odd_questions(
    questions: Questions, section: str, number: int = 20, seed: int = 1
) -> tuple[OddQuestion, ...]:
    """Up to ``number`` sets: four words from one column of a section, and one from another section.

    The intruder isn't in any pair of the section. Deterministic for a given ``seed``. Empty if the
    file has no other section, or the section fewer than four words per column.
    """
    columns = _columns(questions, section)
    own = {word for column in columns for word in column}
    strangers = sorted(
        {w for name in questions.sections for c in _columns(questions, name) for w in c} - own
    )
    columns = [column for column in columns if len(column) >= _ALIKE]
    if not strangers or not columns:
        return ()
    random = np.random.default_rng(seed)
    new_questions = []
    for at in range(number):
        column = columns[at % len(columns)]
        alike = [column[i] for i in random.choice(len(column), _ALIKE, replace=False)]
        intruder = strangers[int(random.integers(len(strangers)))]
        place = int(random.integers(_ALIKE + 1))
        new_questions.append(
            OddQuestion(section, (*alike[:place], intruder, *alike[place:]), intruder)
        )
    return tuple(new_questions)


def _columns(questions: Questions, section: str) -> list[list[str]]:
    """The distinct first and second words of a section's pairs, in order."""
    at = questions.sections.index(section)
    rows = [
        words
        for words, place in zip(questions.words, questions.section, strict=True)
        if place == at
    ]
    return [list(dict.fromkeys(row[i] for row in rows)) for i in (0, 1)]
