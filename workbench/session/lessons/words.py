"""Words of a lesson step that the open text or the active run lacks.

A control shows nothing for an unknown word, so such a lesson would show an empty panel.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from workbench.analysis.neighbours.query_resolution import find
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus
from workbench.session.lessons.actions import Ask, LessonAction, LinesAction, Put, Select
from workbench.vectors.embeddings import Embeddings

# The controls that take words, by object name, and whether the words are looked up in the active
# run (or in the text alone). A test compares them with the window’s fields for words.
CONTROLS = {
    "analogy.a": True,
    "analogy.b": True,
    "analogy.c": True,
    "evaluate.odd.words": True,
    "inside.tree.given": True,
    "inside.tree.word": True,
    "map.axis.across.pairs": True,
    "map.axis.bottom": True,
    "map.axis.left": True,
    "map.axis.right": True,
    "map.axis.top": True,
    "map.axis.up.pairs": True,
    "matrix.words": True,
    "neighbours.word": True,
    "pair.context_word": False,
    "pair.word": False,
    "relations.typed": True,
    "relations.word": True,
    "time.answer": True,
    "weights.ratios.a": False,
    "weights.ratios.b": False,
    "weights.ratios.probes": False,
}
# Separators of words: spaces, commas, the slashes of pairs and the signs of sums.
_SEPARATED = re.compile(r"(?:\s|,|/|(?<=\s)[-−+](?=\s))+")


@dataclass(frozen=True)
class UnknownInStep:
    """A word that ``place`` does not have, named in ``line`` of the lesson's file."""

    line: int
    word: str
    place: str

    def __str__(self) -> str:
        return tr("“{word}” isn’t in {place}", word=self.word, place=self.place)


def unknown_words(
    action: LessonAction, corpus: Corpus | None, seen: tuple[str, Embeddings] | None
) -> list[UnknownInStep]:
    """Words of an action that the text lacks, or the active run (``seen``: its name and
    vectors).
    """
    words, in_run = _words_of(action)
    there = set(corpus.words) if words and corpus is not None else set()
    found = []
    for word in words:
        if in_run and seen is not None:
            if not _has_vector(seen[1], word):
                found.append(
                    UnknownInStep(action.line, word, tr("the vocabulary of “{name}”", name=seen[0]))
                )
        elif corpus is not None and word not in there:
            found.append(
                UnknownInStep(action.line, word, tr("the text “{name}”", name=corpus.name))
            )
    return found


def _words_of(action: LessonAction) -> tuple[Iterable[str], bool]:
    """The words that an action names, and whether they are looked up in a run."""
    match action:
        case Select():
            return action.words, False
        case Ask():
            return (action.a, action.b, action.c), True
        case LinesAction():
            return [word for word in (action.word, action.near) if word], False
        case Put() if action.widget in CONTROLS:
            return [word for word in _SEPARATED.split(action.value) if word], CONTROLS[
                action.widget
            ]
    return (), False


def _has_vector(model: Embeddings, word: str) -> bool:
    """Whether a run has a vector for a word, stored or computed from n-grams."""
    try:
        find(model, word)
    except UserError:
        return False
    return True
