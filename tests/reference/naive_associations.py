"""Tests of associations, word by word in plain Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

from reference.naive_analysis import Vector, cosine, dot

Pairs = Mapping[tuple[str, str], float]


def contrast(word: Vector, a: Sequence[Vector], b: Sequence[Vector]) -> float:
    """Mean cosine with the words of a, minus that with the words of b."""
    near = math.fsum(cosine(word, each) for each in a) / len(a)
    far = math.fsum(cosine(word, each) for each in b) / len(b)
    return near - far


def mean(numbers: Sequence[float]) -> float:
    return math.fsum(numbers) / len(numbers)


def effect(first: Sequence[float], second: Sequence[float]) -> float:
    """Difference of the means, in standard deviations of all numbers."""
    together = [*first, *second]
    middle = mean(together)
    variance = mean([(number - middle) ** 2 for number in together])
    return (mean(first) - mean(second)) / math.sqrt(variance)


def p_value(first: Sequence[float], second: Sequence[float]) -> float:
    """Share of all choices of a first set with a statistic at least as large."""
    together = [*first, *second]
    found = mean(first) - mean(second)
    larger = 0
    number = 0
    for chosen in combinations(range(len(together)), len(first)):
        one = [together[at] for at in chosen]
        other = [together[at] for at in range(len(together)) if at not in chosen]
        number += 1
        larger += mean(one) - mean(other) >= found - 1e-12
    return larger / number


def relational(word: Vector, pairs: Sequence[tuple[Vector, Vector]]) -> float:
    """Mean product of a word with the unit differences of pairs."""
    products = []
    for x, y in pairs:
        difference = [one - other for one, other in zip(x, y, strict=True)]
        products.append(dot(word, difference) / math.sqrt(dot(difference, difference)))
    return mean(products)


def pairs_in(sentences: Sequence[Sequence[str]], window: int) -> Counter[tuple[str, str]]:
    """Pairs of words at most ``window`` apart, each weighing 1 at every distance."""
    pairs: Counter[tuple[str, str]] = Counter()
    for words in sentences:
        for at, word in enumerate(words):
            for other in range(max(at - window, 0), min(at + window + 1, len(words))):
                if other != at:
                    pairs[word, words[other]] += 1
    return pairs


def sum_of(pairs: Pairs, word: str) -> float:
    return math.fsum(count for (one, _), count in pairs.items() if one == word)


def pmi_contrast(pairs: Pairs, word: str, a: Sequence[str], b: Sequence[str]) -> float:
    """log p(w|A)/p(w|B), after one more pair is split as by chance."""
    size_a = math.fsum(sum_of(pairs, each) for each in a)
    size_b = math.fsum(sum_of(pairs, each) for each in b)
    share = size_a / (size_a + size_b)
    near = math.fsum(pairs.get((each, word), 0) for each in a) + share
    far = math.fsum(pairs.get((each, word), 0) for each in b) + 1 - share
    return math.log((near / size_a) / (far / size_b))


def cs_pmi(pairs: Pairs, x: str, y: str) -> float:
    total = math.fsum(pairs.values())
    both = pairs[x, y] / total
    return math.log(both / (sum_of(pairs, x) / total * sum_of(pairs, y) / total)) + math.log(both)
