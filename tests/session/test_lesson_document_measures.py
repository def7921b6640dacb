"""Measures of documents, groups and shapes, against counts by hand and numpy."""

from __future__ import annotations

import math

import numpy as np
import pytest
from corpora import make_corpus, planted_corpus

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.session.lessons.context import LessonScene
from workbench.session.lessons.measures import measure_named
from workbench.session.training.train_api import train
from workbench.vectors.embeddings import Embeddings

BY = r"_(\d{4})_"
LINES = ("red fox ran", "red fox sat", "red fox hid", "blue bird sang", "a dog ran", "a cat sat")


def measure(scene: LessonScene, name: str, *texts: str) -> float | str:
    found = measure_named(name)
    return found.function(scene, *found.read(texts))


@pytest.fixture(scope="module")
def planted() -> LessonScene:
    corpus = planted_corpus(groups=4, documents=8, sentences=20, turn=2)
    model = train(corpus, "ppmi", min_count=1)
    return LessonScene(corpus, {"run": (model, corpus)}, JobControl())


def test_a_planted_change_is_measured_beside_its_control(planted: LessonScene) -> None:
    asked = ("mover", "b0", BY)
    assert measure(planted, "group-change", *asked) == "1802"
    p = measure(planted, "group-p", *asked)
    still = measure(planted, "group-p", "still", "c0", BY)
    assert isinstance(p, float)
    assert isinstance(still, float)
    assert p <= 0.05 < still
    before = measure(planted, "group-cosine", *asked, "1800")
    after = measure(planted, "group-cosine", *asked, "1803")
    shuffled = measure(planted, "shuffled-group-cosine", *asked, "1803")
    assert isinstance(before, float)
    assert isinstance(after, float)
    assert isinstance(shuffled, float)
    assert before < shuffled < after
    gained = str(measure(planted, "gained-contexts", "mover", BY, "1803", "0", "1"))
    assert gained[0] == "b"


def test_an_unknown_group_is_answered_with_those_of_the_text(planted: LessonScene) -> None:
    with pytest.raises(UserError, match="1900") as caught:
        measure(planted, "group-cosine", "mover", "b0", BY, "1900")
    assert "1800, 1801, 1802, 1803" in str(caught.value.hint)


def test_the_margin_over_few_documents_is_larger(planted: LessonScene) -> None:
    margins = [
        measure(planted, "cosine-margin", "run", "mover", "b0", unit)
        for unit in ("sentences", "files")
    ]
    # The companies of “mover” change with the file, not within one.
    assert all(isinstance(one, float) and 0 < one < 1 for one in margins)
    assert margins[0] < margins[1]  # type: ignore[operator]


def test_collocates_and_their_spread_are_those_counted_by_hand() -> None:
    scene = LessonScene(make_corpus([line.split() for line in 5 * LINES]), {}, JobControl())
    total = sum(len(line.split()) * (len(line.split()) - 1) for line in 5 * LINES)
    # Of the ordered pairs, 30 begin with “fox”, and 30 with “red”.
    pairs = np.array([[15.0, 15.0], [15.0, total - 45.0]])
    expected = np.outer(pairs.sum(axis=1), pairs.sum(axis=0)) / pairs.sum()
    g2 = 2 * float((pairs * np.log(pairs / expected)).sum())
    assert measure(scene, "log-likelihood", "fox", "red") == pytest.approx(g2)
    assert measure(scene, "collocates", "fox", "log-likelihood", "1") == "red"
    assert measure(scene, "documents-with", "fox", "red", "sentences") == 15
    # All sentences have three words: 15 of 30 contain the pair once.
    dp = 0.5 * (15 * (1 / 15 - 1 / 30) + 15 / 30) / (1 - 1 / 30)
    assert measure(scene, "dispersion", "fox", "red", "sentences") == pytest.approx(dp)
    with pytest.raises(UserError, match="collocate"):
        measure(scene, "log-likelihood", "fox", "bird")


def test_hubs_and_mean_cosines_are_those_of_numpy() -> None:
    random = np.random.default_rng(5)
    vectors = (random.normal(size=(60, 4)) + 1).astype(np.float32)
    counts = np.arange(60, 0, -1, dtype=np.int64)
    model = Embeddings([f"w{number}" for number in range(60)], vectors, counts)
    scene = LessonScene(None, {"run": (model, None)}, JobControl())

    def expected(rows: np.ndarray) -> tuple[int, float]:
        unit = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        cosines = unit @ unit.T
        shares = np.outer(counts, counts).astype(float)
        np.fill_diagonal(shares, 0)
        mean = float((shares * cosines).sum() / shares.sum())
        np.fill_diagonal(cosines, -math.inf)
        near = np.argsort(-cosines, axis=1)[:, :10]
        return int(np.bincount(near.ravel()).max()), mean

    plain = vectors.astype(np.float64)
    middle = counts / counts.sum() @ plain
    for variant, rows in ((), plain), (("tokens",), plain - middle):
        largest, mean = expected(rows)
        assert measure(scene, "largest-hub", "run", *variant) == largest
        assert measure(scene, "token-cosine", "run", *variant) == pytest.approx(mean, abs=1e-6)
    with pytest.raises(UserError, match="bent"):
        measure(scene, "token-cosine", "run", "bent")
