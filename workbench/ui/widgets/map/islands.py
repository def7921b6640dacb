"""Islands of a map: groups of words close together on the screen, each of which gets a label."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Ints, Singles

# Words closer than about this many pixels are on one island.
_CELL = 20.0
# Minimum size of an island: single words are labelled if there is room.
_FEWEST = 3
NOWHERE = -1


def find_islands(screen: Singles, visible: npt.NDArray[np.bool_]) -> Ints:
    """int64[n], the island of each word, NOWHERE for words on none.

    screen : float32[n, 2], the points in pixels
    visible : bool[n], those in the window
    """
    # Imported by the first map, not by every start.
    from scipy import ndimage

    islands = np.full(len(screen), NOWHERE, dtype=np.int64)
    rows = np.flatnonzero(visible)
    if len(rows) == 0:
        return islands
    cells = np.floor(screen.take(rows, axis=0) * np.float32(1 / _CELL)).astype(np.int32)
    cells -= cells.min()
    side = int(cells.max()) + 1
    places = cells[:, 0] * np.int32(side) + cells[:, 1]
    occupied = np.zeros(side * side, dtype=bool)
    occupied[places] = True
    numbers, _ = ndimage.label(occupied.reshape(side, side), structure=np.ones((3, 3)))
    islands[rows] = numbers.ravel().take(places) - 1
    return islands


class WordGroups:
    """Groups of words, and which of them lack a label.

    groups : int64[n], NOWHERE for words in no group
    visible : bool[n], those in the window
    named : bool[n], words represented by the name of a region; None for none
    order : int64[n], ranks of the words, by which each group is sorted
    """

    def __init__(
        self,
        groups: Ints,
        visible: npt.NDArray[np.bool_],
        named: npt.NDArray[np.bool_] | None,
        order: Ints,
    ) -> None:
        number = int(groups.max(initial=NOWHERE)) + 1
        self._groups, self._order = groups, order
        self._rows = np.flatnonzero(visible & (groups >= 0))
        self._sizes = np.bincount(groups[self._rows], minlength=number)
        self._wanting = self._sizes >= _FEWEST
        if named is not None:
            self._wanting &= np.bincount(groups[named & (groups >= 0)], minlength=number) == 0

    def without_label(self, labelled: Ints, most: int) -> list[Ints]:
        """The visible words of each group in which no word has a label or is represented by a name,
        the largest groups first, at most ``most`` of them.

        labelled : rows of the words with a label
        """
        lacking = self._wanting.copy()
        own = self._groups[labelled]
        lacking[own[own >= 0]] = False
        rows = self._rows[lacking[self._groups[self._rows]]]
        groups = np.flatnonzero(lacking)
        largest = groups[np.argsort(-self._sizes[groups], kind="stable")][:most]
        found = []
        for group in largest.tolist():
            members = rows[self._groups[rows] == group]
            found.append(members[np.argsort(self._order[members], kind="stable")])
        return found
