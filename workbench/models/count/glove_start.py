"""Initial biases of GloVe for a start from its counts (``pmi_start.py``).

Training fits w·c + b_w + b_c to log X, so with the biases at what chance predicts, w·c is PMI.
Given products w·c, the objective is a least-squares problem in the biases:

    b_w = Σ_c f (log X − w·c − b_c) / Σ_c f,   and likewise b_c

solved by turns. Biases of chance alone would be worse than none: pairs were observed because they
are more frequent than by chance, and their mean product of rank d is below their PMI.

A first step of AdaGrad moves a bias by its whole gradient, which would undo the fit. So the sums of
the biases start where one pass over the cells, without steps, would bring them: 1 + Σ (f Δ)². Those
of the vectors, whose gradients contain the learning rate, would hardly differ from 1.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from workbench.core.arrays import Doubles, Ids, Singles
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.machine.threads import usable_threads
from workbench.counts.cooccurrence_kernel import in_threads
from workbench.counts.temp_arrays import create_temp_array
from workbench.models.count.cell_layout import CellArrays

# Turns of the biases: the loss is then within 1% of its minimum.
_TURNS = 2
# Cells handled by one call of a kernel: some ten milliseconds.
_CELLS = 1 << 18


class Fitted(NamedTuple):
    """Biases of the words of a side, float64[V], and the sums of their squared gradients f Δ."""

    biases: Doubles
    squares: Doubles


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


def warm_biases() -> None:
    """Compile the kernels, or load them from the cache."""
    ids, ones, table = np.zeros(1, np.int32), np.ones(1, np.float32), np.ones((1, 1), np.float32)
    cells = CellArrays(ids, ids, ones, ones, np.array([0, 1]))
    fit_biases(cells, (table, table), 1, True, 1, JobControl())
