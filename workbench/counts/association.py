"""Association measures of word pairs: PMI and its variants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ids, Ints
from workbench.core.errors import UserError
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.counts.chunked_ops import blocks

KINDS = ("pmi", "ppmi", "sppmi", "npmi")


def associate(
    counts: sp.csr_matrix,
    kind: str,
    shift: float = 1.0,
    context_smoothing: float = 1.0,
    run: JobControl | None = None,
) -> sp.csr_matrix:
    """A measure of association for every counted pair, in nats (npmi has no unit).

    With #(w) and #(c) the sums of row and column, and P(c) = #(c)^α / Σ #^α where α is
    ``context_smoothing`` (LGD15; 1 leaves #(c)/|D|):

        pmi    log #(w, c) − log #(w) − log P(c)
        ppmi   max(pmi, 0)
        sppmi  max(pmi − log k, 0), k = ``shift`` (LG14)
        npmi   pmi / −log(#(w, c)/|D|), within [−1, 1] for α = 1; 1 if it is the only pair

    counts : CSR [V, V] (any shape), every stored cell above 0

    Returns CSR float64 of that shape. pmi and npmi have exactly the cells of ``counts``: a stored 0
    means independence, a cell that is not stored was never observed. ppmi and sppmi have only
    positive cells. Raises UserError for an unknown kind or a shift not above 0, and Cancelled.
    """
    if kind not in KINDS:
        raise UserError(
            tr("Unknown association measure “{kind}”.", kind=kind),
            tr("Choose one of: {names}.", names=", ".join(KINDS)),
        )
    if not shift > 0:
        raise UserError(
            tr("The shift k must be above 0, not {shift:g}.", shift=shift),
            tr("Use k = 1 for no shift."),
        )
    if counts.nnz == 0:
        return sp.csr_matrix(counts.shape, dtype=np.float64)
    sums = margins(counts, context_smoothing)
    values = np.empty(counts.nnz)
    for part, rows in blocks(counts.indptr):
        if run is not None:
            run.check()
        values[part] = measure(kind, counts.data[part], rows, counts.indices[part], sums, shift)
    if kind in ("pmi", "npmi"):
        result = sp.csr_matrix((values, counts.indices, counts.indptr), shape=counts.shape)
    else:
        # Copies, because eliminate_zeros works in place.
        result = sp.csr_matrix(
            (values, counts.indices.copy(), counts.indptr.copy()), shape=counts.shape
        )
        result.eliminate_zeros()
    return result


@dataclass(frozen=True, eq=False)
class Margins:
    """Row and column sums that association measures need.

    rows, columns : float64[V], #(w) and #(c); log_rows : log #(w); log_contexts : log P(c),
    smoothed;
    log_total : log |D|
    """

    rows: Doubles
    columns: Doubles
    log_rows: Doubles
    log_contexts: Doubles
    log_total: float


def margins(counts: sp.csr_matrix, context_smoothing: float = 1.0) -> Margins:
    """The margins of a non-empty table."""
    rows = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    columns = np.asarray(counts.sum(axis=0), dtype=np.float64).ravel()
    return margins_of(rows, columns, context_smoothing)


def margins_of(rows: Doubles, columns: Doubles, context_smoothing: float = 1.0) -> Margins:
    """The margins from the sums of rows and columns, float64[V] each."""
    smoothed = columns**context_smoothing
    # Empty rows and columns are never used.
    with np.errstate(divide="ignore", invalid="ignore"):
        log_contexts = np.log(smoothed) - np.log(smoothed.sum())
        return Margins(rows, columns, np.log(rows), log_contexts, float(np.log(columns.sum())))


def measure(
    kind: str,
    counts: Doubles,
    rows: npt.NDArray[Any],
    columns: npt.NDArray[Any],
    sums: Margins,
    shift: float = 1.0,
) -> Doubles:
    """float64[n]: a measure of KINDS for cells by their counts, rows and columns; see
    :func:`associate`.
    """
    log_counts = np.log(counts)
    pmi: Doubles = log_counts - sums.log_rows[rows] - sums.log_contexts[columns]
    if kind == "npmi":
        information = sums.log_total - log_counts
        return np.divide(pmi, information, out=np.ones_like(pmi), where=information > 0)
    if kind != "pmi":
        return np.maximum(pmi - (float(np.log(shift)) if kind == "sppmi" else 0.0), 0.0)
    return pmi


class SparseRows(NamedTuple):
    """Some rows of a matrix. ends : int64[rows + 1], start of each row, and end of the last one;
    columns : int32[n]; values : float64[n]
    """

    ends: Ints
    columns: Ids
    values: Doubles


class LogChance(NamedTuple):
    """Terms of ``Margins`` that the PMI subtracts from the logarithm of a count, float64[V]
    each, and log k.
    """

    log_rows: Doubles
    log_contexts: Doubles
    log_shift: float


@kernel
def keep_positive(first: int, seen: SparseRows, chance: LogChance, out: SparseRows) -> None:
    """Write the cells of the rows from ``first`` on whose sppmi is above 0, with the same bits as
    from ``measure``; a kernel, because this is the slow part.

    seen : logarithms of counts; out : arrays of the same size, filled with the positive cells
    """
    indptr, columns, log_counts = seen
    log_rows, log_contexts, log_shift = chance
    ends, kept_columns, kept = out
    n = 0
    ends[0] = 0
    for row in range(len(indptr) - 1):
        for at in range(indptr[row], indptr[row + 1]):
            # Always written, and overwritten if not kept: the processor couldn’t predict a branch.
            kept_columns[n] = columns[at]
            kept[n] = log_counts[at] - log_rows[first + row] - log_contexts[columns[at]] - log_shift
            n += kept[n] > 0.0
        ends[row + 1] = n


def warm_positive() -> None:
    """Compile the kernel, or load it from the cache."""
    zeros = np.zeros(1)
    seen = SparseRows(np.arange(2), np.zeros(1, dtype=np.int32), zeros)
    out = SparseRows(np.arange(2), np.zeros(1, dtype=np.int32), np.zeros(1))
    keep_positive(0, seen, LogChance(zeros, zeros, 0.0), out)


def submatrix(
    m: sp.csr_matrix, rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64]
) -> Doubles:
    """The cells of ``rows`` × ``columns``: float64[r, c], NaN if nothing is stored.

    rows, columns : int64, within the matrix, in any order and with repetitions
    """
    wanted = np.asarray(columns)
    if not m.has_sorted_indices:
        m = m.sorted_indices()
    found = np.full((len(rows), len(wanted)), np.nan)
    for at, row in enumerate(rows):
        cells = slice(int(m.indptr[row]), int(m.indptr[row + 1]))
        stored, values = m.indices[cells], m.data[cells]
        if not len(stored):
            continue
        place = np.minimum(np.searchsorted(stored, wanted), len(stored) - 1)
        hit = stored[place] == wanted
        found[at, hit] = values[place[hit]]
    return found
