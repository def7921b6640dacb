"""The words of a test that have vectors in a model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from workbench.analysis.associations.word_sets import AssociationTest, WordSet
from workbench.core.arrays import Places
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True, eq=False)
class KnownWords:
    """Rows of the four sets of a test in a model.

    x, y, a, b : intp[n], rows of the words that have vectors, each row in one set only
    pairs : intp[p, 2], rows of the pairs of attribute words that both have vectors; no rows unless
    the test has pairs
    missing : by the name of a set, its words that the vocabulary lacks
    without_vector : by the name of a set, its words whose vector is zero
    """

    x: Places
    y: Places
    a: Places
    b: Places
    pairs: Places
    missing: Mapping[str, tuple[str, ...]]
    without_vector: Mapping[str, tuple[str, ...]]

    @property
    def targets(self) -> Places:
        """intp[|x| + |y|], the rows of x, then of y."""
        return np.concatenate([self.x, self.y])

    @property
    def complete(self) -> bool:
        """Whether each of the four sets has a word."""
        return all(len(rows) for rows in (self.x, self.y, self.a, self.b))


def known_words(embeddings: Embeddings, test: AssociationTest) -> KnownWords:
    """Look the words up as :meth:`Embeddings.find` does, in the spelling of the corpus. Words that
    become the same row, such as “He” and “he”, count once.
    """
    taken: set[int] = set()
    rows, missing, without_vector = [], {}, {}
    for each in test.sets:
        found = [embeddings.find(word) for word in each.words]
        missing[each.name] = _words_where(each, [row is None for row in found])
        zero = [row is not None and not embeddings.has_vector[row] for row in found]
        without_vector[each.name] = _words_where(each, zero)
        usable = [row for row in found if row is not None and embeddings.has_vector[row]]
        kept = [row for row in dict.fromkeys(usable) if row not in taken]
        taken.update(kept)
        rows.append(np.array(kept, dtype=np.intp))
    x, y, a, b = rows
    return KnownWords(x, y, a, b, _pairs(embeddings, test), missing, without_vector)


def _words_where(words: WordSet, chosen: list[bool]) -> tuple[str, ...]:
    return tuple(word for word, kept in zip(words.words, chosen, strict=True) if kept)


def _pairs(embeddings: Embeddings, test: AssociationTest) -> Places:
    if not test.paired:
        return np.empty((0, 2), dtype=np.intp)
    both = [
        (embeddings.find(one), embeddings.find(other))
        for one, other in zip(test.a.words, test.b.words, strict=True)
    ]
    kept = [
        (one, other)
        for one, other in both
        if one is not None
        and other is not None
        and one != other
        and embeddings.has_vector[one]
        and embeddings.has_vector[other]
    ]
    return np.array(list(dict.fromkeys(kept)), dtype=np.intp).reshape(-1, 2)
