"""Iterator over the context words of corpus positions, from the nearest outwards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Ints
from workbench.core.job_control import JobControl
from workbench.corpus.corpus import Corpus

_SCAN = 1 << 22  # tokens scanned between two checks for cancellation
_PLACES = 1 << 17  # positions per batch


class ContextStep(NamedTuple):
    """Tokens reached at one step outwards.

    which : int64[m], numbers of the starting positions
    places : int64[m], their positions
    ids : int32[m]
    distance : int64[m], 1 for the first token of the vocabulary on that side
    side : −1 before, +1 after
    """

    which: Ints
    places: Ints
    ids: npt.NDArray[np.int32]
    distance: Ints
    side: int


def places_of(corpus: Corpus, row: int, run: JobControl | None = None) -> Ints:
    """int64[n], every position of the word with this rank (from 0), increasing. Raises
    Cancelled.
    """
    found = []
    for begin in range(0, corpus.tokens, _SCAN):
        if run is not None:
            run.check()
        found.append(np.flatnonzero(corpus.ids[begin : begin + _SCAN] == row) + begin)
    if found:
        return np.concatenate(found)
    return np.empty(0, dtype=np.int64)


def outwards(
    corpus: Corpus, places: Ints, window: int, size: int = 0, run: JobControl | None = None
) -> Iterator[ContextStep]:
    """Walk from every position to both sides until ``window`` tokens are reached or the sentence
    ends.

    size : only ids below it are visited and count in the distance (0: all), because training
    removes all other tokens

    Raises Cancelled.
    """
    size = size or corpus.types
    for first in range(0, len(places), _PLACES):
        part = np.asarray(places[first : first + _PLACES], dtype=np.int64)
        sentence = np.searchsorted(corpus.sentences, part, side="right")
        for side, border in (
            (-1, corpus.sentences[sentence - 1]),
            (1, corpus.sentences[sentence] - 1),
        ):
            which = np.arange(first, first + len(part))
            at, edge = part, border
            met = np.zeros(len(part), dtype=np.int64)
            while True:
                if run is not None:
                    run.check()
                going = (at != edge) & (met < window)
                which, at, edge, met = which[going], at[going] + side, edge[going], met[going]
                if not len(which):
                    break
                ids = corpus.ids[at]
                known = ids < size
                met = met + known
                if known.any():
                    yield ContextStep(which[known], at[known], ids[known], met[known], side)
