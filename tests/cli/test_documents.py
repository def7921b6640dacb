from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from workbench import load_vectors
from workbench.__main__ import main

Capture = pytest.CaptureFixture[str]
SETTINGS = ["--algorithm", "lsa", "--dim", "3", "--min-count", "1"]


@pytest.fixture(autouse=True)
def inputs(folder: Path, capsys: Capture) -> None:
    lines = ["the king rules the castle", "a cook boils the soup", "the king sees the queen"]
    (folder / "text.txt").write_text("\n".join(lines) + "\n")
    assert main(["train", "text.txt", *SETTINGS, "--output", "lsa.npz"]) == 0
    capsys.readouterr()


def test_found_documents(capsys: Capture, folder: Path) -> None:
    arguments = ["documents", "lsa.npz", "--text", "text.txt", "--find", "Cook", "soup", "-n", "1"]
    assert main(arguments) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[:2] == ["text", "2"]
    assert main([*arguments, "--json", "--output", "found.csv"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["documents"] == 3
    assert document["found"][0]["text"] == "a cook boils the soup"
    with (folder / "found.csv").open(encoding="utf-8") as file:
        assert [row["document"] for row in csv.DictReader(file)] == ["text 2"]


def test_vectors_of_documents(capsys: Capture) -> None:
    assert main(["documents", "lsa.npz", "--text", "text.txt", "--output", "d.npz"]) == 0
    assert capsys.readouterr().out == "d.npz: 3 documents.\n"
    assert list(load_vectors("d.npz").words) == ["text 1", "text 2", "text 3"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "Nothing to do."),
        (["--output", "d.csv"], "is a table of found documents"),
        (["--find", "soup", "-n", "0"], "-n must be 1 or more"),
        (["--find", "soop"], "soup"),
        (["--find", "soup", "--output", "d.xyz"], "d.xyz"),
    ],
)
def test_one_sentence_for_bad_input(capsys: Capture, given: list[str], said: str) -> None:
    assert main(["documents", "lsa.npz", "--text", "text.txt", *given]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert said in err
