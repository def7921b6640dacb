"""Initial vectors of skip-gram with negative sampling from the counts of its text.

Training ends near a factorisation of x*(w, c) = log #(w, c) − log(k · #(w) · P_n(c)) (Levy &
Goldberg 2014), which counts give at once. With A = #(w, c) and B = k · #(w) · P_n(c), both expected
under the run's window and subsampling, the start is a product

    w·c = M + f,   M = max(x* + log k, 0).

M is the association of a pair beyond chance, cut to rank d − 1. The last dimension is a constant f:
most pairs are never observed and pull their products below 0, and without f, the first epoch would
teach that to all words, at the expense of what rare ones have from the counts. f minimises the
objective

    Σ_{w,c} A log(1 + e^(−x)) + B log(1 + e^x),   x = M + f

a convex function of one number, over pairs that are drawn as training draws them.

A start needs two digits, so M comes from a randomised factorisation in float32 with few steps
(Halko, Martinsson & Tropp 2011, algorithm 4.4), of the most frequent words only. With
M ≈ U Σ Vᵀ among them and word vectors U √Σ, another word's vector is its row of M times V Σ^(−½),
its least-squares solution; contexts likewise. That is also better for rare words, whose sparse rows
would otherwise shape the directions.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, Protocol

import numpy as np
import scipy.sparse as sp
from scipy.special import expit

from workbench.core.arrays import Doubles, Ints, Singles
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.memory import free_memory
from workbench.core.threads import BLAS_ALONE, usable_threads
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.cell_source import cut
from workbench.counts.chunked_ops import blocks, sums
from workbench.counts.cooccurrence import expected_cells
from workbench.counts.expected_counts import SampledWindow, WindowSettings, effective_counts
from workbench.counts.sampling import keep_probabilities, noise_distribution
from workbench.models.base import Estimate
from workbench.models.count.factorisation_base import counting_seconds
from workbench.models.predict.stream_trainer import segment_edges

RANDOM, COUNTS = "random", "counts"

# Words that are factorised; all others are folded in.
FREQUENT = 8000
# Columns beyond the rank, and multiplications with MᵀM after the first product.
_EXTRA, _STEPS = 20, 2
# Cells multiplied at a time: some 20 ms.
_CELLS = 1 << 18
# Rows and pairs of each that the constant is fitted to; its maximum and tolerance.
_ROWS, _ROW_PAIRS, _FARTHEST, _CLOSE = 512, 128, 30.0, 1e-6
# Below this learning rate, the constant is divided as at this one.
_SMALL_RATE = 1e-3
# Bytes of a cell, and the maximum share of the free memory for all of them.
_CELL_BYTES, _MEMORY_SHARE = 28, 0.25
# Stretches of a text that is too long to be counted whole.
_STRETCHES = 64
# Measured seconds to multiply a cell with a number.
_PER_PRODUCT = 2.5e-10
# Directions below this share of the largest are rounding errors of float32.
_NEGLIGIBLE = 1e-5


class Factors(NamedTuple):
    """W and C, float32[V, r], with W·Cᵀ ≈ M."""

    W: Singles
    C: Singles


class Pairs(NamedTuple):
    """Pairs drawn as training draws them, with equally many contexts and negative
    samples for each row.

    rows : int64[n]; contexts, noise : int64[n, m], drawn by #(w, c) and by P_n(c)
    """

    rows: Ints
    contexts: Ints
    noise: Ints


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
    a text without associations, keep their random values.

    Where the counts of the whole text wouldn't fit into memory, they are those of stretches from
    everywhere in the text; x* doesn't depend on the amount of text. Enters phases COMPILING and
    COUNTING. Raises Cancelled.
    """
    draws = np.random.default_rng([settings.seed, 1])
    run.enter(Phase.COMPILING, tr("Preparing the kernels for counting"))
    warm_start()
    text = thin_out(corpus, start_bytes(corpus, vocabulary, settings) / memory_limit())
    counts = effective_counts(text, vocabulary, settings, run, threads=settings.threads)
    if not counts.nnz:
        return
    run.enter(Phase.COUNTING, tr("Factorising the counts"))
    noise = noise_distribution(vocabulary.counts, settings.ns_exponent)
    pairs = draw_pairs(counts, noise, draws)
    block, below, beside = association(counts, noise, FREQUENT, run)
    del counts
    with BLAS_ALONE:
        found = factorise(block, below, beside, settings.dim - 1, draws, run)
        del block, below, beside
        place(found, fit_constant(found, pairs, settings.negative), settings, *tables)


def start_bytes(corpus: Corpus, vocabulary: Vocabulary, settings: WindowSettings) -> float:
    """Memory that counting the whole text would take, estimated from word frequencies."""
    keep = keep_probabilities(vocabulary.counts, settings.sample, settings.sample_formula)
    share = float(keep @ vocabulary.counts) / max(vocabulary.tokens, 1)
    # Where tokens are dropped, windows reach farther.
    return _CELL_BYTES * expected_cells(vocabulary, 2 * settings.window / max(share, 1e-3))


def start_cost(
    corpus: Corpus, vocabulary: Vocabulary, settings: StartSettings, training: Estimate
) -> Estimate:
    """The cost of a training with that of its start. The counts are released before training."""
    needed = min(start_bytes(corpus, vocabulary, settings), memory_limit())
    seconds = training.seconds
    if seconds is not None:
        cells = needed / _CELL_BYTES
        counting = counting_seconds(corpus, vocabulary, settings.window, settings.sample > 0)
        width = min(settings.dim + _EXTRA, len(vocabulary))
        factorising = 2 * (1 + _STEPS) * cells * width * _PER_PRODUCT
        seconds += counting / usable_threads(settings.threads) + factorising
    return replace(
        training, seconds=seconds, memory_bytes=max(training.memory_bytes, round(needed))
    )


def memory_limit() -> float:
    """Memory that counts may take, in bytes."""
    return _MEMORY_SHARE * free_memory()


def thin_out(corpus: Corpus, excess: float) -> Corpus:
    """A corpus with 1/``excess`` of the tokens, in stretches from everywhere; ``corpus`` itself
    if ``excess`` is at most 1.
    """
    if excess <= 1:
        return corpus
    step = int(np.ceil(excess))
    edges = segment_edges(np.asarray(corpus.sentences), step * _STRETCHES)
    ids, ends = [np.empty(0, np.int32)], [np.zeros(1, np.int64)]
    taken = 0
    for begin, end in zip(edges[:-1:step].tolist(), edges[1::step].tolist(), strict=True):
        first, last = np.searchsorted(corpus.sentences, (begin, end), side="right")
        inner = np.asarray(corpus.sentences[first:last])
        ends.append(np.unique(np.append(inner, end)) - begin + taken)
        ids.append(np.asarray(corpus.ids[begin:end]))
        taken += end - begin
    return replace(corpus, ids=np.concatenate(ids), sentences=np.concatenate(ends), folder=None)


def association(
    counts: sp.csr_matrix, noise: Doubles, frequent: int, run: JobControl
) -> tuple[sp.csr_matrix, sp.csr_matrix, sp.csr_matrix]:
    """M = max(log #(w, c) − log(#(w) · P_n(c)), 0) as CSR float32: among the ``frequent`` first
    words, of the other words with them, and of them with the others. Raises Cancelled.
    """
    with np.errstate(divide="ignore"):
        rows, contexts = np.log(sums(counts)[0]), np.log(noise)
    size = counts.shape[0]
    starts = np.zeros(size + 1, dtype=np.int64)
    columns, values = [np.empty(0, np.int32)], [np.empty(0, np.float32)]
    for part, row in blocks(counts.indptr):
        run.check()
        column = counts.indices[part]
        value = np.log(counts.data[part]) - rows[row] - contexts[column]
        # Pairs of two rare words aren't needed.
        kept = (value > 0) & ((row < frequent) | (column < frequent))
        columns.append(column[kept])
        values.append(value[kept].astype(np.float32))
        np.add.at(starts, row[kept] + 1, 1)
    np.cumsum(starts, out=starts)
    whole = sp.csr_matrix((np.concatenate(values), np.concatenate(columns), starts), counts.shape)
    del columns, values
    top = whole[:frequent]
    return top[:, :frequent].tocsr(), whole[frequent:, :frequent].tocsr(), top[:, frequent:].tocsr()


def factorise(
    block: sp.csr_matrix,
    below: sp.csr_matrix,
    beside: sp.csr_matrix,
    rank: int,
    draws: np.random.Generator,
    run: JobControl,
) -> Factors:
    """Factors of M from its three parts, with at most ``rank`` columns, the largest first. Raises
    Cancelled.
    """
    width = min(rank + _EXTRA, block.shape[0])
    across = block.T.tocsr()
    basis = draws.standard_normal((block.shape[0], width), dtype=np.float32)
    basis = _orthonormal(_product(block, basis, run))
    for _ in range(_STEPS):
        basis = _orthonormal(_product(across, basis, run))
        basis = _orthonormal(_product(block, basis, run))
    # block ≈ Q (Mᵀ Q)ᵀ; the small factor's singular vectors follow from its Gram matrix.
    small = _product(across, basis, run)
    squares, turned = np.linalg.eigh((small.T @ small).astype(np.float64))
    order = np.argsort(squares)[::-1][:rank]
    order = order[squares[order] > _NEGLIGIBLE**2 * max(squares.max(initial=0.0), 0.0)]
    values, turned = np.sqrt(squares[order]), turned[:, order]
    left = basis @ turned.astype(np.float32)
    right = small @ (turned / values).astype(np.float32)
    root, inverse = np.sqrt(values).astype(np.float32), (1 / np.sqrt(values)).astype(np.float32)
    words = np.concatenate((left * root, _product(below, right * inverse, run)))
    contexts = np.concatenate((right * root, _product(beside.T.tocsr(), left * inverse, run)))
    return Factors(words, contexts)


def draw_pairs(counts: sp.csr_matrix, noise: Doubles, draws: np.random.Generator) -> Pairs:
    """Pairs for the fit: rows at equal steps of #(w)."""
    total = np.cumsum(sums(counts)[0])
    rows = np.searchsorted(total, (np.arange(_ROWS) + 0.5) / _ROWS * total[-1], side="right")
    chances = draws.random((2, _ROWS, _ROW_PAIRS))
    contexts = np.empty((_ROWS, _ROW_PAIRS), dtype=np.int64)
    for number, row in enumerate(rows.tolist()):
        cells = slice(int(counts.indptr[row]), int(counts.indptr[row + 1]))
        sought = np.cumsum(counts.data[cells])
        found = np.searchsorted(sought, chances[0, number] * sought[-1], side="right")
        contexts[number] = counts.indices[cells][np.minimum(found, len(sought) - 1)]
    drawn = np.searchsorted(np.cumsum(noise), chances[1], side="right")
    return Pairs(rows, contexts, np.minimum(drawn, len(noise) - 1))


def fit_constant(factors: Factors, pairs: Pairs, negative: int) -> float:
    """The constant f that minimises the objective over drawn pairs, by bisection of its slope."""
    words = factors.W[pairs.rows]
    seen, noise = (
        np.einsum("nd,nmd->nm", words, factors.C[side]).astype(np.float64)
        for side in (pairs.contexts, pairs.noise)
    )
    low, high = -_FARTHEST, _FARTHEST
    while high - low > _CLOSE:
        middle = (low + high) / 2
        # d/df of the mean of log(1 + e^(−x)) over contexts and k times log(1 + e^x) over noise.
        slope = negative * expit(noise + middle).mean() - expit(-seen - middle).mean()
        low, high = (low, middle) if slope > 0 else (middle, high)
    return (low + high) / 2


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


def _product(matrix: sp.csr_matrix, block: Singles, run: JobControl) -> Singles:
    """matrix @ block, float32, some rows at a time, because scipy holds the GIL."""
    out = np.empty((matrix.shape[0], block.shape[1]), dtype=np.float32)
    for first, last in cut(matrix.indptr, 0, matrix.shape[0], _CELLS):
        run.check()
        out[first:last] = matrix[first:last] @ block
    return out


def _orthonormal(block: Singles) -> Singles:
    """Orthonormal columns that span the columns of ``block``; fewer if these depend on each other.

    The Gram matrix’s eigenvectors take a twentieth of the time of Householder reflections. Twice,
    because the first time leaves the square of the condition number as an error.
    """
    for _ in range(2):
        squares, turned = np.linalg.eigh((block.T @ block).astype(np.float64))
        kept = squares > _NEGLIGIBLE**2 * squares.max(initial=np.finfo(np.float64).tiny)
        block = block @ (turned[:, kept] / np.sqrt(squares[kept])).astype(np.float32)
    return block


def warm_start() -> None:
    """Compile the kernels, or load them from the cache."""
    ids = np.array([0, 1, 0, 1], dtype=np.int32)
    corpus = Corpus("", ids, np.array([0, 4]), ("a", "b"), np.array([2, 2]), "")
    for sample in (0.0, SampledWindow.sample):
        effective_counts(corpus, corpus.vocabulary(), SampledWindow(1, sample=sample), threads=1)
