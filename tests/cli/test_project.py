"""``workbench project``: every method and every file format."""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from workbench.__main__ import main
from workbench.analysis.projection.word_axes import WordAxis, axis_cosines
from workbench.cli.text_widths import text_widths
from workbench.vectors.formats import load_vectors

Capture = pytest.CaptureFixture[str]
WORDS = ["man", "woman", "king", "queen", "frog"]
AXES = ["--method", "axes", "--across", "man", "woman", "--up", "frog", "king"]

pytestmark = pytest.mark.usefixtures("vectors")


def refusal(capsys: Capture, *arguments: str) -> str:
    assert main(["project", "v.vec", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    return err


def _rows(name: str, separator: str = ",") -> list[list[str]]:
    with open(name, encoding="utf-8", newline="") as file:
        return list(csv.reader(file, delimiter=separator))


def test_pca_in_the_plane_and_in_space() -> None:
    assert main(["project", "v.vec", "--output", "map.csv", "--method", "pca"]) == 0
    rows = _rows("map.csv")
    assert rows[0] == ["word", "x", "y"]
    assert [row[0] for row in rows[1:]] == WORDS
    assert main(["project", "v.vec", "--output", "map.tsv", "--method", "pca", "--dims", "3"]) == 0
    solid = _rows("map.tsv", "\t")
    assert main(["project", "v.vec", "--output", "map.npz", "--method", "pca", "--dims", "3"]) == 0
    with np.load("map.npz", allow_pickle=False) as arrays:
        assert arrays["words"].tolist() == WORDS
        coordinates = np.array([row[1:] for row in solid[1:]], dtype=float)
        np.testing.assert_allclose(arrays["positions"], coordinates, rtol=1e-5, atol=1e-6)
    assert solid[0] == ["word", "x", "y", "z"]
    # The first two axes are the same as in two dimensions.
    np.testing.assert_allclose(
        np.array([row[1:3] for row in solid[1:]], dtype=float),
        np.array([row[1:] for row in rows[1:]], dtype=float),
        atol=1e-5,
    )


def test_axes_are_cosines(capsys: Capture) -> None:
    assert main(["project", "v.vec", "--output", "map.json", *AXES, "--quality"]) == 0
    assert "Trustworthiness" in capsys.readouterr().out
    document = json.loads(Path("map.json").read_text(encoding="utf-8"))
    assert document["method"] == "axes"
    assert document["axes"] == {"across": ["man", "woman"], "up": ["frog", "king"]}
    assert 0 <= document["quality"]["trustworthiness"] <= 1
    unit = np.asarray(load_vectors("v.vec").unit, dtype=float)
    across = unit[1] - unit[0]
    for word, x, _ in document["words"]:
        row = unit[WORDS.index(word)]
        assert x == pytest.approx(row @ across / np.linalg.norm(across), abs=1e-5)


def test_axes_use_anchors_beyond_the_first_words() -> None:
    assert main(["project", "v.vec", "--output", "all.csv", *AXES]) == 0
    assert main(["project", "v.vec", "--output", "few.csv", *AXES, "--limit", "4"]) == 0
    few = _rows("few.csv")
    assert [row[0] for row in few] == ["word", "man", "woman", "king", "queen"]
    assert few == _rows("all.csv")[:5]


def test_axes_of_several_pairs(capsys: Capture) -> None:
    across = ["--across", "man", "woman", "duke", "duchess", "king", "queen"]
    options = ["--method", "axes", *across, "--up", "frog", "king"]
    assert main(["project", "v.vec", "--output", "map.json", *options]) == 0
    assert (
        "--across: 2 of 3 pairs used; not in the vocabulary: duke, duchess."
        in capsys.readouterr().out
    )
    document = json.loads(Path("map.json").read_text(encoding="utf-8"))
    assert document["axes"] == {"across": ["man", "woman", "king", "queen"], "up": ["frog", "king"]}
    assert document["left_out"] == ["duke", "duchess"]
    unit = dict(zip(WORDS, np.asarray(load_vectors("v.vec").unit, dtype=float), strict=True))
    axis = (unit["woman"] - unit["man"] + unit["queen"] - unit["king"]) / 2
    for word, x, _ in document["words"]:
        assert x == pytest.approx(unit[word] @ axis / np.linalg.norm(axis), abs=1e-5)
    # In a drawing, colours show the values, too: reddish on one side, bluish on the other.
    assert main(["project", "v.vec", "--output", "map.svg", *options]) == 0
    circles = ElementTree.parse("map.svg").getroot().iter("{http://www.w3.org/2000/svg}circle")
    for circle, (_, x, _) in zip(circles, document["words"], strict=True):
        red, blue = int(circle.attrib["fill"][1:3], 16), int(circle.attrib["fill"][5:7], 16)
        if abs(x) > 0.2:
            assert (red > blue) == (x > 0)
    capsys.readouterr()
    odd = ["--method", "axes", "--across", "man", "woman", "king", "--up", "frog", "king"]
    assert "“king” has no partner" in refusal(capsys, "--output", "map.csv", *odd)


def test_a_drawing_names_words_and_axes() -> None:
    assert main(["project", "v.vec", "--output", "map.svg", *AXES]) == 0
    root = ElementTree.parse("map.svg").getroot()
    space = "{http://www.w3.org/2000/svg}"
    assert len(root.findall(f".//{space}circle")) == len(WORDS)
    texts = {text.text for text in root.iter(f"{space}text")}
    assert {"← man", "woman →", "king ↑", "frog ↓"} <= texts
    assert texts & set(WORDS)


@pytest.mark.parametrize(
    ("option", "column", "ends"), [("--across", 0, "← man"), ("--up", 1, "man ↓")]
)
def test_one_axis_is_enough(option: str, column: int, ends: str) -> None:
    options = ["--method", "axes", option, "man", "woman"]
    assert main(["project", "v.vec", "--output", "map.json", *options]) == 0
    document = json.loads(Path("map.json").read_text(encoding="utf-8"))
    assert document["axes"] == {option[2:]: ["man", "woman"]}
    along = {word: place[column] for word, *place in document["words"]}
    embeddings = load_vectors("v.vec")
    axis = WordAxis("man", "woman")
    expected = axis_cosines(embeddings, axis).tolist()
    assert along == pytest.approx(dict(zip(embeddings.words, expected, strict=True)), abs=1e-5)
    assert main(["project", "v.vec", "--output", "map.svg", *options]) == 0
    picture = Path("map.svg").read_text(encoding="utf-8")
    assert f">{ends}<" in picture
    assert ("→" in picture) != ("↑" in picture)


def test_unsupported_requests_are_one_line(capsys: Capture) -> None:
    assert "--min-dist must be" in refusal(capsys, "--output", "map.csv", "--min-dist", "50")
    assert ".csv" in refusal(capsys, "--output", "map.xyz")
    assert "--across" in refusal(capsys, "--output", "map.csv", "--method", "axes")
    assert "--across" in refusal(
        capsys, "--output", "map.csv", "--method", "pca", "--across", "man", "woman"
    )
    solid = ["--dims", "3"]
    assert refusal(capsys, "--output", "map.svg", *solid).startswith("Pictures have only two")
    assert "Word axes has only two" in refusal(capsys, "--output", "map.csv", *AXES, *solid)
    assert "stranger" in refusal(
        capsys,
        "--output",
        "map.csv",
        "--method",
        "axes",
        "--across",
        "man",
        "stranger",
        "--up",
        "man",
        "king",
    )
    assert not Path("map.csv").exists()


def clouds(path: str) -> dict[str, int]:
    """Write vectors in three clusters, and return the cluster of each word."""
    random = np.random.default_rng(4)
    bundle_of = {}
    lines = []
    for number in range(90):
        bundle = number % 3
        word = f"{'abc'[bundle]}{number}"
        bundle_of[word] = bundle
        vector = random.normal(scale=0.05, size=3)
        vector[bundle] += 1
        lines.append(" ".join([word, *(f"{value:.5f}" for value in vector)]))
    Path(path).write_text(f"{len(lines)} 3\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return bundle_of


def test_regions_with_names_and_contexts(capsys: Capture) -> None:
    bundle_of = clouds("clouds.vec")
    text = [
        f"{word} with{'abc'[bundle]} {word} with{'abc'[bundle]}"
        for word, bundle in bundle_of.items()
        for _ in range(3)
    ]
    Path("text.txt").write_text("\n".join(text), encoding="utf-8")
    options = ["--output", "map.csv", "--method", "pca"]
    assert main(["project", "clouds.vec", *options, "--regions", "r.tsv"]) == 0
    assert "r.tsv: 3 coarse regions." in capsys.readouterr().out
    rows = _rows("r.tsv", "\t")
    assert rows[0] == ["word", "coarse", "middle", "fine", "name", "contexts"]
    assert [row[0] for row in rows[1:]] == list(bundle_of)
    for word, region, _, _, name, contexts in rows[1:]:
        assert contexts == ""
        assert region != "0"
        assert {bundle_of[part] for part in name.split(", ")} == {bundle_of[word]}
    command = ["project", "clouds.vec", *options, "--regions", "r.json", "--text", "text.txt"]
    assert main(command) == 0
    document = json.loads(Path("r.json").read_text(encoding="utf-8"))
    assert [[row[0], *map(int, row[1:4])] for row in rows[1:]] == document["words"]
    (level,) = document["levels"]
    assert level["level"] == "coarse"
    for region in level["regions"]:
        (bundle,) = {bundle_of[word] for word in region["name"]}
        assert region["contexts"][0]["word"] == f"with{'abc'[bundle]}"
        assert region["contexts"][0]["ppmi_inside"] > region["contexts"][0]["ppmi_outside"]
        assert region["words"] == sum(words[1] == region["region"] for words in document["words"])


def test_words_that_share_no_contexts_have_no_regions(capsys: Capture) -> None:
    bundle_of = clouds("clouds.vec")
    random = np.random.default_rng(4)
    words = list(bundle_of)
    text = [" ".join(random.permutation(words).tolist()) for _ in range(30)]
    Path("text.txt").write_text("\n".join(text), encoding="utf-8")
    command = ["project", "clouds.vec", "--method", "pca", "--text", "text.txt", "--output"]
    assert main([*command, "map.csv", "--regions", "r.tsv"]) == 0
    told = "too little text for regions. Try fewer words or more epochs."
    assert f"r.tsv: {told}" in capsys.readouterr().out
    assert {tuple(row[1:]) for row in _rows("r.tsv", "\t")[1:]} == {("0", "0", "0", "", "")}
    assert main([*command, "map.csv", "--regions", "r.json"]) == 0
    assert json.loads(Path("r.json").read_text(encoding="utf-8"))["levels"] == []
    capsys.readouterr()
    assert main([*command, "map.svg"]) == 0
    assert f"map.svg: {told}" in capsys.readouterr().out


def test_a_drawing_names_its_regions_apart_from_words() -> None:
    bundle_of = clouds("clouds.vec")
    assert main(["project", "clouds.vec", "--method", "pca", "--output", "map.svg"]) == 0
    root = ElementTree.parse("map.svg").getroot()
    space = "{http://www.w3.org/2000/svg}"
    assert len({circle.get("fill") for circle in root.iter(f"{space}circle")}) == 3
    texts = {
        (text.text or "", float(text.get("x", 0)), float(text.get("y", 0)))
        for text in root.iter(f"{space}text")
    }
    names = [text for text in texts if ", " in text[0]]
    words = [text for text in texts if ", " not in text[0]]
    assert len({name for name, _, _ in names}) == 3
    assert len(words) > 10
    for name, x, y in names:
        assert len({bundle_of[part] for part in name.split(", ")}) == 1
        half = float(text_widths([name])[0]) * 16 / 2
        for word, left, bottom in words:
            beside = left > x + half or left + float(text_widths([word])[0]) * 13 < x - half
            assert beside or bottom < y - 14 or bottom - 10 > y


def test_regions_are_the_same_in_every_process() -> None:
    bundle_of = clouds("clouds.vec")
    text = [f"{word} with{bundle} {word}" for word, bundle in bundle_of.items() for _ in range(3)]
    Path("text.txt").write_text("\n".join(text), encoding="utf-8")
    for method, regions in (("pca", "r.tsv"), ("umap", "r.json")):
        outputs = []
        for number in range(2):
            command = ["project", "clouds.vec", "--output", "map.csv", "--method", method]
            region_options = ["--regions", regions, "--text", "text.txt"]
            # Sets of words have a different order in each process.
            subprocess.run(
                [sys.executable, "-m", "workbench", *command, *region_options],
                env={**os.environ, "PYTHONHASHSEED": str(number + 1)},
                check=True,
                stdout=subprocess.DEVNULL,
            )
            outputs.append([Path(name).read_bytes() for name in ("map.csv", regions)])
        assert outputs[0] == outputs[1]
        assert b"with0" in outputs[0][1]


def test_regions_that_cannot_be_written(capsys: Capture) -> None:
    options = ["--output", "map.csv", "--method", "pca"]
    assert "Regions need a map with two dimensions" in refusal(
        capsys, *options, "--dims", "3", "--regions", "r.tsv"
    )
    assert ".json" in refusal(capsys, *options, "--regions", "r.xlsx")
    assert "--regions" in refusal(capsys, *options, "--text", "text.txt")
    assert not Path("map.csv").exists()


@pytest.mark.parametrize("method", ["pca", "umap"])
def test_words_without_a_vector_are_left_out_and_counted(capsys: Capture, method: str) -> None:
    rows = ["elm 1 2 3", "jet 0 0 0", "oak 1 2 4", "ash 2 2 3", "modem 0 0 0", "fir 3 1 2"]
    Path("old.vec").write_text("\n".join(["7 3", *rows, "yew 1 1 1", ""]), encoding="utf-8")
    assert main(["project", "old.vec", "--method", method, "--output", "m.csv", "--quality"]) == 0
    out = capsys.readouterr().out
    assert "5 words" in out
    assert "Left out because the vector is zero: 2 words." in out
    assert [row[0] for row in _rows("m.csv")[1:]] == ["elm", "oak", "ash", "fir", "yew"]
