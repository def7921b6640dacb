"""``workbench groups``."""

from __future__ import annotations

import csv
import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from corpora import planted_corpus

from workbench.__main__ import main
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import save_vectors

Capture = pytest.CaptureFixture[str]

QUICK = ("--min-count", "1", "--dim", "10", "--replicates", "20", "--shuffles", "19")


@pytest.fixture(autouse=True)
def texts(folder: Path) -> Path:
    """The planted corpus as files."""
    corpus = planted_corpus(groups=4, documents=6, sentences=15, turn=2)
    place = folder / "texts"
    place.mkdir()
    sentence = 0
    end = 0
    for file in corpus.files:
        end += file.tokens
        lines = []
        while sentence < len(corpus.sentences) - 1 and corpus.sentences[sentence + 1] <= end:
            rows = corpus.ids[corpus.sentences[sentence] : corpus.sentences[sentence + 1]]
            lines.append(" ".join(corpus.words[row] for row in rows))
            sentence += 1
        (place / Path(file.path).name).write_text("\n".join(lines) + "\n")
    return place


def run(capsys: Capture, *arguments: str) -> str:
    assert (
        main(["groups", "texts", "--words", "mover", "--by", r"_(\d{4})", *QUICK, *arguments]) == 0
    )
    return capsys.readouterr().out


def refused(capsys: Capture, *arguments: str) -> str:
    assert main(["groups", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def test_a_table_and_what_it_says(capsys: Capture) -> None:
    out = run(capsys, "--to", "a0,b0")
    assert "mover and a0  occurrences  cosine" in out
    assert "mover and b0: p = 0.050, largest change before 1802." in out
    assert "4 groups, 24 files, 20 resampled texts, 19 shuffles." in out
    assert "too narrow" not in out
    assert "The bands are too narrow" in run(capsys, "--to", "a0", "--documents", "sentences")


def test_json_and_the_table_have_the_same_numbers(capsys: Capture, folder: Path) -> None:
    run(capsys, "--to", "a0,b0", "--output", "table.tsv", "--context-table", "contexts.csv")
    document: dict[str, Any] = json.loads(run(capsys, "--to", "a0,b0", "--json"))
    run(capsys, "--to", "a0,b0", "--output", "same.json")
    assert json.loads((folder / "same.json").read_text("utf-8")) == document
    with (folder / "table.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    assert [row["group"] for row in rows] == ["1800", "1801", "1802", "1803"] * 2
    first = document["series"][0]
    for name in ("cosine", "low", "high", "control", "control_low", "control_high"):
        assert [float(row[name]) for row in rows[:4]] == first[name]
    assert [one["documents"] for one in document["groups"]] == [6] * 4
    assert sum(one["tokens"] for one in document["groups"]) == 24 * 15 * 10
    with (folder / "contexts.csv").open(encoding="utf-8", newline="") as file:
        changes = list(csv.DictReader(file))
    word = document["words"][0]
    assert len(changes) == sum(map(len, word["gained"])) + sum(map(len, word["lost"]))
    assert {row["change"] for row in changes} <= {"gained", "lost"}


@pytest.mark.usefixtures("texts")
def test_the_figure_has_a_panel_for_each_pair(capsys: Capture, folder: Path) -> None:
    run(capsys, "--to", "a0,b0,c0", "--figure", "figure.svg")
    drawing = ElementTree.parse(folder / "figure.svg").getroot()
    texts = ["".join(one.itertext()) for one in drawing.iter("{http://www.w3.org/2000/svg}text")]
    assert sum(text.startswith("mover · ") for text in texts) == 3
    assert texts.count("1800") == 3


def test_vectors_from_a_file_for_a_la_carte(capsys: Capture) -> None:
    words = [f"{letter}{number}" for letter in "abcdef" for number in range(15)]
    vectors = np.random.default_rng(1).normal(size=(90, 5)).astype(np.float32)
    save_vectors(Embeddings(words, vectors), Path("v.vec"))
    out = run(capsys, "--to", "a0", "--method", "alacarte", "--vectors", "v.vec")
    assert "mover and a0" in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("texts", "--words", ","), "--words must contain words"),
        (("texts", "--words", "mover", "--by", "year"), "no column “year”"),
        (("texts", "--words", "mover", "--by", "_("), "isn’t a valid pattern"),
        (("texts", "--words", "movr", "--by", "file"), "“movr” is not in the vocabulary"),
        (("texts", "--words", "movr", "--by", "file"), "lower --min-count.\n"),
        (("texts", "--words", "mover", "--output", "t.xls"), "Can’t write to “t.xls”"),
        (("texts", "--words", "mover", "--figure", "t.tsv"), "Can’t write to “t.tsv”"),
        (("texts", "--words", "mover", "--contexts", "-1"), "--contexts must be 0 or more"),
        (
            ("texts", "--words", "mover", "--replicates", "1"),
            "--replicates must be 0 or at least 2",
        ),
        (("texts", "--words", "mover", "--vectors", "v.vec"), "--vectors needs --method alacarte"),
        (("nowhere", "--words", "mover"), "doesn’t exist"),
    ],
)
def test_what_is_wrong_is_one_sentence(
    capsys: Capture, arguments: tuple[str, ...], words: str
) -> None:
    assert words in refused(capsys, *arguments)
