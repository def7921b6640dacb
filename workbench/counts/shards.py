"""Counts in a folder, in ranges of rows, for matrices that don't fit into memory.

Rows are words by descending frequency. They are split into contiguous shards of limited size, each
a CSR matrix in three memory-mapped arrays: ``NNNNN.indptr.npy`` int64[rows + 1],
``NNNNN.indices.npy`` int32[cells] and ``NNNNN.data.npy`` float64[cells], or float32 if that
represents every count exactly. ``words.txt`` (one per line) and ``counts.npy`` (int64[V]) are the
vocabulary. If contexts have a vocabulary of their own, ``contexts.txt`` lists it.
``manifest.json`` contains the count settings and the list of files, with their sizes and digests;
it is written last, so a folder without it isn’t a folder of counts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.json_text import json_of_file
from workbench.core.language import tr
from workbench.core.paths import expand_user
from workbench.core.text.text_files import DAMAGE, cannot_read
from workbench.corpus.corpus import Vocabulary
from workbench.counts.shard_files import (
    ARRAYS,
    BLOCK,
    CONTEXTS,
    COUNTS,
    FORMAT,
    MANIFEST,
    MOST_CELLS,
    SHARD_CELLS,
    WORDS,
    ShardRecord,
    Stored,
    array_name,
    damaged_counts,
    digest_of,
    prepare,
    read_contexts,
    read_manifest,
    read_vocabulary,
    shard_of,
    write_manifest,
    write_shard,
)

__all__ = [
    "MANIFEST",
    "SHARD_CELLS",
    "ShardRecord",
    "ShardedCounts",
    "finish",
    "is_sharded",
    "prepare",
    "shard_csr",
    "write_shard",
    "write_shards",
]


class ShardedCounts:
    """#(w, c) in a folder: float64[V, V], with one shard in memory at a time.

    contexts : C strings if contexts have a vocabulary of their own, and the table is float64[V, C]
    """

    def __init__(
        self,
        folder: Path,
        manifest: Mapping[str, Any],
        vocabulary: Vocabulary,
        contexts: Sequence[str] | None = None,
    ) -> None:
        self.folder = folder
        self.vocabulary = vocabulary
        self.contexts = contexts
        self.manifest = manifest
        self.shards = tuple(shard_of(each) for each in manifest["shards"])
        self._sound: set[int] = set()

    @classmethod
    def open(cls, path: str | Path) -> ShardedCounts:
        """Read the manifest and the vocabulary. Raises UserError for files that are missing or have
        the wrong size.
        """
        folder = expand_user(path)
        if folder.name == MANIFEST:
            folder = folder.parent
        if folder.is_file():
            raise UserError(
                tr("{name} isn’t a folder of counts.", name=folder.name),
                tr("Choose a folder that contains {manifest}.", manifest=MANIFEST),
            )
        if not folder.is_dir():
            raise UserError(
                tr("The folder {folder} doesn’t exist.", folder=folder), tr("Check the path.")
            )
        manifest = read_manifest(folder)
        try:
            vocabulary = read_vocabulary(folder, manifest)
            found = cls(folder, manifest, vocabulary, read_contexts(folder, manifest))
            found._check_manifest()
        except OSError as error:
            raise cannot_read(error.filename or folder, error) from error
        except (*DAMAGE, AttributeError) as error:
            raise damaged_counts(folder, MANIFEST) from error
        return found

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.vocabulary), len(
            self.vocabulary if self.contexts is None else self.contexts
        )

    @property
    def nnz(self) -> int:
        return sum(shard.cells for shard in self.shards)

    @property
    def bytes(self) -> int:
        """Bytes of all files except the manifest."""
        return sum(stored.bytes for _, stored in self._files())

    @property
    def metadata(self) -> Mapping[str, Any]:
        """Metadata of the counts: weighting, window, symmetric, divisor and others."""
        metadata: Mapping[str, Any] = self.manifest["metadata"]
        return metadata

    @property
    def digest(self) -> str:
        """Digest of the whole content, from the digests of its files."""
        return digest_of(self.manifest)

    def rows(self, number: int) -> sp.csr_matrix:
        """Shard ``number``: CSR [last − first, columns] over mapped arrays that must not be
        written; columns sorted.

        Raises UserError if a file is gone or damaged.
        """
        shard = self.shards[number]
        indptr, indices, data = (self._array(number, name) for name in ARRAYS)
        if number not in self._sound:
            # Readers of the rows trust the columns, and would access memory outside their arrays.
            sound = (
                indptr.shape == (shard.last - shard.first + 1,)
                and indptr[0] == 0
                and indptr[-1] == shard.cells
                and bool(np.all(indptr[1:] >= indptr[:-1]))
                and (shard.cells == 0 or (indices.min() >= 0 and indices.max() < self.shape[1]))
                and (shard.cells == 0 or bool(data.min() > 0 and data.max() < np.inf))
            )
            if not sound:
                raise damaged_counts(self.folder, f"{number:05d}.*.npy")
            self._sound.add(number)
        matrix = sp.csr_matrix(
            (data, indices, indptr), shape=(shard.last - shard.first, self.shape[1])
        )
        matrix.has_sorted_indices = True
        matrix.has_canonical_format = True
        return matrix

    def row_sums(self) -> Doubles:
        """#(w), float64[V]."""
        return self._sums[0]

    def column_sums(self) -> Doubles:
        """#(c), float64[V]."""
        return self._sums[1]

    @property
    def total(self) -> float:
        """The sum of all cells."""
        return float(self._sums[0].sum())

    def verify(self, run: JobControl | None = None) -> None:
        """Compare every file with its digest; advances ``run``. Raises UserError and Cancelled."""
        run = run or JobControl()
        files = dict(self._files())
        total, done = max(sum(stored.bytes for stored in files.values()), 1), 0
        for name, stored in files.items():
            digest = hashlib.blake2b(digest_size=20)
            try:
                with (self.folder / name).open("rb") as file:
                    while block := file.read(4 * BLOCK):
                        run.check()
                        digest.update(block)
                        done += len(block)
                        run.advance(done / total, tr("Checking the counts"))
            except OSError as error:
                raise cannot_read(self.folder / name, error) from error
            if digest.hexdigest() != stored.digest:
                raise damaged_counts(self.folder, name)

    def to_csr(self) -> sp.csr_matrix:
        """The whole matrix in memory: CSR float64[V, V]."""
        indptr = np.zeros(len(self.vocabulary) + 1, dtype=np.int64)
        indices = np.empty(self.nnz, dtype=np.int32)
        data = np.empty(self.nnz)
        end = 0
        for number, shard in enumerate(self.shards):
            part = self.rows(number)
            at, end = end, end + shard.cells
            indptr[shard.first + 1 : shard.last + 1] = at + part.indptr[1:]
            indices[at:end] = part.indices
            data[at:end] = part.data
        matrix = sp.csr_matrix((data, indices, indptr), shape=self.shape)
        matrix.has_sorted_indices = True
        matrix.has_canonical_format = True
        return matrix

    @cached_property
    def _sums(self) -> tuple[Doubles, Doubles]:
        size, width = self.shape
        of_rows, of_columns = np.zeros(size), np.zeros(width)
        for number, shard in enumerate(self.shards):
            part = self.rows(number)
            for begin in range(0, shard.cells, BLOCK):
                stop = min(begin + BLOCK, shard.cells)
                of_columns += np.bincount(part.indices[begin:stop], part.data[begin:stop], width)
                rows = np.searchsorted(part.indptr, np.arange(begin, stop), side="right") - 1
                low, high = int(rows[0]), int(rows[-1]) + 1
                of_rows[shard.first + low : shard.first + high] += np.bincount(
                    rows - low, part.data[begin:stop]
                )
        return of_rows, of_columns

    def _array(self, number: int, name: str) -> npt.NDArray[Any]:
        path = self.folder / array_name(number, name)
        try:
            # A file without cells cannot be mapped.
            array = np.load(
                path, mmap_mode="r" if self.shards[number].cells else None, allow_pickle=False
            )
        except OSError as error:
            raise cannot_read(path, error) from error
        except DAMAGE as error:
            raise damaged_counts(self.folder, path.name) from error
        kinds = {"indptr": ("int64",), "indices": ("int32",), "data": ("float64", "float32")}[name]
        if str(array.dtype) not in kinds or (
            name != "indptr" and array.shape != (self.shards[number].cells,)
        ):
            raise damaged_counts(self.folder, path.name)
        return np.asarray(array)

    def _check_manifest(self) -> None:
        row = 0
        for shard in self.shards:
            if shard.first != row or shard.last <= row or not 0 <= shard.cells <= MOST_CELLS:
                raise damaged_counts(self.folder, MANIFEST)
            row = shard.last
        wanted = {WORDS, COUNTS} | (set() if self.contexts is None else {CONTEXTS})
        if row != len(self.vocabulary) or set(self.manifest["files"]) != wanted:
            raise damaged_counts(self.folder, MANIFEST)
        if not isinstance(self.manifest["metadata"], dict):
            raise damaged_counts(self.folder, MANIFEST)
        for name, stored in self._files():
            if (self.folder / name).stat().st_size != stored.bytes:
                raise damaged_counts(self.folder, name)

    def _files(self) -> Iterator[tuple[str, Stored]]:
        for name, stored in self.manifest["files"].items():
            yield name, Stored(**stored)
        for number, shard in enumerate(self.shards):
            for name in ARRAYS:
                yield array_name(number, name), shard.files[name]


# -- writing


def write_shards(
    path: str | Path,
    parts: Iterable[tuple[int, sp.csr_matrix]],
    vocabulary: Vocabulary,
    metadata: Mapping[str, Any],
    run: JobControl | None = None,
    contexts: Sequence[str] | None = None,
) -> ShardedCounts:
    """Write counts part by part, one shard per part, and open the result.

    parts : first row and CSR [rows, V] of consecutive ranges from 0 to V; every stored cell above 0
    metadata : JSON-ready; ``weighting``, ``window``, ``symmetric`` and ``divisor`` as in
    ``window_weights``
    contexts : C distinct strings if the columns aren't the words; parts are then [rows, C]

    Existing counts are replaced; a folder with other content stays unchanged. Raises UserError and
    Cancelled; an incomplete folder doesn't count as counts.
    """
    folder = prepare(path)
    run = run or JobControl()
    shards: list[ShardRecord] = []
    row = 0
    for first, part in parts:
        run.check()
        if first != row:
            raise ValueError(f"rows go on at {row}, not {first}")
        shards.append(write_shard(folder, len(shards), first, part))
        row = shards[-1].last
        run.advance(row / len(vocabulary), tr("Saving the counts"))
    return finish(folder, shards, vocabulary, metadata, contexts)


def shard_csr(
    matrix: sp.csr_matrix, cells: int = SHARD_CELLS
) -> Iterator[tuple[int, sp.csr_matrix]]:
    """The rows of a matrix as parts for ``write_shards``, of at most ``cells`` each unless a single
    row has more.
    """
    if not matrix.has_sorted_indices:
        matrix = matrix.sorted_indices()
    indptr = matrix.indptr
    first, size = 0, matrix.shape[0]
    while first < size:
        last = max(int(np.searchsorted(indptr, indptr[first] + cells, side="right")) - 1, first + 1)
        low, high = int(indptr[first]), int(indptr[last])
        part = (matrix.data[low:high], matrix.indices[low:high], indptr[first : last + 1] - low)
        yield first, sp.csr_matrix(part, shape=(last - first, matrix.shape[1]))
        first = last


def finish(
    folder: Path,
    shards: Iterable[ShardRecord],
    vocabulary: Vocabulary,
    metadata: Mapping[str, Any],
    contexts: Sequence[str] | None = None,
) -> ShardedCounts:
    """Write vocabulary and manifest beside the written shards, and open the counts. Raises
    UserError.
    """
    write_manifest(folder, shards, vocabulary, metadata, contexts)
    return ShardedCounts.open(folder)


def is_sharded(path: str | Path) -> bool:
    """Whether a path is a folder of counts, or its manifest."""
    path = expand_user(path)
    if path.name != MANIFEST:
        path = path / MANIFEST
    with suppress(OSError, ValueError):
        content = json_of_file(path)
        return isinstance(content, dict) and content.get("format") == FORMAT
    return False
