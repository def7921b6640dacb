"""Effects, projections, RIPA and contrasts in counts, against plain Python and exact models."""

from __future__ import annotations

import math

import numpy as np
import pytest
from corpora import make_corpus, markov_corpus
from reference.naive_analysis import cosine, unit
from reference.naive_associations import (
    contrast,
    cs_pmi,
    effect,
    mean,
    p_value,
    pairs_in,
    pmi_contrast,
    relational,
)

from workbench.analysis.associations import ripa as ripa_module
from workbench.analysis.associations.controls import control_effects, draw_controls
from workbench.analysis.associations.known_words import known_words
from workbench.analysis.associations.projection import project_targets
from workbench.analysis.associations.report import evaluate_test
from workbench.analysis.associations.ripa import Scale, expected_ripa, fit_scale, ripa
from workbench.analysis.associations.text_counts import (
    count_attributes,
    count_contrasts,
    model_contrasts,
)
from workbench.analysis.associations.weat import compare_sets, cosine_contrasts
from workbench.analysis.associations.word_sets import AssociationTest, typed_test
from workbench.core.errors import Cancelled
from workbench.core.job_control import JobControl
from workbench.session.training.train_api import train
from workbench.vectors.embeddings import Embeddings

WORDS = [f"w{number}" for number in range(40)]
RANDOM = np.random.default_rng(5)
VECTORS = RANDOM.normal(size=(40, 7)).astype(np.float32)
MODEL = Embeddings(WORDS, VECTORS, counts=np.arange(400, 0, -10))
ROWS = VECTORS.astype(float).tolist()
X, Y, A, B = WORDS[0:6], WORDS[6:11], WORDS[12:15], WORDS[15:18]


def asked(
    x: list[str], y: list[str], a: list[str], b: list[str], *, paired: bool = False
) -> AssociationTest:
    return typed_test([x, y], [a, b], paired).tests[0]


def rows_of(words: list[str]) -> list[list[float]]:
    return [ROWS[WORDS.index(word)] for word in words]


# -- vectors


def test_contrasts_effect_and_p_are_those_of_plain_python() -> None:
    known = known_words(MODEL, asked(X, Y, A, B))
    found = cosine_contrasts(MODEL, known.targets, known.a, known.b)
    expected = [contrast(word, rows_of(A), rows_of(B)) for word in rows_of(X + Y)]
    assert found == pytest.approx(expected, abs=1e-12)
    result = compare_sets(found[:6], found[6:])
    assert result.size == pytest.approx(effect(expected[:6], expected[6:]), abs=1e-12)
    assert result.difference == pytest.approx(mean(expected[:6]) - mean(expected[6:]), abs=1e-12)
    assert (result.exact, result.partitions) == (True, 462)
    assert result.p == pytest.approx(p_value(expected[:6], expected[6:]), abs=1e-12)


def test_equal_statistics_count_and_the_largest_has_the_smallest_p() -> None:
    ordered = np.arange(8.0)
    assert compare_sets(ordered[4:], ordered[:4]).p == pytest.approx(1 / 70)
    assert compare_sets(ordered[:4], ordered[4:]).p == 1.0
    # 0.1 + 0.2 isn’t 0.3 in binary, but both sets have the same sum.
    values = np.array([0.1, 0.2, 0.3, 0.0])
    assert compare_sets(values[:2], values[2:]).p == p_value([0.1, 0.2], [0.3, 0.0]) > 0.5


def test_sampled_p_is_near_the_exact_one_and_depends_on_the_seed_alone() -> None:
    numbers = RANDOM.normal(size=14)
    numbers[:7] += 0.7
    exact = compare_sets(numbers[:7], numbers[7:])
    sampled = compare_sets(numbers[:7], numbers[7:], most=10, drawn=20_000)
    assert (exact.exact, sampled.exact, sampled.partitions) == (True, False, 20_000)
    error = math.sqrt(exact.p * (1 - exact.p) / 20_000)
    assert abs(sampled.p - exact.p) < 5 * error
    assert sampled == compare_sets(numbers[:7], numbers[7:], most=10, drawn=20_000)
    assert sampled.p != compare_sets(numbers[:7], numbers[7:], seed=2, most=10, drawn=20_000).p
    largest = compare_sets(np.arange(50.0, 60), np.arange(10.0), most=10, drawn=500)
    assert largest.p == 1 / 501


def test_equal_numbers_have_no_effect() -> None:
    result = compare_sets(np.full(4, 0.25), np.full(3, 0.25))
    assert math.isnan(result.size)
    assert math.isnan(result.p)
    assert result.difference == 0


def test_a_test_can_be_cancelled() -> None:
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        compare_sets(np.arange(8.0), np.arange(8.0), run)


def test_projection_is_the_cosine_with_the_axis_of_the_means() -> None:
    known = known_words(MODEL, asked(X, Y, A, B))
    found = project_targets(MODEL, known)
    means = [
        [mean(column) for column in zip(*map(unit, rows_of(words)), strict=True)]
        for words in (A, B)
    ]
    axis = [one - other for one, other in zip(*means, strict=True)]
    expected = [cosine(word, axis) for word in rows_of(X + Y)]
    assert found.words == pytest.approx(expected, abs=1e-12)
    assert found.difference == pytest.approx(mean(expected[:6]) - mean(expected[6:]), abs=1e-12)
    assert found.interval.low < found.difference < found.interval.high
    assert found.interval == project_targets(MODEL, known).interval


def test_the_interval_is_that_of_a_plain_bootstrap() -> None:
    known = known_words(MODEL, asked(X, Y, A, B))
    found = project_targets(MODEL, known, resamples=4000)
    random = np.random.default_rng(11)
    units = VECTORS / np.linalg.norm(VECTORS.astype(float), axis=1, keepdims=True)
    samples = []
    for _ in range(4000):
        x, y, a, b = (
            random.choice(rows, len(rows)) for rows in (known.x, known.y, known.a, known.b)
        )
        axis = units[a].mean(axis=0) - units[b].mean(axis=0)
        cosines = units @ axis / np.linalg.norm(axis)
        samples.append(cosines[x].mean() - cosines[y].mean())
    low, high = np.percentile(samples, (2.5, 97.5))
    assert found.interval.low == pytest.approx(low, abs=0.03)
    assert found.interval.high == pytest.approx(high, abs=0.03)


def test_few_words_have_no_interval() -> None:
    known = known_words(MODEL, asked(X, Y, A[:2], B))
    assert math.isnan(project_targets(MODEL, known).interval.low)


def test_ripa_is_the_mean_product_with_unit_differences() -> None:
    known = known_words(MODEL, asked(X, Y, A, B, paired=True))
    found = ripa(MODEL, known.targets, known.pairs)
    pairs = list(zip(rows_of(A), rows_of(B), strict=True))
    expected = [relational(word, pairs) for word in rows_of(X + Y)]
    assert found == pytest.approx(expected, abs=1e-12)
    unpaired = known_words(MODEL, asked(X, Y, A, B))
    assert np.isnan(ripa(MODEL, known.targets, unpaired.pairs)).all()


# -- words


def test_the_mean_of_pairs_orders_words_like_the_principal_component_of_the_paper() -> None:
    random = np.random.default_rng(4)
    size, pairs = 20, 5
    common = random.normal(size=size)
    first = random.normal(size=(pairs, size))
    second = first - common - 0.3 * random.normal(size=(pairs, size))
    words = random.normal(size=(60, size))
    every = np.concatenate([first, second, words]).astype(np.float32)
    model = Embeddings([f"w{at}" for at in range(len(every))], every)
    numbered = np.stack([np.arange(pairs), np.arange(pairs) + pairs], axis=1)
    rows = np.arange(2 * pairs, len(every))
    found = ripa(model, rows, numbered)
    differences = every[:pairs].astype(float) - every[pairs : 2 * pairs]
    principal = np.linalg.svd(differences)[2][0]
    of_paper = words @ (principal * np.sign(principal @ common))
    assert np.corrcoef(found, of_paper)[0, 1] > 0.99
    # The mean of unit differences is shorter than 1, unless all are equal.
    assert np.linalg.norm(found) < np.linalg.norm(of_paper)
    one = ripa(model, rows, numbered[:1])
    single = differences[0] / np.linalg.norm(differences[0])
    assert one == pytest.approx(every[rows].astype(float) @ single)


def test_words_without_vectors_are_named_and_no_row_counts_twice() -> None:
    vectors = VECTORS[:6].copy()
    vectors[4] = 0
    model = Embeddings(["He", "she", "king", "queen", "zero", "him"], vectors)
    test = asked(["king", "King", "zero"], ["queen", "duke"], ["he", "him"], ["she", "her"])
    known = known_words(model, test)
    assert known.x.tolist() == [2]
    assert known.a.tolist() == [0, 5]
    assert known.missing == {"X": (), "Y": ("duke",), "A": (), "B": ("her",)}
    assert known.without_vector == {"X": ("zero",), "Y": (), "A": (), "B": ()}
    assert known.complete


def test_a_pair_needs_both_words() -> None:
    test = asked(X, Y, ["w12", "none", "w14"], ["w15", "w16", "w17"], paired=True)
    assert known_words(MODEL, test).pairs.tolist() == [[12, 15], [14, 17]]


def test_a_set_without_vectors_is_a_problem_of_that_test() -> None:
    report = evaluate_test(MODEL, asked(["none"], Y, A, B))
    assert report.problem == "No word of the set “X” has a vector."
    assert report.vectors is None
    assert report.words == ()


# -- controls


def test_controls_have_like_frequencies_and_no_word_of_the_test() -> None:
    counts = np.round(1e6 / np.arange(1, 2001)).astype(np.int64)
    model = Embeddings(
        [f"v{number}" for number in range(2000)],
        RANDOM.normal(size=(2000, 3)).astype(np.float32),
        counts=counts,
    )
    targets, others = np.array([0, 100, 900]), np.array([101, 102, 950])
    drawn = draw_controls(model, targets, np.concatenate([targets, others]), sets=500)
    assert drawn.shape == (500, 3)
    assert not np.isin(drawn, [*targets, *others]).any()
    # No word is like the most frequent one, so the nearest twenty stand in.
    assert set(drawn[:, 0].tolist()) == set(range(1, 21))
    for column, row in ((1, 100), (2, 900)):
        ratios = counts[drawn[:, column]] / counts[row]
        assert 0.5 <= ratios.min() < 0.6
        assert 1.8 < ratios.max() <= 2.0
    assert draw_controls(model, targets, others, sets=5).tolist() == (
        draw_controls(model, targets, others, sets=5).tolist()
    )


def test_random_sets_of_random_vectors_show_no_effect() -> None:
    values = RANDOM.normal(size=(2000, 16))
    found = control_effects(values, 8, 1.2)
    sizes = [effect(row[:8].tolist(), row[8:].tolist()) for row in values[:50]]
    assert found.mean == pytest.approx(0, abs=0.05)
    assert found.low == pytest.approx(-found.high, abs=0.1)
    assert control_effects(values[:50], 8, 1.2).mean == pytest.approx(mean(sizes), abs=1e-12)
    every = control_effects(values, 8, 0.0)
    assert every.beyond == 1.0
    values[0, 0] = np.nan
    assert control_effects(values, 8, 1.2).sets == 1999
    assert control_effects(np.empty((200, 0)), 0, 1.2).sets == 0


# -- counts

SENTENCES = [
    *(["he", "is", "engineer", "and", "he", "sings"] for _ in range(9)),
    *(["she", "is", "engineer", "and", "sings"] for _ in range(2)),
    *(["she", "is", "nurse", "and", "he", "meets", "her"] for _ in range(7)),
    *(["him", "her", "likes", "nurse"] for _ in range(3)),
    *(["a", "quiet", "garden"] for _ in range(4)),
]
GENDER = asked(["engineer"], ["nurse"], ["he", "him"], ["she", "her"], paired=True)


def model_of(words: list[str]) -> Embeddings:
    random = np.random.default_rng(8)
    return Embeddings(
        words,
        random.normal(size=(len(words), 4)).astype(np.float32),
        metadata={"parameters": {"window": 2, "window_weighting": "fixed", "min_count": 1}},
    )


def test_contrasts_in_the_text_are_those_of_plain_python() -> None:
    corpus = make_corpus(SENTENCES)
    model = model_of([*reversed(corpus.words), "unseen"])
    known = known_words(model, GENDER)
    counts = count_attributes(corpus, model, np.concatenate([known.a, known.b]))
    found, pairs = count_contrasts(counts, known.a, known.b)
    expected = pairs_in(SENTENCES, 2)
    for place, word in enumerate(counts.vocabulary.words):
        assert found[place] == pytest.approx(
            pmi_contrast(expected, word, ["he", "him"], ["she", "her"]), abs=1e-12
        )
        wanted = sum(expected.get((each, word), 0) for each in ("he", "him", "she", "her"))
        assert pairs[place] == wanted
    assert found[counts.vocabulary.index["garden"]] == pytest.approx(0, abs=1e-12)
    report = evaluate_test(model, GENDER, corpus)
    assert report.counts is not None
    engineer, nurse = report.words
    assert (engineer.word, engineer.in_set) == ("engineer", "X")
    assert report.counts.difference == pytest.approx(engineer.counts - nurse.counts)
    assert report.counts.difference > 0


def test_a_text_without_the_attributes_is_a_problem_of_that_test() -> None:
    corpus = make_corpus(SENTENCES)
    test = asked(["engineer"], ["nurse"], ["he"], ["unseen"])
    report = evaluate_test(model_of([*corpus.words, "unseen"]), test, corpus)
    assert report.text_problem == "The text contains no word of the set “B”."
    assert report.counts is None
    assert report.vectors is not None


def test_expected_ripa_is_the_formula_of_the_paper() -> None:
    corpus = make_corpus(SENTENCES)
    model = model_of(list(corpus.words))
    known = known_words(model, GENDER)
    counts = count_attributes(corpus, model, np.concatenate([known.a, known.b]))
    found = expected_ripa(counts, known.targets, known.pairs, Scale(2.0, -1.0, 1.0, 99))
    pairs = pairs_in(SENTENCES, 2)
    # He and she never co-occur, him and her do.
    assert ("he", "she") not in pairs
    for word, value in zip(("engineer", "nurse"), found.tolist(), strict=True):
        ratio = pmi_contrast(pairs, word, ["him"], ["her"])
        spread = -cs_pmi(pairs, "him", "her") - 1.0
        assert value == pytest.approx(ratio / math.sqrt(2.0 * spread), abs=1e-12)


def test_the_scale_is_found_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Distances that obey the line exactly have its λ and α."""
    corpus = markov_corpus(20_000)
    model = Embeddings(
        list(corpus.words), RANDOM.normal(size=(len(corpus.words), 5)).astype(np.float32)
    )
    attributes = np.arange(6, dtype=np.intp)
    counts = count_attributes(corpus, model, attributes)

    def distances(_: Embeddings, row: int, others: np.ndarray) -> np.ndarray:
        found = counts.rows[row]
        wanted = np.array([np.flatnonzero(found.columns == other)[0] for other in others])
        cells, total = found.counts[wanted] / counts.total, counts.totals / counts.total
        cs = 2 * np.log(cells) - np.log(total[row]) - np.log(total[others])
        return np.asarray((-cs - 1.5) / 0.8)

    monkeypatch.setattr(ripa_module, "_squared_distances", distances)
    found = fit_scale(model, counts, attributes)
    assert found.scale == pytest.approx(0.8)
    assert found.offset == pytest.approx(-1.5)
    assert found.correlation == pytest.approx(1)
    assert found.pairs > 30


def test_squared_distances_are_those_of_the_vectors() -> None:
    others = np.array([3, 9, 30])
    found = ripa_module._squared_distances(MODEL, 4, others)
    expected = ((VECTORS[others].astype(float) - VECTORS[4]) ** 2).sum(axis=1)
    assert found == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("algorithm", "score"), [("sgns", "xstar"), ("pmi-mf", "pmi"), ("glove", "logx")]
)
def test_a_model_that_reproduces_the_counts_lies_on_the_diagonal(
    algorithm: str, score: str
) -> None:
    """With products that are exactly the target of their algorithm, the contrast is that of the
    counts, apart from the added pair.
    """
    corpus = markov_corpus(60_000)
    size = len(corpus.words)
    parameters = {"window": 3, "window_weighting": "fixed", "min_count": 1, "negative": 5}
    plain = Embeddings(list(corpus.words), np.eye(size, dtype=np.float32))
    plain = Embeddings(plain.words, plain.vectors, metadata={"parameters": parameters})
    attributes = np.arange(size, dtype=np.intp)
    counts = count_attributes(corpus, plain, attributes)
    table = np.stack([counts.cells(attributes[row : row + 1])[0] for row in range(size)], axis=1)
    logs = np.log(np.maximum(table, 1e-3))
    if score == "xstar":
        noise = counts.vocabulary.counts**0.75
        logs = logs - np.log(counts.totals)[:, None] - np.log(5 * noise / noise.sum())
    elif score == "pmi":
        logs = logs - np.log(counts.totals)[:, None] - np.log(counts.totals / counts.total)
    model = Embeddings(
        plain.words,
        np.eye(size, dtype=np.float32),
        contexts=logs.T.astype(np.float32),
        metadata={"algorithm": algorithm, "parameters": parameters},
    )
    a, b, rows = attributes[:4], attributes[4:9], attributes[10:]
    found = model_contrasts(model, counts, rows, a, b)
    n_a, n_b = counts.cells(a)[0][rows], counts.cells(b)[0][rows]
    expected = np.log(n_a / counts.size(a)) - np.log(n_b / counts.size(b))
    assert found is not None
    assert found == pytest.approx(expected, abs=1e-4)


def test_models_without_products_have_no_contrast_in_nats() -> None:
    corpus = markov_corpus(3_000)
    model = train(corpus, "ppmi", min_count=1)
    attributes = np.arange(4, dtype=np.intp)
    counts = count_attributes(corpus, model, attributes)
    assert model_contrasts(model, counts, attributes, attributes[:2], attributes[2:]) is None
    words = list(model.words)
    report = evaluate_test(model, asked(words[:3], words[3:6], words[6:8], words[8:10]), corpus)
    assert report.vectors is not None
    assert all(math.isnan(word.products) for word in report.words)


def test_the_line_goes_through_the_random_words() -> None:
    corpus = markov_corpus(30_000)
    model = train(corpus, "svd", min_count=1, dim=8)
    words = list(model.words)
    report = evaluate_test(model, asked(words[:3], words[3:6], words[6:8], words[8:10]), corpus)
    assert report.line is not None
    points = [(one.counts, one.cosine) for one in report.random]
    assert 10 <= len(points) == report.line.words <= len(words) - 10
    slope, intercept = np.polyfit(*np.array(points).T, 1)
    assert report.line.slope == pytest.approx(slope)
    assert report.line.intercept == pytest.approx(intercept)
    assert not {one.word for one in report.random} & set(words[:10])
