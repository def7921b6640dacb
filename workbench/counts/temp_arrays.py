"""Temporary arrays on disk, which need not fit into memory and exist while this process uses
them.
"""

from __future__ import annotations

import mmap
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.arrays import Array
from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.core.operating_system import system
from workbench.core.paths import cache_folder


def scratch_folder() -> Path:
    """Folder of temporary arrays, in the cache, which WORKBENCH_HOME moves."""
    return cache_folder("scratch")


def create_temp_array(size: int, dtype: npt.DTypeLike) -> Array:
    """A writable array [size] in a file without a name, which is deleted with it. The system may
    keep its pages or write them out: they don't count as memory of this process. Raises UserError
    if the disk is full.
    """
    kind = np.dtype(dtype)
    if size == 0:
        return np.empty(0, kind)
    length = size * kind.itemsize
    folder = scratch_folder()
    try:
        with tempfile.TemporaryFile(dir=folder) as file:
            system().reserve_space(file, length)
            return np.frombuffer(mmap.mmap(file.fileno(), length), kind)
    except OSError as error:
        free = shutil.disk_usage(folder).free
        raise UserError(
            tr(
                "Not enough disk space in {folder}: {needed:,.1f} GB needed, but only "
                "{free:,.1f} GB free ({why}).",
                needed=length / 1e9,
                folder=folder,
                free=free / 1e9,
                why=error_text(error),
            ),
            tr("Free some space, or set WORKBENCH_HOME to a folder on a larger disk."),
        ) from error


def prefetch_pages(part: Array) -> None:
    """Prefetch the pages of a contiguous part of a mapped array without waiting; do nothing for
    other arrays.
    """
    base: Any = part
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, mmap.mmap) and part.size:
        begin = part.ctypes.data - np.frombuffer(base, np.uint8).ctypes.data
        page = begin // mmap.PAGESIZE * mmap.PAGESIZE
        system().advise(base, page, begin + part.nbytes - page, needed=True)
