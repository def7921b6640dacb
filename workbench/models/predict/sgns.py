"""Skip-gram with negative sampling (Mikolov et al. 2013b; Levy & Goldberg 2014).

For a word w and a context c the objective is

    −log σ(w·c) − Σ_{i=1..k} log σ(−w·c_i),   c_i ~ P_n            (Mikolov et al. 2013b, eq. 4)

As in word2vec.c, a centre word is the context c of every word w in its window. The k negative
samples of a centre are drawn once and shared by its window: the expectation of every gradient is
unchanged, and the window becomes one product of m input rows with 1 + k output rows. A negative
sample that equals the centre is kept, neither skipped nor drawn again, so that the optimum is
theory's x*.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.jit import kernel
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.sampling import AliasTable
from workbench.models.base import (
    Architecture,
    Estimate,
    LossFloor,
    Preset,
    RowObjective,
    TheoryTarget,
)
from workbench.models.checkpointing import ResumeState
from workbench.models.kernels.gather_scatter import gather_rows
from workbench.models.kernels.gemm import (
    TILE_COLUMNS,
    aligned_rows,
    dot_rows,
    own_zeros,
    padded_dim,
    prefetch_row,
    score_rows,
)
from workbench.models.kernels.outer_updates import add_chosen_products, add_products
from workbench.models.kernels.sigmoid_loss import logistic
from workbench.models.params import ResultParams
from workbench.models.predict.negative_sampling import (
    NoiseTrainer,
    WordParams,
    draw_noise,
    estimate_start,
    noise_signs,
)
from workbench.models.predict.stream_trainer import (
    WindowChunk,
    draw_radius,
    mean_radius,
    next_token,
    next_windows,
    rate_at,
    window_words,
)
from workbench.models.predict.window_trainer import WindowModel, windows_per_call

# Measured multiply-adds per second of one thread, for the estimate before training.
_SPEED = 25e9


@dataclass(frozen=True)
class SGNSParams(ResultParams, WordParams):
    """Hyperparameters of skip-gram with negative sampling."""


class SgnsScratch(NamedTuple):
    """One thread's working memory.

    inputs : int32[2L], words in the window; outputs : int32[1 + k], the centre and its negative
    samples; ahead : the samples of the next centre; Y : rows of outputs; Z : scores, then
    coefficients; sign : float32[columns of Z], −1 for the centre, +1 for negative samples, 0 for
    padding; shared : int32[m], for each of the last m words, the word whose context row it has
    """

    inputs: npt.NDArray[np.int32]
    outputs: npt.NDArray[np.int32]
    ahead: npt.NDArray[np.int32]
    Y: Singles
    Z: Singles
    sign: Singles
    shared: npt.NDArray[np.int32]


def make_scratch(params: SGNSParams, shared: npt.NDArray[np.int32] | None = None) -> SgnsScratch:
    n = params.negative + 1
    return SgnsScratch(
        own_zeros(2 * params.window, np.int32),
        own_zeros(n, np.int32),
        own_zeros(n, np.int32),
        aligned_rows(-(-n // TILE_COLUMNS) * TILE_COLUMNS, params.dim),
        score_rows(2 * params.window, n),
        noise_signs(params.negative),
        np.empty(0, dtype=np.int32) if shared is None else shared,
    )


@kernel
def train_chunk(
    chunk: WindowChunk,
    noise: AliasTable,
    W: Singles,
    C: Singles,
    scratch: SgnsScratch,
) -> None:
    """Make one step for each window of the chunk; the terms of the loss are observed pairs."""
    inputs, outputs, ahead, Y, Z, sign, shared = scratch
    n = len(outputs)
    own = len(C) - len(shared)
    stream, windows = chunk.stream, chunk.windows
    pieces, cursor, state, totals = chunk.pieces, chunk.cursor, chunk.state, chunk.totals
    words = pieces.words
    begin = next_token(cursor)
    draw_noise(noise, state, ahead, 1, C)
    while windows > 0:
        last = next_windows(chunk, windows)
        if last < 0:
            break
        windows -= last - cursor[2]
        length, now = cursor[3], rate_at(chunk, begin)
        for i in range(cursor[2], last):
            m = window_words(pieces, i, draw_radius(state, stream.reach), inputs)
            # No slices here: each would count a reference, for which threads would wait.
            outputs[0] = words[i] if words[i] < own else shared[words[i] - own]
            for j in range(1, n):
                outputs[j] = ahead[j]
            draw_noise(noise, state, ahead, 1, C)
            if i + 1 < length:
                prefetch_row(C, words[i + 1])
                if i + 1 + len(stream.reach) < length:
                    prefetch_row(W, words[i + 1 + len(stream.reach)])
            if m:
                gather_rows(Y, C, outputs, n)
                dot_rows(W, inputs, m, Y, n, Z)
                totals[0] += logistic(Z, m, sign, now)
                totals[1] += m
                add_chosen_products(C, outputs, n, W, inputs, m, Z)
                add_products(W, inputs, m, Y, n, Z)
        cursor[2] = last


class SGNS(WindowModel):
    key = "sgns"
    title = tr("Skip-gram with negative sampling")
    short = "SGNS"
    summary = tr(
        "Distinguishes the words around a word from random words; factorises a shifted PMI matrix."
    )
    citation = (
        "Mikolov, Sutskever, Chen, Corrado & Dean 2013, Distributed Representations of Words and "
        "Phrases and "
        "their Compositionality; Levy & Goldberg 2014, Neural Word Embedding as Implicit Matrix "
        "Factorization"
    )
    loss_label = tr("negative-sampling loss per pair (nats)")
    order = 10
    params_type = SGNSParams
    theory_target = TheoryTarget()
    loss_floor = LossFloor("negative sampling")
    row_objective = RowObjective("negative sampling")
    in_forecast = True
    architecture = Architecture("skipgram", "ns", steps=tr("Skip-gram, negative sampling"))
    presets = (
        Preset("word2vec.c", {}, tr("word2vec.c’s defaults (with -negative 5)")),
        Preset(
            "gensim",
            {},
            tr("gensim Word2Vec(sg=1), whose defaults differ only for single-word sentences"),
        ),
        Preset(
            "fastText without subwords",
            {"learning_rate": 0.05, "sample": 1e-4, "ns_exponent": 0.5},
            tr("fastText skipgram -maxn 0"),
            tr("fastText without subwords"),
        ),
        Preset(
            "classroom",
            {"dim": 50, "epochs": 10, "learning_rate": 0.05},
            tr("trains on the bundled corpus in seconds"),
            tr("classroom"),
        ),
        Preset(
            "plain PMI − log k",
            {"window_weighting": "fixed", "sample": 0.0, "ns_exponent": 1.0, "negative": 1},
            tr("the setting in which Levy & Goldberg 2014 state the identity"),
            tr("plain PMI − log k"),
        ),
    )
    params: SGNSParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        work = _work(params, mean_radius(params))
        estimate = self.window_estimate(vocabulary, work, _SPEED, 8 * len(vocabulary))
        if self.start is not None:
            return estimate
        return estimate_start(corpus, vocabulary, params, estimate)

    def trainer(self, vocabulary: Vocabulary, start: ResumeState) -> SgnsTrainer:
        return SgnsTrainer(vocabulary, self.params, start)


class SgnsTrainer(NoiseTrainer[SgnsScratch]):
    params: SGNSParams

    @property
    def windows(self) -> int:
        return windows_per_call(_SPEED, _work(self.params, self.params.window))

    def make_scratch(self, worker: int) -> SgnsScratch:
        return make_scratch(self.params)

    def train_chunk(self, chunk: WindowChunk, scratch: SgnsScratch) -> None:
        train_chunk(chunk, self.noise, self.W, self.C, scratch)


def _work(params: SGNSParams, radius: float) -> float:
    """Multiply-adds of a window: a product of its words with the outputs, and both updates."""
    return 2 * radius * (params.negative + 1) * padded_dim(params.dim) * 3
