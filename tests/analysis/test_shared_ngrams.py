"""Contributions of shared n-grams to a cosine, against a sum over all pairs of rows."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest
from ngram_toy import BUCKETS, ngram_model

from workbench.analysis.shared_ngrams import shared_ngrams
from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings

MODEL = ngram_model()


def bucket(text: str) -> int:
    """FNV-1a hash over the bytes, each sign-extended as in fastText’s program."""
    value = 2166136261
    for byte in text.encode():
        value = ((value ^ (byte if byte < 128 else byte | 0xFFFFFF00)) * 16777619) % 2**32
    return value % BUCKETS


def rows_of(word: str) -> list[tuple[int, npt.NDArray[np.float64]]]:
    """Bucket and row of each n-gram, and of the word itself as −1, divided by their number."""
    marked_word = f"<{word}>"
    texts = [
        marked_word[i : i + n]
        for i in range(len(marked_word))
        for n in (3, 4, 5)
        if i + n <= len(marked_word)
    ]
    assert MODEL.ngram_buckets is not None
    assert MODEL.ngram_vectors is not None
    assert MODEL.word_rows is not None
    known = {int(place): row for row, place in enumerate(MODEL.ngram_buckets)}
    nothing = np.zeros(MODEL.dim)
    found = [
        (
            bucket(text),
            MODEL.ngram_vectors[known[bucket(text)]].astype(float)
            if bucket(text) in known
            else nothing,
        )
        for text in texts
    ]
    if word in MODEL.words:
        found.append((-1, MODEL.word_rows[MODEL.words.index(word)].astype(float)))
    return [(place, row / len(found)) for place, row in found]


@pytest.mark.parametrize(
    ("word", "other"),
    [
        ("happy", "unhappy"),
        ("selfish", "childish"),
        ("kind", "unkindly"),
        ("happy", "happy"),
        ("happyhappy", "happy"),
        ("happyhappy", "unhappyhappy"),
    ],
    ids=["prefix", "suffix", "unseen", "itself", "twice", "two twice"],
)
def test_the_parts_are_those_of_all_pairs_of_rows(word: str, other: str) -> None:
    one, two = rows_of(word), rows_of(other)
    both = {place for place, _ in one} & {place for place, _ in two} - {-1}
    lengths = np.linalg.norm(sum(row for _, row in one)) * np.linalg.norm(
        sum(row for _, row in two)
    )
    shared = rest = 0.0
    parts: dict[int, float] = dict.fromkeys(both, 0.0)
    for place, row in one:
        for further, column in two:
            product = float(row @ column) / float(lengths)
            if place in both and further in both:
                shared += product
                parts[place] += product / 2
                parts[further] += product / 2
            else:
                rest += product
    found = shared_ngrams(MODEL, word, other)
    assert found is not None
    assert (found.shared, found.rest) == (
        pytest.approx(shared, abs=1e-6),
        pytest.approx(rest, abs=1e-6),
    )
    assert found.cosine == pytest.approx(shared + rest, abs=1e-6)
    assert sorted(one.part for one in found.shown) == pytest.approx(
        sorted(parts.values()), abs=1e-6
    )
    assert math.fsum(one.part for one in found.shown) == pytest.approx(found.shared, abs=1e-9)
    assert [one.part for one in found.shown] == sorted(
        (one.part for one in found.shown), reverse=True
    )
    for shown in found.shown:
        assert all(text in f"<{word}>" for text in shown.text.split(" / ")) or " / " in shown.text


def test_the_cosine_is_that_of_the_vectors() -> None:
    found = shared_ngrams(MODEL, "happy", "unhappy")
    assert found is not None
    one, two = (
        MODEL.vectors[MODEL.words.index(word)].astype(float) for word in ("happy", "unhappy")
    )
    assert found.cosine == pytest.approx(
        one @ two / np.linalg.norm(one) / np.linalg.norm(two), abs=1e-6
    )
    assert {"happ", "appy", "ppy>"} <= {one.text for one in found.shown}


def test_words_without_a_common_ngram_and_models_without_any() -> None:
    found = shared_ngrams(MODEL, "the", "man")
    assert found is not None
    assert (found.shown, found.shared) == ((), 0.0)
    assert found.rest == found.cosine
    plain = Embeddings(["a", "b"], np.eye(2, dtype=np.float32))
    assert shared_ngrams(plain, "a", "b") is None
    with pytest.raises(UserError):
        shared_ngrams(MODEL, "the", "")
