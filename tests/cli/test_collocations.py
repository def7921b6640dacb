from __future__ import annotations

import csv
import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from workbench.__main__ import main

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def inputs(folder: Path) -> None:
    (folder / "texts").mkdir()
    for number, drink in enumerate(("tea", "coffee", "tea")):
        lines = [f"strong {drink} and cold milk", f"hot {drink} with r&d and milk"] * 9
        (folder / "texts" / f"{number}.txt").write_text("\n".join([*lines, "a cat sat"]) + "\n")


def test_the_table(capsys: Capture) -> None:
    assert main(["collocations", "texts", "--word", "Tea", "--window", "1", "--second", "1"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0].split()[3:] == ["PMI", "log-likelihood", "files", "DP", "D"]
    assert {line.split()[0] for line in lines[1:5]} == {"strong", "hot", "with", "and"}
    assert "“tea” occurs 36 times, in 2 files" in out


def test_json_and_edges(capsys: Capture, folder: Path) -> None:
    arguments = ["collocations", "texts", "--word", "tea", "--window", "1", "--second", "2"]
    assert main([*arguments, "--json", "--output", "e.csv"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["word"], document["parts"]) == ("tea", "files")
    assert all(one["dispersion"]["parts"] == 2 for one in document["collocates"])
    with (folder / "e.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(document["collocates"]) + len(document["second"])
    assert {row["order"] for row in rows} == {"1", "2"}
    assert rows[0]["source"] == "tea"


def test_the_figure_is_sound_xml(folder: Path) -> None:
    arguments = ["collocations", "texts", "--word", "milk", "--tokeniser", "whitespace"]
    assert main([*arguments, "--second", "3", "--output", "n.svg"]) == 0
    root = ElementTree.fromstring((folder / "n.svg").read_text("utf-8"))
    names = {element.text for element in root.iter() if element.tag.endswith("text")}
    assert "milk" in names
    assert "r&d" in names


def test_lines(capsys: Capture, folder: Path) -> None:
    arguments = ["lines", "texts", "--find", "strong|hot *", "--sort", "right", "-n", "3"]
    assert main([*arguments, "--output", "l.tsv"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == "  [strong tea]  and cold milk"
    assert out.splitlines()[-1] == "54 lines, 3 of them shown."
    assert len((folder / "l.tsv").read_text("utf-8").splitlines()) == 4
    assert main(["lines", "texts", "--find", "tea", "--near", "cold", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["total"] == 18
    assert document["lines"][0]["right"] == "and cold milk"


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["collocations", "texts"], "--word"),
        (["collocations", "texts", "--word", "zebra"], "“zebra” is not in the vocabulary"),
        (["collocations", "texts", "--word", "cat"], "has no collocates"),
        (["collocations", "texts", "--word", "tea", "--window", "0"], "--window must be"),
        (["collocations", "texts", "--word", "tea", "--measure", "x"], "log-likelihood"),
        (["collocations", "texts", "--word", "tea", "--output", "n.pdf"], "one of these suffixes"),
        (["collocations", "absent", "--word", "tea"], "absent"),
        (["lines", "texts"], "--find"),
        (["lines", "texts", "--find", "zebra"], "zebra"),
        (["lines", "texts", "--find", "the zebra*"], "No word of texts matches"),
        (["lines", "texts", "--find", ""], ""),
        (["lines", "texts", "--find", "tea", "-n", "0"], "-n must be from 1"),
        (["lines", "texts", "--find", "tea", "--output", "l.txt"], "Use the suffix"),
        (["lines", "texts", "--find", "hot tea", "--near", "milk"], "several words"),
    ],
)
def test_mistakes(arguments: list[str], part: str, capsys: Capture) -> None:
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert part in err
