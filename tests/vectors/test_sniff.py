"""Detection of the type of a file."""

from __future__ import annotations

import gzip
import struct
import zipfile
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors, sniff

FASTTEXT = struct.pack("<ii", 793712314, 12)


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("novel.txt", b"It was the best of times.\n"),
        ("numbers.txt", b"12 34\nIt was the best of times.\n"),
        ("numbers.txt", b"12 34\n1 2\n3 4\n"),
        ("table.txt", b"a 1 2 3 4 5\nb 1 2 3 4 5\n"),
        ("empty.txt", b""),
        ("line.txt", b"12 34"),
        ("short.txt", b"3 2\n"),
        ("packed.txt.gz", gzip.compress(b"It was the best of times.\n" * 9)),
        ("broken.gz", b"\x1f\x8b\x08\0\0\0"),
        ("noname", b"\x00\x01\x02"),
    ],
)
def test_everything_else_is_a_corpus(tmp_path: Path, name: str, data: bytes) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    assert sniff(path) is None
    with pytest.raises(UserError, match="doesn’t contain vectors in a supported format"):
        load_vectors(path)


def test_a_zip_of_texts_is_a_corpus(tmp_path: Path) -> None:
    path = tmp_path / "novels.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("one.txt", "It was the best of times.")
    assert sniff(path) is None
    assert sniff(tmp_path) is None


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("v.vec", b"It was the best of times.\n", "doesn’t start with a line “V d”"),
        ("v.glove", b"12\n", "line 1"),
        ("v.npz", b"nothing", "isn’t a valid NumPy archive, or it is truncated"),
        ("v.bin", b"\0\1\2", "doesn’t start with a line “V d”"),
        ("cc.en.300.bin", FASTTEXT, "fastText model"),
        ("lid.ftz", FASTTEXT, "quantised"),
        ("lid.ftz", b"?", "quantised"),
        ("v.kv", b"?", "pickle"),
        ("v.model", b"?", "pickle"),
        ("v.kv", b"\x80\x04", r"KeyedVectors\.load\(“v\.kv”\)\.save_word2vec_format"),
        ("v.pkl", b"(dp0\n.", "pickle"),
        ("v.pt", b"PK\x03\x04" + bytes(26) + b"archive/data.pkl", "PyTorch"),
        ("model.pth", b"\x80\x02", "PyTorch"),
        ("v.pt", b"?", "PyTorch"),
        ("v.magnitude", b"SQLite format 3\0", "database"),
        ("v.npy", b"\x93NUMPY\x01\x00", "without words"),
        ("v.vec.gz", gzip.compress(b"2 2\na 1 2\nb 3 4\n"), "compressed"),
        ("v.bin.gz", gzip.compress(b"1 2\na " + struct.pack("<2f", 1, 2)), "compressed"),
    ],
)
def test_unsupported_kinds_are_recognised(
    tmp_path: Path, name: str, data: bytes, says: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(UserError, match=says) as error:
        load_vectors(path)
    assert error.value.hint


def test_text_vectors_under_another_programs_suffix_are_read(tmp_path: Path) -> None:
    path = tmp_path / "v.model"
    path.write_bytes(b"2 2\na 1 2\nb 3 4\n")
    assert sniff(path) == "word2vec-text"


def test_missing_files_and_folders(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Couldn’t read"):
        sniff(tmp_path / "no.vec")
    with pytest.raises(UserError, match="Couldn’t read"):
        load_vectors(tmp_path / "no.vec", "word2vec-text")
    with pytest.raises(UserError, match="is a folder"):
        load_vectors(tmp_path)


def test_a_format_by_key(tmp_path: Path) -> None:
    path = tmp_path / "vectors"
    save_vectors(Embeddings(["a"], np.ones((1, 3), np.float32)), path, "glove")
    assert list(load_vectors(path, "glove").words) == ["a"]
    with pytest.raises(UserError, match="Unknown format “csv”"):
        load_vectors(path, "csv")
