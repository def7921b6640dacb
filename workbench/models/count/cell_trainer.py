"""Training on single cells of a sparse table, shared out between threads.

How they are laid out, and in which order their chunks come, is
:mod:`workbench.models.count.cell_layout`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.core.jit import kernel
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.threads import usable_threads
from workbench.counts.cell_source import Held
from workbench.counts.cooccurrence_kernel import in_threads
from workbench.models.checkpointing import CONTEXTS, WORDS, Checkpointer, ResumeState
from workbench.models.count.cell_layout import (
    CellArrays,
    CellLayout,
    Floats,
    Ints,
    Singles,
    arrange_cells,
)
from workbench.models.kernels.gemm import Rows, aligned_rows, padded_dim, prefetch_row
from workbench.models.parallel import run_steps
from workbench.models.tally import PARTS, LossTally, fair_order, is_affordable
from workbench.vectors.embeddings import Embeddings

_POINTS = 250
_CHUNK = 4096  # cells visited before another block has its turn: half a millisecond
_CHUNKS = 4000  # of a small table at least: a part of a pass is then a sample of a hundred
_BEGINNING = 100  # chunks that tell what the loss begins with
_CALL = 100_000  # cells of one call of a kernel: 10 to 25 ms
_BLOCK_BYTES = 768 << 10  # of rows that a block may touch
_AHEAD = 6  # cells between asking for a row and using it
# What a cell takes to look at, as a share of a step.
_LOOK = 0.3


def stripe_width(dim: int) -> int:
    """Rows of W, and of C, that a block of cells may touch."""
    return max(32, _BLOCK_BYTES // (2 * 2 * 4 * padded_dim(dim)))


def chunk_cells(cells: int) -> int:
    """Number of cells visited before the next block; few where the table is small, so that a part
    of a pass is a sample of all blocks.
    """
    return max(1, min(_CHUNK, cells // _CHUNKS))


class Visitor:
    """One thread's own: its number, and how many chunks it visited."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.done = 0


# Visits the chunks whose numbers are given (int64) once, at this learning rate, 0 changes nothing;
# writes of each, into float64[n], the loss summed before its steps, and the number of terms.
Visit = Callable[[Visitor, Ints, float, Floats, Floats], None]


def visit_cells(
    layout: CellLayout,
    epochs: int,
    threads: int,
    seed: int,
    rate: Callable[[float], float],
    visit: Visit,
    start: ResumeState,
    whole: Callable[[], Embeddings],
    snapshot: Callable[[], Embeddings],
    run: JobControl,
    learning_rate: float,
    look_at: Visit,
    work: float,
    call: int = _CALL,
    draws: bool = False,
) -> Embeddings:
    """All passes over the cells, in threads that take chunks in turn. Returns the result.

    rate : the learning rate by the share of the training done; learning_rate : as the user knows it
    whole, snapshot : the result as it is now, see Keeper
    look_at : visits chunks without a step, to find out the objective of the result; work :
    multiply-adds of all that
    call : cells visited in one call of ``visit``, which then takes 10 to 25 ms
    draws : whether a visit draws cells at random

    Records the mean of the objective since the last point, at 40 to 250 points, with its standard
    error over chunks; answers requests for snapshots and keeps the last good state; raises Diverged
    and Cancelled. Chunks and their order in a pass follow from the table, the seed and the number
    of passes before: where the rate is constant, passes made in two trainings are those of one.
    """
    cells = layout.cells
    threads = min(usable_threads(threads), max(1, len(cells.rows) // 1000))
    every = len(cells.chunks) - 1
    total = every * epochs
    random = np.random.default_rng(np.random.SeedSequence([seed, 2]))
    for _ in range(start.begun):
        layout.order(random)
    # A point takes whole parts of a pass, each of which is a sample of the table, and a part whole
    # calls.
    part = -(-every // PARTS)
    calls = max(threads, -(-part * int(np.diff(cells.chunks).max()) // call))
    per_call = max(1, -(-part // calls))
    gap = every / PARTS * max(1, -(-PARTS * epochs // _POINTS))
    taking = threading.Lock()
    visitors = [Visitor(number) for number in range(threads)]
    tally = LossTally(every, draws)
    keeper = Checkpointer(run, start, epochs, learning_rate, whole, snapshot)
    order, place, passes = np.empty(0, dtype=np.int64), 0, 0

    def take_chunk() -> Ints | None:
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

    def step(visitor: Visitor) -> bool:
        numbers = take_chunk()
        if numbers is None:
            return False
        share = sum(other.done for other in visitors) / total
        losses, terms = np.empty(len(numbers)), np.empty(len(numbers))
        visit(visitor, numbers, rate(share), losses, terms)
        tally.add(numbers, losses, terms)
        visitor.done += len(numbers)
        return True

    last = 0

    def report_progress() -> None:
        nonlocal last
        done = sum(visitor.done for visitor in visitors)
        if not tally.finite:
            raise keeper.divergence_error(done / total)
        # Parts differ by a chunk or two.
        if done - last >= gap - per_call / 2 or (done >= total and done > last):
            mean = tally.point()
            if mean is not None:
                keeper.record(min(done / total, 1.0), mean.loss, mean.error)
                last = done
        seconds = run.phase_seconds()
        run.advance(
            done / total,
            tr("pass {epoch} of {epochs}", epoch=min(done // every + 1, epochs), epochs=epochs),
            rate=done / every * len(cells.rows) / seconds if seconds > 0 else None,
            unit=tr("cells"),
        )
        keeper.answer_requests(done / total)

    run.enter(Phase.TRAINING)
    keeper.set_initial_loss(
        _mean_of(fair_order(every, np.random.default_rng(seed))[:_BEGINNING], look_at)
    )
    run_steps(run, [partial(step, visitor) for visitor in visitors], report_progress)
    done = sum(visitor.done for visitor in visitors)
    evaluated = done > 0 and is_affordable(_LOOK * every / done, work)
    if evaluated:
        _evaluate(every, per_call, visitors, look_at, tally, run)
    return keeper.result(done / total, tally.final(evaluated))


def _mean_of(numbers: Ints, look_at: Visit) -> float:
    """The objective over some chunks, without a step."""
    losses, terms = np.empty(len(numbers)), np.empty(len(numbers))
    look_at(Visitor(0), numbers, 0.0, losses, terms)
    return float(losses.sum() / max(terms.sum(), 1.0))


def _evaluate(
    every: int,
    per_call: int,
    visitors: list[Visitor],
    look_at: Visit,
    tally: LossTally,
    run: JobControl,
) -> None:
    """Look at every chunk, without a step. Raises Cancelled."""

    def work(number: int, pause: Callable[[], None]) -> None:
        for first in range(number * per_call, every, len(visitors) * per_call):
            pause()
            numbers = np.arange(first, min(first + per_call, every))
            losses, terms = np.empty(len(numbers)), np.empty(len(numbers))
            look_at(visitors[number], numbers, 0.0, losses, terms)
            tally.add(numbers, losses, terms)

    in_threads(work, len(visitors), run, lambda: None)


# -- weighted least squares by AdaGrad


class Side(NamedTuple):
    """Rows and biases of one side. table : float32[V, 2·padded(d)], each row its vector, then the
    sums of its squared gradients; biases : float32[V, 2], likewise
    """

    table: Rows
    biases: Singles


class AdaGrad(NamedTuple):
    """Step sizes of AdaGrad: with the gradient cut at ±clip, g = inner·gradient,

        x −= outer · g / sqrt(sum + present·g²),   then   sum += g²

    start : the sums at the beginning. inner_bias : inner for biases, which are not cut; 0 keeps
    them where they are
    """

    start: float
    inner: float
    inner_bias: float
    outer: float
    clip: float
    present: float


def glove_steps(rate: float) -> AdaGrad:
    """As GloVe's program (version 1.2): sums begin at 1 and hold the gradients times the learning
    rate; a gradient joins them after its step; biases go without the learning rate.
    """
    return AdaGrad(start=1.0, inner=rate, inner_bias=1.0, outer=1.0, clip=100.0, present=0.0)


def plain_steps(rate: float, biased: bool) -> AdaGrad:
    """As published (Duchi, Hazan & Singer 2011): the first step too is as long as the learning
    rate, whatever the weights of cells are.
    """
    return AdaGrad(
        start=1e-12, inner=1.0, inner_bias=float(biased), outer=rate, clip=1e30, present=1.0
    )


def adagrad_sides(size: int, dim: int, seed: int, steps: AdaGrad) -> tuple[Side, Side]:
    """Words and contexts: vectors, and biases where they are learnt, U(−½, ½)/d (GloVe's
    program).
    """
    sides = []
    random = np.random.default_rng(seed)
    for _ in range(2):
        table = aligned_rows(size, 2 * padded_dim(dim))
        table[:, :dim] = (
            random.random((size, dim), dtype=np.float32) - np.float32(0.5)
        ) / np.float32(dim)
        table[:, padded_dim(dim) :] = steps.start
        biases = np.full((size, 2), steps.start, dtype=np.float32)
        biases[:, 0] = (random.random(size, dtype=np.float32) - np.float32(0.5)) / np.float32(dim)
        if not steps.inner_bias:
            biases[:, 0] = 0.0
        sides.append(Side(table, biases))
    return sides[0], sides[1]


def adagrad_state(words: Side, contexts: Side, dim: int) -> dict[str, Singles]:
    """Views of all that AdaGrad goes on with, by the names of ``Embeddings.state``: both sides,
    float32[V, d], the sums of their squared gradients, and biases with theirs, float32[V, 2].
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
    cells: CellArrays,
    numbers: Ints,
    words: Side,
    contexts: Side,
    steps: AdaGrad,
    losses: Floats,
    terms: Floats,
) -> None:
    """One step for every cell of the chunks ``numbers``, down ½ f (w·c + b_w + b_c − t)².

    losses, terms : of each chunk the loss before each step, and the cells, float64[n]
    """
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
    cells: CellArrays,
    numbers: Ints,
    words: Side,
    contexts: Side,
    dim: int,
    losses: Floats,
    terms: Floats,
) -> None:
    """½ f (w·c + b_w + b_c − t)² of every cell of the chunks ``numbers``, in float64; see
    ``adagrad_cells``.
    """
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


def warm_cells() -> None:
    """Compile the kernels of this module, or load them from the cache."""
    counts = sp.csr_matrix(np.ones((2, 2)))
    cells = arrange_cells(
        Held(counts), lambda rows, columns, values: (values, values), 2, 2, 1, JobControl()
    ).cells
    steps = glove_steps(0.1)
    words, contexts = adagrad_sides(2, 2, 1, steps)
    adagrad_cells(cells, np.zeros(1, np.int64), words, contexts, steps, np.zeros(1), np.zeros(1))
    weigh_cells(cells, np.zeros(1, np.int64), words, contexts, 2, np.zeros(1), np.zeros(1))
