"""Files that would take far more memory or time than their size suggests, or that attack a reader,
are refused in one sentence.
"""

from __future__ import annotations

import errno
import gzip
import io
import json
import struct
import sys
import zipfile
from pathlib import Path

import numpy as np
import pytest

from workbench.analysis.analogy.questions import load_questions
from workbench.analysis.evaluation.similarity import load_pairs
from workbench.analysis.projection.word_attributes import load_column
from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import (
    load_vectors,
    npz,
    safetensors_io,
    save_vectors,
    sniff,
    text_rows,
)

WORDS = ["a", "b", "c"]
TABLE = np.arange(12, dtype=np.float32).reshape(3, 4)


def refusal(path: Path, key: str = "") -> str:
    with pytest.raises(UserError) as error:
        load_vectors(path, key)
    assert "\n" not in str(error.value)
    return str(error.value)


# -- archives of arrays


def archive(path: Path, arrays: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in arrays.items():
            file.writestr(f"{name}.npy", data)
    return path


def npy(array: np.ndarray) -> bytes:
    buffer = io.BytesIO()
    np.save(buffer, array)
    return buffer.getvalue()


@pytest.mark.parametrize("parts", [1, 40])
def test_zeros_that_unpack_to_far_more_than_their_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: int
) -> None:
    """Whether in one array or in many small ones, nothing is unpacked."""
    monkeypatch.setattr(npz, "_AT_LEAST", 1 << 20)
    monkeypatch.setattr(npz, "_read_member", lambda *_: pytest.fail("unpacked"))
    arrays = {"words": npy(np.array(WORDS)), "vectors": npy(TABLE)}
    arrays |= {f"state_{part}": npy(np.zeros(800_000 // parts)) for part in range(parts)}
    assert "would unpack to 6 MB" in refusal(archive(tmp_path / "bomb.npz", arrays))


def test_compressed_arrays_of_twenty_times_their_size(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(npz, "_AT_LEAST", 0)
    noise = np.random.default_rng(1).integers(0, 256, 100_000, dtype=np.uint8)
    arrays = {"words": npy(np.array(WORDS)), "vectors": npy(TABLE), "state_a": npy(noise)}
    assert len(load_vectors(archive(tmp_path / "v.npz", arrays))) == 3
    assert "would unpack" in refusal(
        archive(tmp_path / "w.npz", arrays | {"state_b": npy(np.zeros(250_000))})
    )


def test_compressed_arrays_of_the_workbench_are_read(tmp_path: Path) -> None:
    path = tmp_path / "v.npz"
    np.savez_compressed(path, words=np.array(WORDS), vectors=TABLE)
    assert np.array_equal(load_vectors(path).vectors, TABLE)


def test_a_list_of_members_that_is_longer_than_one_of_arrays(tmp_path: Path) -> None:
    """Refused whatever number of members the end record states, and also if a zip64 record gives
    the directory’s length.
    """
    path = tmp_path / "many.npz"
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("words.npy", npy(np.array(WORDS)))
        file.writestr("vectors.npy", npy(TABLE))
        for number in range(12_000):
            file.writestr(f"a long name to make the list of members longer {number}.npy", b"")
    data = bytearray(path.read_bytes())
    assert "too many members" in refusal(path, "npz")
    assert sniff(path) is not None or "vectors" in refusal(path)
    end = data.rfind(b"PK\x05\x06")
    size, start = struct.unpack_from("<2L", data, end + 12)
    record = b"PK\x06\x06" + struct.pack("<Q2H2L4Q", 44, 45, 45, 0, 0, 2, 2, size, start)
    locator = b"PK\x06\x07" + struct.pack("<LQL", 0, end, 1)
    struct.pack_into("<4H2L", data, end + 4, 0, 0, 2, 2, 92, start)
    path.write_bytes(data[:end] + record + locator + data[end:])
    assert "too many members" in refusal(path, "npz")


# -- rows of text


def test_a_word_of_more_numbers_than_any_has(tmp_path: Path) -> None:
    path = tmp_path / "wide.vec"
    path.write_bytes(b"1 1000001\nw" + b" 0" * 1_000_001 + b"\n")
    assert "1,000,001 dimensions" in refusal(path)
    path.write_bytes(b"w" + b" 0.5" * 1_000_001 + b"\n")
    assert "1,000,001 dimensions" in refusal(path, "glove")
    folder = tmp_path / "wide.projector"
    folder.mkdir()
    (folder / "tensors.tsv").write_bytes(b"0\t" * 1_000_001 + b"0\n")
    (folder / "metadata.tsv").write_bytes(b"w\n")
    assert "1,000,002 dimensions" in refusal(folder)


@pytest.mark.parametrize("suffix", [".vec", ".bin", ".glove", ".projector"])
def test_more_words_than_memory_has_room_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    path = tmp_path / f"v{suffix}"
    words = [f"w{row}" for row in range(5000)]
    save_vectors(Embeddings(words, np.full((5000, 6), 0.5, dtype=np.float32)), path)
    monkeypatch.setattr(text_rows, "free_memory", lambda: 1_000_000)
    assert "only 0.0 GB is free" in refusal(path)
    assert len(load_vectors(path, limit=1000)) == 1000


@pytest.mark.parametrize(
    ("metadata", "says"),
    [
        (b"\n" * 100_000, "100,000 words for 2 lines"),
        (b"a\n" + b"\t" * 3_000_000 + b"\n", ""),
        (b"n\tword\n1\ta\n2\n", "line 3: a column is missing"),
    ],
)
def test_invalid_words_of_a_projector(tmp_path: Path, metadata: bytes, says: str) -> None:
    folder = tmp_path / "p.projector"
    folder.mkdir()
    (folder / "tensors.tsv").write_bytes(b"1\t2\n3\t4\n")
    (folder / "metadata.tsv").write_bytes(metadata)
    if says:
        assert says in refusal(folder)
    else:
        # The row with an empty word is left out.
        assert list(load_vectors(folder).words) == ["a"]


@pytest.mark.parametrize("load", [load_questions, load_pairs, load_column])
def test_questions_and_pairs_of_hundreds_of_megabytes(tmp_path: Path, load: object) -> None:
    path = tmp_path / "large.txt"
    with path.open("wb") as file:
        file.truncate(240_000_000)
    with pytest.raises(UserError, match="too large"):
        load(path)  # type: ignore[operator]


# -- safetensors


def tensor_file(path: Path, header: object, body: bytes = b"") -> Path:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    path.write_bytes(struct.pack("<Q", len(text)) + text + body)
    return path


def describe(begin: int, end: int, shape: list[int], kind: str = "F32") -> dict[str, object]:
    return {"dtype": kind, "shape": shape, "data_offsets": [begin, end]}


@pytest.mark.parametrize(
    "words",
    [
        "[" * 500_000,
        "[" * 500_000 + "]" * 500_000,
        '["a", "b", ["c"]]',
        '["a", "b"]',
        '["a", "b", "c", "d"]',
        '["a", "b", 3]',
        '{"a": 1, "b": 2, "c": 3}',
        '["a", "b", "c"',
        "9" * 10_000,
        "",
        '"' * 1001,
    ],
)
def test_words_of_safetensors_that_are_no_list_of_texts(tmp_path: Path, words: str) -> None:
    header = {"embeddings": describe(0, 48, [3, 4]), "__metadata__": {"words": words}}
    assert "words" in refusal(tensor_file(tmp_path / "v.safetensors", header, TABLE.tobytes()))


def test_words_of_safetensors_with_marks_in_them(tmp_path: Path) -> None:
    path = tmp_path / "v.safetensors"
    words = ['"', "\\", "[,]"]
    save_vectors(Embeddings(words, TABLE), path)
    assert list(load_vectors(path).words) == words


@pytest.mark.parametrize(
    ("metadata", "says"),
    [("[" * 100_000, "deep"), ("{}" + " " * 21_000_000, "long"), ("[]", "no"), ("1" * 9999, "")],
)
def test_invalid_provenance(tmp_path: Path, metadata: str, says: str) -> None:
    texts = {"words": json.dumps(WORDS), "metadata": metadata}
    header = {"embeddings": describe(0, 48, [3, 4]), "__metadata__": texts}
    assert says in refusal(tensor_file(tmp_path / "v.safetensors", header, TABLE.tobytes()))


@pytest.mark.parametrize(
    ("arrays", "size"),
    [
        ({"embeddings": describe(0, 48, [3, 4]), "x": describe(0, 48, [3, 4])}, 48),
        ({"embeddings": describe(0, 48, [3, 4]), "x": describe(44, 52, [2])}, 52),
        ({"embeddings": describe(4, 52, [3, 4])}, 52),
        ({"embeddings": describe(0, 48, [3, 4]), "x": describe(52, 56, [1])}, 56),
        ({"embeddings": describe(0, 48, [3, 4])}, 49),
        ({"embeddings": describe(0, 48, [3, 4]), "x": describe(48, 52, [1] * 100_000)}, 52),
        ({"embeddings": describe(0, 48, [3, 4]), "x": describe(48, 48, [2**61] * 20_000)}, 48),
        ({f"x{number}": describe(0, 0, [0]) for number in range(60_000)}, 0),
    ],
    ids=[
        "same place",
        "overlapping",
        "hole before",
        "hole between",
        "bytes behind",
        "axes",
        "huge",
        "too many",
    ],
)
def test_arrays_that_do_not_fill_the_file_in_turn(
    tmp_path: Path, arrays: dict[str, object], size: int
) -> None:
    header = {**arrays, "__metadata__": {"words": json.dumps(WORDS)}}
    path = tensor_file(tmp_path / "v.safetensors", header, bytes(size))
    assert "isn’t a valid safetensors file, or it is" in refusal(path)


def test_arrays_of_no_numbers_lie_anywhere_between(tmp_path: Path) -> None:
    arrays = {
        "x": describe(48, 48, [0]),
        "embeddings": describe(0, 48, [3, 4]),
        "y": describe(0, 0, [0]),
    }
    header = {**arrays, "__metadata__": {"words": json.dumps(WORDS)}}
    tensors = safetensors_io.open_tensors(
        tensor_file(tmp_path / "v.safetensors", header, bytes(48))
    )
    assert sorted(tensors.tensors) == ["embeddings", "x", "y"]


def test_a_tokenizer_that_is_larger_than_one_of_so_few_rows(tmp_path: Path) -> None:
    folder = tmp_path / "m.model2vec"
    save_vectors(Embeddings(WORDS, TABLE), folder)
    with (folder / "tokenizer.json").open("ab") as file:
        file.truncate(20_000_000)
    assert "tokenizer.json" in refusal(folder)
    for text in (
        "[" * 300_000,
        '{"model": {"vocab": {"a": 1' + "0" * 9999 + "}}}",
        '{"model": {"vocab": [[1, 2]]}}',
    ):
        (folder / "tokenizer.json").write_text(text)
        assert "tokenizer.json" in refusal(folder)


# -- compressed files and full disks


@pytest.mark.parametrize("suffix", [".vec", ".bin", ".glove", ".fasttext", ".npz", ".safetensors"])
def test_packed_files_of_all_kinds_are_read(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"v{suffix}"
    table = np.linspace(0, 1, 24, dtype=np.float32).reshape(3, 8)
    save_vectors(Embeddings(WORDS, table), path)
    compressed_file = tmp_path / f"v{suffix}.gz"
    compressed_file.write_bytes(gzip.compress(path.read_bytes()))
    found = load_vectors(compressed_file)
    assert list(found.words) == list(WORDS)
    np.testing.assert_array_equal(found.vectors, table)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /dev/full")
@pytest.mark.parametrize("size", [10, 1_000_000])
def test_a_full_disk_is_named_as_one(size: int) -> None:
    with pytest.raises(OSError, match="No space left") as error:
        safetensors_io.write_tensors(Path("/dev/full"), {"a": np.zeros(size)}, {})
    assert error.value.errno == errno.ENOSPC


@pytest.mark.parametrize("name", ["v.vec", "v.bin"])
@pytest.mark.parametrize("header", [f"{10**18} 3", f"3 {10**18}", f"{10**30} {10**30}"])
def test_headers_that_exceed_the_file_are_refused_with_their_number(
    tmp_path: Path, name: str, header: str
) -> None:
    path = tmp_path / name
    path.write_bytes(f"{header}\na 1 2 3\n".encode() + bytes(99))
    message = refusal(path)
    assert "header of" in message
    assert f"{max(map(int, header.split())):,}" in message
