"""Initial vectors from the counts, for factorisations whose products approximate PMI.

The start is a product that training would end near,

    w·c = max(PMI_α(w, c) − log k, 0)

cut to rank d by a randomised factorisation of the most frequent words, with all others folded in
(``randomised_svd.py``). W and C have equal lengths. Unobserved pairs are taken to be independent:
their PMI is 0.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import scipy.sparse as sp

from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE, usable_threads
from workbench.counts.association import warm_positive
from workbench.counts.cell_source import Counts, Positive
from workbench.counts.cooccurrence import expected_cells
from workbench.models.base import Estimate
from workbench.models.count.cost_estimate import CellCost
from workbench.models.count.truncated_svd import warm_products
from workbench.models.params import FactorParams
from workbench.models.randomised_svd import STEPS, Factors, Parts, columns_of, factorise
from workbench.models.start_from_counts import CELL_BYTES, COUNTS, PER_PRODUCT

# Words that are factorised; all others are folded in.
_FREQUENT = 8000
# Bytes of a cell of the counts, if they are in memory.
_COUNT_BYTES = 12


def start_factors(
    counts: Counts,
    dim: int,
    params: FactorParams,
    run: JobControl,
    shift: float = 1.0,
    smoothing: float = 1.0,
) -> Factors:
    """W and C, float32[V, r] with r <= dim. The same for any number of threads. Enters phases
    COMPILING and COUNTING. Raises Cancelled.

    shift, smoothing : k and α of max(PMI_α − log k, 0)
    """
    run.enter(Phase.COMPILING, tr("Preparing the kernels"))
    warm_start()
    run.enter(Phase.COUNTING, tr("Factorising the counts"))
    parts = association(counts, min(_FREQUENT, counts.size), run, shift, smoothing)
    if not parts.block.nnz:
        none = np.zeros((counts.size, 0), np.float32)
        return Factors(none, none)
    draws = np.random.default_rng([params.seed, 1])
    with BLAS_ALONE:
        return factorise(parts, dim, draws, usable_threads(params.threads), run)


def association(
    counts: Counts, frequent: int, run: JobControl, shift: float = 1.0, smoothing: float = 1.0
) -> Parts:
    """The matrix without the pairs of two rare words, read a piece at a time. Raises Cancelled."""
    source, size = Positive(counts, shift, smoothing, run), counts.size

    def read(first: int, last: int) -> sp.csr_matrix:
        width = size if first < frequent else frequent
        pieces = [sp.csr_matrix(np.zeros((0, width), np.float32))]
        for piece in source.pieces(first, last):
            run.check()
            cells = (piece.values.astype(np.float32), piece.columns, piece.indptr)
            pieces.append(sp.csr_matrix(cells, (len(piece.indptr) - 1, size))[:, :width])
        return sp.csr_matrix(sp.vstack(pieces, "csr"))

    top, others = read(0, frequent), read(frequent, size)
    block = top[:, :frequent]
    return Parts(block, block.T.tocsr(), others, top[:, frequent:].T.tocsr())


def add_start_cost(
    cost: CellCost, params: FactorParams, is_fresh: bool, training: Estimate
) -> Estimate:
    """The cost of a training with that of its start, which releases its matrix before training; the
    same if it starts at random, or continues another.
    """
    if params.start != COUNTS or not is_fresh:
        return training
    neighbours = cost.window * (2 if cost.symmetric else 1)
    cells = min(cost.cells, expected_cells(cost.vocabulary, neighbours, _FREQUENT))
    needed = CELL_BYTES * cells + (0 if cost.is_stored else _COUNT_BYTES * cost.cells)
    memory = max(training.memory_bytes, round(needed))
    if training.seconds is None:
        return replace(training, memory_bytes=memory)
    width = min(columns_of(params.dim), len(cost.vocabulary))
    work = (2 * (1 + STEPS) * min(cells, cost.likely_cells) + cost.likely_cells) * width
    seconds = training.seconds + work * PER_PRODUCT / usable_threads(params.threads)
    return replace(training, seconds=seconds, memory_bytes=memory)


def warm_start() -> None:
    """Compile the kernels, or load them from the cache."""
    warm_positive()
    warm_products(np.float32)
