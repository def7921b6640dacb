"""Template of the algorithms that train on single cells of a sparse table, in several threads.

A :class:`CellTrainer` holds the tables of one training, weights cells and calls the algorithm's
kernel; a :class:`CellModel` is the algorithm, whose ``fit`` counts, lays out and visits cells.
:mod:`workbench.models.count.cell_layout` lays out cells and orders their chunks.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Array, Doubles, Ids, Ints
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import usable_threads
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cell_source import CellSource, Counts, Held
from workbench.counts.cooccurrence_kernel import in_threads
from workbench.counts.counts_corpus import counts_of
from workbench.models.base import Model
from workbench.models.checkpointing import (
    CONTEXTS,
    WORDS,
    Checkpointer,
    ResumeState,
    with_state,
)
from workbench.models.count.cell_layout import CellLayout, arrange_cells
from workbench.models.count.factorisation_base import needs_words, no_cells
from workbench.models.count.pmi_start import start_factors
from workbench.models.kernels.gemm import padded_dim
from workbench.models.parallel import run_steps
from workbench.models.params import FactorParams
from workbench.models.randomised_svd import Factors
from workbench.models.start_from_counts import COUNTS
from workbench.models.tally import PARTS, LossTally, fair_order, is_affordable
from workbench.vectors.embeddings import Embeddings

_POINTS = 250
_CHUNK = 4096  # cells visited before the next block: half a millisecond
_CHUNKS = 4000  # minimum for a small table, so that a part of an epoch is a sample of a hundred
_BEGINNING = 100  # chunks for the initial loss
_CALL = 100_000  # cells of one call of a kernel: 10 to 25 ms
_BLOCK_BYTES = 768 << 10  # of rows that a block may use
# Cost of evaluating a cell, as a share of a step.
_LOOK = 0.3


def stripe_width(dim: int) -> int:
    """Number of rows of W, and of C, that a block of cells may use."""
    return max(32, _BLOCK_BYTES // (2 * 2 * 4 * padded_dim(dim)))


def chunk_cells(cells: int) -> int:
    """Number of cells visited before the next block; few for a small table, so that a part of a
    pass is a sample of all blocks.
    """
    return max(1, min(_CHUNK, cells // _CHUNKS))


class Visitor:
    """State of one thread: its number, and the number of chunks it visited."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.done = 0


class ChunkVisit(NamedTuple):
    """Chunks that one call of a kernel visits, and their losses.

    numbers : int64[n]; losses : float64[n], the sum over the chunk before each step; terms :
    float64[n], the number of terms
    """

    numbers: Ints
    losses: Doubles
    terms: Doubles


def visit_of(numbers: Ints) -> ChunkVisit:
    """A visit of the chunks with these numbers, whose losses are still unknown."""
    return ChunkVisit(numbers, np.empty(len(numbers)), np.empty(len(numbers)))


class CellTrainer(ABC):
    """Weights, targets, tables and kernel of one training.

    call : number of cells visited in one call of the kernel, which then takes 10 to 25 ms
    draws : whether a visit draws cells at random
    initial_loss : the loss of the initial vectors, or of random ones where they are from the
    counts; 0 before ``prepare``
    layout, tables : the cells, and the tables that continued training needs, by their names in
    ``Embeddings.state``; set by ``prepare``
    own_contexts : the contexts if they aren't the words; set by ``prepare``
    """

    layout: CellLayout
    tables: dict[str, Array]
    own_contexts: Sequence[str] | None = None
    call = _CALL
    draws = False
    initial_loss = 0.0

    def __init__(self, vocabulary: Vocabulary, params: FactorParams, start: ResumeState) -> None:
        self.vocabulary = vocabulary
        self.params = params
        self.start = start

    def prepare(self, counts: Counts, run: JobControl) -> None:
        """Lay out the cells; then make the tables, or restore them. Raises UserError and
        Cancelled.
        """
        self.own_contexts = counts.own_contexts
        self.start.check_contexts(self.own_contexts)
        counted = self.params.start == COUNTS and self.start.fresh and counts.nnz > 0
        factors = self.factorise(counts, run) if counted else None
        self.layout, held = self.lay_out(counts, run), counts.held
        del counts
        self.tables = self.open_tables()
        self.initial_loss = self._some_loss()
        if factors is not None:
            # From few counts, the loss can start at 0: any later one would be far above it.
            self.set_start(factors, held, run)
            del factors
        self._clear_words_without_cells()
        for name, table in self.tables.items():
            self.start.fill(name, table)
        if not self.start.fresh:
            self.initial_loss = self._some_loss()

    def _some_loss(self) -> float:
        """The objective over some chunks."""
        order = fair_order(
            len(self.layout.cells.chunks) - 1, np.random.default_rng(self.params.seed)
        )
        visit = visit_of(order[:_BEGINNING])
        self.evaluate_chunks(Visitor(0), visit)
        return float(visit.losses.sum() / max(visit.terms.sum(), 1.0))

    def _clear_words_without_cells(self) -> None:
        """Set the vectors of words without cells to 0: no cell would move them from their random
        start, which would look like a vector.
        """
        cells = self.layout.cells
        for name, used in ((WORDS, cells.rows), (CONTEXTS, cells.columns)):
            unused = np.ones(len(self.tables[name]), dtype=np.bool_)
            unused[used] = False
            self.tables[name][unused] = 0

    def lay_out(self, counts: Counts, run: JobControl) -> CellLayout:
        """The cells to visit, with their weights and targets."""
        if counts.nnz == 0:
            raise no_cells()
        self.measure(counts)
        return self.arrange(counts, run)

    def measure(self, counts: Counts) -> None:  # noqa: B027
        """Store the sums that weights and targets depend on, besides the value of a cell."""

    def arrange(self, source: CellSource, run: JobControl) -> CellLayout:
        """The cells of ``source`` in blocks."""
        run.enter(Phase.COUNTING, tr("Arranging the cells in blocks"))
        stripe, chunk = stripe_width(self.params.dim), chunk_cells(source.nnz)
        return arrange_cells(source, self.weight_and_target, stripe, chunk, self.params.seed, run)

    @abstractmethod
    def weight_and_target(
        self, rows: Ids, columns: Ids, values: Doubles
    ) -> tuple[Doubles, Doubles]:
        """Weight of each cell, float64[n], and target of its product, float64[n]."""

    @abstractmethod
    def open_tables(self) -> dict[str, Array]:
        """Make the tables at their initial values."""

    def factorise(self, counts: Counts, run: JobControl) -> Factors:
        """W and C of a start from the counts. Raises Cancelled."""
        return start_factors(counts, self.params.dim, self.params, run)

    def set_start(self, factors: Factors, held: bool, run: JobControl) -> None:
        """Replace the random values by those of a start from the counts. ``held``: whether memory
        has room for a number for each cell
        """
        for name, vectors in zip((WORDS, CONTEXTS), factors, strict=True):
            self.tables[name][:, : vectors.shape[1]] = vectors

    @abstractmethod
    def train_chunks(self, visitor: Visitor, visit: ChunkVisit, rate: float) -> None:
        """Call the kernel."""

    @abstractmethod
    def evaluate_chunks(self, visitor: Visitor, visit: ChunkVisit) -> None:
        """Write the losses of chunks without making a step."""

    @abstractmethod
    def snapshot(self) -> Embeddings:
        """Copy of the current vectors."""

    def result(self) -> Embeddings:
        """Copy of the current result, with everything that continued training needs."""
        return with_state(self.snapshot(), self.tables)

    def rate(self, share: float) -> float:
        """Learning rate after this share of the training."""
        return self.params.learning_rate

    @property
    def work(self) -> float:
        """Multiply-adds of a pass."""
        return float(self.params.dim) * len(self.layout.cells.rows)


class CellModel(Model):
    """Base of the algorithms with a :class:`CellTrainer`."""

    family = "count"
    from_counts = True
    params: FactorParams

    @abstractmethod
    def count(
        self, corpus: Corpus, vocabulary: Vocabulary, run: JobControl
    ) -> sp.csr_matrix | Held:
        """The counts of pairs, CSR float64[V, V], or with contexts of their own."""

    @abstractmethod
    def trainer(self, vocabulary: Vocabulary, start: ResumeState) -> CellTrainer:
        """A training without cells and tables as yet."""

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        vocabulary = corpus.vocabulary(self.params.min_count, self.params.max_vocab)
        run.check()
        run.enter(Phase.COMPILING, tr("Preparing the kernels"))
        self.warm()
        trainer = self.trainer(vocabulary, self.begin(vocabulary))
        count = partial(self.count, corpus, vocabulary, run)
        counts = counts_of(corpus, vocabulary, count, run)
        if counts.own_contexts is not None and not self.own_contexts:
            raise needs_words(self.title)
        trainer.prepare(counts, run)
        return visit_cells(trainer, run)

    @classmethod
    def warm(cls) -> None:
        ids = np.array([0, 1, 0, 2, 1], dtype=np.int32)
        corpus = Corpus("", ids, np.array([0, 3, 5]), ("a", "b", "c"), np.array([2, 2, 1]), "")
        vocabulary, run = corpus.vocabulary(), JobControl()
        model = cls(cls.params_type.from_mapping({"dim": 2, "window": 2, "threads": 1}))
        trainer = model.trainer(vocabulary, ResumeState())
        count = partial(model.count, corpus, vocabulary, run)
        trainer.prepare(counts_of(corpus, vocabulary, count, run), run)
        visit, visitor = visit_of(np.zeros(1, np.int64)), Visitor(0)
        trainer.train_chunks(visitor, visit, 0.1)
        trainer.evaluate_chunks(visitor, visit)


def visit_cells(trainer: CellTrainer, run: JobControl) -> Embeddings:
    """All passes over the cells, in threads that take chunks in turn. Returns the result.

    Records the mean of the objective since the last point, at 40 to 250 points, with its standard
    error over chunks; answers requests for snapshots and keeps the last good state; raises Diverged
    and Cancelled. Chunks and their order in a pass follow from the table, the seed and the number
    of earlier passes: with a constant rate, a continued training equals an uninterrupted one.
    """
    return _CellLoop(trainer, run).train()


class _CellLoop:
    """The threads of a training, the order of its chunks, and the points of its loss."""

    def __init__(self, trainer: CellTrainer, run: JobControl) -> None:
        params, cells = trainer.params, trainer.layout.cells
        self._trainer, self._run = trainer, run
        threads = min(usable_threads(params.threads), max(1, len(cells.rows) // 1000))
        self._every = len(cells.chunks) - 1
        self._total = self._every * params.epochs
        self._random = np.random.default_rng(np.random.SeedSequence([params.seed, 2]))
        for _ in range(trainer.start.begun):
            trainer.layout.order(self._random)
        # A point consists of whole parts of a pass, each a sample of the table, and a part of whole
        # calls.
        part = -(-self._every // PARTS)
        calls = max(threads, -(-part * int(np.diff(cells.chunks).max()) // trainer.call))
        self._per_call = max(1, -(-part // calls))
        self._gap = self._every / PARTS * max(1, -(-PARTS * params.epochs // _POINTS))
        self._taking = threading.Lock()
        self._order, self._place, self._passes = np.empty(0, dtype=np.int64), 0, 0
        self._visitors = [Visitor(number) for number in range(threads)]
        self._tally = LossTally(self._every, trainer.draws)
        self._reported = 0
        self._keeper = Checkpointer(
            run,
            trainer.start,
            params.epochs,
            params.learning_rate,
            trainer.result,
            trainer.snapshot,
        )

    def train(self) -> Embeddings:
        run = self._run
        run.enter(Phase.TRAINING)
        self._keeper.set_initial_loss(self._trainer.initial_loss)
        run_steps(run, [partial(self._step, visitor) for visitor in self._visitors], self._report)
        done = self._visited()
        evaluated = done > 0 and is_affordable(_LOOK * self._every / done, self._trainer.work)
        if evaluated:
            in_threads(self._evaluate, len(self._visitors), run, lambda: None)
        return self._keeper.result(done / self._total, self._tally.final(evaluated))

    def _visited(self) -> int:
        return sum(visitor.done for visitor in self._visitors)

    def _take_chunks(self) -> Ints | None:
        """Numbers of the next chunks, None after the last pass."""
        layout = self._trainer.layout
        with self._taking:
            if self._place >= len(self._order):
                if self._passes == self._trainer.params.epochs:
                    return None
                self._order, self._place = layout.order(self._random), 0
                self._passes += 1
            layout.look_ahead(self._order, self._place)
            taken = self._order[self._place : self._place + self._per_call]
            self._place += self._per_call
            return taken

    def _step(self, visitor: Visitor) -> bool:
        """One call of the kernel; False after the last chunk."""
        numbers = self._take_chunks()
        if numbers is None:
            return False
        visit = visit_of(numbers)
        rate = self._trainer.rate(self._visited() / self._total)
        self._trainer.train_chunks(visitor, visit, rate)
        self._tally.add(*visit)
        visitor.done += len(numbers)
        return True

    def _report(self) -> None:
        """Record a point of the loss if it is due, and the progress."""
        run, every, total = self._run, self._every, self._total
        epochs = self._trainer.params.epochs
        done = self._visited()
        if not self._tally.finite:
            raise self._keeper.divergence_error(done / total)
        # Parts differ in size by a chunk or two.
        due = done - self._reported >= self._gap - self._per_call / 2
        if due or (done >= total and done > self._reported):
            mean = self._tally.point()
            if mean is not None:
                self._keeper.record(min(done / total, 1.0), mean.loss, mean.error)
                self._reported = done
        seconds, cells = run.phase_seconds(), len(self._trainer.layout.cells.rows)
        run.advance(
            done / total,
            tr("epoch {epoch} of {epochs}", epoch=min(done // every + 1, epochs), epochs=epochs),
            rate=done / every * cells / seconds if seconds > 0 else None,
            unit=tr("cells"),
        )
        self._keeper.answer_requests(done / total)

    def _evaluate(self, number: int, pause: Callable[[], None]) -> None:
        """Evaluate one thread's part of the chunks. Raises Cancelled."""
        step = self._per_call
        for first in range(number * step, self._every, len(self._visitors) * step):
            pause()
            visit = visit_of(np.arange(first, min(first + step, self._every)))
            self._trainer.evaluate_chunks(self._visitors[number], visit)
            self._tally.add(*visit)
