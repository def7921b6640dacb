"""Skip-gram with negative sampling (Mikolov et al. 2013b; Levy & Goldberg 2014).

For a word w and a context c the objective is

    −log σ(w·c) − Σ_{i=1..k} log σ(−w·c_i),   c_i ~ P_n            (Mikolov et al. 2013b, eq. 4)

As in word2vec.c a centre word is the context c of every word w in its window. The k noise words of
a centre are drawn once and shared by its window: the expectation of every gradient is unchanged,
and the window becomes one product of m input rows with 1 + k output rows. A noise word that
equals the centre is kept, neither skipped nor drawn again, so that the optimum is theory's x*.
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
from workbench.models.kernels.gather_scatter import gather_rows
from workbench.models.kernels.gemm import (
    TILE_COLUMNS,
    Rows,
    aligned_rows,
    dot_rows,
    own_zeros,
    padded_dim,
    prefetch_row,
    score_columns,
    score_rows,
)
from workbench.models.kernels.outer_updates import add_chosen_products, add_products
from workbench.models.kernels.sigmoid_loss import logistic
from workbench.models.postprocessing_params import ResultParams
from workbench.models.predict.cbow_base import window_words
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
_SPEED = 25e9


@dataclass(frozen=True)
class SGNSParams(ResultParams, NoiseParams):
    """Hyperparameters of skip-gram with negative sampling."""


class SgnsScratch(NamedTuple):
    """One thread's working memory.

    inputs : int32[2L], words in the window; outputs : int32[1 + k], the centre and its noise; ahead
    : the same of the next centre, without that; Y : rows of outputs; Z : scores, then coefficients;
    sign : float32[columns of Z], −1 for the centre, +1 for noise, 0 for padding
    """

    inputs: npt.NDArray[np.int32]
    outputs: npt.NDArray[np.int32]
    ahead: npt.NDArray[np.int32]
    Y: Rows
    Z: Rows
    sign: Rows


def make_scratch(window: int, negative: int, dim: int) -> SgnsScratch:
    n = negative + 1
    sign = own_zeros(score_columns(n), np.float32)
    sign[0] = -1.0
    sign[1:n] = 1.0
    return SgnsScratch(
        own_zeros(2 * window, np.int32),
        own_zeros(n, np.int32),
        own_zeros(n, np.int32),
        aligned_rows(-(-n // TILE_COLUMNS) * TILE_COLUMNS, dim),
        score_rows(2 * window, n),
        sign,
    )


@kernel
def train_chunk(
    stream: TokenStream,
    noise: AliasTable,
    W: Rows,
    C: Rows,
    scratch: SgnsScratch,
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
    totals : totals[0] gains the loss before each step, in nats; totals[1] the observed pairs
    """
    inputs, outputs, ahead, Y, Z, sign = scratch
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
                gather_rows(Y, C, outputs, n)
                dot_rows(W, inputs, m, Y, n, Z)
                totals[0] += logistic(Z, m, sign, now)
                totals[1] += m
                add_chosen_products(C, outputs, n, W, inputs, m, Z)
                add_products(W, inputs, m, Y, n, Z)
        cursor[2] = last


class SGNS(Model):
    key = "sgns"
    title = tr("Skip-gram with negative sampling")
    short = "SGNS"
    family = "predict"
    summary = tr("Tells the words around a word from random ones; factorises a shifted PMI matrix.")
    citation = (
        "Mikolov, Sutskever, Chen, Corrado & Dean 2013, Distributed Representations of Words and "
        "Phrases and "
        "their Compositionality; Levy & Goldberg 2014, Neural Word Embedding as Implicit Matrix "
        "Factorization"
    )
    loss_label = tr("negative-sampling loss per pair (nats)")
    scans_tokens = True
    order = 10
    params_type = SGNSParams
    theory_target = TheoryTarget()
    architecture = Architecture("skipgram", "ns", steps=tr("Skip-gram, negative sampling"))
    presets = (
        Preset("word2vec.c", {}, tr("word2vec.c's defaults (with -negative 5)")),
        Preset(
            "gensim",
            {},
            tr("gensim Word2Vec(sg=1), whose defaults are the same but for single-word sentences"),
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
            tr("the bundled corpus in seconds"),
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
        kept = kept_tokens(vocabulary, params)
        radius = (params.window + 1) / 2 if params.window_weighting != "fixed" else params.window
        products = (
            kept * params.epochs * 2 * radius * (params.negative + 1) * padded_dim(params.dim) * 3
        )
        return Estimate(
            vocabulary=len(vocabulary),
            kept_tokens=round(kept),
            memory_bytes=stream_bytes(len(vocabulary), params.dim) + 8 * len(vocabulary),
            seconds=products / (_SPEED * usable_threads(params.threads)),
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
        scratches: dict[int, SgnsScratch] = {}

        def step(worker: Worker, windows: int, rate: float, fall: float) -> None:
            scratch = scratches.get(worker.number)
            if scratch is None:
                scratch = scratches[worker.number] = make_scratch(
                    params.window, params.negative, params.dim
                )
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

        work = 2 * params.window * (params.negative + 1) * padded_dim(params.dim) * 3
        chunk = max(256, int(_SPEED * 0.03 / work))
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
            make_scratch(1, 1, 2),
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


def _result(vocabulary: Vocabulary, W: Rows, C: Rows, dim: int) -> Embeddings:
    return Embeddings(
        words=vocabulary.words,
        vectors=W[:, :dim].copy(),
        counts=vocabulary.counts,
        contexts=C[:, :dim].copy(),
    )
