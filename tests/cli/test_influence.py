from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import pytest
from corpora import markov_corpus

from workbench.__main__ import main
from workbench.session.corpus.reading import read_corpus
from workbench.session.training.train_api import train
from workbench.vectors.formats import load_vectors, save_vectors

Capture = pytest.CaptureFixture[str]
CORPUS = markov_corpus(3_000, words=20, sentence=10)


@pytest.fixture
def model(folder: Path) -> list[str]:
    """The names of vectors and of their text."""
    text = folder / "text.txt"
    text.write_text(
        "".join(
            " ".join(CORPUS.words[i] for i in CORPUS.ids[a:b].tolist()) + "\n"
            for a, b in pairwise(CORPUS.sentences.tolist())
        )
    )
    save_vectors(train(read_corpus([text]), "svd", min_count=1, dim=12), folder / "model.npz")
    return ["model.npz", "text.txt"]


def test_lines_are_ranked_and_left_out(model: list[str], capsys: Capture) -> None:
    command = ["influence", *model, "w01", "w06", "-n", "3", "--without", "20", "--train-again"]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = out.splitlines()
    assert lines[0].startswith("cosine of w01 and w06: ")
    assert lines[2].split() == ["line", "push", "pairs", "text"]
    assert len(lines) == 3 + 3 + 2
    assert lines[-2].startswith("Without 20 lines that raise it most, predicted: ")
    assert lines[-1].startswith("Trained again: ")

    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    vectors = load_vectors("model.npz")
    unit = vectors.unit
    expected = float(unit[vectors.row("w01")] @ unit[vectors.row("w06")])
    assert document["value"] == pytest.approx(expected, abs=1e-5)
    texts = Path("text.txt").read_text().splitlines()
    for one in document["lines"]:
        assert texts[one["line"] - 1] == one["text"]
        assert {"w01", "w06"} & set(one["text"].split())
    without = document["without"]
    assert len(without["lines"]) == 20
    (before,), (after,) = without["before"], without["after"]
    assert before == pytest.approx(document["value"], abs=1e-5)
    assert after < before
    assert without["predicted"] < before


def test_an_analogy_and_an_association(model: list[str], capsys: Capture) -> None:
    assert main(["influence", *model, "w01", "w02", "w07", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["words"][2:] == ["w01", "w02", "w07"]
    assert document["value"] >= 0
    assert main(["influence", *model, "w00,w05", "w01,w06", "w10", "w11", "--files"]) == 0
    table = capsys.readouterr().out.splitlines()
    assert table[1] == "1 file with its words"
    assert table[2].split() == ["file", "push", "pairs", "name"]
    assert table[3].endswith("text.txt")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["w01", "w01"], "The cosine of “w01” with itself is always 1."),
        (["w01"], "Two, three or four words are needed, not 1."),
        (["w01", "nobody"], "“nobody” is not in the vocabulary."),
        (["w01", "w02", "--train-again"], "--without must be 1 or more."),
        (["w01", "w02", "-n", "0"], "-n must be 1 or more, not 0."),
        (["w01,", ",", "w02", "w03"], "An association needs words in all four sets"),
    ],
)
def test_bad_input_ends_in_one_sentence(
    arguments: list[str], message: str, model: list[str], capsys: Capture
) -> None:
    assert main(["influence", *model, *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


def test_another_text_is_refused(model: list[str], folder: Path, capsys: Capture) -> None:
    (folder / "other.txt").write_text("w01 w02 w03\n" * 9)
    assert main(["influence", model[0], "other.txt", "w01", "w02"]) == 2
    assert "isn’t the corpus that these vectors were trained on" in capsys.readouterr().err
