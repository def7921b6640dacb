"""Answers to an analogy: their computation, notes beside them, and texts for the clipboard."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.analysis.analogy.rare_words import Occurrences, occurrences
from workbench.analysis.analogy.solver import Answer, solve
from workbench.analysis.neighbours.query_resolution import Query, find
from workbench.core.errors import UnknownWord
from workbench.core.language import tr
from workbench.core.table_export import Cell, to_csv
from workbench.corpus.suggestions import unknown_words
from workbench.ui.base.text import MINUS, count, true_minus
from workbench.ui.widgets.inputs.query_history import Asked
from workbench.vectors.embeddings import Embeddings

_ANSWERS = 8
METHODS = (
    ("3cosadd", "3CosAdd", tr("The word nearest to a − b + c.")),
    (
        "3cosmul",
        "3CosMul",
        tr("Products instead of sums, so that no single term outweighs the others."),
    ),
)


@dataclass(frozen=True)
class AnalogyResult:
    """Answers; ``query`` has the words as the vocabulary writes them, ``unseen`` those composed of
    n-grams, ``counted`` the occurrences of those in the vocabulary and of the best answer.
    """

    query: Asked
    answers: tuple[Answer, ...]
    unseen: tuple[str, ...]
    method: str
    exclude: bool
    restrict: int
    counted: tuple[Occurrences, ...] = ()

    @property
    def few(self) -> tuple[Occurrences, ...]:
        """The words that are too rare for the answers to mean much."""
        return tuple(one for one in self.counted if one.few)


def solve_analogy(
    embeddings: Embeddings, words: Asked, method: str, exclude: bool, restrict: int
) -> AnalogyResult:
    """Answer an analogy. Raises UnknownWord, and UserError like ``solve``."""
    unknown: list[str] = []
    queries: list[Query] = []
    for word in words:
        try:
            queries.append(find(embeddings, word))
        except UnknownWord:
            unknown.append(word)
    if unknown:
        raise unknown_words(list(dict.fromkeys(unknown)), embeddings.words)
    a, b, c = (query.word for query in queries)
    unseen = tuple(dict.fromkeys(query.word for query in queries if query.unseen))
    answers = solve(embeddings, a, b, c, method, _ANSWERS, exclude, restrict)
    # A rare word is near to anything, and so it often answers.
    best = (answer.word for answer in answers[:1])
    counted = occurrences(embeddings, (a, b, c, *best))
    return AnalogyResult((a, b, c), answers, unseen, method, exclude, restrict, counted)


def answer_notes(solved: AnalogyResult) -> str:
    """Notes on the answers: unseen words and the number of candidates."""
    notes = []
    if solved.unseen:
        notes.append(
            tr("Out of vocabulary, built from n-grams: {words}", words=", ".join(solved.unseen))
        )
    if solved.restrict:
        notes.append(tr("Among the {number} most frequent words", number=count(solved.restrict)))
    return " · ".join(notes)


def as_text(solved: AnalogyResult) -> str:
    """The question and a line for each answer with its score, to paste into a message or notes."""
    a, b, c = solved.query
    name = next(name for value, name, _ in METHODS if value == solved.method)
    lines = [f"{answer.word}\t{true_minus(f'{answer.score:.4f}')}" for answer in solved.answers]
    return "\n".join([f"{a} {MINUS} {b} + {c} ({name})", *lines]) + "\n"


def as_csv(solved: AnalogyResult) -> str:
    """A row for each answer with the question, its rank and its score."""
    rows: list[list[Cell]] = [
        [*solved.query, solved.method, place, one.word, one.score]
        for place, one in enumerate(solved.answers, 1)
    ]
    return to_csv(["a", "b", "c", "method", "place", "answer", "score"], rows)
