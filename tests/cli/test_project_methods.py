"""``workbench project``: projections that need more than one file of vectors, and new words."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest
from scipy.stats import ortho_group

from workbench.__main__ import main
from workbench.core.processes import child_process, child_task
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors

WORDS = 30
Capture = pytest.CaptureFixture[str]
_QUICK = ["--n-neighbors", "5", "--n-epochs", "12"]


@pytest.fixture(autouse=True)
def _quick_helper(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Helper processes that compile nothing."""
    environment = child_process.child_environment
    disabled = {"NUMBA_DISABLE_JIT": "1"}
    monkeypatch.setattr(child_task, "child_environment", lambda: {**environment(), **disabled})
    yield
    child_task.end_waiting()


@pytest.fixture(autouse=True)
def _vectors(folder: Path) -> None:
    for name, seed in (("one.npz", 1), ("other.npz", 2)):
        table = np.random.default_rng(seed).normal(size=(WORDS, 5)).astype(np.float32)
        save_vectors(Embeddings([f"w{row}" for row in range(WORDS)], table), folder / name)


def refusal(capsys: Capture, *arguments: str) -> str:
    assert main(["project", "one.npz", "--output", "m.csv", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def rows(name: str) -> list[list[str]]:
    with open(name, encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def test_the_plane_of_an_analogy() -> None:
    command = ["project", "one.npz", "--method", "plane", "--analogy", "w0", "w1", "w2", "w3"]
    assert main([*command, "--output", "m.csv"]) == 0
    assert len(rows("m.csv")) == WORDS + 1


def test_two_models_have_two_positions_for_each_word(capsys: Capture) -> None:
    command = ["project", "one.npz", "--method", "pair-pca", "--other", "other.npz"]
    assert main([*command, "--output", "m.csv"]) == 0
    head, *table = rows("m.csv")
    assert head == ["word", "x", "y", "x after", "y after", "in"]
    assert {row[-1] for row in table} == {"both"}
    assert main([*command, "--output", "m.json", "--quality"]) == 0
    document = json.loads(Path("m.json").read_text("utf-8"))
    scores = [document[key]["trustworthiness"] for key in ("quality", "quality_after")]
    line = f"Trustworthiness {scores[0]:.3f} and {scores[1]:.3f}, continuity "
    assert line in capsys.readouterr().out
    assert main([*command, "--output", "m.npz"]) == 0
    with np.load("m.npz") as arrays:
        expected = np.array([row[3:5] for row in table], dtype=float)
        np.testing.assert_allclose(arrays["after"], expected, rtol=1e-5, atol=1e-6)


def test_two_models_are_drawn_side_by_side_at_one_scale(folder: Path) -> None:
    """Each half has the words of its model; a word moves by the difference of its positions."""
    table = np.random.default_rng(3).normal(size=(WORDS, 5)).astype(np.float32)
    words = [f"w{row}" for row in range(WORDS - 5)] + [f"new{row}" for row in range(5)]
    save_vectors(Embeddings(words, table), folder / "other.npz")
    command = ["project", "one.npz", "--method", "pair-pca", "--other", "other.npz"]
    assert main([*command, "--output", "m.svg"]) == 0
    assert main([*command, "--output", "m.csv"]) == 0
    space = "{http://www.w3.org/2000/svg}"
    root = ElementTree.parse("m.svg").getroot()
    assert root.get("width") == "2400"
    halves = root.findall(f"{space}g")
    texts = [{text.text for text in half.iter(f"{space}text")} for half in halves]
    assert [half.get("transform") for half in halves] == ["translate(0 0)", "translate(1200 0)"]
    assert "one.npz" in texts[0]
    assert "other.npz" in texts[1]
    assert not any(str(text).startswith("new") for text in texts[0])
    dots = [
        np.array([[float(dot.get(axis, "")) for axis in ("cx", "cy")] for dot in half.iter(circle)])
        for half in halves
        for circle in [f"{space}circle"]
    ]
    both = [row for row in rows("m.csv")[1:] if row[-1] != "only after"]
    before = np.array([row[1:3] for row in both], dtype=float)
    after = np.array([row[3:5] for row in rows("m.csv")[1:] if row[-1] != "only before"], float)
    assert [len(part) for part in dots] == [len(before), len(after)]
    # Pixels are an affine function of the positions, the same for both halves.
    scale = (dots[0][1, 0] - dots[0][0, 0]) / (before[1, 0] - before[0, 0])
    corner = dots[0][0] - before[0] * [scale, -scale]
    for part, positions in zip(dots, (before, after), strict=True):
        np.testing.assert_allclose(part, corner + positions * [scale, -scale], atol=0.5)


def test_the_settings_of_the_window_are_the_defaults(capsys: Capture) -> None:
    with pytest.raises(SystemExit):
        main(["project", "--help"])
    text = " ".join(capsys.readouterr().out.split())
    assert "(default 30" in text
    assert "(default 0.25" in text


def test_groups_of_a_column_and_of_questions(folder: Path, capsys: Capture) -> None:
    (folder / "kinds.tsv").write_text(
        "".join(f"w{row}\t{'ab'[row % 2]}\n" for row in range(WORDS)), "utf-8"
    )
    (folder / "questions.txt").write_text(": first\nw0 w1 w2 w3\n: second\nw4 w5 w6 w7\n", "utf-8")
    for number, given in enumerate(
        (["kinds.tsv"], ["questions.txt"], ["questions.txt", "--section", "first"])
    ):
        command = ["project", "one.npz", "--method", "supervised", "--groups", *given, *_QUICK]
        assert main([*command, "--output", f"m{number}.csv", "--quality"]) == 0
        assert "Trustworthiness" in capsys.readouterr().out
    assert len({Path(f"m{number}.csv").read_text("utf-8") for number in range(3)}) == 3
    assert "no section “third”" in refusal(
        capsys, "--method", "supervised", "--groups", "questions.txt", "--section", "third"
    )
    (folder / "foreign.tsv").write_text("a\tx\nb\ty\n", "utf-8")
    assert "Fewer than two groups" in refusal(
        capsys, "--method", "supervised", "--groups", "foreign.tsv"
    )


@pytest.mark.parametrize("suffix", [".csv", ".tsv", ".json", ".npz"])
def test_new_words_join_a_map_whose_words_stay(suffix: str) -> None:
    first = ["project", "one.npz", "--limit", "20", *_QUICK]
    assert main([*first, "--output", f"old{suffix}"]) == 0
    assert main([*first, "--output", "old.csv"]) == 0
    command = ["project", "one.npz", "--onto", f"old{suffix}", *_QUICK, "--output", "new.csv"]
    assert main(command) == 0
    before, after = rows("old.csv"), rows("new.csv")
    assert after[: len(before)] == before
    assert [row[0] for row in after[len(before) :]] == [f"w{row}" for row in range(20, WORDS)]
    assert main([*command, "--place", "w25"]) == 0
    assert [row[0] for row in rows("new.csv")[len(before) :]] == ["w25"]


def test_options_that_a_method_needs_or_lacks(folder: Path, capsys: Capture) -> None:
    assert "needs --other" in refusal(capsys, "--method", "aligned")
    assert "needs --groups" in refusal(capsys, "--method", "supervised")
    assert "doesn’t use --other" in refusal(capsys, "--method", "pca", "--other", "other.npz")
    assert "--section needs --groups" in refusal(capsys, "--section", "x")
    assert "--place needs --onto" in refusal(capsys, "--place", "w1")
    assert "unknown option" in refusal(capsys, "--method", "umap", "--metric", "euclidean")
    (folder / "bad.csv").write_text("word,x,y\na,1\n", "utf-8")
    assert "isn’t a map of words" in refusal(capsys, "--onto", "bad.csv")
    (folder / "far.csv").write_text("word,x,y\na,1,2\n", "utf-8")
    assert "Only 0 words of the map" in refusal(capsys, "--onto", "far.csv")
    assert main(["project", "one.npz", "--method", "pca", "--output", "all.csv"]) == 0
    capsys.readouterr()
    assert "contains all these words" in refusal(capsys, "--onto", "all.csv")
    assert "aren’t built from n-grams" in refusal(capsys, "--onto", "all.csv", "--place", "new")


def clusters_near(words: list[list[str]], placed: list[str]) -> set[int]:
    """The clusters of the five words of a map that are nearest to a placed one; "w7" is in the
    fourth of four.
    """
    places = np.array([[float(number) for number in word[1:]] for word in words])
    distances = np.linalg.norm(places - [float(number) for number in placed[1:]], axis=1)
    return {int(words[row][0][1:]) % 4 for row in np.argsort(distances)[:5]}


def test_words_of_other_vectors_join_a_map(folder: Path, capsys: Capture) -> None:
    """The other vectors are those of the map, rotated: each word lands where the map's own does."""
    random = np.random.default_rng(6)
    table = (random.normal(size=(4, 6)) * 3)[np.arange(150) % 4] + random.normal(size=(150, 6))
    names = [f"w{row}" for row in range(150)]
    save_vectors(Embeddings(names, table.astype(np.float32)), folder / "base.npz")
    turned = (table @ ortho_group.rvs(6, random_state=2)).astype(np.float32)
    save_vectors(Embeddings(names, turned), folder / "turned.npz")
    quick = ["--limit", "120", *_QUICK]
    assert main(["project", "base.npz", *quick, "--output", "old.csv"]) == 0
    onto = ["project", "base.npz", "--onto", "old.csv", *quick, "--output", "new.csv"]
    assert main([*onto, "--place", "w140"]) == 0
    own = rows("new.csv")[-1]
    capsys.readouterr()
    assert main([*onto, "--place", "w140", "--from", "turned.npz"]) == 0
    text = capsys.readouterr().out
    assert "Aligned by 150 shared words. In a test, 100% of them land among the 10 words" in text
    before, after = rows("old.csv"), rows("new.csv")
    assert after[: len(before)] == before
    assert after[-1][0] == "w140 (turned.npz)"
    # Rotated vectors are rounded otherwise, and steps of the layout may go another way for that:
    # the places differ, but are in the same cluster.
    assert clusters_near(before[1:], own) == clusters_near(before[1:], after[-1]) == {0}
    assert main([*onto, "--from", "turned.npz"]) == 0
    assert len(rows("new.csv")) == 1 + 120 + 120
    few = Embeddings([f"{'w' if row < 60 else 'x'}{row}" for row in range(150)], turned)
    save_vectors(few, folder / "few.npz")
    capsys.readouterr()
    assert main([*onto, "--place", "x140", "--from", "few.npz"]) == 2
    assert "share 60 words, but at least 100" in capsys.readouterr().err
    assert "--from needs --onto" in refusal(capsys, "--from", "turned.npz")
