"""Continuous bag of words with negative sampling (Mikolov et al. 2013a, 2013b; İrsoy et al. 2021).

A word w is distinguished from k negative samples by the mean h of the vectors of the m words in its
window:

    −log σ(h·c_w) − Σ_{i=1..k} log σ(−h·c_i),   h = (1/m) Σ_j w_j,   c_i ~ P_n

word2vec.c, gensim and fastText give each of the m words the whole gradient ∂/∂h; the gradient of
the objective is 1/m of it (İrsoy et al. 2021). A negative sample that equals the centre is kept,
neither skipped nor drawn again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.sampling import AliasTable
from workbench.models.base import Architecture, Estimate, Preset, TheoryTarget
from workbench.models.checkpointing import ResumeState
from workbench.models.kernels.gather_scatter import add_to_rows, sum_rows
from workbench.models.kernels.gemm import (
    aligned_rows,
    dot_one,
    own_zeros,
    padded_dim,
    prefetch_row,
    score_columns,
)
from workbench.models.kernels.outer_updates import sum_chosen_rows
from workbench.models.kernels.sigmoid_loss import logistic
from workbench.models.params import ResultParams
from workbench.models.predict.cbow_base import (
    SKIPGRAM_TARGET,
    WINDOW_FLOOR,
    WINDOW_ROWS,
    WindowParams,
    window_scales,
)
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
from workbench.models.start_from_counts import COUNTS

# Measured multiply-adds per second of one thread, for the estimate before training.
_SPEED = 14e9


@dataclass(frozen=True)
class CBOWParams(ResultParams, WindowParams, WordParams):
    """Hyperparameters of CBOW with negative sampling."""


class CbowScratch(NamedTuple):
    """One thread's working memory.

    inputs : int32[2L], words in the window; outputs : int32[1 + k], the centre and its negative
    samples; ahead : the samples of the next centre; X : row 0 the hidden vector, row 1 its step;
    Z : scores, then coefficients; sign : float32[columns of Z], −1 for the centre, +1 for negative
    samples, 0 for padding; scales : see window_scales
    """

    inputs: npt.NDArray[np.int32]
    outputs: npt.NDArray[np.int32]
    ahead: npt.NDArray[np.int32]
    X: Singles
    Z: Singles
    sign: Singles
    scales: Singles


def make_scratch(params: CBOWParams) -> CbowScratch:
    n = params.negative + 1
    return CbowScratch(
        own_zeros(2 * params.window, np.int32),
        own_zeros(n, np.int32),
        own_zeros(n, np.int32),
        aligned_rows(2, params.dim),
        aligned_rows(1, score_columns(n)),
        noise_signs(params.negative),
        window_scales(params),
    )


@kernel
def train_chunk(
    chunk: WindowChunk,
    noise: AliasTable,
    W: Singles,
    C: Singles,
    scratch: CbowScratch,
) -> None:
    """Make one step for each window of the chunk; the terms of the loss are centres."""
    inputs, outputs, ahead, X, Z, sign, scales = scratch
    n = len(outputs)
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
            outputs[0] = words[i]
            for j in range(1, n):
                outputs[j] = ahead[j]
            draw_noise(noise, state, ahead, 1, C)
            if i + 1 < length:
                prefetch_row(C, words[i + 1])
                if i + 1 + len(stream.reach) < length:
                    prefetch_row(W, words[i + 1 + len(stream.reach)])
            if m:
                sum_rows(X, 0, W, inputs, 0, m, scales[m, 1])
                dot_one(X, 0, C, outputs, n, Z)
                totals[0] += logistic(Z, 1, sign, now)
                totals[1] += 1
                sum_chosen_rows(X, 1, C, outputs, n, Z)
                add_to_rows(C, outputs, 0, n, X, 0, Z, 0, 1)
                add_to_rows(W, inputs, 0, m, X, 1, scales, m, 0)
        cursor[2] = last


class CBOW(WindowModel):
    key = "cbow"
    title = tr("CBOW with negative sampling")
    short = "CBOW"
    summary = tr(
        "Distinguishes a word from random words by the mean of the vectors of the words around it."
    )
    citation = (
        "Mikolov, Chen, Corrado & Dean 2013, Efficient Estimation of Word Representations in "
        "Vector Space; "
        "İrsoy, Benton & Stratos 2021, Corrected CBOW Performs as well as Skip-gram"
    )
    loss_label = tr("negative-sampling loss per centre (nats)")
    order = 20
    params_type = CBOWParams
    theory_target = TheoryTarget(note=SKIPGRAM_TARGET)
    loss_floor = WINDOW_FLOOR
    row_objective = WINDOW_ROWS
    architecture = Architecture("cbow", "ns", steps=tr("CBOW, negative sampling"))
    presets = (
        Preset("word2vec.c", {}, tr("word2vec.c -cbow 1 -negative 5")),
        Preset("gensim", {"learning_rate": 0.025}, tr("gensim Word2Vec(sg=0)")),
        Preset(
            "fastText without subwords",
            {"sample": 1e-4, "ns_exponent": 0.5},
            tr("fastText cbow -maxn 0"),
            tr("fastText without subwords"),
        ),
        Preset(
            "corrected",
            {"gradient": "corrected", "learning_rate": 0.075},
            tr(
                "the example of kōan, the program of İrsoy, Benton & Stratos: -l 0.075 "
                "--negatives 5 --context-size 5"
            ),
            tr("corrected"),
        ),
        Preset(
            "classroom",
            {"dim": 50, "epochs": 10, "learning_rate": 0.1, "sample": 1e-4},
            tr("trains on the bundled corpus in seconds"),
            tr("classroom"),
        ),
    )
    params: CBOWParams

    def estimate(self, corpus: Corpus) -> Estimate:
        vocabulary = corpus.vocabulary(self.params.min_count, self.params.max_vocab)
        work = _work(self.params)
        estimate = self.window_estimate(vocabulary, work, _SPEED, 8 * len(vocabulary))
        if self.start is not None:
            return estimate
        return estimate_start(corpus, vocabulary, self.params, estimate)

    def trainer(self, vocabulary: Vocabulary, start: ResumeState) -> CbowTrainer:
        return CbowTrainer(vocabulary, self.params, start)


class CbowTrainer(NoiseTrainer[CbowScratch]):
    params: CBOWParams

    def set_start(self, corpus: Corpus, run: JobControl) -> None:
        super().set_start(corpus, run)
        if self.params.start == COUNTS and self.params.hidden == "sum":
            # The start makes products of single words; a sum has those of a whole window.
            self.W /= np.float32(2 * mean_radius(self.params))

    @property
    def windows(self) -> int:
        return windows_per_call(_SPEED, _work(self.params))

    def make_scratch(self, worker: int) -> CbowScratch:
        return make_scratch(self.params)

    def train_chunk(self, chunk: WindowChunk, scratch: CbowScratch) -> None:
        train_chunk(chunk, self.noise, self.W, self.C, scratch)


def _work(params: CBOWParams) -> float:
    """Multiply-adds of a window: its words count twice, the outputs three times."""
    return 2.0 * padded_dim(params.dim) * (2 * params.window + 2 * (params.negative + 1))
