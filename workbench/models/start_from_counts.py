"""Initial vectors of skip-gram with negative sampling from the counts of its text.

Training ends near a factorisation of x*(w, c) = log #(w, c) − log(k · #(w) · P_n(c)) (Levy &
Goldberg 2014), which counts give at once. With A = #(w, c) and B = k · #(w) · P_n(c), both expected
under the run's window and subsampling, the start is a product

    w·c = M + f,   M = max(x* + log k, 0).

M is the association of a pair beyond chance, cut to rank d − 1; in it, small counts say less
(``frequent_association.py``). The last dimension is a constant f:
most pairs are never observed and pull their products below 0, and without f, the first epoch would
teach that to all words, at the expense of what rare ones have from the counts. f minimises the
objective

    Σ_{w,c} A log(1 + e^(−x)) + B log(1 + e^x),   x = M + f

a convex function of one number, over pairs that are drawn as training draws them.

A start needs two digits. So #(w, c) is counted in one reading of the text (``text_reading.py``),
and M comes from a randomised factorisation (``randomised_svd.py``) of the most frequent words only;
all others are folded in. That is also better for rare words, whose sparse rows would otherwise
shape the directions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from workbench.core.arrays import Doubles, Singles
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.memory import return_free_memory
from workbench.core.machine.threads import BLAS_ALONE, usable_threads
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cooccurrence import expected_cells, window_weights
from workbench.counts.expected_counts import SampledWindow, WindowSettings
from workbench.counts.sampling import keep_probabilities, noise_distribution
from workbench.counts.temp_arrays import create_temp_array
from workbench.models.base import Estimate
from workbench.models.count.factorisation_base import counting_seconds
from workbench.models.count.truncated_svd import warm_products
from workbench.models.frequent_association import Association
from workbench.models.randomised_svd import STEPS, Factors, columns_of, factorise
from workbench.models.text_reading import (
    Pairs,
    Room,
    count_frequent,
    draw_pairs,
    read_text,
    readings_of,
    word_sums,
)

RANDOM, COUNTS = "random", "counts"

# Words that are factorised; all others are folded in.
FREQUENT = 8000
# Maximum of the constant, and its tolerance.
_FARTHEST, _CLOSE = 30.0, 1e-6
# Below this learning rate, the constant is divided as at this one.
_SMALL_RATE = 1e-3
# Bytes of a cell of M, with those of the counts that are in memory meanwhile.
CELL_BYTES = 20
# Tokens from which on the reading of a text is on disk.
_LONG = 1 << 26
# Measured seconds to multiply a cell with a number.
PER_PRODUCT = 1e-10


class StartSettings(WindowSettings, Protocol):
    """Settings of the start, under the names of the parameters."""

    @property
    def dim(self) -> int: ...

    @property
    def negative(self) -> int: ...

    @property
    def ns_exponent(self) -> float: ...

    @property
    def learning_rate(self) -> float: ...

    @property
    def seed(self) -> int: ...

    @property
    def threads(self) -> int: ...


def start_tables(
    corpus: Corpus,
    vocabulary: Vocabulary,
    settings: StartSettings,
    tables: tuple[Singles, Singles],
    run: JobControl,
) -> None:
    """Write the start to W and C, float32[V, >= d], in place. Dimensions that M doesn't fill, and
    a text without associations, keep their random values. The same for any number of threads. Needs
    memory for the cells of M alone: counts are made in pieces, and a long reading is on disk.
    Enters phases COMPILING and COUNTING. Raises Cancelled.
    """
    draws = np.random.default_rng([settings.seed, 1])
    run.enter(Phase.COMPILING, tr("Preparing the kernels for counting"))
    warm_start()
    run.enter(Phase.COUNTING, tr("Counting co-occurrences"))
    noise = noise_distribution(vocabulary.counts, settings.ns_exponent)
    frequent = min(FREQUENT, len(vocabulary))
    room: Room = create_temp_array if corpus.tokens > _LONG else np.empty
    text = read_text(corpus, vocabulary, settings, draws, run, room)
    sums = word_sums(text, vocabulary, settings, run)
    if not sums.any():
        return
    pairs = draw_pairs(text, settings, noise, draws)
    weights, divisor = window_weights(settings.window, settings.window_weighting)
    unit = readings_of(corpus, settings) * float(weights.mean())
    counted = Association(sums, noise, frequent, unit, divisor)
    count_frequent(text, vocabulary, frequent, settings, counted.take, run, settings.threads)
    del text
    parts = counted.parts()
    run.enter(Phase.COUNTING, tr("Factorising the counts"))
    with BLAS_ALONE:
        threads = usable_threads(settings.threads)
        factors = factorise(parts, settings.dim - 1, draws, threads, run)
        del parts
        return_free_memory()
        constant = fit_constant(factors, pairs, settings.negative)
        place(factors, constant, settings, *tables)


def start_bytes(vocabulary: Vocabulary, settings: WindowSettings) -> float:
    """Memory that the cells of M take, estimated from word frequencies."""
    keep = keep_probabilities(vocabulary.counts, settings.sample, settings.sample_formula)
    share = float(keep @ vocabulary.counts) / max(vocabulary.tokens, 1)
    # Where tokens are dropped, windows reach farther.
    neighbours = 2 * settings.window / max(share, 1e-3)
    return CELL_BYTES * expected_cells(vocabulary, neighbours, FREQUENT)


def start_cost(
    corpus: Corpus, vocabulary: Vocabulary, settings: StartSettings, training: Estimate
) -> Estimate:
    """The cost of a training with that of its start. The counts are released before training."""
    needed = start_bytes(vocabulary, settings)
    seconds = training.seconds
    if seconds is not None:
        cells = needed / CELL_BYTES
        counting = counting_seconds(corpus, vocabulary, settings.window, False)
        width = min(columns_of(settings.dim), len(vocabulary))
        factorising = 2 * (1 + STEPS) * cells * width * PER_PRODUCT
        seconds += (counting + factorising) / usable_threads(settings.threads)
    return replace(
        training, seconds=seconds, memory_bytes=max(training.memory_bytes, round(needed))
    )


def fit_constant(factors: Factors, pairs: Pairs, negative: int) -> float:
    """The constant f that minimises the objective over drawn pairs, by bisection of its slope."""
    words = factors.W[pairs.words]
    seen, *noise = (
        np.einsum("nd,nd->n", words, factors.C[side]).astype(np.float64)
        for side in (pairs.contexts, *pairs.noise.T)
    )
    drawn = np.concatenate(noise)
    low, high = -_FARTHEST, _FARTHEST
    while high - low > _CLOSE:
        middle = (low + high) / 2
        # d/df of the mean of log(1 + e^(−x)) over contexts and k times log(1 + e^x) over noise.
        slope = negative * logistic(drawn + middle).mean() - logistic(-seen - middle).mean()
        low, high = (low, middle) if slope > 0 else (middle, high)
    return (low + high) / 2


def logistic(values: Doubles) -> Doubles:
    """σ(x). SciPy’s is as exact, but its module takes longer to import than a start to fit."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.5 * values))


def place(found: Factors, constant: float, settings: StartSettings, W: Singles, C: Singles) -> None:
    """Write the factors to the tables, and the constant to their last dimension.

    In W, the constant would make all words similar, so C takes as much of it as the learning rate η
    permits: 1/√η. A step with error e changes a product by η·|c|²·e, which must not exceed e.
    """
    rank = found.W.shape[1]
    W[:, :rank], C[:, :rank] = found
    of_context = 1 / np.sqrt(max(settings.learning_rate, _SMALL_RATE))
    W[:, settings.dim - 1] = constant / of_context
    C[:, settings.dim - 1] = of_context


def warm_start() -> None:
    """Compile the kernels, or load them from the cache."""
    ids = np.array([0, 1, 0, 1], dtype=np.int32)
    corpus = Corpus("", ids, np.array([0, 4]), ("a", "b"), np.array([2, 2]), "")
    counted = Association(np.ones(2), np.ones(2), 2, 1.0, 1.0)
    window = SampledWindow(1)
    count_frequent(corpus, corpus.vocabulary(), 2, window, counted.take, JobControl(), threads=1)
    warm_products(np.float32)
