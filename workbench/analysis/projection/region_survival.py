"""Survival of regions: whether their words stay together in trainings with other seeds.

The method is a nearest-centroid classifier (Manning, Raghavan & Schütze 2008, Introduction to
Information Retrieval, section 14.2) with each word left out of the mean of its own region. The
chance that a word stays is about 1 / number of regions, whatever their sizes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.projection.region_names import Vectors
from workbench.core.arrays import Doubles, Ids, Ints
from workbench.vectors.embeddings import Embeddings

# A region survives another seed if at least this share of its words stays.
_KEPT = 0.5


@dataclass(frozen=True, eq=False)
class RegionSurvival:
    """Regions in other trainings.

    shares : float64[seeds, regions], the share of each region's words that stay; NaN if the model
    contains none of them
    """

    shares: Doubles

    @property
    def seeds(self) -> int:
        return len(self.shares)

    @property
    def mean_shares(self) -> Doubles:
        """float64[regions], means over the models that contain words of the region, else NaN."""
        known = np.isfinite(self.shares)
        sums = np.where(known, self.shares, 0.0).sum(axis=0)
        with np.errstate(invalid="ignore"):
            return np.asarray(sums / known.sum(axis=0))

    @property
    def survived(self) -> Ints:
        """int64[regions], number of models in which at least half of the words stay."""
        return np.asarray((self.shares >= _KEPT).sum(axis=0), dtype=np.int64)


def region_survival(
    words: Sequence[str], labels: Ids, number: int, models: Sequence[Embeddings]
) -> RegionSurvival:
    """Measure the survival of a layout's regions in other models.

    words : n words of the layout; labels : int32[n], the region of each word, −1 for none
    """
    shares = np.full((len(models), number), np.nan)
    for at, model in enumerate(models):
        index = model.index
        places = np.array([place for place, word in enumerate(words) if word in index], dtype=int)
        if not len(places):
            continue
        rows = [index[words[place]] for place in places.tolist()]
        kept = labels[places]
        stay = words_that_stay(model.unit[rows], kept, number)
        inside = kept >= 0
        sizes = np.bincount(kept[inside], minlength=number)
        staying = np.bincount(kept[inside], stay[inside], minlength=number)
        with np.errstate(invalid="ignore"):
            shares[at] = staying / sizes
    return RegionSurvival(shares)


def words_that_stay(unit: Vectors, labels: Ids, number: int) -> npt.NDArray[np.bool_]:
    """bool[n], whether a word's vector has a higher cosine with the mean of the other words of its
    region than with the mean of any other region. All vectors are relative to the mean of all
    words.

    unit : [n, d], rows of length 1, dense or CSR; labels : int32[n], −1 for none. False for words
    between regions, and for the only word of a region.
    """
    inside = np.flatnonzero(labels >= 0)
    chosen = labels[inside]
    sizes = np.bincount(chosen, minlength=number).astype(np.float64)
    members = sp.csr_matrix(
        (np.ones(len(inside)), (chosen, inside)), shape=(number, len(labels)), dtype=np.float64
    )
    sums = members @ unit
    if sp.issparse(sums):
        sums = sums.toarray()
    middle = np.asarray(unit.mean(axis=0), dtype=np.float64).ravel()
    # Sums of the vectors relative to the middle.
    sums = np.asarray(sums, dtype=np.float64) - sizes[:, None] * middle
    lengths = np.linalg.norm(sums, axis=1)
    products = np.asarray(unit[inside] @ sums.T, dtype=np.float64) - middle @ sums.T
    with np.errstate(invalid="ignore", divide="ignore"):
        scores = np.where(lengths > 0, products / lengths, -np.inf)
    # |x − m|² of each word, to remove the word from the sum of its region.
    towards = np.asarray(unit[inside] @ middle, dtype=np.float64)
    squares = _squares(unit[inside]) - 2 * towards + middle @ middle
    everyone = np.arange(len(inside))
    own = products[everyone, chosen]
    left = np.sqrt(np.maximum(lengths[chosen] ** 2 - 2 * own + squares, 0.0))
    with np.errstate(invalid="ignore", divide="ignore"):
        mine = np.where((sizes[chosen] > 1) & (left > 0), (own - squares) / left, -np.inf)
    scores[everyone, chosen] = -np.inf
    stay = np.zeros(len(labels), dtype=bool)
    stay[inside] = mine > scores.max(axis=1)
    return stay


def _squares(unit: Vectors) -> Doubles:
    squares = unit**2 if isinstance(unit, np.ndarray) else unit.multiply(unit)
    return np.asarray(squares.sum(axis=1), dtype=np.float64).ravel()
