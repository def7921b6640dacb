"""A question of three words answered, in words and tables: what the bar of analogies shows and hands on."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.analysis.analogy import Answer, solve
from workbench.analysis.queries import Query, find, suggestion
from workbench.core.calling import quoted
from workbench.core.errors import UnknownWord, UserError
from workbench.core.language import tr
from workbench.core.tables import Cell, to_csv
from workbench.ui.text import MINUS, count, minus
from workbench.ui.widgets.asked import Asked
from workbench.vectors.embeddings import Embeddings

METHODS = (
    ("3cosadd", "3CosAdd", tr("The word nearest to a − b + c.")),
    ("3cosmul", "3CosMul", tr("Products instead of sums, so that no single term outweighs the others.")),
)
_ANSWERS = 8


@dataclass(frozen=True)
class Solved:
    """``query`` as the vocabulary writes the words; ``unseen`` those of them made of their n-grams."""

    query: Asked
    answers: tuple[Answer, ...]
    unseen: tuple[str, ...]
    method: str
    exclude: bool
    restrict: int


class UnknownWords(UserError):
    """words : as they were asked, each once"""

    def __init__(self, words: list[str], embeddings: Embeddings) -> None:
        *before, last = [f"“{word}”" for word in words]
        if before:
            message = tr("{words} and {last} are not in the vocabulary.", words=", ".join(before), last=last)
        else:
            message = tr("{word} is not in the vocabulary.", word=last)
            message = f"{message} {suggestion(embeddings.words, words[0])}".rstrip()
        super().__init__(
            message,
            tr(
                "Check the spelling. If the text contains the word, lower {min_count} and train again.",
                min_count=quoted("min_count"),
            ),
        )
        self.words = words


def solved(embeddings: Embeddings, words: Asked, method: str, exclude: bool, restrict: int) -> Solved:
    """Raises UnknownWords, and UserError as ``solve``."""
    unknown: list[str] = []
    queries: list[Query] = []
    for word in words:
        try:
            queries.append(find(embeddings, word))
        except UnknownWord:
            unknown.append(word)
    if unknown:
        raise UnknownWords(list(dict.fromkeys(unknown)), embeddings)
    a, b, c = (query.word for query in queries)
    unseen = tuple(dict.fromkeys(query.word for query in queries if query.unseen))
    answers = solve(embeddings, a, b, c, method, _ANSWERS, exclude, restrict)
    return Solved((a, b, c), answers, unseen, method, exclude, restrict)


def noted(solved: Solved) -> str:
    """What is to be known of the answers, besides them."""
    notes = [tr("Unseen, made of n-grams: {words}", words=", ".join(solved.unseen))] if solved.unseen else []
    if solved.restrict:
        notes.append(tr("Among the {number} most frequent words", number=count(solved.restrict)))
    return " · ".join(notes)


def as_text(solved: Solved) -> str:
    """The question and a line with each answer and its score, for a message or notes."""
    a, b, c = solved.query
    name = next(name for value, name, _ in METHODS if value == solved.method)
    lines = [f"{answer.word}\t{minus(f'{answer.score:.4f}')}" for answer in solved.answers]
    return "\n".join([f"{a} {MINUS} {b} + {c} ({name})", *lines]) + "\n"


def as_csv(solved: Solved) -> str:
    """A row with each answer, its place and its score, beside the question."""
    rows: list[list[Cell]] = [
        [*solved.query, solved.method, place, one.word, one.score] for place, one in enumerate(solved.answers, 1)
    ]
    return to_csv(["a", "b", "c", "method", "place", "answer", "score"], rows)
