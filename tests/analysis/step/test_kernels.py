"""Steps in float64 against the training kernels: the same windows and cells in the same order, and
the same vectors.
"""

from __future__ import annotations

import numpy as np
import pytest
from corpora import markov_corpus

from workbench.analysis.step.settings import StepSettings, steppable_algorithms
from workbench.analysis.step.stepper import CellStepper, Stepper, TextStepper, open_stepper
from workbench.core.job_control import JobControl
from workbench.counts.huffman import huffman_tree
from workbench.counts.sampling import alias_table
from workbench.models.count.adagrad import adagrad_cells, adagrad_sides, glove_steps
from workbench.models.count.cell_layout import CellArrays
from workbench.models.count.cell_trainer import visit_of
from workbench.models.kernels.gemm import aligned_rows, padded_dim
from workbench.models.predict import cbow, hierarchical_softmax, sgns
from workbench.models.predict.stream_trainer import WindowChunk, open_stream, own_pieces

RATE, DIM = 0.25, 6
CORPUS = markov_corpus(60, words=8, sentence=30)


def stepper_and_tables(algorithm: str) -> tuple[Stepper, np.ndarray, np.ndarray]:
    values = {"dim": DIM, "min_count": 1, "window": 2, "window_weighting": "fixed", "threads": 1}
    if algorithm != "glove":
        values["sample"] = 0.0
    params = steppable_algorithms()[algorithm].params.from_mapping(values)
    stepper = open_stepper(CORPUS, StepSettings(algorithm, params, RATE), None, JobControl())
    size = CORPUS.types
    tables = []
    second = steppable_algorithms()[algorithm].second
    for table in ("inputs", second if algorithm != "glove" else "contexts"):
        rows = aligned_rows(size, DIM)
        for row in range(size - (table == "nodes")):
            rows[row, :DIM] = stepper._tables.row(table, row)
        tables.append(rows)
    return stepper, tables[0], tables[1]


def agree(stepper: Stepper, table: str, rows: np.ndarray) -> None:
    count = CORPUS.types - (table == "nodes")
    ours = np.array([stepper._tables.row(table, row) for row in range(count)])
    np.testing.assert_allclose(rows[:count, :DIM], ours, rtol=2e-4, atol=2e-6)


@pytest.mark.parametrize("algorithm", ["sgns", "cbow", "skipgram-hs", "cbow-hs"])
def test_windows(algorithm: str) -> None:
    stepper, W, second = stepper_and_tables(algorithm)
    assert isinstance(stepper, TextStepper)
    params = stepper._params
    vocabulary = CORPUS.vocabulary()
    stream = open_stream(CORPUS, vocabulary, params)
    reading = (
        own_pieces(),
        np.zeros(4, np.int64),
        CORPUS.tokens,
        10**6,
        np.ones(8, np.uint64),
    )
    totals = np.zeros(16)
    chunk = WindowChunk(stream, *reading, RATE, 0.0, RATE, totals)
    if steppable_algorithms()[algorithm].second == "nodes":
        tree = huffman_tree(vocabulary.counts)
        scratch = hierarchical_softmax.make_scratch(params, tree)
        is_cbow = algorithm == "cbow-hs"
        hierarchical_softmax.train_chunk(is_cbow, chunk, tree, W, second, scratch)
    else:
        # Negative samples that are always the most frequent word need no random numbers.
        noise = alias_table(np.eye(len(vocabulary))[0])
        stepper._noise.at = lambda position, passes: ([0] * 5, (0.0,) * 5)
        if algorithm == "sgns":
            sgns.train_chunk(chunk, noise, W, second, sgns.make_scratch(params))
        else:
            cbow.train_chunk(chunk, noise, W, second, cbow.make_scratch(params))
    loss = sum(stepper.forward().loss for _ in range(CORPUS.tokens))
    assert loss == pytest.approx(totals[0], rel=1e-5)
    agree(stepper, "inputs", W)
    agree(stepper, steppable_algorithms()[algorithm].second, second)


def test_cells() -> None:
    stepper, W, C = stepper_and_tables("glove")
    assert isinstance(stepper, CellStepper)
    steps = glove_steps(RATE)
    words, contexts = adagrad_sides(CORPUS.types, DIM, 1, steps)
    words.table[:, :DIM], contexts.table[:, :DIM] = W[:, :DIM], C[:, :DIM]
    for row in range(CORPUS.types):
        words.biases[row, 0] = stepper._tables.row("biases", row)[0]
        contexts.biases[row, 0] = stepper._tables.row("context_biases", row)[0]
    forward_steps = [stepper.forward() for _ in range(2 * stepper.place_count)]
    fits = [step.cell for step in forward_steps]
    index = {word: row for row, word in enumerate(CORPUS.words)}
    cells = CellArrays(
        np.array([index[cell.word] for cell in fits], np.int32),
        np.array([index[cell.context] for cell in fits], np.int32),
        np.array([cell.weight for cell in fits], np.float32),
        np.array([np.log(cell.count) for cell in fits], np.float32),
        np.array([0, len(fits)]),
    )
    visit = visit_of(np.zeros(1, np.int64))
    adagrad_cells(cells, visit, words, contexts, steps)
    assert visit.terms[0] == len(fits)
    assert sum(step.loss for step in forward_steps) == pytest.approx(visit.losses[0], rel=1e-4)
    agree(stepper, "inputs", words.table)
    agree(stepper, "contexts", contexts.table)
    sums = np.array([stepper._tables.sums("inputs", row) for row in range(CORPUS.types)])
    np.testing.assert_allclose(
        words.table[:, padded_dim(DIM) : padded_dim(DIM) + DIM], sums, rtol=1e-4
    )
