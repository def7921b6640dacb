"""Axes named by pairs of words: how far each word leans from one end to the other, as from man to
woman.

A direction of meaning as the difference of two word vectors: Bolukbasi et al. 2016, Man is to
Computer Programmer as Woman is to Homemaker?, section 4. The mean of the differences of several
pairs (man and woman, king and queen): Kozlowski, Taddy & Evans 2019, The Geometry of Culture.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from workbench.analysis.neighbours.ranking import unit_doubles
from workbench.core.arrays import Doubles, Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings

Pair = tuple[str, str]


@dataclass(frozen=True)
class WordAxis:
    """Axis from the word at its negative end to the word at its positive end; ``more``: further
    pairs for the same axis, such as king and queen after man and woman.
    """

    low: str
    high: str
    more: tuple[Pair, ...] = ()

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return ((self.low, self.high), *self.more)

    @property
    def low_words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(low for low, _ in self.pairs))

    @property
    def high_words(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(high for _, high in self.pairs))

    @classmethod
    def of_pairs(cls, pairs: Sequence[Pair]) -> WordAxis:
        """An axis of one or more pairs."""
        (low, high), *more = pairs
        return cls(low, high, tuple(more))


@dataclass(frozen=True)
class KnownPairs:
    """The pairs of an axis that a model can use.

    axis : axis of the pairs whose words both have vectors; None if there are none
    unknown : words that the model lacks; their pairs are left out
    without_vector : words whose vector is zero; their pairs are left out
    """

    axis: WordAxis | None
    unknown: tuple[str, ...]
    without_vector: tuple[str, ...] = ()

    @property
    def left_out(self) -> tuple[str, ...]:
        """Words whose pairs are left out."""
        return self.unknown + self.without_vector


@dataclass(frozen=True, eq=False)
class AxesPlane:
    """All words, or some, in the plane of two word axes.

    positions : float32[n, 2], cosines in −1..1 of each word with the two axes
    meeting : the cosine between the axes; 0 if they are at right angles, as they are drawn
    """

    positions: Singles
    meeting: float


def read_pairs(text: str) -> tuple[tuple[Pair, ...], tuple[str, ...]]:
    """The pairs in a text such as “king/queen, boy girl”, and the words without a partner.

    Commas and semicolons separate groups. Slashes and spaces separate the words of a group, which
    are paired in order.
    """
    pairs: list[Pair] = []
    alone: list[str] = []
    for group in re.split(r"[,;\n]", text):
        words = [word for word in re.split(r"[\s/]+", group) if word]
        pairs += zip(words[::2], words[1::2], strict=False)
        if len(words) % 2:
            alone.append(words[-1])
    return tuple(pairs), tuple(alone)


def write_pairs(pairs: Sequence[Pair], alone: Sequence[str] = ()) -> str:
    """A text that ``read_pairs`` reads as these pairs and words without a partner."""
    return ", ".join([*(f"{low}/{high}" for low, high in pairs), *alone])


def known_pairs(embeddings: Embeddings, axis: WordAxis) -> KnownPairs:
    """The axis without pairs that contain an unknown word or one without a vector."""
    rows = {word: embeddings.find(word) for pair in axis.pairs for word in pair}
    unknown = tuple(word for word, row in rows.items() if row is None)
    zero = tuple(
        word for word, row in rows.items() if row is not None and not embeddings.has_vector[row]
    )
    kept = [pair for pair in axis.pairs if not set(pair) & {*unknown, *zero}]
    return KnownPairs(WordAxis.of_pairs(kept) if kept else None, unknown, zero)


def direction(embeddings: Embeddings, axis: WordAxis) -> Doubles:
    """float64[d], the mean over the pairs of the differences of their unit vectors, high − low, at
    unit length.

    Raises UnknownWord; UserError if the differences have no direction.
    """
    lows = unit_doubles(embeddings, [embeddings.row(low) for low, _ in axis.pairs])
    highs = unit_doubles(embeddings, [embeddings.row(high) for _, high in axis.pairs])
    difference = (highs - lows).mean(axis=0)
    length = float(np.linalg.norm(difference))
    if length < 1e-6 and axis.more:
        raise UserError(
            tr("The pairs of “{low}” and “{high}” cancel out.", low=axis.low, high=axis.high),
            tr("Write all pairs in the same order."),
        )
    if length < 1e-6:
        raise UserError(
            tr(
                "“{low}” and “{high}” have the same direction, so they don’t define an axis.",
                low=axis.low,
                high=axis.high,
            ),
            tr("Choose two different words."),
        )
    return np.asarray(difference / length)


def axis_cosines(
    embeddings: Embeddings, axis: WordAxis, rows: Sequence[int] | slice = slice(None)
) -> Doubles:
    """float64[n], the cosines of words (all, or those of ``rows``) with the axis."""
    unit = embeddings.unit[rows if isinstance(rows, slice) else list(rows)]
    return np.asarray(unit @ direction(embeddings, axis), dtype=np.float64)


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


def axis_strip(
    embeddings: Embeddings,
    axis: WordAxis,
    spread: Singles,
    rows: Sequence[int] | slice = slice(None),
    *,
    upright: bool = False,
) -> Singles:
    """float32[n, 2], words (all, or those of ``rows``) along one axis.

    spread : float32[n] in 0..1, positions in the other direction, which has no cosines
    upright : the axis runs from bottom to top, not from left to right

    The other direction is scaled to 0.6 of the width or 1.6 of the height of the axis, and its
    middle is at 0.
    """
    along = axis_cosines(embeddings, axis, rows)
    extent = max(float(np.ptp(along)), 1e-3) if len(along) else 1.0
    scale = extent * (1.6 if upright else 0.6)
    beside = (np.asarray(spread, dtype=np.float64) - 0.5) * scale
    columns = (beside, along) if upright else (along, beside)
    return np.stack(columns, axis=1).astype(np.float32)
