"""Continuous bag of words with negative sampling (Mikolov et al. 2013a, 2013b; İrsoy et al. 2021).

A word w is told from k noise words by the mean h of the vectors of the m words in its window:

    −log σ(h·c_w) − Σ_{i=1..k} log σ(−h·c_i),   h = (1/m) Σ_j w_j,   c_i ~ P_n

word2vec.c, gensim and fastText give each of the m words the whole gradient ∂/∂h; that of the
objective is the m-th part of it (İrsoy et al. 2021). A noise word that equals the
centre is kept, neither skipped nor drawn again.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.jit import kernel
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.threads import usable_threads
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.sampling import AliasTable, alias_table, noise_distribution
from workbench.models.base import Architecture, Estimate, Model, Preset, TheoryTarget
from workbench.models.checkpointing import CONTEXTS, WORDS
from workbench.models.kernels.gather_scatter import add_to_rows, sum_rows
from workbench.models.kernels.gemm import (
    Rows,
    aligned_rows,
    dot_one,
    own_zeros,
    padded_dim,
    prefetch_row,
    score_columns,
)
from workbench.models.kernels.outer_updates import sum_chosen_rows
from workbench.models.kernels.sigmoid_loss import logistic
from workbench.models.postprocessing_params import ResultParams
from workbench.models.predict.cbow_base import (
    SKIPGRAM_TARGET,
    WindowParams,
    window_scales,
    window_words,
)
from workbench.models.predict.negative_sampling import NoiseParams, draw_noise
from workbench.models.predict.stream_trainer import (
    LEAST_RATE,
    PIECE,
    TokenStream,
    Worker,
    draw_radius,
    initial_weights,
    kept_tokens,
    open_stream,
    read_piece,
    stream_bytes,
    train_stream,
)
from workbench.vectors.embeddings import Embeddings

# Multiply-adds a second that one thread was seen to sustain, for the estimate before training.
_SPEED = 14e9


@dataclass(frozen=True)
class CBOWParams(ResultParams, WindowParams, NoiseParams):
    """Hyperparameters of CBOW with negative sampling."""


class CbowScratch(NamedTuple):
    """One thread's working memory.

    inputs : int32[2L], words in the window; outputs : int32[1 + k], the centre and its noise; ahead
    : the same of the next centre, without that; X : row 0 the hidden vector, row 1 its step; Z :
    scores, then coefficients; sign : float32[columns of Z], −1 for the centre, +1 for noise, 0 for
    padding;
    scales : see window_scales
    """

    inputs: npt.NDArray[np.int32]
    outputs: npt.NDArray[np.int32]
    ahead: npt.NDArray[np.int32]
    X: Rows
    Z: Rows
    sign: Rows
    scales: Rows


def make_scratch(params: CBOWParams) -> CbowScratch:
    n = params.negative + 1
    columns = score_columns(n)
    sign = own_zeros(columns, np.float32)
    sign[0] = -1.0
    sign[1:n] = 1.0
    return CbowScratch(
        own_zeros(2 * params.window, np.int32),
        own_zeros(n, np.int32),
        own_zeros(n, np.int32),
        aligned_rows(2, params.dim),
        aligned_rows(1, columns),
        sign,
        window_scales(params),
    )


@kernel
def train_chunk(
    stream: TokenStream,
    noise: AliasTable,
    W: Rows,
    C: Rows,
    scratch: CbowScratch,
    piece: npt.NDArray[np.int32],
    cursor: npt.NDArray[np.int64],
    stop: int,
    windows: int,
    state: npt.NDArray[np.uint64],
    rate: float,
    fall: float,
    least: float,
    totals: npt.NDArray[np.float64],
) -> None:
    """Make one step for each of the next ``windows`` windows, or until ``stop`` is reached.

    cursor : int64[4], see Worker; a piece begun is gone on with, pieces are read until ``stop``
    rate : learning rate at the first token, falling by ``fall`` a token to ``least``
    totals : totals[0] gains the loss before each step, in nats; totals[1] the centres
    """
    inputs, outputs, ahead, X, Z, sign, scales = scratch
    n = len(outputs)
    begin = cursor[0] - (cursor[3] - cursor[2])
    draw_noise(noise, state, ahead, 1, C)
    while windows > 0:
        if cursor[2] >= cursor[3]:
            if cursor[0] >= stop:
                break
            cursor[3] = read_piece(stream, cursor, stop, state, piece)
            cursor[2] = 0
        length = cursor[3]
        now = max(rate - fall * (cursor[0] - (length - cursor[2]) - begin), least)
        last = min(length, cursor[2] + windows)
        windows -= last - cursor[2]
        for i in range(cursor[2], last):
            m = window_words(piece, length, i, draw_radius(state, stream.reach), inputs)
            # No slices here: each would count a reference, which two threads would do in turns.
            outputs[0] = piece[i]
            for j in range(1, n):
                outputs[j] = ahead[j]
            draw_noise(noise, state, ahead, 1, C)
            if i + 1 < length:
                prefetch_row(C, piece[i + 1])
                if i + 1 + len(stream.reach) < length:
                    prefetch_row(W, piece[i + 1 + len(stream.reach)])
            if m:
                sum_rows(X, 0, W, inputs, 0, m, scales[m, 1])
                dot_one(X, 0, C, outputs, n, Z)
                totals[0] += logistic(Z, 1, sign, now)
                totals[1] += 1
                sum_chosen_rows(X, 1, C, outputs, n, Z)
                add_to_rows(C, outputs, 0, n, X, 0, Z, 0, 1)
                add_to_rows(W, inputs, 0, m, X, 1, scales, m, 0)
        cursor[2] = last


class CBOW(Model):
    key = "cbow"
    title = tr("CBOW with negative sampling")
    short = "CBOW"
    family = "predict"
    summary = tr("Tells a word from random ones by the mean of the words around it.")
    citation = (
        "Mikolov, Chen, Corrado & Dean 2013, Efficient Estimation of Word Representations in "
        "Vector Space; "
        "İrsoy, Benton & Stratos 2021, Corrected CBOW Performs as well as Skip-gram"
    )
    loss_label = tr("negative-sampling loss per centre (nats)")
    scans_tokens = True
    order = 20
    params_type = CBOWParams
    theory_target = TheoryTarget(note=SKIPGRAM_TARGET)
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
                "the example of İrsoy, Benton & Stratos’s program, kōan: -l 0.075 --negatives 5 "
                "--context-size 5"
            ),
            tr("corrected"),
        ),
        Preset(
            "classroom",
            {"dim": 50, "epochs": 10, "learning_rate": 0.1, "sample": 1e-4},
            tr("the bundled corpus in seconds"),
            tr("classroom"),
        ),
    )
    params: CBOWParams

    def estimate(self, corpus: Corpus) -> Estimate:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        kept = kept_tokens(vocabulary, params)
        return Estimate(
            vocabulary=len(vocabulary),
            kept_tokens=round(kept),
            memory_bytes=stream_bytes(len(vocabulary), params.dim) + 8 * len(vocabulary),
            seconds=kept
            * params.epochs
            * _work(params)
            / (_SPEED * usable_threads(params.threads)),
        )

    def fit(self, corpus: Corpus, run: JobControl) -> Embeddings:
        params = self.params
        vocabulary = corpus.vocabulary(params.min_count, params.max_vocab)
        run.enter(Phase.COMPILING, tr("Preparing the kernels"))
        self.warm()
        W, C = initial_weights(len(vocabulary), params.dim, params.seed)
        start = self.begin(vocabulary)
        start.fill(WORDS, W[:, : params.dim])
        start.fill(CONTEXTS, C[:, : params.dim])
        stream = open_stream(corpus, vocabulary, params)
        noise = alias_table(noise_distribution(vocabulary.counts, params.ns_exponent))
        least = params.learning_rate * LEAST_RATE
        scratches: dict[int, CbowScratch] = {}

        def step(worker: Worker, windows: int, rate: float, fall: float) -> None:
            scratch = scratches.get(worker.number)
            if scratch is None:
                scratch = scratches[worker.number] = make_scratch(params)
            train_chunk(
                stream,
                noise,
                W,
                C,
                scratch,
                worker.piece,
                worker.cursor,
                worker.stop,
                windows,
                worker.state,
                rate,
                fall,
                least,
                worker.totals,
            )

        chunk = max(256, int(_SPEED * 0.03 / _work(params)))
        return train_stream(
            corpus,
            params,
            run,
            stream,
            step,
            chunk,
            start,
            lambda: _result(vocabulary, W, C, params.dim),
            first_loss=(1 + params.negative) * math.log(2),
        )

    @classmethod
    def warm(cls) -> None:
        ids = np.array([0, 1, 0, 1], dtype=np.int32)
        ids.flags.writeable = False
        sentences = np.array([0, 4])
        sentences.flags.writeable = False
        stream = TokenStream(
            ids,
            sentences,
            np.full(2, 0xFFFFFFFF, dtype=np.uint32),
            np.full(1, 0xFFFFFFFF, np.uint32),
        )
        noise = alias_table(np.full(2, 0.5))
        W, C = initial_weights(2, 2, 1)
        train_chunk(
            stream,
            noise,
            W,
            C,
            make_scratch(CBOWParams(dim=2, window=1, negative=1)),
            np.empty(PIECE, np.int32),
            np.zeros(4, np.int64),
            4,
            4,
            np.ones(8, np.uint64),
            0.1,
            0.0,
            0.0,
            np.zeros(16),
        )


def _work(params: CBOWParams) -> float:
    """Multiply-adds of a window: its words twice, the outputs three times."""
    return 2.0 * padded_dim(params.dim) * (2 * params.window + 2 * (params.negative + 1))


def _result(vocabulary: Vocabulary, W: Rows, C: Rows, dim: int) -> Embeddings:
    return Embeddings(
        words=vocabulary.words,
        vectors=W[:, :dim].copy(),
        counts=vocabulary.counts,
        contexts=C[:, :dim].copy(),
    )
