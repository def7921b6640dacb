from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from corpora import markov_corpus
from tables import dense

from workbench.__main__ import main
from workbench.analysis.neighbours.nearest import nearest
from workbench.session.training.train_api import train
from workbench.vectors.formats import load_vectors, save_vectors

Capture = pytest.CaptureFixture[str]
CORPUS = markov_corpus(3_000, words=20, sentence=10)


@pytest.fixture
def model(folder: Path) -> Path:
    path = folder / "model.npz"
    save_vectors(train(CORPUS, "svd", min_count=1, dim=5), path)
    return path


@pytest.fixture
def lines(folder: Path) -> Path:
    path = folder / "lines.txt"
    path.write_text("w00 blicket w01 w02\n\nw03 w04\nw05 blicket\n")
    return path


def _text(folder: Path) -> Path:
    path = folder / "text.txt"
    starts = CORPUS.sentences.tolist()
    path.write_text(
        "".join(
            " ".join(CORPUS.words[i] for i in CORPUS.ids[a:b].tolist()) + "\n"
            for a, b in pairwise(starts)
        )
    )
    return path


def test_a_new_word_gets_neighbours_and_is_saved(
    model: Path, lines: Path, folder: Path, capsys: Capture
) -> None:
    taught = folder / "taught.npz"
    command = ["teach", str(model), "--lines", str(lines), "--word", "Blicket", "-n", "3"]
    assert main([*command, "--output", str(taught)]) == 0
    out, err = capsys.readouterr()
    assert err.splitlines() == [
        "Line 2 is empty: fill or delete it.",
        "Line 3 teaches nothing: write “blicket” in it.",
    ]
    table = out.splitlines()
    assert table[0] == "“blicket” from 2 lines (2 occurrences)"
    assert table[1].split() == ["neighbour", "cosine", "±"]
    assert table[-1] == f"Saved {taught}."
    found = load_vectors(taught)
    near = [one.word for one in nearest(found, "blicket", 3)]
    assert [line.split()[0] for line in table[2:5]] == near
    assert found.metadata["taught"][0]["word"] == "blicket"

    again = ["teach", str(taught), "--lines", str(lines), "--word", "w00"]
    assert main([*again, "--corpus", str(_text(folder))]) == 2
    assert "This model contains taught words" in capsys.readouterr().err
    assert main([*again[:-1], "blicket"]) == 2
    assert "The model knows “blicket”. Add --instead." in capsys.readouterr().err
    assert main([*again[:-1], "blicket", "--instead"]) == 0
    capsys.readouterr()

    assert main([*command, "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert [word for word, _, _ in document["neighbours"]] == near
    assert document["vector"] == pytest.approx(dense(found.vectors)[found.row("blicket")].tolist())
    assert {word for word, _, _ in document["contexts"]} == {"w00", "w01", "w02", "w05"}
    assert len(document["notes"]) == 2


def test_a_known_word_needs_the_corpus_or_instead(
    model: Path, folder: Path, capsys: Capture
) -> None:
    lines = folder / "known.txt"
    lines.write_text("w03 w15 w15\n")
    command = ["teach", str(model), "--lines", str(lines), "--word", "w03", "--json"]
    assert main(command) == 2
    message = capsys.readouterr().err
    assert message.startswith("The model knows “w03”.")
    assert "--corpus" in message
    assert "--instead" in message
    assert main([*command, "--instead"]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert main([*command, "--corpus", str(_text(folder))]) == 0
    both = json.loads(capsys.readouterr().out)
    before = load_vectors(model)
    own = np.asarray(before.vectors)[before.row("w03")]
    assert both["vector"] == pytest.approx(own.tolist(), abs=0.2)
    assert alone["vector"] != pytest.approx(own.tolist(), abs=0.2)
    assert [word for word, _, _ in alone["contexts"]] == ["w15"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--word", "nobody"], "“nobody” doesn’t occur in these lines. Write “nobody” in at"),
        (["--word", "a b"], "This model’s tokeniser splits “a b” into “a”, “b”. Type one word"),
        (["--word", "blicket", "-n", "0"], "-n must be 1 or more, not 0."),
        (["--word", "blicket", "--output", "x.docx"], "x.docx"),
    ],
)
def test_bad_input_ends_in_one_sentence(
    arguments: list[str], message: str, model: Path, lines: Path, capsys: Capture
) -> None:
    assert main(["teach", str(model), "--lines", str(lines), *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


def test_vectors_without_contexts_say_so(folder: Path, lines: Path, capsys: Capture) -> None:
    save_vectors(train(CORPUS, "svd", min_count=1, dim=5), folder / "plain.vec")
    assert main(["teach", "plain.vec", "--lines", str(lines), "--word", "blicket"]) == 2
    assert "don’t say how they were trained" in capsys.readouterr().err
