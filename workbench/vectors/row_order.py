"""Order of the rows of vectors: the first words aren't always the most frequent."""

from __future__ import annotations

from itertools import pairwise

from workbench.vectors.embeddings import Embeddings

# By frequency: the counts say so. Unknown: there are no counts,
# as in most files, which usually have the order of frequency.
BY_FREQUENCY, UNKNOWN, ALPHABETICAL = "frequency", "unknown", "alphabetical"
_FEWEST, _LOOK_AT, _SHARE = 200, 10_000, 0.95


def order_of(embeddings: Embeddings) -> str:
    """BY_FREQUENCY, UNKNOWN or ALPHABETICAL (ascending or descending)."""
    if embeddings.counts is not None:
        return BY_FREQUENCY
    words = embeddings.words[:_LOOK_AT]
    if len(words) < _FEWEST:
        return UNKNOWN
    rising = sum(a <= b for a, b in pairwise(words))
    folded = [word.casefold() for word in words]
    rising_folded = sum(a <= b for a, b in pairwise(folded))
    most, least = _SHARE * (len(words) - 1), (1 - _SHARE) * (len(words) - 1)
    if max(rising, rising_folded) >= most or min(rising, rising_folded) <= least:
        return ALPHABETICAL
    return UNKNOWN
