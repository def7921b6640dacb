"""Tables of pairs as Parquet, for data frames, if pyarrow is installed."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.packages import install_advice
from workbench.counts.formats.base import CountFormat, CountTable
from workbench.counts.formats.columns import CONTEXT, WORD, blocks, titles


class ParquetCounts(CountFormat):
    """One pair per row; words are dictionary-encoded."""

    key = "parquet"
    title = tr("Parquet table")
    suffixes = (".parquet",)
    table = True
    order = 50

    @classmethod
    def missing(cls) -> UserError | None:
        if importlib.util.find_spec("pyarrow") is not None:
            return None
        return UserError(
            tr("Parquet needs the package pyarrow, which isn’t installed."),
            f"{tr('Choose .csv instead.')} {install_advice(('pyarrow',))}",
        )

    @classmethod
    def write(cls, path: Path, counted: CountTable, run: JobControl) -> None:
        import pyarrow as arrow
        from pyarrow import parquet

        words = arrow.array(list(counted.words), arrow.string())
        kinds = {WORD: arrow.dictionary(arrow.int32(), arrow.string())}
        kinds[CONTEXT] = kinds[WORD]
        for name in titles(counted)[2:]:
            kinds[name] = arrow.int64() if name.endswith("_count") else arrow.float64()
        schema = arrow.schema(list(kinds.items()))
        with replacing(path) as part, parquet.ParquetWriter(part, schema) as file:
            for block in blocks(counted, run):
                columns = [
                    arrow.DictionaryArray.from_arrays(arrow.array(column, arrow.int32()), words)
                    if name in (WORD, CONTEXT)
                    else arrow.array(column, kinds[name])
                    for name, column in block.items()
                ]
                file.write_table(arrow.Table.from_arrays(columns, schema=schema))
