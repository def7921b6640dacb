"""Exchange of files with other programs, in both directions, for each format.

gensim takes part where it is installed. Other programs do where environment variables name them:
``WORKBENCH_FASTTEXT`` (fastText's program), ``WORKBENCH_WORD2VEC`` (word2vec.c's),
``WORKBENCH_GLOVE`` (the folder of GloVe's four).
"""

from __future__ import annotations

import csv
import json
import os
import struct
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ngram_toy import ngram_model

from workbench import read_corpus
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.text_export import write_text
from workbench.session.corpus.counting import CountParams, TableParams, write_counts
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import FORMATS, load_vectors, save_vectors
from workbench.vectors.subwords import compose

WORDS = ["the", "Zürich", "東京", "don't", "x-y", "1984", "naïve"]
TABLE = (np.random.default_rng(9).normal(size=(7, 12)) * 10.0 ** np.arange(-6, 6)).astype(
    np.float32
)
Read = dict[str, np.ndarray]


def program(variable: str, name: str = "") -> str:
    """Path in an environment variable; skips the test if the variable isn’t set."""
    found = os.environ.get(variable, "")
    if not found:
        pytest.skip(f"{variable} names no program")
    return str(Path(found) / name) if name else found


def run(
    *command: str | Path | int, folder: Path, text: str = "", output: Path | None = None
) -> str:
    process = subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        input=text.encode(),
        capture_output=True,
        check=True,
        timeout=200,
    )
    if output is not None:
        output.write_bytes(process.stdout)
        return ""
    return process.stdout.decode("utf-8")


# -- files written here, read by typical code of users


def text_rows(path: Path, skip: int) -> Read:
    lines = path.read_text(encoding="utf-8").splitlines()[skip:]
    return {line.split(" ")[0]: np.array(line.split(" ")[1:], dtype=np.float32) for line in lines}


def binary_rows(path: Path) -> Read:
    with path.open("rb") as file:
        size, dim = map(int, file.readline().split())
        found = {}
        for _ in range(size):
            word = b"".join(iter(lambda: file.read(1), b" "))
            found[word.strip().decode()] = np.frombuffer(file.read(4 * dim), "<f4")
    return found


def numpy_archive(path: Path) -> Read:
    with np.load(path) as arrays:
        return dict(zip(arrays["words"].tolist(), arrays["vectors"], strict=True))


def safetensors(path: Path) -> Read:
    data = path.read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    start, stop = header["embeddings"]["data_offsets"]
    table = np.frombuffer(data[8 + length + start : 8 + length + stop], "<f4").reshape(
        header["embeddings"]["shape"]
    )
    return dict(zip(json.loads(header["__metadata__"]["words"]), table, strict=True))


def model2vec(path: Path) -> Read:
    data = (path / "model.safetensors").read_bytes()
    (length,) = struct.unpack("<Q", data[:8])
    header = json.loads(data[8 : 8 + length])
    start, stop = header["embeddings"]["data_offsets"]
    table = np.frombuffer(data[8 + length + start : 8 + length + stop], "<f4").reshape(
        header["embeddings"]["shape"]
    )
    vocabulary = json.loads((path / "tokenizer.json").read_text(encoding="utf-8"))["model"]["vocab"]
    return {word: table[row] for word, row in vocabulary.items() if word != "[UNK]"}


def projector(path: Path) -> Read:
    table = np.loadtxt(path / "tensors.tsv", delimiter="\t", dtype=np.float32)
    words = (path / "metadata.tsv").read_text(encoding="utf-8").splitlines()
    return dict(zip(words, table, strict=True))


def fasttext_model(path: Path) -> Read:
    """Words and their own rows, read according to the file layout in the program’s source."""
    data = path.read_bytes()
    size = struct.unpack_from("<i", data, 8 + 56)[0]
    at, words = 8 + 56 + 28, []
    for _ in range(size):
        end = data.index(b"\0", at)
        words.append(data[at:end].decode())
        at = end + 1 + 9
    _, rows, columns = struct.unpack_from("<?2q", data, at)
    table = np.frombuffer(data, "<f4", rows * columns, at + 17).reshape(rows, columns)
    return dict(zip(words, table, strict=False))


def csv_table(path: Path) -> Read:
    with path.open(encoding="utf-8", newline="") as file:
        _, *rows = csv.reader(file)
    return {row[0]: np.array(row[1:], dtype=np.float32) for row in rows}


READERS: dict[str, Callable[[Path], Read]] = {
    "word2vec-text": lambda path: text_rows(path, 1),
    "word2vec-binary": binary_rows,
    "glove": lambda path: text_rows(path, 0),
    "table": csv_table,
    "npz": numpy_archive,
    "safetensors": safetensors,
    "model2vec": model2vec,
    "projector": projector,
    "fasttext": fasttext_model,
}


@pytest.mark.parametrize("key", FORMATS.keys())
def test_a_few_lines_of_numpy_read_every_format(key: str, tmp_path: Path) -> None:
    path = tmp_path / f"v{FORMATS[key].suffixes[0]}"
    save_vectors(Embeddings(WORDS, TABLE), path)
    found = READERS[key](path)
    assert list(found) == WORDS
    np.testing.assert_array_equal(np.stack(list(found.values())), TABLE)


@pytest.mark.parametrize("target", FORMATS.keys())
@pytest.mark.parametrize("source", FORMATS.keys())
def test_every_format_into_every_other_and_back(source: str, target: str, tmp_path: Path) -> None:
    """Conversion preserves words and float32 numbers exactly."""
    one, other = (
        tmp_path / f"{name}{FORMATS[key].suffixes[0]}"
        for name, key in (("a", source), ("b", target))
    )
    save_vectors(Embeddings(WORDS, TABLE), one)
    save_vectors(load_vectors(one), other)
    back = load_vectors(other)
    assert list(back.words) == WORDS
    np.testing.assert_array_equal(back.vectors, TABLE)


# -- gensim


# gensim doesn’t close files without a header.
@pytest.mark.filterwarnings(
    "ignore:unclosed file", "ignore::pytest.PytestUnraisableExceptionWarning"
)
@pytest.mark.parametrize(
    ("key", "options"),
    [("word2vec-text", {}), ("word2vec-binary", {"binary": True}), ("glove", {"no_header": True})],
)
def test_gensim_reads_ours_and_we_gensims(
    key: str, options: dict[str, Any], tmp_path: Path
) -> None:
    vectors = pytest.importorskip("gensim.models").KeyedVectors
    path = tmp_path / f"v{FORMATS[key].suffixes[0]}"
    save_vectors(Embeddings(WORDS, TABLE), path)
    theirs = vectors.load_word2vec_format(str(path), **options)
    assert theirs.index_to_key == WORDS
    np.testing.assert_array_equal(theirs.vectors, TABLE)
    write_options = options if "no_header" not in options else {"write_header": False}
    theirs.save_word2vec_format(str(tmp_path / "theirs"), **write_options)
    back = load_vectors(tmp_path / "theirs", key)
    assert list(back.words) == WORDS
    # gensim writes enough digits to distinguish float32 numbers.
    np.testing.assert_array_equal(back.vectors, TABLE)


# -- fastText's program


def test_fasttext_reads_ours_with_unseen_words(tmp_path: Path) -> None:
    fasttext = program("WORKBENCH_FASTTEXT")
    model = ngram_model()
    save_vectors(model, tmp_path / "m.fasttext")
    words = [*model.words, "unbreakable", "Zürcher", "zzz"]
    output = run(
        fasttext,
        "print-word-vectors",
        tmp_path / "m.fasttext",
        folder=tmp_path,
        text="\n".join(words) + "\n",
    )
    found = {
        line.split(" ")[0]: np.array(line.split()[1:], dtype=float) for line in output.splitlines()
    }
    assert list(found) == words
    for word in words:
        # The program prints five significant digits.
        np.testing.assert_allclose(found[word], compose(model, word).vector, rtol=1e-4, atol=1e-5)


def test_we_read_fasttexts(tmp_path: Path) -> None:
    fasttext = program("WORKBENCH_FASTTEXT")
    (tmp_path / "t.txt").write_text("the old king saw the young queen\n" * 30, encoding="utf-8")
    options = {
        "input": "t.txt",
        "output": "m",
        "dim": 8,
        "minCount": 1,
        "epoch": 1,
        "bucket": 500,
        "thread": 1,
    }
    run(
        fasttext,
        "skipgram",
        *(w for name, value in options.items() for w in (f"-{name}", value)),
        folder=tmp_path,
    )
    model, rows = load_vectors(tmp_path / "m.bin"), load_vectors(tmp_path / "m.vec")
    assert list(model.words) == list(rows.words)
    np.testing.assert_allclose(model.vectors, rows.vectors, rtol=1e-3, atol=1e-6)
    output = run(fasttext, "print-word-vectors", "m.bin", folder=tmp_path, text="queenly\n")
    np.testing.assert_allclose(
        compose(model, "queenly").vector, np.array(output.split()[1:], float), rtol=1e-3, atol=1e-6
    )
    # With the model saved again here, the program gives the same vectors.
    save_vectors(model, tmp_path / "again.fasttext")
    assert run(
        fasttext, "print-word-vectors", "again.fasttext", folder=tmp_path, text="queenly\nking\n"
    ) == run(fasttext, "print-word-vectors", "m.bin", folder=tmp_path, text="queenly\nking\n")


# -- word2vec.c's program


@pytest.mark.parametrize("binary", ["0", "1"])
def test_we_read_what_word2vec_writes(binary: str, tmp_path: Path) -> None:
    word2vec = program("WORKBENCH_WORD2VEC")
    (tmp_path / "t.txt").write_text("the old king saw the young queen\n" * 30, encoding="utf-8")
    options = [
        "-train",
        "t.txt",
        "-output",
        "v",
        "-size",
        "8",
        "-min-count",
        "1",
        "-iter",
        "1",
        "-threads",
        "1",
        "-debug",
        "0",
    ]
    options += ["-binary", str(binary)]
    run(word2vec, *options, folder=tmp_path)
    found = load_vectors(tmp_path / "v")
    # In word2vec.c, line ends are a word.
    assert sorted(found.words) == ["</s>", "king", "old", "queen", "saw", "the", "young"]
    assert found.dim == 8


# -- GloVe's programs

TEXT = (
    "the old king saw the young queen\nthe queen saw the king and the old queen\nking\nan odd "
    "word\n" * 7
)


@pytest.mark.parametrize(("weighting", "distance"), [("harmonic", "1"), ("fixed", "0")])
def test_glove_counts_what_we_count_and_trains_on_it(
    weighting: str, distance: str, tmp_path: Path
) -> None:
    """GloVe’s program gives the same counts for the text as those written here, cell by cell."""
    folder = program("WORKBENCH_GLOVE", ".")
    (tmp_path / "t.txt").write_text(TEXT, encoding="utf-8")
    corpus = read_corpus([tmp_path / "t.txt"], CorpusOptions())
    write_text(corpus, tmp_path / "corpus.txt")
    params = CountParams(window=3, window_weighting=weighting, min_count=8)
    write_counts(corpus, params, TableParams(), tmp_path / "c.bin", JobControl())
    text = (tmp_path / "corpus.txt").read_text(encoding="utf-8")
    programs = Path(folder)
    run(
        programs / "vocab_count",
        "-min-count",
        "8",
        "-verbose",
        "0",
        folder=tmp_path,
        text=text,
        output=tmp_path / "vocab.txt",
    )
    run(
        programs / "cooccur",
        "-window-size",
        "3",
        "-distance-weighting",
        distance,
        "-memory",
        "0.1",
        "-verbose",
        "0",
        "-vocab-file",
        "vocab.txt",
        folder=tmp_path,
        text=text,
        output=tmp_path / "theirs.bin",
    )

    def cells(name: str, vocabulary: str) -> dict[tuple[str, str], float]:
        data = (tmp_path / name).read_bytes()
        words = [
            line.split(" ")[0]
            for line in (tmp_path / vocabulary).read_text(encoding="utf-8").splitlines()
        ]
        found = (struct.unpack_from("<iid", data, at) for at in range(0, len(data), 16))
        return {(words[word - 1], words[context - 1]): count for word, context, count in found}

    ours, theirs = cells("c.bin", "c.vocab.txt"), cells("theirs.bin", "vocab.txt")
    # The program counts the first cell of its file, the most frequent word with itself, twice.
    theirs["the", "the"] /= 2
    assert ours == pytest.approx(theirs)
    vocabularies = [
        (tmp_path / name).read_text(encoding="utf-8").split()
        for name in ("vocab.txt", "c.vocab.txt")
    ]
    assert sorted(vocabularies[0]) == sorted(vocabularies[1])
    files = ["-input-file", "c.bin", "-vocab-file", "c.vocab.txt", "-save-file", "g"]
    settings = ["-vector-size", "6", "-iter", "3", "-threads", "1", "-binary", "0", "-verbose", "0"]
    run(programs / "glove", *files, *settings, folder=tmp_path)
    vectors = load_vectors(tmp_path / "g.txt")
    words = [
        line.split(" ")[0]
        for line in (tmp_path / "c.vocab.txt").read_text(encoding="utf-8").splitlines()
    ]
    assert list(vectors.words) == [*words, "<unk>"]
    assert vectors.dim == 6
