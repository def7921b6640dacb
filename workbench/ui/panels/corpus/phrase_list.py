"""Sortable table of the phrases of a corpus: phrase, count, score, pass."""

from __future__ import annotations

import math

import numpy as np

from workbench.core.language import tr, trc
from workbench.corpus.phrases.detection import PhraseTable
from workbench.ui.base.text import count, decimal
from workbench.ui.base.theme import Theme
from workbench.ui.panels.corpus.vocabulary_table import FilteredWords
from workbench.ui.widgets.tables.table_model import TableColumn


class PhraseList(FilteredWords):
    """The phrases of a corpus, best first."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme)
        self.table.sorted_by = ("score", True)

    def show_phrases(self, table: PhraseTable | None) -> None:
        """Show other phrases; the column of passes only if there are several."""
        self.words = ()
        if table is None:
            self.set_columns([])
            return
        # Pairs that overlap others everywhere were never joined.
        joined = np.flatnonzero(table.joined).tolist()
        self.words = [table.words[row] for row in joined]

        def phrase_tip(row: int) -> str:
            return tr(
                "“{left}” and “{right}”, {count} × together",
                left=table.left[joined[row]],
                right=table.right[joined[row]],
                count=count(int(table.counts[joined[row]])),
            )

        columns = [
            TableColumn(
                tr("Phrase"),
                self.words,
                tr("Click to select it in all panels"),
                tips=phrase_tip,
                stretch=True,
            ),
            TableColumn(
                trc("noun", "Count"),
                np.asarray(table.joined)[joined],
                tr("Number of times the two words were joined"),
                text=lambda number: count(int(number)),
                tips=phrase_tip,
                width=68,
            ),
            TableColumn(
                trc("noun", "Score"),
                np.asarray(table.scores)[joined],
                tr(
                    "How much more often the words occur together than by chance, by the "
                    "chosen score"
                ),
                text=_score_text,
                tips=phrase_tip,
                width=80,
                key="score",
            ),
        ]
        if (table.passes > 1).any():
            columns.append(
                TableColumn(
                    tr("Pass"),
                    np.asarray(table.passes)[joined],
                    tr("Pass over the text in which the words were joined"),
                    text=str,
                    tips=phrase_tip,
                    width=54,
                )
            )
        self.set_columns(columns, passing=self._passing_rows())


def _score_text(score: float) -> str:
    if 1000 <= abs(score) < math.inf:
        return count(round(score))
    return decimal(float(score), 3)
