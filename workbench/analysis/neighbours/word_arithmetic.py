"""Neighbours of a sum of words such as king − man + woman, as typed into one field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.neighbours.nearest import Neighbour, nearest
from workbench.analysis.neighbours.query_resolution import find_vector
from workbench.core.language import MINUS
from workbench.vectors.embeddings import Embeddings

# Operators typed between words to add or subtract them.
SIGNS = {"+": 1, "-": -1, MINUS: -1, "–": -1}


@dataclass(frozen=True)
class Term:
    """A word of a sum; ``sign`` is 1 or −1."""

    word: str
    sign: int = 1


def terms_of(texts: Sequence[str]) -> tuple[Term, ...]:
    """Parse words and signs in the typed order; a word without a sign before it is added."""
    terms, sign = [], 1
    for text in texts:
        if text in SIGNS:
            sign = SIGNS[text]
        else:
            terms.append(Term(text, sign))
            sign = 1
    return tuple(terms)


def format_terms(terms: Sequence[Term]) -> str:
    """Format terms as "king − man + woman"."""
    return " ".join(
        f"{'+' if term.sign > 0 else MINUS} {term.word}" for term in terms
    ).removeprefix("+ ")


def nearest_to_sum(
    embeddings: Embeddings, terms: Sequence[Term], n: int = 10
) -> tuple[Neighbour, ...]:
    """The ``n`` words with the highest cosine with the sum of the terms' unit vectors, excluding
    the terms' own words.

    For two words, this is their mean; for king − man + woman, the offset method of Mikolov, Yih &
    Zweig 2013. Raises as ``find_vector`` for a word, and UserError for a sum without direction.
    """
    queries = [find_vector(embeddings, term.word) for term in terms]
    total = np.sum(
        [term.sign * query.unit for term, query in zip(terms, queries, strict=True)], axis=0
    )
    return nearest(embeddings, total, n, {query.word for query in queries if not query.unseen})
