"""safetensors files, model2vec’s folders and the Embedding Projector’s folders, byte by byte."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors, sniff
from workbench.vectors.undecoded import file_warnings

WORDS = ["the", "Zürich", "東京", "don't"]
TABLE = np.random.default_rng(5).normal(size=(4, 3)).astype(np.float32)


def container(
    arrays: dict[str, np.ndarray], texts: dict[str, str] | None = None, **changes: Any
) -> bytes:
    """A safetensors file built from its specification, independently of the workbench."""
    kinds = {
        "float32": "F32",
        "float16": "F16",
        "int8": "I8",
        "int64": "I64",
        "int32": "I32",
        "float64": "F64",
    }
    header: dict[str, Any] = {"__metadata__": texts} if texts else {}
    data = b""
    for name, value in arrays.items():
        place = [len(data), len(data) + value.nbytes]
        header[name] = {
            "dtype": kinds[value.dtype.name],
            "shape": list(value.shape),
            "data_offsets": place,
        }
        data += value.tobytes()
    for name, change in changes.items():
        header[name] |= change
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


def tokenizer(vocabulary: Any, **more: Any) -> str:
    return json.dumps(
        {"added_tokens": more.pop("added", []), "model": {"vocab": vocabulary, **more}}
    )


def model_folder(folder: Path, arrays: dict[str, np.ndarray], text: str) -> Path:
    folder.mkdir()
    (folder / "model.safetensors").write_bytes(container(arrays))
    (folder / "tokenizer.json").write_text(text, encoding="utf-8")
    return folder


# -- safetensors


def test_a_file_is_laid_out_as_described(tmp_path: Path) -> None:
    path = tmp_path / "v.safetensors"
    save_vectors(
        Embeddings(WORDS, TABLE, np.array([9, 5, 5, 1]), metadata={"algorithm": "sgns"}), path
    )
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    assert length % 8 == 0
    assert json.loads(header["__metadata__"]["words"]) == WORDS
    assert json.loads(header["__metadata__"]["metadata"]) == {"algorithm": "sgns"}
    begin, end = header["embeddings"]["data_offsets"]
    assert header["embeddings"]["dtype"] == "F32"
    table = np.frombuffer(data[8 + length + begin : 8 + length + end], "<f4").reshape(
        header["embeddings"]["shape"]
    )
    assert np.array_equal(table, TABLE)
    spans = sorted(
        value["data_offsets"] for name, value in header.items() if name != "__metadata__"
    )
    assert [spans[0][0], spans[0][1], spans[1][1]] == [0, spans[1][0], len(data) - 8 - length]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"shape": [10**12, 3]}, "numbers, which doesn’t match its size"),
        ({"shape": [-4, 3]}, "invalid shape"),
        ({"shape": [4.0, 3]}, "invalid shape"),
        ({"data_offsets": [0, 10**15]}, "numbers, which doesn’t match its size"),
        ({"data_offsets": [4, 52]}, "numbers, which doesn’t match its size"),
        ({"dtype": "F128"}, "has the unsupported type"),
        ({"shape": [2, 6]}, "not a number for each|shape|length|words"),
    ],
)
def test_absurd_headers_are_refused_before_allocating(
    tmp_path: Path, change: dict[str, Any], says: str
) -> None:
    path = tmp_path / "v.safetensors"
    path.write_bytes(
        container({"embeddings": TABLE}, {"words": json.dumps(WORDS)}, embeddings=change)
    )
    with pytest.raises(UserError, match=says):
        load_vectors(path)


def test_a_header_longer_than_its_file(tmp_path: Path) -> None:
    path = tmp_path / "v.safetensors"
    path.write_bytes(struct.pack("<Q", 2**62) + b"{}")
    assert sniff(path) == "safetensors"
    with pytest.raises(UserError, match="its header is missing, or longer than the file"):
        load_vectors(path)
    path.write_bytes(struct.pack("<Q", 200_000) + b"[" * 200_000)
    with pytest.raises(UserError, match="safetensors"):
        load_vectors(path)


def test_tensors_without_word_vectors_or_words(tmp_path: Path) -> None:
    path = tmp_path / "bert.safetensors"
    path.write_bytes(container({"encoder.weight": TABLE}))
    with pytest.raises(UserError, match=r"no table of word vectors.*encoder\.weight"):
        load_vectors(path)
    path.write_bytes(container({"embeddings": TABLE}))
    with pytest.raises(UserError, match=r"tokenizer\.json"):
        load_vectors(path)


# -- model2vec


def test_a_folder_with_a_vocabulary_of_its_own(tmp_path: Path) -> None:
    words = dict(zip(["[PAD]", "a", "##b", "c\ud800"], (0, 2, 1, 3), strict=True))
    folder = model_folder(
        tmp_path / "model", {"embeddings": TABLE.astype(np.float16)}, tokenizer(words)
    )
    assert sniff(folder) == "model2vec"
    embeddings = load_vectors(folder)
    assert list(embeddings.words) == ["[PAD]", "##b", "a", r"c\xed\xa0\x80"]
    assert embeddings.metadata["undecoded"] == {"words": 1}
    assert np.array_equal(embeddings.vectors, TABLE.astype(np.float16).astype(np.float32))
    assert list(load_vectors(folder / "model.safetensors", limit=2).words) == ["[PAD]", "##b"]


def test_quantised_vocabularies_weights_and_unigram_pieces(tmp_path: Path) -> None:
    pieces = [["▁the", -1.5], ["ing", -2.0], ["x", -9.0]]
    rows, weights = np.array([3, 0, 3]), np.array([0.5, 2.0, 1.0], dtype=np.float32)
    extra_tokens = [{"id": 1, "content": "other"}, {"id": 3, "content": "beyond"}]
    folder = model_folder(
        tmp_path / "m",
        {"embeddings": TABLE, "mapping": rows, "weights": weights},
        tokenizer(pieces, added=extra_tokens),
    )
    embeddings = load_vectors(folder)
    assert list(embeddings.words) == ["▁the", "ing", "x"]
    assert np.array_equal(embeddings.vectors, TABLE[rows] * weights[:, None])


@pytest.mark.parametrize(
    ("arrays", "text"),
    [
        ({"embeddings": TABLE, "mapping": np.array([0, 4])}, tokenizer({"a": 0, "b": 1})),
        ({"embeddings": TABLE, "weights": np.ones(3, np.float32)}, tokenizer({"a": 0})),
        ({"embeddings": TABLE[0]}, tokenizer({"a": 0})),
        ({"embeddings": TABLE}, tokenizer({"a": 99})),
        ({"embeddings": TABLE}, tokenizer({"a": "b"})),
        ({"embeddings": TABLE}, tokenizer(3)),
        ({"embeddings": TABLE}, "{}"),
        ({"embeddings": TABLE}, "[" * 100_000),
        ({"embeddings": TABLE}, ""),
    ],
)
def test_folders_that_do_not_fit_together(
    tmp_path: Path, arrays: dict[str, np.ndarray], text: str
) -> None:
    with pytest.raises(UserError):
        load_vectors(model_folder(tmp_path / "m", arrays, text))


def test_the_folder_that_is_written(tmp_path: Path) -> None:
    corpus = {"options": {"tokeniser": "words", "lowercase": True}}
    path = tmp_path / "mine"
    save_vectors(Embeddings(WORDS, TABLE, metadata={"corpus": corpus}), path, "model2vec")
    document = json.loads((path / "tokenizer.json").read_text(encoding="utf-8"))
    assert document["model"]["vocab"] == {
        **{word: row for row, word in enumerate(WORDS)},
        "[UNK]": 4,
    }
    steps = document["normalizer"]["normalizers"]
    assert [step["type"] for step in steps] == ["Replace", "Replace", "Replace", "Lowercase"]
    assert json.loads((path / "config.json").read_text())["normalize"] is False
    assert list(load_vectors(path).words) == WORDS
    with_unknown = Embeddings(["[UNK]", "a"], TABLE[:2])
    save_vectors(with_unknown, path, "model2vec")
    assert list(load_vectors(path).words) == ["[UNK]", "a"]


# -- the Embedding Projector


PAIR = ("tensors.tsv", "metadata.tsv")


def projector(folder: Path, tensors: str, metadata: str, names: tuple[str, str] = PAIR) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in zip(names, (tensors, metadata), strict=True):
        (folder / name).write_bytes(text.encode())
    return folder


def test_files_for_tensorboard(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.mkdir()
    save_vectors(Embeddings(["a b", "=c"], TABLE[:2]), path)
    assert (path / "metadata.tsv").read_bytes() == b"a b\n=c\n"
    lines = (path / "tensors.tsv").read_text().splitlines()
    assert np.array_equal(
        np.array([line.split("\t") for line in lines], dtype=np.float32), TABLE[:2]
    )
    assert 'tensor_path: "tensors.tsv"' in (path / "projector_config.pbtxt").read_text()
    # The program may overwrite its own folder.
    save_vectors(Embeddings(["x", "y"], TABLE[:2], np.array([7, 3])), path)
    assert (path / "metadata.tsv").read_bytes() == b"word\tcount\nx\t7\ny\t3\n"


@pytest.mark.parametrize(
    ("metadata", "words", "counts"),
    [
        ("a\nb\n", ["a", "b"], None),
        ("word\na\nb\n", ["word", "a", "b"][1:], None),
        ("\ufeffa\r\nb\r\n", ["a", "b"], None),
        ("id\tLabel\tFrequency\n0\ta\t9\n1\tb\t5\n", ["a", "b"], [9, 5]),
        ("word\tcount\na\t1.5\nb\t2\n", ["a", "b"], None),
    ],
)
@pytest.mark.parametrize("names", [PAIR, ("vectors.tsv", "metadata.tsv")])
def test_pairs_of_other_programs(
    tmp_path: Path,
    metadata: str,
    words: list[str],
    counts: list[int] | None,
    names: tuple[str, str],
) -> None:
    folder = projector(tmp_path / "p", "0.5\t-1\r\n2\t1e3\r\n", metadata, names)
    for path in (folder, folder / names[0], folder / names[1]):
        assert sniff(path) == "projector"
        embeddings = load_vectors(path)
        assert list(embeddings.words) == words
        assert np.asarray(embeddings.vectors).tolist() == [[0.5, -1.0], [2.0, 1000.0]]
        assert (None if embeddings.counts is None else embeddings.counts.tolist()) == counts


def test_the_pair_of_gensims_script(tmp_path: Path) -> None:
    folder = projector(
        tmp_path / "g", "1\t2\n3\t4\n", "a\nb\n", ("mine_tensor.tsv", "mine_metadata.tsv")
    )
    assert list(load_vectors(folder / "mine_tensor.tsv").words) == ["a", "b"]


@pytest.mark.parametrize(
    ("tensors", "metadata", "says"),
    [
        ("1\t2\n3\t4\n", "a\n", "1 words for 2 lines"),
        ("1\t2\n3\n", "a\nb\n", "line 2: expected 2 numbers"),
        ("1\t2\n3\tx\n", "a\nb\n", "line 2"),
        ("1\tnan\n", "a\n", "line 1.*NaN"),
        ("1\t2\n3\t4\n", "n\tword\n1\ta\n2\n", "line 3: a column is missing"),
        ("1\t2\n", "", "empty"),
        ("", "a\n", "0 lines|empty"),
    ],
)
def test_pairs_that_do_not_fit(tmp_path: Path, tensors: str, metadata: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        load_vectors(projector(tmp_path / "p", tensors, metadata))


def test_numbers_without_their_words_say_so(tmp_path: Path) -> None:
    (tmp_path / "tensors.tsv").write_text("0.1\t0.2\t0.3\t0.4\t0.5\t0.6\t0.7\n" * 3)
    with pytest.raises(UserError, match="is one of two projector files, and the other is"):
        load_vectors(tmp_path / "tensors.tsv")
    assert sniff(tmp_path) is None


def test_a_folder_that_holds_other_things_stays(tmp_path: Path) -> None:
    (tmp_path / "diary.txt").write_text("dear")
    for name in ("projector", "model2vec"):
        with pytest.raises(UserError, match=r"diary\.txt"):
            save_vectors(Embeddings(WORDS, TABLE), tmp_path, name)
    assert [file.name for file in tmp_path.iterdir()] == ["diary.txt"]


def test_repeated_words_keep_their_counts(tmp_path: Path) -> None:
    folder = projector(tmp_path / "p", "1\t2\n3\t4\n5\t6\n", "word\tcount\na\t9\na\t8\nb\t7\n")
    embeddings = load_vectors(folder)
    assert list(embeddings.words) == ["a", "b"]
    assert np.asarray(embeddings.vectors).tolist() == [[1, 2], [5, 6]]
    assert embeddings.counts is not None
    assert embeddings.counts.tolist() == [9, 7]
    assert embeddings.metadata["repeated_rows"] == 1


def test_rows_without_a_word_are_counted(tmp_path: Path) -> None:
    folder = model_folder(tmp_path / "m", {"embeddings": TABLE}, tokenizer({"a": 0, "b": 2}))
    embeddings = load_vectors(folder)
    assert list(embeddings.words) == ["a", "b"]
    assert embeddings.metadata["rows_without_word"] == len(TABLE) - 2


def test_special_tokens_are_left_out_and_counted(tmp_path: Path) -> None:
    vocabulary = {"[PAD]": 0, "[UNK]": 1, "elm": 2, "<s>": 3, "oak": 4, "[x]": 5}
    added = [
        {"id": 3, "content": "<s>", "special": True},
        {"id": 4, "content": "oak", "special": False},
    ]
    table = np.arange(12, dtype=np.float32).reshape(6, 2)
    text = tokenizer(vocabulary, added=added, unk_token="[UNK]")
    found = load_vectors(model_folder(tmp_path / "m", {"embeddings": table}, text))
    assert list(found.words) == ["elm", "oak", "[x]"]
    np.testing.assert_array_equal(found.vectors, table[[2, 4, 5]])
    assert file_warnings(found) == (
        "3 rows were left out because they belong to special tokens, not to words.",
    )
    text = tokenizer({"[UNK]": 0}, unk_token="[UNK]")
    with pytest.raises(UserError):
        load_vectors(model_folder(tmp_path / "none", {"embeddings": table[:1]}, text))


def test_words_in_brackets_of_own_folders_stay(tmp_path: Path) -> None:
    known = Embeddings(["[PAD]", "[UNK]", "elm"], np.eye(3, dtype=np.float32))
    save_vectors(known, tmp_path / "v.model2vec")
    found = load_vectors(tmp_path / "v.model2vec")
    assert list(found.words) == list(known.words)
    np.testing.assert_array_equal(found.vectors, known.vectors)


def test_a_folder_of_tensorboards_logs(tmp_path: Path) -> None:
    """Tables in further folders, as add_embedding of SummaryWriter writes them."""
    inner = tmp_path / "00000" / "default"
    inner.mkdir(parents=True)
    (inner / "tensors.tsv").write_text("1\t2.5\n3\t4\n")
    (inner / "metadata.tsv").write_text("elm\noak\n")
    config = tmp_path / "projector_config.pbtxt"
    config.write_text(
        'embeddings {\ntensor_name: "default:00000"\ntensor_path: "00000/default/tensors.tsv"\n'
        'metadata_path: "00000/default/metadata.tsv"\n}\n'
    )
    for path in (tmp_path, config):
        assert sniff(path) == "projector"
        assert list(load_vectors(path).words) == ["elm", "oak"]
    outside = tmp_path / "other"
    outside.mkdir()
    (outside / config.name).write_text(
        config.read_text().replace("00000/default", "../00000/default")
    )
    assert sniff(outside) is None


def test_metadata_with_as_many_lines_as_tensors_has_no_titles(tmp_path: Path) -> None:
    (tmp_path / "tensors.tsv").write_text("1\t2.5\n3\t4\n")
    (tmp_path / "metadata.tsv").write_text("word\tnoun\nlabel\tnoun\n")
    assert list(load_vectors(tmp_path).words) == ["word", "label"]
    (tmp_path / "metadata.tsv").write_text("kind\tword\nnoun\telm\nnoun\toak\n")
    assert list(load_vectors(tmp_path).words) == ["elm", "oak"]


def test_a_row_without_a_word_has_no_count_either(tmp_path: Path) -> None:
    (tmp_path / "tensors.tsv").write_text("1\t2.5\n3\t4\n5\t6\n")
    (tmp_path / "metadata.tsv").write_text("word\tcount\nelm\t7\n\t5\noak\t3\n")
    found = load_vectors(tmp_path)
    assert list(found.words) == ["elm", "oak"]
    assert found.counts is not None
    assert found.counts.tolist() == [7, 3]
    assert np.asarray(found.vectors).tolist() == [[1, 2.5], [5, 6]]


def test_logs_with_several_tables_ask_for_one(tmp_path: Path) -> None:
    config = ""
    for step in ("00001", "00002"):
        folder = tmp_path / "log" / step / "default"
        folder.mkdir(parents=True)
        (folder / "tensors.tsv").write_text("1\t0\n0\t1\n")
        (folder / "metadata.tsv").write_text("sun\nmoon\n")
        config += (
            f'embeddings {{\ntensor_name: "default:{step}"\ntensor_path: "{step}/default/'
            f'tensors.tsv"\nmetadata_path: "{step}/default/metadata.tsv"\n}}\n'
        )
    (tmp_path / "log" / "projector_config.pbtxt").write_text(config)
    with pytest.raises(UserError, match="2 tables") as caught:
        load_vectors(tmp_path / "log")
    assert "log/00002/default" in caught.value.hint
    assert load_vectors(tmp_path / "log" / "00002" / "default").words == ["sun", "moon"]
