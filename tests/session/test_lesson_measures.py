"""Measures of vectors without a direction, and of misses, against numpy and values by hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from tables import dense

from workbench.analysis.analogy.pairs_away import PairsAway, take_pairs_away
from workbench.analysis.influence.line_influence import influence
from workbench.analysis.influence.quantities import cosine_of
from workbench.analysis.influence.removal import without_lines
from workbench.analysis.rows.still_model import hold_still
from workbench.analysis.teach.teaching import Teacher
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import cooccurrence
from workbench.models.count.svd import SVDParams
from workbench.session.lessons import bundled_lessons, runner
from workbench.session.lessons.context import LessonScene
from workbench.session.lessons.lesson import LessonStep
from workbench.session.lessons.measures import lines, measure_named
from workbench.session.lessons.measures.theory import ObservedPairs
from workbench.session.training.train_api import train
from workbench.vectors.embeddings import Embeddings

WORDS = ("she", "he", "nurse", "florist", "pilot", "clerk")


@pytest.fixture
def model() -> Embeddings:
    vectors = np.random.default_rng(3).normal(size=(6, 5)).astype(np.float32)
    vectors[1] = vectors[0] + np.float32(4) * np.array([1, 0, 0, 0, 0], dtype=np.float32)
    return Embeddings(list(WORDS), vectors, np.arange(60, 0, -10, dtype=np.int64))


@pytest.fixture
def scene(model: Embeddings) -> LessonScene:
    return LessonScene(None, {"run": (model, None)}, JobControl())


def remove_direction(model: Embeddings) -> dict[str, np.ndarray]:
    """Vectors of all words, projected orthogonally to û(he) − û(she), at unit length."""
    unit = {
        word: row / np.linalg.norm(row)
        for word, row in zip(WORDS, model.vectors.astype(float), strict=True)
    }
    low, high = unit["she"], unit["he"]
    # Orthonormal basis of the space orthogonal to the direction.
    basis = np.linalg.qr(np.column_stack([high - low, np.eye(5)]))[0][:, 1:]
    inside = {word: basis @ (basis.T @ row) for word, row in unit.items()}
    return {word: row / np.linalg.norm(row) for word, row in inside.items()}


def measure(scene: LessonScene, name: str, *texts: str) -> object:
    found = measure_named(name)
    arguments = [
        int(value) if argument.kind == "whole number" else value
        for argument, value in zip(found.arguments, found.read(texts), strict=True)
    ]
    return found.function(scene, *arguments)


def test_a_direction_is_removed(scene: LessonScene, model: Embeddings) -> None:
    left = remove_direction(model)
    within = np.mean(
        [
            left[a] @ left[b]
            for a, b in (("nurse", "florist"), ("nurse", "pilot"), ("florist", "pilot"))
        ]
    )
    between = np.mean([left[a] @ left[b] for a in ("nurse", "florist") for b in ("pilot", "clerk")])
    order = sorted(
        (w for w in WORDS if w != "pilot"), key=lambda word: -(left[word] @ left["pilot"])
    )
    assert measure(
        scene, "closeness-without", "run", "nurse florist pilot", "she", "he"
    ) == pytest.approx(within)
    found = measure(
        scene, "closeness-between-without", "run", "nurse florist", "pilot clerk", "she", "he"
    )
    assert found == pytest.approx(between)
    assert measure(scene, "neighbours-without", "run", "pilot", "she", "he", "3") == ", ".join(
        order[:3]
    )
    assert measure(scene, "leaning-without", "run", "nurse pilot", "she", "he") == pytest.approx(
        0, abs=1e-12
    )
    # Before the removal, the vectors did have a component in this direction.
    assert abs(float(str(measure(scene, "leaning", "run", "nurse", "she", "he")))) > 0.01
    assert measure(scene, "closeness", "run", "nurse florist pilot") != pytest.approx(
        within, abs=1e-3
    )


def test_a_word_that_is_nothing_but_the_direction_is_like_none(scene: LessonScene) -> None:
    vectors = np.array([[-1, 0], [1, 0], [2, 0], [1, 1]], dtype=np.float32)
    flat = Embeddings(["she", "he", "only", "other"], vectors, np.array([4, 3, 2, 1]))
    there = LessonScene(None, {"run": (flat, None)}, JobControl())
    assert measure(there, "closeness-without", "run", "only other", "she", "he") == 0.0
    assert measure(there, "closeness-without", "run", "other other", "she", "he") == pytest.approx(
        1.0
    )


def test_a_miss_is_told_in_shares_of_the_spread_of_its_target(
    scene: LessonScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Cells:
        data = np.array([1.0, 2.0, 100.0, 200.0, 400.0])

    class Pairs:
        cells = Cells()

    targets = np.array([5.0, 7.0, 1.0, 2.0, 3.0])
    scores = np.array([6.0, 6.0, 1.0, 2.0, 3.0 + np.sqrt(0.5)])
    pairs = ObservedPairs(Pairs(), targets, scores, np.ones(5))  # type: ignore[arg-type]
    monkeypatch.setattr(
        "workbench.session.lessons.measures.theory._observed_pairs", lambda *_: pairs
    )
    # The first two miss by 1, with a spread of 1; the others by √(0.5/3), with a spread of √(2/3).
    assert measure(scene, "relative-miss-between", "run", "own", "1", "3") == pytest.approx(1.0)
    assert measure(scene, "relative-miss-between", "run", "own", "100", "1000") == pytest.approx(
        0.5
    )
    assert measure(scene, "miss-between", "run", "own", "100", "1000") == pytest.approx(
        np.sqrt(0.5 / 3)
    )
    assert np.isnan(float(str(measure(scene, "relative-miss-between", "run", "own", "400", "500"))))


def loss_scene(algorithm: str, **metadata: object) -> LessonScene:
    corpus = make_corpus(["ababbabaab"])
    vectors = Embeddings(
        list("ab"), np.eye(2, dtype=np.float32), metadata={"algorithm": algorithm, **metadata}
    )
    return LessonScene(None, {"run": (vectors, corpus)}, JobControl())


def test_the_loss_of_a_run_is_compared_with_its_floor() -> None:
    final = {"final_loss": {"value": 1.75, "kind": "last epoch", "error": 0.01, "epochs": 1.0}}
    scene = loss_scene("sgns", floor={"value": 1.5, "state": "known"}, **final)
    assert measure(scene, "loss", "run") == 1.75
    assert measure(scene, "floor", "run") == 1.5
    assert measure(scene, "gap", "run") == 0.25


def test_a_floor_that_was_not_stored_is_computed() -> None:
    settings = {"window": 1, "min_count": 1, "sample": 0.0, "negative": 1, "ns_exponent": 1.0}
    scene = loss_scene("sgns", floor={"value": None, "state": "ended"}, parameters=settings)
    # The words alternate but twice, so of nine pairs seven are of two words, in both directions.
    pairs = np.array([[2.0, 7.0], [7.0, 2.0]])
    noise = pairs.sum(axis=1)[:, None] * np.array([0.5, 0.5])
    floor = (pairs * np.log1p(noise / pairs) + noise * np.log1p(pairs / noise)).sum() / pairs.sum()
    assert measure(scene, "floor", "run") == pytest.approx(floor)


def test_a_run_without_a_loss_is_refused() -> None:
    scene = loss_scene("svd")
    with pytest.raises(UserError, match="has no loss"):
        measure(scene, "loss", "run")
    with pytest.raises(UserError, match="has no floor"):
        measure(scene, "floor", "run")


def test_associations_are_those_of_the_vectors_and_of_the_text(model: Embeddings) -> None:
    sentences = [
        *(["he", "pilot"], ["she", "nurse"], ["she", "florist"], ["he", "clerk"]),
        *(["he", "nurse"], ["she", "pilot"]),
    ]
    corpus = make_corpus([*sentences[:4] * 9, *sentences[4:]])
    scene = LessonScene(None, {"run": (model, corpus)}, JobControl())
    sets = ("pilot clerk", "nurse florist", "he", "she")
    unit = dense(model.vectors).astype(float)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    leaning = dict(zip(WORDS, unit @ (unit[1] - unit[0]), strict=True))
    numbers = [leaning[word] for word in ("pilot", "clerk", "nurse", "florist")]
    expected = (np.mean(numbers[:2]) - np.mean(numbers[2:])) / np.std(numbers)
    assert measure(scene, "association", "run", *sets) == pytest.approx(expected, abs=1e-6)
    larger = sum(
        numbers[i] + numbers[j] >= numbers[0] + numbers[1] - 1e-9
        for i in range(4)
        for j in range(i)
    )
    assert measure(scene, "association-p", "run", *sets) == pytest.approx(larger / 6)
    assert float(str(measure(scene, "text-association", "run", *sets))) > 1.9
    with pytest.raises(UserError, match="No word of the set “X” has a vector"):
        measure(scene, "association", "run", "zebra", *sets[1:])
    with pytest.raises(UserError, match="in both “A” and “B”"):
        measure(scene, "association", "run", *sets[:2], "he", "he")


@pytest.fixture(scope="module")
def counted() -> LessonScene:
    """An SVD of a text of sixty words without structure."""
    corpus = markov_corpus(6_000, words=40, sentence=12)
    model = train(corpus, "svd", min_count=1, dim=8, window=2)
    return LessonScene(corpus, {"run": (model, corpus)}, JobControl())


def test_a_word_that_is_taught_by_all_its_lines_is_what_it_was(counted: LessonScene) -> None:
    every = measure(counted, "relearned", "run", "w07 w11", "100000")
    one = measure(counted, "relearned", "run", "w07 w11", "1")
    assert isinstance(every, float)
    assert isinstance(one, float)
    assert one <= every
    assert every > 0.9
    model, corpus = counted.vectors("run"), counted.corpus
    line = "w03 w07 w05"
    taught = Teacher(hold_still(model, corpus)).teach("w07", [line], n=1, instead=True)
    assert measure(counted, "taught-nearest", "run", "w07", line) == taught.neighbours[0].word
    assert corpus.tokens


def test_other_cells_are_drawn_anew_for_each_seed(
    counted: LessonScene, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seeds 1 to 5 are those of the panel."""
    drawn: list[int] = []

    def taken(corpus: Corpus, *_: object, seeds: Sequence[int], run: JobControl) -> PairsAway:
        drawn.extend(seeds)
        return take_pairs_away(corpus, [("w01", "w02"), ("w03", "w04")], SVDParams(dim=2), run=run)

    def played(step: LessonStep, scene: LessonScene, *_: object) -> tuple[()]:
        given = LessonScene(
            counted.corpus,
            {"run": (counted.vectors("run"), counted.corpus)},
            scene.run,
            None,
            scene.seed,
        )
        measure(given, "right-without-others", "run", "family")
        return ()

    monkeypatch.setattr(lines, "take_pairs_away", taken)
    monkeypatch.setattr(runner, "measure_step", played)
    monkeypatch.setattr(lines, "section_pairs", lambda *_: ())
    monkeypatch.setattr(lines, "questions_of", lambda *_: None)
    empty = LessonStep(1, "", (), None, (), (), ())
    for seed in (None, 2, 0, -3):
        lesson = replace(bundled_lessons()[0], steps=(empty,))
        list(runner.Bench().play(lesson, seed=seed))
    assert drawn[:5] == [1, 2, 3, 4, 5]
    assert len(set(drawn)) == 20
    assert min(drawn) >= 0


def test_a_cosine_without_lines_is_that_of_the_influence(counted: LessonScene) -> None:
    model, corpus = counted.vectors("run"), counted.corpus
    found = influence(hold_still(model, corpus), cosine_of(model, "w07", "w03"))
    strongest = found.strongest(5, 1)
    expected = found.without(strongest)
    assert measure(counted, "cosine-without", "run", "w07", "w03", "5") == expected
    assert measure(counted, "lines-of", "run", "w07", "w03") == len(found.lines)
    again = train(
        without_lines(corpus, found.edges, strongest), "svd", min_count=1, dim=8, window=2
    )
    true = cosine_of(model, "w07", "w03").value_in(again)
    measured = measure(counted, "retrained-cosine", "run", "w07", "w03", "5")
    assert measured == pytest.approx(true, abs=1e-6)


def test_the_fit_of_an_analogy_is_a_weighted_correlation_of_ppmi(counted: LessonScene) -> None:
    words = ("w05", "w01", "w03", "w08")
    measured = measure(counted, "context-fit", "run", *words)
    corpus = counted.corpus
    table = cooccurrence(corpus, corpus.vocabulary(), 2, "dynamic", True).toarray()
    chance = table.sum(axis=1, keepdims=True) * table.sum(axis=0) / table.sum()
    with np.errstate(divide="ignore"):
        ppmi = np.maximum(np.log(table / chance), 0)
    rows = [list(corpus.words).index(word) for word in words]
    a, b, c, d = ppmi[rows]
    seen = (table[rows] > 0).any(axis=0)
    weights = table[rows].max(axis=0)[seen]
    covariance = np.cov((a - b + c)[seen], d[seen], aweights=weights)
    expected = covariance[0, 1] / np.sqrt(covariance[0, 0] * covariance[1, 1])
    assert measured == pytest.approx(expected)
