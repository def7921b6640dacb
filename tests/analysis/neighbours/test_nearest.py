from __future__ import annotations

import threading

import numpy as np
import pytest
import scipy.sparse as sp
from reference import naive_analysis as naive

from workbench.analysis.neighbours.nearest import all_nearest, nearest
from workbench.core.errors import Cancelled, UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings

WORDS = [f"w{row}" for row in range(30)]


def vectors(size: int = 30, dim: int = 5, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(size, dim)).astype(np.float32)


def as_kind(table: np.ndarray, kind: str) -> np.ndarray | sp.csr_matrix:
    return table if kind == "dense" else sp.csr_matrix(table)


both = pytest.mark.parametrize("kind", ["dense", "sparse"])


@both
def test_nearest_is_what_sorting_all_cosines_gives(kind: str) -> None:
    table = vectors()
    found = nearest(Embeddings(WORDS, as_kind(table, kind)), "w7", n=6)
    expected = naive.neighbours(table.tolist(), 7)[:6]
    assert [one.row for one in found] == [row for row, _ in expected]
    assert [one.word for one in found] == [WORDS[row] for row, _ in expected]
    np.testing.assert_allclose(
        [one.cosine for one in found], [cosine for _, cosine in expected], atol=1e-6
    )


@both
def test_a_vector_as_the_query(kind: str) -> None:
    table = vectors()
    embeddings = Embeddings(WORDS, as_kind(table, kind))
    found = nearest(embeddings, table[7] * 10, n=31, exclude=["w3"])
    assert found[0].word == "w7"
    assert found[0].cosine == pytest.approx(1, abs=1e-6)
    assert {one.word for one in found} == set(WORDS) - {"w3"}
    cosines = [one.cosine for one in found]
    assert cosines == sorted(cosines, reverse=True)


def test_equal_cosines_come_in_order_of_frequency() -> None:
    table = np.ones((9, 2), dtype=np.float32)
    assert [one.row for one in nearest(Embeddings(WORDS[:9], table), "w4", n=3)] == [0, 1, 2]
    rows, _ = all_nearest(Embeddings(WORDS[:9], table).unit, 3)
    assert rows.tolist()[:2] == [[1, 2, 3], [0, 2, 3]]


@both
def test_a_word_whose_vector_is_zero_is_nobodys_neighbour(kind: str) -> None:
    table = np.array([[1, 0], [0, 0], [-1, 1], [-1, 0], [1, 2], [0, 0]], dtype=np.float32)
    embeddings = Embeddings(list("abcdef"), as_kind(table, kind))
    assert [one.word for one in nearest(embeddings, "a", n=9)] == ["e", "c", "d"]
    assert [one.word for one in nearest(embeddings, np.array([1, 0]), n=9)] == ["a", "e", "c", "d"]
    rows, cosines = all_nearest(embeddings.unit, 5)
    assert rows[0].tolist() == [4, 2, 1, 3, 5]
    np.testing.assert_allclose(cosines[0], [5**-0.5, -(2**-0.5), -1, -1, -1], atol=1e-6)
    assert [row for row in rows[4].tolist() if row in (1, 5)] == rows[4].tolist()[-2:]


@both
@pytest.mark.parametrize("size", [3e38, 1e-45, 1e30, 1e-30, 1.0])
def test_no_size_of_numbers_is_too_great_or_too_small(kind: str, size: float) -> None:
    table = np.array([[1, 1, 1], [1, 1, 0], [0, 0, 1], [1, 1, 1], [-1, -1, -1]]) * np.float32(size)
    # A row of the same direction and another length.
    table[3] = max(1, size * 1e-6)
    embeddings = Embeddings(list("abcde"), as_kind(table.astype(np.float32), kind))
    assert embeddings.norms[0] == pytest.approx(3**0.5 * float(np.float32(size)), rel=1e-7)
    found = nearest(embeddings, "a")
    assert [one.word for one in found] == ["d", "b", "c", "e"]
    assert [one.cosine for one in found] == pytest.approx(
        [1, (2 / 3) ** 0.5, (1 / 3) ** 0.5, -1], abs=1e-6
    )
    assert [one.word for one in nearest(embeddings, table[0].astype(np.float32), n=3)] == [
        "a",
        "d",
        "b",
    ]


def test_vectors_of_millions_of_numbers() -> None:
    table = np.full((2, 3_000_000), 0.1, dtype=np.float32)
    table[1, ::3] = 0
    embeddings = Embeddings(["a", "b"], table)
    assert embeddings.norms == pytest.approx([0.1 * 3e6**0.5, 0.1 * 2e6**0.5], rel=1e-6)
    assert nearest(embeddings, "a")[0].cosine == pytest.approx((2 / 3) ** 0.5, abs=1e-9)


def test_near_ties_are_decided_in_float64() -> None:
    """Cosines that differ by about 10⁻⁹, which float32 can’t order."""
    random = np.random.default_rng(5)
    angles = 0.3 + 1e-7 * random.permutation(40)
    plane = np.linalg.qr(random.normal(size=(30, 2)))[0].T
    table = np.concatenate(
        [np.stack([np.cos(angles), np.sin(angles)], axis=1) @ plane, plane[:1]]
    ).astype(np.float32)
    exact = table.astype(np.float64)
    exact /= np.sqrt((exact * exact).sum(axis=1, keepdims=True))
    expected = np.argsort(-(exact[:40] @ exact[40]), kind="stable")
    found = nearest(Embeddings([f"w{row}" for row in range(41)], table), "w40", n=40)
    assert [one.row for one in found] == expected.tolist()


def test_queries_without_a_direction_and_unknown_words() -> None:
    table = vectors()
    table[2] = 0
    embeddings = Embeddings(WORDS, table)
    with pytest.raises(UserError, match="zero"):
        nearest(embeddings, "w2")
    with pytest.raises(UserError, match="direction"):
        nearest(embeddings, np.zeros(5))
    with pytest.raises(UnknownWord):
        nearest(embeddings, "nobody")
    with pytest.raises(UnknownWord):
        nearest(embeddings, "w1", exclude=["nobody"])
    assert nearest(embeddings, "W1", n=1)[0].word != "w1"


@both
@pytest.mark.parametrize(("size", "k"), [(30, 4), (2, 5), (600, 7), (2100, 3)])
def test_all_nearest_equals_one_by_one(kind: str, size: int, k: int) -> None:
    """Sizes that aren’t multiples of a block, and that need several blocks of rows and columns."""
    table = vectors(size, 5)
    table[1] = 0
    unit = Embeddings([str(row) for row in range(size)], as_kind(table, kind)).unit
    rows, cosines = all_nearest(unit, k)
    k = min(k, size - 1)
    assert rows.shape == cosines.shape == (size, k)
    assert rows.dtype == np.int32
    assert cosines.dtype == np.float32
    plain = np.asarray(unit if kind == "dense" else unit.toarray(), dtype=np.float64)
    all_cosines = plain @ plain.T
    all_cosines[:, 1] = -1  # A zero vector: never a neighbour while there are others.
    np.fill_diagonal(all_cosines, -9)
    np.testing.assert_allclose(cosines, -np.sort(-all_cosines, axis=1)[:, :k], atol=2e-6)
    np.testing.assert_allclose(
        np.take_along_axis(all_cosines, rows.astype(np.intp), axis=1), cosines, atol=2e-6
    )
    assert all(len(set(row)) == k for row in rows.tolist())


def test_threads_do_not_change_the_answer() -> None:
    unit = Embeddings([str(row) for row in range(700)], vectors(700)).unit
    one, two = all_nearest(unit, 5, threads=1), all_nearest(unit, 5, threads=3)
    assert np.array_equal(one[0], two[0])
    assert np.array_equal(one[1], two[1])


def test_one_word_has_no_neighbours() -> None:
    rows, cosines = all_nearest(np.ones((1, 3), np.float32), 5)
    assert rows.shape == cosines.shape == (1, 0)


class _CancelledAtTheThird(JobControl):
    """Cancels itself at the third check."""

    checks = 0

    def check(self) -> None:
        self.checks += 1
        if self.checks == 3:
            self.cancel()
        super().check()


def test_cancelling_ends_every_thread() -> None:
    before = threading.active_count()
    run = _CancelledAtTheThird()
    with pytest.raises(Cancelled):
        all_nearest(vectors(3000), 5, run, threads=2)
    assert threading.active_count() == before
    assert run.checks <= 5


def test_progress_rises() -> None:
    run = JobControl()
    all_nearest(vectors(600), 5, run)
    assert run.progress.fraction is not None
    assert run.progress.fraction > 0.5
