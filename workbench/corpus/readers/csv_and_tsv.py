"""CSV and TSV: a column of a table with commas, semicolons or bars, or with tabs, between its
cells.
"""

from __future__ import annotations

from workbench.core.language import tr
from workbench.corpus.readers.tables import TableKind


class Csv(TableKind):
    key = "csv"
    title = tr("CSV table")
    suffixes = (".csv",)
    tabs = False


class Tsv(TableKind):
    key = "tsv"
    title = tr("TSV table")
    suffixes = (".tsv", ".tab")
    tabs = True
