from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
from ngram_toy import ngram_model
from tables import dense

from workbench.__main__ import main
from workbench.session.runs.run_record import RunRecord, State
from workbench.session.runs.store import Store
from workbench.vectors.formats import load_vectors, save_vectors

Capture = pytest.CaptureFixture[str]


def refusal(capsys: Capture, *arguments: str) -> str:
    assert main(list(arguments)) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_convert_makes_other_vectors(vectors: Path, capsys: Capture) -> None:
    model = ngram_model()
    save_vectors(model, "m.npz")
    W, C = model.vectors.astype(np.float64), model.contexts.astype(np.float64)
    assert (
        main(
            [
                "convert",
                "m.npz",
                "sum.npz",
                "--result",
                "w+c",
                "--normalise",
                "--all-but-the-top",
                "2",
            ]
        )
        == 0
    )
    table = W + C - (W + C).mean(axis=0)
    top = np.linalg.svd(table)[2][:2]
    table = table - table @ top.T @ top
    embeddings = load_vectors("sum.npz")
    np.testing.assert_allclose(
        dense(embeddings.vectors), table / np.linalg.norm(table, axis=1, keepdims=True), atol=1e-5
    )
    assert embeddings.metadata["vectors"] == {
        "result": "w+c",
        "normalise": True,
        "all_but_the_top": 2,
    }
    # Options that aren’t given stay as they are; W is still in the file.
    assert (
        main(
            [
                "convert",
                "sum.npz",
                "plain.vec",
                "--no-normalise",
                "--all-but-the-top",
                "-1",
                "--result",
                "w",
            ]
        )
        == 0
    )
    np.testing.assert_array_equal(load_vectors("plain.vec").vectors, model.vectors)
    assert main(["convert", "sum.npz", "less.npz", "--no-normalise"]) == 0
    np.testing.assert_allclose(dense(load_vectors("less.npz").vectors), table, atol=1e-5)
    assert main(["convert", "m.npz", "both.vec", "--result", "concatenation"]) == 0
    np.testing.assert_array_equal(
        dense(load_vectors("both.vec").vectors),
        np.hstack([dense(W), dense(C)]).astype(np.float32),
    )
    capsys.readouterr()
    assert "context vectors" in refusal(capsys, "convert", "v.vec", "x.vec", "--result", "w+c")
    assert "3 principal components" in refusal(
        capsys, "convert", "v.vec", "x.vec", "--all-but-the-top", "3"
    )
    assert "0 or more" in refusal(capsys, "convert", "v.vec", "x.vec", "--all-but-the-top", "-2")
    assert "--result" in refusal(capsys, "convert", "v.vec", "x.vec", "--result", "c")
    assert not Path("x.vec").exists()


@pytest.mark.usefixtures("text")
def test_counts(capsys: Capture, folder: Path) -> None:
    (folder / "t.txt").write_text("a b a\nb b\nc\n")
    options = ["--window", "1", "--min-count", "2", "--window-weighting", "fixed"]
    assert main(["counts", "t.txt", "--output", "c.npz", *options]) == 0
    assert "2 words" in capsys.readouterr().out
    matrix = sp.load_npz("c.npz")
    with np.load("c.npz", allow_pickle=False) as parts:
        words = parts["words"].tolist()
        assert parts["counts"].tolist() == [3, 2]
        metadata = json.loads(str(parts["metadata"]))
    assert words == ["b", "a"]
    np.testing.assert_array_equal(matrix.toarray(), [[2, 2], [2, 0]])
    assert metadata["parameters"]["window"] == 1
    assert metadata["corpus"]["tokens"] == 6
    assert "--negative" in refusal(
        capsys, "counts", "t.txt", "--output", "c.npz", "--negative", "5"
    )
    assert "window must be" in refusal(
        capsys, "counts", "t.txt", "--output", "c.npz", "--window", "0"
    )
    assert ".npz" in refusal(capsys, "counts", "t.txt", "--output", "c.txt")
    assert "--output" in refusal(capsys, "counts", "t.txt")


def test_convert(vectors: Path, capsys: Capture) -> None:
    before = load_vectors(vectors)
    for name in ("v.bin", "v.npz", "v.glove"):
        assert main(["convert", "v.vec", name]) == 0
        after = load_vectors(name)
        assert list(after.words) == list(before.words)
        np.testing.assert_array_equal(after.vectors, before.vectors)
    assert main(["convert", "v.glove", "w.txt", "--from", "glove", "--to", "glove"]) == 0
    assert Path("w.txt").read_text() == Path("v.glove").read_text()
    capsys.readouterr()
    assert "format" in refusal(capsys, "convert", "v.vec", "v.xyz")
    assert "Unknown format “x”" in refusal(capsys, "convert", "v.vec", "v.bin", "--to", "x")
    assert "twice" in refusal(capsys, "convert", "v.vec", "v.vec")
    assert "absent.vec" in refusal(capsys, "convert", "absent.vec", "v.bin")
    assert not [path for path in Path().iterdir() if path.name.startswith(".")]


@pytest.mark.usefixtures("text")
def test_counts_as_tables_and_for_glove(capsys: Capture, folder: Path) -> None:
    (folder / "t.txt").write_text("a b a\nb b\nc\n")
    options = ["--window", "1", "--min-count", "2", "--window-weighting", "fixed"]
    assert main(["counts", "t.txt", "--output", "c.bin", *options]) == 0
    assert "c.bin and c.vocab.txt: 2 words, 3 cells." in capsys.readouterr().out
    assert Path("c.vocab.txt").read_text() == "b 3\na 2\n"
    assert (
        main(
            [
                "counts",
                "t.txt",
                "--output",
                "c.csv",
                *options,
                "--measures",
                "sppmi",
                "--shift",
                "2",
            ]
        )
        == 0
    )
    assert Path("c.csv").read_text().splitlines()[0].endswith("context_pairs,sppmi")
    capsys.readouterr()
    assert "--shift needs" in refusal(
        capsys, "counts", "t.txt", "--output", "c.npz", "--shift", "2"
    )
    assert "“pim”" in refusal(capsys, "counts", "t.txt", "--output", "c.csv", "--measures", "pim")


def test_share_a_file_and_a_run(capsys: Capture, folder: Path) -> None:
    save_vectors(ngram_model(), "m.npz")
    assert main(["share", "m.npz", "--to", "out", "--words", "king"]) == 0
    out = capsys.readouterr().out
    assert "report.html" in out
    assert (
        "No command of word2vec.c: word2vec.c trains" in out
        or "don’t contain their training settings" in out
    )
    assert (folder / "out" / "report.html").exists()
    assert "No file or run is named “nobody”" in refusal(capsys, "share", "nobody", "--to", "out")
    assert "Unknown type of export “song”" in refusal(
        capsys, "share", "m.npz", "--to", "out", "--only", "song"
    )
    assert "is a file" in refusal(capsys, "share", "m.npz", "--to", "m.npz")
    store = Store()
    for number in (1, 2):
        record = RunRecord(f"run-{number}", "Mine", "", {}, "", "", "2026", state=State.DONE)
        store.save(record, ngram_model())
    assert "run-1, run-2" in refusal(capsys, "share", "Mine", "--to", "out")
    assert main(["share", "run-2", "--to", "run", "--only", "report"]) == 0
    assert [path.name for path in (folder / "run").iterdir()] == ["report.html"]


def test_text(capsys: Capture, folder: Path) -> None:
    (folder / "t.txt").write_text("The cat, and\n\nthe Dog!\n")
    assert main(["text", "t.txt", "--output", "out.txt"]) == 0
    assert "5 tokens" in capsys.readouterr().out
    assert Path("out.txt").read_text() == "the cat and\nthe dog\n"
    assert main(["text", "t.txt", "--output", "out.txt", "--no-lowercase"]) == 0
    assert Path("out.txt").read_text() == "The cat and\nthe Dog\n"


def test_all_files_of_a_text_are_listed(capsys: Capture, folder: Path) -> None:
    books = folder / "books"
    books.mkdir()
    for name in ("a.txt", "b.png", "c.png", "d.png", "e.png", "f.txt~"):
        (books / name).write_text("one two")
    assert main(["text", "books", "--output", "out.txt"]) == 0
    plain = capsys.readouterr()
    assert "e.png" not in plain.out + plain.err
    assert main(["text", "books", "--output", "out.txt", "--files"]) == 0
    rows = capsys.readouterr().out.splitlines()[2:]
    assert [Path(row.split()[0]).name for row in rows] == (
        ["a.txt", "b.png", "c.png", "d.png", "e.png", "f.txt~"]
    )
    assert "Plain text" in rows[0]
    assert all("passed over" in row and "name" in row for row in rows[1:])


def test_folders_are_written_and_read(vectors: Path, capsys: Capture, folder: Path) -> None:
    before = load_vectors(vectors)
    for name, key in (("p", "projector"), ("m", "model2vec")):
        assert main(["convert", "v.vec", name, "--to", key]) == 0
        assert main(["convert", name, f"{name}.npz", "--limit", "3"]) == 0
        after = load_vectors(f"{name}.npz")
        assert list(after.words) == list(before.words)[:3]
    (folder / "p" / "mine.txt").write_text("mine")
    assert "mine.txt" in refused_after(capsys, "convert", "v.vec", "p", "--to", "projector")
    assert "--limit" in refusal(capsys, "convert", "v.vec", "x.vec", "--limit", "-1")


def refused_after(capsys: Capture, *arguments: str) -> str:
    capsys.readouterr()
    return refusal(capsys, *arguments)


def test_convert_to_float16(vectors: Path, capsys: Capture) -> None:
    save_vectors(ngram_model(), "m.npz")
    assert main(["convert", "m.npz", "half.npz", "--half"]) == 0
    capsys.readouterr()
    whole, half = (
        np.asarray(load_vectors("m.npz").vectors),
        np.asarray(load_vectors("half.npz").vectors),
    )
    assert np.array_equal(half, whole.astype(np.float16).astype(np.float32))
    assert "float16" in refusal(capsys, "convert", "half.npz", "half.vec", "--half")
    assert not Path("half.vec").exists()


def test_convert_says_what_the_file_lacks(
    vectors: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    save_vectors(ngram_model(), "m.npz")
    for name, lost in (
        ("v.vec", "the file doesn’t contain the n-grams, context vectors, counts of the words.\n"
         "Words that aren’t in the file get no vectors.\n"),
        ("v.bin", "doesn’t contain the n-grams, context vectors, counts"),
        ("v.glove", "doesn’t contain the n-grams, context vectors, counts"),
        ("v.csv", "doesn’t contain the n-grams, context vectors, counts"),
        ("v.projector", "doesn’t contain the n-grams, context vectors.\n"),
        ("v.model2vec", "doesn’t contain the n-grams, context vectors.\n"),
        ("v.fasttext", ""),
        ("v.safetensors", ""),
    ):  # fmt: skip
        assert main(["convert", "m.npz", name]) == 0
        err = capsys.readouterr().err
        assert lost in err
        assert lost or "contain" not in err
