"""Planes chosen for what they show: the plane of an analogy, and a map turned towards an earlier
one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Singles


@dataclass(frozen=True, eq=False)
class AnalogyPlane:
    """All words seen in the plane of an analogy's four.

    positions : float32[V, 2]
    target : where a − b + c lies, the fourth corner of a true parallelogram
    shown : share in 0..1 of the four words' differences that is in the plane
    """

    positions: Singles
    target: tuple[float, float]
    shown: float


def analogy_plane(vectors: Singles | sp.csr_matrix, rows: Sequence[int]) -> AnalogyPlane:
    """Project vectors [V, d] onto the first two principal axes of the rows of a, b, c and d.

    A projection is linear, so that b, a, c and a − b + c stay a parallelogram in it. The plane is
    turned so that the relation (b → a and c → d) points to the right, with b above c.
    """
    picked = vectors[list(rows)]
    four = np.asarray(
        picked.toarray() if not isinstance(picked, np.ndarray) else picked, dtype=np.float64
    )
    middle = four.mean(axis=0)
    _, strengths, directions = np.linalg.svd(four - middle, full_matrices=False)
    axes = directions[:2].T
    corners = (four - middle) @ axes
    relation = (corners[0] - corners[1]) + (corners[3] - corners[2])
    length = float(np.hypot(*relation))
    if length > 0:
        cosine, sine = relation / length
        axes = axes @ np.array([[cosine, -sine], [sine, cosine]])
    corners = (four - middle) @ axes
    if corners[1, 1] < corners[2, 1]:
        axes = axes * np.array([1.0, -1.0])
    positions = np.asarray(vectors @ axes - middle @ axes, dtype=np.float32)
    target = (four[0] - four[1] + four[2] - middle) @ axes
    total = float((strengths**2).sum())
    shown = 1.0
    if total > 0:
        shown = float((strengths[:2] ** 2).sum()) / total
    return AnalogyPlane(positions, (float(target[0]), float(target[1])), shown)


def turned_towards(positions: Singles, reference: Singles) -> Singles:
    """Positions float32[n, 2] turned and, if need be, mirrored to lie as close as can be to
    ``reference`` float32[n, 2], about their own centre; distances stay.

    Orthogonal Procrustes (Schönemann 1966): with U Σ Vᵀ = Pᵀ R, the best turn is U Vᵀ.
    """
    centre = positions.mean(axis=0, dtype=np.float64)
    centred = positions - centre
    u, _, vt = np.linalg.svd(centred.T @ (reference - reference.mean(axis=0, dtype=np.float64)))
    return np.asarray(centred @ (u @ vt), dtype=np.float32)
