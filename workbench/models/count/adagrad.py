"""Weighted least squares on single cells by AdaGrad: GloVe, and the same with PMI instead of
logarithms.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

import numpy as np

from workbench.core.arrays import Singles
from workbench.core.jit import kernel
from workbench.core.machine.threads import usable_threads
from workbench.models.base import Estimate
from workbench.models.checkpointing import CONTEXTS, WORDS
from workbench.models.count.cell_layout import CellArrays
from workbench.models.count.cell_trainer import CellModel, CellTrainer, ChunkVisit, Visitor
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.factorisation_base import compose
from workbench.models.count.pmi_start import add_start_cost
from workbench.models.kernels.gemm import aligned_rows, padded_dim, prefetch_row
from workbench.vectors.embeddings import Embeddings

_AHEAD = 6  # cells between prefetching a row and using it
# Measured floats of vectors that one thread updates per second, for the estimate before training.
_SPEED = 8e8


class Side(NamedTuple):
    """Rows and biases of one side. table : float32[V, 2·padded(d)], each row its vector, then the
    sums of its squared gradients; biases : float32[V, 2], likewise
    """

    table: Singles
    biases: Singles


class AdaGrad(NamedTuple):
    """Step sizes of AdaGrad: with the gradient clipped at ±clip, g = inner·gradient,

        x −= outer · g / sqrt(sum + present·g²),   then   sum += g²

    start : the initial sums. inner_bias : inner for biases, which are not clipped; 0 keeps them
    unchanged
    """

    start: float
    inner: float
    inner_bias: float
    outer: float
    clip: float
    present: float


def glove_steps(rate: float) -> AdaGrad:
    """Steps of GloVe's program (version 1.2): sums start at 1 and contain the gradients times the
    learning rate; a gradient is added after its step; biases don't use the learning rate.
    """
    return AdaGrad(start=1.0, inner=rate, inner_bias=1.0, outer=1.0, clip=100.0, present=0.0)


def plain_steps(rate: float, biased: bool) -> AdaGrad:
    """Steps as published (Duchi, Hazan & Singer 2011): even the first step is as long as the
    learning rate, independent of the weights of cells.
    """
    return AdaGrad(
        start=1e-12, inner=1.0, inner_bias=float(biased), outer=rate, clip=1e30, present=1.0
    )


def adagrad_sides(
    size: int, dim: int, seed: int, steps: AdaGrad, contexts: int | None = None
) -> tuple[Side, Side]:
    """Words and contexts: vectors, and biases if they are learnt, U(−½, ½)/d (GloVe's program).

    contexts : number of contexts, None: that of words
    """
    sides = []
    random = np.random.default_rng(seed)
    for rows in (size, size if contexts is None else contexts):
        table = aligned_rows(rows, 2 * padded_dim(dim))
        table[:, :dim] = (
            random.random((rows, dim), dtype=np.float32) - np.float32(0.5)
        ) / np.float32(dim)
        table[:, padded_dim(dim) :] = steps.start
        biases = np.full((rows, 2), steps.start, dtype=np.float32)
        biases[:, 0] = (random.random(rows, dtype=np.float32) - np.float32(0.5)) / np.float32(dim)
        if not steps.inner_bias:
            biases[:, 0] = 0.0
        sides.append(Side(table, biases))
    return sides[0], sides[1]


def adagrad_state(words: Side, contexts: Side, dim: int) -> dict[str, Singles]:
    """Views of everything that AdaGrad needs to continue, by the names of ``Embeddings.state``:
    both sides, float32[V, d], the sums of their squared gradients, and biases with theirs,
    float32[V, 2].
    """
    W, C, begin = words.table, contexts.table, padded_dim(dim)
    return {
        WORDS: W[:, :dim],
        CONTEXTS: C[:, :dim],
        "word_sums": W[:, begin : begin + dim],
        "context_sums": C[:, begin : begin + dim],
        "word_bias": words.biases,
        "context_bias": contexts.biases,
    }


@kernel(fast=True)
def adagrad_cells(
    cells: CellArrays, visit: ChunkVisit, words: Side, contexts: Side, steps: AdaGrad
) -> None:
    """One descent step on ½ f (w·c + b_w + b_c − t)² for every cell of the chunks."""
    numbers, losses, terms = visit
    W, C = words.table, contexts.table
    width = W.shape[1] // 2
    inner, outer, limit = np.float32(steps.inner), np.float32(steps.outer), np.float32(steps.clip)
    present, inner_bias = np.float32(steps.present), np.float32(steps.inner_bias)
    for at in range(len(numbers)):
        begin, end = cells.chunks[numbers[at]], cells.chunks[numbers[at] + 1]
        loss = 0.0
        for i in range(begin, end):
            if i + _AHEAD < end:
                prefetch_row(W, cells.rows[i + _AHEAD])
                prefetch_row(C, cells.columns[i + _AHEAD])
            row, column = cells.rows[i], cells.columns[i]
            w, c = W[row], C[column]
            product = np.float32(0.0)
            for t in range(width):
                product += w[t] * c[t]
            difference = (
                product + words.biases[row, 0] + contexts.biases[column, 0] - cells.targets[i]
            )
            pull = cells.weights[i] * difference
            loss += 0.5 * np.float64(pull) * np.float64(difference)
            for t in range(width):
                a, b = w[t], c[t]
                down_a = min(max(pull * b, -limit), limit) * inner
                down_b = min(max(pull * a, -limit), limit) * inner
                square_a, square_b = down_a * down_a, down_b * down_b
                sum_a, sum_b = w[width + t], c[width + t]
                w[t] = a - outer * down_a / np.sqrt(sum_a + present * square_a)
                c[t] = b - outer * down_b / np.sqrt(sum_b + present * square_b)
                w[width + t] = sum_a + square_a
                c[width + t] = sum_b + square_b
            down = pull * inner_bias
            square = down * down
            for side, place in ((words.biases, row), (contexts.biases, column)):
                side[place, 0] -= outer * down / np.sqrt(side[place, 1] + present * square)
                side[place, 1] += square
        losses[at], terms[at] = loss, end - begin


@kernel(fast=True)
def weigh_cells(
    cells: CellArrays, visit: ChunkVisit, words: Side, contexts: Side, dim: int
) -> None:
    """Sum ½ f (w·c + b_w + b_c − t)² over each of the chunks, in float64; see ``adagrad_cells``."""
    numbers, losses, terms = visit
    W, C = words.table, contexts.table
    for at in range(len(numbers)):
        begin, end = cells.chunks[numbers[at]], cells.chunks[numbers[at] + 1]
        loss = 0.0
        for i in range(begin, end):
            if i + _AHEAD < end:
                prefetch_row(W, cells.rows[i + _AHEAD])
                prefetch_row(C, cells.columns[i + _AHEAD])
            row, column = cells.rows[i], cells.columns[i]
            w, c = W[row], C[column]
            product = 0.0
            for t in range(dim):
                product += np.float64(w[t]) * np.float64(c[t])
            biases = np.float64(words.biases[row, 0]) + np.float64(contexts.biases[column, 0])
            difference = product + biases - np.float64(cells.targets[i])
            loss += 0.5 * np.float64(cells.weights[i]) * difference * difference
        losses[at], terms[at] = loss, end - begin


class AdaGradTrainer(CellTrainer):
    """Words and contexts with their biases, and the sums of squared gradients of both."""

    @property
    @abstractmethod
    def steps(self) -> AdaGrad:
        """Step sizes."""

    def open_tables(self) -> dict[str, Singles]:
        dim = self.params.dim
        self._words, self._contexts = adagrad_sides(
            len(self.vocabulary),
            dim,
            self.params.seed,
            self.steps,
            None if self.own_contexts is None else len(self.own_contexts),
        )
        scale = np.float32(self.params.init_scale)
        for side in (self._words, self._contexts):
            side.table[:, :dim] *= scale
            side.biases[:, 0] *= scale
        return adagrad_state(self._words, self._contexts, dim)

    def train_chunks(self, visitor: Visitor, visit: ChunkVisit, rate: float) -> None:
        adagrad_cells(self.layout.cells, visit, self._words, self._contexts, self.steps)

    def evaluate_chunks(self, visitor: Visitor, visit: ChunkVisit) -> None:
        weigh_cells(self.layout.cells, visit, self._words, self._contexts, self.params.dim)

    def snapshot(self) -> Embeddings:
        biases = None
        if self.steps.inner_bias:
            biases = self._words.biases[:, 0], self._contexts.biases[:, 0]
        tables, result = self.tables, self.params.result
        return compose(
            self.vocabulary, tables[WORDS], tables[CONTEXTS], result, biases, self.own_contexts
        )


class AdaGradModel(CellModel):
    """Base of the algorithms with an :class:`AdaGradTrainer`."""

    def cell_estimate(self, cost: CellCost) -> Estimate:
        """Cost of a training on the cells of ``cost``."""
        params = self.params
        size, width = len(cost.vocabulary), padded_dim(params.dim)
        tables = 2 * size * 4 * (2 * width + 4 * params.dim + 6)
        seconds = cost.likely_cells * params.epochs * width / _SPEED + cost.seconds
        training = cost.estimate(seconds / usable_threads(params.threads), tables, 28)
        return add_start_cost(cost, params, self.start is None, training)
