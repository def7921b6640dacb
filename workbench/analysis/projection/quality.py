"""Quality of a map: trustworthiness and continuity of its neighbourhoods.

Source: Venna & Kaski 2001, Neighborhood Preservation in Nonlinear Projection Methods, section 2.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.projection.copies import distinct_rows
from workbench.core.arrays import Ints, Singles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.machine.threads import BLAS_ALONE

NEIGHBOURS = 15
# With more words, only this many are sampled, each compared with all others.
EXACT_LIMIT = 5000
_SAMPLE = 2000
_CELLS = 2_000_000


@dataclass(frozen=True, eq=False)
class Quality:
    """Numbers in 0..1; 1 is a map that keeps every neighbourhood.

    trustworthiness : lowered by words near on the map but not in the space, by their rank there
    continuity : lowered by words near in the space but not on the map
    k : number of neighbours of each word
    rows : int64[m], the words compared: all, or a random sample
    local_trustworthiness, local_continuity : float32[m], the same for each word; the two numbers
    above are their means
    size : number of words on the map
    """

    trustworthiness: float
    continuity: float
    k: int
    rows: Ints
    local_trustworthiness: Singles
    local_continuity: Singles
    size: int

    @property
    def exact(self) -> bool:
        return len(self.rows) == self.size


def quality(
    unit: Singles | sp.csr_matrix,
    positions: Singles,
    k: int = NEIGHBOURS,
    *,
    limit: int = EXACT_LIMIT,
    seed: int = 0,
    run: JobControl | None = None,
) -> Quality:
    """Compare neighbourhoods under the cosine in the space with those on the map.

    unit : [n, d], unit rows, dense or CSR; positions : float32[n, 2 or 3]. ``k`` is limited to less
    than n/2, where the measure is defined. Up to ``limit`` words it is exact; above, 2,000 words
    drawn at random are compared with all. With r(i, j) the rank of j among the others by distance
    from i in the space, and U the k nearest on the map, a word's trustworthiness is 1 − 2 / (k(2n −
    3k − 1)) · Σ_{j ∈ U} max(r(i, j) − k, 0). Words with equal vectors count once. Raises UserError
    for fewer than four words; Cancelled.
    """
    first, group = distinct_rows(unit)
    if 4 <= len(first) < len(positions):
        found = quality(unit[first], positions[first], k, limit=limit, seed=seed, run=run)
        return _of_all(found, first, group)
    size = len(positions)
    if size < 4:
        raise UserError(
            tr("Too few words to evaluate a map: {size}.", size=size),
            tr("Show at least four words."),
        )
    k = max(min(k, (size - 1) // 2), 1)
    rows = np.arange(size)
    if size > limit:
        rows = np.sort(np.random.default_rng(seed).choice(size, min(size, _SAMPLE), replace=False))
    trust = np.empty(len(rows), dtype=np.float32)
    kept = np.empty(len(rows), dtype=np.float32)
    scale = 2.0 / (k * (2 * size - 3 * k - 1))
    tall = max(_CELLS // size, 1)
    places = np.ascontiguousarray(positions.T, dtype=np.float32)
    for at in range(0, len(rows), tall):
        if run is not None:
            run.check()
            run.advance(at / len(rows), tr("Evaluating the map"))
        block = rows[at : at + tall]
        lines = np.arange(len(block))
        with BLAS_ALONE:
            products = unit[block] @ unit.T
        space = -np.asarray(
            products if isinstance(products, np.ndarray) else products.toarray(), dtype=np.float32
        )
        plane = np.zeros((len(block), size), dtype=np.float32)
        for axis in places:
            plane += (axis[block, None] - axis) ** 2
        space[lines, block] = plane[lines, block] = np.inf
        trust[at : at + tall] = 1.0 - scale * _rank_excess(plane, space, k)
        kept[at : at + tall] = 1.0 - scale * _rank_excess(space, plane, k)
    return Quality(float(trust.mean()), float(kept.mean()), k, rows, trust, kept, size)


def _of_all(found: Quality, first: npt.NDArray[np.intp], group: npt.NDArray[np.intp]) -> Quality:
    """The quality of a map from that of its words without copies; copies have equal values."""
    if not found.exact:
        return replace(found, rows=first[found.rows], size=len(group))
    return replace(
        found,
        rows=np.arange(len(group)),
        local_trustworthiness=found.local_trustworthiness[group],
        local_continuity=found.local_continuity[group],
        size=len(group),
    )


def _rank_excess(here: Singles, there: Singles, k: int) -> Ints:
    """int64[b]: the sum of ranks beyond k in ``there`` of the k nearest in ``here`` float32[b,
    n].
    """
    near = np.argpartition(here, k - 1, axis=1)[:, :k]
    distances = np.take_along_axis(there, near, axis=1)
    # Sorting a row once is faster than scanning it for each of the k.
    lines = np.sort(there, axis=1)
    closer = np.stack(
        [line.searchsorted(wanted) for line, wanted in zip(lines, distances, strict=True)]
    )
    beyond: Ints = np.maximum(closer + 1 - k, 0).sum(axis=1, dtype=np.int64)
    return beyond
