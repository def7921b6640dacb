"""Stochastic factorisation of the shifted positive PMI matrix.

Levy & Goldberg 2014 (conclusion) propose it as an improvement on the SVD: it has weights, as used
in recommender systems (Koren, Bell & Volinsky 2009), which an SVD cannot have. The terms, for each
cell above 0, and for those of k drawn cells of the same word that are 0, are

    ½ f (w·c − M_wc)²  or  ½ (w·c)²,   and each time  ½ λ (‖w‖² + ‖c‖²)
    M = max(PMI_α − log shift, 0)

minimised by stochastic gradient descent with a rate that falls linearly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Array, Doubles, Ids, Ints, Singles
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.machine.threads import usable_threads
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cell_source import Counts
from workbench.counts.expected_counts import effective_counts
from workbench.counts.sampling import AliasTable, alias_table, draw_word, noise_distribution
from workbench.models.base import Estimate, LossFloor, Preset, RowObjective, TheoryTarget
from workbench.models.checkpointing import CONTEXTS, WORDS, ResumeState
from workbench.models.count.cell_layout import CellArrays, CellLayout
from workbench.models.count.cell_trainer import CellModel, CellTrainer, ChunkVisit, Visitor
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.factorisation_base import compose
from workbench.models.count.pmi_base import no_positive_pmi, warm_counting
from workbench.models.count.pmi_start import add_start_cost, start_factors
from workbench.models.kernels.gemm import aligned_rows, own_zeros, padded_dim, prefetch_row
from workbench.models.params import FactorParams, SharedParams, glove_weight
from workbench.models.predict.stream_trainer import LEAST_RATE, random64
from workbench.models.randomised_svd import Factors
from workbench.vectors.embeddings import Embeddings

# Measured float64 values of vectors that one thread updates per second, for the estimate before
# training.
_SPEED = 8e8
_CALL = 60_000  # steps per call of the kernel, for cells above 0 and drawn ones


@dataclass(frozen=True)
class SMFParams(FactorParams):
    """Hyperparameters of the stochastic matrix factorisation."""

    shift: float = redeclare(SharedParams, "shift")
    context_smoothing: float = redeclare(SharedParams, "context_smoothing", symbol="", basic=False)
    weighting: str = param(
        "glove",
        "Weight f of a cell above 0. glove: min(1, (x/x_max)^α) of its count; constant: "
        "the same for all.",
        label="Weighting",
        choices=("glove", "constant"),
        source=(
            "Levy & Goldberg 2014, section 3.2: frequent pairs should weigh more; Pennington "
            "et al. 2014: the formula"
        ),
        basic=True,
    )
    x_max: float = redeclare(
        SharedParams, "x_max", 10.0, "demo.sh of GloVe’s C code: 10", basic=False
    )
    alpha: float = redeclare(SharedParams, "alpha", symbol="", basic=False)
    negative: int = redeclare(
        SharedParams,
        "negative",
        1,
        "1: at most one zero cell for each cell above 0",
        doc=(
            "Zero cells drawn for each cell above 0, in the row of the same word. Draws that "
            "hit a cell above 0 are dropped, often a quarter of them."
        ),
        low=0,
        grows="scores of unobserved pairs are kept nearer to 0; slower",
    )
    ns_exponent: float = redeclare(
        SharedParams,
        "ns_exponent",
        doc=(
            "Exponent α of the distribution of zero cells: contexts are drawn in proportion to "
            "count^α. 0 = uniform."
        ),
        symbol="",
        grows="frequent contexts are drawn more often",
    )
    l2: float = redeclare(SharedParams, "l2")
    sample: float = redeclare(SharedParams, "sample")
    sample_formula: str = redeclare(SharedParams, "sample_formula")
    learning_rate: float = redeclare(
        FactorParams,
        "learning_rate",
        0.05,
        "twice word2vec.c’s 0.025; decays to a ten-thousandth as in word2vec.c",
    )


class Zeros(NamedTuple):
    """Positive cells of the matrix (indptr, columns, sorted), and the distribution for drawing
    columns.
    """

    indptr: Ints
    columns: Ids
    noise: AliasTable


class Steps(NamedTuple):
    """Number of cells drawn for each cell above 0, λ, and the learning rate."""

    negative: int
    l2: float
    rate: float = 0.0


class Draws(NamedTuple):
    """A thread's random numbers, uint64[8], and the columns drawn last, int32[>= negative]."""

    state: npt.NDArray[np.uint64]
    drawn: Ids


class SMF(CellModel):
    key = "smf"
    title = tr("Stochastic matrix factorisation")
    short = "SMF"
    summary = tr(
        "Fits dot products to the shifted positive PMI by stochastic gradient descent, "
        "with weights for cells above 0 and a sample of the others."
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
    loss_floor = LossFloor("cells")
    row_objective = RowObjective("drawn cells")
    presets = (
        Preset(
            "SVD’s matrix",
            {"weighting": "constant", "negative": 5, "l2": 0.0, "ns_exponent": 0.0},
            tr(
                "Equal weights for cells above 0 and uniform zero cells: the closest SGD comes "
                "to an SVD"
            ),
            tr("SVD’s matrix"),
        ),
        Preset(
            "classroom",
            {"dim": 50},
            tr("Chosen for Small World: takes seconds"),
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
            cost.likely_cells
            * params.epochs
            * (1 + params.negative)
            * padded_dim(params.dim)
            / _SPEED
            + cost.seconds
        )
        training = cost.estimate(
            seconds / usable_threads(params.threads), rows, 40, beside=12, scratch=20
        )
        return add_start_cost(cost, params, self.start is None, training)

    def count(self, corpus: Corpus, vocabulary: Vocabulary, run: JobControl) -> sp.csr_matrix:
        return effective_counts(corpus, vocabulary, self.params, run, threads=self.params.threads)

    @classmethod
    def warm(cls) -> None:
        warm_counting()
        super().warm()

    def trainer(self, vocabulary: Vocabulary, start: ResumeState) -> SMFTrainer:
        return SMFTrainer(vocabulary, self.params, start)


class SMFTrainer(CellTrainer):
    params: SMFParams

    def __init__(self, vocabulary: Vocabulary, params: SMFParams, start: ResumeState) -> None:
        super().__init__(vocabulary, params, start)
        self.call = _CALL // (1 + params.negative)
        self.draws = params.negative > 0
        self._steps = Steps(params.negative, params.l2)
        threads = usable_threads(params.threads)
        seeds = np.random.SeedSequence(start.entropy(params.seed, 3)).spawn(threads)
        self._draws = [first_draws(seed, params.negative) for seed in seeds]

    def lay_out(self, counts: Counts, run: JobControl) -> CellLayout:
        params = self.params
        matrix = counts.positive(params.shift, params.context_smoothing, run)
        if matrix.nnz == 0:
            raise no_positive_pmi()
        self.measure(counts)
        del counts
        layout = self.arrange(matrix, run)
        noise = alias_table(noise_distribution(self.vocabulary.counts, params.ns_exponent))
        self._zeros = Zeros(*matrix.where(run), noise)
        return layout

    def factorise(self, counts: Counts, run: JobControl) -> Factors:
        params = self.params
        return start_factors(
            counts, params.dim, params, run, params.shift, params.context_smoothing
        )

    def measure(self, counts: Counts) -> None:
        self._row_sums = counts.row_sums
        smoothed = counts.column_sums**self.params.context_smoothing
        self._expected = self.params.shift * smoothed / smoothed.sum()

    def weight_and_target(
        self, rows: Ids, columns: Ids, values: Doubles
    ) -> tuple[Doubles, Doubles]:
        """The count of a cell follows from its PMI and the sums of its row and column."""
        if self.params.weighting == "constant":
            return np.ones_like(values), values
        seen = np.exp(values) * self._row_sums[rows] * self._expected[columns]
        return glove_weight(seen, self.params.x_max, self.params.alpha), values

    def open_tables(self) -> dict[str, Array]:
        dim = self.params.dim
        self._W, self._C = first_tables(len(self.vocabulary), dim, self.params.seed)
        self._W *= np.float32(self.params.init_scale)
        self._C *= np.float32(self.params.init_scale)
        return {WORDS: self._W[:, :dim], CONTEXTS: self._C[:, :dim]}

    def train_chunks(self, visitor: Visitor, visit: ChunkVisit, rate: float) -> None:
        steps, draws = self._steps._replace(rate=rate), self._draws[visitor.number]
        visit_chunks(self.layout.cells, visit, self._zeros, self._W, self._C, steps, draws)

    def evaluate_chunks(self, visitor: Visitor, visit: ChunkVisit) -> None:
        self.train_chunks(visitor, visit, 0.0)

    def snapshot(self) -> Embeddings:
        tables = self.tables
        return compose(self.vocabulary, tables[WORDS], tables[CONTEXTS], self.params.result)

    def rate(self, share: float) -> float:
        return self.params.learning_rate * max(1 - share, LEAST_RATE)

    @property
    def work(self) -> float:
        params = self.params
        return float(params.dim) * (1 + params.negative) * len(self.layout.cells.rows)


def first_draws(seed: np.random.SeedSequence, negative: int) -> Draws:
    """Initial random state of one thread."""
    draws = Draws(own_zeros(8, np.uint64), own_zeros(max(negative, 1), np.int32))
    draws.state[0] = seed.generate_state(1, np.uint64)[0]
    return draws


def first_tables(size: int, dim: int, seed: int) -> tuple[Singles, Singles]:
    """W, C ~ U(−½, ½)/√d, float32[size, padded(dim)]: if both were 0, no gradient would move
    them.
    """
    random = np.random.default_rng(seed)
    sides = aligned_rows(size, dim), aligned_rows(size, dim)
    for side in sides:
        side[:, :dim] = (
            random.random((size, dim), dtype=np.float32) - np.float32(0.5)
        ) / np.float32(np.sqrt(dim))
    return sides


@kernel(fast=True, inline=True)
def _step(
    W: Singles, row: int, C: Singles, column: int, weight: float, target: float, steps: Steps
) -> float:
    """One descent step on ½ f (w·c − target)² + ½ λ (‖w‖² + ‖c‖²); return its value before."""
    product, lengths = np.float32(0.0), np.float32(0.0)
    for t in range(W.shape[1]):
        a, b = W[row, t], C[column, t]
        product += a * b
        lengths += a * a + b * b
    l2, rate = steps.l2, steps.rate
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
    visit: ChunkVisit,
    zeros: Zeros,
    W: Singles,
    C: Singles,
    steps: Steps,
    draws: Draws,
) -> None:
    """Make a step for each cell of the chunks, and for each of ``negative`` columns drawn for it at
    which the row is 0; a draw that hits a cell above 0 is dropped. With rate 0, nothing changes.
    """
    numbers, losses, terms = visit
    negative, state, drawn = steps.negative, draws.state, draws.drawn
    for at in range(len(numbers)):
        losses[at] = terms[at] = 0.0
        for i in range(cells.chunks[numbers[at]], cells.chunks[numbers[at] + 1]):
            row = cells.rows[i]
            for n in range(negative):
                column = draw_word(zeros.noise, random64(state))
                drawn[n] = column
                prefetch_row(C, column)
            losses[at] += _step(
                W, row, C, cells.columns[i], cells.weights[i], cells.targets[i], steps
            )
            terms[at] += 1
            above = zeros.columns[zeros.indptr[row] : zeros.indptr[row + 1]]
            for n in range(negative):
                place = np.searchsorted(above, drawn[n])
                if place < len(above) and above[place] == drawn[n]:
                    continue
                losses[at] += _step(W, row, C, drawn[n], 1.0, 0.0, steps)
                terms[at] += 1
