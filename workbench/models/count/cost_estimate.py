"""Expected memory and time of training on the cells of a table of counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, Vocabulary
from workbench.counts.context_kinds import SIDE, WORDS
from workbench.counts.cooccurrence import estimate_bytes, expected_cells
from workbench.counts.counts_corpus import CountedCorpus
from workbench.counts.likely_cells import likely_cells
from workbench.models.base import Estimate
from workbench.models.count.factorisation_base import counting_seconds

# Bytes of the pieces in which cells on disk are read and laid out, independent of their number.
STREAMING = 128 << 20
# Measured seconds of a thread to read and lay out a cell on disk.
_PER_STORED_CELL = 6e-8


@dataclass(frozen=True)
class CellCost:
    """The cells of a corpus, or of counts, over a vocabulary, and the costs that depend on their
    number.

    thinned : whether counting takes subsampling into account
    kind : kind of contexts, one of CONTEXT_KINDS
    """

    corpus: Corpus
    vocabulary: Vocabulary
    window: int
    symmetric: bool = True
    thinned: bool = False
    kind: str = WORDS

    @property
    def is_stored(self) -> bool:
        """Whether the counts exist already, in shards."""
        return isinstance(self.corpus, CountedCorpus)

    @cached_property
    def cells(self) -> float:
        """Number of cells, an upper bound; for stored counts, of all their cells even if the
        vocabulary is smaller.
        """
        if isinstance(self.corpus, CountedCorpus):
            return float(self.corpus.shards.nnz)
        if self.kind != WORDS:
            reach = self.window if self.kind == SIDE else 1
            return self._directions * expected_cells(self.vocabulary, reach)
        return expected_cells(self.vocabulary, self.window * (2 if self.symmetric else 1))

    @cached_property
    def likely_cells(self) -> float:
        """Likely number of cells, for time; ``cells`` is an upper bound, for memory."""
        if self.is_stored:
            return self.cells
        if self.kind != WORDS:
            reach = self.window if self.kind == SIDE else 1
            return self._directions * likely_cells(self.corpus, self.vocabulary, reach, False)
        return likely_cells(self.corpus, self.vocabulary, self.window, self.symmetric)

    @property
    def _directions(self) -> int:
        """Maximum number of contexts for each word."""
        return {WORDS: 1, SIDE: 2}.get(self.kind, 2 * self.window)

    @property
    def columns(self) -> int:
        """Number of contexts; of a text, the maximum."""
        if isinstance(self.corpus, CountedCorpus) and self.corpus.own_contexts is not None:
            return len(self.corpus.own_contexts)
        return len(self.vocabulary) * self._directions

    @property
    def longer_side(self) -> int:
        """Number of words, or of contexts if there are more."""
        return max(len(self.vocabulary), self.columns)

    @property
    def seconds(self) -> float:
        """Seconds until training on cells can start, on one thread."""
        if self.is_stored:
            return self.cells * _PER_STORED_CELL
        return counting_seconds(self.corpus, self.vocabulary, self.window, self.thinned)

    def estimate(
        self,
        seconds: float | None,
        tables: int,
        held: int,
        *,
        beside: int = 0,
        scratch: int = 16,
        scratch_bytes: int | None = None,
    ) -> Estimate:
        """The total cost with ``seconds`` of training, None if unknown.

        tables : bytes that do not depend on the cells
        held, beside : bytes per cell, during training and in addition to counting, if cells are
        in memory
        scratch : temporary bytes per cell on disk, if they aren't; scratch_bytes : their total,
        instead
        """
        size, tokens = len(self.vocabulary), self.vocabulary.tokens
        if self.is_stored:
            on_disk = (scratch * self.cells if scratch_bytes is None else scratch_bytes) / 1e9
            note = ""
            if on_disk >= 0.1:
                note = tr("Training needs {size:,.1f} GB of disk space.", size=on_disk)
            return Estimate(size, tokens, tables + STREAMING, seconds, note)
        counting = estimate_bytes(self.corpus, self.vocabulary, self.window, self.symmetric) + int(
            beside * self.cells
        )
        return Estimate(size, tokens, max(counting, int(held * self.cells) + tables), seconds)
