"""Corpora made from pictures have the requested margins and PMI, and images become corpora."""

from __future__ import annotations

import itertools
import math
import zlib
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.corpus.pictures.image_files import is_readable, read_image, read_netpbm
from workbench.corpus.pictures.picture import (
    FINE,
    PictureParams,
    face,
    grey_square,
    picture_corpus,
    picture_size,
    pmi_path,
    resize,
    saved_pmi,
    sharp_face,
)


def some_picture(size: int = 12) -> np.ndarray:
    return np.random.default_rng(3).random((size, size))


def test_margins_are_zipfs_and_contrasts_are_the_pictures() -> None:
    params = PictureParams(size=12, pmi_range=2.5, zipf=1.0)
    picture = picture_corpus(some_picture(), params, "x")
    joint = picture.probabilities
    falling = sorted((1 / rank for rank in range(1, 13)), reverse=True)
    wanted = [value / sum(falling) for value in falling]
    for axis in (0, 1):
        assert sorted(joint.sum(axis=axis), reverse=True) == pytest.approx(wanted, rel=1e-9)
    # Rows and columns may be scaled, but the odds ratios of four cells may not change.
    grey = picture.grey
    assert (grey.min(), grey.max()) == (0.0, 1.0)
    for i, j in itertools.product(range(1, 12), repeat=2):
        log_ratio = math.log(joint[0, 0] * joint[i, j] / (joint[0, j] * joint[i, 0]))
        contrast = grey[0, 0] + grey[i, j] - grey[0, j] - grey[i, 0]
        assert log_ratio == pytest.approx(2.5 * contrast, abs=1e-9)


def test_uniform_margins() -> None:
    picture = picture_corpus(some_picture(), PictureParams(size=12, zipf=0.0), "x")
    assert picture.probabilities.sum(axis=0) == pytest.approx(np.full(12, 1 / 12), rel=1e-9)
    assert picture.probabilities.sum(axis=1) == pytest.approx(np.full(12, 1 / 12), rel=1e-9)


def test_the_text_has_the_pmi_of_the_picture(tmp_path: Path) -> None:
    params = PictureParams(size=12, pairs=300_000, pmi_range=2.0)
    picture = picture_corpus(some_picture(), params, "x")
    picture.write(tmp_path / "text.txt")
    lines = (tmp_path / "text.txt").read_text().splitlines()
    assert len(lines) == 300_000
    # Each line is counted in both directions, as a window would.
    pairs: Counter[tuple[str, str]] = Counter()
    words: Counter[str] = Counter()
    for line in lines:
        row, column = line.split(" ")
        for word, context in ((row, column), (column, row)):
            pairs[word, context] += 1
            words[word] += 1
    total = sum(pairs.values())
    scores = []
    for i, j in itertools.product(range(12), repeat=2):
        count = pairs[f"r{i}", f"c{j}"]
        pmi = math.log(count * total / (words[f"r{i}"] * words[f"c{j}"]))
        scores.append((pmi - picture.pmi[i, j]) * math.sqrt(count))
    # Scores are differences in standard errors.
    assert max(map(abs, scores)) < 4.5
    assert np.std(scores) == pytest.approx(1.0, abs=0.2)
    file_pmi = saved_pmi(tmp_path / "text.txt", 12)
    assert file_pmi is not None
    np.testing.assert_array_equal(file_pmi, picture.pmi)
    assert saved_pmi(tmp_path / "text.txt", 11) is None


def test_the_same_options_give_the_same_text(tmp_path: Path) -> None:
    texts = []
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        params = PictureParams(size=8, pairs=2_000, seed=seed)
        picture_corpus(some_picture(), params, "x").write(tmp_path / name)
        texts.append((tmp_path / name).read_bytes())
    assert texts[0] == texts[1]
    assert texts[0] != texts[2]


def test_cancelling_leaves_no_text(tmp_path: Path) -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        picture_corpus(some_picture(), PictureParams(size=8), "x").write(tmp_path / "t.txt", run)
    assert not (tmp_path / "t.txt").exists()


@pytest.mark.parametrize(("old", "new"), [(12, 8), (8, 12), (30, 8), (7, 128), (1, 8)])
def test_resizing_keeps_the_mean_of_each_area(old: int, new: int) -> None:
    image = np.random.default_rng(1).random((old, old))
    result = resize(image, new)
    assert result.mean() == pytest.approx(image.mean())
    # The slow way: enlarge to a grid that both sizes divide, then average.
    fine = np.kron(image, np.ones((new, new)))
    means = fine.reshape(new, old, new, old).mean(axis=(1, 3))
    np.testing.assert_allclose(result, means, atol=1e-12)


def test_a_wide_image_is_cut_to_its_middle() -> None:
    image = np.zeros((8, 20))
    image[:, 6:14] = some_picture(8)
    picture = picture_corpus(image, PictureParams(size=8), "x")
    whole = picture_corpus(some_picture(8), PictureParams(size=8), "x")
    np.testing.assert_allclose(picture.grey, whole.grey)


def test_sizes_of_a_fine_picture_are_those_of_the_image_itself() -> None:
    for side in (20, 100, 500):
        image = some_picture(side)
        for size in (8, 48, 128):
            direct = PictureParams(size=size)
            fine = grey_square(image, FINE, "x")
            np.testing.assert_allclose(
                picture_corpus(fine, direct, "x").grey,
                picture_corpus(image, direct, "x").grey,
                atol=1e-12,
            )
    np.testing.assert_allclose(resize(sharp_face(FINE), 48), face(48), atol=1e-12)


@pytest.mark.parametrize("image", [np.ones((1, 1)), np.full((40, 30), 7.0), np.zeros((9, 9))])
def test_one_brightness_is_no_picture(image: np.ndarray) -> None:
    with pytest.raises(UserError, match="brightness"):
        picture_corpus(image, PictureParams(), "flat.png")


def test_an_image_whose_middle_is_flat_says_so() -> None:
    image = np.zeros((8, 40))
    image[:, 0] = 1
    with pytest.raises(UserError, match="middle square of flat.png has one brightness"):
        picture_corpus(image, PictureParams(), "flat.png")


@pytest.mark.parametrize("zipf", [0.0, 0.7])
def test_rows_that_are_only_brighter_are_no_picture(zipf: float) -> None:
    """A sum of row and column terms only changes the frequencies, so there is no PMI."""
    rows, columns = np.linspace(0, 1, 16), np.cos(np.arange(16.0))
    with pytest.raises(UserError, match="has no PMI"):
        picture_corpus(rows[:, None] + columns, PictureParams(size=16, zipf=zipf), "ramp.png")


def test_the_largest_numbers_make_the_same_picture() -> None:
    plain = picture_corpus(some_picture(), PictureParams(size=8), "x")
    for scale in (1e300, 1e308, 1e-300):
        picture = picture_corpus(some_picture() * scale, PictureParams(size=8), "x")
        np.testing.assert_allclose(picture.grey, plain.grey, atol=1e-9)


def test_the_face_is_bright_with_dark_eyes() -> None:
    image = face(48)
    assert image[24, 24] == 1.0
    assert image[18, 16] == image[18, 31] == 0.0
    assert image[0, 0] == pytest.approx(0.1)
    np.testing.assert_allclose(image, image[:, ::-1])


def test_words_of_pictures_are_recognised() -> None:
    words = [f"{kind}{number}" for kind in "rc" for number in range(9)]
    assert picture_size(words) == 9
    assert picture_size([word for word in words if word not in ("r8", "c8", "c3")]) == 8
    assert picture_size([*words, "king"]) == 0
    assert picture_size(["r1", "r2", "r3", "r4"]) == 0
    assert picture_size(["r01", "c1", "r2", "c2"]) == 0
    assert picture_size(["r1", "c500", "r2", "c2"]) == 0
    assert picture_size([]) == 0


# -- files

PIXELS = np.array([[0, 64, 255], [10, 20, 30]])


def plain_pgm() -> bytes:
    rows = " ".join(map(str, PIXELS.ravel()))
    return b"P2\n# a comment\n3 # width\n2\n255\n" + rows.encode() + b"\n"


def binary_pgm() -> bytes:
    return b"P5 3 2 255\n" + PIXELS.astype("u1").tobytes()


def wide_pgm() -> bytes:
    return b"P5\n3 2\n65535\n" + (PIXELS * 257).astype(">u2").tobytes()


@pytest.mark.parametrize("content", [plain_pgm(), binary_pgm(), wide_pgm()])
def test_pgm(content: bytes) -> None:
    found = read_netpbm(content, "x.pgm")
    np.testing.assert_allclose(found / found.max() * 255, PIXELS)


def test_ppm_is_weighted_by_brightness() -> None:
    red_green_blue = b"P6 3 1 255 " + bytes([255, 0, 0, 0, 255, 0, 0, 0, 255])
    expected = [[255 * 0.2126, 255 * 0.7152, 255 * 0.0722]]
    np.testing.assert_allclose(read_netpbm(red_green_blue, "x"), expected)
    plain = b"P3 3 1 255 255 0 0 0 255 0 0 0 255"
    np.testing.assert_allclose(read_netpbm(plain, "x"), expected)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("cut.pgm", binary_pgm()[:-1], "truncated"),
        ("cut.pgm", plain_pgm()[:-5], "truncated"),
        ("no.pgm", b"P5 3", "isn’t a PGM"),
        ("none.pgm", b"P5 0 3 255\n", "0 × 3"),
        ("deep.pgm", b"P5 2 2 70000\n", "70,000"),
        ("letters.pgm", b"P2 2 2 255\n1 2 3 x", "more than numbers"),
        ("large.pgm", b"P5 99999 99999 255\n", "too large"),
        ("empty.csv", b"", "no numbers"),
        ("ragged.csv", b"1,2,3\n4,5\n", "line 2 has 2 numbers, the first one 3"),
        ("words.csv", b"1,2\n3,king\n", "line 2 contains more than numbers"),
        ("nan.csv", b"1,2\nnan,3\n", "NaN"),
        ("no.npy", b"no array", "isn’t a NumPy array"),
    ],
)
def test_files_without_a_picture_are_refused(
    tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(UserError, match=message) as error:
        read_image(tmp_path / name)
    assert error.value.hint


@pytest.mark.parametrize(
    "text",
    [
        "0,64,255\n10,20,30\n",
        "0;64;255\n10;20;30",
        "0\t64\t255\n10\t20\t30",
        "0  64 255\n\n10 20 30",
    ],
)
def test_tables(tmp_path: Path, text: str) -> None:
    (tmp_path / "table.csv").write_text(text)
    np.testing.assert_array_equal(read_image(tmp_path / "table.csv"), PIXELS)


@pytest.mark.parametrize("text", ["0,5;1\n2;3,25\n", "0,5\t1\n2\t3,25\n"])
def test_tables_with_decimal_commas(tmp_path: Path, text: str) -> None:
    (tmp_path / "table.csv").write_text(text)
    np.testing.assert_array_equal(read_image(tmp_path / "table.csv"), [[0.5, 1.0], [2.0, 3.25]])


@pytest.mark.parametrize(
    ("array", "expected"),
    [
        (PIXELS, PIXELS),
        (PIXELS.astype("f4"), PIXELS),
        (PIXELS[:, :, None], PIXELS),
        (np.repeat(PIXELS[:, :, None], 3, axis=2).astype("u1"), PIXELS),
        # All pixels are transparent, so the white background shows.
        (np.zeros((2, 3, 4), dtype="u1"), np.full((2, 3), 255)),
    ],
)
def test_arrays(tmp_path: Path, array: np.ndarray, expected: np.ndarray) -> None:
    np.save(tmp_path / "a.npy", array)
    np.testing.assert_allclose(read_image(tmp_path / "a.npy"), expected, rtol=1e-6)


@pytest.mark.parametrize(
    "array", [np.zeros(5), np.zeros((2, 3, 5)), np.array(["a"]), np.zeros((0, 4))]
)
def test_arrays_without_a_picture_are_refused(tmp_path: Path, array: np.ndarray) -> None:
    np.save(tmp_path / "a.npy", array)
    with pytest.raises(UserError, match="Couldn’t read a.npy"):
        read_image(tmp_path / "a.npy")


def test_an_array_of_objects_is_never_unpickled(tmp_path: Path) -> None:
    np.save(tmp_path / "a.npy", np.array([{}], dtype=object), allow_pickle=True)
    with pytest.raises(UserError, match="Couldn’t read a.npy"):
        read_image(tmp_path / "a.npy")


def test_damaged_bytes_never_crash(tmp_path: Path) -> None:
    np.save(tmp_path / "good.npy", PIXELS)
    random = np.random.default_rng(zlib.crc32(b"damage"))
    for name, content in (
        ("d.npy", (tmp_path / "good.npy").read_bytes()),
        ("d.pgm", binary_pgm()),
        ("d.csv", b"1,2,3\n4,5,6\n"),
    ):
        for _ in range(60):
            buffer = bytearray(content)
            for place in random.integers(0, len(buffer), 3):
                buffer[place] = int(random.integers(0, 256))
            (tmp_path / name).write_bytes(bytes(buffer[: random.integers(1, len(buffer) + 1)]))
            try:
                values = read_image(tmp_path / name)
            except UserError:
                continue
            assert values.ndim == 2
            assert np.isfinite(values).all()


def test_kinds_are_known_by_name_or_first_bytes(tmp_path: Path) -> None:
    (tmp_path / "picture").write_bytes(binary_pgm())
    (tmp_path / "photo.png").write_bytes(b"\x89PNG")
    assert is_readable(tmp_path / "picture")
    assert is_readable(tmp_path / "any.csv")
    assert not is_readable(tmp_path / "photo.png")
    assert pmi_path(Path("a/corpus.txt")) == Path("a/corpus.picture.npy")
