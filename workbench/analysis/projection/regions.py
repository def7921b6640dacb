"""Regions of a map: communities of the space, fitted to the places of their words.

A word that is drawn among the words of another region joins it, so that a region is one area of the
map. A coarse region is a union of middle ones, and a fine one is part of a middle one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.projection.communities import Levels
from workbench.core.arrays import Doubles, Ids, Ints, Singles

NO_REGION = -1
# Minimum number of words of a region.
SMALLEST = 5
# Minimum share of the words in regions of a level.
_COVERED = 0.8
# Words around each word that vote on its region, in this number of rounds.
_AROUND, _ROUNDS = 15, 2


@dataclass(frozen=True, eq=False)
class Regions:
    """The regions of one level, the largest first.

    labels : int32[n], the region of each word, NO_REGION for none
    places : float64[k, 2 or 3], a word in the middle of the largest piece of each
    """

    labels: Ids
    places: Doubles

    @property
    def number(self) -> int:
        return len(self.places)

    @property
    def sizes(self) -> Ints:
        """int64[k], words of each."""
        return np.bincount(self.labels[self.labels >= 0], minlength=self.number)


def regions_of(levels: Levels, positions: Singles, most: int = 3) -> tuple[Regions, ...]:
    """The regions of the first ``most`` levels of a layout float[n, 2 or 3], fitted to it, from
    coarse to fine. A level is left out if it doesn't divide the map or the one before, or most of
    its regions would be too small.
    """
    around = words_around(positions)
    found: list[Regions] = []
    for labels in fit_to_map(levels, around)[:most]:
        level = _level(labels, positions, around)
        before = found[-1].number if found else 1
        if level.number > before and np.mean(level.labels >= 0) >= _COVERED:
            found.append(level)
    return tuple(found)


def words_around(positions: Singles, k: int = _AROUND) -> Ints:
    """int64[n, k + 1], each word and the ``k`` words drawn nearest to it (fewer if there are no
    more).
    """
    from scipy.spatial import cKDTree

    near = cKDTree(positions).query(positions, min(k + 1, len(positions)))[1]
    return np.asarray(near, dtype=np.int64).reshape(len(positions), -1)


def fit_to_map(levels: Levels, around: Ints, rounds: int = _ROUNDS) -> Levels:
    """The levels after each word has joined the community of most words ``around`` it that have it
    around them, too; its own counts twice. The levels remain nested.
    """
    coarse, middle, fine = levels
    above = _parents(middle, coarse)
    within = _parents(fine, middle)
    votes = _votes(around)
    for _ in range(rounds):
        middle = _majority(middle, votes)
    for _ in range(rounds):
        # Only parts of a word's own middle region may take it.
        fine = _majority(fine, votes, middle, within)
    return above[middle], middle, fine


def purity(labels: Ids, around: Ints) -> float:
    """Mean share of the words ``around`` a word that are in its region; words in none are left
    out.
    """
    inside = labels >= 0
    same = labels[around[inside, 1:]] == labels[inside, None]
    return float(same.mean()) if same.size else float("nan")


def region_hues(places: Doubles, positions: Singles) -> Doubles:
    """float64[k] in 0..1, the direction of each place from the middle of a layout, so that regions
    side by side have similar hues.
    """
    away = places[:, :2] - np.median(positions[:, :2], axis=0)
    return np.asarray((np.arctan2(away[:, 1], away[:, 0]) / (2 * np.pi)) % 1.0)


def _parents(parts: Ids, wholes: Ids) -> Ids:
    """int32[k], the whole that each part belongs to."""
    parents = np.zeros(int(parts.max()) + 1, dtype=np.int32)
    parents[parts] = wholes
    return parents


def _votes(around: Ints) -> sp.coo_matrix:
    """[n, n], the number of votes of each word (column) on the region of another (row)."""
    size, near = around.shape
    ends = np.repeat(np.arange(size), near), around.ravel()
    table = sp.csr_matrix((np.ones(size * near), ends), shape=(size, size))
    # The words around an island are far from it, so they have other words around themselves.
    mutual = table.minimum(table.T) + sp.identity(size, format="csr")
    return mutual.tocoo()


def _majority(
    labels: Ids, votes: sp.coo_matrix, wholes: Ids | None = None, parents: Ids | None = None
) -> Ids:
    """The label with most votes for each word, the lowest of equals; with ``parents`` of the
    labels, only those that are part of the word's ``wholes``.
    """
    rows, voted, numbers = votes.row, labels[votes.col], votes.data
    number = int(labels.max()) + 1
    if wholes is not None and parents is not None:
        allowed = parents[voted] == wholes[rows]
        rows, voted, numbers = rows[allowed], voted[allowed], numbers[allowed]
    table = sp.csr_matrix((numbers, (rows, voted)), shape=(len(labels), number)).tocoo()
    order = np.lexsort((table.col, -table.data, table.row))
    known, first = np.unique(table.row[order], return_index=True)
    won = np.full(len(labels), NO_REGION, dtype=np.int32)
    won[known] = table.col[order][first]
    if wholes is not None and parents is not None:
        # Where no part of the word's region is near, the largest one takes it.
        by_size = np.argsort(np.bincount(labels, minlength=number), kind="stable")
        largest = np.zeros(int(parents.max()) + 1, dtype=np.int32)
        largest[parents[by_size]] = by_size
        lost = won < 0
        won[lost] = largest[wholes[lost]]
    return won


def _level(labels: Ids, positions: Singles, around: Ints) -> Regions:
    """Regions numbered by size; words of those with too few are in none."""
    _, numbers, sizes = np.unique(labels, return_inverse=True, return_counts=True)
    order = np.argsort(-sizes, kind="stable")
    order = order[sizes[order] >= min(SMALLEST, len(labels))]
    place = np.full(len(sizes), NO_REGION, dtype=np.int32)
    place[order] = np.arange(len(order), dtype=np.int32)
    tidy = place[numbers]
    pieces = _pieces(tidy, around)
    middles = [
        _middle(positions, np.flatnonzero(tidy == each), pieces) for each in range(len(order))
    ]
    dims = positions.shape[1]
    return Regions(tidy, np.array(middles, dtype=np.float64).reshape(-1, dims))


def _pieces(labels: Ids, around: Ints) -> Ints:
    """int64[n], connected parts of regions on the map."""
    size = len(labels)
    rows = np.repeat(np.arange(size), around.shape[1])
    ends = around.ravel()
    same: npt.NDArray[np.bool_] = labels[rows] == labels[ends]
    links = sp.csr_matrix((np.ones(int(same.sum())), (rows[same], ends[same])), shape=(size, size))
    _, parts = sp.csgraph.connected_components(links, directed=False)
    return np.asarray(parts, dtype=np.int64)


def _middle(positions: Singles, rows: npt.NDArray[np.intp], pieces: Ints) -> Sequence[float]:
    """The position of the word nearest to the median of the largest piece of a region."""
    largest = rows[pieces[rows] == np.bincount(pieces[rows]).argmax()]
    places = positions[largest].astype(np.float64)
    apart = ((places - np.median(places, axis=0)) ** 2).sum(axis=1)
    found: list[float] = places[int(apart.argmin())].tolist()
    return found
