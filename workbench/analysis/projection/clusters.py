"""Clusters of words: k-means on unit vectors, and the choice of k by silhouettes.

Sources: Lloyd 1982, Least squares quantization in PCM; Arthur & Vassilvitskii 2007, k-means++;
Rousseeuw 1987, Silhouettes.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ids
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import plural, tr
from workbench.core.machine.threads import BLAS_ALONE

Table = npt.NDArray[np.floating] | sp.csr_matrix

_ROUNDS = 100
_STARTS = 4


@dataclass(frozen=True, eq=False)
class Clusters:
    """A division of n words.

    labels : int32[n] in 0..k−1, cluster 0 the largest
    centres : float64[k, d], means of the clusters
    inertia : sum of the squared distances of the words from their centres
    silhouette : mean silhouette width in −1..1 under cosine distance
    """

    labels: Ids
    centres: Doubles
    inertia: float
    silhouette: float

    @property
    def k(self) -> int:
        return len(self.centres)

    def typical(self, unit: Table, n: int = 3) -> tuple[tuple[int, ...], ...]:
        """For each cluster the rows of the ``n`` words nearest to its centre, which make a good
        name.
        """
        far = _squared_distances(unit, _lengths(unit), self.centres)[
            np.arange(len(self.labels)), self.labels
        ]
        order = np.argsort(far, kind="stable")
        return tuple(
            tuple(order[self.labels[order] == label][:n].tolist()) for label in range(self.k)
        )


def k_means(
    unit: Table,
    k: int,
    *,
    seed: int = 0,
    starts: int = _STARTS,
    run: JobControl | None = None,
    first: Doubles | None = None,
) -> Clusters:
    """The best of several runs of Lloyd's algorithm from k-means++ seeds, or one run from ``first``
    float64[k, d].

    unit : [n, d], unit (or zero) rows, dense or CSR. Raises UserError for k below 1 or above n, and
    Cancelled.
    """
    size = unit.shape[0]
    if not 1 <= k <= size:
        raise UserError(
            tr(
                "{words} can’t be divided into {clusters}.",
                words=plural(size, "word"),
                clusters=plural(k, "cluster"),
            ),
            tr("Choose a number of clusters from 1 to {size}.", size=size),
        )
    unit = unit.astype(np.float64)  # once, not for every product
    lengths = _lengths(unit)
    random = np.random.default_rng(seed)
    best: tuple[float, Ids, Doubles] | None = None
    # For products with few columns, BLAS threads cost ten times what they save.
    with BLAS_ALONE:
        for _ in range(1 if first is not None else starts):
            centres = (
                _seeds(unit, lengths, k, random) if first is None else first.astype(np.float64)
            )
            found = _lloyd(unit, lengths, centres, run)
            if best is None or found[0] < best[0]:
                best = found
    assert best is not None
    inertia, labels, centres = best
    order = np.argsort(-np.bincount(labels, minlength=k), kind="stable")
    place = np.empty(k, dtype=np.int32)
    place[order] = np.arange(k, dtype=np.int32)
    labels = place[labels]
    width = float(silhouettes(unit, labels).mean()) if k > 1 else 0.0
    return Clusters(labels, centres[order], inertia, width)


def best_k_means(
    unit: Table, ks: Iterable[int] = range(2, 9), *, seed: int = 0, run: JobControl | None = None
) -> Clusters:
    """k-means with the k of ``ks`` whose mean silhouette is highest, the smallest of equals."""
    possible = [k for k in ks if 2 <= k < unit.shape[0]]
    if not possible:
        raise UserError(
            tr("Too few words to find clusters: {size}.", size=unit.shape[0]),
            tr("Show at least three words."),
        )
    best: Clusters | None = None
    for done, k in enumerate(possible):
        if run is not None:
            run.advance(done / len(possible), tr("Finding {k} clusters", k=k))
        found = k_means(unit, k, seed=seed, run=run)
        if best is None or found.silhouette > best.silhouette:
            best = found
    assert best is not None
    return best


def silhouettes(unit: Table, labels: Ids) -> Doubles:
    """float64[n], (b − a) / max(a, b) of each word, where a is its mean cosine distance to the
    other words of its cluster and b that to the nearest other cluster; 0 for a word alone in its
    cluster.

    Exact without all pairs: the sum of a word's cosines with a cluster is its product with the
    cluster's sum.
    """
    k = int(labels.max()) + 1
    sums, sizes = _sums(unit, labels, k)
    towards = np.asarray(unit @ sums.T, dtype=np.float64)
    everyone = np.arange(len(labels))
    mine = sizes[labels]
    itself = _lengths(unit)
    with np.errstate(invalid="ignore", divide="ignore"):
        a = ((mine - 1) - (towards[everyone, labels] - itself)) / (mine - 1)
        others = 1.0 - towards / sizes
        others[everyone, labels] = np.inf
        b = others.min(axis=1)
        width = (b - a) / np.maximum(a, b)
    return np.where(mine > 1, np.nan_to_num(width), 0.0)


def _lloyd(
    unit: Table, lengths: Doubles, centres: Doubles, run: JobControl | None
) -> tuple[float, Ids, Doubles]:
    """Assign and average until no word changes its cluster: inertia, labels, centres."""
    k = len(centres)
    labels: Ids = np.full(unit.shape[0], -1, dtype=np.int32)
    far = np.empty(0)
    for _ in range(_ROUNDS):
        if run is not None:
            run.check()
        distances = _squared_distances(unit, lengths, centres)
        now = distances.argmin(axis=1).astype(np.int32)
        far = distances[np.arange(len(now)), now]
        # A cluster that lost all its words takes the word farthest from its own centre.
        for empty in np.flatnonzero(np.bincount(now, minlength=k) == 0).tolist():
            worst = int(np.argmax(np.where(np.bincount(now, minlength=k)[now] > 1, far, -1.0)))
            now[worst], far[worst] = empty, 0.0
        if np.array_equal(now, labels):
            break
        labels = now
        sums, sizes = _sums(unit, labels, k)
        centres = sums / sizes[:, None]
    distances = _squared_distances(unit, lengths, centres)
    return float(distances[np.arange(len(labels)), labels].sum()), labels, centres


def _seeds(unit: Table, lengths: Doubles, k: int, random: np.random.Generator) -> Doubles:
    """k-means++: each seed is a word drawn in proportion to its squared distance from the nearest
    earlier seed.
    """
    size = unit.shape[0]
    chosen = [int(random.integers(size))]
    nearest = _squared_distances(unit, lengths, _rows(unit, chosen))[:, 0]
    while len(chosen) < k:
        total = float(nearest.sum())
        drawn = (
            int(random.choice(size, p=nearest / total)) if total > 0 else int(random.integers(size))
        )
        chosen.append(drawn)
        nearest = np.minimum(nearest, _squared_distances(unit, lengths, _rows(unit, [drawn]))[:, 0])
    return _rows(unit, chosen)


def _rows(unit: Table, rows: list[int]) -> Doubles:
    picked = unit[rows]
    return np.asarray(
        picked if isinstance(picked, np.ndarray) else picked.toarray(), dtype=np.float64
    )


def _lengths(unit: Table) -> Doubles:
    """float64[n], squared lengths of the rows."""
    squares = unit**2 if isinstance(unit, np.ndarray) else unit.multiply(unit)
    return np.asarray(squares.sum(axis=1), dtype=np.float64).ravel()


def _squared_distances(unit: Table, lengths: Doubles, centres: Doubles) -> Doubles:
    """float64[n, k]."""
    products = np.asarray(unit @ centres.T, dtype=np.float64)
    return np.asarray(np.maximum(lengths[:, None] - 2 * products + (centres**2).sum(axis=1), 0.0))


def _sums(unit: Table, labels: Ids, k: int) -> tuple[Doubles, Doubles]:
    """The sum float64[k, d] and the number float64[k] of each cluster's words."""
    size = len(labels)
    members = sp.csr_matrix((np.ones(size), (labels, np.arange(size))), shape=(k, size))
    sums = members @ unit
    sizes = np.bincount(labels, minlength=k).astype(np.float64)
    return np.asarray(
        sums if isinstance(sums, np.ndarray) else sums.toarray(), dtype=np.float64
    ), sizes
