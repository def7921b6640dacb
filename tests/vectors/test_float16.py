"""Vectors saved in float16: rounding errors, and values that are refused."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.float16 import to_float16
from workbench.vectors.formats import FORMATS, load_vectors, save_vectors

HALVES = [kind.key for kind in FORMATS if kind.half]


def make_embeddings(scale: float = 1.0) -> Embeddings:
    rng = np.random.default_rng(5)
    sizes = 10.0 ** rng.uniform(-9, 4, (40, 8))
    vectors = (scale * sizes * rng.choice([-1, 1], sizes.shape)).astype(np.float32)
    return Embeddings(
        [f"w{i}" for i in range(40)],
        vectors,
        counts=np.arange(40, 0, -1),
        contexts=vectors[::-1] / 3,
        biases=vectors[:, 0].copy(),
        ngram_vectors=vectors[:5] / 7,
        state={"passes": np.array([3.0])},
        metadata={"algorithm": "sgns"},
    )


def within(read: np.ndarray, original: np.ndarray) -> bool:
    """Whether errors are within rounding: relative 2⁻¹¹, or absolute 2⁻²⁵ for subnormal numbers."""
    pairs = zip(read.ravel().tolist(), original.ravel().tolist(), strict=True)
    return all(
        abs(Fraction(a) - Fraction(b)) <= max(abs(Fraction(b)) / 2**11, Fraction(1, 2**25))
        for a, b in pairs
    )


@pytest.mark.parametrize("key", HALVES)
def test_numbers_are_the_nearest_ones_and_files_half_as_large(key: str, tmp_path: Path) -> None:
    original = make_embeddings()
    save_vectors(original, tmp_path / "whole", key)
    save_vectors(original, tmp_path / "half", key, half=True)
    read = load_vectors(tmp_path / "half")
    assert list(read.words) == list(original.words)
    assert np.array_equal(np.asarray(read.counts), np.asarray(original.counts))
    for name in ("vectors", "contexts", "biases", "ngram_vectors"):
        value, wanted = getattr(read, name), getattr(original, name)
        assert value.dtype == np.float32
        assert within(value, wanted), name
    assert read.metadata == {"algorithm": "sgns", "precision": "float16"}
    assert read.state == {}
    # Saving the read vectors again rounds nothing further.
    save_vectors(read, tmp_path / "again", key, half=True)
    assert (tmp_path / "again").read_bytes() == (tmp_path / "half").read_bytes()
    wide = Embeddings(["a", "b"], np.ones((2, 100_000), np.float32))
    save_vectors(wide, tmp_path / "wide", key, half=True)
    assert 400_000 < (tmp_path / "wide").stat().st_size < 402_000


@pytest.mark.parametrize("key", HALVES)
def test_numbers_too_large_for_float16_are_refused(key: str, tmp_path: Path) -> None:
    for large in (make_embeddings(10.0), Embeddings(["a"], np.array([[1.0, 65520.0]], np.float32))):
        with pytest.raises(UserError, match=r"65,504.*unit length"):
            save_vectors(large, tmp_path / "v", key, half=True)
    with pytest.raises(UserError, match="Can’t write sparse vectors in float16"):
        save_vectors(
            Embeddings(["a"], sp.csr_matrix([[1.0]], dtype=np.float32)),
            tmp_path / "v",
            key,
            half=True,
        )
    assert list(tmp_path.iterdir()) == []
    save_vectors(
        Embeddings(["a"], np.array([[65519.0]], np.float32)), tmp_path / "v", key, half=True
    )
    assert np.asarray(load_vectors(tmp_path / "v").vectors).item() == 65504


@pytest.mark.parametrize(
    "kind", [kind for kind in FORMATS if not kind.half], ids=lambda kind: kind.key
)
def test_other_formats_refuse_float16(kind: type, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"float16.*\.npz or \.safetensors"):
        save_vectors(make_embeddings(), tmp_path / "v", kind.key, half=True)


def test_cosines_move_by_less_than_a_thousandth() -> None:
    rng = np.random.default_rng(2)
    original = Embeddings(
        [f"w{i}" for i in range(200)], rng.normal(0, 0.3, (200, 100)).astype(np.float32)
    )
    before = np.asarray(original.unit, np.float64)
    rounded_model = Embeddings(original.words, np.asarray(to_float16(original).vectors, np.float32))
    after = np.asarray(rounded_model.unit, np.float64)
    assert np.abs(before @ before.T - after @ after.T).max() < 2**-10
