"""UMAP layouts on disk: the map of vectors that were laid out before appears at once, without
loading the compiler or kernels.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
import scipy.sparse as sp

from workbench.analysis.projection.methods import UmapParams, umap
from workbench.core.arrays import Singles
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.paths import cache_folder

# Increase the version when layouts change: those on disk are then computed again.
_VERSION = 2
# Larger layouts would fill the cache, and hashing their vectors takes longer than a frame.
_MOST_WORDS = 50_000
_MOST_FILES = 100


def cached_umap(
    unit: Singles | sp.csr_matrix,
    params: UmapParams,
    run: JobControl,
    start: Singles,
    prepare: Callable[[JobControl], None],
) -> Singles:
    """The UMAP layout of these vectors: float32[n, dims], from disk if it was computed before.

    unit : float32[n, d], unit rows; layouts of sparse rows are always computed
    start : float32[n, dims], initial positions
    prepare : called before anything is computed

    A layout that was stopped early isn't saved. Raises UserError for fewer than four words, and
    Cancelled.
    """
    path = None
    if isinstance(unit, np.ndarray) and len(unit) <= _MOST_WORDS:
        path = cache_folder("layouts") / f"{_digest(unit, params, start)}.npy"
        known = _read(path, start.shape)
        if known is not None:
            return known
    prepare(run)
    positions = umap(unit, params, run, start)
    if path is not None and not run.stopping:
        _write(path, positions)
    return positions


def _digest(unit: Singles, params: UmapParams, start: Singles) -> str:
    digest = hashlib.blake2b(digest_size=16)
    digest.update(repr((_VERSION, unit.shape, params.to_dict())).encode())
    digest.update(np.ascontiguousarray(unit).data)
    digest.update(np.ascontiguousarray(start).data)
    return digest.hexdigest()


def _read(path: Path, shape: tuple[int, ...]) -> Singles | None:
    """A saved layout; None if it is missing or damaged."""
    try:
        positions = np.load(path, allow_pickle=False)
        os.utime(path)
    except (OSError, ValueError, EOFError):
        return None
    if positions.dtype != np.float32 or positions.shape != shape:
        return None
    if not np.isfinite(positions).all():
        return None
    return np.asarray(positions)


def _write(path: Path, positions: Singles) -> None:
    """Save a layout, and remove the oldest ones; on a full disk it is computed again next time."""
    with suppress(UserError, OSError):
        with replacing(path) as part, part.open("wb") as file:
            np.save(file, positions, allow_pickle=False)
        kept = sorted(path.parent.glob("*.npy"), key=lambda file: file.stat().st_mtime)
        for oldest in kept[:-_MOST_FILES]:
            oldest.unlink(missing_ok=True)
