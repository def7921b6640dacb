"""Communities of words in the space of their vectors, in three nested levels.

Each word is linked to its nearest words by cosine after the mean vector is removed, which leaves
fewer hubs. Communities of this graph have a high modularity at a resolution γ (Reichardt &
Bornholdt 2006), are connected (Leiden algorithm: Traag, Waltman & van Eck 2019), and don't depend
on a drawing. The middle level comes first; levels built from the finest one differ more between
trainings.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.neighbours.nearest import all_nearest
from workbench.analysis.projection.principal_axes import pca
from workbench.core.arrays import Doubles, Ids, Singles
from workbench.core.job_control import JobControl

# Number of nearest words that each word is linked to. With fewer, communities differ more between
# trainings.
_NEIGHBOURS = 30
# Resolutions of the coarse, middle and fine level: about 10, 30 and 80 communities of 5,000 words.
_COARSE, _MIDDLE, _FINE = 1.25, 3.0, 10.0
# Runs of the Leiden algorithm, of which the best counts, and its cycles in each. With more links,
# as of 50,000 words, a run takes up to a minute, and there is only one.
_RUNS, _CYCLES = 5, 3
_MANY_LINKS = 2_000_000
# A weight of 0 would be no link.
_WEAKEST = 1e-3
# Sparse tables are reduced to this many dimensions: without their mean they would be dense.
_REDUCED = 100

Levels = tuple[Ids, Ids, Ids]


def nested_communities(
    unit: Singles | sp.csr_matrix, run: JobControl | None = None, seed: int = 0
) -> Levels:
    """Labels int32[n] of the coarse, the middle and the fine level, each from 0 without gaps; words
    of one community are in one community of every coarser level.

    unit : [n, d], unit (or zero) rows, dense or CSR. A word without a direction is alone. The same
    seed gives the same levels. Raises Cancelled.
    """
    graph = neighbour_graph(unit, run)
    middle = communities(graph, _MIDDLE, run, seed)
    coarse = join_communities(_links_between(graph, middle), _COARSE)[middle]
    inside = _inner_links(graph, middle)
    # The words have fewer links left, to which a resolution is relative.
    resolution = _FINE * float(graph.sum()) / max(float(inside.sum()), _WEAKEST)
    fine = communities(inside, resolution, run, seed)
    return coarse.astype(np.int32), middle, fine


def neighbour_graph(
    unit: Singles | sp.csr_matrix, run: JobControl | None = None, k: int = _NEIGHBOURS
) -> sp.csr_matrix:
    """Symmetric CSR float64[n, n], the cosine of each word with its ``k`` nearest and of these with
    it, without the mean vector; 0.001 for lower cosines.
    """
    size = unit.shape[0]
    rows, cosines = all_nearest(_without_mean(unit), k, run)
    known = rows >= 0
    ends = np.nonzero(known)[0], rows[known]
    weights = np.maximum(cosines[known].astype(np.float64), _WEAKEST)
    graph = sp.csr_matrix((weights, ends), shape=(size, size))
    both: sp.csr_matrix = graph.maximum(graph.T).tocsr()
    both.sort_indices()
    return both


def communities(
    graph: sp.csr_matrix, resolution: float, run: JobControl | None = None, seed: int = 0
) -> Ids:
    """int32[n], a community of each node, from 0 without gaps: the partition of the highest
    modularity from five runs of the Leiden algorithm, or the one from a single run for many links.

    graph : symmetric CSR float64[n, n] with sorted indices. Raises Cancelled.
    """
    size = graph.shape[0]
    if not graph.nnz:
        return np.arange(size, dtype=np.int32)
    # Imported by the first map, not by every start.
    from graspologic_native import leiden_csr

    links = (graph.indptr.astype(np.int64), graph.indices.astype(np.int32), graph.data)
    best, found = -np.inf, {}
    for number in range(_RUNS if graph.nnz <= _MANY_LINKS else 1):
        if run is not None:
            run.check()
        quality, labels = leiden_csr(
            *links, size, resolution=resolution, iterations=_CYCLES, seed=_RUNS * seed + number
        )
        if quality > best:
            best, found = quality, labels
    # Nodes without links are in no community.
    alone = iter(range(size, 2 * size))
    every = [found.get(node, -1) for node in range(size)]
    every = [label if label >= 0 else next(alone) for label in every]
    return np.unique(every, return_inverse=True)[1].astype(np.int32)


def join_communities(links: Doubles, resolution: float) -> Ids:
    """int32[k], groups of k communities: the two whose union raises the modularity the most are
    joined until none raises it (Clauset, Newman & Moore 2004).

    links : symmetric float64[k, k], weights between and, on the diagonal, within communities
    """
    table = links / max(float(links.sum()), _WEAKEST)
    label = np.arange(len(table), dtype=np.int32)
    alive = np.ones(len(table), dtype=bool)
    while True:
        shares = table.sum(axis=1)
        gains = table - resolution * np.outer(shares, shares)
        gains[~np.outer(alive, alive)] = -np.inf
        np.fill_diagonal(gains, -np.inf)
        one, other = np.unravel_index(int(gains.argmax()), gains.shape)
        if not gains[one, other] > 0:
            break
        table[one] += table[other]
        table[:, one] += table[:, other]
        table[other] = table[:, other] = 0.0
        alive[other] = False
        label[label == other] = one
    return np.unique(label, return_inverse=True)[1].astype(np.int32)


def _without_mean(unit: Singles | sp.csr_matrix) -> Singles:
    """float32[n, d], the rows minus their mean, with length 1 (0 for those at the mean)."""
    if isinstance(unit, np.ndarray):
        rest = unit - unit.mean(axis=0)
    else:
        rest = pca(unit, min(_REDUCED, *unit.shape))
    lengths = np.linalg.norm(rest, axis=1, keepdims=True)
    rest = np.where(lengths > 1e-6, rest / np.maximum(lengths, 1e-6), 0.0)
    return np.ascontiguousarray(rest, dtype=np.float32)


def _links_between(graph: sp.csr_matrix, labels: Ids) -> Doubles:
    size, number = len(labels), int(labels.max()) + 1
    members = sp.csr_matrix((np.ones(size), (labels, np.arange(size))), shape=(number, size))
    return np.asarray((members @ graph @ members.T).toarray(), dtype=np.float64)


def _inner_links(graph: sp.csr_matrix, labels: Ids) -> sp.csr_matrix:
    row = np.repeat(np.arange(len(labels)), np.diff(graph.indptr))
    same: npt.NDArray[np.bool_] = labels[row] == labels[graph.indices]
    inside = sp.csr_matrix((graph.data[same], (row[same], graph.indices[same])), shape=graph.shape)
    inside.sort_indices()
    return inside
