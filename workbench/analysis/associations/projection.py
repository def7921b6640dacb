"""Mean projection of two sets of words on the axis between two others, with an interval.

The axis leads from the mean of the unit vectors of b to that of a, as in Bolukbasi et al. 2016, Man
is to Computer Programmer as Woman is to Homemaker?, section 4, for sets of words. The interval is
the percentile bootstrap (Efron 1979) over the words of all four sets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from workbench.analysis.associations.known_words import KnownWords
from workbench.analysis.evaluation.bootstrap import (
    NONE,
    RESAMPLES,
    SEED,
    Interval,
    percentile_interval,
)
from workbench.analysis.neighbours.ranking import unit_doubles
from workbench.core.arrays import Doubles
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings

# With fewer words in a set, samples of its words say little about other words.
FEWEST_WORDS = 3
_AT_ONCE = 100


@dataclass(frozen=True, eq=False)
class Projection:
    """Cosines of target words with the axis from b to a.

    words : float64[|x| + |y|], the cosine of each target word; NaN if the axis has no direction
    difference : mean of x − mean of y
    interval : its 95 % interval over resampled words; NaN if a set has fewer than FEWEST_WORDS
    """

    words: Doubles
    difference: float
    interval: Interval


def project_targets(
    embeddings: Embeddings,
    known: KnownWords,
    run: JobControl | None = None,
    seed: int = SEED,
    resamples: int = RESAMPLES,
) -> Projection:
    """Project the targets; the same interval for the same ``seed``. Raises Cancelled."""
    targets = unit_doubles(embeddings, known.targets)
    attributes = unit_doubles(embeddings, np.concatenate([known.a, known.b]))
    products, gram = targets @ attributes.T, attributes @ attributes.T
    sizes = [len(rows) for rows in (known.x, known.y, known.a, known.b)]
    # Shares of the words in the mean of their set: positive for a, negative for b.
    even = np.concatenate([np.full(sizes[2], 1 / sizes[2]), np.full(sizes[3], -1 / sizes[3])])
    words = _cosines(products, gram, even[None])[0]
    difference = float(words[: sizes[0]].mean() - words[sizes[0] :].mean())
    if min(sizes) < FEWEST_WORDS or not math.isfinite(difference):
        return Projection(words, difference, NONE)
    random = np.random.default_rng(seed)
    found = []
    for begin in range(0, resamples, _AT_ONCE):
        if run is not None:
            run.check()
        number = min(_AT_ONCE, resamples - begin)
        x, y, a, b = (
            random.multinomial(size, np.full(size, 1 / size), size=number) / size for size in sizes
        )
        drawn = _cosines(products, gram, np.concatenate([a, -b], axis=1))
        found.append((drawn * np.concatenate([x, -y], axis=1)).sum(axis=1))
    return Projection(words, difference, percentile_interval(np.concatenate(found)))


def _cosines(products: Doubles, gram: Doubles, weights: Doubles) -> Doubles:
    """float64[s, targets]: cosines of the targets with the axes whose shares of attribute words are
    ``weights`` float64[s, attributes]; NaN for an axis without length.
    """
    squared = np.einsum("ij,jk,ik->i", weights, gram, weights)
    lengths = np.sqrt(np.where(squared > 1e-12, squared, np.nan))
    return np.asarray((weights @ products.T) / lengths[:, None])
