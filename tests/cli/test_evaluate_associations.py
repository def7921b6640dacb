from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from workbench.__main__ import main
from workbench.session.training.train_api import train
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors

Capture = pytest.CaptureFixture[str]

SETS = """
[sets]
he-jobs = ["engineer", "pilot", "astronaut"]
she-jobs = ["nurse", "florist"]
he = ["he", "his"]
she = ["she", "her"]
[tests.jobs]
targets = ["he-jobs", "she-jobs"]
attributes = ["he", "she"]
pairs = true
[tests.back]
targets = ["she-jobs", "he-jobs"]
attributes = ["he", "she"]
"""
LINES = [
    "the engineer said he lost his way",
    "the pilot says he likes his plane",
    "the nurse said she lost her way",
    "the florist says she likes her shop",
    "the garden is quiet and the street is quiet",
    " ".join(f"plant{number}" for number in range(30)),
]


@pytest.fixture(autouse=True)
def inputs(folder: Path) -> None:
    (folder / "sets.toml").write_text(SETS)
    (folder / "text.txt").write_text("\n".join(LINES * 20) + "\n")
    for seed in (1, 2):
        model = train(folder / "text.txt", "sgns", dim=8, min_count=1, seed=seed, epochs=2)
        save_vectors(model, folder / f"v{seed}.npz")


def json_of(capsys: Capture, *arguments: str) -> dict[str, Any]:
    assert main(["evaluate", *arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    found: dict[str, Any] = json.loads(out)
    return found


def test_json_of_a_test(capsys: Capture) -> None:
    document = json_of(capsys, "v1.npz", "--associations", "sets.toml", "--text", "text.txt")
    assert document["analogies"] is None
    jobs, back = document["associations"]["jobs"], document["associations"]["back"]
    assert jobs["sets"]["x"] == {
        "name": "he-jobs",
        "known": 2,
        "words": 3,
        "missing": ["astronaut"],
        "without_vector": [],
    }
    assert jobs["vectors"]["size"] == pytest.approx(-back["vectors"]["size"])
    assert jobs["counts"]["size"] == pytest.approx(2, abs=0.1)
    assert jobs["counts"]["p"] == pytest.approx(1 / 6)
    assert back["counts"]["p"] == 1
    assert jobs["ripa"]["pairs"] == 2
    assert back["ripa"] is None
    assert [word["word"] for word in jobs["words"]] == ["engineer", "pilot", "nurse", "florist"]
    assert jobs["words"][0]["counts"] > 1 > -1 > jobs["words"][2]["counts"]
    assert jobs["words"][0]["pairs"] == 40


def test_without_a_text_there_are_no_counts(capsys: Capture) -> None:
    (one,) = json_of(capsys, "v1.npz", "--associations", "sets.toml", "--test", "jobs")[
        "associations"
    ].values()
    assert one["counts"] is None
    assert one["line"] is None
    assert one["words"][0]["counts"] is None
    assert one["words"][0]["cosine"] is not None


def test_several_runs_side_by_side(capsys: Capture) -> None:
    arguments = ["v1.npz", "v2.npz", "--associations", "sets.toml", "--text", "text.txt"]
    assert main(["evaluate", *arguments]) == 0
    out = capsys.readouterr().out
    head, *rows = out.splitlines()
    assert head.split()[:4] == ["vectors", "test", "effect", "p"]
    assert [row.split()[:2] for row in rows[:4]] == [
        ["v1.npz", "jobs"],
        ["v1.npz", "back"],
        ["v2.npz", "jobs"],
        ["v2.npz", "back"],
    ]
    assert "jobs (v2.npz), left out (not in the vocabulary): “astronaut”." in rows
    document = json_of(capsys, *arguments)
    assert set(document["vectors"]) == {"v1.npz", "v2.npz"}


def test_a_table_of_tests(capsys: Capture, folder: Path) -> None:
    arguments = ["evaluate", "v1.npz", "--associations", "sets.toml", "--table"]
    assert main([*arguments, "t.csv"]) == 0
    with (folder / "t.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["test"] for row in rows] == ["jobs", "back"]
    assert float(rows[0]["effect"]) == pytest.approx(-float(rows[1]["effect"]))
    assert rows[0]["effect in the text"] == ""
    capsys.readouterr()
    (folder / "s.txt").write_text("he\tshe\t3\n")
    assert main([*arguments, "t.csv", "--similarity", "s.txt"]) == 2
    assert "Evaluate associations separately" in capsys.readouterr().err


def test_the_figure_has_a_dot_for_each_word_and_names_that_are_safe(folder: Path) -> None:
    text = re.sub(r'"?\bhe-jobs"?', '"<he> & jobs"', SETS)
    (folder / "sets.toml").write_text(text)
    arguments = ["v1.npz", "v2.npz", "--associations", "sets.toml", "--text", "text.txt"]
    assert main(["evaluate", *arguments, "--figure", "f.svg"]) == 0
    root = ElementTree.fromstring((folder / "f.svg").read_text("utf-8"))
    dots = [element for element in root.iter() if element.tag.endswith("circle")]
    # Four target words in each of four panels, each drawn larger than random words.
    assert len([dot for dot in dots if dot.get("r") == "4"]) == 16
    texts = {element.text for element in root.iter() if element.text}
    assert "jobs · v2.npz" in texts
    assert "● <he> & jobs" in texts
    # Words that are nearer to “he” in the text are to the right of the others.
    panel = next(element for element in root if element.get("transform"))
    places = [(float(dot.get("cx", "0")), dot.get("fill")) for dot in panel if dot.get("r") == "4"]
    assert min(x for x, _ in places[:2]) > max(x for x, _ in places[2:])
    assert len({colour for _, colour in places}) == 2


def test_without_counts_there_is_no_figure(capsys: Capture, folder: Path) -> None:
    (folder / "other.txt").write_text("nothing of this kind is here\n" * 9)
    arguments = ["evaluate", "v1.npz", "--associations", "sets.toml", "--text", "other.txt"]
    assert main([*arguments, "--figure", "f.svg"]) == 2
    assert "Nothing to draw" in capsys.readouterr().err
    assert not (folder / "f.svg").exists()


def test_typed_sets(capsys: Capture) -> None:
    arguments = [
        "--targets",
        "engineer,pilot",
        "nurse,florist",
        "--attributes",
        "he,his",
        "she,her",
    ]
    (one,) = json_of(capsys, "v1.npz", *arguments, "--pairs")["associations"].values()
    assert one["ripa"]["pairs"] == 2
    assert (one["sets"]["x"]["name"], one["title"]) == ("X", "typed")


def test_the_published_sets_are_known_by_name(capsys: Capture) -> None:
    words = ["science", "poetry", "he", "she", "einstein", "shakespeare", "nasa", "dance"]
    save_vectors(Embeddings(words, np.eye(8, dtype=np.float32)), Path("w.vec"))
    document = json_of(capsys, "w.vec", "--associations", "caliskan-2017", "--test", "weat8")
    one = document["associations"]["weat8"]
    assert "Caliskan" in one["source"]
    # “Einstein” and “NASA” are found in lowercase.
    assert one["sets"]["x"]["known"] == 3
    assert "Einstein" not in one["sets"]["x"]["missing"]


def test_the_seed_decides_samples(capsys: Capture) -> None:
    arguments = ["v1.npz", "--associations", "sets.toml", "--test", "jobs"]
    one, again, other = (
        json_of(capsys, *arguments, "--seed", seed)["associations"]["jobs"]
        for seed in ("1", "1", "2")
    )
    assert one == again
    assert one["vectors"]["random_sets"] != other["vectors"]["random_sets"]


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--associations", "absent.toml"], "absent.toml"),
        (["--associations", "text.txt"], "isn’t valid TOML"),
        (["--associations", "sets.toml", "--test", "job"], "Unknown tests: “job”."),
        (["--associations", "sets.toml", "--seed", "-1"], "--seed must be 0 or more"),
        (["--associations", "sets.toml", "--pairs"], "--pairs needs --attributes"),
        (["--targets", "a", "b"], "belong together"),
        (["--attributes", "a", "b"], "belong together"),
        (["--targets", "a", "b", "--attributes", "c", "c"], "in both “A” and “B”"),
        (["--targets", "a", "b", "--attributes", "c", ","], "the set “B” has no words"),
        (["--targets", "a", "b", "--attributes", "c", "d", "--test", "x"], "--test needs"),
        (["--text", "text.txt"], "--text needs a test"),
        (["--figure", "f.svg"], "--figure needs a test"),
        (["--associations", "sets.toml", "--figure", "f.svg"], "--figure needs the counts"),
        (
            ["--associations", "sets.toml", "--text", "text.txt", "--figure", "f.pdf"],
            "End the name in .svg or .png",
        ),
        (["--associations", "sets.toml", "--text", "absent.txt"], "absent.txt"),
        (["--associations", "sets.toml", "--text", "v1.npz"], "vectors, not text"),
    ],
)
def test_mistakes(arguments: list[str], part: str, capsys: Capture) -> None:
    assert main(["evaluate", "v1.npz", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert part in err


def test_a_set_without_vectors_leaves_the_other_tests(capsys: Capture, folder: Path) -> None:
    text = SETS.replace('["nurse", "florist"]', '["nobody"]', 1)
    (folder / "sets.toml").write_text(
        text + '[tests.same]\ntargets = ["he", "she"]\nattributes = ["he-jobs", "she-jobs"]\n'
    )
    assert main(["evaluate", "v1.npz", "--associations", "sets.toml"]) == 0
    out = capsys.readouterr().out
    assert "jobs: No word of the set “she-jobs” has a vector." in out.splitlines()


def test_scores_have_intervals_over_drawn_texts(folder: Path, capsys: Capture) -> None:
    (folder / "pairs.txt").write_text("engineer pilot 7\nnurse florist 8\nhe garden 1\nhe she 9\n")
    model = train(folder / "text.txt", "ppmi", min_count=1)
    save_vectors(model, folder / "ppmi.npz")
    asked = ["ppmi.npz", "--similarity", "pairs.txt", "--text", "text.txt", "--resample", "20"]
    found = json_of(capsys, *asked)["intervals"]
    score = found["scores"]["pairs.txt"]
    assert (found["number_of_documents"], found["resampled"]) == (len(LINES) * 20, 20)
    assert -1 <= score["low"] <= score["value"] <= score["high"] <= 1
    assert main(["evaluate", "ppmi.npz", "--similarity", "pairs.txt", "--resample", "20"]) != 0
    assert "--resample needs --text" in capsys.readouterr().err
    (folder / "more").mkdir()
    (folder / "more" / "pairs.txt").write_text("engineer he 1\nnurse she 8\ngarden she 9\n")
    second = str(Path("more") / "pairs.txt")
    asked = ["ppmi.npz", "--similarity", "pairs.txt", second, *asked[3:]]
    both = json_of(capsys, *asked)["intervals"]["scores"]
    assert list(both) == ["pairs.txt", second]
    assert both["pairs.txt"] == score
    assert both[second]["value"] != score["value"]
