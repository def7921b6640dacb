"""Hyperparameters, noise distribution and trainer shared by algorithms with negative sampling."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.language import choice_text, tr
from workbench.core.param_labels import quoted_param, uses_labels
from workbench.core.params import redeclare
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.sampling import AliasTable, alias_table, draw_word, noise_distribution
from workbench.models.base import Estimate
from workbench.models.checkpointing import CONTEXTS, WORDS, ResumeState
from workbench.models.kernels.gemm import own_zeros, prefetch_row, score_columns
from workbench.models.params import SharedParams
from workbench.models.predict.stream_trainer import StreamParams, initial_weights, random64
from workbench.models.predict.window_trainer import Scratch, WindowTrainer
from workbench.models.start_from_counts import COUNTS, start_cost, start_tables
from workbench.vectors.embeddings import Embeddings

# Steps per word at the default rate below which a start from random numbers reaches less than about
# three fifths of the correlations with MEN that one from the counts does (docs/BENCHMARKS.md); and
# smallest vocabulary for which this was measured.
_STEPS_PER_WORD, _FEW_WORDS = 500, 1000


@dataclass(frozen=True)
class NoiseParams(StreamParams):
    """Hyperparameters of every algorithm with negative sampling."""

    negative: int = redeclare(SharedParams, "negative")
    ns_exponent: float = redeclare(SharedParams, "ns_exponent")


@dataclass(frozen=True)
class WordParams(NoiseParams):
    """Hyperparameters of the algorithms whose tables are the vectors of words and contexts."""

    start: str = redeclare(SharedParams, "start")


@kernel(inline=True)
def draw_noise(
    noise: AliasTable,
    state: npt.NDArray[np.uint64],
    words: npt.NDArray[np.int32],
    first: int,
    C: Singles,
) -> None:
    """Draw words[first:], the negative samples of a later centre, and prefetch their rows."""
    for j in range(first, len(words)):
        word = draw_word(noise, random64(state))
        words[j] = word
        prefetch_row(C, word)


def noise_signs(negative: int) -> Singles:
    """float32[columns of scores]: −1 for the centre, +1 for its negative samples, 0 for padding."""
    columns = score_columns(1 + negative)
    signs = own_zeros(columns, np.float32)
    signs[0] = -1.0
    signs[1 : 1 + negative] = 1.0
    return signs


def noise_table(vocabulary: Vocabulary, params: NoiseParams) -> AliasTable:
    """The noise distribution of a vocabulary, for draws."""
    return alias_table(noise_distribution(vocabulary.counts, params.ns_exponent))


def guessing_loss(params: NoiseParams) -> float:
    """The loss in nats of vectors whose products are 0."""
    return (1 + params.negative) * math.log(2)


def estimate_start(
    corpus: Corpus, vocabulary: Vocabulary, params: WordParams, training: Estimate
) -> Estimate:
    """The cost of a training from the beginning, with that of its start."""
    if params.start == COUNTS:
        return start_cost(corpus, vocabulary, params, training)
    return replace(training, warning=_short_text_advice(vocabulary, params))


def _short_text_advice(vocabulary: Vocabulary, params: WordParams) -> str:
    """Advice if words are trained too seldom to learn from random numbers, else ""."""
    words = len(vocabulary)
    usual_rate = type(params)().learning_rate
    steps = params.epochs * params.learning_rate / usual_rate * vocabulary.tokens
    if words < _FEW_WORDS or not 0 < steps < _STEPS_PER_WORD * words:
        return ""
    return tr(
        "This text is too short to train from random numbers: scores will be much lower than from "
        "the counts. Set {start} to {counts}.",
        start=quoted_param("start"),
        counts=choice_text(COUNTS) if uses_labels() else COUNTS,
    )


class NoiseTrainer(WindowTrainer[Scratch]):
    """W, C and the noise distribution of a training."""

    params: WordParams

    def __init__(self, vocabulary: Vocabulary, params: WordParams, start: ResumeState) -> None:
        super().__init__(vocabulary, params, start)
        self.dim = params.dim
        self.W, self.C = initial_weights(
            len(vocabulary), params.dim, params.seed, params.init_scale
        )
        self.restore({WORDS: self.W[:, : self.dim], CONTEXTS: self.C[:, : self.dim]})
        self.noise = noise_table(vocabulary, params)
        self.first_loss = guessing_loss(params)

    def set_start(self, corpus: Corpus, run: JobControl) -> None:
        if self.params.start == COUNTS:
            start_tables(corpus, self.vocabulary, self.params, (self.W, self.C), run)

    def result(self) -> Embeddings:
        return Embeddings(
            words=self.vocabulary.words,
            vectors=self.W[:, : self.dim].copy(),
            counts=self.vocabulary.counts,
            contexts=self.C[:, : self.dim].copy(),
        )
