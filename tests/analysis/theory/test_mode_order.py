"""Order of learning, against finite differences of the objective and whole matrices."""

import math

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.stats import spearmanr

from workbench.analysis.history.trajectory import TrainingFrame
from workbench.analysis.theory.mode_order import (
    agreement,
    course_of,
    departures,
    extreme_words,
    half_points,
    initial_pull,
    missing_prediction,
    places,
    predicted_modes,
    rank_correlation,
    study_modes,
)
from workbench.analysis.theory.pair_counts import PairCounts
from workbench.analysis.theory.targets import TargetSettings
from workbench.core.errors import UserError
from workbench.models.base import MODELS, TheoryTarget
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.modes import Modes

SIZE = 12


def pair_counts(size: int = SIZE, seed: int = 0) -> PairCounts:
    """Counts of the first ``size`` of ``size`` + 3 words; the other words are in the sums only."""
    random = np.random.default_rng(seed)
    table = random.poisson(3.0, (size + 3, size + 3)).astype(float)
    table += table.T
    kept = np.arange(size)
    return PairCounts(
        tuple(f"w{row}" for row in kept),
        kept,
        sp.csr_matrix(table[:size, :size]),
        table.sum(axis=1),
        table.sum(axis=0),
        np.arange(10 * size, 10 * size - size - 3, -1),
    )


def loss_of_pair(pairs, setting, own, w, c, x):
    """The pair’s term of the objective at the score x, from its definition."""
    a = pairs.cells.toarray()[w, c]
    words = pairs.row_sums[w]
    if own.target == "xstar":
        noise = pairs.counts**setting.ns_exponent / (pairs.counts**setting.ns_exponent).sum()
        b = setting.negative * words * noise[c]
        return a * math.log1p(math.exp(-x)) + b * math.log1p(math.exp(x))
    if own.target == "logp":  # all other scores of the word are 0
        size = len(pairs.row_sums)
        return -a * x + words * math.log(size - 1 + math.exp(x))
    if a == 0:
        return 0.0
    assert own.target == "logx"
    weight = min(1.0, (a / setting.x_max) ** setting.alpha)
    return 0.5 * weight * (x - math.log(a)) ** 2


@pytest.mark.parametrize("key", ["sgns", "skipgram-softmax", "glove"])
def test_the_pull_is_the_slope_of_the_objective_at_zero(key):
    pairs, setting, own = pair_counts(), TargetSettings(x_max=8.0), MODELS[key].theory_target
    h = 1e-5
    slopes = np.array(
        [
            [
                -(
                    loss_of_pair(pairs, setting, own, w, c, h)
                    - loss_of_pair(pairs, setting, own, w, c, -h)
                )
                / (2 * h)
                for c in range(SIZE)
            ]
            for w in range(SIZE)
        ]
    )
    total = pairs.row_sums.sum()
    if key == "glove":
        table = pairs.cells.toarray()
        total = np.minimum(1, (table[table > 0] / 8.0) ** setting.alpha).sum()
    pull = initial_pull(pairs, setting, own)
    np.testing.assert_allclose(pull.toarray(), slopes / total, rtol=1e-5, atol=1e-9)
    block = np.random.default_rng(3).standard_normal((SIZE, 2))
    np.testing.assert_allclose(pull.image(block), slopes @ block / total, rtol=1e-4, atol=1e-8)
    gram = slopes.T @ (slopes @ block) / total**2
    np.testing.assert_allclose(pull.gram(block), gram, rtol=1e-4, atol=1e-8)


def test_predicted_modes_are_those_of_the_dense_matrix_beyond_what_lapack_is_asked_for():
    pairs, own = pair_counts(700), TheoryTarget()
    setting = TargetSettings()
    noise = pairs.counts**0.75 / (pairs.counts**0.75).sum()
    B = 5 * np.outer(pairs.row_sums, noise)[:700, :700]
    dense = (pairs.cells.toarray() - B) / 2 / pairs.row_sums.sum()
    U, values, Vt = np.linalg.svd(dense)
    found = predicted_modes(pairs, setting, own, 4)
    np.testing.assert_allclose(found.values, values[:4], rtol=1e-5)
    for mode in range(2):
        assert abs(found.left[:, mode] @ U[:, mode]) == pytest.approx(1, abs=1e-4)
        assert abs(found.right[:, mode] @ Vt[mode]) == pytest.approx(1, abs=1e-4)


def training(steps: int = 3000, seed: int = 2):
    """Exact gradient descent of SGNS from a tiny start in plain numpy, with every 25th state."""
    pairs, dim = pair_counts(), 6
    noise = pairs.counts**0.75 / (pairs.counts**0.75).sum()
    A = pairs.cells.toarray()
    B = 5 * np.outer(pairs.row_sums, noise)[:SIZE, :SIZE]
    random = np.random.default_rng(seed)
    W, C = (random.normal(0, 1e-3, (SIZE, dim)) for _ in range(2))
    frames = []
    for step in range(steps + 1):
        if step % 25 == 0:
            kept = Embeddings(pairs.words, W.astype(np.float32), contexts=C.astype(np.float32))
            frames.append(TrainingFrame(step / steps, 0.0, 0.0, kept, SIZE))
        Z = W @ C.T
        G = (A / (1 + np.exp(Z)) - B / (1 + np.exp(-Z))) / A.sum()
        W, C = W + 8.0 * G @ C, C + 8.0 * G.T @ W
    return pairs, frames


def test_the_course_equals_the_whole_products():
    pairs, frames = training(500)
    modes = predicted_modes(pairs, TargetSettings(), TheoryTarget(), 4)
    rows = np.arange(SIZE)
    known = {}
    found = course_of(frames, 3, modes, rows, known)
    assert set(known) == set(frames)
    for at in (0, 7, len(frames) - 1):
        product = frames[at].embeddings.vectors.astype(float)
        product = product @ frames[at].embeddings.contexts.astype(float).T
        values = np.linalg.svd(product, compute_uv=False)
        np.testing.assert_allclose(found.values[at], values[:3], rtol=1e-6, atol=1e-12)
        strengths = [modes.left[:, p] @ product @ modes.right[:, p] for p in range(4)]
        np.testing.assert_allclose(found.strengths[at], strengths, rtol=1e-6, atol=1e-12)
    again = course_of(frames, 3, modes, rows, known)
    np.testing.assert_array_equal(again.values, found.values)
    U, _, Vt = np.linalg.svd(product)
    expected = [
        max(abs(modes.left[:, p] @ U[:, q]) * abs(modes.right[:, p] @ Vt[q]) for q in range(3))
        for p in range(4)
    ]
    np.testing.assert_allclose(agreement(modes, rows, found.last), expected, atol=1e-6)


def test_from_a_small_start_the_first_modes_come_in_the_predicted_order():
    pairs, frames = training()
    modes = predicted_modes(pairs, TargetSettings(), TheoryTarget(), 4)
    found = course_of(frames, 4, modes, np.arange(SIZE))
    halves = half_points(found.progress, found.strengths)
    rho, number = rank_correlation(modes.values, halves)
    assert number == 4
    assert rho >= 0.8
    assert halves[0] == np.nanmin(halves)
    study = study_modes(frames, 4, (modes, pairs.words))
    assert (study.correlation, study.compared) == (rho, number)
    np.testing.assert_array_equal(study.halves, halves)
    np.testing.assert_array_equal(study.course.strengths, found.strengths)
    alone = study_modes(frames[-1:], 4, (modes, pairs.words))
    assert np.isnan(alone.halves).all()
    assert math.isnan(alone.correlation)
    assert study_modes(frames, 4, problem="no counts").problem == "no counts"


def test_a_product_of_zero_has_no_modes():
    """Context vectors start at 0."""
    words = [f"w{number}" for number in range(5)]
    start = Embeddings(words, np.ones((5, 3), np.float32), contexts=np.zeros((5, 3), np.float32))
    U, values, Vt = np.linalg.svd(np.random.default_rng(1).normal(size=(5, 5)))
    frame = TrainingFrame(0.0, 0.0, 1.0, start, 5)
    study = study_modes([frame], 4, (Modes(U[:, :4], values[:4], Vt[:4].T), words))
    np.testing.assert_array_equal(study.overlaps, np.zeros(4))
    assert len(study.course.last.values) == 0
    assert study.observed_ends == ()
    assert math.isnan(study.correlation)


def test_half_points():
    progress = np.array([0.0, 0.25, 0.5, 1.0])
    strengths = np.array([[0.0, 3.0, 0.0], [1.0, 2.0, 1.0], [3.0, 2.0, 2.0], [4.0, 4.0, -1.0]])
    found = half_points(progress, strengths)
    np.testing.assert_allclose(found, [0.375, 0.0, np.nan])
    np.testing.assert_allclose(places(found), [2, 1, np.nan])


def test_rank_correlation_is_spearmans():
    random = np.random.default_rng(4)
    strengths = np.sort(random.random(15))[::-1]
    halves = np.round(random.random(15), 1)
    halves[3] = np.nan
    some = np.isfinite(halves)
    expected = spearmanr(-strengths[some], halves[some]).statistic
    rho, number = rank_correlation(strengths, halves)
    assert rho == pytest.approx(expected)
    assert number == 14
    assert math.isnan(rank_correlation(strengths[:2], halves[:2])[0])
    assert math.isnan(rank_correlation(strengths[:3], np.ones(3))[0])


def test_extreme_words():
    entries = np.array([0.1, -0.5, 0.7, 0.0, -0.2])
    assert extreme_words(entries, "abcde", 2) == (("c", "a"), ("b", "e"))
    assert extreme_words(np.array([0.3, 0.2]), "ab") == (("a", "b"), ())


def test_every_algorithm_is_predicted_or_says_why_not():
    pairs = pair_counts()
    for kind in MODELS:
        own = kind.theory_target
        problem = missing_prediction(own)
        setting = TargetSettings.of(kind.params_type().to_dict())
        if problem is not None:
            with pytest.raises(UserError):
                initial_pull(pairs, setting, own)
            continue
        modes = predicted_modes(pairs, setting, own, 3)
        assert np.isfinite(modes.values).all()


def test_departures_are_said():
    remarks = departures(
        MODELS["sgns"].theory_target, {"init_scale": 1.0, "learning_rate": 0.025}, 12
    )
    assert len(remarks) == 4
    assert "small initial vectors" in remarks[0]
    assert "samples" in remarks[1]
    assert "weigh the same" in remarks[2]
    assert "12" in remarks[3]
    counted = departures(MODELS["sgns"].theory_target, {"start": "counts", "init_scale": 1.0}, 0)
    assert "from its counts" in counted[0]
    small = departures(MODELS["sgns"].theory_target, {"init_scale": 0.01}, 0)
    assert len(small) == 1
    assert "weigh the same" in small[0]
    assert "rescales" in departures(MODELS["sgns-mf"].theory_target, {"optimiser": "Adam"}, 0)[0]
    assert any("Biases" in one for one in departures(MODELS["glove"].theory_target, {}, 0))
