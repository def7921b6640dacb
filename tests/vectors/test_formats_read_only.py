"""Formats that are read, but not written."""

from __future__ import annotations

import json
import pickle
import struct
import subprocess
import sys
import tarfile
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.vectors.formats import load_vectors, sniff, source
from workbench.vectors.formats.read_only.spacy import hashes
from workbench.vectors.formats.safetensors_io import write_tensors
from workbench.vectors.undecoded import file_warnings

TABLE: npt.NDArray[np.float32] = (np.arange(12) / 4).reshape(4, 3).astype(np.float32)


# -- sparse rows


@pytest.mark.parametrize("header", ["", "3 10\n"])
def test_rows_of_index_and_value_are_sparse_vectors(tmp_path: Path, header: str) -> None:
    path = tmp_path / "ppmi.txt"
    path.write_text(f"{header}plum 5:0.5 7:1\ngreen pear 5:.4\t7:-1e-1 \nstone 9:2\n\n")
    assert sniff(path) == "sparse-rows"
    model = load_vectors(path)
    assert list(model.words) == ["plum", "green pear", "stone"]
    assert isinstance(model.vectors, sp.csr_matrix)
    expected = np.zeros((3, 10))
    expected[0, [5, 7]], expected[1, [5, 7]], expected[2, 9] = (0.5, 1), (0.4, -0.1), 2
    np.testing.assert_allclose(model.vectors.toarray(), expected, rtol=1e-6)
    assert list(load_vectors(path, limit=2).words) == ["plum", "green pear"]


@pytest.mark.parametrize(
    "text", ["+1 1:0.5 3:1\n-1 2:0.25\n0 2:0.25\n", "breakfast at 8:30\nthe tram at 9:15\n"]
)
def test_classes_and_times_are_no_vectors(tmp_path: Path, text: str) -> None:
    path = tmp_path / "rows.txt"
    path.write_text(text)
    assert sniff(path) is None


def test_a_damaged_sparse_row_is_named(tmp_path: Path) -> None:
    path = tmp_path / "ppmi.txt"
    path.write_text("plum 5:0.5\n" * 30 + "pear 5:\n")
    with pytest.raises(UserError, match="line 31: expected a word followed by index:value"):
        load_vectors(path)


def test_repeated_and_infinite_sparse_rows(tmp_path: Path) -> None:
    path = tmp_path / "ppmi.txt"
    path.write_text("plum 5:0.5\nplum 5:0.25\npear 1:2\n")
    model = load_vectors(path)
    assert list(model.words) == ["plum", "pear"]
    assert "occurs twice" in file_warnings(model)[0]
    path.write_text("plum 5:0.5\npear 1:1e60\n")
    with pytest.raises(UserError, match="“pear” contains NaN or an infinite number"):
        load_vectors(path)


# -- arrays


@pytest.mark.parametrize(
    ("array", "words"),
    [
        ("s.npy", "s.vocab"),
        ("s.ut.npy", "s.words.vocab"),
        ("1990-w.npy", "1990.words"),
        ("vectors.npy", "vocab.txt"),
        ("x_vectors.npy", "x_words.txt"),
    ],
)
def test_an_array_with_its_words_in_a_text_file(tmp_path: Path, array: str, words: str) -> None:
    np.save(tmp_path / array, TABLE.astype(np.float64))
    (tmp_path / words).write_text("cat\ndog\nNew York\ncafé\n", encoding="utf-8")
    model = load_vectors(tmp_path / array)
    assert list(model.words) == ["cat", "dog", "New York", "café"]
    np.testing.assert_array_equal(model.vectors, TABLE)


def test_singular_vectors_in_columns_and_words_with_counts(tmp_path: Path) -> None:
    np.save(tmp_path / "s.ut.npy", TABLE.T)
    (tmp_path / "s.words.vocab").write_text("cat 9\ndog 7\ncar 5\nox 1\n")
    model = load_vectors(tmp_path / "s.ut.npy")
    assert list(model.words) == ["cat", "dog", "car", "ox"]
    np.testing.assert_array_equal(model.vectors, TABLE)


def test_an_array_with_another_number_of_words_is_refused(tmp_path: Path) -> None:
    np.save(tmp_path / "s.npy", TABLE)
    (tmp_path / "s.vocab").write_text("cat\ndog\n")
    with pytest.raises(UserError, match="s.vocab lists 2 words for 4 rows of s.npy"):
        load_vectors(tmp_path / "s.npy")


def test_an_array_of_objects_is_never_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "s.npy", np.array([["a", 1]], dtype=object), allow_pickle=True)
    (tmp_path / "s.vocab").write_text("cat\n")
    with pytest.raises(UserError, match="Python objects, which aren’t opened"):
        load_vectors(tmp_path / "s.npy")


def test_words_in_a_pickle_beside_an_array_get_a_recipe_that_works(tmp_path: Path) -> None:
    np.save(tmp_path / "1990-w.npy", TABLE)
    (tmp_path / "1990-vocab.pkl").write_bytes(pickle.dumps(["cat", "dog", "car", "ox"], 2))
    with pytest.raises(UserError, match="is a folder.*1990-w.npy"):
        load_vectors(tmp_path)
    with pytest.raises(UserError, match="beside it"):
        load_vectors(tmp_path / "1990-vocab.pkl")
    with pytest.raises(UserError, match="array without words") as error:
        load_vectors(tmp_path / "1990-w.npy")
    recipe = error.value.hint.partition("Python: ")[2]
    subprocess.run(
        [sys.executable, "-c", f"import numpy, pickle; {recipe}"], cwd=tmp_path, check=True
    )
    assert list(load_vectors(tmp_path / "vectors.npz").words) == ["cat", "dog", "car", "ox"]


# -- staticvectors


def _static_folder(folder: Path, config: Mapping[str, object]) -> None:
    folder.mkdir()
    write_tensors(folder / "model.safetensors", {"vectors": TABLE}, {})
    tokens = {"cat": 0, "café": 3, "dog": 1}
    (folder / "vocab.json").write_text(json.dumps({"tokens": tokens}), encoding="utf-8")
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")


def test_a_folder_of_staticvectors(tmp_path: Path) -> None:
    folder = tmp_path / "sv"
    _static_folder(folder, {"format": "text"})
    assert sniff(folder) == sniff(folder / "model.safetensors") == "staticvectors"
    for place in (folder, folder / "model.safetensors"):
        model = load_vectors(place)
        assert list(model.words) == ["cat", "dog", "café"]
        np.testing.assert_array_equal(model.vectors, TABLE[[0, 1, 3]])


def test_staticvectors_that_compose_vectors_get_a_recipe(tmp_path: Path) -> None:
    folder = tmp_path / "sv"
    _static_folder(folder, {"bucket": 100})
    with pytest.raises(UserError, match="composes its vectors from n-grams") as error:
        load_vectors(folder)
    assert 'StaticVectors("sv")' in error.value.hint


# -- spaCy

# Computed by spaCy 3.8.18.
HASHES = {
    "king": 7464393751932445219,
    "Zürich": 9452955988637137518,
    "New York": 16910981474062290848,
    "a_b": 13196961254229524943,
}


def _spacy_folder(folder: Path, keys: Mapping[int, int], vectors: npt.NDArray[np.float32]) -> None:
    folder.mkdir(parents=True)
    np.save(folder / "vectors", vectors)
    (folder / "vectors.npy").rename(folder / "vectors")
    data = b"\xde" + struct.pack(">H", len(keys))
    for key, row in keys.items():
        data += (b"\xcf" + struct.pack(">Q", key) if key > 127 else bytes([key])) + bytes([row])
    (folder / "key2row").write_bytes(data)
    (folder / "strings.json").write_text(json.dumps([*HASHES, "other"]), encoding="utf-8")
    (folder / "vectors.cfg").write_text('{"mode": "default"}')


def test_hashes_of_spacy() -> None:
    words = [*HASHES, "", "a" * 40, "😀"]
    expected = [*HASHES.values(), 0, 10820722338858105277, 13900606239988879105]
    assert hashes(words).tolist() == expected


@pytest.mark.parametrize("inside", ["", "vocab"])
def test_a_folder_of_spacy(tmp_path: Path, inside: str) -> None:
    folder = tmp_path / "nlp" / inside
    # Two words share row 1; 101 is the fixed number of “X”; 12345 is in no list.
    keys = {HASHES["Zürich"]: 1, HASHES["king"]: 0, 101: 2, HASHES["New York"]: 1, 12345: 3}
    _spacy_folder(folder, keys, TABLE)
    for place in (tmp_path / "nlp", folder, folder / "vectors", folder / "key2row"):
        assert sniff(place) == "spacy"
        model = load_vectors(place)
        assert list(model.words) == ["Zürich", "king", "X", "New York"]
        np.testing.assert_array_equal(model.vectors, TABLE[[1, 0, 2, 1]])
        assert "1 row was left out because it has no word" in file_warnings(model)[0]
    assert list(load_vectors(folder, limit=2).words) == ["Zürich", "king"]
    assert source("spacy").title == "spaCy folder"


def test_a_folder_of_spacy_without_words(tmp_path: Path) -> None:
    _spacy_folder(tmp_path / "a", {}, np.zeros((0, 0), np.float32))
    with pytest.raises(UserError, match="doesn’t contain vectors of words"):
        load_vectors(tmp_path / "a")
    _spacy_folder(tmp_path / "b", {HASHES["king"]: 1}, TABLE)
    (tmp_path / "b" / "vectors.cfg").write_text('{"mode": "floret"}')
    with pytest.raises(UserError, match="floret") as error:
        load_vectors(tmp_path / "b")
    assert "nlp.vocab[word].vector" in error.value.hint
    _spacy_folder(tmp_path / "c", {HASHES["king"]: 9}, TABLE)
    with pytest.raises(UserError, match="row numbers outside the table"):
        load_vectors(tmp_path / "c")


@pytest.mark.parametrize("data", [b"", b"\x81", b"\xdf\xff\xff\xff\xff", b"\x81\xc0\x01", b"[]"])
def test_a_damaged_map_of_spacy_is_refused(tmp_path: Path, data: bytes) -> None:
    _spacy_folder(tmp_path / "a", {HASHES["king"]: 1}, TABLE)
    (tmp_path / "a" / "key2row").write_bytes(data)
    with pytest.raises(UserError, match="isn’t a map of hashes to rows"):
        load_vectors(tmp_path / "a")


# -- tar


def _tar(path: Path, mode: str, files: Mapping[str, bytes]) -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, data in files.items():
            (path.parent / "member").write_bytes(data)
            archive.add(path.parent / "member", name)
    return path


@pytest.mark.parametrize(
    ("name", "mode"), [("v.tar", "w"), ("v.tar.gz", "w:gz"), ("v.txz", "w:xz")]
)
def test_vectors_in_a_tar(tmp_path: Path, name: str, mode: str) -> None:
    text = b"2 2\ncat 1 2\ndog 3 4\n"
    path = _tar(tmp_path / name, mode, {"d/LICENCE": b"Free.", "d/v.vec": text, "d/._v": b"x"})
    assert sniff(path) == "word2vec-text"
    assert list(load_vectors(path).words) == ["cat", "dog"]
    two = _tar(tmp_path / ("two" + name), mode, {"a.vec": text, "b.vec": text})
    with pytest.raises(UserError, match="contains 2 files: a.vec, b.vec"):
        load_vectors(two)
    texts = _tar(tmp_path / ("t" + name), mode, {"a.txt": b"It was the best of times.\n"})
    assert sniff(texts) is None
    damaged = tmp_path / ("x" + name)
    damaged.write_bytes(path.read_bytes()[:-40] if mode != "w" else path.read_bytes()[:1600])
    with pytest.raises(UserError):
        load_vectors(damaged)
