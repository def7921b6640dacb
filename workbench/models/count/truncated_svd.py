"""The largest singular values and vectors of a sparse matrix, by block Lanczos iteration."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Bools, Doubles, Ids, Ints, Singles
from workbench.core.jit import kernel
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE, usable_threads
from workbench.counts.cooccurrence_kernel import in_threads
from workbench.models.kernels.sparse_rows import add_row_product

# Below this size, or if most of the spectrum is wanted, LAPACK is faster.
_SMALL = 600
_DENSE = 1 << 23  # cells; larger matrices go to LAPACK only if they are about square
_BLOCK = 8  # one cache line: a wider block costs as much per vector and needs more vectors
_PIECE = 1 << 20  # cells multiplied by a block in one call: 10 to 20 ms
_ROWS = 4096  # of the basis, handled in one call
_TOLERANCE = 1e-6
_LINE = 64  # bytes of a cache line
# Bytes of a block's rows for a strip of columns: less than a core's own cache.
_STRIP_BYTES = 1 << 19


class Truncated(NamedTuple):
    """U Σ Vᵀ cut to r components, the largest first.

    left : float64[rows, r]; values : float64[r]; right : float64[columns, r]
    residual : the largest ‖AᵀA v − σ² v‖/σ² of them
    """

    left: Doubles
    values: Doubles
    right: Doubles
    residual: float


class Operator(Protocol):
    """A matrix A, wherever it is stored, with the products that the iteration needs.

    shape : (rows, columns); width : vectors of a block; together : best number of vectors per call
    of ``image``
    """

    shape: tuple[int, int]
    width: int
    together: int

    def toarray(self) -> Doubles:
        """All of A, if it is small."""

    def gram(self, block: Doubles) -> Doubles:
        """AᵀA block, float64[columns, b]. Raises Cancelled."""

    def image(self, block: Doubles) -> Doubles:
        """A block, float64[rows, b]. Raises Cancelled."""

    def room(self, vectors: int) -> Doubles:
        """float64[vectors, columns] for the basis of the iteration."""


def truncated_svd(
    matrix: sp.csr_matrix | Operator,
    dim: int,
    *,
    seed: int = 1,
    threads: int = 0,
    run: JobControl | None = None,
    want_left: bool = True,
) -> Truncated:
    """The ``dim`` largest singular triplets of ``matrix``, fewer if its rank is lower.

    Block Lanczos on AᵀA with full reorthogonalisation (Golub & Van Loan, Matrix Computations,
    section 10.3), in float64, until every triplet has a residual below 1e-6; a small matrix goes to
    LAPACK. The space starts with random vectors: the randomised block Krylov method of Musco &
    Musco (2015). Transpose a matrix with more columns than rows. Signs are chosen so that the
    largest entry of each left vector is positive; rows and columns without a cell are exactly 0.
    Without ``want_left``, the left vectors are left
    out (float64[0, r]) and the right ones determine the signs. When ``run`` is asked to stop, the
    current result is returned. Raises Cancelled.
    """
    run = run or JobControl()
    run.check()
    table: Doubles | None = None
    short, long = sorted(matrix.shape)
    if short <= max(_SMALL, 4 * dim) and (long <= 4 * short or short * long <= _DENSE):
        table = matrix.toarray()
        left, values, right_rows = np.linalg.svd(table, full_matrices=False)
        right, residual = right_rows.T, 0.0
    else:
        with BLAS_ALONE:
            operator: Any = matrix
            if sp.issparse(matrix):
                operator = _Held(matrix, usable_threads(threads), run)
            left, values, right, residual = _lanczos(
                operator, dim, seed, usable_threads(threads), run, want_left
            )
    rank = 0
    if len(values):
        rank = int((values > values[0] * max(matrix.shape) * np.finfo(np.float64).eps).sum())
    dim = min(dim, rank)
    left, values, right = left[: None if want_left else 0, :dim], values[:dim], right[:, :dim]
    rows, columns = _have_cells(matrix, table)
    if want_left and not rows.all():
        left = np.where(rows[:, None], left, 0.0)
    if not columns.all():
        right = np.where(columns[:, None], right, 0.0)
    guide = left if want_left else right
    largest = np.abs(guide).argmax(axis=0)
    sign = np.where(guide[largest, np.arange(dim)] < 0, -1.0, 1.0)
    return Truncated(left * sign, values, right * sign, residual)


def _have_cells(matrix: sp.csr_matrix | Operator, table: Doubles | None) -> tuple[Bools, Bools]:
    """bool[rows] and bool[columns]: those with a cell. The singular vectors of the others are 0,
    but the factorisation leaves rounding errors there. ``table``: the matrix, if it is small.

    Cells of an operator can't be listed. Its left vectors are products with rows, so rows without a
    cell are 0 already, and the sums of AᵀA show its columns, because all cells are positive.
    """
    if table is not None:
        return (table != 0).any(axis=1), (table != 0).any(axis=0)
    if sp.issparse(matrix):
        cells = sp.csr_matrix(matrix)
        if not cells.data.all():
            cells = cells.copy()
            cells.eliminate_zeros()
        columns = np.bincount(cells.indices, minlength=matrix.shape[1]) > 0
        return np.diff(cells.indptr) > 0, columns
    sums = matrix.gram(np.ones((matrix.shape[1], matrix.width)))
    return np.ones(matrix.shape[0], dtype=np.bool_), (sums != 0).any(axis=1)


def work_bytes(rows: int, dim: int) -> int:
    """Memory for the vectors of the iteration, in bytes; measured: about seven times ``dim``
    vectors.
    """
    columns = rows if rows <= max(_SMALL, 4 * dim) else min(rows, 7 * dim + 4 * _BLOCK)
    return 8 * rows * columns


class _Held:
    """A matrix in memory, with its transpose."""

    width = _BLOCK
    together = 4 * _BLOCK

    def __init__(self, matrix: sp.csr_matrix, threads: int, run: JobControl) -> None:
        self.shape = matrix.shape
        self.toarray = matrix.toarray
        self._forward = prepare_sparse(matrix)
        self._backward = prepare_sparse(matrix.T.tocsr())
        self._threads, self._run = threads, run

    def gram(self, block: Doubles) -> Doubles:
        return multiply(self._backward, self.image(block), self._threads, self._run)

    def image(self, block: Doubles) -> Doubles:
        return multiply(self._forward, block, self._threads, self._run)

    def room(self, vectors: int) -> Doubles:
        return np.empty((vectors, self.shape[1]))


def _lanczos(
    matrix: Operator, dim: int, seed: int, threads: int, run: JobControl, want_left: bool
) -> tuple[Doubles, Doubles, Doubles, float]:
    """With Q the basis so far, AᵀA Q = Q T + Z, and Z has columns only for the last block:
    eigenvectors P of T give right vectors Q P, whose residual is Z P.
    """
    columns, usual = matrix.shape[1], matrix.width
    basis = matrix.room(min(columns, 8 * dim + 4 * usual))
    block = np.linalg.qr(np.random.default_rng(seed).standard_normal((columns, usual)))[0]
    projected = np.zeros((0, 0))
    size = 0
    while True:
        width = block.shape[1]
        if size + width > len(basis):
            longer = matrix.room(min(columns, size + max(size // 2, usual)))
            longer[:size] = basis[:size]
            basis = longer
        basis[size : size + width] = block.T
        size += width
        known = basis[:size]
        projected = np.pad(projected, (0, width))
        rest = matrix.gram(block)
        # In exact arithmetic, the rest has no component in blocks older than the last two.
        near = slice(max(size - width - usual, 0), size)
        projected[near, -width:] = _project_out(basis[near], rest, threads, run)
        block, border = np.linalg.qr(rest)
        block = block[:, : columns - size]
        # A column whose remainder is almost zero consists of rounding errors, and must be
        # orthogonalised several times.
        left_over = float(np.abs(np.diagonal(border)).min())
        exhausted = size == columns
        times = 3
        if exhausted:
            times = 0
        elif left_over > 1e-8 * float(np.abs(projected).max()):
            times = 1
        for _ in range(times):
            _project_out(known, block, threads, run)
            block = _orthonormal(block)
        if (
            not exhausted
            and (size < 2 * dim or size // usual % 2)
            and not (run.stopping and size >= dim)
        ):
            continue
        squares, combined = np.linalg.eigh(np.triu(projected) + np.triu(projected, 1).T)
        # Copied, because numpy multiplies arrays with negative strides without BLAS.
        squares, combined = np.maximum(squares[::-1][:dim], 0.0), combined[:, ::-1][:, :dim].copy()
        negligible = squares[0] * (columns * np.finfo(np.float64).eps)
        residuals = np.linalg.norm(border @ combined[-width:], axis=0) / np.maximum(
            squares, negligible
        )
        residual = float(residuals[squares > negligible].max(initial=0.0))
        done = float(np.log(max(min(residual, 1.0), _TOLERANCE)) / np.log(_TOLERANCE))
        run.advance(0.95 * done, tr("Refining singular vectors"), residual=residual)
        if residual <= _TOLERANCE or exhausted or run.stopping:
            break
    right = np.empty((columns, dim))
    for first in range(0, columns, _ROWS):
        run.check()
        np.matmul(known[:, first : first + _ROWS].T, combined, out=right[first : first + _ROWS])
    # Smaller squares are rounding errors, not spectrum.
    values = np.sqrt(np.where(squares > negligible, squares, 0.0))
    left = np.empty((matrix.shape[0] if want_left else 0, dim))
    for first in range(0, dim if want_left else 0, matrix.together):
        part = slice(first, first + matrix.together)
        left[:, part] = matrix.image(right[:, part])
    left /= np.maximum(values, np.finfo(np.float64).tiny)
    return left, values, right, residual


def _orthonormal(block: Doubles) -> Doubles:
    """Orthonormal columns that span the same space. If they are nearly orthonormal already, the
    Cholesky factor of BᵀB makes them so to the last digits, in a quarter of the time of Householder
    reflections.
    """
    gram = block.T @ block
    if float(np.abs(gram - np.eye(len(gram))).max()) > 0.1:
        return np.asarray(np.linalg.qr(block)[0])
    return np.asarray(block @ np.linalg.inv(np.linalg.cholesky(gram)).T)


def _project_out(known: Doubles, rest: Doubles, threads: int, run: JobControl) -> Doubles:
    """Remove from ``rest`` its component in the space of ``known``, in place.

    known : float64[s, n], orthonormal rows; rest : float64[n, b]; returns the coefficients,
    float64[s, b]
    """
    pieces = [slice(first, first + _ROWS) for first in range(0, len(rest), _ROWS)]
    shares = np.empty((len(pieces), rest.shape[1], len(known)))

    # The products are written so that the long side is contiguous in all three arrays, which is
    # twice as fast.
    def measure(number: int) -> None:
        piece = pieces[number]
        np.matmul(rest[piece].T, known[:, piece].T, out=shares[number])

    share_out(measure, len(pieces), threads, run)
    # Added in a fixed order, so that the number of threads does not change the result.
    share: Doubles = shares.sum(axis=0)

    def remove(number: int) -> None:
        piece = pieces[number]
        rest[piece] -= (share @ known[:, piece]).T

    share_out(remove, len(pieces), threads, run)
    return share.T


def share_out(task: Callable[[int], None], pieces: int, threads: int, run: JobControl) -> None:
    """Call ``task`` with 0, 1, ... up to ``pieces``, in several threads."""
    left = deque(range(pieces))

    def work(thread: int, pause: Callable[[], None]) -> None:
        while True:
            pause()
            try:
                number = left.popleft()
            except IndexError:
                return
            task(number)

    in_threads(work, min(threads, max(pieces, 1)), run, lambda: None)


class Sparse(NamedTuple):
    """A CSR matrix as the kernel takes it, cut into strips of columns.

    edges : int64[strips + 1, rows], the start of each row's cells of a strip in ``columns`` and
    ``values``
    columns : int32[cells]; values : float64[cells] or float32[cells]
    bounds : rows between pieces of about equal work
    """

    edges: Ints
    columns: Ids
    values: Doubles | Singles
    bounds: list[int]


def prepare_sparse(
    matrix: sp.csr_matrix, kind: type[np.floating[Any]] = np.float64, width: int = _BLOCK
) -> Sparse:
    """A matrix as the kernel takes it, with values of a type, for blocks of about ``width``
    columns.
    """
    if not matrix.has_sorted_indices:
        matrix = matrix.sorted_indices()
    indptr = matrix.indptr.astype(np.int64)
    marks = np.arange(_PIECE, max(matrix.nnz, 1), _PIECE)
    bounds = np.unique(np.concatenate(([0], np.searchsorted(indptr, marks), [len(indptr) - 1])))
    columns = matrix.indices.astype(np.int32, copy=False)
    strip = _STRIP_BYTES // (np.dtype(kind).itemsize * width)
    edges = np.empty((-(-matrix.shape[1] // strip) + 1, matrix.shape[0]), dtype=np.int64)
    find_strips(indptr, columns, strip, edges)
    return Sparse(edges, columns, matrix.data.astype(kind, copy=False), bounds.tolist())


def multiply(
    matrix: Sparse, block: Doubles | Singles, threads: int, run: JobControl
) -> npt.NDArray[Any]:
    """matrix @ block, of the matrix's type, [rows, columns of block]; the same for any number of
    ``threads``. Raises Cancelled.
    """
    width, kind = block.shape[1], matrix.values.dtype
    line = _LINE // kind.itemsize
    padded = np.zeros((len(block), -(-width // line) * line), kind)
    padded[:, :width] = block
    product = np.zeros((matrix.edges.shape[1], padded.shape[1]), kind)
    bounds = matrix.bounds

    def work(number: int) -> None:
        first, last = bounds[number], bounds[number + 1]
        multiply_rows(matrix.edges, matrix.columns, matrix.values, padded, product, first, last)

    share_out(work, len(bounds) - 1, threads, run)
    return product[:, :width]


@kernel
def find_strips(indptr: Ints, columns: Ids, strip: int, edges: Ints) -> None:
    """Fill ``edges`` of :class:`Sparse` for strips of ``strip`` columns; columns are in ascending
    order within rows.
    """
    for row in range(edges.shape[1]):
        at = indptr[row]
        for number in range(len(edges)):
            while at < indptr[row + 1] and columns[at] < number * strip:
                at += 1
            edges[number, row] = at


@kernel
def multiply_rows(
    edges: Ints,
    columns: Ids,
    values: Doubles | Singles,
    block: Doubles | Singles,
    product: Doubles | Singles,
    first: int,
    last: int,
) -> None:
    """Rows ``first`` to ``last`` of a matrix times ``block``, added to ``product``.

    Works strip by strip, so that the rows of the block for a strip stay in the core's own cache.
    """
    for number in range(len(edges) - 1):
        for row in range(first, last):
            at, end = edges[number, row], edges[number + 1, row]
            if at < end:
                add_row_product(product, row, block, columns, values, at, end)


def warm_products(kind: type[np.floating[Any]] = np.float64) -> None:
    """Compile the kernels for values of a type, or load them from the cache."""
    matrix = prepare_sparse(sp.csr_matrix(np.ones((1, 1))), kind)
    multiply(matrix, np.ones((1, 1)), 1, JobControl())
