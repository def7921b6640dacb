"""Useful planes: the plane of an analogy, a map rotated towards an earlier one, and a map rotated
to be wide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from workbench.analysis.projection.density import robust_frame
from workbench.core.arrays import Doubles, Singles

# Rotations in degrees that are compared to make a map wide, the smallest first, and the share of
# the height that a larger rotation must save.
_TURNS = sorted(range(-88, 92, 2), key=lambda turn: (abs(turn), turn))
_SAVED = 0.02


@dataclass(frozen=True, eq=False)
class AnalogyPlane:
    """All words in the plane of an analogy's four words.

    positions : float32[V, 2]
    target : position of a − b + c, the fourth corner of a true parallelogram
    shown : share in 0..1 of the four words' differences that is in the plane
    """

    positions: Singles
    target: tuple[float, float]
    shown: float


def analogy_plane(vectors: Singles | sp.csr_matrix, rows: Sequence[int]) -> AnalogyPlane:
    """Project vectors [V, d] onto the first two principal axes of the rows of a, b, c and d.

    A projection is linear, so b, a, c and a − b + c stay a parallelogram. The plane is rotated so
    that the relation (b → a and c → d) points to the right, with b above c.
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
    shown = float((strengths[:2] ** 2).sum()) / total if total > 0 else 1.0
    return AnalogyPlane(positions, (float(target[0]), float(target[1])), shown)


def turned_towards(positions: Singles, reference: Singles) -> Singles:
    """Positions float32[n, 2] rotated about their centre and, if necessary, mirrored to be as close
    as possible to ``reference`` float32[n, 2]; distances stay the same.

    Orthogonal Procrustes (Schönemann 1966): with U Σ Vᵀ = Pᵀ R, the best rotation is U Vᵀ.
    """
    centre = positions.mean(axis=0, dtype=np.float64)
    centred = positions - centre
    u, _, vt = np.linalg.svd(centred.T @ (reference - reference.mean(axis=0, dtype=np.float64)))
    return np.asarray(centred @ (u @ vt), dtype=np.float32)


def turned_across(positions: Singles) -> Singles:
    """Positions float32[n, 2] rotated about their middle to the smallest height, so that a wide
    window shows them as large as possible.

    The height is that of ``robust_frame``: a few outliers don't count. The layout is never
    mirrored, and rotated no further than needed; the result is deterministic. The criterion is the
    height, not the principal axis: the axis with the largest variance often makes a map higher.
    """
    if len(positions) < 2:
        return positions
    middle = positions.mean(axis=0, dtype=np.float64)
    centred = positions - middle
    best, least = 0, _height(centred)
    for degrees in _TURNS[1:]:
        height = _height(centred @ _turn(degrees))
        if height < (1.0 - _SAVED) * least:
            best, least = degrees, height
    if best == 0:
        return positions
    return np.asarray(centred @ _turn(best) + middle, dtype=np.float32)


def _height(positions: Doubles) -> float:
    frame = robust_frame(positions)
    return frame.top - frame.bottom


def _turn(degrees: int) -> Doubles:
    """float64[2, 2], an anticlockwise rotation of positions in rows."""
    angle = np.deg2rad(degrees)
    cosine, sine = np.cos(angle), np.sin(angle)
    return np.array([[cosine, sine], [-sine, cosine]])
