"""Shared contexts: contributions that sum to the cosine, and PMI against plain Python."""

from __future__ import annotations

import itertools
import math
from collections import Counter

import numpy as np
import pytest
from scipy.spatial.distance import cosine as cosine_distance

from workbench.analysis.neighbours.shared_contexts import (
    ContextSettings,
    column_names,
    contexts_in_text,
    shared_contexts,
    shared_in_text,
)
from workbench.core.errors import UnknownWord, UserError
from workbench.corpus.corpus import Corpus
from workbench.session.training.train_api import train
from workbench.vectors.embeddings import Embeddings


def pairs_of(corpus: Corpus, window: int) -> Counter[tuple[str, str]]:
    """Unweighted pairs of words within the window, counted by a simple loop."""
    pairs: Counter[tuple[str, str]] = Counter()
    borders = corpus.sentences.tolist()
    for begin, end in itertools.pairwise(borders):
        words = [corpus.words[i] for i in corpus.ids[begin:end].tolist()]
        for i, word in enumerate(words):
            for j in range(max(i - window, 0), min(i + window + 1, len(words))):
                if j != i:
                    pairs[word, words[j]] += 1
    return pairs


@pytest.mark.parametrize(
    ("algorithm", "params"),
    [
        ("ppmi", {"window": 3, "min_count": 1}),
        ("hal", {"window": 4, "min_count": 1, "columns": 0}),
        ("hal", {"window": 4, "min_count": 1, "columns": 30, "normalise": False}),
    ],
)
def test_the_parts_sum_to_the_cosine(
    tiny_corpus: Corpus, algorithm: str, params: dict[str, object]
) -> None:
    embeddings = train(tiny_corpus, algorithm, **params)
    dense = (
        embeddings.vectors
        if isinstance(embeddings.vectors, np.ndarray)
        else embeddings.vectors.toarray()
    )
    for word, other in (("w00", "w05"), ("w03", "w17"), ("w08", "w08")):
        found = shared_contexts(embeddings, word, other, n=10_000)
        assert found is not None
        assert found.exact
        rows = [dense[embeddings.row(name)].astype(np.float64) for name in (word, other)]
        expected = 1.0 - cosine_distance(*rows)
        assert sum(one.part for one in found.shown) == pytest.approx(expected, abs=1e-6)
        assert found.cosine == pytest.approx(expected, abs=1e-6)
        assert found.number == len(found.shown) == np.count_nonzero(rows[0] * rows[1])
        assert [one.part for one in found.shown] == sorted(
            (one.part for one in found.shown), reverse=True
        )


def test_the_columns_are_called_by_their_words(tiny_corpus: Corpus) -> None:
    ppmi = train(tiny_corpus, "ppmi", window=2, min_count=1)
    assert column_names(ppmi) == tuple((word, "") for word in ppmi.words)
    hal = train(tiny_corpus, "hal", window=2, min_count=1, columns=0)
    names = column_names(hal)
    assert names is not None
    assert names[len(hal.words) + 3] == (hal.words[3], "after")
    few = train(tiny_corpus, "hal", window=2, min_count=1, columns=7)
    assert column_names(few) == tuple((word, side) for word, side in few.metadata["columns"])
    assert column_names(Embeddings(["a", "b"], np.eye(2, dtype=np.float32))) is None
    assert shared_contexts(Embeddings(["a", "b"], np.eye(2, dtype=np.float32)), "a", "b") is None


def test_hal_tells_before_from_after(tiny_corpus: Corpus) -> None:
    """With a window of 1, the cell “before” counts how often that word occurs directly before."""
    hal = train(tiny_corpus, "hal", window=1, min_count=1, columns=0, normalise=False)
    found = shared_contexts(hal, "w00", "w05", 1000)
    assert found is not None
    borders = tiny_corpus.sentences.tolist()
    follow: Counter[tuple[str, str]] = Counter()
    for begin, end in itertools.pairwise(borders):
        words = [tiny_corpus.words[i] for i in tiny_corpus.ids[begin:end].tolist()]
        follow.update(itertools.pairwise(words))
    for one in found.shown:
        pair = (one.word, "w00") if one.side == "before" else ("w00", one.word)
        assert one.left == follow[pair]


def test_dense_models_are_explained_from_the_text(tiny_corpus: Corpus) -> None:
    random = np.random.default_rng(1)
    vectors = random.normal(size=(tiny_corpus.types, 9)).astype(np.float32)
    metadata = {"parameters": {"window": 2, "window_weighting": "fixed", "min_count": 1}}
    embeddings = Embeddings(tiny_corpus.words, vectors, tiny_corpus.counts, metadata=metadata)
    found = shared_in_text(tiny_corpus, embeddings, "w01", "w06", n=1000, least=4)
    assert not found.exact
    assert found.counting == ContextSettings(2, "fixed")
    pairs = pairs_of(tiny_corpus, 2)
    context_sums: Counter[str] = Counter()
    for (_, context), number in pairs.items():
        context_sums[context] += number
    smoothed_counts = {word: number**0.75 for word, number in context_sums.items()}
    total = sum(smoothed_counts.values())

    def row(word: str) -> dict[str, float]:
        whole = sum(number for (w, _), number in pairs.items() if w == word)
        return {
            c: max(math.log(number / whole / (smoothed_counts[c] / total)), 0.0)
            for (w, c), number in pairs.items()
            if w == word and number >= 4
        }

    one, two = row("w01"), row("w06")
    lengths = [math.sqrt(sum(value**2 for value in cells.values())) for cells in (one, two)]
    expected = {c: one[c] * two[c] / lengths[0] / lengths[1] for c in one if two.get(c) and one[c]}
    assert {entry.word: entry.part for entry in found.shown} == pytest.approx(expected)
    assert found.total == pytest.approx(sum(expected.values()))
    assert found.cosine == pytest.approx(
        1.0 - cosine_distance(vectors[embeddings.row("w01")], vectors[embeddings.row("w06")]),
        abs=1e-6,
    )


def test_contexts_with_count_and_pmi(tiny_corpus: Corpus) -> None:
    pairs = pairs_of(tiny_corpus, 3)
    sums: Counter[str] = Counter()
    for (word, _), number in pairs.items():
        sums[word] += number
    whole = sum(sums.values())
    found = contexts_in_text(tiny_corpus, "w02", ContextSettings(3, "fixed"), n=5, least=40)
    table = {
        c: math.log(number * whole / sums["w02"] / sums[c])
        for (w, c), number in pairs.items()
        if w == "w02" and number >= found.least
    }
    best = sorted(table, key=lambda c: -table[c])[:5]
    assert [one.word for one in found.shown] == best
    for one in found.shown:
        assert one.times == one.count == pairs["w02", one.word]
        assert one.pmi == pytest.approx(table[one.word])
    by_count = contexts_in_text(tiny_corpus, "w02", ContextSettings(3, "fixed"), n=5, order="count")
    expected = sorted((number for (w, _), number in pairs.items() if w == "w02"), reverse=True)[:5]
    assert [one.times for one in by_count.shown] == expected


def test_counted_as_the_model_counts() -> None:
    vectors = np.eye(2, dtype=np.float32)
    parameters = {
        "window": 8,
        "window_weighting": "harmonic",
        "min_count": 3,
        "dim": 2,
        "max_vocab": 50,
    }
    assert ContextSettings().as_counted(
        Embeddings(["a", "b"], vectors, metadata={"parameters": parameters})
    ) == ContextSettings(8, "harmonic", 3, 50)
    assert ContextSettings().as_counted(Embeddings(["a", "b"], vectors)) == ContextSettings()
    assert ContextSettings().as_counted(None) == ContextSettings()


def test_what_is_unknown_is_told(tiny_corpus: Corpus) -> None:
    with pytest.raises(UnknownWord, match="“zebra” isn’t in the vocabulary of the open corpus"):
        contexts_in_text(tiny_corpus, "zebra")
    with pytest.raises(UserError, match="Unknown order of contexts"):
        contexts_in_text(tiny_corpus, "w01", order="length")
    embeddings = train(tiny_corpus, "ppmi", window=2, min_count=1)
    with pytest.raises(UnknownWord, match="“zebra”"):
        shared_contexts(embeddings, "w01", "zebra")
    # The model could contain the word, so the message is about the corpus alone.
    with pytest.raises(UnknownWord, match="“zebra” isn’t in the vocabulary of the open corpus"):
        shared_in_text(
            tiny_corpus, Embeddings(["w01", "zebra"], np.eye(2, dtype=np.float32)), "zebra", "w01"
        )
