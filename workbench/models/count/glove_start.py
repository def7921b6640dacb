"""Initial vectors and biases of GloVe from its counts.

Training fits w·c + b_w + b_c to log X, so with the biases at what chance predicts, w·c is PMI. The
start is a product that training would end near,

    w·c = max(PMI(w, c), 0)

cut to rank d by a randomised factorisation of the most frequent words, with all others folded in
(``randomised_svd.py``). W and C have equal lengths. Unobserved pairs, which the objective ignores,
are taken to be independent: their PMI is 0.

Given these products, the objective is a least-squares problem in the biases:

    b_w = Σ_c f (log X − w·c − b_c) / Σ_c f,   and likewise b_c

solved by turns. Biases of chance alone would be worse than none: pairs were observed because they
are more frequent than by chance, and their mean product of rank d is below their PMI.

A first step of AdaGrad moves a bias by its whole gradient, which would undo the fit. So the sums of
the biases start where one pass over the cells, without steps, would bring them: 1 + Σ (f Δ)². Those
of the vectors, whose gradients contain the learning rate, would hardly differ from 1.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ids, Singles
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.machine.threads import usable_threads
from workbench.counts.association import warm_positive
from workbench.counts.cell_source import Counts, Positive
from workbench.counts.cooccurrence import expected_cells
from workbench.counts.cooccurrence_kernel import in_threads
from workbench.counts.temp_arrays import create_temp_array
from workbench.models.base import Estimate
from workbench.models.count.cell_layout import CellArrays
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.truncated_svd import warm_products
from workbench.models.randomised_svd import STEPS, Factors, Parts, columns_of, factorise
from workbench.models.start_from_counts import CELL_BYTES, PER_PRODUCT

# Words that are factorised; all others are folded in.
_FREQUENT = 8000
# Turns of the biases: the loss is then within 1% of its minimum.
_TURNS = 2
# Cells handled by one call of a kernel: some ten milliseconds.
_CELLS = 1 << 18
# Bytes of a cell of the counts, if they are in memory.
_COUNT_BYTES = 12


class Fitted(NamedTuple):
    """Biases of the words of a side, float64[V], and the sums of their squared gradients f Δ."""

    biases: Doubles
    squares: Doubles


def start_factors(counts: Counts, dim: int, seed: int, threads: int, run: JobControl) -> Factors:
    """W and C, float32[V, r] with r <= d. The same for any number of threads. Raises Cancelled."""
    parts = association(counts, min(_FREQUENT, counts.size), run)
    if not parts.block.nnz:
        none = np.zeros((counts.size, 0), np.float32)
        return Factors(none, none)
    draws = np.random.default_rng([seed, 1])
    return factorise(parts, dim, draws, usable_threads(threads), run)


def association(counts: Counts, frequent: int, run: JobControl) -> Parts:
    """max(PMI, 0) without the pairs of two rare words, read a piece at a time. Raises Cancelled."""
    source, size = Positive(counts, 1.0, 1.0, run), counts.size

    def read(first: int, last: int) -> sp.csr_matrix:
        width = size if first < frequent else frequent
        pieces = [sp.csr_matrix(np.zeros((0, width), np.float32))]
        for piece in source.pieces(first, last):
            run.check()
            cells = (piece.values.astype(np.float32), piece.columns, piece.indptr)
            pieces.append(sp.csr_matrix(cells, (len(piece.indptr) - 1, size))[:, :width])
        return sp.csr_matrix(sp.vstack(pieces, "csr"))

    top, others = read(0, frequent), read(frequent, size)
    block = top[:, :frequent]
    return Parts(block, block.T.tocsr(), others, top[:, frequent:].T.tocsr())


def fit_biases(
    cells: CellArrays,
    tables: tuple[Singles, Singles],
    dim: int,
    held: bool,
    threads: int,
    run: JobControl,
) -> tuple[Fitted, Fitted]:
    """The biases that minimise Σ f (w·c + b_w + b_c − log X)², of words and contexts; 0 without
    cells.

    tables : W and C, float32[V, >= d]; held : whether memory has room for a number for each cell

    The same for any number of threads. Raises UserError if the disk is full, and Cancelled.
    """
    total = len(cells.rows)
    rest = (np.empty if held else create_temp_array)(total, np.float32)
    pieces = range(0, total, _CELLS)
    threads = usable_threads(threads)

    def subtract(thread: int, pause: Callable[[], None]) -> None:
        for begin in pieces[thread::threads]:
            pause()
            subtract_products(cells, *tables, dim, rest, begin, min(begin + _CELLS, total))

    in_threads(subtract, threads, run, lambda: None)
    biases = np.zeros(len(tables[0])), np.zeros(len(tables[1]))
    sides = cells.rows, cells.columns
    for side in (0, 1) * _TURNS:
        sums = np.zeros((len(biases[side]), 2))
        for begin in pieces:
            run.check()
            part = slice(begin, begin + _CELLS)
            add_cells(
                *(ids[part] for ids in (sides[side], sides[1 - side])),
                *(cells.weights[part], rest[part], biases[1 - side], sums),
            )
        np.divide(sums[:, 0], sums[:, 1], out=biases[side], where=sums[:, 1] > 0)
    squares = np.zeros_like(biases[0]), np.zeros_like(biases[1])
    for begin in pieces:
        run.check()
        part = slice(begin, begin + _CELLS)
        add_squares(*(array[part] for array in (*sides, cells.weights, rest)), *biases, *squares)
    words_fitted, contexts_fitted = map(Fitted, biases, squares)
    return words_fitted, contexts_fitted


@kernel(fast=True)
def subtract_products(
    cells: CellArrays,
    words: Singles,
    contexts: Singles,
    dim: int,
    rest: Singles,
    begin: int,
    end: int,
) -> None:
    """Write log X − w·c for the cells from ``begin`` to ``end``."""
    for i in range(begin, end):
        w, c = words[cells.rows[i]], contexts[cells.columns[i]]
        product = np.float32(0.0)
        for t in range(dim):
            product += w[t] * c[t]
        rest[i] = cells.targets[i] - product


@kernel
def add_cells(
    ids: Ids, others: Ids, weights: Singles, rest: Singles, biases: Doubles, sums: Doubles
) -> None:
    """Add f (rest − bias of the other word) and f to the two sums of each word."""
    for i in range(len(ids)):
        weight = np.float64(weights[i])
        sums[ids[i], 0] += weight * (np.float64(rest[i]) - biases[others[i]])
        sums[ids[i], 1] += weight


@kernel
def add_squares(
    rows: Ids,
    columns: Ids,
    weights: Singles,
    rest: Singles,
    word_biases: Doubles,
    context_biases: Doubles,
    word_squares: Doubles,
    context_squares: Doubles,
) -> None:
    """Add (f Δ)² of each cell to the sums of its row and column."""
    for i in range(len(rows)):
        row, column = rows[i], columns[i]
        difference = np.float64(rest[i]) - word_biases[row] - context_biases[column]
        square = (np.float64(weights[i]) * difference) ** 2
        word_squares[row] += square
        context_squares[column] += square


def start_cost(cost: CellCost, dim: int, threads: int, training: Estimate) -> Estimate:
    """The cost of a training with that of its start, which releases its matrix before training."""
    neighbours = cost.window * (2 if cost.symmetric else 1)
    cells = min(cost.cells, expected_cells(cost.vocabulary, neighbours, _FREQUENT))
    needed = CELL_BYTES * cells + (0 if cost.is_stored else _COUNT_BYTES * cost.cells)
    memory = max(training.memory_bytes, round(needed))
    if training.seconds is None:
        return replace(training, memory_bytes=memory)
    width = min(columns_of(dim), len(cost.vocabulary))
    work = (2 * (1 + STEPS) * min(cells, cost.likely_cells) + cost.likely_cells) * width
    seconds = training.seconds + work * PER_PRODUCT / usable_threads(threads)
    return replace(training, seconds=seconds, memory_bytes=memory)


def warm_start() -> None:
    """Compile the kernels, or load them from the cache."""
    warm_positive()
    warm_products(np.float32)
    ids, ones, table = np.zeros(1, np.int32), np.ones(1, np.float32), np.ones((1, 1), np.float32)
    cells = CellArrays(ids, ids, ones, ones, np.array([0, 1]))
    fit_biases(cells, (table, table), 1, True, 1, JobControl())
