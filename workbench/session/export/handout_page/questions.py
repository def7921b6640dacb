"""Analogies and the odd one out, which the page answers from the vectors."""

from __future__ import annotations

from workbench.core.language import mark as tr
from workbench.session.export.handout_page.section import PageSection

_ANALOGIES = {
    "analogies": tr("Analogies"),
    "analogy_note": tr(
        "“A is to B as C is to …”: the words nearest to B − A + C, without these three."
    ),
    "first": tr("A"),
    "second": tr("is to B"),
    "third": tr("as C"),
    "answers": tr("Answers"),
    "answers_to": tr("“{c}” is to …"),
    "three_words": tr("Enter three words to see the answers."),
    "no_direction": tr("B − A + C is the zero vector, so it has no nearest words."),
}
_ODD = {
    "odd": tr("Odd one out"),
    "odd_note": tr(
        "The word with the lowest mean cosine to the others. Enter at least three words."
    ),
    "odd_words": tr("Add a word"),
    "odd_answer": tr("“{word}” is the odd one out."),
    "odd_close": tr("The next candidate is only {margin} away: this is a toss-up."),
    "odd_mean": tr("Mean cosine to the others"),
    "remove": tr("Remove “{word}”"),
}


def analogies_section(examples: list[list[int]]) -> PageSection:
    """examples : triples of numbers of words to begin with."""
    return PageSection("analogies", ("analogies.js",), {"examples": examples}, texts=_ANALOGIES)


def odd_section(examples: list[list[int]]) -> PageSection:
    """examples : sets of numbers of words to begin with."""
    return PageSection("odd", ("odd.js",), {"examples": examples}, texts=_ODD)
