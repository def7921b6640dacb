"""Matrix Market files of counts, as scipy, R and Matlab write them.

``X.mtx`` contains the cells; ``X.words.txt`` or ``words.txt`` beside it the words of the rows, one
per line, and ``X.contexts.txt`` or ``contexts.txt`` the contexts of the columns. Without a list of
contexts, a square table has words as contexts.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import scipy.sparse as sp

from workbench.core.errors import UserError, error_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.text.text_files import cannot_read
from workbench.counts.pair_files.base import (
    PairTable,
    canonical,
    prove_distinct,
    prove_room,
    read_words,
)

# Minimum bytes of a cell in the file.
_SHORTEST = 4


def read_matrix_market(path: Path, run: JobControl) -> PairTable:
    """The pairs of a file. Raises UserError and Cancelled."""
    prove_room(path)
    cells = _cells(path)
    run.check()
    data = np.asarray(cells.data)
    if data.dtype.kind not in "iuf" or not np.isfinite(data).all() or data.min(initial=0) < 0:
        raise UserError(
            tr("{name} contains counts that are negative or aren’t numbers.", name=path.name),
            tr("Write the counts themselves, not a measure of association."),
        )
    matrix = canonical(cells.row, cells.col, data, cells.shape)
    words_file = _list_beside(path, "words")
    if words_file is None:
        raise UserError(
            tr("{name} has no list of words beside it.", name=path.name),
            tr(
                "Write the words of the rows to {file}, one per line.",
                file=f"{path.stem}.words.txt",
            ),
        )
    words = _list_of(words_file, matrix.shape[0], path, tr("rows"))
    contexts_file = _list_beside(path, "contexts")
    if contexts_file is not None:
        contexts = _list_of(contexts_file, matrix.shape[1], path, tr("columns"))
    elif matrix.shape[0] == matrix.shape[1]:
        contexts = words
    else:
        raise UserError(
            tr("{name} has no list of contexts beside it.", name=path.name),
            tr(
                "Write the contexts of the columns to {file}, one per line.",
                file=f"{path.stem}.contexts.txt",
            ),
        )
    return PairTable(matrix, words, contexts)


def _cells(path: Path) -> sp.coo_matrix:
    from scipy import io

    try:
        rows, columns, number, layout, field, _ = io.mminfo(str(path))
        sound = layout == "coordinate" and field != "complex"
        if not sound or number * _SHORTEST > path.stat().st_size or min(rows, columns) < 1:
            raise ValueError(tr("it must list the cells of a sparse table of real numbers"))
        return sp.coo_matrix(io.mmread(str(path)))
    except OSError as error:
        raise cannot_read(path, error) from error
    except (ValueError, OverflowError, TypeError, StopIteration) as error:
        raise UserError(
            tr(
                "{name} isn’t a Matrix Market file of counts ({error}).",
                name=path.name,
                error=error_text(error),
            ),
            tr("Write the file with scipy.io.mmwrite or R’s writeMM."),
        ) from error


def _list_beside(path: Path, what: str) -> Path | None:
    places = (path.with_name(f"{path.stem}.{what}.txt"), path.with_name(f"{what}.txt"))
    return next((place for place in places if place.is_file()), None)


def _list_of(file: Path, size: int, path: Path, side: str) -> list[str]:
    """The words of a side. Raises UserError unless there is one for each row or column."""
    words = read_words(file)
    if len(words) != size:
        raise UserError(
            tr(
                "{file} has {lines:,} lines, but {name} has {size:,} {side}.",
                file=file.name,
                lines=len(words),
                name=path.name,
                size=size,
                side=side,
            ),
            tr("List every word once, in the order of the rows."),
        )
    prove_distinct(file, words)
    return words
