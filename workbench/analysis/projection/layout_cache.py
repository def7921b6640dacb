"""Slow layouts on disk: the map of vectors that were laid out before appears at once, without
loading the compiler or kernels.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np

from workbench.analysis.projection.methods.base import Projection
from workbench.analysis.projection.space import Space
from workbench.analysis.projection.umap import UmapParams
from workbench.core.arrays import Singles
from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.paths import cache_folder

# Increase the version when layouts change: those on disk are then computed again.
_VERSION = 3
# Larger layouts would fill the cache, and hashing their vectors takes longer than a frame.
_MOST_WORDS = 50_000
_MOST_FILES = 100


def cached_layout(
    projection: type[Projection],
    space: Space,
    params: UmapParams,
    run: JobControl,
    prepare: Callable[[JobControl], None],
) -> Singles:
    """The positions of these vectors: float32[n, dims], from disk if they were computed before.

    space : with a ``start``; layouts of sparse vectors are always computed
    prepare : called before anything is computed

    A layout that was stopped early isn't saved. Raises UserError, for example for too few words,
    and Cancelled.
    """
    path = None
    if isinstance(space.unit, np.ndarray) and len(space.unit) <= _MOST_WORDS:
        path = cache_folder("layouts") / f"{_digest(projection, space, params)}.npy"
        known = _read(path, (len(space.unit), space.dims))
        if known is not None:
            return known
    prepare(run)
    positions = projection.project(space, params, run).positions
    if path is not None and not run.stopping:
        _write(path, positions)
    return positions


def _digest(projection: type[Projection], space: Space, params: UmapParams) -> str:
    digest = hashlib.blake2b(digest_size=16)
    head = (_VERSION, projection.key, space.unit.shape, space.dims, params.to_dict())
    digest.update(repr(head).encode())
    # Lengths of vectors matter to some metrics.
    for part in (space.unit, space.vectors, space.start, space.groups):
        if part is not None:
            digest.update(np.ascontiguousarray(part).data)
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
