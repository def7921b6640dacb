"""Tables of pairs as text, for spreadsheets and scripts: CSV and TSV."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import ClassVar

from workbench.core.atomic import replacing
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.table_export import cell_text
from workbench.counts.formats.base import CountFormat, CountTable
from workbench.counts.formats.columns import CONTEXT, WORD, blocks, titles


class CsvCounts(CountFormat):
    """One pair per line. A word that a spreadsheet would take for a formula is preceded by an
    apostrophe.
    """

    key = "csv"
    title = tr("CSV table")
    suffixes = (".csv",)
    table = True
    order = 30
    separator: ClassVar[str] = ","

    @classmethod
    def write(cls, path: Path, counted: CountTable, run: JobControl) -> None:
        words = [cell_text(word) for word in counted.words]
        with (
            replacing(path) as part,
            part.open("w", encoding="utf-8", errors="replace", newline="") as file,
        ):
            table = csv.writer(file, delimiter=cls.separator, lineterminator="\n")
            table.writerow(titles(counted))
            for block in blocks(counted, run):
                named = [
                    [words[number] for number in block.pop(name).tolist()]
                    for name in (WORD, CONTEXT)
                ]
                table.writerows(
                    zip(*named, *(column.tolist() for column in block.values()), strict=True)
                )


class TsvCounts(CsvCounts):
    key = "tsv"
    title = tr("TSV table")
    suffixes = (".tsv",)
    order = 40
    separator = "\t"
