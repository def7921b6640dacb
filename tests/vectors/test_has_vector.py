"""Words without data: a row of zeros, and the rounding errors that a factorisation leaves."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.analysis.neighbours.nearest import all_nearest, nearest
from workbench.analysis.projection.word_axes import WordAxis, known_pairs
from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings

TABLE = np.array([[3, 4], [0, 0], [-2e-10, 1e-10], [0, 1], [5, -12]], dtype=np.float32)


def test_rows_of_zeros_and_rounding_errors_are_no_vectors() -> None:
    model = Embeddings(list("abcde"), TABLE)
    assert model.norms.tolist() == [5, 0, 0, 1, 13]
    assert model.has_vector.tolist() == [True, False, False, True, True]
    assert model.rows_with_vector().tolist() == [0, 3, 4]
    assert model.rows_with_vector(4).tolist() == [0, 3]
    assert np.asarray(model.unit)[1:3].tolist() == [[0, 0], [0, 0]]
    assert [one.word for one in nearest(model, "a")] == ["d", "e"]
    with pytest.raises(UserError, match="The vector of “c” is zero"):
        nearest(model, "c")
    rows, _ = all_nearest(model.unit, 4)
    assert set(rows[0, :2].tolist()) == {3, 4}


def test_small_numbers_alone_are_vectors() -> None:
    assert Embeddings(list("abcde"), TABLE[[2, 2, 1, 2, 2]]).has_vector.tolist() == [
        True,
        True,
        False,
        True,
        True,
    ]
    # Nor does one very long vector make the others vanish.
    long = np.concatenate([np.ones((39, 2), np.float32), np.full((1, 2), 1e30, np.float32)])
    assert Embeddings([str(row) for row in range(40)], long).has_vector.all()
    sparse = Embeddings(list("abcde"), sp.csr_matrix(TABLE))
    assert sparse.has_vector.tolist() == [True, False, True, True, True]


def test_pairs_of_an_axis_with_a_word_without_a_vector_are_left_out() -> None:
    model = Embeddings(list("abcde"), TABLE)
    known = known_pairs(model, WordAxis("a", "b", (("d", "e"), ("x", "a"))))
    assert known.axis == WordAxis("d", "e")
    assert (known.unknown, known.without_vector) == (("x",), ("b",))
    assert known_pairs(model, WordAxis("b", "c")).axis is None
