"""From the mean of a word's contexts to its vector: *à la carte* (Khodak et al. 2018).

If words and contexts are drawn from a log-linear model, the expected vector of a word is a linear
map of the mean vector x of its contexts (Arora et al. 2018). The known words give this map: with
their rows W and the means X of the rows of their contexts, A minimises |X A − W|².
"""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Doubles, Ints

# Words of fewer occurrences aren't in the map: their means are too noisy.
_OFTEN = 30
# Minimum number of words for each column of the map, and number of words that are enough.
_WORDS_PER_COLUMN, _MOST_WORDS = 2, 2000


def mean_map(
    table: sp.csr_matrix | sp.csc_matrix, rows: Doubles, frequencies: Ints
) -> Doubles | None:
    """float64[d, d], A for means of a side's own rows; None for too few frequent words. Of at least
    n times as many words as needed, every n-th is taken.

    table : #(w, c), [V, V]; rows : float64[V, d]; frequencies : of the words in the corpus
    """
    often = np.flatnonzero(np.asarray(frequencies) >= _OFTEN)
    if len(often) < _WORDS_PER_COLUMN * rows.shape[1]:
        return None
    often = often[:: max(len(often) // _MOST_WORDS, 1)]
    some = sp.csr_matrix(table[often])
    totals = np.asarray(some.sum(axis=1), dtype=np.float64).ravel()
    means = some @ rows / np.maximum(totals, 1e-9)[:, None]
    return np.asarray(np.linalg.lstsq(means, rows[often], rcond=None)[0], dtype=np.float64)
