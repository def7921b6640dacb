"""Offsets of a relation against brute force over the vectors, scikit-learn, and made-up models."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import scipy.sparse as sp
from reference import naive_analysis as naive
from sklearn.decomposition import TruncatedSVD
from sklearn.metrics import roc_auc_score

from workbench.analysis.analogy import offsets
from workbench.analysis.analogy.offsets import apply_relation, measure_relation
from workbench.core.errors import Cancelled, UnknownWord, UserError
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings

SIZE = 40
WORDS = [f"w{row}" for row in range(SIZE)]
TABLE = np.random.default_rng(3).normal(size=(SIZE, 6)).astype(np.float32)
EMBEDDINGS = {"dense": Embeddings(WORDS, TABLE), "sparse": Embeddings(WORDS, sp.csr_matrix(TABLE))}
ROWS = [(row, row + 9) for row in range(0, 18, 2)] + [(3, 30), (4, 31)]
PAIRS = [(f"w{a}", f"w{b}") for a, b in ROWS]

both = pytest.mark.parametrize("kind", ["dense", "sparse"])


def vectors(rows: list[tuple[int, int]]) -> list[list[float]]:
    """Offsets of pairs of rows, in plain Python."""
    table = TABLE.tolist()
    return [
        [y - x for x, y in zip(naive.unit(table[a]), naive.unit(table[b]), strict=True)]
        for a, b in rows
    ]


def mean(rows: list[list[float]]) -> list[float]:
    return [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]


@both
def test_agreement_equals_brute_force(kind: str) -> None:
    found = measure_relation(EMBEDDINGS[kind], PAIRS)
    true = vectors(ROWS)
    middle = mean(true)
    assert found.pairs == tuple(PAIRS)
    assert found.left_out == ()
    near = {
        (i, j): naive.cosine(true[i], true[j])
        for i, j in itertools.combinations(range(len(true)), 2)
    }
    assert found.agreement == pytest.approx(math.fsum(near.values()) / len(near), abs=1e-6)
    assert found.mean_length == pytest.approx(math.sqrt(naive.dot(middle, middle)), abs=1e-6)
    for at, one in enumerate(found.offsets):
        assert one.cosine == pytest.approx(naive.cosine(true[at], middle), abs=1e-6)
        assert one.length == pytest.approx(math.sqrt(naive.dot(true[at], true[at])), abs=1e-6)
        others = [cosine for ij, cosine in near.items() if at in ij]
        assert one.agreement == pytest.approx(math.fsum(others) / len(others), abs=1e-6)


@both
def test_the_plane_is_that_of_a_singular_value_decomposition_about_the_origin(kind: str) -> None:
    found = measure_relation(EMBEDDINGS[kind], PAIRS)
    true = np.array(vectors(ROWS))
    model = TruncatedSVD(2, algorithm="arpack", random_state=0).fit(true)
    expected = model.transform(true)
    places = np.array([one.place for one in found.offsets])
    np.testing.assert_allclose(np.abs(places), np.abs(expected), atol=1e-5)
    np.testing.assert_allclose(found.mean_place, places.mean(axis=0), atol=1e-12)
    assert found.mean_place[0] > 0
    assert found.explained == pytest.approx((expected**2).sum() / (true**2).sum(), abs=1e-6)


@both
def test_consistency_is_the_area_under_the_curve_that_tells_true_from_shuffled(
    kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    orders = []
    draw = offsets._derangement

    def record_order(size: int, random: np.random.Generator) -> np.ndarray:
        orders.append(draw(size, random))
        return orders[-1]

    monkeypatch.setattr(offsets, "_derangement", record_order)
    found = measure_relation(EMBEDDINGS[kind], PAIRS, permutations=4, seed=5)
    couples = list(itertools.combinations(range(len(ROWS)), 2))

    def pairwise(rows: list[tuple[int, int]]) -> list[float]:
        table = vectors(rows)
        return [naive.cosine(table[i], table[j]) for i, j in couples]

    true = pairwise(ROWS)
    areas, means = [], []
    for order in orders:
        assert all(order != np.arange(len(ROWS)))
        other = pairwise([(a, ROWS[k][1]) for (a, _), k in zip(ROWS, order, strict=True)])
        areas.append(roc_auc_score([1] * len(true) + [0] * len(other), true + other))
        means.append(np.mean(other))
    assert len(areas) == found.permutations == 4
    assert found.consistency == pytest.approx(np.mean(areas), abs=1e-9)
    assert found.spread == pytest.approx(np.std(areas), abs=1e-9)
    assert found.shuffled == pytest.approx(np.mean(means), abs=1e-6)


def test_the_same_seed_gives_the_same_numbers() -> None:
    first, again, other = (
        measure_relation(EMBEDDINGS["dense"], PAIRS, seed=seed) for seed in (1, 1, 2)
    )
    assert first == again
    assert first.consistency != other.consistency


@both
@pytest.mark.parametrize("top", [0, 28])
def test_held_out_ranks_equal_brute_force(
    kind: str, top: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(offsets, "_QUERIES_AT_ONCE", 4)
    found = measure_relation(EMBEDDINGS[kind], PAIRS, restrict=top)
    true, table = vectors(ROWS), TABLE.tolist()
    for at, (a, b) in enumerate(ROWS):
        others = mean([one for place, one in enumerate(true) if place != at])
        query = [x + y for x, y in zip(naive.unit(table[a]), others, strict=True)]
        order = naive.ranking(
            [naive.cosine(x, query) for x in table[: top or SIZE]], [a] if a < (top or SIZE) else []
        )
        assert found.offsets[at].rank == (order.index(b) + 1 if b in order else 0)


def royal_world(noise: float) -> Embeddings:
    """Vectors of eight people and their royal counterparts: person + crown + noise."""
    random = np.random.default_rng(1)
    people = random.normal(size=(8, 20))
    crown = np.zeros(20)
    crown[0] = 4
    table = np.concatenate([people, people + crown + noise * random.normal(size=people.shape)])
    return Embeddings(
        [f"p{i}" for i in range(8)] + [f"r{i}" for i in range(8)], table.astype(np.float32)
    )


def test_a_relation_that_holds_is_told_from_one_of_classes_alone() -> None:
    pairs = [(f"p{i}", f"r{i}") for i in range(8)]
    holds = measure_relation(royal_world(0.1), pairs)
    classes = measure_relation(royal_world(5.0), pairs)
    assert holds.consistency > 0.9
    assert holds.agreement > holds.shuffled + 0.1
    assert all(one.rank == 1 for one in holds.offsets)
    assert 0.2 < classes.consistency < 0.8


def test_pairs_that_cannot_be_measured_are_named() -> None:
    table = np.array([[1, 0], [0, 1], [1, 1], [2, 2], [-1, 1]], dtype=np.float32)
    model = Embeddings(["a", "b", "c", "cc", "d"], table)
    found = measure_relation(model, [("a", "b"), ("c", "cc"), ("A", "D"), ("x", "a"), ("a", "b")])
    assert found.pairs == (("a", "b"), ("a", "d"))
    assert set(found.left_out) == {("x", "a"), ("c", "cc")}
    # a → b = (−1, 1), a → d = (−1 − √½, √½).
    root = math.sqrt(0.5)
    expected = (1 + root + root) / (math.sqrt(2) * math.hypot(1 + root, root))
    assert found.agreement == pytest.approx(expected, abs=1e-6)
    with pytest.raises(UserError, match="Only one of 2 pairs consists of two different words"):
        measure_relation(model, [("a", "b"), ("x", "a")])
    with pytest.raises(UserError, match="Not in the vocabulary: “x”, “y”"):
        measure_relation(model, [("x", "y"), ("x", "a")])
    # The only problem of this input is that it has one pair, so the hint mentions nothing else.
    with pytest.raises(
        UserError, match="needs at least two pairs. Choose another section, or enter other pairs.$"
    ):
        measure_relation(model, [("a", "b")])
    with pytest.raises(UserError, match="None of 0 pairs"):
        measure_relation(model, [])


def test_opposite_offsets_have_no_mean_direction() -> None:
    table = np.array([[1, 0], [0, 1]], dtype=np.float32)
    found = measure_relation(Embeddings(["a", "b"], table), [("a", "b"), ("b", "a")])
    assert found.agreement == pytest.approx(-1)
    assert found.mean_length == pytest.approx(0, abs=1e-9)
    assert [one.cosine for one in found.offsets] == [0, 0]
    # Shuffling pairs every word with itself, so there is no offset to compare with.
    assert math.isnan(found.consistency)


def test_too_many_pairs_and_a_cancel(monkeypatch: pytest.MonkeyPatch) -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        measure_relation(EMBEDDINGS["dense"], PAIRS, run=run)
    monkeypatch.setattr(offsets, "MOST_PAIRS", 5)
    with pytest.raises(UserError, match="at most 5"):
        measure_relation(EMBEDDINGS["dense"], PAIRS)


@both
@pytest.mark.parametrize("exclude", [True, False])
def test_the_mean_offset_applied_equals_brute_force(kind: str, exclude: bool) -> None:
    table = TABLE.tolist()
    found = apply_relation(EMBEDDINGS[kind], PAIRS, "w36", n=7, exclude_query=exclude, restrict=38)
    query = [x + y for x, y in zip(naive.unit(table[36]), mean(vectors(ROWS)), strict=True)]
    scores = [naive.cosine(x, query) for x in table[:38]]
    order = naive.ranking(scores, [36] if exclude else [])[:7]
    assert [answer.row for answer in found.answers] == order
    np.testing.assert_allclose(
        [a.score for a in found.answers], [scores[row] for row in order], atol=2e-6
    )
    assert (found.averaged, found.left_out) == (len(PAIRS), ())


def test_a_pair_that_holds_the_word_gives_nothing_away() -> None:
    found = apply_relation(EMBEDDINGS["dense"], PAIRS, "w2", n=3)
    assert found.left_out == (("w2", "w11"),)
    without = apply_relation(
        EMBEDDINGS["dense"], [pair for pair in PAIRS if "w2" not in pair], "w2", n=3
    )
    assert found.answers == without.answers
    with pytest.raises(UserError, match="at least one pair"):
        apply_relation(EMBEDDINGS["dense"], [("w2", "w11"), ("w5", "nobody")], "w2")
    with pytest.raises(UnknownWord):
        apply_relation(EMBEDDINGS["dense"], PAIRS, "nobody")
