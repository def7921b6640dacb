"""TSV: a column of a table with tabs between its cells."""

from __future__ import annotations

from workbench.corpus.readers.tables import Table


class Tsv(Table):
    key = "tsv"
    title = "TSV table"
    suffixes = (".tsv", ".tab")
    tabs = True
