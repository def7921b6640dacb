"""Cells of the GloVe program: two int32, the numbers of word and context from 1 on, and a float64.

The vocabulary, “word count” in each line, is beside the cells: ``X.vocab.txt``, as this program
writes it, or ``vocab.txt``, as GloVe's demo does.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from workbench.core.arrays import Ints
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.text.text_files import cannot_read
from workbench.counts.formats.glove_binary import CELL
from workbench.counts.pair_files.base import (
    PairTable,
    bad_line,
    canonical,
    prove_distinct,
    prove_room,
    read_words,
)


def read_glove_cells(path: Path, run: JobControl) -> PairTable:
    """The pairs of a file of cells; contexts are the words. Raises UserError and Cancelled."""
    prove_room(path)
    vocabulary = vocabulary_beside(path)
    if vocabulary is None:
        raise UserError(
            tr("{name} has no vocabulary beside it.", name=path.name),
            tr("Copy GloVe’s vocab.txt into the same folder."),
        )
    words, counts = _read_vocabulary(vocabulary)
    try:
        content = path.read_bytes()
    except OSError as error:
        raise cannot_read(path, error) from error
    run.check()
    if not content or len(content) % CELL.itemsize:
        raise _not_cells(path, tr("its length isn’t a multiple of 16 bytes"))
    cells = np.frombuffer(content, dtype=CELL)
    rows, columns = (cells[name].astype(np.int64) for name in ("word", "context"))
    for ids in (rows, columns):
        wrong = (ids < 1) | (ids > len(words))
        if wrong.any():
            raise _not_cells(
                path,
                tr(
                    "it names word {number:,}, but {vocabulary} has {size:,} words",
                    number=int(ids[int(np.argmax(wrong))]),
                    vocabulary=vocabulary.name,
                    size=len(words),
                ),
            )
    values = cells["count"].astype(np.float64)
    if not np.isfinite(values).all() or values.min() < 0:
        raise _not_cells(path, tr("a count is negative or isn’t a number"))
    matrix = canonical(rows - 1, columns - 1, values, (len(words), len(words)))
    return PairTable(matrix, words, words, counts)


def vocabulary_beside(path: Path) -> Path | None:
    """The vocabulary that belongs to a file of cells, or None."""
    places = (path.with_suffix(".vocab.txt"), path.with_name("vocab.txt"))
    return next((place for place in places if place.is_file()), None)


def looks_like_cells(path: Path) -> bool:
    """Whether a file has a vocabulary beside it, and its first cell fits: vectors of word2vec
    begin with two numbers in digits.
    """
    if vocabulary_beside(path) is None:
        return False
    try:
        with path.open("rb") as file:
            head = file.read(CELL.itemsize)
        size = path.stat().st_size
    except OSError:
        return False
    if len(head) < CELL.itemsize or size % CELL.itemsize:
        return False
    (cell,) = np.frombuffer(head, dtype=CELL)
    return bool(0 < cell["word"] < 1 << 24 and 0 < cell["context"] < 1 << 24 and cell["count"] > 0)


def _read_vocabulary(path: Path) -> tuple[list[str], Ints]:
    words, counts = [], []
    for number, line in enumerate(read_words(path), 1):
        word, _, count = line.rpartition(" ")
        if not word or not count.isdecimal():
            raise bad_line(path, number, tr("there must be a word, a space and its count"))
        words.append(word)
        counts.append(int(count))
    prove_distinct(path, words)
    return words, np.array(counts, dtype=np.int64)


def _not_cells(path: Path, reason: str) -> UserError:
    return UserError(
        tr("{name} doesn’t contain GloVe’s cells: {reason}.", name=path.name, reason=reason),
        tr("Choose the file that GloVe’s cooccur or shuffle wrote."),
    )
