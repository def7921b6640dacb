"""On-disk cache of corpora, keyed by digest.

A corpus is in the cache under its digest as raw little-endian arrays, which are memory-mapped and
never loaded as a whole: ``ids`` int32, ``sentences`` int64, ``counts`` int64, ``words.txt`` one per
line, and ``meta.json``. Cached content is checked against its digest before it is used.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
import numpy.typing as npt

from workbench.core.atomic import cannot_write, new_folder, new_part, release_part
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.json_text import json_of_file
from workbench.core.operating_system import system
from workbench.core.paths import cache_folder
from workbench.corpus.corpus import Corpus, CorpusOptions, SourceFile

# Increase it when the storage format of corpora changes. (Changes of reading rules are numbered in
# loader.py.)
VERSION = 1
# Maximum bytes of the metadata of a corpus, which lists its files one by one.
_LARGEST = 1 << 30

_BLOCK = 1 << 20
# Mapped arrays, by path and the attributes that identify the file.
_MAPPED: WeakValueDictionary[tuple[Path, int, int, int, int], npt.NDArray[Any]] = (
    WeakValueDictionary()
)


class Damaged(Exception):
    """A cache entry is missing or damaged."""


def settle(
    folder: Path,
    order: npt.NDArray[np.intp],
    spelled: Sequence[str],
    counts: npt.NDArray[np.int64],
    meta: Mapping[str, Any],
    run: JobControl,
) -> str:
    """Complete ``folder``, which contains ``ids`` and ``sentences``, and move it to its place in
    the cache.

    ``ids`` contains numbers of words; ``order`` has the numbers by rank, and ``spelled`` and
    ``counts`` belong to the numbers. ``meta`` is further metadata. Returns the digest.
    """
    _rank_ids(folder / "ids", order, len(spelled), run)
    (folder / "words.txt").write_bytes("\n".join([spelled[row] for row in order]).encode())
    ranked = counts[order].astype("<i8")
    (folder / "counts").write_bytes(ranked.tobytes())
    digest = _digest(folder, run)
    whole = {
        "version": VERSION,
        **meta,
        "tokens": (folder / "ids").stat().st_size // 4,
        "types": len(order),
        "counts": hashlib.blake2b(ranked.tobytes(), digest_size=16).hexdigest(),
    }
    (folder / "meta.json").write_text(json.dumps(whole, indent=1), encoding="utf-8")
    _keep(folder, digest, run)
    return digest


def _rank_ids(path: Path, order: npt.NDArray[np.intp], numbers: int, run: JobControl) -> None:
    """Replace numbers with ranks, in place."""
    rank = np.zeros(numbers, dtype="<i4")
    rank[order] = np.arange(len(order), dtype="<i4")
    # Not through a memory map, whose changed pages would all count as this process's memory.
    with path.open("r+b") as file:
        while block := file.read(4 * _BLOCK):
            run.check()
            file.seek(-len(block), os.SEEK_CUR)
            file.write(rank[np.frombuffer(block, dtype="<i4")].tobytes())


def _digest(folder: Path, run: JobControl) -> str:
    """blake2b over words, sentence offsets and ids, each preceded by its length in bytes."""
    digest = hashlib.blake2b(digest_size=16)
    for name in ("words.txt", "sentences", "ids"):
        path = folder / name
        digest.update(path.stat().st_size.to_bytes(8, "little"))
        with path.open("rb") as file:
            while block := file.read(4 * _BLOCK):
                run.check()
                digest.update(block)
    return digest.hexdigest()


def _keep(entry: Path, digest: str, run: JobControl) -> None:
    """Move a new corpus to its place in the cache, unless it is there already."""
    place = cache_folder("corpora") / digest
    try:
        load(digest, run)
        return
    except Damaged:
        shutil.rmtree(place, ignore_errors=True)
    with new_folder(place) as temporary:
        for file in entry.iterdir():
            system().replace(file, temporary / file.name)


def load(digest: str, run: JobControl, check: bool = True) -> Corpus:
    """The corpus with this digest. Raises Damaged unless it is complete and, with ``check``,
    unchanged.
    """
    folder = cache_folder("corpora") / digest
    if len(digest) != 32 or not digest.isalnum():
        raise Damaged
    try:
        meta = read_json(folder / "meta.json")
        if meta["version"] != VERSION or (check and _digest(folder, run) != digest):
            raise Damaged
        counts = np.fromfile(folder / "counts", dtype="<i8")
        if hashlib.blake2b(counts.tobytes(), digest_size=16).hexdigest() != meta["counts"]:
            raise Damaged
        counts.flags.writeable = False
        return Corpus(
            name=meta["name"],
            ids=_map_file(folder / "ids", "<i4"),
            sentences=_map_file(folder / "sentences", "<i8"),
            words=tuple((folder / "words.txt").read_text(encoding="utf-8").split("\n")),
            counts=counts,
            digest=digest,
            options=CorpusOptions.from_mapping(meta["options"]),
            files=tuple(SourceFile.from_json(file) for file in meta["files"]),
            folder=folder,
            metadata=meta["metadata"],
        )
    except (OSError, KeyError, TypeError, ValueError, UserError) as error:
        raise Damaged from error


def _map_file(path: Path, dtype: str) -> npt.NDArray[Any]:
    """Map a file as an array. Returns the same array while it is in use, so that a corpus opened
    several times is one open file.
    """
    status = path.stat()
    key = (path, status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)
    array = _MAPPED.get(key)
    if array is None:
        array = _MAPPED.setdefault(key, np.asarray(np.memmap(path, dtype=dtype, mode="r")))
    return array


def read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises Damaged if there is none."""
    try:
        content = json_of_file(path, _LARGEST)
    except (OSError, ValueError) as error:
        raise Damaged from error
    if not isinstance(content, dict):
        raise Damaged
    return content


@contextmanager
def scratch_folder() -> Iterator[Path]:
    """A folder beside the corpora that is removed when the block ends, even by an exception. Only
    functions that the block calls may map files in it, because an exception clears their frames.
    """
    corpora = cache_folder("corpora")
    try:
        folder, handle = new_part(corpora / "reading", folder=True)
        try:
            yield folder
        except BaseException as error:
            # Ended frames in the traceback keep files mapped, which Windows couldn’t remove.
            traceback.clear_frames(error.__traceback__)
            raise
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            release_part(handle)
    except OSError as error:
        raise cannot_write(corpora, error) from error
