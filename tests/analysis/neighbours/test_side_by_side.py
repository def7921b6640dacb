from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics.pairwise import cosine_similarity

from workbench.analysis.neighbours.side_by_side import side_by_side
from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings


def model(seed: int, size: int = 60) -> Embeddings:
    vectors = np.random.default_rng(seed).normal(size=(size, 6)).astype(np.float32)
    return Embeddings([f"w{number}" for number in range(size)], vectors)


def ranking(embeddings: Embeddings, word: str) -> list[str]:
    row = embeddings.row(word)
    scores = cosine_similarity(embeddings.vectors[[row]], embeddings.vectors)[0]
    order = [i for i in np.argsort(-scores, kind="stable").tolist() if i != row]
    return [embeddings.words[i] for i in order]


def test_lists_ranks_and_overlap() -> None:
    models = [model(1), model(2), model(3, 40)]
    found = side_by_side([(str(i), one) for i, one in enumerate(models)], "w7", 12)
    orders = [ranking(one, "w7") for one in models]
    lists = [set(order[:12]) for order in orders]
    for column, order, words in zip(found.columns, orders, lists, strict=True):
        assert [one.word for one in column.neighbours] == order[:12]
        assert column.shared == len(words & lists[0])
        for rank, one in enumerate(column.neighbours, start=1):
            assert one.before == orders[0].index(one.word) + 1
            assert one.rise(rank) == orders[0].index(one.word) + 1 - rank
            assert one.models == sum(one.word in other for other in lists)
    assert found.in_all == len(set.intersection(*lists))
    assert [one.rise(rank) for rank, one in enumerate(found.columns[0].neighbours, start=1)] == [
        0
    ] * 12


def test_words_that_a_model_lacks() -> None:
    small, large = model(3, 20), model(1)
    found = side_by_side([("small", small), ("large", large)], "w5", 30)
    assert {
        one.before is None for one in found.columns[1].neighbours if int(one.word[1:]) >= 20
    } == {True}
    found = side_by_side([("small", small), ("large", large)], "w50", 5)
    assert found.columns[0].problem == "“w50” is not in the vocabulary."
    assert found.columns[0].neighbours == ()
    assert [one.before for one in found.columns[1].neighbours] == [None] * 5
    assert found.in_all == 5


def test_without_models() -> None:
    with pytest.raises(UserError, match="No models are selected"):
        side_by_side([], "w1")


def test_a_word_whose_vector_is_zero_in_the_first_model_had_no_place_there() -> None:
    table = np.array([[1, 0], [2, 1], [-1, 1], [0, 1]], dtype=np.float32)
    without = table.copy()
    without[1] = 0
    first, second = Embeddings(list("abcd"), table), Embeddings(list("abcd"), without)
    found = side_by_side([("one", second), ("two", first)], "a")
    lists = [[(one.word, one.before) for one in column.neighbours] for column in found.columns]
    assert lists == [[("d", 1), ("c", 2)], [("b", None), ("d", 1), ("c", 2)]]
