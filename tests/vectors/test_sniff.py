"""Detection of the type of a file."""

from __future__ import annotations

import bz2
import gzip
import lzma
import struct
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

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
        ("scores.txt", b"the 1.5 2\nof 3 4.5\n"),
        ("times.txt", b"a 0.5 1.5\na 1.5 2.5\n"),
        ("numbers.txt", b"1 0.5 1.5\n2 1.5 2.5\n"),
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
    with pytest.raises(UserError, match=f"{name} (is|doesn’t contain)") as error:
        load_vectors(path)
    kind = "packed" if name.endswith("gz") else "empty" if not data else "text"
    says = {"packed": "archive without vectors", "empty": "is empty", "text": "is text without"}
    assert says[kind] in str(error.value) or "contain vectors but binary data" in str(error.value)
    assert "word2vec text (.vec)" in error.value.hint


@pytest.mark.parametrize(
    ("name", "data", "says"),
    [
        ("scan.png", b"\x89PNG\r\n\x1a\n\0\0", "doesn’t contain vectors but a picture"),
        ("seen.workbench", b"PK\x03\x04", "is a session, not a file of vectors"),
        ("novel.vec", b"It was the best of times.\n", "If the file is a text, train vectors on it"),
        ("novel.bin", b"\0\1\2\3\4\5", "GloVe’s binary file doesn’t contain words"),
        ("empty.vec", b"", "empty.vec is empty"),
    ],
)
def test_other_files_are_called_what_they_are(
    tmp_path: Path, name: str, data: bytes, says: str
) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(UserError, match=says):
        load_vectors(path)


def test_counts_arent_vectors(tmp_path: Path) -> None:
    parts = {name: np.zeros(2) for name in ("data", "indices", "indptr")}
    np.savez(tmp_path / "c.npz", words=np.array(["a", "b"]), **parts)
    with pytest.raises(UserError, match="c.npz contains counts, not vectors"):
        load_vectors(tmp_path / "c.npz")


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
        ("v.floret", b"2 3 1 2 1 77 < >\n0 .5 .5 .5\n1 .5 .5 .1\n", "floret"),
        ("v.vec", b"2 3 1 2 1 77 B E\n0 .5 .5 .5\n1 .5 .5 .1\n", "floret"),
        ("v.vec", b"elm 0,5 1 -0,25\nold oak 1,5 1 0,25\n", "decimal commas"),
        ("v.json", b'{"elm": [0.5, 1], "oak": [2, 3]}', "JSON"),
        ("v.jsonl", b'{"word": "elm", "vector": [0.5, 1.25, -2e-3, 0]}\n' * 3, "JSON with lists"),
        ("v.json", b'{"words": ["elm"], "vectors": [[0.5, 1.25, -2e-3, 0.123456]]}', "JSON with"),
        ("v.parquet", b"PAR1" + bytes(40), "Parquet"),
        ("v.arrow", b"ARROW1" + bytes(40), "Arrow"),
        ("v.arrow", b"\xff\xff\xff\xff\xd0" + bytes(40), r"Arrow.*open_stream\(\"v.arrow\"\)"),
        ("v.h5", b"\x89HDF\r\n\x1a\n" + bytes(40), "HDF5.*h5py"),
        ("v.h5", b"\x89HDF\r\n\x1a\n" + bytes(40) + b"pandas_type", "HDF5.*read_hdf"),
        ("v.db", b"SQLite format 3\0" + bytes(80), "SQLite"),
        ("v.bin", b"\x80\x04\x95 compress_fasttext.models", r"compress_fasttext\.models\.Comp"),
        ("v.kv", b"\x80\x02cgensim.models.fasttext\nFastTextKeyedVectors", "syn1neg"),
        ("v.model", b"\x80\x02cgensim.models.fasttext\nFastText\n", "save_facebook_model"),
        ("1990-vocab.pkl", b"\x80\x02]q\0", "pickle"),
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


FIVE = "0.5 -1.25 3.125 0.75 -0.5"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("".join(f"{FIVE} w{at}\n" for at in range(9)), "isn’t supported: line 1 is “0.5 -1.25"),
        ("".join(f"w{at} [{FIVE}]\n" for at in range(9)), r"isn’t supported: line 1 is “w0 \["),
        (f"{FIVE} 0.125\n" * 9, "line 1: there are numbers, but no words"),
        (f"-{FIVE} 1.25e-01\n" * 9, "line 1: there are numbers, but no words"),
        (f"{FIVE}\n" * 9, "line 1: there are numbers, but no words.*paste words.txt"),
        ("elm oak ash fir yew\n" + f"{FIVE}\n" * 9, "words in its first line.*Transpose"),
        ("".join(f"w{at},[{FIVE} ... {FIVE}]\n" for at in range(9)), "“...” stands for numbers"),
    ],
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_numbers_in_an_unknown_layout_are_no_corpus(
    tmp_path: Path, text: str, says: str, encoding: str
) -> None:
    path = tmp_path / "v.txt"
    path.write_text(text, encoding=encoding)
    with pytest.raises(UserError, match=says):
        sniff(path)
    packed = tmp_path / "v.txt.gz"
    packed.write_bytes(gzip.compress(text.encode()))
    with pytest.raises(UserError, match=says):
        sniff(packed)


@pytest.mark.parametrize(
    "text",
    [
        "12 40 7 3 99 40 12\n" * 9,
        "It rose by 0.5, 1.25, 3.5, 2.25 and 7.5 per cent in five years.\n" * 9,
        "2021-05-01 10:00:00.5 12.5 C and some rain over the hills again\n" * 9,
        "".join(f"{FIVE}\nIt was the best of times, and then it was over.\n" for _ in range(9)),
    ],
)
def test_texts_with_numbers_are_corpora(tmp_path: Path, text: str) -> None:
    path = tmp_path / "t.txt"
    path.write_text(text, encoding="utf-8")
    assert sniff(path) is None


def test_text_vectors_under_another_programs_suffix_are_read(tmp_path: Path) -> None:
    path = tmp_path / "v.model"
    path.write_bytes(b"2 2\na 1 2\nb 3 4\n")
    assert sniff(path) == "word2vec-text"


@pytest.mark.parametrize(
    "row",
    [
        "0.5 -1.25",
        "1 0.2 0.1",
        "0.5 -1.25 2.0",
        "1 -2 3 0 7 6 -4 21 0 5",
        "0 1.5 3 0.25 7 0 0 8 9 1",
    ],
)
def test_rows_of_few_or_whole_numbers_are_vectors(tmp_path: Path, row: str) -> None:
    path = tmp_path / "v.txt"
    path.write_text("".join(f"{word} {row}\n" for word in ("elm", "oak", "ash")), encoding="utf-8")
    assert sniff(path) == "glove"
    expected = np.array(row.split(), np.float32)
    np.testing.assert_array_equal(load_vectors(path).vectors[2], expected)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-8", "utf-8-sig"])
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("dim", [5, 3000])
def test_vectors_in_another_encoding_or_with_other_line_ends_are_read(
    tmp_path: Path, encoding: str, end: str, dim: int
) -> None:
    path, numbers = tmp_path / "v.txt", [f"{at % 7}.5" for at in range(dim)]
    for header in ("", f"9 {dim}{end}"):
        rows = "".join(f"wörd{at} {' '.join(numbers)}{end}" for at in range(9))
        path.write_bytes((header + rows).encode(encoding))
        model = load_vectors(path)
        assert list(model.words) == [f"wörd{at}" for at in range(9)]
        assert model.metadata["file"] == "v.txt"
        np.testing.assert_array_equal(model.vectors[8], np.array(numbers, np.float32))
    path.write_bytes(
        end.join(["It was the best", "of times, and so", "on", ""] * 3).encode(encoding)
    )
    assert sniff(path) is None


def test_a_broken_utf_16_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "v.vec"
    path.write_bytes("2 2\nelm 1 2\noak 3 4\n".encode("utf-16") + b"\0\xd8")
    with pytest.raises(UserError, match="begins as UTF-16, but contains invalid characters"):
        load_vectors(path)


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
    with pytest.raises(UserError, match="Unknown format “odt”"):
        load_vectors(path, "odt")


def test_advice_about_a_pickle_is_for_its_program(tmp_path: Path) -> None:
    for data, says in (
        (b"\x80\x04 cgensim.models.fasttext\nFastText", "save_facebook_model"),
        (b"\x80\x04 ccompress_fasttext.models", "CompressedFastTextKeyedVectors"),
        (b"\x80\x02]q\0", "numpy.savez"),
    ):
        path = tmp_path / "v.pkl"
        path.write_bytes(data)
        with pytest.raises(UserError) as error:
            sniff(path)
        assert says in error.value.hint


TEXT, BINARY = b"2 2\na 1 2\nb 3 4\n", b"1 2\na " + struct.pack("<2f", 1, 2)
GLOVE = b"".join(b"w%d %s\n" % (at, b" ".join([b"0.5"] * 50)) for at in range(3000))


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
@pytest.mark.parametrize(
    ("name", "data", "key", "words"),
    [
        ("v.vec", TEXT, "word2vec-text", 2),
        ("v.bin", BINARY, "word2vec-binary", 1),
        ("v.txt", GLOVE, "glove", 3000),
        ("v.csv", b"elm,.5,1\noak,2.5,3\n", "table", 2),
    ],
)
def test_compressed_vectors_are_read(
    tmp_path: Path, name: str, data: bytes, key: str, words: int, pack: Callable[[bytes], bytes]
) -> None:
    for suffix in (".gz", ""):
        path = tmp_path / f"{name}{suffix}"
        path.write_bytes(pack(data))
        assert sniff(path) == key
        assert len(load_vectors(path)) == words
        assert len(load_vectors(path, limit=1)) == 1


def test_a_zip_with_one_file_of_vectors_is_read_and_one_with_several_is_refused(
    tmp_path: Path,
) -> None:
    path = tmp_path / "v.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("glove/v.50d.txt", GLOVE)
        archive.writestr("__MACOSX/._v", "x")
    assert sniff(path) == "glove"
    assert list(load_vectors(path).words[:2]) == ["w0", "w1"]
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("glove/v.100d.txt", GLOVE)
    assert sniff(path) == "glove"
    with pytest.raises(UserError, match=r"contains 2 files: glove/v\.50d\.txt, glove/v\.100d\.txt"):
        load_vectors(path)


@pytest.mark.parametrize("first", ["model.bin", "model.txt"])
def test_a_zip_with_other_files_than_the_vectors(tmp_path: Path, first: str) -> None:
    known = Embeddings(["elm", "oak"], np.array([[0.5, 0.25, -1], [0.1, 3e-3, 7]], np.float32))
    save_vectors(known, tmp_path / "model.bin")
    save_vectors(known, tmp_path / "model.txt", "word2vec-text")
    path = tmp_path / "v.zip"
    second = "model.txt" if first == "model.bin" else "model.bin"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("LICENSE", "Everybody may use this.\n")
        archive.writestr("meta.json", "{}")
        archive.write(tmp_path / first, first)
    for added in (False, True):
        if added:
            with zipfile.ZipFile(path, "a") as archive:
                archive.write(tmp_path / second, second)
        assert sniff(path) == ("word2vec-binary" if first == "model.bin" else "word2vec-text")
        for limit in (0, 1):
            found = load_vectors(path, limit=limit)
            np.testing.assert_array_equal(found.vectors, known.vectors[: limit or 2])
            assert list(found.words) == ["elm", "oak"][: limit or 2]
    assert len(load_vectors(path, "word2vec-text")) == 2


def test_damaged_compressed_vectors_are_named(tmp_path: Path) -> None:
    path = tmp_path / "v.vec.gz"
    path.write_bytes(gzip.compress(GLOVE)[:-40])
    with pytest.raises(UserError, match="truncated"):
        load_vectors(path, "glove")


@pytest.mark.parametrize("shape", ["columns", "lists", "index", "counts", "last"])
@pytest.mark.parametrize("kind", ["parquet", "feather", "hdf", "stream"])
def test_recipes_for_containers_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, shape: str
) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("tables" if kind == "hdf" else "pyarrow")
    if (kind, shape) in (("hdf", "lists"), ("feather", "index")):
        pytest.skip("pandas doesn't write these")
    monkeypatch.chdir(tmp_path)
    words, numbers = ["elm", "oak"], np.array([[0.5, 0.25], [1, -2]], np.float32)
    frame = pandas.DataFrame(numbers, columns=["a", "b"])
    frame.insert(0, "word", words)
    if shape == "lists":
        frame = pandas.DataFrame({"word": words, "vector": numbers.tolist()})
    if shape == "index":
        frame = frame.set_index("word")
    if shape == "counts":
        frame.insert(1, "count", [7, 3])
    if shape == "last":
        frame["word"] = frame.pop("word")
    if kind == "hdf":
        frame.to_hdf("v", key="d")
    elif kind == "stream":
        pyarrow = pytest.importorskip("pyarrow")
        table = pyarrow.Table.from_pandas(frame)
        with pyarrow.ipc.new_stream("v", table.schema) as stream:
            stream.write_table(table)
    else:
        getattr(frame, f"to_{kind}")("v")
    with pytest.raises(UserError) as error:
        load_vectors("v")
    recipe = error.value.hint.partition("in Python: ")[2]
    program = f"import numpy, pandas, {'pyarrow' if kind == 'stream' else 'pandas'}; {recipe}"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
    model = load_vectors("vectors.npz")
    assert list(model.words) == words
    np.testing.assert_array_equal(model.vectors, numbers)


@pytest.mark.parametrize("sparse", [False, True])
def test_recipes_for_arrays_without_words_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sparse: bool
) -> None:
    monkeypatch.chdir(tmp_path)
    table = np.random.default_rng(4).normal(size=(6, 4))
    if sparse:
        sp.save_npz("v.npz", sp.csr_matrix(table))
    else:
        np.savez("v.npz", table)
    Path("words.txt").write_text("a b c d é f\n".replace(" ", "\n"), encoding="utf-8")
    says = "a sparse matrix without words" if sparse else "arrays without words: arr_0"
    with pytest.raises(UserError, match=f"v.npz contains {says}") as error:
        load_vectors("v.npz")
    recipe = error.value.hint.partition("in Python: ")[2]
    program = f"import numpy, scipy.sparse.linalg; {recipe}"
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)
    model = load_vectors("vectors.npz")
    assert list(model.words) == list("abcdéf")
    if not sparse:
        np.testing.assert_array_equal(model.vectors, table.astype(np.float32))
        return
    u, s, _ = np.linalg.svd(table, full_matrices=False)
    expected = (u[:, :3] * s[:3]) @ (u[:, :3] * s[:3]).T
    vectors = np.asarray(model.vectors, np.float64)
    np.testing.assert_allclose(vectors @ vectors.T, expected, atol=1e-5)


POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0123abcd\nsize 98765\n"


@pytest.mark.parametrize(
    ("name", "text", "says", "hint"),
    [
        ("v.bin", POINTER, "pointer of Git LFS", "git lfs pull"),
        ("v.txt", POINTER, "pointer of Git LFS", "git lfs pull"),
        ("v.vec", "<!DOCTYPE html>\n<html><body>Not Found</body></html>", "a web page", "Download"),
        ("v.bin", '<?xml version="1.0"?><Error><Code>AccessDenied</Code></Error>', "page", "again"),
    ],
)
def test_what_a_failed_download_leaves_is_named(
    tmp_path: Path, name: str, text: str, says: str, hint: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    for opened in (sniff, load_vectors):
        with pytest.raises(UserError, match=says) as raised:
            opened(path)
        assert hint in raised.value.hint


def test_spreadsheets_are_named(tmp_path: Path) -> None:
    path = tmp_path / "vectors.xlsx"
    path.write_bytes(b"PK\x03\x04" + bytes(60))
    with pytest.raises(UserError, match="spreadsheet") as caught:
        load_vectors(path)
    assert "CSV" in caught.value.hint
