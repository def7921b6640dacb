"""Tables of pairs in blocks, from which CSV, TSV and Parquet are written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.counts.association import margins, measure
from workbench.counts.formats.base import CountTable

Column = npt.NDArray[Any]

# Cells per block: a few megabytes in all columns.
BLOCK = 1 << 16
# Names of the columns with numbers of words, which are written as words.
WORD, CONTEXT = "word", "context"


def titles(counted: CountTable) -> list[str]:
    """Names of the columns: words, #(w,c), occurrences of both in the text, sums of row and column,
    measures.

    ``word_pairs`` and ``context_pairs`` are #(w) and #(c), which PMI is computed from.
    """
    numbers = ["pairs", "word_count", "context_count", "word_pairs", "context_pairs"]
    return [WORD, CONTEXT, *numbers, *counted.measures]


def blocks(counted: CountTable, run: JobControl) -> Iterator[dict[str, Column]]:
    """The columns of up to BLOCK cells by name, with words as numbers; most frequent words first.

    Advances ``run``; raises Cancelled.
    """
    matrix = counted.matrix
    if not counted.matrix.has_sorted_indices:
        matrix = counted.matrix.sorted_indices()
    sums = margins(matrix, counted.smoothing)
    for start in range(0, matrix.nnz, BLOCK):
        run.check()
        run.advance(start / matrix.nnz, tr("Writing the table"))
        stop = min(start + BLOCK, matrix.nnz)
        rows = np.searchsorted(matrix.indptr, np.arange(start, stop), side="right") - 1
        columns, pairs = matrix.indices[start:stop], matrix.data[start:stop]
        if counted.least > 0:
            kept = pairs >= counted.least
            rows, columns, pairs = rows[kept], columns[kept], pairs[kept]
        found: dict[str, Column] = {
            WORD: rows,
            CONTEXT: columns,
            "pairs": pairs,
            "word_count": counted.counts[rows],
            "context_count": counted.counts[columns],
            "word_pairs": sums.rows[rows],
            "context_pairs": sums.columns[columns],
        }
        for kind in counted.measures:
            found[kind] = measure(kind, pairs, rows, columns, sums, counted.shift)
        yield found
