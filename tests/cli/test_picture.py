"""``workbench picture``, and the results of training and counting on its text."""

from __future__ import annotations

import base64
import csv
import json
import zlib
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QImage, QPainter

from workbench.cli import main
from workbench.core.folders import resources
from workbench.session.corpus.picture_reading import read_picture

Capture = pytest.CaptureFixture[str]
SMALL = ["--size", "8", "--pairs", "20000"]


def stripes(path: Path, width: int = 40, height: int = 40) -> Path:
    """A black image, white in its right half and in the lower half of its left half."""
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("white"))
    painter = QPainter(image)
    painter.fillRect(0, 0, width // 2, height // 2, QColor("black"))
    painter.end()
    assert image.save(str(path))
    return path


def test_the_face(folder: Path, capsys: Capture) -> None:
    assert main(["picture", "face", "--output", "corpus.txt", *SMALL]) == 0
    out = capsys.readouterr().out
    assert "corpus.txt and corpus.picture.npy: a picture of 8 × 8, 20,000 pairs" in out
    lines = (folder / "corpus.txt").read_text().splitlines()
    assert len(lines) == 20_000
    words = {word for line in lines for word in line.split(" ")}
    assert words == {f"{kind}{number}" for kind in "rc" for number in range(8)}
    assert np.load(folder / "corpus.picture.npy").shape == (8, 8)


@pytest.mark.parametrize("suffix", [".png", ".jpg", ".bmp", ".ppm"])
def test_formats_that_qt_reads(folder: Path, suffix: str) -> None:
    stripes(folder / f"image{suffix}")
    assert main(["picture", f"image{suffix}", "--output", "c.txt", "--zipf", "0", *SMALL]) == 0
    pmi = np.load(folder / "c.picture.npy")
    # Row and column terms may differ, but their double difference is that of the picture.
    assert pmi[:4, :4].mean() + pmi[4:, 4:].mean() - pmi[:4, 4:].mean() - pmi[
        4:, :4
    ].mean() == pytest.approx(-1.5, abs=0.05)


def test_the_top_left_is_r0_c0(folder: Path) -> None:
    grey = np.zeros((8, 8))
    grey[0, :3] = 1.0
    grey[5, 7] = 1.0
    np.savetxt(folder / "grid.csv", grey, delimiter=",")
    assert main(["picture", "grid.csv", "--output", "c.txt", "--zipf", "0", *SMALL]) == 0
    pmi = np.load(folder / "c.picture.npy")
    assert pmi[5, 7] == pmi.max()
    assert pmi[0, :3].min() > pmi[0, 3:].max()


def test_counts_of_the_text_have_the_pictures_pmi(folder: Path) -> None:
    assert main(["picture", "face", "--output", "c.txt", "--size", "8", "--pairs", "200000"]) == 0
    assert main(["counts", "c.txt", "--window", "1", "--output", "pairs.csv"]) == 0
    pmi = np.load(folder / "c.picture.npy")
    scores = []
    with (folder / "pairs.csv").open() as file:
        for row in csv.DictReader(file):
            if row["word"].startswith("r"):
                expected = pmi[int(row["word"][1:]), int(row["context"][1:])]
                error = float(row["pmi"]) - expected
                scores.append(error * float(row["pairs"]) ** 0.5)
    assert len(scores) == 64
    assert max(map(abs, scores)) < 4.5


def test_the_report_of_a_training_has_the_figures(folder: Path, capsys: Capture) -> None:
    assert main(["picture", "face", "--output", "c.txt", *SMALL]) == 0
    options = ["--window", "1", "--sample", "0", "--ns-exponent", "1", "--dim", "8"]
    command = ["train", "c.txt", "--algorithm", "sgns-mf", *options]
    assert main([*command, "--output", "v.npz", "--report", "r.json"]) == 0
    out = capsys.readouterr().out
    report = json.loads((folder / "r.json").read_text())
    figures = report["picture"]
    assert f"Picture: correlation {figures['correlation']:.3f}" in out
    archive = np.load(folder / "v.npz")
    place = {word: row for row, word in enumerate(archive["words"].tolist())}
    rows = [place[f"r{number}"] for number in range(8)]
    columns = [place[f"c{number}"] for number in range(8)]
    products = archive["vectors"][rows].astype(float) @ archive["contexts"][columns].T
    pmi = np.load(folder / "c.picture.npy")
    expected = np.corrcoef(products.ravel(), pmi.ravel())[0, 1]
    whole = archive["vectors"].astype(float) @ archive["contexts"].T
    values = np.linalg.svd(whole, compute_uv=False)[:8]
    np.testing.assert_allclose(report["singular_values"], values, rtol=1e-6)
    assert figures["correlation"] == pytest.approx(expected, abs=1e-5)
    assert figures["log_k"] == pytest.approx(np.log(5))


def test_other_corpora_have_no_figures(folder: Path, text: Path, capsys: Capture) -> None:
    command = ["train", "text.txt", "--algorithm", "ppmi", "--min-count", "1"]
    assert main([*command, "--output", "v.npz", "--report", "r.json"]) == 0
    assert "Picture" not in capsys.readouterr().out
    assert "picture" not in json.loads((folder / "r.json").read_text())


# -- images that Qt reads


def test_transparent_is_white(folder: Path) -> None:
    image = QImage(4, 4, QImage.Format.Format_ARGB32)
    image.fill(QColor(0, 0, 0, 0))
    image.setPixelColor(0, 1, QColor(0, 0, 0, 255))
    image.save(str(folder / "t.png"))
    picture = read_picture(folder / "t.png")
    assert picture[1, 0] == pytest.approx(0.0)
    assert picture[0, 0] == picture[3, 3] == pytest.approx(255.0)


def test_a_large_image_is_reduced(folder: Path) -> None:
    stripes(folder / "wide.png", 10_000, 60)
    picture = read_picture(folder / "wide.png")
    # The shorter side, to which the image is cropped, keeps all its pixels.
    assert picture.shape == (60, 10_000)
    stripes(folder / "high.png", 2_048, 4_000)
    picture = read_picture(folder / "high.png")
    assert picture.shape == (2_000, 1_024)
    assert picture[:990, :500].max() < 1 < 254 < picture[:, 530:].min()


def test_ten_thousand_pixels_squared(folder: Path) -> None:
    image = QImage(10_000, 10_000, QImage.Format.Format_Grayscale8)
    image.fill(0)
    image.setPixelColor(0, 0, QColor("white"))
    image.save(str(folder / "huge.png"))
    assert read_picture(folder / "huge.png").shape == (1024, 1024)


def test_a_drawing_is_an_image(folder: Path) -> None:
    picture = read_picture(resources() / "icons" / "workbench.svg")
    assert max(picture.shape) == 1024
    assert np.ptp(picture) > 50


# Two frames of 2 × 2 pixels, the second with black and white swapped.
GIF = bytes.fromhex(
    "47494638396102000200800000000000ffffff21ff0b4e45545343415045322e30030100000021f904000a0000"
    "002c00000000020002000002034402050021f904000a0000002c00000000020002000002030c1005003b"
)


def test_of_an_animation_the_first_frame(folder: Path) -> None:
    (folder / "moving.gif").write_bytes(GIF)
    picture = read_picture(folder / "moving.gif")
    assert picture.shape == (2, 2)
    np.testing.assert_array_equal(picture > 127, [[False, True], [True, False]])


def test_one_pixel_has_one_brightness(folder: Path, capsys: Capture) -> None:
    stripes(folder / "dot.png", 1, 1)
    assert main(["picture", "dot.png", "--output", "c.txt"]) == 2
    assert "same brightness everywhere" in capsys.readouterr().err
    assert not (folder / "c.txt").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nowhere.png", "--output", "c.txt"], "Couldn’t find nowhere.png"),
        ([".", "--output", "c.txt"], "isn’t a file"),
        (["text.txt", "--output", "c.txt"], "line 1 contains more than numbers"),
        (
            ["noise.png", "--output", "c.txt"],
            "noise.png as a picture: it isn’t an image of a known format",
        ),
        (["cut.png", "--output", "c.txt"], "cut.png as a picture: the file is damaged"),
        (["vast.png", "--output", "c.txt"], "vast.png is too large: 10,001 × 10,000 pixels"),
        (["empty.png", "--output", "c.txt"], "Couldn’t read empty.png as a picture"),
        (["face", "--output", "c.csv"], "End the name in .txt"),
        (["face", "--output", "no/c.txt"], "no"),
        (["face", "--output", "c.txt", "--size", "7"], "--size must be a whole number from 8"),
        (["face", "--output", "c.txt", "--pairs", "0"], "--pairs must be"),
        (["face", "--output", "c.txt", "--pmi-range", "-1"], "--pmi-range must be"),
        (["text.txt", "--output", "text.txt"], "both read and written"),
        (["face", "--output", "c.txt", "--zipf", "x"], "--zipf must be a number"),
    ],
)
def test_bad_input_is_one_sentence(
    folder: Path, text: Path, arguments: list[str], message: str, capsys: Capture
) -> None:
    (folder / "noise.png").write_bytes(bytes(range(256)) * 9)
    (folder / "empty.png").write_bytes(b"")
    vast = bytearray(stripes(folder / "vast.png", 8, 8).read_bytes())
    vast[16:24] = (10_001).to_bytes(4, "big") + (10_000).to_bytes(4, "big")
    vast[29:33] = zlib.crc32(vast[12:29]).to_bytes(4, "big")
    (folder / "vast.png").write_bytes(bytes(vast))
    whole = stripes(folder / "whole.png").read_bytes()
    (folder / "cut.png").write_bytes(whole[: len(whole) // 3])
    assert main(["picture", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (folder / "c.txt").exists()


def test_the_measured_figures_of_the_face(folder: Path) -> None:
    """With few dimensions, the exact factorisation shows the picture; with many, PMI − log k."""
    options = ["--window", "1", "--sample", "0", "--ns-exponent", "1"]
    # Another seed for each dimension: the factorisation is exact, a seed is only where it starts.
    for seed, (dim, correlation) in enumerate({2: 0.6, 4: 0.85, 8: 0.95, 16: 0.98}.items(), 1):
        command = ["train", "face", "--algorithm", "sgns-mf", "--dim", str(dim), *options]
        reports = ["--seed", str(seed), "--output", "v.npz", "--report", "r.json"]
        assert main([*command, *reports]) == 0
        figures = json.loads((folder / "r.json").read_text())["picture"]
        assert figures["correlation"] >= correlation, dim
    assert figures["mean_offset"] == pytest.approx(-np.log(5), abs=0.05)
    assert (
        main(["train", "face", "--dim", "16", *options, "--output", "v.npz", "--report", "r.json"])
        == 0
    )
    figures = json.loads((folder / "r.json").read_text())["picture"]
    assert figures["correlation"] >= 0.9
    assert figures["mean_offset"] == pytest.approx(-np.log(5), abs=0.05)


def test_small_multiples(folder: Path, capsys: Capture) -> None:
    assert main(["picture", "face", "--output", "corpus.txt", *SMALL]) == 0
    capsys.readouterr()
    words = ["picture-figure", "corpus.txt", "--algorithms", "svd,ppmi", "--dims", "2,4"]
    assert main([*words, "--output", "figure.svg"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [
        "picture",
        "svd, d = 2",
        "svd, d = 4",
        "ppmi",
    ]
    drawing = (folder / "figure.svg").read_text()
    assert drawing.count("<image") == 4
    assert "svd, d = 4" in drawing
    # The first panel is the picture itself, from black to white.
    code = drawing.partition("base64,")[2].partition('"')[0]
    image = QImage.fromData(base64.b64decode(code))
    side = image.width() // 8
    pixels = [[image.pixelColor(x * side, y * side).red() for x in range(8)] for y in range(8)]
    pmi = np.load(folder / "corpus.picture.npy")
    low, high = np.percentile(pmi, [1, 99])
    expected = np.round(255 * np.clip((pmi - low) / (high - low), 0, 1))
    np.testing.assert_allclose(pixels, expected, atol=1)
    assert main([*words, "--output", "figure.png"]) == 0
    assert not QImage(str(folder / "figure.png")).isNull()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["face", "--output", "figure.pdf"], "Can’t draw “figure.pdf”"),
        (["face", "--dims", "two", "--output", "f.svg"], "--dims must be whole numbers"),
        (["small-world", "--output", "f.svg"], "isn’t a picture"),
        (["face", "--algorithms", "word3vec", "--output", "f.svg"], "word3vec"),
    ],
)
def test_errors_of_drawings_are_one_sentence(
    words: list[str], message: str, folder: Path, capsys: Capture
) -> None:
    assert main(["picture-figure", *words]) == 2
    assert message in capsys.readouterr().err
