"""Exports of a run trained from counts: repeating it needs no text."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpora import markov_corpus

from workbench.__main__ import main
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.counts_corpus import CountedCorpus, open_counts
from workbench.counts.shards import shard_csr, write_shards
from workbench.session.export import SHARES, ExportSource, share, texts
from workbench.session.export.export_sources import of_file
from workbench.session.export.methods_text import paragraph
from workbench.session.training.from_counts import train_from_counts
from workbench.session.training.train_api import train_on
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors

ROOT = Path(__file__).resolve().parents[2]
GLOVE: dict[str, Any] = {"dim": 3, "epochs": 2, "threads": 1}


@pytest.fixture
def counted_corpus(home: Path, tmp_path: Path) -> CountedCorpus:
    return counts_in(tmp_path / "it's “few”")


def counts_in(folder: Path, symmetric: bool = True) -> CountedCorpus:
    corpus = markov_corpus(3000)
    vocabulary = corpus.vocabulary(1)
    matrix = cooccurrence(corpus, vocabulary, 3, "linear", symmetric, threads=1)
    metadata = {
        "weighting": "linear",
        "window": 3,
        "symmetric": symmetric,
        "divisor": 1.0,
        "parameters": {"min_count": 2},
        "corpus": {
            "name": "Tales",
            "tokens": 3100,
            "types": 60,
            "files": [{"path": "/home/me/tales.txt", "size": 1}],
        },
    }
    write_shards(folder, shard_csr(matrix, 400), vocabulary, metadata)
    return open_counts(folder)


def subject(vectors: Embeddings) -> ExportSource:
    return ExportSource("GloVe 1", vectors)


def run_script(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "repeat.py"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_script_opens_the_counts_and_gives_the_same_vectors(
    counted_corpus: CountedCorpus, tmp_path: Path
) -> None:
    """Test a new run, a continued run, and a folder with other counts."""
    first = train_from_counts(counted_corpus.shards.folder, "glove", **GLOVE)
    save_vectors(first, tmp_path / "first.npz")
    share(of_file(tmp_path / "first.npz"), tmp_path / "one", ["script"])
    process = run_script(tmp_path / "one")
    assert (process.stdout, process.stderr) == ("The vectors are those of the run.\n", "")
    again = load_vectors(tmp_path / "one" / "glove.npz")
    np.testing.assert_array_equal(again.vectors, first.vectors)

    second = train_on(first, counted_corpus, 1)
    origin = {**second.metadata["continued"], "file": str(tmp_path / "first.npz")}
    second.metadata["continued"] = origin  # type: ignore[index]
    save_vectors(second, tmp_path / "second.npz")
    share(of_file(tmp_path / "second.npz"), tmp_path / "two", ["script"])
    assert run_script(tmp_path / "two").stdout == "The vectors are those of the run.\n"

    shard_file = counted_corpus.shards.folder / "00000.data.npy"
    content = bytearray(shard_file.read_bytes())
    content[-1] ^= 1
    shard_file.write_bytes(content)
    assert "are corrupt (00000.data.npy)" in run_script(tmp_path / "one").stderr
    counts_in(counted_corpus.shards.folder, symmetric=False)
    assert "aren’t the counts that the run was trained on" in run_script(tmp_path / "one").stderr


@pytest.mark.parametrize("symmetric", [True, False])
def test_the_command_of_glove_takes_the_cells(
    symmetric: bool,
    counted_corpus: CountedCorpus,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    counted_corpus = counts_in(tmp_path / "other", symmetric)
    vectors = train_from_counts(
        counted_corpus.shards.folder, "glove", **GLOVE, x_max=7.0, max_vocab=30, min_count=1
    )
    script = texts(subject(vectors), ["glove"])["glove.sh"]
    (export,) = [
        line[3:].strip() for line in script.splitlines() if line.startswith("#   workbench ")
    ]
    body = script[script.index("set -e") + 6 :].replace("\\\n", " ").split("\n")
    (line,) = [line for line in body if line.strip()]
    words = shlex.split(line)
    assert words[0] == "./glove"
    options = dict(zip(words[1::2], words[2::2], strict=True))
    assert options["-input-file"] == "counts.bin"
    assert options["-vocab-file"] == "counts.vocab.txt"
    assert (options["-x-max"], options["-vector-size"], options["-iter"], options["-model"]) == (
        "7",
        "3",
        "2",
        "2",
    )
    assert ("are swapped" in script) is not symmetric

    arguments = shlex.split(export)[1:]
    arguments[-1] = str(tmp_path / "counts.bin")
    assert main(arguments) == 0
    assert capsys.readouterr().err == ""
    cells = np.fromfile(
        tmp_path / "counts.bin", dtype=[("word", "<i4"), ("context", "<i4"), ("count", "<f8")]
    )
    found = np.zeros((30, 30))
    found[cells["word"] - 1, cells["context"] - 1] = cells["count"]
    np.testing.assert_array_equal(found, counted_corpus.shards.to_csr().toarray()[:30, :30])
    kept = [line.split() for line in (tmp_path / "counts.vocab.txt").read_text().splitlines()]
    assert [(word, int(count)) for word, count in kept] == list(
        zip(vectors.words, counted_corpus.counts[:30], strict=True)
    )


def test_the_paragraph_and_the_report_name_the_counts(counted_corpus: CountedCorpus) -> None:
    vectors = train_from_counts(counted_corpus.shards.folder, "glove", **GLOVE, max_vocab=30)
    text = paragraph(subject(vectors))
    cells, shards = counted_corpus.shards.nnz, len(counted_corpus.shards.shards)
    assert (
        f"Training used existing counts, it's “few”: {cells:,} pairs of 40 words that occur at "
        "least 2 times (3,000 tokens), in a window of 3 words on both sides, contexts at distance "
        f"δ weighted by L − δ + 1. The counts are in {shards} shards; the BLAKE2b digest of their "
        f"manifest is {counted_corpus.digest}."
    ) in text
    assert "The counted text, Tales (3,100 tokens of 60 types), was lowercased" in text
    assert "The vocabulary contains the 30 most frequent of these words." in text
    assert "window L =" not in text
    page = texts(subject(vectors), ["report"])["report.html"]
    for row in (
        "<td>Counts</td>",
        f"<td>{counted_corpus.digest}</td>",
        "<td>Counted text</td><td>Tales</td>",
        "<td>linear</td>",
    ):
        assert row in page
    # Paths of folders are private.
    assert str(counted_corpus.shards.folder.parent) not in page
    assert "/home/me" not in page


def test_every_kind_is_whole_or_says_why_there_is_none(counted_corpus: CountedCorpus) -> None:
    one = subject(train_from_counts(counted_corpus.shards.folder, "svd", dim=3, threads=1))
    files = texts(one)
    assert set(files) == {
        "repeat.py",
        "repeat.ipynb",
        "methods.md",
        "references.bib",
        "report.html",
    }
    # The notebook reads the counts, too, by the lines of the script.
    cells = json.loads(files["repeat.ipynb"])["cells"]
    code = ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    assert "open_counts(" in code[0]
    # A notebook can’t exit: it stops with an error.
    assert "raise ValueError(" in code[0]
    assert code[0].strip().replace("ValueError", "SystemExit") in files["repeat.py"]
    reasons = [kind.why_not(one) for kind in SHARES]
    assert all(reason is None or reason.endswith("not SVD.") for reason in reasons)


def test_no_address_of_a_cluster_is_handed_on(counted_corpus: CountedCorpus) -> None:
    vectors = train_from_counts(counted_corpus.shards.folder, "svd", dim=3, threads=1)
    values = {**vectors.metadata["parameters"], "scheduler": "tcp://host.example:8786"}
    there = replace(vectors, metadata={**vectors.metadata, "parameters": values})
    files = texts(subject(there))
    assert files == texts(subject(vectors))
    assert "host.example" not in "".join(files.values())
