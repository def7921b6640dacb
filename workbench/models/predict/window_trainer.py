"""Template of the algorithms that read the corpus window by window.

A :class:`WindowTrainer` holds the tables of one training and calls the algorithm's kernel; a
:class:`WindowModel` is the algorithm, whose ``fit`` runs a trainer over the corpus.
"""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np

from workbench.core.arrays import Array, Doubles, Ints
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import usable_threads
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.models.base import Estimate, Model
from workbench.models.checkpointing import Checkpointer, ResumeState
from workbench.models.company import without_random_vectors
from workbench.models.parallel import run_steps
from workbench.models.predict.stream_trainer import (
    LEAST_RATE,
    LEAST_SEGMENT,
    Segments,
    StreamParams,
    WindowChunk,
    Worker,
    kept_tokens,
    no_pairs_error,
    open_stream,
    segment_count,
    segment_edges,
    stream_bytes,
)
from workbench.models.tally import PARTS, LossTally
from workbench.vectors.embeddings import Embeddings

Scratch = TypeVar("Scratch")

_POINTS = 250
# Minimum number of segments for a point of the loss in a long training: fewer say little about its
# error.
_SAMPLE = 8
# Stretches that are read twice after a single epoch: their number, the share of the corpus in one
# visit of all of them (1/20), and their minimum and maximum lengths in tokens.
_STRETCHES, _REPEATED, _STRETCH = 40, 20, (50, 500)
# Seconds per call of a kernel, and the minimum number of windows per call.
_CALL_SECONDS, _LEAST_WINDOWS = 0.03, 256


def windows_per_call(speed: float, work: float) -> int:
    """Number of windows of ``work`` multiply-adds per call of a kernel; ``speed`` is in
    multiply-adds per second.
    """
    return max(_LEAST_WINDOWS, int(speed * _CALL_SECONDS / work))


class WindowTrainer(ABC, Generic[Scratch]):
    """Tables of one training, and its kernel. ``Scratch`` is a thread's own working memory.

    first_loss : the loss of a training from the beginning before its first step, 0 if unknown
    """

    first_loss: float = 0.0

    def __init__(self, vocabulary: Vocabulary, params: StreamParams, start: ResumeState) -> None:
        self.vocabulary = vocabulary
        self.params = params
        self.start = start
        self._scratches: dict[int, Scratch] = {}

    def restore(self, tables: Mapping[str, Array]) -> None:
        """Restore the tables from the end of an earlier training."""
        for name, table in tables.items():
            self.start.fill(name, table)

    def set_start(self, corpus: Corpus, run: JobControl) -> None:
        """Replace the random values of a training from the beginning, if its parameters say so."""
        return

    def step(self, worker: Worker, chunk: WindowChunk) -> None:
        """Train on a chunk of a worker's segment."""
        scratch = self._scratches.get(worker.number)
        if scratch is None:
            scratch = self._scratches[worker.number] = self.make_scratch(worker.number)
        self.train_chunk(chunk, scratch)

    @property
    @abstractmethod
    def windows(self) -> int:
        """Number of windows per call of the kernel, which takes some 30 ms."""

    @abstractmethod
    def make_scratch(self, worker: int) -> Scratch:
        """Working memory of the thread with this number."""

    @abstractmethod
    def train_chunk(self, chunk: WindowChunk, scratch: Scratch) -> None:
        """Call the kernel."""

    @abstractmethod
    def result(self) -> Embeddings:
        """Copy of the current result, with everything that continued training needs."""

    def snapshot(self) -> Embeddings:
        """Copy of the result for display, if that is cheaper."""
        return self.result()

    def least_segment(self, corpus: Corpus) -> int:
        """Minimum number of tokens of a segment, because the last chunk of each segment is
        small.
        """
        return LEAST_SEGMENT


class WindowModel(Model):
    """Base of the algorithms with a :class:`WindowTrainer`."""

    family = "predict"
    scans_tokens = True
    params_type: ClassVar[type[StreamParams]]
    params: StreamParams

    @abstractmethod
    def trainer(self, vocabulary: Vocabulary, start: ResumeState) -> WindowTrainer[Any]:
        """A training's tables and kernel, restored from ``start``."""

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        vocabulary = corpus.vocabulary(self.params.min_count, self.params.max_vocab)
        run.enter(Phase.COMPILING, tr("Preparing the kernels"))
        self.warm()
        run.check()
        begun = self.begin(vocabulary)
        trainer = self.trainer(vocabulary, begun)
        if begun.fresh:
            trainer.set_start(corpus, run)
        trained = train_windows(trainer, corpus, run)
        return without_random_vectors(trained, corpus, vocabulary, run)

    @classmethod
    def warm(cls) -> None:
        ids = np.array([0, 1, 0, 1], dtype=np.int32)
        corpus = Corpus("", ids, np.array([0, 4]), ("a", "b"), np.array([2, 2]), "")
        params = cls.params_type(dim=2, window=1, min_count=1, sample=0.0, threads=1)
        vocabulary = corpus.vocabulary()
        trainer = cls(params).trainer(vocabulary, ResumeState())
        worker, stream = Worker(0, 1), open_stream(corpus, vocabulary, params)
        worker.begin(stream, 0, corpus.tokens)
        trainer.step(worker, worker.chunk(stream, corpus.tokens, 0.1, 0.0, 0.0))
        trainer.snapshot()

    def window_estimate(
        self, vocabulary: Vocabulary, work: float, speed: float, more_bytes: float
    ) -> Estimate:
        """Cost of windows of ``work`` multiply-adds each at ``speed`` multiply-adds per second;
        ``more_bytes`` : memory in addition to the two tables.
        """
        params, size = self.params, len(vocabulary)
        kept = kept_tokens(vocabulary, params)
        return Estimate(
            vocabulary=size,
            kept_tokens=round(kept),
            memory_bytes=round(stream_bytes(size, params.dim) + more_bytes),
            seconds=kept * params.epochs * work / (speed * usable_threads(params.threads)),
        )


def train_windows(trainer: WindowTrainer[Any], corpus: Corpus, run: JobControl) -> Embeddings:
    """Train all epochs. Returns the result.

    The learning rate falls linearly from the one in the parameters, even in a continuation. The
    corpus is cut into segments that are read in an order drawn again for every epoch, each part of
    which contains segments from everywhere: otherwise, novels in sequence would pull the vectors
    towards the last one, and no point of the loss would represent the whole corpus. Several threads
    take the segments in turn, so that they end together.

    Records the mean of the objective since the last point, at up to 250 points, with its standard
    error over segments; answers requests for snapshots and keeps the last good state. Raises
    Diverged, and UserError if no window contains a pair of words.
    """
    return _WindowLoop(trainer, corpus, run).train()


class WindowPlan(NamedTuple):
    """How a training cuts its text.

    edges : int64[S + 1], positions between segments; slices : number of units of the loss in a
    segment; windows : maximum number of windows per call of the kernel
    """

    edges: Ints
    slices: int
    windows: int


def plan_windows(trainer: WindowTrainer[Any], corpus: Corpus, threads: int) -> WindowPlan:
    """The plan of a training with this number of threads."""
    total = corpus.tokens * trainer.params.epochs
    windows = max(1, min(trainer.windows, total // (threads * _POINTS)))
    sentences = np.asarray(corpus.sentences)
    edges = segment_edges(sentences, segment_count(corpus, trainer.least_segment(corpus)))
    # A short corpus has few segments, so slices of them are the units of the loss.
    slices = -(-PARTS // (2 * (len(edges) - 1)))
    if slices > 1:
        windows = max(1, min(windows, corpus.tokens // (2 * slices * (len(edges) - 1))))
    return WindowPlan(edges, slices, windows)


class _WindowLoop:
    """The threads of a training, their segments, and the points of its loss."""

    def __init__(self, trainer: WindowTrainer[Any], corpus: Corpus, run: JobControl) -> None:
        params, start = trainer.params, trainer.start
        threads = min(usable_threads(params.threads), max(1, corpus.tokens // 1000))
        self._trainer, self._corpus, self._run = trainer, corpus, run
        self._total = corpus.tokens * params.epochs
        self._stream = open_stream(corpus, trainer.vocabulary, params)
        self._edges, self._slices, self._windows = plan_windows(trainer, corpus, threads)
        seeds = np.random.SeedSequence(start.entropy(params.seed)).spawn(threads + 2)
        shuffle = np.random.default_rng(seeds[threads])
        self._segments = Segments(
            self._stream.ids, self._edges, params.epochs, shuffle, ahead=2 * threads
        )
        self._workers = [
            Worker(i, int(seeds[i].generate_state(1, np.uint64)[0])) for i in range(threads)
        ]
        self._repeater = Worker(0, int(seeds[-1].generate_state(1, np.uint64)[0]))
        self._units = self._slices * (len(self._edges) - 1)
        self._tally = LossTally(self._units, draws=True)
        self._known = int(corpus.counts[: len(self._stream.keep)].sum()) / max(corpus.tokens, 1)
        self._reported = 0
        self._keeper = Checkpointer(
            run, start, params.epochs, params.learning_rate, trainer.result, trainer.snapshot
        )
        if start.fresh:
            self._keeper.set_initial_loss(trainer.first_loss, certain=True)

    def train(self) -> Embeddings:
        self._run.enter(Phase.TRAINING)
        run_steps(
            self._run, [partial(self._step, worker) for worker in self._workers], self._report
        )
        if not self._run.stopping and not self._tally.knows_draws:
            self._tally.add_repeats(*self._repeat_stretches())
        final = self._tally.final()
        if final is None and not self._run.stopping:
            raise no_pairs_error()
        return self._keeper.result(self._tokens_read() / self._total, final)

    def _repeat_stretches(self) -> tuple[Doubles, Doubles]:
        """Read stretches from everywhere in the corpus twice, without a step. Returns their losses
        and numbers of terms, float64[2, stretches].

        After a single epoch, nothing else shows by how much random draws change the loss.
        """
        worker, tokens = self._repeater, self._corpus.tokens
        length = int(np.clip(tokens // (_STRETCHES * _REPEATED), *_STRETCH))
        starts = np.linspace(0, max(tokens - length, 0), _STRETCHES).astype(np.int64)
        sums = np.zeros((2, _STRETCHES, 2))
        for visit, number in itertools.product(range(2), range(_STRETCHES)):
            start = int(starts[number])
            worker.begin(self._stream, start, min(start + length, tokens))
            while not worker.at_end:
                self._run.check()
                self._trainer.step(worker, worker.chunk(self._stream, self._windows, 0.0, 0.0, 0.0))
            sums[visit, number] = worker.totals[:2]
            worker.totals[:2] = 0
        return sums[:, :, 0], sums[:, :, 1]

    def _tokens_read(self) -> int:
        return sum(worker.tokens_read for worker in self._workers)

    def _step(self, worker: Worker) -> bool:
        """One call of the kernel; False after the last segment."""
        if worker.at_end:
            segment = self._segments.next_segment(worker.number)
            if segment is None:
                return False
            worker.begin(self._stream, *segment)
        rate, slices = self._trainer.params.learning_rate, self._slices
        place = worker.slice_of(slices)
        unit = slices * int(np.searchsorted(self._edges, worker.stop) - 1) + place
        chunk = worker.chunk(
            self._stream,
            self._windows,
            rate=rate * (1 - self._tokens_read() / self._total),
            fall=rate * len(self._workers) / self._total,
            least=rate * LEAST_RATE,
        )
        self._trainer.step(worker, chunk)
        if not math.isfinite(worker.totals[0]):
            raise self._keeper.divergence_error(self._tokens_read() / self._total)
        if worker.at_end or place != worker.slice_of(slices):
            self._tally.add_one(unit, float(worker.totals[0]), float(worker.totals[1]))
            worker.totals[:2] = 0
        return True

    def _report(self) -> None:
        """Record a point of the loss if it is due, and the progress."""
        corpus, params, total = self._corpus, self._trainer.params, self._total
        done = self._tokens_read()
        # In a training of any length, the first points come at once, and later ones at growing
        # gaps.
        first = _SAMPLE * corpus.tokens / self._units
        gap = min(max(total / _POINTS, min(first, total / PARTS)), max(first, self._reported / 10))
        if done - self._reported >= gap or done >= total > self._reported:
            mean = self._tally.point()
            if mean is not None:
                self._keeper.record(min(done / total, 1.0), mean.loss, mean.error)
                self._reported = done
        seconds = self._run.phase_seconds()
        progress = done / total
        self._run.advance(
            progress,
            tr(
                "epoch {epoch} of {epochs}",
                epoch=min(done // corpus.tokens + 1, params.epochs),
                epochs=params.epochs,
            ),
            rate=self._known * done / seconds if seconds > 0 else None,
            unit=tr("tokens"),
            learning_rate=params.learning_rate * max(1 - progress, LEAST_RATE),
        )
        self._keeper.answer_requests(progress)
