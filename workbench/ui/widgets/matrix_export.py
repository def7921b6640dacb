"""A matrix as a table for spreadsheets."""

from __future__ import annotations

from workbench.analysis.matrix import MatrixResult
from workbench.core import tables
from workbench.core.tables import Cell


def to_csv(result: MatrixResult) -> str:
    """The values as CSV: words down, columns across, empty where a pair was never seen.

    A name that a spreadsheet would take for a formula is preceded by an apostrophe.
    """
    rows: list[list[Cell]] = [[word, *map(float, row)] for word, row in zip(result.words, result.values, strict=True)]
    return tables.to_csv(["", *result.columns], rows)
