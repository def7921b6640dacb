"""Cells in blocks are the same cells, and one AdaGrad pass equals plain steps with numeric
gradients.
"""

import time

import numpy as np
import pytest
import scipy.sparse as sp
from reference import naive_cells

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import OBJECTIVE, FinalLoss, JobControl
from workbench.counts.cell_source import Held
from workbench.models.checkpointing import ResumeState
from workbench.models.count.adagrad import (
    adagrad_cells,
    adagrad_sides,
    glove_steps,
    plain_steps,
    weigh_cells,
)
from workbench.models.count.cell_layout import CellArrays, arrange_cells
from workbench.models.count.cell_trainer import (
    CellTrainer,
    chunk_cells,
    stripe_width,
    visit_cells,
    visit_of,
)
from workbench.models.params import FactorParams
from workbench.vectors.embeddings import Embeddings


def table(size=50, density=0.3, seed=1):
    random = np.random.default_rng(seed)
    values = random.integers(1, 99, (size, size)).astype(float)
    return sp.csr_matrix(np.where(random.random((size, size)) < density, values, 0.0))


class Recorder(CellTrainer):
    """A trainer without tables that reports given losses and records its calls."""

    def __init__(self, cells, train_loss, loss, **values):
        super().__init__(None, FactorParams(**values), ResumeState())
        self.layout, self.tables = cells, {}
        self.losses = train_loss, loss
        self.trained, self.evaluated, self.rates = [], [], []

    def weight_and_target(self, rows, columns, values):
        pytest.fail("A table was asked for a cell, and there are none.")

    def open_tables(self):
        pytest.fail("Tables were opened, and there are none.")

    def train_chunks(self, visitor, visit, rate):
        # Kernels release the interpreter, so other threads can run meanwhile.
        time.sleep(1e-4)
        self.trained.extend(visit.numbers.tolist())
        self.rates.append(rate)
        visit.losses[:], visit.terms[:] = self.losses[0], 1.0

    def evaluate_chunks(self, visitor, visit):
        self.evaluated.extend(visit.numbers.tolist())
        visit.losses[:], visit.terms[:] = self.losses[1], 1.0

    def snapshot(self):
        return Embeddings(["a"], np.ones((1, 2), dtype=np.float32))

    def rate(self, share):
        return self.params.learning_rate * (1 - share)


def layout(counts, stripe, chunk, seed=1):
    def meaning(rows, columns, values):
        return values, values + rows - columns

    return arrange_cells(Held(counts), meaning, stripe, chunk, seed, JobControl())


def arrange(counts, stripe, chunk, seed=1):
    return layout(counts, stripe, chunk, seed).cells


@pytest.mark.parametrize(("stripe", "chunk"), [(7, 5), (50, 1000), (16, 1)])
def test_every_cell_is_there_once_and_within_its_block(stripe, chunk):
    counts = table()
    cells = arrange(counts, stripe, chunk)
    again = sp.coo_array((cells.weights, (cells.rows, cells.columns)), shape=counts.shape)
    assert cells.rows.size == counts.nnz
    np.testing.assert_array_equal(again.toarray(), counts.toarray())
    np.testing.assert_array_equal(cells.targets, cells.weights + cells.rows - cells.columns)
    sizes = np.diff(cells.chunks)
    assert cells.chunks[0] == 0
    assert cells.chunks[-1] == counts.nnz
    assert sizes.min() > 0
    assert sizes.max() <= chunk
    for begin, end in zip(cells.chunks[:-1], cells.chunks[1:], strict=True):
        assert len(set(cells.rows[begin:end] // stripe)) == 1
        assert len(set(cells.columns[begin:end] // stripe)) == 1


def test_cells_of_a_block_are_shuffled_by_the_seed():
    one, same, other = (arrange(table(), 50, 10**6, seed) for seed in (1, 1, 2))
    assert np.any(np.diff(one.rows) < 0)
    np.testing.assert_array_equal(one.rows, same.rows)
    assert not np.array_equal(one.rows, other.rows)
    # Shuffled thoroughly: rows are hardly correlated with their position any more.
    assert abs(np.corrcoef(np.arange(one.rows.size), one.rows)[0, 1]) < 0.15


def test_blocks_fit_the_cache_and_chunks_give_points():
    assert stripe_width(100) < stripe_width(50)
    assert stripe_width(2000) >= 32
    assert chunk_cells(10**8) == 4096
    assert chunk_cells(10**6) == 250
    assert chunk_cells(3) == 1


@pytest.mark.parametrize(
    ("steps", "dim"),
    [
        (glove_steps(0.05), 5),
        (glove_steps(0.05)._replace(clip=0.05), 18),
        (plain_steps(0.05, True), 3),
        (plain_steps(0.2, False), 6),
    ],
)
def test_one_pass_equals_plain_steps_with_numeric_gradients(steps, dim):
    counts = table(12, 0.5)
    cells = arrange_cells(
        Held(counts),
        lambda rows, columns, values: (np.minimum(1, values / 50), np.log(values)),
        5,
        4,
        1,
        JobControl(),
    ).cells
    words, contexts = adagrad_sides(12, dim, 3, steps)
    words.table[:, :dim] *= 4
    contexts.table[:, :dim] *= 4
    W, C = words.table[:, :dim].astype(np.float64), contexts.table[:, :dim].astype(np.float64)
    biases = [side.biases[:, 0].astype(np.float64) for side in (words, contexts)]
    order = np.random.default_rng(4).permutation(len(cells.chunks) - 1)
    visit = visit_of(order)
    adagrad_cells(cells, visit, words, contexts, steps)
    cell_list = [
        (
            int(cells.rows[i]),
            int(cells.columns[i]),
            float(cells.weights[i]),
            float(cells.targets[i]),
        )
        for number in order
        for i in range(cells.chunks[number], cells.chunks[number + 1])
    ]
    glove = steps.present == 0
    biased = steps.inner_bias > 0
    loss = naive_cells.adagrad(
        cell_list,
        W,
        C,
        *biases,
        glove=glove,
        rate=steps.inner if glove else steps.outer,
        clip=steps.clip,
        biased=biased,
    )
    np.testing.assert_array_equal(visit.terms, np.diff(cells.chunks)[order])
    assert visit.losses.sum() == pytest.approx(loss, rel=1e-5)
    np.testing.assert_allclose(words.table[:, :dim], W, atol=2e-5)
    np.testing.assert_allclose(contexts.table[:, :dim], C, atol=2e-5)
    np.testing.assert_allclose(words.biases[:, 0], biases[0], atol=2e-5)
    np.testing.assert_allclose(contexts.biases[:, 0], biases[1], atol=2e-5)
    if not biased:
        assert not words.biases[:, 0].any()


@pytest.mark.parametrize("threads", [1, 3])
def test_every_pass_visits_every_chunk_once(threads):
    cells = layout(table(120, 0.9), 9, 7)
    seen = np.zeros((3, len(cells.cells.chunks) - 1), dtype=int)
    run = JobControl()
    trainer = Recorder(cells, 1.0, 0.25, epochs=3, threads=threads, learning_rate=1.0)
    visit_cells(trainer, run)
    orders, rates, evaluations = trainer.trained, trainer.rates, trainer.evaluated
    assert sorted(evaluations) == list(range(seen.shape[1]))
    assert run.final == FinalLoss(0.25, OBJECTIVE, 0.0, 1.0)
    for number in orders:
        seen[(seen[:, number] > 0).sum(), number] += 1
    assert (seen == 1).all()
    assert len(run.trace) >= 20
    assert run.trace.progress[-1] == 1.0
    assert rates[0] == 1.0
    assert rates[-1] < 0.1
    if threads == 1:
        half = len(orders) // 3
        assert orders[:half] != orders[half : 2 * half]


def test_numbers_that_overflow_are_one_sentence():
    cells = layout(table(), 9, 7)
    trainer = Recorder(cells, np.inf, np.inf, epochs=3, threads=1, learning_rate=0.5)
    with pytest.raises(UserError, match="diverged") as error:
        visit_cells(trainer, JobControl())
    assert "0.5" in error.value.hint


def test_arranging_can_be_cancelled():
    run = JobControl()
    run.cancel()
    with pytest.raises(Cancelled):
        arrange_cells(Held(table()), lambda rows, columns, values: (values, values), 9, 7, 1, run)


def test_arguments_of_kernels_have_the_compiled_types():
    cells = arrange(table(), 9, 7)
    assert isinstance(cells, CellArrays)
    assert [part.dtype for part in cells] == [np.int32, np.int32, np.float32, np.float32, np.int64]


def test_gloves_gradients_are_cut_at_100():
    """Components of a cell’s gradient above 100 are cut to 100; sums of squares start at 1, so the
    first step is 100 times the learning rate.
    """
    cells = arrange_cells(
        Held(sp.csr_matrix([[0.0, 1.0], [0.0, 0.0]])),
        lambda rows, columns, values: (values, np.zeros_like(values)),
        2,
        1,
        1,
        JobControl(),
    ).cells
    steps = glove_steps(0.05)
    words, contexts = adagrad_sides(2, 3, 1, steps)
    words.table[0, :3], contexts.table[1, :3] = (2.0, -3.0, 4.0), (5.0, -6.0, 0.001)
    words.biases[:, 0] = contexts.biases[:, 0] = 0.0
    product = 2 * 5 + 3 * 6 + 4 * 0.001
    adagrad_cells(cells, visit_of(np.zeros(1, np.int64)), words, contexts, steps)
    # 28 · 5 and 28 · 6 are above 100, 28 · 0.001 is not; a step is divided by the root of the sum
    # of squares before it.
    np.testing.assert_allclose(
        words.table[0, :3], [2 - 5, -3 + 5, 4 - 0.05 * product * 0.001], rtol=1e-5
    )
    down = 0.05 * product
    np.testing.assert_allclose(
        contexts.table[1, :3], [5 - 2 * down, -6 + 3 * down, 0.001 - 5], rtol=1e-4
    )
    # The gradients of biases are neither clipped nor multiplied.
    assert words.biases[0, 0] == pytest.approx(-product, rel=1e-5)


def test_an_evaluation_is_the_loss_of_a_step_and_changes_nothing():
    counts = table(30, 0.6)
    cells = arrange_cells(
        Held(counts),
        lambda rows, columns, values: (values / 99, np.log(values)),
        7,
        5,
        1,
        JobControl(),
    ).cells
    words, contexts = adagrad_sides(30, 18, 3, glove_steps(0.05))
    tables_before = (
        words.table.copy(),
        contexts.table.copy(),
        words.biases.copy(),
        contexts.biases.copy(),
    )
    numbers = np.random.default_rng(4).permutation(len(cells.chunks) - 1)
    visit = visit_of(numbers)
    weigh_cells(cells, visit, words, contexts, 18)
    for before, after in zip(
        tables_before, (words.table, contexts.table, words.biases, contexts.biases), strict=True
    ):
        np.testing.assert_array_equal(before, after)
    W, C = words.table[:, :18].astype(np.float64), contexts.table[:, :18].astype(np.float64)
    for at, number in enumerate(numbers):
        exact = 0.0
        for i in range(cells.chunks[number], cells.chunks[number + 1]):
            row, column = cells.rows[i], cells.columns[i]
            model = (
                W[row] @ C[column] + float(words.biases[row, 0]) + float(contexts.biases[column, 0])
            )
            exact += 0.5 * float(cells.weights[i]) * (model - float(cells.targets[i])) ** 2
        assert visit.losses[at] == pytest.approx(exact, rel=1e-12)
        assert visit.terms[at] == cells.chunks[number + 1] - cells.chunks[number]
