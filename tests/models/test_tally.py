"""The order in which units are visited, and the standard errors of mean losses."""

from __future__ import annotations

import numpy as np
import pytest

from workbench.core.job_control import LAST_EPOCH, OBJECTIVE
from workbench.models.tally import PARTS, LossTally, fair_order, is_affordable


@pytest.mark.parametrize("units", [1, 7, PARTS, 10 * PARTS, 1234])
def test_every_part_of_the_order_has_one_of_every_forty_neighbours(units: int) -> None:
    order = fair_order(units, np.random.default_rng(1))
    assert sorted(order.tolist()) == list(range(units))
    if units >= PARTS:
        part = units // PARTS
        whole = PARTS * part
        if units == whole:
            for piece in order.reshape(PARTS, part):
                assert sorted((piece // PARTS).tolist()) == list(range(part))
        assert not np.array_equal(order, fair_order(units, np.random.default_rng(2)))


def text(units: int, random: np.random.Generator) -> np.ndarray:
    """Mean losses of parts of a text whose topic changes gradually."""
    steps = random.normal(size=units)
    level = np.zeros(units)
    for at in range(1, units):
        level[at] = 0.8 * level[at - 1] + 0.6 * steps[at]
    return 3 + 0.3 * level


def visit_units(
    seed: int, draws: float, epochs: int = 3
) -> tuple[list[tuple[float, float]], LossTally, float]:
    """(loss, error) of every point, a tally after ``epochs`` passes and the true mean, with fixed
    vectors.
    """
    random = np.random.default_rng(seed)
    units = 800
    terms = random.integers(200, 400, units).astype(float)
    means = text(units, np.random.default_rng(5))
    tally = LossTally(units, draws > 0)
    points = []
    truth = float(means @ terms / terms.sum())
    for _ in range(epochs):
        order = fair_order(units, random)
        for part in np.array_split(order, PARTS):
            losses = means[part] + draws * random.normal(size=len(part)) / np.sqrt(terms[part])
            tally.add(part, losses * terms[part], terms[part])
            point = tally.point()
            assert point is not None
            points.append((point.loss, point.error))
    return points, tally, truth


@pytest.mark.parametrize("draws", [0.0, 0.5, 5.0])
def test_intervals_of_twice_the_error_hold_the_truth_as_often_as_they_say(draws: float) -> None:
    inside = []
    for seed in range(8):
        points, _, truth = visit_units(seed, draws)
        inside += [abs(loss - truth) <= 1.96 * error for loss, error in points]
    assert 0.90 <= np.mean(inside) <= 0.99


def test_losses_of_whole_passes_are_exact_without_draws() -> None:
    _, tally, truth = visit_units(1, 0.0)
    final = tally.final()
    assert final is not None
    assert (final.kind, final.error, final.epochs) == (LAST_EPOCH, 0.0, 1.0)
    assert final.value == pytest.approx(truth, rel=1e-12)
    evaluation = tally.final(evaluated=True)
    assert evaluation is not None
    assert evaluation.kind == OBJECTIVE
    inside, errors = [], []
    for seed in range(60):
        _, tally, truth = visit_units(seed, 5.0, epochs=2)
        final = tally.final()
        assert final is not None
        assert final.error
        inside.append(abs(final.value - truth) <= 1.96 * final.error)
        errors.append(final.error)
    assert 0.88 <= np.mean(inside) <= 1.0
    # 240,000 terms with standard deviation 5.
    assert np.median(errors) == pytest.approx(5 / np.sqrt(240_000), rel=0.1)


def test_repeated_stretches_give_the_error_of_a_single_pass() -> None:
    misses, errors = [], []
    for seed in range(60):
        _, tally, truth = visit_units(seed, 0.5, epochs=1)
        assert not tally.knows_draws
        rough = tally.final()
        random = np.random.default_rng(1000 + seed)
        # Stretches with other means than the units, from later vectors.
        means = 2.5 + 0.3 * random.normal(size=40)
        terms = random.integers(20, 60, (2, 40)).astype(float)
        tally.add_repeats((means + 0.5 * random.normal(size=(2, 40)) / terms**0.5) * terms, terms)
        assert tally.knows_draws
        final = tally.final()
        assert rough is not None
        assert final is not None
        assert final.value == rough.value
        assert final.error < 0.5 * rough.error
        misses.append((final.value - truth) / final.error)
        errors.append(final.error)
    # 240,000 terms with standard deviation 0.5, relative to losses of 2.5 instead of 3.
    assert np.median(errors) == pytest.approx(3 / 2.5 * 0.5 / np.sqrt(240_000), rel=0.15)
    assert 0.90 <= np.mean(np.abs(misses) <= 1.96) <= 1.0


def test_repeats_without_terms_say_nothing() -> None:
    tally = LossTally(4, draws=True)
    tally.add_repeats(np.zeros((2, 5)), np.zeros((2, 5)))
    assert not tally.knows_draws


def test_a_part_of_the_first_pass_has_its_own_error() -> None:
    tally = LossTally(10, draws=False)
    assert tally.point() is None
    assert tally.final() is None
    tally.add(np.arange(4), np.array([1.0, 2.0, 3.0, 4.0]), np.ones(4))
    # Units without any trained terms don’t count.
    tally.add(np.array([5]), np.zeros(1), np.zeros(1))
    final = tally.final()
    assert final is not None
    assert (final.value, final.epochs) == (2.5, 0.4)
    point = tally.point()
    assert point is not None
    plain = LossTally(10, draws=False)
    plain.add(np.arange(4), np.array([1.0, 2.0, 3.0, 4.0]), np.ones(4))
    assert point == plain.point()
    assert point.error > 0
    # Only the latest visit to a unit counts.
    tally.add(np.arange(4), np.full(4, 7.0), np.ones(4))
    again = tally.last_pass()
    assert again is not None
    assert again.loss == 7.0


def test_learning_between_two_visits_is_no_noise() -> None:
    random = np.random.default_rng(1)
    terms = np.full(400, 100.0)
    errors = []
    for decrease in (0.0, 1.5):
        tally = LossTally(400, draws=True)
        for level in (4.0, 4.0 - decrease):
            losses = level + 0.5 * np.sin(np.arange(400)) + 0.02 * random.normal(size=400)
            tally.add(np.arange(400), losses * terms, terms)
            tally.point()
        last = tally.last_pass()
        assert last is not None
        errors.append(last.error)
    assert errors[0] == pytest.approx(0.02 / np.sqrt(400), rel=0.2)
    assert errors[1] == pytest.approx(errors[0], rel=0.3)


def test_one_unit_a_point_is_compared_with_the_next() -> None:
    random = np.random.default_rng(3)
    errors = []
    tally = LossTally(50, draws=False)
    for unit in random.permutation(50):
        tally.add(np.array([unit]), random.normal(3, 0.1, 1) * 100, np.full(1, 100.0))
        point = tally.point()
        assert point is not None
        errors.append(point.error)
    assert errors[0] > 1
    assert 0.04 < np.median(errors[10:40]) < 0.2


def test_points_exclude_differences_between_units_in_the_last_pass() -> None:
    random = np.random.default_rng(2)
    terms = random.integers(200, 400, 800).astype(float)
    start = text(800, random)
    scatter = {}
    for draws in (False, True):
        tally = LossTally(800, draws)
        errors = []
        for decrease in (0.0, 0.4, 0.5, 0.55):
            # All units improve together, and each one a little by itself.
            means = start - decrease + 0.01 * random.normal(size=800)
            truth = float(means @ terms / terms.sum())
            for part in np.array_split(fair_order(800, random), PARTS):
                tally.add(part, means[part] * terms[part], terms[part])
                point = tally.point()
                assert point is not None
                errors.append((point.loss - truth, point.error))
        last = np.array(errors)[-PARTS:]
        scatter[draws] = float(last[:, 0].std())
        assert np.abs(last[:, 0]).mean() == pytest.approx(0.8 * last[:, 1].mean(), rel=0.5)
    assert scatter[False] < 0.1 * scatter[True]


def test_numbers_that_overflow_are_noticed() -> None:
    tally = LossTally(3, draws=True)
    tally.add(np.arange(2), np.array([1.0, np.inf]), np.ones(2))
    assert not tally.finite


def test_affordable_evaluations() -> None:
    assert is_affordable(0.02, 1e12)
    assert not is_affordable(0.021, 1e9)
    assert is_affordable(1.0, 1e8)


def test_units_added_one_by_one_equal_units_added_together() -> None:
    random = np.random.default_rng(2)
    together, alone = LossTally(60, True), LossTally(60, True)
    for _ in range(3):
        losses, terms = random.random(60) + 1, random.integers(0, 3, 60).astype(float)
        together.add(np.arange(60), losses, terms)
        for unit in range(60):
            alone.add_one(unit, float(losses[unit]), float(terms[unit]))
        assert alone.point() == together.point()
    assert alone.last_pass() == together.last_pass()
    assert alone.finite
    alone.add_one(3, float("nan"), 1.0)
    assert not alone.finite
