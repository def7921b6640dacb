"""Choice of content words for a heatmap: groups of words that co-occur and share contexts."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from workbench.analysis.projection.region_names import is_flat, preference_strength
from workbench.core.arrays import Bools, Doubles

# Number of most frequent words that are candidates, or a multiple of the requested words.
_CANDIDATES, _MULTIPLE = 600, 4
# Number of most frequent words that are mostly function words, and their share of a small
# vocabulary.
_TOO_FREQUENT, _SHARE = 50, 0.08
# Words per group, and the maximum number of groups before groups become larger.
_GROUP, _MOST_GROUPS = 5, 8
# Pairs counted fewer times have a PMI that says little.
_RAREST = 5.0
# Words whose ties to a group exceed this share of its inner ties don’t go to another group.
_TIED = 0.4


def candidate_number(wanted: int) -> int:
    """Number of the most frequent words among which content words are chosen."""
    return max(_CANDIDATES, _MULTIPLE * wanted)


def content_words(counts: Doubles, wanted: int) -> list[int]:
    """Rows of ``wanted`` content words, group by group, the clearest group first.

    A group starts with the word that has the strongest ties, and adds the words tied to it. The tie
    of two words that co-occur is the cosine of their PPMI rows. The most frequent words and those
    with flat rows are candidates only if there are too few others.

    counts : float64[n, n], #(w, c) of the most frequent words, the most frequent first
    """
    size = len(counts)
    if size <= wanted:
        return list(range(size))
    totals = counts.sum(axis=1)
    ties = _ties(counts) * np.log1p(totals)
    free = ~is_flat(preference_strength(sp.csr_matrix(counts)))
    free[: min(_TOO_FREQUENT, int(_SHARE * size))] = False
    chosen: list[int] = []
    largest = max(_GROUP, -(-wanted // _MOST_GROUPS))
    while len(chosen) < wanted:
        group = _next_group(ties, free, min(largest, wanted - len(chosen)))
        if not group:
            break
        chosen += group
    taken = set(chosen)
    others = [row for row in range(size) if row not in taken]
    return chosen + others[: wanted - len(chosen)]


def strongest_pair(counts: Doubles, wanted: int) -> tuple[int, int] | None:
    """Rows of the two content words with the strongest tie among ``wanted`` ones, None without
    ties.
    """
    rows = content_words(counts, wanted)
    if not rows:
        return None
    ties = _ties(counts)[np.ix_(rows, rows)]
    first, second = np.unravel_index(np.argmax(ties), ties.shape)
    if ties[first, second] <= 0:
        return None
    return rows[int(first)], rows[int(second)]


def _ties(counts: Doubles) -> Doubles:
    """float64[n, n], the cosine of the PPMI rows of words that co-occur, else 0."""
    totals = counts.sum(axis=1)
    often = counts >= _RAREST
    expected = np.outer(totals, totals) / max(totals.sum(), 1.0)
    ratio = np.where(often, counts, 1.0) / np.where(often, expected, 1.0)
    ppmi = np.where(often, np.maximum(np.log(ratio), 0.0), 0.0)
    lengths = np.linalg.norm(ppmi, axis=1)
    unit = ppmi / np.where(lengths > 0, lengths, 1.0)[:, None]
    ties = (unit @ unit.T) * (ppmi > 0)
    np.fill_diagonal(ties, 0.0)
    return np.asarray((ties + ties.T) / 2)


def _next_group(ties: Doubles, free: Bools, wanted: int) -> list[int]:
    """Rows of the next group; empty without ties. Removes the group and words tied to it from
    ``free``.
    """
    among = np.where(free[None, :], ties, 0.0)
    strongest = np.sort(among, axis=1)[:, -wanted:].sum(axis=1)
    strength = np.where(free, strongest, -1.0)
    first = int(np.argmax(strength))
    if strength[first] <= 0:
        return []
    group = [first]
    free[first] = False
    while len(group) < wanted:
        tied = np.where(free, ties[:, group].mean(axis=1), -1.0)
        best = int(np.argmax(tied))
        if tied[best] <= 0:
            break
        group.append(best)
        free[best] = False
    inside = ties[np.ix_(group, group)].mean()
    free &= ties[:, group].mean(axis=1) <= _TIED * inside
    return group
