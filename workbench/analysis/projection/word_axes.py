"""Axes named by words: how far each word leans from one anchor to another, as from man to woman.

A direction of meaning as the difference of two word vectors: Bolukbasi et al. 2016, Man is to
Computer Programmer as Woman is to Homemaker?, section 4; Kozlowski, Taddy & Evans 2019, The
Geometry of Culture.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.core.arrays import Doubles, Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class WordAxis:
    """From the word at its negative end to the word at its positive end."""

    low: str
    high: str


@dataclass(frozen=True, eq=False)
class AxesPlane:
    """All words, or some, in the plane of two word axes.

    positions : float32[n, 2], cosines in −1..1 of each word with the two axes
    meeting : the cosine between the axes; 0 where they are at right angles, as they are drawn
    """

    positions: Singles
    meeting: float


def direction(embeddings: Embeddings, axis: WordAxis) -> Doubles:
    """float64[d], the difference of the anchors' unit vectors, high − low, at unit length.

    Raises UnknownWord; UserError where the two anchors point the same way.
    """
    rows = [embeddings.row(axis.low), embeddings.row(axis.high)]
    picked = embeddings.vectors[rows]
    two = np.asarray(
        picked.toarray() if not isinstance(picked, np.ndarray) else picked, dtype=np.float64
    )
    lengths = np.linalg.norm(two, axis=1, keepdims=True)
    two = two / np.where(lengths > 0, lengths, 1.0)
    difference = two[1] - two[0]
    length = float(np.linalg.norm(difference))
    if length < 1e-6:
        raise UserError(
            tr(
                "“{low}” and “{high}” point the same way, so they make no axis.",
                low=axis.low,
                high=axis.high,
            ),
            tr("Choose two different words."),
        )
    return np.asarray(difference / length)


def axes_plane(
    embeddings: Embeddings,
    across: WordAxis,
    up: WordAxis,
    rows: Sequence[int] | slice = slice(None),
) -> AxesPlane:
    """The cosines of words (all, or those of ``rows``) with ``across``, to the right, and
    ``up``.
    """
    axes = np.stack([direction(embeddings, across), direction(embeddings, up)], axis=1)
    unit = embeddings.unit[rows if isinstance(rows, slice) else list(rows)]
    return AxesPlane(np.asarray(unit @ axes, dtype=np.float32), float(axes[:, 0] @ axes[:, 1]))
