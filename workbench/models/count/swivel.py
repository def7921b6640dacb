"""Swivel: the whole table, submatrix by submatrix (Shazeer et al. 2016).

    seen pairs      ½ f(#(w, c)) (w·c − PMI(w, c))²,     f(x) = base + scale·x^exponent
    unseen pairs    log(1 + exp(w·c − PMI*(w, c)))

with PMI* = log|D| − log #(w) − log #(c), the PMI of a pair that was seen once. Words are dealt out
by frequency, so that every submatrix contains both frequent and rare words; a submatrix is one step
of AdaGrad, with three dense products.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np

from workbench.core.arrays import Doubles, Ids, Ints, Singles
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE, usable_threads
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cell_source import Counts, Held
from workbench.counts.cooccurrence_kernel import in_threads
from workbench.counts.counts_corpus import counts_of
from workbench.counts.expected_counts import effective_counts
from workbench.models.base import Estimate, LossFloor, Model, Preset, RowObjective, TheoryTarget
from workbench.models.checkpointing import CONTEXTS, WORDS, Checkpointer, ResumeState, with_state
from workbench.models.company import with_zeros
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.factorisation_base import compose, no_cells
from workbench.models.count.pmi_base import warm_counting
from workbench.models.count.pmi_start import add_start_cost, start_factors
from workbench.models.kernels.gemm import aligned_rows, padded_dim
from workbench.models.kernels.sigmoid_loss import logistic
from workbench.models.parallel import run_steps
from workbench.models.params import FactorParams, SharedParams
from workbench.models.start_from_counts import COUNTS
from workbench.models.tally import PARTS, LossTally, is_affordable
from workbench.vectors.embeddings import Embeddings

# Multiply-adds per second of one thread, and cells per second outside of products, for the
# estimate.
_SPEED = 4e10
_CELL_SPEED = 4e8
_POINTS = 250
# Initial value of AdaGrad's sums. Swivel's program starts at 0.1 with ten times larger steps, which
# takes longer.
_START = 1e-4
_LEAST_STRIPES = 5
# Cost of evaluating a submatrix, as a share of a step.
_LOOK = 0.45
_TABLES = (WORDS, CONTEXTS, "word_sums", "context_sums")


@dataclass(frozen=True)
class SwivelParams(FactorParams):
    """Hyperparameters of Swivel."""

    window: int = redeclare(
        FactorParams, "window", 10, "Shazeer et al. 2016: 10 words on each side"
    )
    window_weighting: str = redeclare(
        FactorParams, "window_weighting", "harmonic", "Shazeer et al. 2016: 1/δ"
    )
    submatrix: int = param(
        1024,
        "Maximum number of rows and columns of a submatrix. The vocabulary is split evenly.",
        label="Submatrix",
        low=1,
        high=4096,
        unit="words",
        grows="fewer, larger steps per epoch; more memory",
        source="1,024, so that a submatrix fits in the cache; Swivel’s code: 4096",
    )
    confidence_base: float = param(
        0.1,
        "Constant part of the weight of an observed pair, independent of its count.",
        label="Confidence base",
        low=0.0,
        high=1000.0,
        grows="rare pairs weigh more",
        source="Swivel’s code as first published: 0.1",
        basic=True,
    )
    confidence_scale: float = param(
        0.25,
        "Factor applied to count^exponent in the weight of an observed pair.",
        label="Confidence scale",
        low=0.0,
        high=1000.0,
        grows="observed pairs weigh more against unobserved ones",
        source="Swivel’s code as first published: 0.25",
        basic=True,
    )
    confidence_exponent: float = param(
        0.5,
        "Exponent of the count in the weight of an observed pair.",
        label="Confidence exponent",
        low=0.0,
        high=1.0,
        grows="frequent pairs weigh more",
        source="Shazeer et al. 2016: 1/2",
        basic=True,
    )
    sample: float = redeclare(SharedParams, "sample")
    sample_formula: str = redeclare(SharedParams, "sample_formula")
    epochs: int = redeclare(
        FactorParams, "epochs", 20, "Swivel’s code: 40, with larger submatrices"
    )
    learning_rate: float = redeclare(
        FactorParams,
        "learning_rate",
        0.1,
        "Swivel’s code: 0.1, and 1.0 as first published, where accumulators started higher",
    )
    result: str = redeclare(FactorParams, "result", "w+c", "Shazeer et al. 2016: the sum of both")


class Submatrix(NamedTuple):
    """The seen pairs of one submatrix: rows, columns : int32[n], within it; weights : float32[n],
    f; logs : float32[n], log #(w, c), which is PMI − PMI*
    """

    rows: Ids
    columns: Ids
    weights: Singles
    logs: Singles


class Swivel(Model):
    key = "swivel"
    title = "Swivel"
    short = "Swivel"
    family = "count"
    from_counts = True
    summary = tr(
        "Fits dot products to the PMI of observed pairs, and keeps those of unobserved "
        "pairs below the PMI of a single co-occurrence."
    )
    citation = (
        "Shazeer, Doherty, Evans & Waterson 2016, Swivel: Improving Embeddings by Noticing What’s "
        "Missing "
        "(arXiv 1602.02215)"
    )
    loss_label = tr("weighted loss per cell (nats)")
    rate_falls = False
    order = 50
    params_type = SwivelParams
    theory_target = TheoryTarget("pmi", "product", "swivel")
    loss_floor = LossFloor("zero")
    row_objective = RowObjective("swivel")
    presets = (
        Preset(
            "Swivel, base 0.1",
            {
                "confidence_base": 0.1,
                "confidence_scale": 0.25,
                "confidence_exponent": 0.5,
                "dim": 300,
            },
            tr("Swivel’s code as first published: confidence 0.1, 0.25, 0.5, 300 dimensions"),
        ),
        Preset(
            "Swivel, base 0",
            {
                "confidence_base": 0.0,
                "confidence_scale": 1.0,
                "confidence_exponent": 0.5,
                "dim": 300,
            },
            tr("Swivel’s code in TensorFlow’s models: confidence 0, 1, 0.5, 300 dimensions"),
        ),
        Preset(
            "classroom",
            {"dim": 50, "window": 5, "submatrix": 256},
            tr("Chosen for Small World: takes seconds, and analogies work"),
            tr("classroom"),
        ),
    )
    params: SwivelParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        size = len(vocabulary)
        threads = usable_threads(params.threads)
        cost = CellCost(corpus, vocabulary, params.window, thinned=params.sample > 0)
        side = min(size, params.submatrix)
        tables = (
            2 * size * 4 * (2 * padded_dim(params.dim) + 4 * params.dim) + threads * 8 * side * side
        )
        a_pass = float(size) ** 2 * (3 * (params.dim + 2) / _SPEED + 1 / _CELL_SPEED)
        training = cost.estimate((a_pass * params.epochs + cost.seconds) / threads, tables, 28)
        return add_start_cost(cost, params, self.start is None, training)

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        run.check()
        run.enter(Phase.COMPILING, tr("Preparing the kernels"))
        self.warm()

        count = partial(effective_counts, corpus, vocabulary, params, run, threads=params.threads)
        counts = counts_of(corpus, vocabulary, count, run)
        if counts.nnz == 0:
            raise no_cells()
        run.enter(Phase.COUNTING, tr("Assigning words to submatrices"))
        training = _Training(counts, vocabulary, params, run, self.begin(vocabulary))
        alone = np.asarray(counts.row_sums == 0)
        del counts
        with BLAS_ALONE:
            return with_zeros(training.train(run), alone, keep_raw=True)

    @classmethod
    def warm(cls) -> None:
        ids = np.array([0, 1, 0, 2, 1], dtype=np.int32)
        corpus = Corpus("", ids, np.array([0, 3, 5]), ("a", "b", "c"), np.array([2, 2, 1]), "")
        params = SwivelParams(dim=2, window=2, min_count=1, epochs=1, threads=1)
        warm_counting()
        counts = effective_counts(corpus, corpus.vocabulary(), params, threads=1)
        _Training(Held(counts), corpus.vocabulary(), params, JobControl()).step(
            0, 0, aligned_rows(3, 3)
        )


class _Training:
    """Words are in the order in which they are dealt out: stripe i contains the words i, i + n, i +
    2n, ...

    sides : W and C, float32[V, d + 2] each; the two columns after the vectors make their product
    w·c − PMI*: for words log #(w) − log|D| and 1, for contexts 1 and log #(c)
    sums : AdaGrad's, float32[V, d] each
    """

    def __init__(
        self,
        counts: Counts,
        vocabulary: Vocabulary,
        params: SwivelParams,
        run: JobControl,
        start: ResumeState | None = None,
    ) -> None:
        self.start = start or ResumeState()
        self.params = params
        self.vocabulary = vocabulary
        size, dim = len(vocabulary), params.dim
        stripe = np.arange(size) % stripe_count(size, params.submatrix)
        self.order = np.argsort(stripe, kind="stable")
        self.edges = np.concatenate(([0], np.cumsum(np.bincount(stripe))))
        # A word without pairs has no logarithm, and needs none.
        log_rows, log_columns = (
            np.log(np.maximum(sums, 1e-9))[self.order]
            for sums in (counts.row_sums, counts.column_sums)
        )
        random = np.random.default_rng(params.seed)
        ones = np.ones(size)
        self.sides = tuple(
            np.column_stack(
                [
                    params.init_scale * (random.standard_normal((size, dim)) / np.sqrt(dim)),
                    first,
                    second,
                ]
            ).astype(np.float32)
            for first, second in ((log_rows - np.log(counts.total), ones), (ones, log_columns))
        )
        self.sums = tuple(np.full((size, dim), _START, dtype=np.float32) for _ in range(2))
        for name, table in zip(_TABLES, (*self.sides, *self.sums), strict=True):
            ranked = self.by_rank(table)
            self.start.fill(name, ranked)
            table[:, :dim] = ranked[self.order]
        factors = None
        if params.start == COUNTS and self.start.fresh:
            factors = start_factors(counts, dim, params, run)
        self.bounds, self.table = self._deal_pairs(counts, run)
        self.initial_loss = self._some_loss()
        if factors is not None:
            # From few counts, the loss can start at 0: any later one would be far above it.
            for table, ranked in zip(self.sides, factors, strict=True):
                table[:, : ranked.shape[1]] = ranked[self.order]

    def _deal_pairs(self, counts: Counts, run: JobControl) -> tuple[Ints, Ids]:
        """The seen pairs by submatrix: int64[n² + 1], the start of each submatrix, and
        int32[4·cells]: for each, the four arrays of its ``Submatrix``, one after another.
        """
        params, edges, across = self.params, self.edges, len(self.edges) - 1
        place = np.empty(len(self.order), dtype=np.int32)
        place[self.order] = np.arange(len(self.order), dtype=np.int32)
        starts = np.zeros(across * across + 1, dtype=np.int64)
        table = counts.room(4 * counts.nnz, np.int32)
        for i in range(across):
            rows = self.order[edges[i] : edges[i + 1]]
            tally = np.zeros(across, dtype=np.int64)
            for part in counts.select_rows(rows):
                run.check()
                tally += np.bincount(
                    np.searchsorted(edges, place[part.columns], side="right") - 1, minlength=across
                )
            here = starts[i * across : (i + 1) * across + 1]
            here[1:] = here[0] + np.cumsum(tally)
            done = np.zeros(across, dtype=np.int64)
            for part in counts.select_rows(rows):
                run.check()
                numbers, columns = part.rows, place[part.columns]
                stripe = (np.searchsorted(edges, columns, side="right") - 1).astype(np.int16)
                sorting = np.argsort(stripe, kind="stable")
                bounds = np.searchsorted(stripe[sorting], np.arange(across + 1))
                for j in np.flatnonzero(np.diff(bounds)):
                    taken = sorting[bounds[j] : bounds[j + 1]]
                    values = part.values[taken]
                    weights = (
                        params.confidence_base
                        + params.confidence_scale * values**params.confidence_exponent
                    )
                    room = table[4 * here[j] : 4 * here[j + 1]].reshape(4, -1)[
                        :, done[j] : done[j] + len(taken)
                    ]
                    room[0] = numbers[taken]
                    room[1] = columns[taken] - edges[j]
                    room[2].view(np.float32)[...] = weights
                    room[3].view(np.float32)[...] = np.log(values)
                    done[j] += len(taken)
            run.advance(i / across)
        return starts, table

    def shard(self, i: int, j: int) -> Submatrix:
        """The seen pairs of the submatrix of stripes i and j, as views of the table."""
        at = i * (len(self.edges) - 1) + j
        rows, columns, weights, logs = self.table[
            4 * self.bounds[at] : 4 * self.bounds[at + 1]
        ].reshape(4, -1)
        return Submatrix(rows, columns, weights.view(np.float32), logs.view(np.float32))

    def train(self, run: JobControl) -> Embeddings:
        params = self.params
        across = len(self.edges) - 1
        total = across * across * params.epochs
        threads = min(usable_threads(params.threads), max(1, across // 2))
        widest = int(np.diff(self.edges).max())
        scratches = [aligned_rows(widest, widest) for _ in range(threads)]
        random = np.random.default_rng(np.random.SeedSequence([params.seed, 1]))
        for _ in range(2 * self.start.begun):
            random.permutation(across)
        queue: list[tuple[int, int]] = []
        keeper = Checkpointer(
            run, self.start, params.epochs, params.learning_rate, self.whole, self.result
        )
        passes, done = 0, [0] * threads
        taking = threading.Lock()
        tally = LossTally(across**2, draws=False)

        def work(thread: int) -> bool:
            nonlocal passes
            with taking:
                if not queue:
                    if passes == params.epochs:
                        return False
                    passes += 1
                    # Along diagonals, neighbours have no rows in common, so threads don’t touch the
                    # same rows.
                    rows, jumps = (
                        random.permutation(across).tolist(),
                        random.permutation(across).tolist(),
                    )
                    queue.extend((i, (i + jump) % across) for jump in jumps for i in rows)
                i, j = queue.pop()
            tally.add(
                np.array([i * across + j]),
                np.array([self.step(i, j, scratches[thread])]),
                self.cells(i, j),
            )
            done[thread] += 1
            return True

        last = 0

        def report_progress() -> None:
            nonlocal last
            steps = sum(done)
            if not tally.finite:
                raise keeper.divergence_error(steps / total)
            if (
                steps - last >= max(total / _POINTS, min(across, total / PARTS))
                or steps == total > last
            ):
                mean = tally.point()
                if mean is not None:
                    keeper.record(steps / total, mean.loss, mean.error)
                    last = steps
            seconds = run.phase_seconds()
            cells_done = steps * len(self.order) ** 2 / across**2
            run.advance(
                steps / total,
                tr(
                    "epoch {epoch} of {epochs}",
                    epoch=min(steps // across**2 + 1, params.epochs),
                    epochs=params.epochs,
                ),
                rate=cells_done / seconds if seconds > 0 else None,
                unit=tr("cells"),
            )
            keeper.answer_requests(steps / total)

        run.enter(Phase.TRAINING)
        keeper.set_initial_loss(self.initial_loss)
        run_steps(run, [partial(work, thread) for thread in range(threads)], report_progress)
        steps = sum(done)
        evaluated = steps > 0 and is_affordable(
            _LOOK * across**2 / steps, params.dim * float(len(self.order)) ** 2
        )
        if evaluated:
            in_threads(partial(self._evaluate, scratches, tally), threads, run, lambda: None)
        return keeper.result(steps / total, tally.final(evaluated))

    def _some_loss(self) -> float:
        """The loss per cell of some submatrices: any has words of all frequencies, but small ones
        have few words.
        """
        across, widest = len(self.edges) - 1, int(np.diff(self.edges).max())
        some = [
            (at % across, (at * 7 + 3) % across) for at in range(0, across, max(1, across // 16))
        ]
        scratch = aligned_rows(widest, widest)
        total = sum(self.step(i, j, scratch, moving=False) for i, j in some)
        return total / sum(float(self.cells(i, j)[0]) for i, j in some)

    def _evaluate(
        self, scratches: Sequence[Singles], tally: LossTally, thread: int, pause: Callable[[], None]
    ) -> None:
        """Evaluate a thread’s part of the submatrices, without a step."""
        across = len(self.edges) - 1
        for number in range(thread, across**2, len(scratches)):
            pause()
            i, j = divmod(number, across)
            tally.add(
                np.array([number]),
                np.array([self.step(i, j, scratches[thread], moving=False)]),
                self.cells(i, j),
            )

    def cells(self, i: int, j: int) -> Doubles:
        """Number of cells in the submatrix of stripes i and j, float64[1]."""
        sides = np.diff(self.edges)
        return np.array([float(sides[i]) * float(sides[j])])

    def step(self, i: int, j: int, Z: Singles, moving: bool = True) -> float:
        """One step on the submatrix of stripes i and j; return its loss before, summed over cells.
        ``moving`` false: only compute the loss.
        """
        W, C = self.sides
        words, contexts = (
            slice(*self.edges[i : i + 2].tolist()),
            slice(*self.edges[j : j + 2].tolist()),
        )
        here, there = W[words], C[contexts]
        m, n, dim = len(here), len(there), self.params.dim
        sign = np.zeros(Z.shape[1], dtype=np.float32)
        sign[:n] = 1.0
        shard = self.shard(i, j)
        pulls = np.empty(len(shard.rows), dtype=np.float32)
        np.matmul(here, there.T, out=Z[:m, :n])
        loss = float(weigh_seen(Z, shard, pulls)) + float(unseen(Z, m, sign))
        if not moving:
            return loss
        put_back(Z, shard, pulls)
        # As in Swivel's program: divided by the square root of the number of cells.
        scale = np.float32(1 / np.sqrt(m * n))
        downs = (Z[:m, :n] @ there[:, :dim]) * scale, (Z[:m, :n].T @ here[:, :dim]) * scale
        for side, sums, part, down in zip(
            self.sides, self.sums, (words, contexts), downs, strict=True
        ):
            sums[part] += down * down
            side[part, :dim] += np.float32(self.params.learning_rate) * down / np.sqrt(sums[part])
        return loss

    def result(self) -> Embeddings:
        words, contexts = (self.by_rank(side) for side in self.sides)
        return compose(self.vocabulary, words, contexts, self.params.result)

    def whole(self) -> Embeddings:
        tables = zip(_TABLES, (*self.sides, *self.sums), strict=True)
        return with_state(self.result(), {name: self.by_rank(table) for name, table in tables})

    def by_rank(self, table: Singles) -> Singles:
        """The first d columns of a table whose rows are in the dealt order, most frequent word
        first.
        """
        ranked = np.empty((len(self.order), self.params.dim), dtype=np.float32)
        ranked[self.order] = table[:, : self.params.dim]
        return ranked


def stripe_count(size: int, submatrix: int) -> int:
    """Number of stripes of words: enough steps for a trace, and no submatrix too large. Independent
    of the number of epochs, so that a continued training equals an uninterrupted one.
    """
    return min(size, max(-(-size // submatrix), _LEAST_STRIPES))


@kernel
def weigh_seen(Z: Singles, shard: Submatrix, pulls: Singles) -> float:
    """The loss of seen pairs, minus the loss that ``unseen`` will add for them; their steps, −f Δ,
    go to ``pulls``.
    """
    loss = 0.0
    for at in range(len(pulls)):
        score = np.float64(Z[shard.rows[at], shard.columns[at]])
        difference = score - shard.logs[at]
        pull = shard.weights[at] * difference
        soft = max(score, 0.0) + np.log1p(np.exp(-abs(score)))
        loss += 0.5 * pull * difference - soft
        pulls[at] = -pull
    return loss


@kernel
def unseen(Z: Singles, m: int, sign: Singles) -> float:
    """Σ log(1 + exp(z)) over the first m rows, whose cells become −σ(z)."""
    return logistic(Z, m, sign, 1.0)  # type: ignore[no-any-return]


@kernel
def put_back(Z: Singles, shard: Submatrix, pulls: Singles) -> None:
    for at in range(len(pulls)):
        Z[shard.rows[at], shard.columns[at]] = pulls[at]
