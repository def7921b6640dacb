"""word2vec binary and npz, byte by byte."""

from __future__ import annotations

import io
import json
import math
import pickle
import random
import struct
import zipfile
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import (
    binary_rows,
    load_vectors,
    save_vectors,
    sniff,
    text_rows,
)
from workbench.vectors.undecoded import file_warnings


def row(word: bytes, *numbers: float) -> bytes:
    return word + b" " + struct.pack(f"<{len(numbers)}f", *numbers)


def write(folder: Path, data: bytes, name: str = "v.bin") -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("end", [b"\n", b""], ids=["newline", "no newline"])
def test_the_newline_after_a_vector_may_be_missing(tmp_path: Path, end: bytes) -> None:
    # Bytes of a vector that equal a newline or a space must not be taken for one.
    odd = struct.unpack("<2f", b"\n\x20\x20\n\x20\n\n\x20")
    path = write(
        tmp_path,
        b"3 2\n" + row(b"a", 1, 2) + end + row("é".encode(), *odd) + end + row(b"c", 3, -4) + end,
    )
    embeddings = load_vectors(path)
    assert list(embeddings.words) == ["a", "é", "c"]
    assert np.asarray(embeddings.vectors).tolist() == [[1, 2], list(odd), [3, -4]]


def test_content_decides_before_the_suffix(tmp_path: Path) -> None:
    assert sniff(write(tmp_path, b"1 2\n" + row(b"a", 1, 2), "v.txt")) == "word2vec-binary"
    assert sniff(write(tmp_path, b"1 2\na 1 2\n", "v.bin")) == "word2vec-text"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"2 2\n" + row(b"a", 1, 2) + b"\nb \0\0\0", "truncated or its header"),
        (b"2 2\n" + row(b"long-word", 1, 2) + b"\nlonger-word \0\0\0", "word 2"),
        (b"1 2\n" + row(b"a", 1, 2) + row(b"b", 1, 2), "words that its header specifies"),
        (b"2 2\n" + row(b"a", 1, 2) + row(b"b", float("nan"), 2), "word 2: the vector of “b”"),
        (b"999999999 99999999\n" + row(b"a", 1, 2), "truncated or its header"),
    ],
)
def test_damage_is_named(tmp_path: Path, data: bytes, says: str) -> None:
    with pytest.raises(UserError, match=says):
        load_vectors(write(tmp_path, data), "word2vec-binary")


# -- one pass over blocks of rows


class Found(NamedTuple):
    words: list[str]
    numbers: bytes
    newlines: bool
    ends: bool


def read_slowly(data: bytes, size: int, dim: int) -> Found:
    """Rows whose words end at the first space, one byte after the other."""
    words, numbers, led, at = [], b"", 0, 0
    while len(words) < size:
        word = b""
        while data[at : at + 1] not in (b" ", b""):
            word += data[at : at + 1]
            at += 1
        if at + 1 + 4 * dim > len(data):
            return Found(words, numbers, False, True)
        led += word.startswith(b"\n")
        words.append(word.lstrip(b"\n").decode("utf-8", "surrogateescape"))
        numbers += data[at + 1 : at + 1 + 4 * dim]
        at += 1 + 4 * dim
    rest = data[at : at + 1000]
    return Found(words, numbers, led == size - 1 and rest[:1] in (b"", b"\n"), not rest.strip())


def sizes_slowly(numbers: bytes) -> binary_rows.Sizes:
    values = [abs(value) for (value,) in struct.iter_unpack("<f", numbers)]
    largest = math.nan if any(map(math.isnan, values)) else max(values, default=0.0)
    return binary_rows.Sizes(largest, any(value > 1e6 or 0 < value < 1e-15 for value in values))


STRANGE_WORDS = [b"", b"\n", b"\n\nx", b"a\nb", b"\xff", "é".encode(), b"abc\t", b"word"]
STRANGE_NUMBERS = [0.0, -0.0, math.nan, math.inf, -3e38, 2e6, -1e-20, 1e-40]


@pytest.mark.parametrize("seed", range(30))
def test_rows_are_those_that_a_reader_of_single_bytes_finds(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    generator = random.Random(seed)
    monkeypatch.setattr(binary_rows, "_BLOCK", generator.choice([1, 100, 1 << 20]))
    # Large files are read by a kernel.
    monkeypatch.setattr(binary_rows, "MANY_NUMBERS", generator.choice([0, 10**9]))
    monkeypatch.setattr(binary_rows, "_LARGE_BLOCK", generator.choice([1, 100, 1 << 20]))
    monkeypatch.setattr(binary_rows, "LONGEST_WORD", 12)
    dim, size = generator.choice([1, 3, 8]), generator.randint(1, 40)
    ends = generator.choice([[b""], [b"\n"], [b"", b"\n", b"\n\n"]])
    odd = generator.choice([0, 0.02, 0.3])
    words = [b"w%d" % number for number in range(99)]
    data = b""
    for _ in range(size):
        word = generator.choice(STRANGE_WORDS if generator.random() < odd else words)
        numbers = [
            generator.choice(STRANGE_NUMBERS) if generator.random() < odd else generator.gauss(0, 1)
            for _ in range(dim)
        ]
        data += row(word, *numbers) + generator.choice(ends)
    data += generator.choice([b"", b"", b"x", b" \n"])
    cuts = [len(data), *(generator.randrange(len(data)) for _ in range(10))]
    for cut, wanted in [(cut, generator.randint(1, size + 1)) for cut in cuts]:
        found = binary_rows.read_at_spaces(io.BytesIO(data[:cut]), wanted, dim)
        expected = read_slowly(data[:cut], wanted, dim)
        assert (found.words, found.vectors.tobytes(), found.newlines, found.ends) == expected
        for sizes in (found.sizes, binary_rows.sizes_of(found.vectors)):
            assert sizes == pytest.approx(sizes_slowly(expected.numbers), nan_ok=True)


@pytest.mark.parametrize("many", [0, 10**9], ids=["kernel", "numpy"])
@pytest.mark.parametrize("end", [b"\n", b""], ids=["newline", "no newline"])
def test_the_table_is_checked_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: bytes, many: int
) -> None:
    """A second look at a large table takes about as long as reading it."""
    monkeypatch.setattr(binary_rows, "MANY_NUMBERS", many)
    numbers = np.random.default_rng(5).normal(size=(3000, 4)).astype("<f4")
    data = b"".join(row(b"w%d" % at, *of) + end for at, of in enumerate(numbers))
    path = write(tmp_path, b"3000 4\n" + data)
    looked_at = []
    for module, name in ((text_rows, "finite_rows"), (binary_rows, "sizes_of")):
        look = getattr(module, name)
        monkeypatch.setattr(
            module, name, lambda table, look=look: looked_at.append(len(table)) or look(table)
        )
    assert load_vectors(path).vectors.tobytes() == numbers.tobytes()
    assert max(looked_at) <= 1000
    # NaN is found all the same.
    path.write_bytes(path.read_bytes()[: -4 - len(end)] + struct.pack("<f", math.nan) + end)
    with pytest.raises(UserError, match="word 3,000: the vector of “w2999” contains NaN"):
        load_vectors(path)


# -- words with spaces


NAMES = ["Mull", "Isle of Skye", "Vitamin C", "EAST ABBEY", "The End", "Ærø By", "Iona"]


def names_file(folder: Path, names: list[str], table: np.ndarray, end: bytes) -> Path:
    rows = [row(name.encode(), *numbers) for name, numbers in zip(names, table, strict=True)]
    head = f"{len(names)} {table.shape[1]}\n".encode()
    return write(folder, head + b"".join(written + end for written in rows))


@pytest.mark.parametrize("end", [b"\n", b""], ids=["newline", "no newline"])
@pytest.mark.parametrize("dim", [3, 50])
def test_words_with_spaces_are_found_by_the_width_of_a_row(
    tmp_path: Path, end: bytes, dim: int
) -> None:
    generator = np.random.default_rng(dim)
    for _ in range(20):
        table = generator.normal(scale=0.2, size=(len(NAMES), dim)).astype(np.float32)
        path = names_file(tmp_path, NAMES, table, end)
        embeddings = load_vectors(path)
        assert list(embeddings.words) == NAMES
        np.testing.assert_array_equal(embeddings.vectors, table)
        assert list(load_vectors(path, limit=4).words) == NAMES[:4]


def test_a_name_among_many_words_is_enough(tmp_path: Path) -> None:
    names = [f"w{number}" for number in range(300)]
    names[150] = "East Grinstead"
    table = np.random.default_rng(3).normal(size=(300, 20)).astype(np.float32)
    for end in (b"\n", b""):
        embeddings = load_vectors(names_file(tmp_path, names, table, end))
        assert list(embeddings.words) == names
        np.testing.assert_array_equal(embeddings.vectors, table)


def test_words_that_would_contain_numbers_are_refused(tmp_path: Path) -> None:
    # Latin-1 bytes and a space: no cut gives UTF-8 in every row.
    table = np.random.default_rng(3).normal(size=(4, 6)).astype(np.float32)
    names = ["Bath", "Zürich See", "Genève Lac", "Ely"]
    rows = b"".join(
        row(name.encode("latin-1"), *numbers) for name, numbers in zip(names, table, strict=True)
    )
    with pytest.raises(UserError, match="words contain spaces, the numbers aren’t float32"):
        load_vectors(write(tmp_path, b"4 6\n" + rows))


def test_words_in_another_encoding_and_large_numbers_are_kept(tmp_path: Path) -> None:
    for end in (b"\n", b""):
        path = write(tmp_path, b"2 2\n" + row(b"caf\xe9", 0.5, 1) + end + row(b"b", 0.25, -1) + end)
        assert list(load_vectors(path).words) == [r"caf\xe9", "b"]
        path = write(tmp_path, b"2 2\n" + row(b"a", 3e38, 1e-40) + end + row(b"b", 1, -1) + end)
        assert np.asarray(load_vectors(path).vectors)[0, 0] == np.float32(3e38)


def test_a_row_with_an_empty_word_is_left_out_and_counted(tmp_path: Path) -> None:
    for end in (b"\n", b""):
        data = b"3 2\n" + row(b"a", 1, 2) + end + row(b"", 3, 4) + end + row(b"c", 5, 6) + end
        embeddings = load_vectors(write(tmp_path, data))
        assert list(embeddings.words) == ["a", "c"]
        assert np.asarray(embeddings.vectors).tolist() == [[1, 2], [5, 6]]
        assert file_warnings(embeddings) == ("1 row was left out because it has no word.",)


@pytest.mark.parametrize("end", [b"\n", b""])
def test_numbers_of_big_endian_machines_are_refused(tmp_path: Path, end: bytes) -> None:
    rows = [("elm", [1, 0.2, 0.1]), ("oak", [0.9, -0.3, 0.1]), ("ash", [-1, 0.5, 0.2])]
    for order in ("<f4", ">f4"):
        parts = [f"{word} ".encode() + np.array(v, order).tobytes() + end for word, v in rows]
        path = write(tmp_path, b"3 3\n" + b"".join(parts))
        if order == "<f4":
            assert list(load_vectors(path).words) == ["elm", "oak", "ash"]
        else:
            with pytest.raises(UserError, match="big-endian"):
                load_vectors(path)


def test_converted_line_ends_are_refused(tmp_path: Path) -> None:
    data = b"2 2\r\n" + row(b"a", 1, 2) + b"\r\n" + row(b"b", 3, 4) + b"\r\n"
    with pytest.raises(UserError, match="line ends"):
        load_vectors(write(tmp_path, data))


@pytest.mark.parametrize("suffix", [".bin", ".vec", ".glove"])
def test_a_word_that_can_be_written_can_be_read_again(tmp_path: Path, suffix: str) -> None:
    long = "ä" * 90_000
    path = tmp_path / f"v{suffix}"
    save_vectors(Embeddings([long, "b"], VECTORS), path)
    assert list(load_vectors(path).words) == [long, "b"]
    with pytest.raises(UserError, match="longer than"):
        save_vectors(Embeddings(["b" * 1_000_001, "b"], VECTORS), path)


# -- npz


def npz(folder: Path, name: str = "v.npz", **arrays: Any) -> Path:
    path = folder / name
    np.savez(path, **arrays)
    return path


WORDS = np.array(["a", "b"])
VECTORS = np.array([[1, 2], [3, 4]], dtype=np.float32)


def test_written_archives_are_plain_numpy(tmp_path: Path) -> None:
    path = tmp_path / "v.npz"
    save_vectors(
        Embeddings(["a", "b"], VECTORS, np.array([5, 3]), contexts=-VECTORS, metadata={"seed": 1}),
        path,
    )
    with np.load(path, allow_pickle=False) as archive:
        assert set(archive) == {"words", "vectors", "contexts", "counts", "metadata"}
        assert archive["words"].tolist() == ["a", "b"]
        assert archive["vectors"].dtype == np.float32
        assert archive["counts"].dtype == np.int64
        assert json.loads(str(archive["metadata"])) == {"seed": 1}


def test_archives_made_by_numpy_are_read(tmp_path: Path) -> None:
    path = npz(
        tmp_path,
        words=WORDS,
        vectors=np.asfortranarray(VECTORS.astype(">f8")),
        counts=np.array([2, 1]),
    )
    embeddings = load_vectors(path)
    assert np.array_equal(np.asarray(embeddings.vectors), VECTORS)
    assert embeddings.counts is not None
    assert embeddings.counts.tolist() == [2, 1]


@pytest.mark.parametrize(
    ("arrays", "says"),
    [
        ({"words": WORDS}, "no vectors"),
        ({"vectors": VECTORS}, "arrays without words: vectors"),
        ({"words": WORDS, "vectors": VECTORS[:1]}, "shape"),
        ({"words": WORDS, "vectors": VECTORS[0]}, "shape"),
        ({"words": np.array([1, 2]), "vectors": VECTORS}, "words” isn’t a list of words"),
        ({"words": WORDS, "vectors": WORDS}, "type"),
        ({"words": WORDS, "vectors": VECTORS * 1j}, "type"),
        ({"words": WORDS, "vectors": np.array([[1, 2], [3, 1e300]])}, "“b”.*infinite"),
        ({"words": WORDS[:0], "vectors": VECTORS[:0]}, "empty"),
        ({"words": WORDS, "vectors": VECTORS, "counts": np.array([1.5, 2])}, "counts"),
        ({"words": WORDS, "vectors": VECTORS, "counts": np.array([1, -2])}, "counts"),
        ({"words": WORDS, "vectors": VECTORS, "contexts": VECTORS[:1]}, "contexts"),
        ({"words": WORDS, "vectors": VECTORS, "biases": np.array([1, np.nan])}, "biases"),
        (
            {"words": WORDS, "vectors": VECTORS, "metadata": np.array("{")},
            "doesn’t contain a table of vectors",
        ),
        ({"words": WORDS, "vectors": VECTORS, "metadata": np.array("[]")}, "metadata"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_required_arrays_of_an_archive(tmp_path: Path, arrays: dict[str, Any], says: str) -> None:
    with pytest.raises(UserError, match=says):
        load_vectors(npz(tmp_path, **arrays))


@pytest.mark.parametrize(
    "change",
    [
        {"vectors_indices": np.array([0, 9])},
        {"vectors_indices": np.array([0, -1])},
        {"vectors_indices": np.array([0.5, 1])},
        {"vectors_indptr": np.array([0, 5, 2])},
        {"vectors_indptr": np.array([0, 2])},
        {"vectors_shape": np.array([2**40, 3])},
        {"vectors_shape": np.array([3])},
        {"vectors_data": np.array([np.nan, 1])},
    ],
    ids=str,
)
def test_sparse_parts_must_fit(tmp_path: Path, change: dict[str, Any]) -> None:
    parts = {
        "words": WORDS,
        "vectors_data": np.array([1.0, 2.0]),
        "vectors_indices": np.array([0, 2]),
        "vectors_indptr": np.array([0, 1, 2]),
        "vectors_shape": np.array([2, 3]),
    }
    assert load_vectors(npz(tmp_path, "sound.npz", **parts)).dim == 3
    with pytest.raises(UserError):
        load_vectors(npz(tmp_path, **{**parts, **change}))


class _Bomb:
    def __reduce__(self) -> tuple[Any, ...]:
        return pytest.fail, ("a pickle was opened",)


def test_pickled_arrays_are_never_opened(tmp_path: Path) -> None:
    objects = np.empty(2, dtype=object)
    objects[:] = _Bomb()
    path = npz(tmp_path, words=objects, vectors=VECTORS)
    with pytest.raises(UserError, match="Python objects"):
        load_vectors(path)


def lying_archive(path: Path, header: bytes, claimed_size: int | None = None) -> Path:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, WORDS)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("words.npy", buffer.getvalue())
        archive.writestr(
            "vectors.npy",
            b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + b"\0" * 16,
        )
    if claimed_size is not None:
        data = bytearray(path.read_bytes())
        # The uncompressed size in the central directory's entry of the second file.
        at = data.rindex(b"PK\x01\x02")
        data[at + 24 : at + 28] = struct.pack("<I", claimed_size)
        path.write_bytes(data)
    return path


@pytest.mark.parametrize(
    "shape", ["(2, 1000000000000)", "(9223372036854775807, 4)", "(-2, -2)", "(2, 10**9)"]
)
def test_absurd_shapes_are_refused_before_allocating(tmp_path: Path, shape: str) -> None:
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}}}\n".encode()
    with pytest.raises(UserError):
        load_vectors(lying_archive(tmp_path / "v.npz", header))


def test_absurd_sizes_are_refused_before_allocating(tmp_path: Path) -> None:
    size = 4_000_000_000
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': (2, {size // 8})}}\n".encode()
    with pytest.raises(UserError, match="would unpack to 4,000 MB"):
        load_vectors(
            lying_archive(tmp_path / "v.npz", header, claimed_size=size + 10 + len(header))
        )


def test_a_pickle_by_any_name_is_refused(tmp_path: Path) -> None:
    for name in ("v.model", "v.kv", "v.pkl", "v.bin", "v.vec", "noname"):
        path = write(tmp_path, pickle.dumps({"vectors": _Bomb()}, protocol=4), name)
        with pytest.raises(
            UserError, match="which could run any program when opened, so it"
        ) as error:
            load_vectors(path)
        assert "save_word2vec_format" in error.value.hint


def test_the_bytes_that_other_programs_look_for(tmp_path: Path) -> None:
    """Little-endian float32, and a newline after each row, as word2vec.c and GloVe expect."""
    table = np.array([[1, -2.5], [0.1, 3e-39]], dtype=np.float32)
    model = Embeddings(["a", "Zürich"], table)
    for suffix, expected in (
        (
            ".bin",
            b"2 2\n"
            + row(b"a", 1, -2.5)
            + b"\n"
            + "Zürich ".encode()
            + struct.pack("<2f", *table[1])
            + b"\n",
        ),
        (".vec", b"2 2\na 1 -2.5\nZ\xc3\xbcrich 0.100000001 3.00000065e-39\n"),
        (".glove", b"a 1 -2.5\nZ\xc3\xbcrich 0.100000001 3.00000065e-39\n"),
    ):
        path = tmp_path / f"v{suffix}"
        save_vectors(model, path)
        assert path.read_bytes() == expected


def test_words_as_bytes_are_read_and_objects_refused_by_name(tmp_path: Path) -> None:
    path = npz(tmp_path, words=np.array(["é".encode(), b"b"]), vectors=VECTORS)
    assert list(load_vectors(path).words) == ["é", "b"]
    path = npz(tmp_path, words=np.array([b"\xe9", b"b"]), vectors=VECTORS)
    with pytest.raises(UserError, match="invalid Unicode"):
        load_vectors(path)
    path = npz(tmp_path, words=np.array(["a", "b"], dtype=object), vectors=VECTORS)
    with pytest.raises(UserError, match=r"words\.npy contains Python objects") as error:
        load_vectors(path)
    assert "dtype=str" in error.value.hint


@pytest.mark.parametrize("many", [0, 10**9], ids=["kernel", "numpy"])
@pytest.mark.parametrize("end", [b"\n", b""], ids=["newline", "no newline"])
def test_rows_longer_than_a_block_and_words_at_its_end_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: bytes, many: int
) -> None:
    monkeypatch.setattr(binary_rows, "_BLOCK", 1)
    monkeypatch.setattr(binary_rows, "_LARGE_BLOCK", 1)
    monkeypatch.setattr(binary_rows, "MANY_NUMBERS", many)
    monkeypatch.setattr(binary_rows, "LONGEST_WORD", 12)
    numbers = np.random.default_rng(3).normal(size=(500, 5)).astype("<f4")
    words = [f"é{'x' * (number % 7)}{number}" for number in range(500)]
    data = b"".join(row(word.encode(), *of) + end for word, of in zip(words, numbers, strict=True))
    embeddings = load_vectors(write(tmp_path, b"500 5\n" + data))
    assert list(embeddings.words) == words
    assert np.asarray(embeddings.vectors).tobytes() == numbers.tobytes()


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_huge_numbers_in_binary_files_are_mentioned(tmp_path: Path, end: bytes) -> None:
    rows = np.array([[1e9, 2e9], [-4e9, 3]], "<f4")
    path = tmp_path / "v.bin"
    path.write_bytes(b"2 2\n" + b"".join(b"w%d " % at + rows[at].tobytes() + end for at in (0, 1)))
    found = load_vectors(path)
    np.testing.assert_array_equal(found.vectors, rows)
    assert file_warnings(found)[0].startswith("The vectors contain numbers up to 4.0e+09.")
    path.write_text("2 2\nelm 1e9 2e9\noak -4e9 3\n")
    assert file_warnings(load_vectors(path)) == ()


def test_numbers_of_another_type_are_refused(tmp_path: Path) -> None:
    rows = np.random.default_rng(1).normal(size=(40, 8)).astype("<f8")
    path = tmp_path / "v.bin"
    path.write_bytes(b"40 8\n" + b"".join(b"w%d " % at + rows[at].tobytes() for at in range(40)))
    with pytest.raises(UserError, match="the numbers aren’t float32"):
        load_vectors(path)
