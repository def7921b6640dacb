"""Counts for scipy.sparse.load_npz, with words and frequencies as further arrays."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from workbench.core.atomic import replacing
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.counts.formats.base import CountFormat, CountTable


class NpzCounts(CountFormat):
    key = "npz"
    title = tr("numpy archive")
    suffixes = (".npz",)
    order = 10

    @classmethod
    def write(cls, path: Path, counted: CountTable, run: JobControl) -> None:
        matrix = counted.matrix
        with replacing(path) as part, part.open("wb") as file:
            # The names that scipy.sparse.load_npz needs, and the meaning of the rows.
            np.savez(
                file,
                data=matrix.data,
                indices=matrix.indices,
                indptr=matrix.indptr,
                shape=np.array(matrix.shape),
                format=np.array(b"csr"),
                words=np.array(list(counted.words), dtype=np.str_),
                counts=counted.counts,
                metadata=np.array(json.dumps(dict(counted.metadata), ensure_ascii=False)),
            )
