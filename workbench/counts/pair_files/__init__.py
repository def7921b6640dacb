"""Counts of pairs from files: tables of text, Matrix Market files, and cells of GloVe.

Contexts are the words if both lists consist of the same strings; otherwise they have a vocabulary
of their own. Both are in descending order of their counts, ties in the order of the file.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.arrays import Doubles, Ints
from workbench.core.atomic import new_folder
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.paths import cache_folder, expand_user
from workbench.core.text.text_files import cannot_read
from workbench.corpus.corpus import Vocabulary
from workbench.counts.counts_corpus import CountedCorpus, open_counts
from workbench.counts.pair_files.base import PairTable
from workbench.counts.pair_files.glove_cells import (
    looks_like_cells,
    read_glove_cells,
    vocabulary_beside,
)
from workbench.counts.pair_files.matrix_market import read_matrix_market
from workbench.counts.pair_files.tables import is_titled, read_table
from workbench.counts.shards import MANIFEST, is_sharded, shard_csr, write_shards

__all__ = ["has_pairs", "open_counts_or_pairs", "open_pairs"]

_BLOCK = 1 << 20
_TABLES = (".tsv", ".csv", ".txt")


def has_pairs(path: str | Path) -> bool:
    """Whether a file contains pairs for certain: by its suffix, its title line, or the vocabulary
    beside it. A table without titles may be any text.
    """
    path = expand_user(path)
    suffix = path.suffix.lower()
    if not path.is_file():
        return False
    if suffix == ".mtx":
        return True
    if suffix == ".bin":
        return looks_like_cells(path)
    return suffix in _TABLES and is_titled(path)


def open_counts_or_pairs(path: str | Path, run: JobControl | None = None) -> CountedCorpus:
    """Open a folder of counts, or a file of pairs. Raises UserError and Cancelled."""
    place = expand_user(path)
    if place.is_file() and place.name != MANIFEST:
        return open_pairs(place, run)
    return open_counts(path)


def open_pairs(path: str | Path, run: JobControl | None = None) -> CountedCorpus:
    """Read the pairs of a file, for training. They are kept in the cache as a folder of counts,
    from which the same file is opened at once. Raises UserError and Cancelled.
    """
    path, run = expand_user(path), run or JobControl()
    run.enter(Phase.READING, tr("Reading the pairs"))
    folder = cache_folder("pairs") / _digest(path, run)
    if not is_sharded(folder):
        _write(_read(path, run), folder, path, run)
    return open_counts(folder)


def _read(path: Path, run: JobControl) -> PairTable:
    suffix = path.suffix.lower()
    if suffix == ".mtx":
        table = read_matrix_market(path, run)
    elif suffix == ".bin":
        table = read_glove_cells(path, run)
    else:
        table = read_table(path, run)
    if table.matrix.nnz == 0:
        raise UserError(
            tr("{name} contains no pairs.", name=path.name),
            tr("Write a word, a context and a count in each line, separated by tabs."),
        )
    return table


def _write(table: PairTable, folder: Path, path: Path, run: JobControl) -> None:
    shared = set(table.words) == set(table.contexts)
    sums = np.asarray(table.matrix.sum(axis=1)).ravel()
    counts = table.counts
    if counts is None:
        counts = np.maximum(np.floor(sums + 0.5), 1.0).astype(np.int64)
    rows = _by_count(counts)
    words = [table.words[row] for row in rows.tolist()]
    metadata: dict[str, Any] = {"name": path.stem, "file": path.name}
    contexts: Sequence[str] | None = None
    if shared:
        place = {context: number for number, context in enumerate(table.contexts)}
        columns = np.array([place[word] for word in words], dtype=np.int64)
    else:
        columns = _by_count(np.asarray(table.matrix.sum(axis=0)).ravel())
        contexts = [table.contexts[column] for column in columns.tolist()]
    matrix = table.matrix[rows][:, columns].tocsr()
    matrix.sort_indices()
    if shared:
        metadata["symmetric"] = bool(abs(matrix - matrix.T).max() <= 1e-9 * matrix.max())
    with new_folder(folder) as part:
        vocabulary = Vocabulary(words, counts[rows])
        write_shards(part, shard_csr(matrix), vocabulary, metadata, run, contexts)


def _by_count(counts: Ints | Doubles) -> Ints:
    return np.argsort(-counts, kind="stable").astype(np.int64)


def _digest(path: Path, run: JobControl) -> str:
    """The digest of everything that the pairs of a file depend on, in hexadecimal."""
    beside = [path.with_name(f"{path.stem}.{what}.txt") for what in ("words", "contexts")]
    beside += [path.with_name(f"{what}.txt") for what in ("words", "contexts")]
    if path.suffix.lower() == ".bin":
        beside = [place for place in (vocabulary_beside(path),) if place is not None]
    elif path.suffix.lower() != ".mtx":
        beside = []
    digest = hashlib.blake2b(f"2 {path.name}".encode("utf-8", "replace"), digest_size=16)
    for file in (path, *(place for place in beside if place.is_file())):
        digest.update(f"\0{file.name}\0".encode("utf-8", "replace"))
        try:
            with file.open("rb") as content:
                while block := content.read(_BLOCK):
                    run.check()
                    digest.update(block)
        except OSError as error:
            raise cannot_read(file, error) from error
    return digest.hexdigest()
