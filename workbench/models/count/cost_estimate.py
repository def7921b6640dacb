"""Expected memory and time of training on the cells of a table of counts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from workbench.core.language import tr
from workbench.corpus.corpus import Corpus, Vocabulary
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
    """

    corpus: Corpus
    vocabulary: Vocabulary
    window: int
    symmetric: bool = True
    thinned: bool = False

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
        return expected_cells(self.vocabulary, self.window * (2 if self.symmetric else 1))

    @cached_property
    def likely_cells(self) -> float:
        """Likely number of cells, for time; ``cells`` is an upper bound, for memory."""
        if self.is_stored:
            return self.cells
        return likely_cells(self.corpus, self.vocabulary, self.window, self.symmetric)

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
