"""Vocabulary table: rank, word, count, share, documents, subsampling, and noise probability."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Places
from workbench.core.language import percent, tr, trc
from workbench.corpus.document_frequency import DocumentCounts
from workbench.counts.sampling import keep_probabilities, noise_distribution
from workbench.ui.base.scaling import set_scaled_size
from workbench.ui.base.text import count, decimal, true_minus
from workbench.ui.base.theme import Theme
from workbench.ui.widgets.tables.data_table import DataTable
from workbench.ui.widgets.tables.table_model import TableColumn

SAMPLE, NS_EXPONENT = 1e-3, 0.75
RANK, WORD, COUNT, SHARE, DOCUMENTS, KEPT, NOISE = range(7)


class FilteredWords(DataTable):
    """Words with numbers, one word per row; a filter keeps the words that contain a text.

    Rows are only created when painted, so even a million words cost nothing.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.words: Sequence[str] = ()
        self._filter = ""
        set_scaled_size(self, least_width=240)

    def set_filter(self, text: str) -> None:
        """Keep the words that contain ``text``; in the order of the rows, words that begin with it
        come first.
        """
        needle = text.strip().lower()
        if needle != self._filter:
            self._filter = needle
            self.table.set_passing(self._passing_rows())

    def _passing_rows(self) -> Places | None:
        """Rows that pass the filter, None for all."""
        if not self._filter:
            return None
        found = [row for row, word in enumerate(self.words) if self._filter in word.lower()]
        inside = [not self.words[row].lower().startswith(self._filter) for row in found]
        return np.array(found, dtype=np.intp)[np.argsort(inside, kind="stable")]

    def word(self, place: int) -> str:
        """The word in a row of the sorted table."""
        return self.words[int(self.table.order[place])]

    def sort_by(self, column: int, descending: bool | None = None) -> None:
        """Sort by a column; the current word stays visible."""
        super().sort_by(column, descending)
        self.scrollTo(self.currentIndex())


class VocabularyTable(FilteredWords):
    """The words of a corpus, initially by rank."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.documents: DocumentCounts | None = None
        self._counts = np.empty(0, dtype=np.int64)
        self._kept = self._noise = np.empty(0)
        self._alphabet: npt.NDArray[np.int32] | None = None
        self.table.sorted_by = ("rank", False)

    def set_words(self, words: Sequence[str], counts: npt.NDArray[np.int64]) -> None:
        """Show the vocabulary of a corpus, most frequent words first."""
        self.words, self._counts, self._filter = words, counts, ""
        self.documents = self._alphabet = None
        self._kept = self._noise = np.empty(0)
        if len(counts):
            self._kept = keep_probabilities(counts, SAMPLE)
            self._noise = noise_distribution(counts, NS_EXPONENT)
        self._put_columns()
        # The position in the last corpus has no meaning in this one.
        self.scrollToTop()

    def set_documents(self, found: DocumentCounts, places: npt.NDArray[np.int32]) -> None:
        """Show the number of documents per word once they are counted.

        places : int32[V], the position of every word in alphabetical order; without it words are in
        order of rank
        """
        self.documents, self._alphabet = found, places
        self._put_columns()

    def _put_columns(self) -> None:
        counts, total = self._counts, max(int(self._counts.sum()), 1)
        ranks = np.arange(1, len(counts) + 1)
        shares = counts / total
        columns = [
            TableColumn(
                tr("Rank"),
                ranks,
                tr("1 = most frequent word"),
                text=lambda rank: count(int(rank)),
                width=70,
                natural=True,
                key="rank",
            ),
            TableColumn(
                tr("Word"),
                self.words,
                tr("Click to select it in all panels"),
                number=False,
                width=96,
                stretch=True,
                places=ranks if self._alphabet is None else self._alphabet,
            ),
            TableColumn(
                trc("noun", "Count"),
                counts,
                tr("Number of times the word occurs in the corpus"),
                text=lambda number: count(int(number)),
                width=80,
            ),
            TableColumn(
                tr("Share"),
                shares,
                tr("Share of all tokens"),
                text=lambda share: percent(decimal(100 * float(share), 2, padded=True)),
                width=92,
                spare=1,
            ),
            self._documents_column(),
            *self._sampling_columns(),
        ]
        self.set_columns(columns, passing=self._passing_rows())

    def _sampling_columns(self) -> list[TableColumn]:
        return [
            TableColumn(
                tr("Kept"),
                self._kept,
                tr(
                    "Share of its occurrences that subsampling keeps at t = {SAMPLE:g} (word2vec’s "
                    "rule)",
                    SAMPLE=SAMPLE,
                ),
                text=lambda share: percent(true_minus(f"{100 * share:.1f}")),
                width=72,
                spare=3,
            ),
            TableColumn(
                tr("Noise"),
                self._noise,
                tr(
                    "Probability of being drawn as a negative sample: proportional to "
                    "count^{NS_EXPONENT:g}",
                    NS_EXPONENT=NS_EXPONENT,
                ),
                text=lambda share: decimal(float(share), 3, padded=True),
                width=92,
                spare=4,
            ),
        ]

    def _documents_column(self) -> TableColumn:
        found = self.documents
        name, tip = tr("Sentences"), tr("Number of sentences that contain the word")
        if found is None:
            return TableColumn(
                name,
                self._counts,
                tip,
                text=lambda _: "…",
                width=92,
                spare=2,
                places=np.zeros(len(self._counts)),
                key="documents",
            )
        if found.unit == "file":
            name, tip = tr("Files"), tr("Number of files that contain the word")
        return TableColumn(
            name,
            found.counts,
            tip,
            text=lambda number: count(int(number)),
            width=92,
            spare=2,
            key="documents",
        )
