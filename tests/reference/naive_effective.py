"""Expected counts under subsampling, by listing every combination of tokens that may be dropped."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import product

import numpy as np
from reference.naive_counts import naive_counts


def naive_effective(
    sentences: Sequence[Sequence[int]], keep: Sequence[float], window: int, weighting: str
) -> dict[tuple[int, int], float]:
    """Count each sentence of n tokens in all its 2ⁿ thinned forms, weighted by their
    probabilities.
    """
    cells: dict[tuple[int, int], float] = defaultdict(float)
    for sentence in sentences:
        for kept in product((True, False), repeat=len(sentence)):
            probability = 1.0
            for word, stays in zip(sentence, kept, strict=True):
                probability *= keep[word] if stays else 1.0 - keep[word]
            remainder = [word for word, stays in zip(sentence, kept, strict=True) if stays]
            for cell, count in naive_counts([remainder], len(keep), window, weighting).items():
                cells[cell] += probability * count
    return {cell: count for cell, count in cells.items() if count > 0}


def long_effective(
    sentence: Sequence[int], keep: Sequence[float], weights: Sequence[float]
) -> dict[tuple[int, int], float]:
    """The same for one sentence that is too long for this. The number of kept tokens between two
    tokens has the product of their (1 − keep) + keep·z as its generating function; the whole
    product is computed for each pair.

    weights : by distance, from 1 to the window
    """
    cells: dict[tuple[int, int], float] = defaultdict(float)
    for i, word in enumerate(sentence):
        between: np.ndarray = np.ones(1)
        for context in sentence[i + 1 :]:
            number = min(len(between), len(weights))
            amount = (
                keep[word] * keep[context] * float(between[:number] @ np.asarray(weights[:number]))
            )
            cells[word, context] += amount
            cells[context, word] += amount
            between = np.polynomial.polynomial.polymul(
                between, [1.0 - keep[context], keep[context]]
            )
    return dict(cells)
