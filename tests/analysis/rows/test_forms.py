"""Slopes and curvatures against finite differences, and minima against scipy’s optimisers."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import scipy.optimize
import scipy.sparse as sp
from scipy.special import expit

from workbench.analysis.rows.cell_rules import DrawnCells, LogCounts, ShiftedPmi
from workbench.analysis.rows.forms import (
    Design,
    Logistic,
    Projection,
    RowForm,
    Softmax,
    Squares,
    Swivel,
    Tree,
)
from workbench.analysis.rows.newton import Prior, minimise
from workbench.core.arrays import Doubles

V, DIM = 12, 3
RANDOM = np.random.default_rng(5)
ROWS = RANDOM.standard_normal((V, DIM))
OFFSETS = RANDOM.standard_normal(V)
CHANCE = RANDOM.dirichlet(np.ones(V))
COUNTS = np.where(np.arange(V) % 3 == 0, 0.0, RANDOM.gamma(2.0, 2.0, V))
TOTAL = float(COUNTS.sum())
PLAIN = Design(ROWS, np.zeros(V))


def _root(a: Doubles, b: Doubles) -> Doubles:
    return np.sqrt(a)


def _tree() -> Tree:
    passes = sp.csr_matrix((RANDOM.random((V, 2 * V)) < 0.3).astype(float))
    return Tree(ROWS, passes)


PMI = ShiftedPmi(2 * CHANCE, _root)
FORMS: dict[str, Callable[[], RowForm]] = {
    "negative sampling": lambda: Logistic(PLAIN, 5 * CHANCE),
    "negative sampling of a context": lambda: Logistic(PLAIN, 40 * CHANCE, fixed=True),
    "tree": _tree,
    "softmax": lambda: Softmax(PLAIN),
    "log counts with biases": lambda: Squares(Design(ROWS, OFFSETS), LogCounts(_root)),
    "pmi": lambda: Squares(PLAIN, PMI),
    "pmi of a context": lambda: Squares(PLAIN, ShiftedPmi(9 * CHANCE, _root, fixed=True)),
    "drawn cells": lambda: Squares(
        PLAIN,
        DrawnCells(ShiftedPmi(CHANCE, _root, positive=True), 3 * CHANCE),
        only_observed=False,
    ),
    "swivel": lambda: Swivel(PLAIN, np.log(CHANCE), LogCounts(_root)),
    "projection": lambda: Projection(PLAIN, ShiftedPmi(CHANCE, _root, positive=True)),
}
each = pytest.mark.parametrize("form", [make() for make in FORMS.values()], ids=list(FORMS))


def _value(form: RowForm, w: Doubles, counts: Doubles, total: float) -> float:
    return form.evaluate(w, form.cells(counts), total).value


def _gradient(form: RowForm, w: Doubles, counts: Doubles, total: float) -> Doubles:
    return form.gradient(w, form.evaluate(w, form.cells(counts), total))


def _differences(function: Callable[[Doubles], Doubles | float], at: Doubles) -> Doubles:
    steps = 1e-5 * np.eye(len(at))
    return np.array([(np.asarray(function(at + s)) - function(at - s)) / 2e-5 for s in steps])


@each
def test_gradients_and_hessians_are_those_of_finite_differences(form: RowForm) -> None:
    w = np.array([0.3, -0.7, 0.2])
    expected = _differences(lambda v: _value(form, v, COUNTS, TOTAL), w)
    assert _gradient(form, w, COUNTS, TOTAL) == pytest.approx(expected, abs=1e-5)
    curved = _differences(lambda v: _gradient(form, v, COUNTS, TOTAL), w)
    found = form.hessian(TOTAL, form.evaluate(w, form.cells(COUNTS), TOTAL))
    assert found == pytest.approx(curved, rel=1e-4, abs=1e-4)


@each
def test_slopes_follow_the_sum_of_counts(form: RowForm) -> None:
    w = np.array([-0.2, 0.4, 0.1])
    counts = form.cells(COUNTS)
    change = form.design.sum(form.total_slopes(form.design.products(w), counts, TOTAL))
    expected = (
        _gradient(form, w, COUNTS, TOTAL + 1e-4) - _gradient(form, w, COUNTS, TOTAL - 1e-4)
    ) / 2e-4
    assert change == pytest.approx(expected, abs=1e-5)


@each
def test_slopes_of_some_contexts_change_as_the_whole_gradient_does(form: RowForm) -> None:
    w, fewer = np.array([0.1, 0.2, -0.3]), COUNTS.copy()
    fewer[[1, 4]] = 0.0, 0.5 * fewer[4]
    before, after = form.cells(COUNTS), form.cells(fewer)
    at = np.flatnonzero(before != after)
    change = form.slope_changes(form.design.products(w, at), before[at], after[at], TOTAL, at)
    expected = _gradient(form, w, fewer, TOTAL) - _gradient(form, w, COUNTS, TOTAL)
    assert form.design.sum(change, at) == pytest.approx(expected, abs=1e-9)


@each
def test_newtons_minimum_is_that_of_a_general_optimiser(form: RowForm) -> None:
    prior = Prior(np.array([0.1, 0.0, -0.1]), 0.3 * np.eye(DIM))

    def pulled(w: Doubles) -> float:
        return _value(form, w, COUNTS, TOTAL) + 0.15 * float(np.sum((w - prior.mean) ** 2))

    expected = scipy.optimize.minimize(pulled, prior.mean, method="BFGS", tol=1e-9).x
    found = minimise(form, form.cells(COUNTS), TOTAL, prior)
    assert found.w == pytest.approx(expected, abs=2e-4)
    again = minimise(form, form.cells(COUNTS), TOTAL, prior, start=found)
    assert again.steps <= 1
    curved = _differences(lambda w: scipy.optimize.approx_fprime(w, pulled, 1e-6), found.w)
    assert found.hessian == pytest.approx(curved, rel=1e-2, abs=2e-2)
    assert found.covariance @ found.hessian == pytest.approx(np.eye(DIM), abs=1e-8)


def test_the_terms_of_negative_sampling_are_those_of_its_formula() -> None:
    w = np.array([0.5, -0.5, 1.0])
    expected = 0.0
    for context in range(V):
        score = float(ROWS[context] @ w)
        negatives = 5 * TOTAL * CHANCE[context]
        expected -= COUNTS[context] * np.log(expit(score)) + negatives * np.log(expit(-score))
    assert _value(FORMS["negative sampling"](), w, COUNTS, TOTAL) == pytest.approx(expected)


def test_a_projection_is_the_row_times_the_design() -> None:
    form = FORMS["projection"]()
    expected = np.zeros(DIM)
    for context in range(V):
        if COUNTS[context]:
            pmi = np.log(COUNTS[context] / (TOTAL * CHANCE[context]))
            expected += max(pmi, 0.0) * ROWS[context]
    found = form.exact(COUNTS, TOTAL)
    assert found is not None
    assert found == pytest.approx(expected)
    assert minimise(form, COUNTS, TOTAL, Prior(np.zeros(DIM), 1e-12 * np.eye(DIM))).w == (
        pytest.approx(expected, rel=1e-5)
    )
