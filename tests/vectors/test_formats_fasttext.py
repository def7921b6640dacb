"""fastText’s model files, byte by byte, and compared with gensim if it is installed."""

from __future__ import annotations

import dataclasses
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.analysis.neighbours.ngrams import count_ngrams
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors, sniff
from workbench.vectors.subwords import compose

UNSEEN = [
    f"{a}{b}{c}"
    for a in ("un", "Zür", "東", "qu", "")
    for b in ("break", "eß", "ing", "")
    for c in "aéz0-'<>xyßñ"
]
MAGIC = 793712314


def random_embeddings(dim: int = 6, buckets: int = 300, filled_buckets: int = 40) -> Embeddings:
    random = np.random.default_rng(8)
    words = ["the", "breaking", "Zürich", "東京都"]
    embeddings = Embeddings(
        words,
        np.zeros((4, dim), np.float32),
        np.array([90, 7, 7, 5]),
        contexts=random.normal(size=(4, dim)).astype(np.float32),
        word_rows=random.normal(size=(4, dim)).astype(np.float32),
        ngram_vectors=random.normal(size=(filled_buckets, dim)).astype(np.float32),
        ngram_buckets=np.sort(random.permutation(buckets)[:filled_buckets]),
        metadata={
            "algorithm": "fasttext",
            "parameters": {"window": 3, "epochs": 2, "min_count": 9, "negative": 4, "sample": 1e-3},
            "subwords": {"min_n": 2, "max_n": 5, "buckets": buckets},
        },
    )
    return dataclasses.replace(
        embeddings, vectors=np.stack([compose(embeddings, word).vector for word in words])
    )


def model(
    words: list[tuple[bytes, int, int]],
    table: np.ndarray,
    output: np.ndarray,
    *,
    version: int = 12,
    kind: int = 2,
    n: tuple[int, int] = (3, 3),
    buckets: int = 0,
    pruned: int = -1,
    quantised: bool = False,
) -> bytes:
    """A model file in fastText’s layout, written independently of the workbench."""
    labels = sum(entry[2] for entry in words)
    parts = [struct.pack("<2i", MAGIC, version)]
    parts.append(
        struct.pack("<12id", table.shape[1], 5, 5, 1, 5, 1, 2, kind, buckets, *n, 100, 1e-4)
    )
    parts.append(struct.pack("<3i2q", len(words), len(words) - labels, labels, 1000, pruned))
    parts += [word + b"\0" + struct.pack("<qb", count, label) for word, count, label in words]
    for matrix in (table, output):
        parts.append(struct.pack("<?2q", quantised, *matrix.shape) + matrix.astype("<f4").tobytes())
    return b"".join(parts)


def write(folder: Path, data: bytes, name: str = "m.bin") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


def test_a_model_round_trips(tmp_path: Path) -> None:
    original = random_embeddings()
    path = tmp_path / "model.bin"
    save_vectors(original, path, "fasttext")
    assert sniff(path) == "fasttext"
    embeddings = load_vectors(path)
    assert list(embeddings.words) == list(original.words)
    for part in ("counts", "contexts", "word_rows", "ngram_vectors", "ngram_buckets"):
        np.testing.assert_array_equal(getattr(embeddings, part), getattr(original, part))
    np.testing.assert_allclose(
        np.asarray(embeddings.vectors), np.asarray(original.vectors), atol=1e-6
    )
    assert embeddings.metadata["subwords"] == original.metadata["subwords"]
    for word in UNSEEN:
        np.testing.assert_array_equal(
            compose(embeddings, word).vector, compose(original, word).vector
        )
    again = tmp_path / "again.bin"
    save_vectors(embeddings, again, "fasttext")
    assert again.read_bytes() == path.read_bytes()
    archive = tmp_path / "model.npz"
    save_vectors(original, archive)
    from_archive = load_vectors(archive)
    np.testing.assert_array_equal(
        compose(from_archive, "breakings").vector, compose(original, "breakings").vector
    )


def test_the_program_finds_every_byte_where_it_looks(tmp_path: Path) -> None:
    original = random_embeddings(buckets=7, filled_buckets=3)
    path = tmp_path / "model.bin"
    save_vectors(original, path, "fasttext")
    table = np.zeros((4 + 7, 6), np.float32)
    table[:4] = original.word_rows
    table[4 + np.asarray(original.ngram_buckets)] = original.ngram_vectors
    head = struct.pack("<2i12id", MAGIC, 12, 6, 3, 2, 5, 4, 1, 2, 2, 7, 2, 5, 100, 1e-3)
    words = [
        (word.encode(), int(count), 0)
        for word, count in zip(original.words, original.counts, strict=True)
    ]
    body = model(words, table, np.asarray(original.contexts))[len(head) :]
    body = struct.pack("<3i2q", 4, 4, 0, 109, -1) + body[struct.calcsize("<3i2q") :]
    assert path.read_bytes() == head + body


def test_models_from_before_the_magic_number(tmp_path: Path) -> None:
    """These start with the arguments and contain neither the number of pruned n-grams nor the bytes
    for quantisation.
    """
    table = np.random.default_rng(1).normal(size=(2 + 7, 3)).astype(np.float32)
    words = [(b"ab", 5, 0), (b"caf\xe9", 2, 0)]
    new = model(words, table, np.ones((2, 3)), buckets=7)
    entries = b"".join(
        word + b"\0" + struct.pack("<qb", count, kind) for word, count, kind in words
    )
    old = new[8 : 8 + 56] + struct.pack("<3iq", 2, 2, 0, 1000) + entries
    for matrix in (table, np.ones((2, 3))):
        old += struct.pack("<2q", *matrix.shape) + matrix.astype("<f4").tobytes()
    path, later = write(tmp_path, old, "old.bin"), write(tmp_path, new, "new.bin")
    assert sniff(path) == "fasttext"
    embeddings, expected = load_vectors(path), load_vectors(later)
    assert list(embeddings.words) == list(expected.words) == ["ab", r"caf\xe9"]
    for part in ("vectors", "counts", "contexts", "word_rows", "ngram_vectors"):
        np.testing.assert_array_equal(getattr(embeddings, part), getattr(expected, part))
    for cut in (70, 90, len(old) - 5):
        with pytest.raises(UserError, match=r"truncated|format"):
            load_vectors(write(tmp_path, old[:cut], "cut.bin"))


@pytest.mark.parametrize("buckets", [8192, 10_000, 5000])
def test_every_bucket_comes_to_its_place(tmp_path: Path, buckets: int) -> None:
    """More buckets than are written at a time; the last part is empty, full or partly filled."""
    random = np.random.default_rng(2)
    bucket_numbers = np.unique(
        [0, 1, 4095, 4096, buckets - 2, buckets - 1, *random.integers(0, buckets, 30)]
    )
    rows = random.normal(size=(len(bucket_numbers), 3)).astype(np.float32)
    original = dataclasses.replace(
        random_embeddings(dim=3, buckets=300, filled_buckets=1),
        ngram_vectors=rows,
        ngram_buckets=bucket_numbers,
        metadata={"subwords": {"min_n": 2, "max_n": 3, "buckets": buckets}},
    )
    path = tmp_path / "m.fasttext"
    save_vectors(original, path)
    data = path.read_bytes()
    # The output matrix, and the byte and two integers before it, follow the input at the end of the
    # file.
    output = 4 * 3 * 4 + 17
    table = np.frombuffer(data[-output - buckets * 12 : -output], "<f4").reshape(buckets, 3)
    expected = np.zeros((buckets, 3), np.float32)
    expected[bucket_numbers] = rows
    np.testing.assert_array_equal(table, expected)


def test_words_are_hashed_from_their_very_bytes(tmp_path: Path) -> None:
    """A word that isn’t UTF-8 gets the same vector as in fastText, and its name and n-grams show
    the byte.
    """
    table = np.random.default_rng(1).normal(size=(1 + 11, 3)).astype(np.float32)
    value = 2166136261
    for byte in b"<a\xff>":
        value = ((value ^ (byte if byte < 128 else byte + 0xFFFFFF00)) * 16777619) % 2**32
    path = write(tmp_path, model([(b"a\xff", 2, 0)], table, np.ones((1, 3)), n=(4, 4), buckets=11))
    embeddings = load_vectors(path)
    assert list(embeddings.words) == [r"a\xff"]
    assert embeddings.metadata["undecoded"] == {"words": 1}
    vector = (table[0] + table[1 + value % 11]) / 2
    np.testing.assert_allclose(np.asarray(embeddings.vectors)[0], vector, atol=1e-6)
    composition = compose(embeddings, r"a\xff")
    np.testing.assert_allclose(composition.vector, vector, atol=1e-6)
    assert [(part.text, part.bucket) for part in composition.parts] == [
        (r"a\xff", -1),
        (r"<a\xff>", value % 11),
    ]
    assert count_ngrams(embeddings, JobControl()).texts == (r"<a\xff>",)
    assert count_ngrams(embeddings, JobControl()).buckets.tolist() == [value % 11]
    again = tmp_path / "again.fasttext"
    save_vectors(embeddings, again)
    assert b"a\xff\0" in again.read_bytes()
    np.testing.assert_array_equal(load_vectors(again).vectors, embeddings.vectors)


def test_a_model_of_labels_gives_the_vectors_of_its_words(tmp_path: Path) -> None:
    table = np.arange(12, dtype=np.float32).reshape(4, 3)
    words = [(b"</s>", 9, 0), (b"good", 5, 0), (b"__label__1", 3, 1)]
    for version, n in ((12, (0, 0)), (11, (3, 6))):
        data = model(words, table, np.ones((1, 3)), version=version, kind=3, n=n, buckets=2)
        embeddings = load_vectors(write(tmp_path, data))
        assert list(embeddings.words) == ["</s>", "good"]
        np.testing.assert_array_equal(np.asarray(embeddings.vectors), table[:2])
        assert embeddings.contexts is None
        assert embeddings.ngram_vectors is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"version": 13}, "version 13"),
        ({"quantised": True}, "quantised"),
        ({"pruned": 3}, "dictionary"),
        ({"n": (3, 100_000)}, "n-grams of 100,000"),
        ({"buckets": 5}, "5 buckets"),
    ],
)
def test_unreadable_models_are_named(tmp_path: Path, change: dict[str, Any], says: str) -> None:
    data = model([(b"a", 1, 0)], np.ones((3, 2)), np.ones((1, 2)), **{"buckets": 2, **change})
    with pytest.raises(UserError, match=says) as error:
        load_vectors(write(tmp_path, data))
    assert error.value.hint


def test_every_cut_is_noticed(tmp_path: Path) -> None:
    data = model([(b"a", 2, 0), (b"b", 1, 0)], np.ones((4, 2)), np.ones((2, 2)), buckets=2)
    assert len(load_vectors(write(tmp_path, data))) == 2
    for length in range(4, len(data), 3):
        with pytest.raises(UserError, match="isn’t a valid fastText model, or it is truncated"):
            load_vectors(write(tmp_path, data[:length]))
    with pytest.raises(UserError, match="it continues after its last matrix"):
        load_vectors(write(tmp_path, data + b"\0"))


def test_quantised_files_are_refused_by_name(tmp_path: Path) -> None:
    data = model([(b"a", 1, 0)], np.ones((1, 2)), np.ones((1, 2)))
    with pytest.raises(UserError, match="quantised"):
        load_vectors(write(tmp_path, data, "m.ftz"))


def test_gensim_reads_and_writes_the_same(tmp_path: Path) -> None:
    fasttext = pytest.importorskip("gensim.models.fasttext")
    original = random_embeddings()
    path = tmp_path / "model.bin"
    save_vectors(original, path, "fasttext")
    theirs = fasttext.load_facebook_vectors(str(path))
    unseen = [word for word in UNSEEN if word and word not in original][:200]
    for word in [*original.words, *unseen]:
        np.testing.assert_allclose(theirs[word], compose(original, word).vector, atol=1e-5)
    full = fasttext.load_facebook_model(str(path))
    back = tmp_path / "back.bin"
    fasttext.save_facebook_model(full, str(back))
    embeddings = load_vectors(back)
    assert list(embeddings.words) == list(original.words)
    for word in [*original.words, *unseen]:
        np.testing.assert_allclose(compose(embeddings, word).vector, theirs[word], atol=1e-5)


def test_repeated_words_keep_their_rows_and_counts(tmp_path: Path) -> None:
    table = np.arange(24, dtype=np.float32).reshape(8, 3)
    words = [(b"a", 9, 0), (b"a", 8, 0), (b"b", 7, 0)]
    embeddings = load_vectors(write(tmp_path, model(words, table, table[:3] + 100, buckets=5)))
    assert list(embeddings.words) == ["a", "b"]
    assert embeddings.counts is not None
    assert embeddings.counts.tolist() == [9, 7]
    np.testing.assert_array_equal(embeddings.contexts, table[[0, 2]] + 100)
    np.testing.assert_array_equal(embeddings.word_rows, table[[0, 2]])
    assert embeddings.metadata["repeated_rows"] == 1


def test_models_of_floret_and_quantised_ones_are_recognised_under_any_name(tmp_path: Path) -> None:
    path = tmp_path / "m.bin"
    table = np.random.default_rng(1).normal(size=(3, 4)).astype(np.float32)
    save_vectors(Embeddings(["elm", "oak", "ash"], table), path, "fasttext")
    whole = path.read_bytes()
    # floret writes its mode and the number of hashes after max_n, the eleventh argument.
    at = 8 + 11 * 4
    path.write_bytes(whole[:at] + struct.pack("<2i", 1, 1) + whole[at:])
    found = load_vectors(path)
    assert list(found.words) == ["elm", "oak", "ash"]
    np.testing.assert_array_equal(found.vectors, table)
    path.write_bytes(whole[:at] + struct.pack("<2i", 2, 2) + whole[at:])
    with pytest.raises(UserError, match="floret model") as error:
        load_vectors(path)
    assert ".vec" in error.value.hint
    # Quantised rows are much smaller than those of numbers.
    shape = struct.pack("<?2q", False, 3, 4)
    begin = whole.index(shape)
    path.write_bytes(whole[:begin] + b"\1" + whole[begin + 1 : begin + 30])
    with pytest.raises(UserError, match="quantised"):
        load_vectors(path)
