"""Contexts with a side or a position, against loops over the tokens."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from workbench.corpus.corpus import Corpus
from workbench.counts.context_kinds import context_counts
from workbench.counts.cooccurrence import cooccurrence

WORDS = ("the", "dog", "cat", "saw", "old", "rare")
WEIGHTS = {
    "fixed": lambda distance, window: 1.0,
    "dynamic": lambda distance, window: (window - distance + 1) / window,
    "harmonic": lambda distance, window: 1 / distance,
    "linear": lambda distance, window: window - distance + 1.0,
}


def some_corpus(sentences: int = 40) -> tuple[Corpus, list[list[int]]]:
    random = np.random.default_rng(5)
    text = [
        random.choice(6, size=random.integers(1, 12), p=[0.35, 0.2, 0.2, 0.15, 0.07, 0.03]).tolist()
        for _ in range(sentences)
    ]
    ids = np.array([token for sentence in text for token in sentence], dtype=np.int32)
    counts = np.bincount(ids, minlength=6)
    order = np.argsort(-counts, kind="stable")
    ranks = np.argsort(order)
    edges = np.concatenate(([0], np.cumsum([len(sentence) for sentence in text])))
    words = tuple(WORDS[number] for number in order)
    corpus = Corpus("", ranks[ids].astype(np.int32), edges, words, counts[order], "")
    return corpus, [[int(ranks[token]) for token in sentence] for sentence in text]


def counted_by_hand(
    text: list[list[int]], words: tuple[str, ...], size: int, kind: str, window: int, weighting: str
) -> dict[tuple[str, str], float]:
    found: Counter[tuple[str, str]] = Counter()
    for sentence in text:
        kept = [token for token in sentence if token < size]
        for i, word in enumerate(kept):
            for j, other in enumerate(kept):
                distance = abs(i - j)
                if not 0 < distance <= window:
                    continue
                suffix = "_-" if j < i else "_+"
                if kind == "position":
                    suffix += str(distance)
                weight = WEIGHTS[weighting](distance, window)
                found[words[word], words[other] + suffix] += weight
    return dict(found)


@pytest.mark.parametrize("kind", ["side", "position"])
@pytest.mark.parametrize("weighting", sorted(WEIGHTS))
@pytest.mark.parametrize(("window", "size"), [(1, 6), (3, 6), (4, 4)])
def test_counts_are_those_of_loops(kind: str, weighting: str, window: int, size: int) -> None:
    corpus, text = some_corpus()
    vocabulary = corpus.vocabulary(1, size)

    found = context_counts(corpus, vocabulary, kind, window, weighting, threads=2)

    wanted = counted_by_hand(text, corpus.words, size, kind, window, weighting)
    names = found.own_contexts
    assert names is not None
    cells = found.matrix.tocoo()
    actual = {
        (corpus.words[row], names[column]): value
        for row, column, value in zip(cells.row, cells.col, cells.data, strict=True)
    }
    assert set(actual) == set(wanted)
    for pair, value in wanted.items():
        assert actual[pair] == pytest.approx(value, rel=1e-12)


@pytest.mark.parametrize("kind", ["side", "position"])
def test_sums_over_suffixes_are_the_counts_of_words(kind: str) -> None:
    corpus, _ = some_corpus(200)
    vocabulary = corpus.vocabulary()

    found = context_counts(corpus, vocabulary, kind, 3, "dynamic")

    whole = np.zeros((len(vocabulary), len(vocabulary)))
    assert found.own_contexts is not None
    for column, context in enumerate(found.own_contexts):
        word = vocabulary.index[context.rpartition("_")[0]]
        whole[:, word] += found.matrix[:, [column]].toarray().ravel()
    np.testing.assert_allclose(whole, cooccurrence(corpus, vocabulary, 3).toarray(), rtol=1e-12)


def test_contexts_are_distinct_and_in_order_of_their_counts() -> None:
    corpus, _ = some_corpus(100)

    found = context_counts(corpus, corpus.vocabulary(), "position", 4, "fixed")

    assert found.own_contexts is not None
    assert len(set(found.own_contexts)) == found.width == found.matrix.shape[1]
    sums = found.column_sums
    assert (np.diff(sums) <= 0).all()
    assert sums[-1] > 0
