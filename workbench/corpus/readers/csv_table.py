"""CSV: a column of a table with commas, semicolons or bars between its cells."""

from __future__ import annotations

from workbench.core.language import tr
from workbench.corpus.readers.tables import TableKind


class Csv(TableKind):
    key = "csv"
    title = tr("CSV table")
    suffixes = (".csv",)
    tabs = False
