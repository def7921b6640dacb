"""Rules of the game: walk from one word to another through nearest neighbours.

From a word, you can step to each of its ``OPTIONS`` nearest words; these steps are the arcs of a
directed graph. A breadth-first search from the target counts the steps of a shortest walk from each
word. The *rank* of a word is its place among all words by cosine with the target, from 1; it tells
hot from cold, but the nearest word isn’t always on a shortest walk.

Puzzles have numbers: equal graphs give equal puzzles, in the program and in a handout, whose page
repeats these rules in ``resources/handout/walk-rules.js``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.neighbours.ranking import unit_doubles
from workbench.core.arrays import Doubles, Ids
from workbench.core.job_control import JobControl
from workbench.vectors.embeddings import Embeddings

# Neighbours that a word offers, and the most frequent words, which are in the game.
OPTIONS, MOST_WORDS = 8, 2_000
FEWEST_WORDS = 10
# Steps of a shortest walk in the puzzles 1, 2, 3, then again; targets that are tried for each.
LENGTHS, _TRIES = (3, 4, 5), 100
# Shares of the words by rank, in percent: hot, warm, cool; below this number of words, as with it.
HEATS = (("hot", 1), ("warm", 5), ("cool", 20))
COLD, THERE, _LEAST = "cold", "there", 300
_ROWS, _DIGITS = 256, 13


@dataclass(frozen=True)
class Puzzle:
    """Words by row; ``steps`` is the length of a shortest walk."""

    number: int
    start: int
    target: int
    steps: int


@dataclass(frozen=True)
class Walk:
    """A game that is being played. ``path`` are the words from the start on; ``moves`` counts every
    step, also those that were taken back, and each step back.
    """

    puzzle: Puzzle
    path: tuple[int, ...]
    moves: int = 0

    @classmethod
    def begin(cls, puzzle: Puzzle) -> Walk:
        return cls(puzzle, (puzzle.start,))

    @property
    def here(self) -> int:
        return self.path[-1]

    @property
    def has_arrived(self) -> bool:
        return self.here == self.puzzle.target

    def step(self, graph: WalkGraph, word: int) -> Walk:
        """Go to a word. Raises ValueError if it isn't offered here."""
        if self.has_arrived or word not in graph.near[self.here]:
            raise ValueError(word)
        return replace(self, path=(*self.path, word), moves=self.moves + 1)

    def back(self) -> Walk:
        """Go back to the word before, which is a move, too."""
        if len(self.path) < 2 or self.has_arrived:
            raise ValueError("start")
        return replace(self, path=self.path[:-1], moves=self.moves + 1)


@dataclass(frozen=True, eq=False)
class WalkGraph:
    """near : int32[n, k], rows of the nearest words of each word, best first"""

    near: Ids

    @property
    def size(self) -> int:
        return len(self.near)

    def steps_to(self, target: int) -> npt.NDArray[np.int32]:
        """int32[n], number of steps of a shortest walk from each word to ``target``; −1 if none
        exists.
        """
        steps = np.full(self.size, -1, dtype=np.int32)
        steps[target] = 0
        reached, distance = np.zeros(self.size, dtype=np.bool_), 0
        reached[target] = True
        while True:
            distance += 1
            new = reached[self.near].any(axis=1) & (steps < 0)
            if not new.any():
                return steps
            steps[new] = distance
            reached = new

    def shortest(self, start: int, target: int) -> tuple[int, ...]:
        """A shortest walk: of the words that are on one, always the nearest. () if none
        exists.
        """
        steps = self.steps_to(target)
        if steps[start] < 0:
            return ()
        path = [start]
        while path[-1] != target:
            options = self.near[path[-1]]
            path.append(int(options[steps[options] == steps[path[-1]] - 1][0]))
        return tuple(path)

    def puzzle(self, number: int) -> Puzzle | None:
        """The puzzle with this number, from 1. Its words aren't among the most frequent twentieth,
        and its target is among the more frequent half. None if no two words are two steps apart.
        """
        first, last = self.size // 20, max(self.size // 2, self.size // 20 + 1)
        for wanted in range(LENGTHS[(number - 1) % len(LENGTHS)], 1, -1):
            for attempt in range(_TRIES):
                target = first + draw(number, attempt, last - first)
                apart = self.steps_to(target)
                found = np.flatnonzero(apart == wanted)
                found = found[found >= first]
                if len(found):
                    start = int(found[draw(number, _TRIES, len(found))])
                    return Puzzle(number, start, target, wanted)
        return None


def draw(number: int, attempt: int, below: int) -> int:
    """A whole number from 0 to ``below`` − 1 that looks random: the finaliser of MurmurHash3
    (Appleby 2011) of the two numbers.
    """
    mask = 0xFFFFFFFF
    mixed = (number * 0x9E3779B1 + attempt * 0x85EBCA77) & mask
    mixed ^= mixed >> 16
    mixed = mixed * 0x85EBCA6B & mask
    mixed ^= mixed >> 13
    mixed = mixed * 0xC2B2AE35 & mask
    mixed ^= mixed >> 16
    return mixed * below >> 32


def ranks(cosines: Doubles, target: int) -> npt.NDArray[np.int64]:
    """int64[n], the place of every word by its cosine with the target; equal ones share the better
    place, and the target has 0.
    """
    others = np.sort(np.delete(cosines, target))
    places = 1 + len(others) - np.searchsorted(others, cosines, side="right")
    places[target] = 0
    return np.asarray(places, dtype=np.int64)


def heat(rank: int, size: int) -> str:
    """THERE, "hot", "warm", "cool" or COLD, by the rank among ``size`` words."""
    if rank == 0:
        return THERE
    for name, percent in HEATS:
        if 100 * rank <= percent * max(size, _LEAST):
            return name
    return COLD


def nearest_options(
    products: Callable[[slice], Doubles], size: int, run: JobControl | None = None
) -> WalkGraph:
    """The graph of words whose cosines with all, float64[rows, n], are ``products``. Of equal
    cosines, the lower row comes first. Raises Cancelled.
    """
    k = min(OPTIONS, size - 1)
    near = np.empty((size, k), dtype=np.int32)
    for begin in range(0, size, _ROWS):
        if run is not None:
            run.check()
        rows = slice(begin, min(begin + _ROWS, size))
        # Differences in the last digits of a sum count as equal.
        block = -np.round(products(rows), _DIGITS)
        block[np.arange(len(block)), np.arange(rows.start, rows.stop)] = np.inf
        near[rows] = np.argsort(block, axis=1, kind="stable")[:, :k]
    return WalkGraph(near)


@dataclass(frozen=True, eq=False)
class WalkWords:
    """The words of a model that are in the game.

    rows : intp[n], their rows in the embeddings, the most frequent first; unit : [n, d], float64 or
    CSR
    """

    words: tuple[str, ...]
    rows: npt.NDArray[np.intp]
    unit: Doubles | sp.csr_matrix
    graph: WalkGraph

    @classmethod
    def of(
        cls, embeddings: Embeddings, run: JobControl | None = None, most: int = MOST_WORDS
    ) -> WalkWords:
        """The words among the ``most`` most frequent ones that have a vector. Raises Cancelled."""
        rows = embeddings.rows_with_vector(most)
        if isinstance(embeddings.unit, np.ndarray):
            unit: Doubles | sp.csr_matrix = unit_doubles(embeddings, rows)
        else:
            unit = embeddings.unit[rows].astype(np.float64)
        graph = nearest_options(lambda part: _dense(unit[part] @ unit.T), len(rows), run)
        return cls(tuple(embeddings.words[row] for row in rows.tolist()), rows, unit, graph)

    def ranks(self, target: int) -> npt.NDArray[np.int64]:
        """Places of all words by cosine with the target."""
        cosines = _dense(self.unit @ self.unit[[target]].T)[:, 0]
        return ranks(np.round(cosines, _DIGITS), target)


def _dense(products: Any) -> Doubles:
    return products if isinstance(products, np.ndarray) else np.asarray(products.toarray())
