"""Two models compared, against scipy’s Procrustes and neighbours in plain Python."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
from reference import naive_analysis as naive
from scipy.linalg import orthogonal_procrustes
from scipy.stats import special_ortho_group

from workbench.analysis.neighbours.model_changes import (
    Comparison,
    compare,
    neighbour_lists,
    running_mean,
)
from workbench.core.errors import Cancelled, UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings

RANDOM = np.random.default_rng(8)
WORDS = [f"w{row}" for row in range(40)]
TABLE = RANDOM.normal(size=(40, 5)).astype(np.float32)
TURN = special_ortho_group.rvs(5, random_state=1).astype(np.float32)
COUNTS = np.arange(40, 0, -1, dtype=np.int64)
FIRST = Embeddings(WORDS, TABLE, COUNTS)


def second(noise: float) -> Embeddings:
    """The first model rotated, with noise, in another word order, without w0, with a new word."""
    rows = RANDOM.permutation(np.arange(1, 40))
    table = (TABLE @ TURN + noise * RANDOM.normal(size=TABLE.shape)).astype(np.float32)
    words = [WORDS[row] for row in rows]
    return Embeddings([*words, "own"], np.vstack([table[rows], np.ones((1, 5), np.float32)]))


def test_a_turned_model_has_not_moved() -> None:
    found = compare(FIRST, second(0.0), k=5)
    assert found.words == tuple(WORDS[1:])
    assert found.counts is not None
    assert found.counts.tolist() == list(range(39, 0, -1))
    assert found.moved is not None
    assert np.abs(found.moved).max() < 1e-5
    assert found.overlap.min() == found.jaccard.min() == 1
    assert found.not_aligned == ""


def test_distances_are_those_after_scipys_procrustes() -> None:
    other = second(0.7)
    found = compare(FIRST, other, k=5)
    a = np.array([naive.unit(FIRST.vectors[FIRST.index[word]]) for word in found.words])
    b = np.array([naive.unit(other.vectors[other.index[word]]) for word in found.words])
    rotation, _ = orthogonal_procrustes(a, b)
    assert found.moved == pytest.approx(1 - np.sum((a @ rotation) * b, axis=1), abs=1e-6)


def naive_overlap(found: Comparison, models: list[Embeddings], k: int) -> list[float]:
    shares = []
    for word in found.words:
        near = []
        for model in models:
            table = [model.vectors[model.index[other]] for other in found.words]
            at = found.words.index(word)
            near.append({found.words[row] for row, _ in naive.neighbours(table, at)[:k]})
        shares.append(len(near[0] & near[1]) / k)
    return shares


def test_overlap_is_counted_among_the_common_words() -> None:
    other = second(0.7)
    found = compare(FIRST, other, k=5, top=25)
    assert found.words == tuple(WORDS[1:26])
    expected = naive_overlap(found, [FIRST, other], 5)
    assert 0 < np.mean(expected) < 1
    assert found.overlap == pytest.approx(expected)
    assert found.jaccard == pytest.approx([5 * s / (10 - 5 * s) for s in expected])


def test_other_dimensions_and_sparse_rows_compare_neighbours_only() -> None:
    wide = Embeddings(WORDS, np.hstack([TABLE, TABLE]))
    found = compare(FIRST, wide, k=5)
    assert found.moved is None
    assert "5 and 10 dimensions" in found.not_aligned
    assert found.overlap.min() == 1
    sparse = compare(FIRST, Embeddings(WORDS, sp.csr_matrix(TABLE)), k=5)
    assert sparse.moved is None
    assert "Sparse" in sparse.not_aligned
    assert sparse.overlap.min() == 1


def test_too_few_words_and_cancelling() -> None:
    with pytest.raises(UserError, match="share only 1"):
        compare(FIRST, Embeddings(["w1", "x", "y"], TABLE[:3]))
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        compare(FIRST, second(0), run=run)
    small = compare(Embeddings(WORDS[:4], TABLE[:4]), Embeddings(WORDS[:4], TABLE[:4]), k=10)
    assert small.k == 3


def test_lists_side_by_side_tell_shared_words_and_ranks() -> None:
    other = second(0.7)
    lists = neighbour_lists(FIRST, other, "W7", 6)
    expected = naive.neighbours(FIRST.vectors, 7)
    assert [one.word for one in lists.first] == [WORDS[row] for row, _ in expected[:6]]
    assert [one.rank for one in lists.first] == [1, 2, 3, 4, 5, 6]
    place = naive.neighbours(other.vectors, other.index["w7"])
    there = [other.words[row] for row, _ in place]
    for one in lists.first:
        assert one.other_rank == (there.index(one.word) + 1 if one.word in there else None)
    assert lists.shared == set(there[:6]) & {one.word for one in lists.first}
    assert [one.cosine for one in lists.second] == pytest.approx(
        [score for _, score in place[:6]], abs=1e-6
    )
    with pytest.raises(UnknownWord):
        neighbour_lists(FIRST, other, "w0")


def test_the_running_mean_by_hand() -> None:
    x = np.array([5.0, 1, 2, 3, 4, 6, np.nan])
    x_mean, y_mean = running_mean(x, 10 * x, share=0.1)
    assert x_mean.tolist() == [3, 4]
    assert y_mean.tolist() == [30, 40]
    assert len(running_mean(x[:3], x[:3])[0]) == 0


def test_a_word_whose_vector_is_zero_in_one_model_has_no_place_there() -> None:
    table = np.array([[1, 0], [2, 1], [-1, 1], [0, 1]], dtype=np.float32)
    without = table.copy()
    without[1] = 0
    first, second = Embeddings(list("abcd"), table), Embeddings(list("abcd"), without)
    found = neighbour_lists(first, second, "a")
    assert [(one.word, one.other_rank) for one in found.first] == [("b", None), ("d", 1), ("c", 2)]
    assert [(one.word, one.other_rank) for one in found.second] == [("d", 2), ("c", 3)]
