"""Word axes, against cosines in plain Python."""

import math

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.analysis.projection.word_axes import (
    WordAxis,
    axes_plane,
    axis_cosines,
    direction,
    known_pairs,
    read_pairs,
    write_pairs,
)
from workbench.core.errors import UnknownWord, UserError
from workbench.vectors.embeddings import Embeddings

WORDS = ["man", "woman", "poor", "rich", "king", "zero"]
VECTORS = np.array(
    [[2, 0, 0, 0], [0, 3, 0, 0], [0, 0, 1, 0], [1, 0, 0, 2], [1, 0.5, 0, 3], [0, 0, 0, 0]],
    dtype=np.float32,
)
ACROSS, UP = WordAxis("man", "woman"), WordAxis("poor", "rich")


def _cosine(one: np.ndarray, other: np.ndarray) -> float:
    lengths = math.sqrt(sum(x * x for x in one)) * math.sqrt(sum(x * x for x in other))
    return sum(x * y for x, y in zip(one, other, strict=True)) / lengths if lengths else 0.0


def test_positions_are_cosines_with_the_differences() -> None:
    plane = axes_plane(Embeddings(WORDS, VECTORS), ACROSS, UP)
    unit = [v / (np.linalg.norm(v) or 1.0) for v in VECTORS.astype(float)]
    across, up = unit[1] - unit[0], unit[3] - unit[2]
    for row, vector in enumerate(VECTORS.astype(float)):
        assert plane.positions[row, 0] == pytest.approx(_cosine(vector, across), abs=1e-6)
        assert plane.positions[row, 1] == pytest.approx(_cosine(vector, up), abs=1e-6)
    assert plane.meeting == pytest.approx(_cosine(across, up), abs=1e-9)
    # By hand: man is at −1/√2 on an axis between two orthogonal words.
    assert plane.positions[0, 0] == pytest.approx(-math.sqrt(0.5))
    assert plane.positions[1, 0] == pytest.approx(math.sqrt(0.5))


def test_sparse_vectors_and_single_rows_agree() -> None:
    whole = axes_plane(Embeddings(WORDS, VECTORS), ACROSS, UP).positions
    sparse = Embeddings(WORDS, sp.csr_matrix(VECTORS))
    np.testing.assert_allclose(axes_plane(sparse, ACROSS, UP).positions, whole, atol=1e-6)
    np.testing.assert_allclose(
        axes_plane(sparse, ACROSS, UP, [4, 1]).positions, whole[[4, 1]], atol=1e-6
    )


def test_anchors_that_make_no_axis_are_refused() -> None:
    model = Embeddings([*WORDS, "men"], np.vstack([VECTORS, 5 * VECTORS[:1]]))
    with pytest.raises(UserError, match="have the same direction"):
        direction(model, WordAxis("man", "men"))
    with pytest.raises(UserError, match="have the same direction"):
        direction(model, WordAxis("man", "man"))
    with pytest.raises(UnknownWord):
        direction(model, WordAxis("man", "stranger"))


def test_several_pairs_make_the_mean_of_their_differences() -> None:
    random = np.random.default_rng(3)
    vectors = random.normal(size=(8, 5)).astype(np.float32)
    model = Embeddings(list("abcdefgh"), vectors)
    axis = WordAxis("a", "b", (("c", "d"), ("e", "f")))
    unit = [v / math.sqrt(sum(x * x for x in v)) for v in vectors.astype(float)]
    total = [
        sum(unit[high][at] - unit[low][at] for low, high in ((0, 1), (2, 3), (4, 5))) / 3
        for at in range(5)
    ]
    length = math.sqrt(sum(x * x for x in total))
    assert direction(model, axis) == pytest.approx([x / length for x in total], abs=1e-6)
    wanted = [_cosine(vector, np.array(total)) for vector in vectors.astype(float)]
    assert axis_cosines(model, axis) == pytest.approx(wanted, abs=1e-6)
    sparse = Embeddings(list("abcdefgh"), sp.csr_matrix(vectors))
    assert axis_cosines(sparse, axis, [6, 2]) == pytest.approx([wanted[6], wanted[2]], abs=1e-6)
    # A second pair that reverses the first cancels it out.
    with pytest.raises(UserError, match="cancel out"):
        direction(model, WordAxis("a", "b", (("b", "a"),)))


def test_pairs_with_an_unknown_word_are_left_out() -> None:
    model = Embeddings(WORDS, VECTORS)
    axis = WordAxis("man", "woman", (("duke", "duchess"), ("poor", "rich"), ("king", "queen")))
    known = known_pairs(model, axis)
    assert known.axis == WordAxis("man", "woman", (("poor", "rich"),))
    assert known.unknown == ("duke", "duchess", "queen")
    assert known_pairs(model, WordAxis("duke", "man")).axis is None
    assert axis.low_words == ("man", "duke", "poor", "king")
    assert axis.high_words == ("woman", "duchess", "rich", "queen")


@pytest.mark.parametrize(
    ("text", "pairs", "alone"),
    [
        ("", (), ()),
        ("king/queen", (("king", "queen"),), ()),
        (" king queen boy girl ", (("king", "queen"), ("boy", "girl")), ()),
        ("king/queen, boy / girl;", (("king", "queen"), ("boy", "girl")), ()),
        ("king/queen, boy, uncle aunt", (("king", "queen"), ("uncle", "aunt")), ("boy",)),
    ],
)
def test_pairs_are_read_as_they_are_typed(
    text: str, pairs: tuple[tuple[str, str], ...], alone: tuple[str, ...]
) -> None:
    assert read_pairs(text) == (pairs, alone)
    assert read_pairs(write_pairs(pairs, alone)) == (pairs, alone)
