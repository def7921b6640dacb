"""Cache of counts on disk, in the folder of their corpus."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.processes.child_task import avoids_compiler, run_task
from workbench.corpus.corpus import Corpus

_LAYOUT = 1  # part of every name: increase it when the counts or their layout change
_KEEP = 6  # files per corpus, the last used ones


def load_or_count(
    corpus: Corpus, key: tuple[object, ...], count: Callable[[], sp.csr_matrix], run: JobControl
) -> sp.csr_matrix:
    """Load counts from disk, or count and save them; in a child process where this one avoids the
    compiler.

    ``key`` contains everything that the counts depend on besides the corpus; ``count_task.py``
    reads it. Counts in a damaged file are made again; if nothing can be written, the counts aren't
    saved.
    """
    if corpus.folder is None:
        return count()
    name = hashlib.blake2b(
        json.dumps([_LAYOUT, corpus.digest, *key]).encode(), digest_size=10
    ).hexdigest()
    path = corpus.folder / f"counts-{name}.npz"
    found = _load(path)
    if found is None and avoids_compiler():
        run_task("workbench.counts.count_task", {"digest": corpus.digest, "key": key}, run)
        found = _load(path)
    if found is not None:
        return found
    matrix = count()
    with suppress(UserError):
        _save(path, matrix)
        _prune(corpus.folder)
    return matrix


def _load(path: Path) -> sp.csr_matrix | None:
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as stored:
            size = int(stored["size"])
            data, indices, indptr = stored["data"], stored["indices"], stored["indptr"]
        sound = (
            (data.dtype, indices.dtype, indptr.dtype) == (np.float64, np.int32, np.int64)
            and indptr.shape == (size + 1,)
            and indptr[0] == 0
            and indptr[-1] == len(data) == len(indices)
            and bool(np.all(np.diff(indptr) >= 0))
        )
        if not sound:
            return None
        path.touch()
    except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile, zlib.error):
        return None
    matrix = sp.csr_matrix((data, indices, indptr), shape=(size, size))
    matrix.has_sorted_indices = True
    matrix.has_canonical_format = True
    return matrix


def _save(path: Path, matrix: sp.csr_matrix) -> None:
    with replacing(path) as temporary, temporary.open("wb") as file:
        np.savez(
            file,
            size=np.int64(matrix.shape[0]),
            data=matrix.data,
            indices=matrix.indices.astype(np.int32, copy=False),
            indptr=matrix.indptr.astype(np.int64),
        )


def _prune(folder: Path) -> None:
    with suppress(OSError):
        files = sorted(
            folder.glob("counts-*.npz"), key=lambda path: path.stat().st_mtime, reverse=True
        )
        for path in files[_KEEP:]:
            path.unlink(missing_ok=True)
