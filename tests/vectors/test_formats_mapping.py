"""Large tables are mapped from their file: opening copies nothing, using them changes nothing."""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, memmap, npz, save_vectors

WORDS = [f"w{i}" for i in range(2000)]
TABLE = np.random.default_rng(2).normal(size=(2000, 50)).astype(np.float32)
kinds = pytest.mark.parametrize("suffix", [".npz", ".safetensors", ".model2vec"])


@pytest.fixture(autouse=True)
def small_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memmap, "MAPPED_FROM", 1000)


def is_mapped(path: Path) -> bool:
    """Whether the file is mapped by this process."""
    return str(path) in Path("/proc/self/maps").read_text()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@kinds
def test_tables_are_mapped_from_the_file(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"v{suffix}"
    save_vectors(Embeddings(WORDS, TABLE), path)
    file = path / "model.safetensors" if path.is_dir() else path
    before = file.read_bytes()
    embeddings = load_vectors(path)
    assert is_mapped(file)
    assert isinstance(embeddings.vectors, np.ndarray)
    assert embeddings.vectors.flags.aligned
    assert np.array_equal(embeddings.vectors, TABLE)
    # The pages are private to the process.
    embeddings.vectors[:] = 0
    assert file.read_bytes() == before
    # Vectors that are open don’t change if the file is replaced or removed.
    other = load_vectors(path, limit=10)
    file.unlink()
    assert np.array_equal(other.vectors, TABLE[:10])
    del embeddings, other
    assert not is_mapped(file)


def test_numpy_places_tables_anywhere(tmp_path: Path) -> None:
    for name in ("v", "ve", "vec", "vect"):
        path = tmp_path / f"{name}.npz"
        np.savez(path, words=np.array(WORDS), vectors=TABLE, **{name: np.zeros(3)})
        embeddings = load_vectors(path)
        assert isinstance(embeddings.vectors, np.ndarray)
        assert embeddings.vectors.flags.aligned
        assert np.array_equal(embeddings.vectors, TABLE)


def test_a_flipped_bit_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "v.npz"
    save_vectors(Embeddings(WORDS, TABLE), path)
    data = bytearray(path.read_bytes())
    data[data.index(TABLE.tobytes()[:64]) + 5000] ^= 1
    path.write_bytes(data)
    with pytest.raises(UserError, match="isn’t a valid NumPy archive, or it is truncated"):
        load_vectors(path)


def test_one_long_word_does_not_pad_all_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(npz, "_PADDED", 10_000)
    words = ["x" * 100_000, "", "東京", "𝔤", *WORDS[4:]]
    path = tmp_path / "v.npz"
    save_vectors(Embeddings(words, TABLE), path)
    with zipfile.ZipFile(path) as archive:
        assert "words.npy" not in archive.namelist()
        assert sum(info.file_size for info in archive.infolist()) < 2 * TABLE.nbytes
    with np.load(path, allow_pickle=False) as arrays:
        assert bytes(arrays["words_utf8"][: arrays["words_ends"][0]]).decode() == words[0]
    assert list(load_vectors(path).words) == words
