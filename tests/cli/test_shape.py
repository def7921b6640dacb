from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from workbench.__main__ import main
from workbench.session.training.train_api import train
from workbench.vectors.formats import save_vectors

Capture = pytest.CaptureFixture[str]


@pytest.fixture(autouse=True)
def inputs(folder: Path) -> None:
    words = [f"word{number}" for number in range(12)]
    lines = [" ".join(words[at % 7 : at % 7 + 5]) for at in range(200)]
    (folder / "text.txt").write_text("\n".join(lines) + "\n")
    model = train(folder / "text.txt", "sgns", dim=4, min_count=1, epochs=2)
    save_vectors(model, folder / "v.npz")


def test_the_table_and_its_sentences(capsys: Capture, folder: Path) -> None:
    (folder / "pairs.txt").write_text("word1\tword2\t3\nword1\tword9\t1\nword4\tword5\t2\n")
    arguments = ["shape", "v.npz", "--text", "text.txt", "--similarity", "pairs.txt", "--k", "2"]
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0].split()[:3] == ["variant", "cosine,", "types"]
    assert [line.split("  ")[0] for line in lines[1:8]] == [
        "as they are",
        "centred by types",
        "centred by tokens",
        "all but the top 1",
        "whitened, β = 0",
        "whitened, β = 0.5",
        "whitened, β = 1",
    ]
    assert lines[0].endswith("similarity")
    assert any(line.startswith("Farthest above the sampling floor:") for line in lines)


def test_json(capsys: Capture) -> None:
    assert main(["shape", "v.npz", "--text", "text.txt", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["words"] == 11
    assert len(document["variants"]) == 7
    assert len(document["variants"][0]["variances"]) == 4
    assert -1 <= document["correlations"]["weighted_length_information"] <= 1
    assert main(["shape", "v.npz", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert set(document["correlations"]) == {"length_frequency"}
    assert document["keywords"] == []


def test_a_table_of_words(folder: Path) -> None:
    assert main(["shape", "v.npz", "--text", "text.txt", "--words", "w.csv", "--k", "3"]) == 0
    with (folder / "w.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 11
    assert sum(int(row["neighbour of"]) for row in rows) == 33
    assert all(float(row["2 KL floor"]) > 0 for row in rows)


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["--k", "0"], "--k must be 1 or more"),
        (["--limit", "-1"], "--limit must be 0 or more"),
        (["--limit", "2"], "Fewer than three words"),
        (["--words", "w.txt"], "Use the suffix .csv or .tsv"),
        (["--words", "v.npz"], "Use the suffix .csv or .tsv"),
        (["--text", "absent.txt"], "absent.txt"),
        (["--similarity", "absent.txt"], "absent.txt"),
    ],
)
def test_mistakes(arguments: list[str], part: str, capsys: Capture) -> None:
    assert main(["shape", "v.npz", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert part in err
