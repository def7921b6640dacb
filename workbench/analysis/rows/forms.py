"""Objectives of a single row, term by term: value, slope and curvature in x = w·c.

With all other vectors held still, the objective of a word's vector w is

    J(w) = Σ_c t_c(x_c),   x_c = w·c + o_c

with terms that depend on A = #(w, c) and on #(w). Its gradient is Σ_c t′(x_c) c and its Hessian
Σ_c t″(x_c) c cᵀ; every form below is convex in w.

    logistic     −A log σ(x) − B log σ(−x), B = k·#(w)·P_n(c)    (LG14, section 3.1)
    softmax      −A x + #(w) log Σ_c exp(x_c), once                (M13b, eq. 2)
    squares      ½ f (x − M)²                                   (P14, eq. 8; K09)
    Swivel       ½ f (x − PMI)² where observed, else log(1 + exp(x − PMI*))   (S16, eq. 1 and 2)
    projection   ½ |w − Σ_c M_c c|²: the row of a matrix, folded in
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ints, Singles
from workbench.core.machine.threads import share_rows

At = Ints | slice
ALL = slice(None)
# Added to Hessians that are only inverted, as a share of their mean curvature: directions in which
# the counts say nothing must not answer without bound.
RIDGE = 1e-3
# Rows that are multiplied at a time, rows of the smallest part for a thread, most parts.
_BLOCK, _PART, _PARTS = 1024, 4096, 16


class Terms(NamedTuple):
    """float64[n] each: the terms' values, first and second derivatives in x."""

    values: Doubles
    slopes: Doubles
    curvatures: Doubles


class Evaluation(NamedTuple):
    """J(w) up to a constant, and its terms for the contexts ``at``, with x float64[n]."""

    value: float
    terms: Terms
    at: At
    x: Doubles


@dataclass(frozen=True, eq=False)
class Design:
    """Rows that a word's vector is multiplied with.

    rows : float64[n, d], contexts or nodes of a tree; None for the unit vectors of n dimensions
    offsets : float64[n], o
    """

    rows: Doubles | None
    offsets: Doubles

    @cached_property
    def singles(self) -> Singles:
        """The rows in float32: Newton's steps need no more digits."""
        assert self.rows is not None
        return self.rows.astype(np.float32)

    @property
    def dim(self) -> int:
        return len(self.offsets) if self.rows is None else int(self.rows.shape[1])

    def products(self, w: Doubles, at: At = ALL) -> Doubles:
        """x of some rows, with offsets."""
        return np.asarray(self.along(w, at) + self.offsets[at])

    def along(self, direction: Doubles, at: At = ALL) -> Doubles:
        """Products of some rows with a direction, without offsets."""
        if self.rows is None:
            return direction[at]
        return np.asarray(self.rows[at] @ direction)

    def rough_along(self, direction: Doubles, at: At = ALL) -> Doubles:
        """The same to float32, in a third of the time."""
        return np.asarray(self.singles[at] @ direction.astype(np.float32), dtype=np.float64)

    def sum(self, weights: Doubles, at: At = ALL) -> Doubles:
        """float64[d], Σ weight·row."""
        if self.rows is None:
            found = np.zeros(self.dim)
            found[at] = weights
            return found
        return np.asarray(weights @ self.rows[at])

    def rough_sum(self, weights: Doubles, at: At = ALL) -> Doubles:
        """The same to float32, in a third of the time."""
        return np.asarray(weights.astype(np.float32) @ self.singles[at], dtype=np.float64)

    def squares(self, weights: Doubles, at: At = ALL) -> Doubles:
        """float64[d, d], Σ weight·row rowᵀ for weights that aren't negative, to float32."""
        singles, roots = self.singles[at], np.sqrt(weights).astype(np.float32)
        # One sum for each part, so that the result doesn’t depend on the threads.
        size = max(_PART, -(-len(roots) // _PARTS))
        sums = np.zeros((-(-len(roots) // size), self.dim, self.dim))

        def add(first: int, last: int) -> None:
            # In blocks that stay in the cache; numpy computes half of a product with its own
            # transpose.
            for start in range(first, last, _BLOCK):
                block = slice(start, min(start + _BLOCK, last))
                scaled = singles[block] * roots[block, None]
                sums[first // size] += scaled.T @ scaled

        share_rows(len(roots), add, size)
        return np.asarray(sums.sum(axis=0))


class RowForm(ABC):
    """Terms of the objective of one word, for any counts of its contexts.

    only_observed : contexts without a count have no term
    own_weight : λ of a term ½ λ |w|²
    scale : J / scale is a negative log-likelihood, as far as the counts are independent
    """

    only_observed = False
    own_weight = 0.0
    scale = 1.0
    # Whether slopes depend on the sum of the counts.
    needs_total = True

    def __init__(self, design: Design) -> None:
        self.design = design

    def cells(self, counts: Doubles) -> Doubles:
        """Counts of the rows of the design from counts of words, float64[V]."""
        return counts

    def cell_changes(self, changes: sp.csr_matrix) -> sp.csr_matrix:
        """The same for many rows at a time, CSR float64[m, V]."""
        return changes

    @abstractmethod
    def terms(self, x: Doubles, counts: Doubles, total: float, at: At = ALL) -> Terms:
        """Terms of some contexts, of which x and counts are given; total : #(w)."""

    @abstractmethod
    def total_slopes(self, x: Doubles, counts: Doubles, total: float) -> Doubles:
        """float64[n], derivative of all slopes by #(w)."""

    def slope_changes(
        self, x: Doubles, before: Doubles, after: Doubles, total: float, at: At
    ) -> Doubles:
        """Changes of the slopes of some contexts with their counts, #(w) unchanged."""
        return self.terms(x, after, total, at).slopes - self.terms(x, before, total, at).slopes

    def exact(self, counts: Doubles, total: float) -> Doubles | None:
        """The vector itself where it has a formula, else None."""
        return None

    def respond(self, w: Doubles, counts: Doubles, total: float, to: Doubles) -> Doubles:
        """H⁻¹ · to: the change of w that a change of the gradient by −to causes. to : float64[d],
        or several as columns, float64[d, k]
        """
        hessian = self.hessian(total, self.evaluate(w, counts, total))
        ridge = RIDGE * max(float(np.trace(hessian)) / len(hessian), 1e-12)
        hessian[np.diag_indices_from(hessian)] += ridge
        return np.asarray(np.linalg.solve(hessian, to))

    def active(self, counts: Doubles) -> At:
        """The contexts that have terms."""
        return np.flatnonzero(counts) if self.only_observed else ALL

    def evaluate(
        self, w: Doubles, counts: Doubles, total: float, x: Doubles | None = None
    ) -> Evaluation:
        """All terms of J at w, in the unit of the algorithm's loss, summed over pairs.

        x : float64[n], products of the contexts that have terms, if they are known
        """
        at = self.active(counts)
        if x is None:
            x = self.design.products(w, at)
        terms = self.terms(x, counts[at], total, at)
        value = float(terms.values.sum()) + 0.5 * self.own_weight * float(w @ w)
        return Evaluation(value, terms, at, x)

    def gradient(self, w: Doubles, found: Evaluation, rough: bool = False) -> Doubles:
        """float64[d], dJ/dw at the w that was evaluated; ``rough``: to float32."""
        add = self.design.rough_sum if rough else self.design.sum
        return add(found.terms.slopes, found.at) + self.own_weight * w

    def hessian(self, total: float, found: Evaluation) -> Doubles:
        """float64[d, d], exact to float32."""
        return self.curvature_matrix(found.terms, total, found.at)

    def curvature_matrix(self, terms: Terms, total: float, at: At) -> Doubles:
        found = self.design.squares(terms.curvatures, at)
        found[np.diag_indices_from(found)] += self.own_weight
        return found


class Logistic(RowForm):
    """Negative sampling; ``chance`` is B/#(w), or B itself if ``fixed``."""

    def __init__(self, design: Design, chance: Doubles, fixed: bool = False) -> None:
        super().__init__(design)
        self._chance = chance
        self._fixed = fixed
        self.needs_total = not fixed

    def terms(self, x: Doubles, counts: Doubles, total: float, at: At = ALL) -> Terms:
        expected = self._chance[at] if self._fixed else total * self._chance[at]
        both, sigma = counts + expected, logistic(x)
        values = both * np.logaddexp(0.0, x) - counts * x
        return Terms(values, both * sigma - counts, both * sigma * (1.0 - sigma))

    def total_slopes(self, x: Doubles, counts: Doubles, total: float) -> Doubles:
        if self._fixed:
            return np.zeros(len(x))
        return np.asarray(self._chance * logistic(x))


class Tree(RowForm):
    """Hierarchical softmax: each branch of each inner node is a context, with the number of times
    that paths to contexts take it, and the term −A log σ(x).
    """

    only_observed = True
    needs_total = False

    def __init__(self, nodes: Doubles, passes: sp.csr_matrix) -> None:
        """nodes : float64[V − 1, d]; passes : CSR [V, 2(V − 1)], 1 where the path to a word takes a
        branch; branches 0 of all nodes come first.
        """
        super().__init__(Design(np.concatenate([nodes, -nodes]), np.zeros(2 * len(nodes))))
        self._passes = passes

    def cells(self, counts: Doubles) -> Doubles:
        return np.asarray(self._passes.T @ counts)

    def cell_changes(self, changes: sp.csr_matrix) -> sp.csr_matrix:
        return sp.csr_matrix(changes @ self._passes)

    def terms(self, x: Doubles, counts: Doubles, total: float, at: At = ALL) -> Terms:
        sigma = logistic(x)
        values = counts * np.logaddexp(0.0, -x)
        return Terms(values, counts * (sigma - 1.0), counts * sigma * (1.0 - sigma))

    def total_slopes(self, x: Doubles, counts: Doubles, total: float) -> Doubles:
        return np.zeros(len(x))


class Softmax(RowForm):
    """The exact softmax: #(w)·H(P, Q). Its Hessian is that of the log-partition."""

    def terms(self, x: Doubles, counts: Doubles, total: float, at: At = ALL) -> Terms:
        """``at`` must be ALL: every share depends on all products."""
        log_z = _log_sum(x)
        shares = np.exp(x - log_z)
        return Terms(counts * (log_z - x), total * shares - counts, total * shares)

    def slope_changes(self, x: Doubles, before: Doubles, after: Doubles, *_: object) -> Doubles:
        return before - after

    def total_slopes(self, x: Doubles, counts: Doubles, total: float) -> Doubles:
        return np.asarray(np.exp(x - _log_sum(x)))

    def curvature_matrix(self, terms: Terms, total: float, at: At) -> Doubles:
        found = super().curvature_matrix(terms, total, at)
        if not total:
            return found
        mean = self.design.sum(terms.curvatures, at)
        return found - np.outer(mean, mean) / total


@dataclass(frozen=True)
class Weighted:
    """Weights f, targets M and dM/d#(w) of some cells, float64[n] each."""

    weights: Doubles
    targets: Doubles
    by_total: Doubles


class Squares(RowForm):
    """Weighted least squares on observed cells (GloVe, weighted PMI) or on all cells."""

    def __init__(self, design: Design, cell_rule: CellRule, only_observed: bool = True) -> None:
        super().__init__(design)
        self._rule = cell_rule
        self.only_observed = only_observed
        self.needs_total = cell_rule.needs_total

    def terms(self, x: Doubles, counts: Doubles, total: float, at: At = ALL) -> Terms:
        cells = self._rule.cells(counts, total, at)
        error = x - cells.targets
        return Terms(0.5 * cells.weights * error * error, cells.weights * error, cells.weights)

    def total_slopes(self, x: Doubles, counts: Doubles, total: float) -> Doubles:
        cells = self._rule.cells(counts, total, ALL)
        return np.asarray(-cells.weights * cells.by_total)


class CellRule(ABC):
    """Weights and targets of the cells of a least squares problem."""

    needs_total = True

    @abstractmethod
    def cells(self, counts: Doubles, total: float, at: At) -> Weighted:
        """For some contexts; a cell without a count may have the weight 0."""


class Swivel(RowForm):
    """Observed cells as squares, the others held below the PMI of a pair seen once."""

    def __init__(self, design: Design, log_chance: Doubles, weight: CellRule) -> None:
        """log_chance : float64[n], log #(c)/|D|."""
        super().__init__(design)
        self._log_chance, self._weight = log_chance, weight

    def terms(self, x: Doubles, counts: Doubles, total: float, at: At = ALL) -> Terms:
        observed = counts > 0
        weights = self._weight.cells(counts, total, at).weights
        base = self._log_chance[at] + np.log(max(total, 1e-9))
        error = x - np.log(np.where(observed, counts, 1.0)) + base
        sigma = logistic(x + base)
        return Terms(
            np.where(observed, 0.5 * weights * error * error, np.logaddexp(0.0, x + base)),
            np.where(observed, weights * error, sigma),
            np.where(observed, weights, sigma * (1.0 - sigma)),
        )

    def total_slopes(self, x: Doubles, counts: Doubles, total: float) -> Doubles:
        return self.terms(x, counts, total).curvatures / max(total, 1e-9)


class Projection(RowForm):
    """The row of a matrix times the rows of the design: folding in (D90; Berry et al. 1995). With
    unit vectors as the design, the row itself.
    """

    own_weight = 1.0

    def __init__(self, design: Design, cell_rule: CellRule) -> None:
        super().__init__(design)
        self._rule = cell_rule

    def terms(self, x: Doubles, counts: Doubles, total: float, at: At = ALL) -> Terms:
        targets = self._rule.cells(counts, total, at).targets
        return Terms(-targets * x, -targets, np.zeros(len(x)))

    def total_slopes(self, x: Doubles, counts: Doubles, total: float) -> Doubles:
        cells = self._rule.cells(counts, total, ALL)
        return np.where(cells.targets > 0, -cells.by_total, 0.0)

    def exact(self, counts: Doubles, total: float) -> Doubles:
        return self.design.sum(self._rule.cells(counts, total, ALL).targets)

    def respond(self, w: Doubles, counts: Doubles, total: float, to: Doubles) -> Doubles:
        return to

    def curvature_matrix(self, terms: Terms, total: float, at: At) -> Doubles:
        return np.eye(self.design.dim)

    def noise(self, counts: Doubles, total: float) -> Doubles:
        """float64[d, d], covariance of the vector if counts are Poisson: log A varies by 1/A."""
        targets = self._rule.cells(counts, total, ALL).targets
        seen = np.flatnonzero((counts > 0) & (targets > 0))
        return self.design.squares(1.0 / counts[seen], seen)


def logistic(x: Doubles) -> Doubles:
    """σ(x), without overflow."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * x))


def _log_sum(x: Doubles) -> float:
    largest = float(x.max())
    return largest + float(np.log(np.exp(x - largest).sum()))
