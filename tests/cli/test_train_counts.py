"""``workbench train --counts``."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from corpora import markov_corpus

from workbench.__main__ import main
from workbench.counts.cooccurrence import cooccurrence
from workbench.counts.shards import shard_csr, write_shards
from workbench.session.runs.store import Store
from workbench.vectors.formats import load_vectors

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def counts(folder: Path) -> Path:
    corpus = markov_corpus(3000)
    vocabulary = corpus.vocabulary(1)
    matrix = cooccurrence(corpus, vocabulary, 2, "fixed", threads=1)
    counting = {"weighting": "fixed", "window": 2, "symmetric": True, "divisor": 1.0}
    write_shards(folder / "counts", shard_csr(matrix, 400), vocabulary, counting)
    return folder / "counts"


def refusal(capsys: Capture, *arguments: str) -> str:
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_vectors_are_trained_from_counts_and_continued(capsys: Capture, counts: Path) -> None:
    words = [
        "train",
        "--counts",
        "counts",
        "--algorithm",
        "glove",
        "--dim",
        "4",
        "--epochs",
        "2",
        "--threads",
        "1",
    ]
    assert main([*words, "--preset", "GloVe demo", "--output", "v.npz", "--report", "r.json"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("v.npz: 40 words, 4 dimensions")
    assert err == ""
    embeddings = load_vectors("v.npz")
    # The preset’s window is another, but the window of the counts applies.
    assert embeddings.metadata["parameters"]["window"] == 2
    assert embeddings.metadata["parameters"]["x_max"] == 10.0
    assert embeddings.metadata["corpus"]["counts"]["folder"] == str(counts)
    report = json.loads(Path("r.json").read_text())
    assert report["corpus"]["digest"] == embeddings.metadata["corpus"]["digest"]
    assert (
        main(
            [
                "train",
                "--counts",
                "counts",
                "--continue",
                "v.npz",
                "--epochs",
                "3",
                "--output",
                "w.npz",
            ]
        )
        == 0
    )
    assert float(load_vectors("w.npz").state["passes"]) == 5


def test_a_grid_varies_what_the_counts_leave_open(capsys: Capture, counts: Path) -> None:
    words = [
        "grid",
        "--counts",
        "counts",
        "--algorithm",
        "glove",
        "--dim",
        "2,4",
        "--epochs",
        "1",
        "--threads",
        "1",
    ]
    assert main([*words, "--preset", "GloVe demo", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [run["parameters"] for run in document["runs"]] == [{"dim": 2}, {"dim": 4}]
    records, _ = Store().load()
    assert [(record.parameters["window"], record.state) for record in records] == [(2, "done")] * 2
    assert {record.summary["source"]["counts"] for record in records} == {str(counts)}
    assert main([*words, "--window", "2,5", "--plan", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [run["parameters"]["window"] for run in document["runs"]] == [2, 2]
    assert "counted with window 2, not 5" in document["left_out"][0]["reason"]
    base = ["grid", "--counts", "counts"]
    assert "can’t be trained from counts" in refusal(capsys, *base)
    assert "can’t be used with --counts" in refusal(
        capsys, *base, "small-world", "--algorithm", "svd"
    )


def test_invalid_options_with_counts_are_one_sentence(capsys: Capture) -> None:
    base = ["train", "--counts", "counts", "--output", "v.npz"]
    assert "can’t be trained from counts" in refusal(capsys, *base)
    assert "svd, glove, swivel" in refusal(capsys, *base, "--algorithm", "ppmi")
    glove = [*base, "--algorithm", "glove"]
    assert "counted with window 2, not 5" in refusal(capsys, *glove, "--window", "5")
    assert "can’t be used with --counts" in refusal(capsys, *glove, "--no-lowercase")
    assert "can’t be used with --counts" in refusal(capsys, *glove, "small-world")
    assert "contains counts, not text" in refusal(capsys, "train", "counts", "--output", "v.npz")
    assert "doesn’t exist" in refusal(
        capsys, "train", "--counts", "no", "--output", "v.npz", "--algorithm", "svd"
    )
    assert "doesn’t have the option" in refusal(capsys, *glove, "--negative", "3")


def test_pairs_with_contexts_of_their_own_name_the_algorithms_for_them(
    folder: Path, capsys: Capture
) -> None:
    (folder / "pairs.tsv").write_text("word\tcontext\tcount\neat\tdog/subj\t3\neat\tbone/obj\t2\n")
    assert main(["train", "--counts", "pairs.tsv", "--algorithm", "sgns", "--output", "v.vec"]) == 2
    assert "Choose one of: ppmi, svd" in capsys.readouterr().err
