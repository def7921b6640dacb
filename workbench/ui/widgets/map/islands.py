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


def groups_without_label(
    groups: Ints, visible: npt.NDArray[np.bool_], labelled: npt.NDArray[np.bool_], order: Ints
) -> list[Ints]:
    """The visible words of each group in which no word is labelled, the largest groups first.

    groups : int64[n], NOWHERE for words in no group
    labelled : bool[n], words with a label, or represented by the name of a region
    order : int64[n], ranks of the words, by which each group is sorted
    """
    number = int(groups.max(initial=NOWHERE)) + 1
    rows = np.flatnonzero(visible & (groups >= 0))
    sizes = np.bincount(groups[rows], minlength=number)
    named = np.bincount(groups[labelled & (groups >= 0)], minlength=number)
    lacking = np.flatnonzero((sizes >= _FEWEST) & (named == 0))
    lacking = lacking[np.argsort(-sizes[lacking], kind="stable")]
    found = []
    for group in lacking.tolist():
        members = rows[groups[rows] == group]
        found.append(members[np.argsort(order[members], kind="stable")])
    return found
