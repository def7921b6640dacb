"""Skip-gram with the exact softmax, trained from counts (Mikolov et al. 2013b, eq. 2).

Over the corpus, the sum of −log( exp(c·w) / Σ_c' exp(c'·w) ) is

    J = Σ_i X_i · H(P_i, Q_i) = Σ_i ( X_i · log Σ_j exp(w_i·c_j) − Σ_j X_ij · w_i·c_j )

where X_ij is the number of times word j is a context of word i, X_i = Σ_j X_ij and P_ij = X_ij/X_i
(Pennington et al. 2014, eq. 12). So one softmax per word covers all its pairs, without sampling:

    ∂J/∂(w_i·c_j) = X_i Q_ij − X_ij

A step takes a batch of words of all frequencies. A word's own gradient, per pair, is a mean of
context vectors, and its curvature the covariance of the context vectors under Q_i. The covariance
under all contexts in its place gives one d × d matrix for all words, and likewise for contexts.
Both tables move by these approximate Newton steps (as in Martens & Grosse 2015), damped and
bounded: by plain gradients, rare words and directions of weak variance would hardly move at all.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Singles
from workbench.core.jit import kernel
from workbench.core.job_control import FinalLoss, JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE, usable_threads
from workbench.core.param_labels import quoted_param
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus
from workbench.counts.cooccurrence import estimate_bytes, expected_cells
from workbench.counts.cooccurrence_kernel import in_threads
from workbench.counts.expected_counts import effective_counts
from workbench.counts.likely_cells import likely_cells
from workbench.models.base import (
    Architecture,
    Estimate,
    LossFloor,
    Model,
    Preset,
    RowObjective,
    TheoryTarget,
)
from workbench.models.checkpointing import CONTEXTS, WORDS, Checkpointer
from workbench.models.company import with_zeros
from workbench.models.count.pmi_base import PairParams, counting_seconds, warm_counting
from workbench.models.params import ResultParams, SharedParams
from workbench.models.predict.full_softmax import SPEED, TILE_CELLS, exponentiate
from workbench.models.predict.stream_trainer import no_pairs_error
from workbench.models.tally import LossTally, is_affordable
from workbench.vectors.embeddings import Embeddings

_LARGE = 10_000
_LEAST_RATE = 1e-4
_POINTS = 250
# Minimum number of batches per epoch, so that a short training has points of the loss.
_BATCHES = 4
# Damping added to the curvature, as a share of its mean; and the maximum change of the scores of
# one word in a step before ``learning_rate``, as a standard deviation over all words.
_DAMPING = 0.01
_BOUND = 1.0
_NEGLIGIBLE = 1e-12
# Cost of evaluating a softmax, as a share of a step.
_LOOK = 0.4


@dataclass(frozen=True)
class SoftmaxParams(ResultParams, PairParams):
    """Hyperparameters of skip-gram with the exact softmax."""

    max_vocab: int = redeclare(
        PairParams,
        "max_vocab",
        _LARGE,
        "an epoch compares all pairs of words: about a second for 10,000 words, ten for 37,000",
        doc=(
            "Maximum number of words, the most frequent first. 0 = no limit. Time grows with the "
            "square of the vocabulary."
        ),
        grows="more rare words; more memory; much slower",
        basic=True,
    )
    sample: float = redeclare(PairParams, "sample", 1e-3, "word2vec.c -sample 1e-3", basic=True)
    dim: int = redeclare(SharedParams, "dim", grows="finer distinctions, more memory, slower")
    epochs: int = redeclare(
        SharedParams,
        "epochs",
        10,
        "a compromise: on a corpus of 14 million words, the loss still decreases after it",
        doc=(
            "Number of times the softmax of every word is visited. Time grows with the square "
            "of the vocabulary."
        ),
        high=10_000_000,
    )
    learning_rate: float = redeclare(
        SharedParams,
        "learning_rate",
        0.5,
        "tried on the bundled corpus and on the 5,000 most frequent words of one of 14 million",
        doc=(
            "Initial step size as a fraction of Newton’s step; decays linearly to a ten-thousandth."
        ),
    )
    batch: int = param(
        256,
        "Number of words whose softmaxes form one step. An epoch has at least four steps.",
        label="Batch",
        low=1,
        high=1_000_000,
        unit="words",
        grows="faster, but fewer steps per epoch",
        source="tried on the bundled corpus and on the 5,000 most frequent words of one of 14 "
        "million",
    )
    init_scale: float = redeclare(SharedParams, "init_scale")
    threads: int = redeclare(
        SharedParams,
        "threads",
        doc=(
            "Number of threads for multiplication. 0 = one per core, at most 8. The same "
            "number gives the same vectors."
        ),
    )
    seed: int = redeclare(SharedParams, "seed", source="gensim seed=1")


class SkipGramSoftmax(Model):
    key = "skipgram-softmax"
    title = tr("Skip-gram with the exact softmax")
    short = "SG softmax"
    family = "predict"
    summary = tr(
        "Predicts the words around a word by an exact softmax over all words, from counts "
        "and without sampling."
    )
    citation = (
        "Mikolov, Sutskever, Chen, Corrado & Dean 2013, Distributed Representations of Words and "
        "Phrases and "
        "their Compositionality, eq. 2; Pennington, Socher & Manning 2014, GloVe, section 3.1"
    )
    loss_label = tr("cross-entropy per pair (nats)")
    order = 12
    params_type = SoftmaxParams
    theory_target = TheoryTarget("logp", "softmax", "count")
    loss_floor = LossFloor("entropy")
    row_objective = RowObjective("softmax")
    architecture = Architecture("skipgram", "softmax")
    presets = (
        Preset("word2vec.c", {}, tr("word2vec.c’s defaults for vectors, window and subsampling")),
        Preset(
            "classroom",
            {"dim": 50, "min_count": 1, "batch": 128, "epochs": 20},
            tr("Chosen for Small World: takes seconds, and analogies work"),
            tr("classroom"),
        ),
    )
    params: SoftmaxParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        size = len(vocabulary)
        threads = usable_threads(params.threads)
        cells = expected_cells(vocabulary, 2 * params.window)
        counting = estimate_bytes(corpus, vocabulary, params.window)
        training = (
            int(12 * cells)
            + size * params.dim * 4 * (9 + threads)
            + 4 * threads * max(TILE_CELLS, size)
        )
        likely = likely_cells(corpus, vocabulary, params.window)
        seconds = counting_seconds(vocabulary, params, likely, params.threads)
        seconds += 6.0 * size**2 * params.dim * params.epochs / (SPEED * threads)
        steps = max(_BATCHES, size / params.batch) * params.epochs
        seconds += 8.0 * size * params.dim**2 * steps / (2 * SPEED)
        warning = ""
        if seconds > 1800:
            warning = tr(
                "Each epoch takes time proportional to the square of the vocabulary. Lower "
                "{max_vocab} or the number of epochs.",
                max_vocab=quoted_param("max_vocab"),
            )
        return Estimate(size, vocabulary.tokens, max(counting, training), seconds, warning)

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        run.check()
        run.enter(Phase.COMPILING, tr("Preparing the kernels"))
        self.warm()
        counts = effective_counts(corpus, vocabulary, params, run, threads=params.threads)
        run.enter(Phase.TRAINING)
        start = self.begin(vocabulary)
        state = Training(
            counts, params.dim, start.entropy(params.seed), usable_threads(params.threads)
        )
        state.W *= np.float32(params.init_scale)
        start.fill(WORDS, state.W)
        start.fill(CONTEXTS, state.C)

        def result() -> Embeddings:
            return Embeddings(
                vocabulary.words, state.W.copy(), vocabulary.counts, contexts=state.C.copy()
            )

        if len(state.rows) == 0:
            raise no_pairs_error()
        keeper = Checkpointer(run, start, params.epochs, params.learning_rate, result)
        if start.fresh:
            keeper.set_initial_loss(float(np.log(len(vocabulary))), certain=True)
        with BLAS_ALONE:
            done, final = _train(state, params, run, keeper)
        alone = np.asarray(counts.sum(axis=1)).ravel() == 0
        return with_zeros(keeper.result(done, final), alone)

    @classmethod
    def warm(cls) -> None:
        warm_counting()
        one, ends = np.ones((1, 1), np.float32), np.array([0, 1])
        seen_scores(ends, np.zeros(1, np.int32), np.ones(1), np.zeros(1, np.int64), one)
        subtract_shares(
            ends, np.zeros(1, np.int32), np.ones(1), np.zeros(1, np.int64), one, one.ravel()
        )


class Training:
    """The tables while training.

    W, C : float32[V, d]; W is uniform with vectors of length about 1, C = 0; rows : int64, words
    that have pairs
    """

    def __init__(
        self, counts: sp.csr_matrix, dim: int, seed: int | list[int], threads: int
    ) -> None:
        self.counts = counts
        self.ends = counts.indptr.astype(np.int64)
        self.columns = counts.indices.astype(np.int32, copy=False)
        self.totals = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
        self.rows = np.flatnonzero(self.totals > 0)
        self.pairs = float(self.totals.sum())
        size = counts.shape[0]
        self.random = np.random.default_rng(seed)
        spread = np.float32(np.sqrt(12 / dim))
        self.W: Singles = (
            self.random.random((size, dim), dtype=np.float32) - np.float32(0.5)
        ) * spread
        self.C: Singles = np.zeros((size, dim), dtype=np.float32)
        self._word_shares = (self.totals / max(self.pairs, 1e-300)).astype(np.float32)
        contexts = np.asarray(counts.sum(axis=0), dtype=np.float64).ravel()
        self._context_shares = (contexts / max(self.pairs, 1e-300)).astype(np.float32)
        self._threads = threads
        self._tile = max(1, TILE_CELLS // size)
        self._C_parts = [np.zeros((size, dim), dtype=np.float32) for _ in range(threads)]

    def batches(self, words: int) -> list[npt.NDArray[np.int64]]:
        """All rows once, in batches of about ``words`` rows, each with words of all frequencies."""
        number = min(max(-(-len(self.rows) // words), _BATCHES), len(self.rows))
        columns = -(-len(self.rows) // number)
        padded = np.full(number * columns, -1)
        padded[: len(self.rows)] = self.rows
        dealt = self.random.permuted(padded.reshape(columns, number), axis=1).T
        return [batch[batch >= 0] for batch in dealt]

    def losses(self, rows: npt.NDArray[np.int64], run: JobControl) -> Doubles:
        """The loss of each word of a batch, X_i·H(P_i, Q_i) in nats, float64[n]."""
        losses = np.zeros(len(rows))
        firsts = list(range(0, len(rows), self._tile))

        def work(thread: int, pause: Callable[[], None]) -> None:
            for first in firsts[thread :: self._threads]:
                pause()
                part = slice(first, first + self._tile)
                scores = self.W[rows[part]] @ self.C.T
                seen = seen_scores(self.ends, self.columns, self.counts.data, rows[part], scores)
                losses[part] = self.totals[rows[part]] * exponentiate(scores)[0] - seen

        in_threads(work, self._threads, run, lambda: None)
        return losses

    def gradients(
        self, rows: npt.NDArray[np.int64], run: JobControl
    ) -> tuple[Doubles, Singles, Singles]:
        """The loss of each word of a batch, X_i·H(P_i, Q_i) in nats, and the gradients: of each w_i
        over X_i, float32[len(rows), d], and of C over the batch's pairs, float32[V, d].
        """
        losses = np.zeros(len(rows))
        gradient_W = np.empty((len(rows), self.W.shape[1]), dtype=np.float32)
        scale = np.float32(1 / self.totals[rows].sum())
        firsts = list(range(0, len(rows), self._tile))

        def work(thread: int, pause: Callable[[], None]) -> None:
            part_C = self._C_parts[thread]
            part_C[:] = 0
            for first in firsts[thread :: self._threads]:
                pause()
                part = slice(first, first + self._tile)
                chosen = rows[part]
                vectors, totals = self.W[chosen], self.totals[chosen]
                scores = vectors @ self.C.T
                seen = seen_scores(self.ends, self.columns, self.counts.data, chosen, scores)
                log_sums, sums = exponentiate(scores)
                losses[part] = totals * log_sums - seen
                scores /= sums
                subtract_shares(
                    self.ends,
                    self.columns,
                    self.counts.data,
                    chosen,
                    scores,
                    (1 / totals).astype(np.float32),
                )
                np.matmul(scores, self.C, out=gradient_W[part])
                part_C += scores.T @ (vectors * (totals[:, None].astype(np.float32) * scale))

        in_threads(work, self._threads, run, lambda: None)
        gradient_C = self._C_parts[0]
        for other in self._C_parts[1:]:
            gradient_C += other
        return losses, gradient_W, gradient_C

    def step(
        self, rows: npt.NDArray[np.int64], rate: float, run: JobControl, bound: float = _BOUND
    ) -> Doubles:
        """Make one step for a batch of words; return the loss of each before, float64[n].

        bound : maximum size of a word's step before ``rate``, see :func:`newton`
        """
        losses, gradient_W, gradient_C = self.gradients(rows, run)
        if not np.isfinite(losses).all():
            return losses
        mean = self._context_shares @ self.C
        spread_C = (self.C * self._context_shares[:, None]).T @ self.C - np.outer(mean, mean)
        run.check()
        spread_W = (self.W * self._word_shares[:, None]).T @ self.W
        run.check()
        # The batch represents its share of the pairs, and each context has its share of those.
        share = float(self.totals[rows].sum()) / self.pairs
        gradient_C /= np.maximum(self._context_shares, np.float32(_NEGLIGIBLE))[:, None]
        move_C = newton(spread_W.astype(np.float64), gradient_C, rate * share, bound)
        self.W[rows] -= newton(spread_C.astype(np.float64), gradient_W, rate, bound)
        self.C -= move_C
        return losses


def _train(
    state: Training, params: SoftmaxParams, run: JobControl, keeper: Checkpointer
) -> tuple[float, FinalLoss | None]:
    """Train all epochs; record the loss per pair at some 250 points, with its standard error over
    words. Return the completed share, and the final loss.

    Each word's loss is taken before its own step, and C changes between words: points are above the
    objective by about the gain of an epoch, more so at the end of an epoch.
    """
    recorded = done = 0.0
    place = np.full(state.counts.shape[0], -1)
    place[state.rows] = np.arange(len(state.rows))
    tally = LossTally(len(state.rows), draws=False)
    for epoch in range(params.epochs):
        batches = state.batches(params.batch)
        for number, rows in enumerate(batches):
            run.check()
            if run.stopping:
                return done, _final(state, params, run, done, tally)
            before = (epoch + number / len(batches)) / params.epochs
            rate = params.learning_rate * max(1 - before, _LEAST_RATE)
            # The bound applies to the step after the rate, not to its direction: for a rare
            # context, most batches say “less” and few “much more”; clipping these would push it
            # down for good.
            bound = _BOUND * params.learning_rate / max(rate, 1e-300)
            tally.add(place[rows], state.step(rows, rate, run, bound), state.totals[rows])
            done = (epoch + (number + 1) / len(batches)) / params.epochs
            if not tally.finite:
                raise keeper.divergence_error(done)
            if done - recorded >= 1 / _POINTS or done == 1:
                mean = tally.point()
                if mean is not None:
                    keeper.record(done, mean.loss, mean.error)
                recorded = done
            run.advance(
                done,
                tr("epoch {epoch} of {epochs}", epoch=epoch + 1, epochs=params.epochs),
                learning_rate=rate,
            )
            keeper.answer_requests(done)
    return done, _final(state, params, run, done, tally)


def _final(
    state: Training, params: SoftmaxParams, run: JobControl, done: float, tally: LossTally
) -> FinalLoss | None:
    size, dim = state.W.shape
    evaluated = done > 0 and is_affordable(_LOOK / (done * params.epochs), dim * float(size) ** 2)
    if evaluated:
        tally.add(
            np.arange(len(state.rows)), state.losses(state.rows, run), state.totals[state.rows]
        )
    return tally.final(evaluated)


@kernel
def seen_scores(
    ends: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int32],
    values: npt.NDArray[np.float64],
    rows: npt.NDArray[np.int64],
    scores: Singles,
) -> npt.NDArray[np.float64]:
    """Σ_j X_ij·scores[r, j], i = rows[r]: float64[len(rows)]."""
    sums = np.zeros(len(rows))
    for r in range(len(rows)):
        total = 0.0
        for at in range(ends[rows[r]], ends[rows[r] + 1]):
            total += values[at] * scores[r, columns[at]]
        sums[r] = total
    return sums


@kernel
def subtract_shares(
    ends: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int32],
    values: npt.NDArray[np.float64],
    rows: npt.NDArray[np.int64],
    scores: Singles,
    factors: Singles,
) -> None:
    """scores[r, j] −= X_ij·factors[r], i = rows[r]."""
    for r in range(len(rows)):
        for at in range(ends[rows[r]], ends[rows[r] + 1]):
            scores[r, columns[at]] -= np.float32(values[at]) * factors[r]


def newton(
    curvature: npt.NDArray[np.float64], gradient: Singles, rate: float, bound: float
) -> Singles:
    """Descent steps for a gradient whose rows share one curvature, damped and bounded: float32[n,
    d].

    curvature : float64[d, d], positive semidefinite; gradient : float32[n, d]
    A step s is shortened so that √(sᵀ curvature s), the standard deviation of the scores' change,
    is at most ``bound``, and then multiplied by ``rate``.
    """
    dim = len(curvature)
    level = float(np.trace(curvature)) / dim
    if level < _NEGLIGIBLE:
        return np.zeros_like(gradient)
    inverse = np.linalg.inv(curvature + _DAMPING * level * np.eye(dim)).astype(np.float32)
    steps: Singles = gradient @ inverse
    squares = np.einsum("ij,ij->i", steps @ curvature.astype(np.float32), steps)
    length = np.sqrt(np.maximum(squares, 0))
    steps *= (rate * np.minimum(1, bound / np.maximum(length, _NEGLIGIBLE))).astype(np.float32)[
        :, None
    ]
    return steps
