"""Stochastic factorisation of the shifted positive PMI matrix.

Levy & Goldberg 2014 (conclusion) name it as the way on from the SVD: weights, as they make
recommenders work (Koren, Bell & Volinsky 2009), which an SVD cannot have. Over the cells above 0,
and those of k cells of the same word, drawn for each of them, that are 0,

    ½ f (w·c − M_wc)²  or  ½ (w·c)²,   and each time  ½ λ (‖w‖² + ‖c‖²)
    M = max(PMI_α − log shift, 0)

by stochastic gradient descent with a rate that falls linearly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.jit import kernel
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.params import param, redeclare
from workbench.core.threads import usable_threads
from workbench.corpus.corpus import Corpus
from workbench.counts.association import warm_positive
from workbench.counts.cell_source import Counts, Held
from workbench.counts.counts_corpus import counts_of
from workbench.counts.expected_counts import effective_counts
from workbench.counts.sampling import AliasTable, alias_table, draw_word, noise_distribution
from workbench.models.base import Estimate, Model, Preset, TheoryTarget
from workbench.models.checkpointing import CONTEXTS, WORDS, with_state
from workbench.models.count.cell_layout import CellArrays, Floats, Ids, Ints, Meaning, arrange_cells
from workbench.models.count.cell_trainer import Visitor, chunk_cells, stripe_width, visit_cells
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.factorisation_base import (
    FactorParams,
    compose,
    glove_weight,
)
from workbench.models.count.pmi_base import no_positive_pmi
from workbench.models.kernels.gemm import Rows, aligned_rows, own_zeros, padded_dim, prefetch_row
from workbench.models.predict.stream_trainer import LEAST_RATE, random64
from workbench.models.shared_params import SharedParams
from workbench.vectors.embeddings import Embeddings

# Floats of a vector that one thread was seen to update in a second, for the estimate before
# training.
_SPEED = 6e8
_CALL = 60_000  # steps of one call of the kernel, of cells above 0 and drawn ones


@dataclass(frozen=True)
class SMFParams(FactorParams):
    """Hyperparameters of the stochastic matrix factorisation."""

    shift: float = redeclare(SharedParams, "shift")
    context_smoothing: float = redeclare(SharedParams, "context_smoothing", symbol="", basic=False)
    weighting: str = param(
        "glove",
        "The weight f of a cell above 0: GloVe's min(1, (x/x_max)^α) of its count, or the same "
        "for all.",
        label="Weighting",
        choices=("glove", "constant"),
        source="Levy & Goldberg 2014, section 3.2: frequent pairs should weigh more; Pennington "
        "et al. 2014: how",
        basic=True,
    )
    x_max: float = redeclare(
        SharedParams, "x_max", 10.0, "demo.sh of GloVe's program: 10", basic=False
    )
    alpha: float = redeclare(SharedParams, "alpha", symbol="", basic=False)
    negative: int = redeclare(
        SharedParams,
        "negative",
        1,
        "1: at most one cell that is 0 for each cell above 0",
        doc="Number of cells drawn for each cell above 0, in the row of the same word. Draws that "
        "hit a cell above 0 are dropped, often a quarter of them.",
        low=0,
        grows="products of words that never meet are held nearer to 0; slower",
    )
    ns_exponent: float = redeclare(
        SharedParams,
        "ns_exponent",
        doc="They are drawn in proportion to the count of the context to this power; 0 draws all "
        "alike.",
        symbol="",
        grows="more frequent contexts are drawn",
    )
    l2: float = redeclare(SharedParams, "l2")
    sample: float = redeclare(SharedParams, "sample")
    sample_formula: str = redeclare(SharedParams, "sample_formula")
    learning_rate: float = redeclare(
        FactorParams,
        "learning_rate",
        0.05,
        "twice word2vec.c's 0.025; falls to a ten-thousandth as there",
    )


class Zeros(NamedTuple):
    """Positive cells of the matrix (indptr, columns, sorted), and the distribution of the
    others.
    """

    indptr: Ints
    columns: Ids
    noise: AliasTable


class SMF(Model):
    key = "smf"
    title = tr("Stochastic matrix factorisation")
    short = "SMF"
    family = "count"
    from_counts = True
    summary = tr(
        "Fits products to the shifted positive PMI step by step: cells above 0 by weight, some of "
        "the others."
    )
    citation = (
        "Koren, Bell & Volinsky 2009, Matrix Factorization Techniques for Recommender Systems; "
        "Levy & Goldberg 2014, "
        "Neural Word Embedding as Implicit Matrix Factorization (NIPS 27)"
    )
    loss_label = tr("weighted squared error ½ f Δ², with L2, per cell visited")
    order = 80
    params_type = SMFParams
    theory_target = TheoryTarget("sppmi", "product", "")
    presets = (
        Preset(
            "SVD's matrix",
            {"weighting": "constant", "negative": 5, "l2": 0.0, "ns_exponent": 0.0},
            tr("All cells above 0 alike and evenly drawn others, as near to an SVD as steps come"),
            tr("SVD's matrix"),
        ),
        Preset(
            "classroom",
            {"dim": 50},
            tr("Chosen for Small World: done within seconds"),
            tr("classroom"),
        ),
    )
    params: SMFParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        cost = CellCost(corpus, vocabulary, params.window, thinned=params.sample > 0)
        rows = 2 * len(vocabulary) * 4 * (padded_dim(params.dim) + 2 * params.dim)
        seconds = (
            cost.cells * params.epochs * (1 + params.negative) * padded_dim(params.dim) / _SPEED
            + cost.seconds
        )
        return cost.estimate(
            seconds / usable_threads(params.threads), rows, 40, beside=12, scratch=20
        )

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        run.check()
        run.enter(Phase.COMPILING, tr("Preparing the kernels"))
        self.warm()

        def count() -> sp.csr_matrix:
            return effective_counts(
                corpus,
                vocabulary,
                params.window,
                params.window_weighting,
                params.sample,
                params.sample_formula,
                run,
                threads=params.threads,
            )

        counts = counts_of(corpus, vocabulary, count, run)
        matrix = counts.positive(params.shift, params.context_smoothing, run)
        if matrix.nnz == 0:
            raise no_positive_pmi()
        meaning = _meaning(counts, params)
        del counts
        run.enter(Phase.COUNTING, tr("Laying out the cells in blocks"))
        chunk = chunk_cells(matrix.nnz)
        layout = arrange_cells(matrix, meaning, stripe_width(params.dim), chunk, params.seed, run)
        cells = layout.cells
        noise = alias_table(noise_distribution(vocabulary.counts, params.ns_exponent))
        zeros = Zeros(*matrix.where(run), noise)
        W, C = first_tables(len(vocabulary), params.dim, params.seed)
        start, tables = (
            self.begin(vocabulary),
            {WORDS: W[:, : params.dim], CONTEXTS: C[:, : params.dim]},
        )
        for name, table in tables.items():
            start.fill(name, table)
        seeds = np.random.SeedSequence(start.entropy(params.seed, 3)).spawn(
            usable_threads(params.threads)
        )
        states = [own_zeros(8, np.uint64) for _ in seeds]
        for state, seed in zip(states, seeds, strict=True):
            state[0] = seed.generate_state(1, np.uint64)[0]
        drawn = [own_zeros(max(params.negative, 1), np.int32) for _ in seeds]

        def visit(
            visitor: Visitor, numbers: Ints, rate: float, losses: Floats, terms: Floats
        ) -> None:
            number = visitor.number
            visit_chunks(
                cells,
                numbers,
                zeros,
                W,
                C,
                params.negative,
                params.l2,
                rate,
                states[number],
                drawn[number],
                losses,
                terms,
            )

        def current_embeddings() -> Embeddings:
            return compose(vocabulary, tables[WORDS], tables[CONTEXTS], params.result)

        return visit_cells(
            layout,
            params.epochs,
            params.threads,
            params.seed,
            lambda share: params.learning_rate * max(1 - share, LEAST_RATE),
            visit,
            start,
            lambda: with_state(current_embeddings(), tables),
            current_embeddings,
            run,
            params.learning_rate,
            visit,
            float(params.dim) * (1 + params.negative) * len(cells.rows),
            call=_CALL // (1 + params.negative),
            draws=params.negative > 0,
        )

    @classmethod
    def warm(cls) -> None:
        warm_positive()
        ids = np.array([0, 1, 0, 2, 1], dtype=np.int32)
        corpus = Corpus("", ids, np.array([0, 3, 5]), ("a", "b", "c"), np.array([2, 2, 1]), "")
        for sample in (0.1, 0.0):
            counts = effective_counts(corpus, corpus.vocabulary(), 2, sample=sample, threads=1)
        cells = arrange_cells(
            Held(counts), lambda rows, columns, values: (values, values), 3, 3, 1, JobControl()
        ).cells
        zeros = Zeros(
            counts.indptr.astype(np.int64),
            counts.indices.astype(np.int32),
            alias_table(np.full(3, 1 / 3)),
        )
        W, C = first_tables(3, 2, 1)
        visit_chunks(
            cells,
            np.zeros(1, np.int64),
            zeros,
            W,
            C,
            1,
            0.1,
            0.1,
            np.ones(8, np.uint64),
            np.zeros(1, np.int32),
            np.zeros(1),
            np.zeros(1),
        )


def first_tables(size: int, dim: int, seed: int) -> tuple[Rows, Rows]:
    """W, C ~ U(−½, ½)/√d, float32[size, padded(dim)]: products of both at 0 would teach nothing."""
    random = np.random.default_rng(seed)
    sides = aligned_rows(size, dim), aligned_rows(size, dim)
    for side in sides:
        side[:, :dim] = (
            random.random((size, dim), dtype=np.float32) - np.float32(0.5)
        ) / np.float32(np.sqrt(dim))
    return sides


def _meaning(counts: Counts, params: SMFParams) -> Meaning:
    """Weight and target of cells; the count of a cell follows from its PMI and the sums of its row
    and column.
    """
    row_sums = counts.row_sums
    smoothed = counts.column_sums**params.context_smoothing
    expected = params.shift * smoothed / smoothed.sum()

    def meaning(rows: Ids, columns: Ids, values: Floats) -> tuple[Floats, Floats]:
        if params.weighting == "constant":
            return np.ones_like(values), values
        seen = np.exp(values) * row_sums[rows] * expected[columns]
        return glove_weight(seen, params.x_max, params.alpha), values

    return meaning


@kernel(fast=True, inline=True)
def _step(
    W: Rows, row: int, C: Rows, column: int, weight: float, target: float, l2: float, rate: float
) -> float:
    """One step down ½ f (w·c − target)² + ½ λ (‖w‖² + ‖c‖²); returns what that was before."""
    product, lengths = np.float32(0.0), np.float32(0.0)
    for t in range(W.shape[1]):
        a, b = W[row, t], C[column, t]
        product += a * b
        lengths += a * a + b * b
    difference = np.float64(product) - target
    pull, shrink = np.float32(rate * weight * difference), np.float32(1.0 - rate * l2)
    for t in range(W.shape[1]):
        a, b = W[row, t], C[column, t]
        W[row, t] = shrink * a - pull * b
        C[column, t] = shrink * b - pull * a
    return 0.5 * (weight * difference * difference + l2 * np.float64(lengths))


@kernel(fast=True)
def visit_chunks(
    cells: CellArrays,
    numbers: Ints,
    zeros: Zeros,
    W: Rows,
    C: Rows,
    negative: int,
    l2: float,
    rate: float,
    state: npt.NDArray[np.uint64],
    drawn: Ids,
    losses: Floats,
    terms: Floats,
) -> None:
    """A step for each cell of the chunks, and one for each of ``negative`` columns drawn with it
    where the row is 0; a draw that hits a cell above 0 is dropped.

    drawn : int32[>= negative], scratch; losses, terms : of each chunk the loss before each step,
    and the steps, float64[n]; with rate 0 nothing changes
    """
    for at in range(len(numbers)):
        losses[at] = terms[at] = 0.0
        for i in range(cells.chunks[numbers[at]], cells.chunks[numbers[at] + 1]):
            row = cells.rows[i]
            for n in range(negative):
                column = draw_word(zeros.noise, random64(state))
                drawn[n] = column
                prefetch_row(C, column)
            losses[at] += _step(
                W, row, C, cells.columns[i], cells.weights[i], cells.targets[i], l2, rate
            )
            terms[at] += 1
            above = zeros.columns[zeros.indptr[row] : zeros.indptr[row + 1]]
            for n in range(negative):
                place = np.searchsorted(above, drawn[n])
                if place < len(above) and above[place] == drawn[n]:
                    continue
                losses[at] += _step(W, row, C, drawn[n], 1.0, 0.0, l2, rate)
                terms[at] += 1
