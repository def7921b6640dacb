"""Continuous bag of words with the exact softmax (Mikolov et al. 2013a, section 3.1).

A word w is predicted from the mean h of the vectors of the words in its window, among all words:

    −log( exp(h·c_w) / Σ_c' exp(h·c') )

The text is read as by all predictive algorithms; the softmaxes of some hundred positions are
computed together, as one product with the whole of C. Steps are AdaGrad's (Duchi, Hazan & Singer
2011): C receives the summed gradient of the batch at once, the words of each window receive theirs
one after another.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE, usable_threads
from workbench.core.param_labels import quoted_param
from workbench.core.params import param, redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.models.base import Architecture, Estimate, Preset, TheoryTarget
from workbench.models.checkpointing import CONTEXTS, WORDS, ResumeState, with_state
from workbench.models.params import ResultParams
from workbench.models.predict.cbow_base import (
    SKIPGRAM_TARGET,
    WINDOW_FLOOR,
    WINDOW_ROWS,
    WindowParams,
    window_scales,
)
from workbench.models.predict.full_softmax import SPEED, TILE_CELLS, exponentiate
from workbench.models.predict.stream_trainer import (
    WindowChunk,
    draw_radius,
    initial_weights,
    kept_tokens,
    next_windows,
    window_words,
)
from workbench.models.predict.window_trainer import WindowModel, WindowTrainer
from workbench.vectors.embeddings import Embeddings

_EPSILON = 1e-12
_LARGE = 5_000
_LONG = 600.0  # seconds after which a training is worth a warning


@dataclass(frozen=True)
class CBOWSoftmaxParams(ResultParams, WindowParams):
    """Hyperparameters of CBOW with the exact softmax."""

    max_vocab: int = redeclare(
        WindowParams,
        "max_vocab",
        _LARGE,
        "every position is compared with all words: on a corpus of 14 million words, an epoch over "
        "5,000 of them takes minutes",
        doc=(
            "Maximum number of words, the most frequent first. 0 = no limit. Time grows with the "
            "size of the vocabulary."
        ),
        grows="more rare words; more memory; slower",
        basic=True,
    )
    learning_rate: float = redeclare(
        WindowParams,
        "learning_rate",
        0.05,
        "GloVe's AdaGrad: -eta 0.05; tried on the bundled corpus",
    )
    batch: int = param(
        128,
        "Number of positions per step of C, whose softmaxes are computed together. Lower "
        "for a large vocabulary.",
        label="Batch",
        low=1,
        high=100_000,
        unit="positions",
        grows="faster, but fewer steps",
        source="tried on the bundled corpus",
    )


class CBOWSoftmax(WindowModel):
    key = "cbow-softmax"
    title = tr("CBOW with the exact softmax")
    short = "CBOW softmax"
    summary = tr(
        "Predicts a word from its window by an exact softmax over all words: slow, but the "
        "objective that faster algorithms approximate."
    )
    citation = (
        "Mikolov, Chen, Corrado & Dean 2013, Efficient Estimation of Word Representations in "
        "Vector Space; "
        "Rong 2014, word2vec Parameter Learning Explained"
    )
    loss_label = tr("cross-entropy per centre (nats)")
    order = 14
    params_type = CBOWSoftmaxParams
    theory_target = TheoryTarget("logp", "softmax", "count", SKIPGRAM_TARGET)
    loss_floor = WINDOW_FLOOR
    row_objective = WINDOW_ROWS
    architecture = Architecture("cbow", "softmax")
    presets = (
        Preset(
            "10,000 words",
            {"max_vocab": 10_000, "epochs": 1},
            tr("For long corpora: an epoch over 14 million words takes minutes; see the estimate"),
            tr("10,000 words"),
        ),
        Preset(
            "classroom",
            {"dim": 50, "epochs": 2, "learning_rate": 0.1, "min_count": 1},
            tr(
                "Chosen for Small World: two epochs answer nine of ten analogies; the "
                "sampling algorithms are faster"
            ),
            tr("classroom"),
        ),
    )
    params: CBOWSoftmaxParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        size, threads = len(vocabulary), usable_threads(params.threads)
        kept = kept_tokens(vocabulary, params)
        seconds = kept * params.epochs * 6.0 * size * params.dim / (SPEED * threads)
        memory = (
            size * params.dim * 4 * (12 + 2 * threads)
            + 8 * threads * batch_size(size, params) * size
        )
        warning = ""
        if seconds > _LONG:
            warning = tr(
                "Training takes about {minutes:,.0f} minutes, because every position is "
                "compared with all {size:,} words. Lower {max_vocab} or the number of "
                "epochs.",
                minutes=seconds / 60,
                size=size,
                max_vocab=quoted_param("max_vocab"),
            )
        return Estimate(size, round(kept), memory, seconds, warning)

    def trainer(self, vocabulary: Vocabulary, start: ResumeState) -> CbowSoftmaxTrainer:
        return CbowSoftmaxTrainer(vocabulary, self.params, start)

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        with BLAS_ALONE:
            return super().fit(corpus, run)


class CbowSoftmaxTrainer(WindowTrainer[None]):
    params: CBOWSoftmaxParams

    def __init__(
        self, vocabulary: Vocabulary, params: CBOWSoftmaxParams, start: ResumeState
    ) -> None:
        super().__init__(vocabulary, params, start)
        self.tables = Tables(len(vocabulary), params)
        self.restore(self.tables.named())
        self.first_loss = math.log(len(vocabulary))

    @property
    def windows(self) -> int:
        return batch_size(len(self.vocabulary), self.params)

    def make_scratch(self, worker: int) -> None:
        return None

    def train_chunk(self, chunk: WindowChunk, scratch: None) -> None:
        batch = gather(chunk, self.params.window)
        chunk.totals[0] += self.tables.step(batch, max(chunk.rate, chunk.least))
        chunk.totals[1] += len(batch.centres)

    def snapshot(self) -> Embeddings:
        words, tables = self.vocabulary, self.tables
        return Embeddings(words.words, tables.W.copy(), words.counts, contexts=tables.C.copy())

    def result(self) -> Embeddings:
        return with_state(self.snapshot(), self.tables.named())

    def least_segment(self, corpus: Corpus) -> int:
        # The last batch of a segment is small, but costs as much.
        return min(32 * self.windows, max(256, corpus.tokens // 100))


def batch_size(size: int, params: CBOWSoftmaxParams) -> int:
    """Number of positions whose softmaxes over ``size`` words are computed together."""
    return max(1, min(params.batch, TILE_CELLS // size))


class Batch(NamedTuple):
    """Positions with a window. centres : int32[n]; words : int32[n, 2L]; sizes : int64[n], number
    of words in each window
    """

    centres: npt.NDArray[np.int32]
    words: npt.NDArray[np.int32]
    sizes: npt.NDArray[np.int64]


def gather(chunk: WindowChunk, window: int) -> Batch:
    """The positions of a chunk (fewer at the end of its segment), except those with an empty
    window.
    """
    windows = chunk.windows
    batch = Batch(
        np.empty(windows, dtype=np.int32),
        np.empty((windows, 2 * window), dtype=np.int32),
        np.empty(windows, dtype=np.int64),
    )
    n = gather_windows(chunk, batch)
    return Batch(batch.centres[:n], batch.words[:n], batch.sizes[:n])


class Tables:
    """W and C, float32[V, d], and AdaGrad's sums of squares."""

    def __init__(self, size: int, params: CBOWSoftmaxParams) -> None:
        W, C = initial_weights(size, params.dim, params.seed, params.init_scale)
        self.W, self.C = W[:, : params.dim].copy(), C[:, : params.dim].copy()
        self._squares_W, self._squares_C = np.zeros_like(self.W), np.zeros_like(self.C)
        self._scales = window_scales(params)

    def named(self) -> dict[str, Singles]:
        """All tables that a training needs to continue, by their names in ``Embeddings.state``."""
        return {
            WORDS: self.W,
            CONTEXTS: self.C,
            "word_sums": self._squares_W,
            "context_sums": self._squares_C,
        }

    def step(self, batch: Batch, rate: float) -> float:
        """Make one step for a batch of positions; return the sum of their losses before, in
        nats.
        """
        n = len(batch.centres)
        if n == 0:
            return 0.0
        H = np.empty((n, self.W.shape[1]), dtype=np.float32)
        join_windows(self.W, batch.words, batch.sizes, self._scales, H)
        scores = H @ self.C.T
        places = np.arange(n)
        seen = scores[places, batch.centres].astype(np.float64)
        log_sums, sums = exponentiate(scores)
        scores /= sums
        scores[places, batch.centres] -= 1
        loss = float((log_sums - seen).sum())
        if np.isfinite(loss):
            gradient_H = scores @ self.C
            gradient_C = scores.T @ H
            move_windows(
                self.W, self._squares_W, gradient_H, batch.words, batch.sizes, self._scales, rate
            )
            move_rows(self.C, self._squares_C, gradient_C, rate)
        return loss


@kernel
def gather_windows(chunk: WindowChunk, batch: Batch) -> int:
    """Write the windows of a chunk to ``batch``; return the number of non-empty ones."""
    centres, words, sizes = batch
    pieces, cursor, state, windows = chunk.pieces, chunk.cursor, chunk.state, chunk.windows
    n = 0
    while windows > 0:
        last = next_windows(chunk, windows)
        if last < 0:
            break
        windows -= last - cursor[2]
        for i in range(cursor[2], last):
            radius = draw_radius(state, chunk.stream.reach)
            m = window_words(pieces, i, radius, words[n])
            if m:
                centres[n] = pieces.words[i]
                sizes[n] = m
                n += 1
        cursor[2] = last
    return n


@kernel(fast=True)
def join_windows(
    W: Singles,
    words: npt.NDArray[np.int32],
    sizes: npt.NDArray[np.int64],
    scales: Singles,
    H: Singles,
) -> None:
    """H[r] = the mean or sum of the vectors of a window's words, float32[n, d]."""
    for r in range(len(sizes)):
        weight = scales[sizes[r], 1]
        H[r] = 0
        for k in range(sizes[r]):
            word = words[r, k]
            for t in range(W.shape[1]):
                H[r, t] += weight * W[word, t]


@kernel(fast=True)
def move_windows(
    W: Singles,
    squares: Singles,
    gradient: Singles,
    words: npt.NDArray[np.int32],
    sizes: npt.NDArray[np.int64],
    scales: Singles,
    rate: float,
) -> None:
    """Make a step of AdaGrad for every word of every window, one after another."""
    step, least = np.float32(rate), np.float32(_EPSILON)
    for r in range(len(sizes)):
        share = scales[sizes[r], 0]
        for k in range(sizes[r]):
            word = words[r, k]
            for t in range(W.shape[1]):
                g = share * gradient[r, t]
                squares[word, t] += g * g
                W[word, t] -= step * g / (np.sqrt(squares[word, t]) + least)


@kernel(fast=True)
def move_rows(table: Singles, squares: Singles, gradient: Singles, rate: float) -> None:
    """Make a step of AdaGrad for all rows."""
    step, least = np.float32(rate), np.float32(_EPSILON)
    for row in range(table.shape[0]):
        for t in range(table.shape[1]):
            g = gradient[row, t]
            squares[row, t] += g * g
            table[row, t] -= step * g / (np.sqrt(squares[row, t]) + least)
