"""Shared n-grams of two words, and their part in the cosine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.analysis.neighbours.query_resolution import find
from workbench.core.arrays import Doubles
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.subwords import Composed, compose, subwords_of


@dataclass(frozen=True)
class SharedNgram:
    """An n-gram of both words and its part of the cosine. If two n-grams share a bucket, ``text``
    names both.
    """

    text: str
    part: float


@dataclass(frozen=True)
class SharedNgrams:
    """The decomposed cosine of two words.

    A word's vector is a sum over its rows, those of its n-grams and its own: v = s + o, where s is
    the part of the n-grams that the other word also has. So v·v' = s·s' + (s·o' + o·s' + o·o');
    both sides are divided by the lengths.

    shown : the shared n-grams, the largest part first; the parts sum to ``shared``
    shared : s·s' over the lengths; rest : the remainder, so that ``shared`` + ``rest`` is
    ``cosine``
    ngrams : number of different n-grams of each word
    """

    word: str
    other: str
    cosine: float
    shared: float
    rest: float
    shown: tuple[SharedNgram, ...]
    ngrams: tuple[int, int]


def shared_ngrams(embeddings: Embeddings, word: str, other: str) -> SharedNgrams | None:
    """Decompose the cosine of two words, either of which may be unseen; None for vectors without
    n-grams.

    The part of an n-gram g is half of s_g·s' and half of s·s'_g, which are equal if each word has
    it once. Raises UnknownWord, and UserError if no n-gram of a word is known.
    """
    if subwords_of(embeddings) is None:
        return None
    both = [compose(embeddings, find(embeddings, each).word) for each in (word, other)]
    sums = [_by_bucket(one) for one in both]
    common = [bucket for bucket in sums[0] if bucket in sums[1]]
    lengths = [float(np.linalg.norm(_sum_parts(one))) for one in both]
    scale = lengths[0] * lengths[1]
    if not scale:
        return SharedNgrams(
            both[0].word, both[1].word, 0.0, 0.0, 0.0, (), (len(sums[0]), len(sums[1]))
        )
    zero = np.zeros(embeddings.dim)
    halves = [sum((one[bucket][1] for bucket in common), zero) for one in sums]
    parts = [
        SharedNgram(
            " / ".join(dict.fromkeys((sums[0][bucket][0], sums[1][bucket][0]))),
            float(sums[0][bucket][1] @ halves[1] + halves[0] @ sums[1][bucket][1]) / 2 / scale,
        )
        for bucket in common
    ]
    cosine = float(_sum_parts(both[0]) @ _sum_parts(both[1])) / scale
    shared = float(halves[0] @ halves[1]) / scale
    return SharedNgrams(
        both[0].word,
        both[1].word,
        cosine,
        shared,
        cosine - shared,
        tuple(sorted(parts, key=lambda one: -one.part)),
        (len(sums[0]), len(sums[1])),
    )


def _sum_parts(composed: Composed) -> Doubles:
    """float64[d], the sum of the parts."""
    return np.asarray(
        np.sum([part.vector.astype(np.float64) for part in composed.parts], axis=0),
        dtype=np.float64,
    )


def _by_bucket(
    composed: Composed,
) -> dict[int, tuple[str, Doubles]]:
    """The n-grams of a word by row: text and vector, summed if an n-gram occurs twice."""
    found: dict[int, tuple[str, Doubles]] = {}
    for part in composed.parts:
        if part.bucket >= 0:
            text, before = found.get(part.bucket, (part.text, np.zeros(len(part.vector))))
            names = text.split(" / ")
            if part.text not in names:
                text = f"{text} / {part.text}"
            found[part.bucket] = text, before + part.vector
    return found
