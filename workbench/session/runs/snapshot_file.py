"""Snapshots of a training in the folder of its run, for replaying it after the next start.

``snapshots.npz`` contains the states before the last one, as half-precision numbers; the last one
is the result, so it is made from the run's vectors. At most ``LIMIT`` bytes are written for a run:
first there are fewer states, then fewer words, the most frequent ones.
"""

from __future__ import annotations

import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.analysis.history.trajectory import TrainingFrame
from workbench.core.arrays import Array
from workbench.counts.huffman import NODES
from workbench.session.runs.history import (
    KNOWN,
    reduce_embeddings,
    thin_frames,
)
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import choice_of

NAME = "snapshots.npz"
# Maximum bytes for one run, and for all runs of a store; the states of the earliest runs go first.
LIMIT, ALL = 16_000_000, 512_000_000
# Number of states that remain when the words are too many.
_FEWEST = 10
_TABLES = ("vectors", "contexts", "raw", "biases", "context_biases")
# What reading a damaged archive may raise.
_DAMAGE = (OSError, ValueError, KeyError, TypeError, EOFError, MemoryError, zipfile.BadZipFile)


def save_snapshots(path: Path, frames: Sequence[TrainingFrame], limit: int = LIMIT) -> None:
    """Write states to a file, unless there are fewer than two. Raises OSError."""
    if len(frames) < 2:
        return
    row = max(_row_bytes(frames[0].embeddings), 1)
    words = min(len(frames[0].embeddings), max(limit // (_FEWEST * row), 2))
    most = max(limit // (words * row), 2)
    kept = thin_frames(tuple(frames), most)
    arrays: dict[str, Array] = {
        name: np.array([getattr(frame, name) for frame in kept], dtype=np.float64)
        for name in ("progress", "seconds", "loss")
    }
    arrays["words"] = np.array(words, dtype=np.int64)
    for name in (*_TABLES, NODES):
        tables = [_table(frame.embeddings, name) for frame in kept[:-1]]
        if all(table is not None for table in tables):
            # A table of nodes has one row less, and is left out with any of the words.
            if name == NODES and words < len(frames[0].embeddings):
                continue
            arrays[name] = _halved([np.asarray(table)[:words] for table in tables])
    with path.open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]


def load_snapshots(path: Path, result: Embeddings) -> tuple[TrainingFrame, ...]:
    """The states of a training, the last one made from its ``result``; none if the file is missing,
    damaged, or doesn’t fit.
    """
    try:
        if path.stat().st_size > 2 * LIMIT:
            return ()
        with path.open("rb") as file, np.load(file, allow_pickle=False) as archive:
            parts = {name: archive[name] for name in archive.files}
        return _frames(parts, result)
    except _DAMAGE:
        return ()


def keep_within(paths: Sequence[Path], limit: int = ALL) -> None:
    """Remove the files of the earliest runs until the others take at most ``limit`` bytes.

    paths : of the files, in the order of their runs. Files that can’t be removed stay.
    """
    room = limit
    for path in reversed(paths):
        try:
            room -= path.stat().st_size
            if room < 0:
                path.unlink()
        except OSError:
            continue


def _frames(parts: Mapping[str, Array], result: Embeddings) -> tuple[TrainingFrame, ...]:
    """Raises ValueError and KeyError if the parts don’t fit."""
    size = int(parts["words"])
    times = [_column(parts[name]) for name in ("progress", "seconds", "loss")]
    number = len(times[0])
    if not 2 <= size <= len(result) or {len(column) for column in times} != {number} or number < 2:
        raise ValueError("sizes differ")
    known = {name: result.metadata[name] for name in KNOWN if name in result.metadata}
    counts = None if result.counts is None else np.array(result.counts[:size])
    words = list(result.words[:size])
    tables = {name: _states(parts[name], number - 1) for name in (*_TABLES, NODES) if name in parts}
    rows = {name: table.shape[1] for name, table in tables.items() if name != NODES}
    if "vectors" not in tables or set(rows.values()) != {size}:
        raise ValueError("sizes differ")
    frames: list[Embeddings] = []
    for at in range(number - 1):
        found: dict[str, Any] = {
            name: np.asarray(tables[name][at], dtype=np.float32)
            for name in _TABLES
            if name in tables
        }
        state = {}
        if NODES in tables:
            state = {NODES: np.asarray(tables[NODES][at], dtype=np.float32)}
        vectors = found.pop("vectors")
        states = Embeddings(words, vectors, counts, state=state, metadata=known, **found)
        frames.append(states)
    frames.append(reduce_embeddings(result, words, choice_of(result)))
    return tuple(
        TrainingFrame(float(progress), float(seconds), float(loss), states, len(result))
        for progress, seconds, loss, states in zip(*times, frames, strict=True)
    )


def _column(values: Array) -> npt.NDArray[np.float64]:
    if values.dtype != np.float64 or values.ndim != 1:
        raise ValueError("not a column")
    return values


def _states(values: Array, number: int) -> Array:
    if values.dtype != np.float16 or values.ndim not in (2, 3) or len(values) != number:
        raise ValueError("not the tables of the states")
    if not np.isfinite(values).all():
        raise ValueError("not finite")
    return values


def _halved(tables: Sequence[Array]) -> npt.NDArray[np.float16]:
    """The tables in half precision; numbers beyond it become its largest one."""
    most = float(np.finfo(np.float16).max)
    clipped: Array = np.clip(np.stack(tables), -most, most)
    return clipped.astype(np.float16)


def _table(embeddings: Embeddings, name: str) -> Any:
    return embeddings.state.get(NODES) if name == NODES else getattr(embeddings, name)


def _row_bytes(embeddings: Embeddings) -> int:
    """Bytes of one word in one state of the file."""
    tables = [_table(embeddings, name) for name in (*_TABLES, NODES)]
    return sum(2 * int(np.prod(table.shape[1:])) for table in tables if table is not None)
