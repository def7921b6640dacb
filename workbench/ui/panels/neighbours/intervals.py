"""Neighbours with error bars from the text: columns of a table, and a file."""

from __future__ import annotations

from workbench.analysis.resampling.neighbour_intervals import NeighbourIntervals
from workbench.core.language import percent, tr
from workbench.core.table_export import Cell, to_csv
from workbench.ui.base.text import count
from workbench.ui.widgets.tables.score_list import shown_score
from workbench.ui.widgets.tables.table_model import TableColumn


def interval_columns(found: NeighbourIntervals) -> list[TableColumn]:
    """A row for each neighbour: cosine and rank with their intervals, and how often it stays."""
    every, n = found.neighbours, len(found.neighbours)
    words = [one.word for one in every]
    return [
        TableColumn(tr("Neighbour"), words, stretch=True, keys=words),
        TableColumn(
            tr("Cosine"),
            [one.cosine for one in every],
            tr("Cosine in the text. The line is its 95% interval over drawn texts."),
            shown_score,
            tips=[range_text(one.cosines.low, one.cosines.high) for one in every],
            bar=True,
            ranges=[(one.cosines.low, one.cosines.high) for one in every],
        ),
        TableColumn(
            tr("Stays"),
            [one.stays for one in every],
            tr("Share of the drawn texts in which the word is one of the {n} nearest", n=n),
            lambda share: percent(f"{100 * share:.0f}"),
            number=True,
        ),
        TableColumn(
            tr("Rank"),
            [one.rank for one in every],
            tr("Rank in the text, and its 95% interval over drawn texts"),
            texts=[
                tr(
                    "{rank} ({low} to {high})",
                    rank=count(one.rank),
                    low=count(round(one.ranks.low)),
                    high=count(round(one.ranks.high)),
                )
                for one in every
            ],
            number=True,
            spare=1,
        ),
    ]


def range_text(low: float, high: float) -> str:
    return tr("{low} to {high}", low=shown_score(low), high=shown_score(high))


def interval_table(found: NeighbourIntervals) -> str:
    """The same as CSV."""
    rows: list[list[Cell]] = [
        [
            *(one.rank, one.word, one.cosine, one.cosines.low, one.cosines.high),
            *(one.ranks.low, one.ranks.high, one.stays),
        ]
        for one in found.neighbours
    ]
    head = ["rank", f"neighbour of {found.word}", "cosine", "low", "high"]
    return to_csv([*head, "rank low", "rank high", "stays"], rows)
