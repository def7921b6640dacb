"""Contract of every vector format (see workbench/vectors/formats/base.py)."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import FORMATS, Format, load_vectors, save_vectors, sniff
from workbench.vectors.undecoded import raw_words

ALL = list(FORMATS)
WORDS = [
    "the",
    "king",
    "Zürich",
    "東京",
    "don't",
    "w12",
    "x-y",
    "<unk>",
    "1984",
    "\u00a0nbsp\u2003",
]

each = pytest.mark.parametrize("kind", ALL, ids=lambda kind: kind.key)
each_file = pytest.mark.parametrize(
    ("kind", "suffix"), [(kind, suffix) for kind in ALL for suffix in kind.suffixes], ids=str
)


def embeddings(dim: int = 7) -> Embeddings:
    """Words of several scripts, and numbers over the whole range of float32."""
    rng = np.random.default_rng(3)
    vectors = rng.normal(size=(len(WORDS), dim)).astype(np.float32)
    vectors[1] *= np.float32(1e-30)
    vectors[2] *= np.float32(1e30)
    vectors[3] = 0
    vectors[4, 0] = np.finfo(np.float32).smallest_subnormal
    vectors[5, 0] = np.finfo(np.float32).max
    vectors[6, 0] = np.float32(0.1)
    return Embeddings(
        words=WORDS,
        vectors=vectors,
        counts=np.arange(len(WORDS), 0, -1, dtype=np.int64) * 10**10,
        contexts=rng.normal(size=(len(WORDS), dim)).astype(np.float32),
        biases=rng.normal(size=len(WORDS)).astype(np.float32),
        context_biases=rng.normal(size=len(WORDS)).astype(np.float32),
        ngram_vectors=rng.normal(size=(5, dim)).astype(np.float32),
        metadata={
            "algorithm": "sgns",
            "parameters": {"dim": dim, "sample": 1e-3},
            "corpus": {"name": "Größe"},
        },
    )


def content(path: Path) -> dict[str, bytes]:
    """The bytes of a file, or of each file in a folder, by name."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return {file.name: file.read_bytes() for file in files}


def largest(path: Path) -> Path:
    """The file itself or, in a folder, the file with the numbers."""
    return max(path.iterdir(), key=lambda file: file.stat().st_size) if path.is_dir() else path


def same(value: np.ndarray | None, other: np.ndarray | None) -> bool:
    if value is None or other is None:
        return value is other
    return value.dtype == other.dtype and np.array_equal(value, other)


@each_file
def test_what_is_written_is_read_back_exactly(
    kind: type[Format], suffix: str, tmp_path: Path
) -> None:
    vectors = embeddings()
    path = tmp_path / f"vectors{suffix}"
    save_vectors(vectors, path)
    assert sniff(path) == kind.key
    read = load_vectors(path)
    assert list(read.words) == WORDS
    assert isinstance(read.vectors, np.ndarray)
    assert same(read.vectors, vectors.vectors)
    for part in ("counts", "contexts", "biases", "context_biases", "ngram_vectors"):
        assert same(getattr(read, part), getattr(vectors, part) if part in kind.keeps else None), (
            part
        )
    if "metadata" in kind.keeps:
        assert read.metadata == vectors.metadata
    assert read.raw is None
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@each
@pytest.mark.parametrize("size", [1, 3])
@pytest.mark.parametrize("dim", [2, 3, 400])
def test_small_and_wide_tables(kind: type[Format], size: int, dim: int, tmp_path: Path) -> None:
    vectors = np.random.default_rng(1).normal(size=(size, dim)).astype(np.float32)
    path = tmp_path / f"few{kind.suffixes[0]}"
    save_vectors(Embeddings(WORDS[:size], vectors), path)
    read = load_vectors(path)
    assert list(read.words) == WORDS[:size]
    assert same(np.asarray(read.vectors), vectors)


@each
def test_most_frequent_first(kind: type[Format], tmp_path: Path) -> None:
    vectors = np.arange(12, dtype=np.float32).reshape(4, 3)
    unsorted = Embeddings(
        ["rare", "often", "also-rare", "most"],
        vectors,
        np.array([1, 5, 1, 9]),
        contexts=vectors + 100,
    )
    path = tmp_path / f"v{kind.suffixes[0]}"
    save_vectors(unsorted, path)
    read = load_vectors(path)
    assert list(read.words) == ["most", "often", "rare", "also-rare"]
    assert np.asarray(read.vectors)[:, 0].tolist() == [9, 3, 0, 6]
    if "contexts" in kind.keeps:
        assert read.contexts is not None
        assert read.contexts[:, 0].tolist() == [109, 103, 100, 106]


@each
def test_limit_takes_the_first_words(kind: type[Format], tmp_path: Path) -> None:
    path = tmp_path / f"v{kind.suffixes[0]}"
    save_vectors(embeddings(), path)
    read = load_vectors(path, limit=4)
    assert list(read.words) == WORDS[:4]
    assert same(np.asarray(read.vectors), np.asarray(embeddings().vectors)[:4])
    assert read.counts is None or len(read.counts) == 4
    assert len(load_vectors(path, limit=1000)) == len(WORDS)


@each
def test_sparse_vectors_are_kept_or_refused(kind: type[Format], tmp_path: Path) -> None:
    matrix = sp.csr_matrix(
        np.array([[0, 1.5, 0, 0], [0, 0, 0, 0], [2, 0, 0, -1]], dtype=np.float32)
    )
    path = tmp_path / f"v{kind.suffixes[0]}"
    if "sparse" in kind.keeps:
        save_vectors(Embeddings(["a", "b", "c"], matrix), path)
        read = load_vectors(path)
        assert read.sparse
        assert not isinstance(read.vectors, np.ndarray)
        assert read.vectors.dtype == np.float32
        assert (read.vectors != matrix).nnz == 0
    else:
        with pytest.raises(UserError, match=r"sparse.*svd"):
            save_vectors(Embeddings(["a", "b", "c"], matrix), path)
        assert not path.exists()


@each
@pytest.mark.parametrize(
    "word", ["", " a", "a ", "a b", "a\nb", "a\r", "\ta", "\0", "a\0", "\ufeff", "\ud800", "1 2 3"]
)
@pytest.mark.parametrize("place", [0, 1])
def test_a_strange_word_comes_back_or_is_refused(
    kind: type[Format], word: str, place: int, tmp_path: Path
) -> None:
    words = ["x", "y"]
    words[place] = word
    path = tmp_path / f"v{kind.suffixes[0]}"
    vectors = Embeddings(words, np.array([[1, 2, 3], [4, 5, 6]], dtype=np.float32))
    if kind.holds(vectors) is None:
        save_vectors(vectors, path)
        read = load_vectors(path, kind.key)
        assert list(read.words) == words
        assert same(np.asarray(read.vectors), np.asarray(vectors.vectors))
    else:
        with pytest.raises(UserError):
            save_vectors(vectors, path)
        assert not path.exists()


@each
def test_a_failed_write_leaves_what_was_there(kind: type[Format], tmp_path: Path) -> None:
    path = tmp_path / f"v{kind.suffixes[0]}"
    save_vectors(embeddings(), path)
    before = content(path)
    broken = Embeddings(["a", "b"], np.ones((2, 3), np.float32), metadata={"not JSON": object()})
    broken.words[1] = object()  # type: ignore[index]
    with pytest.raises(Exception):  # noqa: B017, PT011 - whatever a bug raises, the file must survive
        save_vectors(broken, path)
    assert content(path) == before
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@each
def test_a_truncated_file_is_refused(kind: type[Format], tmp_path: Path) -> None:
    path = tmp_path / f"v{kind.suffixes[0]}"
    save_vectors(embeddings(), path)
    file = largest(path)
    whole = file.read_bytes()
    for share in (0.3, 0.5, 0.97):
        file.write_bytes(whole[: int(len(whole) * share)])
        with suppress(UserError):
            # Without a header, missing lines can’t be detected, but a line cut in half can.
            read = load_vectors(path, kind.key)
            assert kind.key in ("glove", "table")
            assert same(
                np.asarray(read.vectors)[:-1], np.asarray(embeddings().vectors)[: len(read) - 1]
            )


@each
def test_nan_and_infinity_are_refused_by_name(kind: type[Format], tmp_path: Path) -> None:
    path = tmp_path / f"v{kind.suffixes[0]}"
    for value in (np.nan, np.inf, -np.inf):
        vectors = np.ones((3, 6), dtype=np.float32)
        vectors[1, 4] = value
        save_vectors(Embeddings(["one", "two", "three"], vectors), path)
        with pytest.raises(UserError, match=r"“two”.*(NaN|infinite)"):
            load_vectors(path)


@each
def test_a_word_that_stands_twice_is_not_written(kind: type[Format], tmp_path: Path) -> None:
    path = tmp_path / f"v{kind.suffixes[0]}"
    with pytest.raises(UserError, match="“one” occurs twice"):
        save_vectors(Embeddings(["one", "two", "one"], np.ones((3, 6), dtype=np.float32)), path)
    assert not path.exists()


# Some look alike when displayed: three of the same text, two that contain the displayed form of
# others, and half a character.
RAW = [
    b"ok",
    b"\xe9",
    b"\xe8",
    b"\\xe9",
    b"\\\xe9",
    b"\\xe9\xe9",
    b"\xe9\xe9",
    b"\xc3\xa9",
    b"\xed\xa0\x80",
    b"\x80",
]


@each
@pytest.mark.parametrize("through", ["vec", "bin", "glove", "fasttext", "projector"])
def test_words_that_are_not_utf8_go_there_and_back(
    kind: type[Format], through: str, tmp_path: Path
) -> None:
    """Words written by hand into one format, converted to another and back: same bytes, order and
    numbers.
    """
    table = np.random.default_rng(4).normal(size=(len(RAW), 6)).astype(np.float32)
    source = tmp_path / "source.bin"
    source.write_bytes(
        b"%d 6\n" % len(RAW)
        + b"".join(word + b" " + row.tobytes() for word, row in zip(RAW, table, strict=True))
    )
    read = load_vectors(source)
    assert len(set(read.words)) == len(RAW)
    assert all(word.isprintable() for word in read.words)
    assert [word for word, raw in zip(read.words, RAW, strict=True) if word.encode() == raw] == [
        "ok",
        r"\xe9",
        "é",
    ]
    assert read.metadata["undecoded"]["words"] == len(RAW) - 3
    assert raw_words(read) == RAW
    there, back, last = (
        tmp_path / f"v{suffix}" for suffix in (kind.suffixes[0], f"2.{through}", "3.bin")
    )
    save_vectors(read, there)
    save_vectors(load_vectors(there), back)
    found = load_vectors(back)
    assert list(found.words) == list(read.words)
    assert found.metadata["undecoded"] == read.metadata["undecoded"]
    assert same(np.asarray(found.vectors), table)
    save_vectors(found, last)
    data = last.read_bytes()
    for word, row in zip(RAW, table, strict=True):
        assert b"\n" + word + b" " + row.tobytes() in data


@each
def test_changed_bytes_end_in_vectors_or_a_sentence(kind: type[Format], tmp_path: Path) -> None:
    """A damaged file gives finite vectors of distinct words or a UserError, in limited memory."""
    rng = random.Random(kind.key)
    path = tmp_path / f"v{kind.suffixes[0]}"
    save_vectors(embeddings(), path)
    whole = {file: file.read_bytes() for file in (path.iterdir() if path.is_dir() else [path])}
    refusals = 0
    for _ in range(300):
        file = rng.choice(sorted(whole))
        data = bytearray(whole[file])
        for _ in range(rng.choice((1, 1, 2, 8))):
            at = rng.randrange(min(len(data), rng.choice((20, 200, len(data)))))
            change = rng.randrange(4)
            if change == 0:
                data[at] = rng.randrange(256)
            elif change == 1:
                del data[at : at + rng.randrange(1, 30)]
            elif change == 2:
                data[at:at] = bytes(rng.choices(b"0123456789 \n.-e\0\xff", k=rng.randrange(1, 30)))
            else:
                data[at : at + 4] = rng.randbytes(4)
            if not data:
                data = bytearray(b"0")
        file.write_bytes(data)
        for key in ("", kind.key):
            try:
                read = load_vectors(path, key)
            except UserError:
                refusals += 1
                continue
            table = read.vectors if isinstance(read.vectors, np.ndarray) else read.vectors.data
            assert np.isfinite(table).all()
            assert len(set(read.words)) == len(read.words) > 0
        file.write_bytes(whole[file])
    assert refusals > 20


def test_suffixes_name_one_format_each() -> None:
    suffixes = [suffix for kind in ALL for suffix in kind.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert {".vec", ".txt", ".bin", ".glove", ".npz", ".safetensors", ".projector"} <= set(suffixes)


def test_an_unknown_suffix_is_refused_with_the_known_ones(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"\.npz"):
        save_vectors(embeddings(), tmp_path / "vectors.xyz")
    with pytest.raises(UserError, match="Unknown format “xyz”"):
        save_vectors(embeddings(), tmp_path / "vectors.vec", "xyz")


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Couldn’t write"):
        save_vectors(embeddings(), tmp_path / "no" / "such" / "v.npz")
    (tmp_path / "folder.vec").mkdir()
    with pytest.raises(UserError, match="is a folder"):
        save_vectors(embeddings(), tmp_path / "folder.vec")
