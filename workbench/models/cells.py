"""Learning from the cells of a sparse table one by one: how they are visited and shared out.

How they are laid out, and in which order their chunks come, is :mod:`workbench.models.arranging`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.core.jit import kernel
from workbench.core.language import tr
from workbench.core.run import Phase, Run
from workbench.core.threads import usable_threads
from workbench.counts.source import Held
from workbench.models.arranging import Cells, Floats, Ints, Layout, Singles, arrange
from workbench.models.continuing import CONTEXTS, WORDS, Keeper, Start
from workbench.models.parallel import run_steps
from workbench.models.tiles import Rows, aligned_rows, own_zeros, padded, prefetch_row
from workbench.vectors.embeddings import Embeddings

_POINTS = 250
_CHUNK = 4096  # cells visited before another block has its turn: half a millisecond
_CALL = 100_000  # cells of one call of a kernel: 10 to 25 ms
_BLOCK_BYTES = 768 << 10  # of rows that a block may touch
_AHEAD = 6  # cells between asking for a row and using it


def stripe_width(dim: int) -> int:
    """Rows of W, and of C, that a block of cells may touch."""
    return max(32, _BLOCK_BYTES // (2 * 2 * 4 * padded(dim)))


def chunk_cells(cells: int, epochs: int, threads: int) -> int:
    """How many cells are visited before another block has its turn; few where the loss needs points."""
    return max(1, min(_CHUNK, cells * epochs // (_POINTS * threads)))


class Visitor:
    """One thread's own: how many cells it visited, and totals float64[16] (loss, terms, on a line of its own)."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.totals = own_zeros(16, np.float64)
        self.done = 0


# Visits the chunks whose numbers are given (int64) once, at this learning rate.
Visit = Callable[[Visitor, Ints, float], None]


def visit_cells(
    layout: Layout,
    epochs: int,
    threads: int,
    seed: int,
    rate: Callable[[float], float],
    visit: Visit,
    start: Start,
    whole: Callable[[], Embeddings],
    snapshot: Callable[[], Embeddings],
    run: Run,
    learning_rate: float,
    call: int = _CALL,
) -> Embeddings:
    """All passes over the cells, in threads that take chunks in turn. Returns the result.

    rate : the learning rate by the share of the training done; learning_rate : as the user knows it
    whole, snapshot : the result as it is now, see Keeper
    call : cells visited in one call of ``visit``, which then takes 10 to 25 ms

    Records the mean of the objective since the last point, at some 250 points; answers requests
    for snapshots and keeps the last good state; raises Diverged and Cancelled. The order of the chunks in
    a pass follows from the number of passes before it: passes made in two trainings are those of one.
    """
    cells = layout.cells
    threads = min(usable_threads(threads), max(1, len(cells.rows) // 1000))
    every, total = len(cells.rows), len(cells.rows) * epochs
    random = np.random.default_rng(np.random.SeedSequence([seed, 2]))
    sizes = np.diff(cells.chunks)
    for _ in range(start.begun):
        layout.order(random)
    per_call = max(1, min(call, total // (threads * _POINTS)) // max(int(sizes.max()), 1))
    taking = threading.Lock()
    visitors = [Visitor(number) for number in range(threads)]
    keeper = Keeper(run, start, epochs, learning_rate, whole, snapshot)
    order, place, passes = np.empty(0, dtype=np.int64), 0, 0

    def take() -> Ints | None:
        nonlocal order, place, passes
        with taking:
            if place >= len(order):
                if passes == epochs:
                    return None
                order, place, passes = layout.order(random), 0, passes + 1
            layout.look_ahead(order, place)
            taken = order[place : place + per_call]
            place += per_call
            return taken

    def work(visitor: Visitor) -> bool:
        numbers = take()
        if numbers is None:
            return False
        share = sum(other.done for other in visitors) / total
        visit(visitor, numbers, rate(share))
        visitor.done += int(sizes[numbers].sum())
        return True

    last, last_done = np.zeros(2), 0

    def look() -> None:
        nonlocal last_done
        done = sum(visitor.done for visitor in visitors)
        if done - last_done >= total / _POINTS or (done >= total and done > last_done):
            sums = np.sum([visitor.totals[:2] for visitor in visitors], axis=0)
            loss, terms = sums - last
            if terms > 0:
                keeper.record(min(done / total, 1.0), loss / terms)
                last[:] = sums
                last_done = done
        seconds = run.phase_seconds()
        run.advance(
            done / total,
            tr("pass {epoch} of {epochs}", epoch=min(done // every + 1, epochs), epochs=epochs),
            rate=done / seconds if seconds > 0 else None,
            unit=tr("cells"),
        )
        keeper.answer(done / total)

    run.enter(Phase.TRAINING)
    run_steps(run, [partial(work, visitor) for visitor in visitors], look)
    return keeper.result(sum(visitor.done for visitor in visitors) / total)


# -- weighted least squares by AdaGrad


class Side(NamedTuple):
    """Rows and biases of one side. table : float32[V, 2·padded(d)], each row its vector, then the sums of
    its squared gradients; biases : float32[V, 2], likewise
    """

    table: Rows
    biases: Singles


class AdaGrad(NamedTuple):
    """How large a step is: with the gradient cut at ±clip, g = inner·gradient,

        x −= outer · g / sqrt(sum + present·g²),   then   sum += g²

    start : the sums at the beginning. inner_bias : inner for biases, which are not cut; 0 keeps them where they are
    """

    start: float
    inner: float
    inner_bias: float
    outer: float
    clip: float
    present: float


def glove_steps(rate: float) -> AdaGrad:
    """As GloVe's program (version 1.2): sums begin at 1 and hold the gradients times the learning rate;
    a gradient joins them after its step; biases go without the learning rate.
    """
    return AdaGrad(start=1.0, inner=rate, inner_bias=1.0, outer=1.0, clip=100.0, present=0.0)


def plain_steps(rate: float, biased: bool) -> AdaGrad:
    """As published (Duchi, Hazan & Singer 2011): the first step too is as long as the learning rate, whatever
    the weights of cells are.
    """
    return AdaGrad(start=1e-12, inner=1.0, inner_bias=float(biased), outer=rate, clip=1e30, present=1.0)


def adagrad_sides(size: int, dim: int, seed: int, steps: AdaGrad) -> tuple[Side, Side]:
    """Words and contexts: vectors, and biases where they are learnt, U(−½, ½)/d (GloVe's program)."""
    sides = []
    random = np.random.default_rng(seed)
    for _ in range(2):
        table = aligned_rows(size, 2 * padded(dim))
        table[:, :dim] = (random.random((size, dim), dtype=np.float32) - np.float32(0.5)) / np.float32(dim)
        table[:, padded(dim) :] = steps.start
        biases = np.full((size, 2), steps.start, dtype=np.float32)
        biases[:, 0] = (random.random(size, dtype=np.float32) - np.float32(0.5)) / np.float32(dim)
        if not steps.inner_bias:
            biases[:, 0] = 0.0
        sides.append(Side(table, biases))
    return sides[0], sides[1]


def adagrad_state(words: Side, contexts: Side, dim: int) -> dict[str, Singles]:
    """Views of all that AdaGrad goes on with, by the names of ``Embeddings.state``: both sides, float32[V, d],
    the sums of their squared gradients, and biases with theirs, float32[V, 2].
    """
    W, C, begin = words.table, contexts.table, padded(dim)
    return {
        WORDS: W[:, :dim],
        CONTEXTS: C[:, :dim],
        "word_sums": W[:, begin : begin + dim],
        "context_sums": C[:, begin : begin + dim],
        "word_bias": words.biases,
        "context_bias": contexts.biases,
    }


@kernel(fast=True)
def adagrad_cells(cells: Cells, numbers: Ints, words: Side, contexts: Side, steps: AdaGrad, totals: Floats) -> None:
    """One step for every cell of the chunks ``numbers``, down ½ f (w·c + b_w + b_c − t)².

    totals : totals[0] gains the loss before each step, totals[1] the cells
    """
    W, C = words.table, contexts.table
    width = W.shape[1] // 2
    inner, outer, limit = np.float32(steps.inner), np.float32(steps.outer), np.float32(steps.clip)
    present, inner_bias = np.float32(steps.present), np.float32(steps.inner_bias)
    loss = 0.0
    for number in numbers:
        begin, end = cells.chunks[number], cells.chunks[number + 1]
        for i in range(begin, end):
            if i + _AHEAD < end:
                prefetch_row(W, cells.rows[i + _AHEAD])
                prefetch_row(C, cells.columns[i + _AHEAD])
            row, column = cells.rows[i], cells.columns[i]
            w, c = W[row], C[column]
            product = np.float32(0.0)
            for t in range(width):
                product += w[t] * c[t]
            difference = product + words.biases[row, 0] + contexts.biases[column, 0] - cells.targets[i]
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
        totals[1] += end - begin
    totals[0] += loss


def warm_cells() -> None:
    """Compile the kernels of this module, or load them from the cache."""
    counts = sp.csr_matrix(np.ones((2, 2)))
    cells = arrange(Held(counts), lambda rows, columns, values: (values, values), 2, 2, 1, Run()).cells
    steps = glove_steps(0.1)
    words, contexts = adagrad_sides(2, 2, 1, steps)
    adagrad_cells(cells, np.zeros(1, np.int64), words, contexts, steps, np.zeros(16))
