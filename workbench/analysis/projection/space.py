"""What projections work on: the vectors of some words, and what else a projection may need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.projection.before_after import BeforeAfter
from workbench.analysis.projection.word_axes import WordAxis
from workbench.core.arrays import Ints, Singles
from workbench.vectors.embeddings import Embeddings

# The horizontal and the vertical axis; a direction without an axis shows the frequency of words.
MapAxes = tuple[WordAxis | None, WordAxis | None]


@dataclass(frozen=True, eq=False)
class Space:
    """The words of a map with their vectors.

    rows : rows of the words in the embeddings, ascending
    dims : number of dimensions of the map, 2 or 3
    start : float32[n, dims], initial positions; None: PCA
    axes : one or two word axes
    analogy : its four words a, b, c and d
    groups : int64[n], the group of each word; −1 for a word without a group
    other : a second model of these words
    """

    embeddings: Embeddings
    rows: Sequence[int] | slice = field(default_factory=lambda: slice(None))
    dims: int = 2
    start: Singles | None = None
    axes: MapAxes | None = None
    analogy: tuple[str, str, str, str] | None = None
    groups: Ints | None = None
    other: Embeddings | None = None

    @cached_property
    def unit(self) -> Singles | sp.csr_matrix:
        """float32[n, d], unit rows, dense or CSR."""
        return self.embeddings.unit_of(self._index)

    @cached_property
    def vectors(self) -> Singles | sp.csr_matrix:
        """float32[n, d], the vectors in their own lengths, dense or CSR."""
        return self.embeddings.vectors[self._index]

    @cached_property
    def words(self) -> list[str]:
        return [self.embeddings.words[row] for row in self._all_rows.tolist()]

    @property
    def chosen_words(self) -> list[str] | None:
        """The words, unless they are the first ones of the model."""
        if isinstance(self.rows, slice):
            return None
        return self.words

    @cached_property
    def frequencies(self) -> Singles:
        """float32[n] in 0..1, from the rarest to the most frequent word."""
        return frequency_values(self.embeddings, self._all_rows)

    @property
    def _index(self) -> list[int] | slice:
        return self.rows if isinstance(self.rows, slice) else list(self.rows)

    @property
    def _all_rows(self) -> npt.NDArray[np.int64]:
        return np.arange(len(self.embeddings))[self._index]


@dataclass(frozen=True, eq=False)
class Projected:
    """Words with their positions.

    positions : float32[n, dims]
    shown : share of the variance (PCA) or of the analogy (plane) that the map shows; the cosine
    between two word axes; None if it has no meaning
    target : predicted position of the analogy, in its own plane
    pair : the two layouts that words move between; the first has these ``positions``
    """

    positions: Singles
    shown: float | None = None
    target: tuple[float, float] | None = None
    pair: BeforeAfter | None = None


def frequency_values(embeddings: Embeddings, rows: npt.NDArray[np.int64]) -> Singles:
    """float32[n] in 0..1, logarithms of the counts of these rows; by rank if counts are unknown."""
    counts = embeddings.counts
    weight = 1.0 / (rows + 1)
    if counts is not None:
        weight = np.maximum(counts[rows], 1).astype(np.float64)
    logs = np.log(weight)
    span = float(np.ptp(logs)) if len(rows) else 0.0
    return np.asarray(
        (logs - logs.min()) / span if span > 0 else np.full(len(rows), 0.5), dtype=np.float32
    )
