"""How much text regions need: whether their words share contexts in the text.

Shuffled text has communities, too, and their modularity is as high. But their words share contexts
only as often as any words of equal frequency: their lift is 1.
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from workbench.analysis.projection.communities import Levels
from workbench.analysis.projection.region_names import ContextTable
from workbench.core.arrays import Doubles, Ids, Singles

# Minimum lift for one, two and three levels of regions, measured on texts of 50,000 to 14 million
# tokens: below the first, trainings with other seeds agree on less than half of the regions.
_LEVELS = (1.5, 1.7, 1.9)
# Without the text: minimum median count of the words.
FEWEST = 40
# Vectors with a higher mean cosine were trained too briefly.
ALIKE = 0.5
# Cells counted fewer times say little.
_RAREST = 2.0
# Words are exchanged for words of similar ranks, this number at a time.
_RANKS = 100


def context_lift(table: ContextTable, labels: Ids, draws: int = 5, seed: int = 0) -> float:
    """Mean cosine of the context rows of two words of a region over that of sets of words of equal
    frequency; 1 for regions without meaning, NaN without counted words in regions.

    labels : int32[m], the region of each word of the layout, the most frequent first, −1 for none
    """
    known = table.rows >= 0
    rows = table.rows[known]
    contexts = _context_rows(table.counts[rows])
    inside = _mean_cosine(contexts, labels[known])
    random = np.random.default_rng(seed)
    blocks = np.array_split(np.arange(len(rows)), max(len(rows) // _RANKS, 1))
    chance = []
    for _ in range(draws):
        swap = np.concatenate([random.permutation(block) for block in blocks])
        chance.append(_mean_cosine(contexts, labels[known][swap]))
    with np.errstate(invalid="ignore", divide="ignore"):
        return float(np.float64(inside) / np.mean(chance))


def levels_by_lift(lift: float) -> int:
    """Number of levels, 0 to 3, that a text supports."""
    return sum(lift >= least for least in _LEVELS)


def levels_by_counts(counts: Doubles | None) -> int:
    """Number of levels, 0 or 3, from the counts of the words; 3 if they are unknown."""
    if counts is None or not len(counts):
        return 3
    return 3 if float(np.median(counts)) >= FEWEST else 0


def supported_levels(levels: Levels, table: ContextTable | None, counts: Doubles | None) -> int:
    """Number of levels, 0 to 3, that a text supports: by the lift of the middle one where contexts
    are counted, else by the counts of the words.
    """
    if table is None:
        return levels_by_counts(counts)
    return levels_by_lift(context_lift(table, levels[1]))


def mean_cosine(unit: Singles | sp.csr_matrix) -> float:
    """Mean cosine of two different rows of [n, d] unit rows."""
    size = unit.shape[0]
    sums = np.asarray(unit.sum(axis=0), dtype=np.float64).ravel()
    return float((sums @ sums - size) / max(size * (size - 1), 1))


def _context_rows(counts: sp.csr_matrix) -> sp.csr_matrix:
    """CSR float64[m, V], positive PMI of counts [m, V], rows of length 1."""
    cells = counts.tocoo()
    of_row = np.asarray(counts.sum(axis=1), dtype=np.float64).ravel()
    of_column = np.asarray(counts.sum(axis=0), dtype=np.float64).ravel()
    pmi = np.log(cells.data * of_row.sum() / (of_row[cells.row] * of_column[cells.col]))
    kept = (pmi > 0) & (cells.data >= _RAREST)
    lengths = np.sqrt(np.bincount(cells.row[kept], pmi[kept] ** 2, minlength=counts.shape[0]))
    scaled = pmi[kept] / lengths[cells.row[kept]]
    return sp.csr_matrix((scaled, (cells.row[kept], cells.col[kept])), shape=counts.shape)


def _mean_cosine(contexts: sp.csr_matrix, labels: Ids) -> float:
    """Mean over all words in regions of the mean cosine of two different words of a region."""
    inside = np.flatnonzero(labels >= 0)
    if not len(inside):
        return float("nan")
    shape = (int(labels.max()) + 1, len(labels))
    members = sp.csr_matrix((np.ones(len(inside)), (labels[inside], inside)), shape=shape)
    sums = members @ contexts
    sizes = np.asarray(members.sum(axis=1), dtype=np.float64).ravel()
    # Words without context rows add nothing to their own products.
    lengths = np.asarray(contexts.multiply(contexts).sum(axis=1)).ravel()
    squares = np.asarray(sums.multiply(sums).sum(axis=1)).ravel() - members @ lengths
    pairs = squares / np.maximum(sizes * (sizes - 1), 1)
    return float(np.average(pairs, weights=sizes))
