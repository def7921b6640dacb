"""What all sections share: the run, the words of the page, and their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Singles
from workbench.core.text.visible import visible
from workbench.session.export.export_source import ExportSource
from workbench.session.export.handout_page.quantised import Quantised, quantise
from workbench.vectors.embeddings import Embeddings


class PageWords:
    """The run of a page, and its words.

    rows : intp[n], rows of the words in the embeddings, the most frequent first. Other words that
    occur on the page, such as contexts, get numbers from n on when they are asked for.
    """

    def __init__(self, subject: ExportSource, rows: npt.NDArray[np.intp]) -> None:
        self.subject = subject
        self.rows = rows
        self.words = [subject.embeddings.words[row] for row in rows.tolist()]
        self._others: dict[str, int] = {}

    @property
    def embeddings(self) -> Embeddings:
        return self.subject.embeddings

    @cached_property
    def unit(self) -> Singles:
        """float32[n, d]."""
        return np.asarray(self.embeddings.unit_of(self.rows), dtype=np.float32)

    @cached_property
    def quantised(self) -> Quantised:
        return quantise(self.unit)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {word: number for number, word in reversed(list(enumerate(self.words)))}

    def number(self, word: str) -> int:
        """The number of a word on the page."""
        known = self._numbers.get(word)
        if known is not None:
            return known
        return self._others.setdefault(word, len(self.words) + len(self._others))

    def numbers(self, words: Sequence[str]) -> npt.NDArray[np.uint32]:
        return np.array([self.number(word) for word in words], dtype=np.uint32)

    @property
    def display_texts(self) -> list[str]:
        """All words by number, with visible control characters."""
        return [visible(word) for word in (*self.words, *self._others)]
