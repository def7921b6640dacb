"""The parts of a corpus that trainers read, and in which order."""

from __future__ import annotations

import threading
from collections import deque

import numpy as np
import numpy.typing as npt

from workbench.corpus.readahead import Readahead
from workbench.models.tally import fair_order


def segment_edges(sentences: npt.NDArray[np.int64], segments: int) -> npt.NDArray[np.int64]:
    """int64[<= segments + 1], rising: positions that cut the corpus into about equal parts, between
    sentences where those are short enough.
    """
    tokens = int(sentences[-1])
    even = np.linspace(0, tokens, segments + 1).astype(np.int64)
    nearest = sentences[np.clip(np.searchsorted(sentences, even), 0, len(sentences) - 1)]
    close = np.abs(nearest - even) < tokens // (2 * segments)
    return np.unique(np.where(close, nearest, even))


class Segments:
    """Hands out the segments between ``edges``, in an order drawn anew for every epoch, to any thread.

    Of a corpus on disk the ``ahead`` next ones are asked for meanwhile, and what a thread had before is let go of.
    """

    def __init__(
        self,
        ids: npt.NDArray[np.int32],
        edges: npt.NDArray[np.int64],
        epochs: int,
        shuffle: np.random.Generator,
        ahead: int,
    ) -> None:
        self._edges = edges
        self._order = (int(number) for _ in range(epochs) for number in fair_order(len(edges) - 1, shuffle))
        self._pages = Readahead(ids)
        self._next: deque[tuple[int, int]] = deque()
        self._ahead = ahead
        self._held: dict[int, tuple[int, int]] = {}
        self._lock = threading.Lock()

    def take(self, thread: int) -> tuple[int, int] | None:
        """(first token, the one after the last) of the next segment for a thread, None after all."""
        with self._lock:
            before = self._held.pop(thread, None)
            if before is not None:
                self._pages.let_go(*before)
            while len(self._next) <= self._ahead and (number := next(self._order, None)) is not None:
                segment = int(self._edges[number]), int(self._edges[number + 1])
                self._pages.ask(*segment)
                self._next.append(segment)
            if not self._next:
                return None
            taken = self._held[thread] = self._next.popleft()
            return taken
