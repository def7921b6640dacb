"""Writing and reading the files of a folder of counts, which :mod:`workbench.counts.shards`
describes.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.arrays import Doubles
from workbench.core.atomic import cannot_write, replacing
from workbench.core.errors import UserError
from workbench.core.json_text import json_of_file, json_text
from workbench.core.language import tr
from workbench.core.paths import expand_user
from workbench.core.text.text_files import cannot_read
from workbench.corpus.corpus import CorpusOptions, Vocabulary

FORMAT, VERSION = "workbench-counts", 1
# Version of counts whose contexts have a vocabulary of their own: older programs refuse them.
VERSION_OWN_CONTEXTS = 2
MANIFEST, WORDS, COUNTS = "manifest.json", "words.txt", "counts.npy"
CONTEXTS = "contexts.txt"
ARRAYS = ("indptr", "indices", "data")
# Target number of cells of a shard: 192 MB in float64.
SHARD_CELLS = 1 << 24
MOST_CELLS = (1 << 31) - 1
BLOCK = 1 << 20


@dataclass(frozen=True)
class Stored:
    """A file of the folder: its size in bytes, and the blake2b digest of its content, in
    hexadecimal.
    """

    bytes: int
    digest: str


@dataclass(frozen=True)
class ShardRecord:
    """Rows ``first`` to ``last`` (exclusive) with their ``cells``; ``files`` by the names of
    ARRAYS.
    """

    first: int
    last: int
    cells: int
    files: Mapping[str, Stored]


def prepare(path: str | Path) -> Path:
    """Prepare the folder to write to: create it if it is missing, or delete the counts in it.

    Raises UserError if it cannot be written, or contains anything else.
    """
    folder = expand_user(path)
    prove_own(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Delete the manifest first, so that a part of the old counts can’t pass for the whole.
        for file in sorted(folder.iterdir(), key=lambda file: file.name != MANIFEST):
            file.unlink()
    except OSError as error:
        raise cannot_write(folder, error) from error
    return folder


def prove_own(folder: Path) -> None:
    """Raise UserError if a folder exists and contains anything but counts."""
    try:
        strange = []
        if folder.exists():
            strange = [file.name for file in folder.iterdir() if not _ours(file)]
    except OSError as error:
        raise cannot_write(folder, error) from error
    if strange:
        raise UserError(
            tr(
                "The folder {folder} contains other files ({name}).",
                folder=folder,
                name=min(strange),
            ),
            tr("Choose a new or an empty folder."),
        )


def write_shard(folder: Path, number: int, first: int, matrix: sp.csr_matrix) -> ShardRecord:
    """Write one shard, each file completely or not at all; equal matrices give equal bytes. Raises
    UserError.
    """
    if not matrix.has_sorted_indices:
        matrix = matrix.sorted_indices()
    if matrix.nnz > MOST_CELLS or matrix.shape[0] < 1:
        raise ValueError(
            f"a shard has from 1 row to {MOST_CELLS} cells, not {matrix.shape[0]} and {matrix.nnz}"
        )
    data = np.asarray(matrix.data)
    if data.dtype != np.float32:
        data = data.astype(np.float64, copy=False)
        if _fits_single(data):
            data = data.astype(np.float32)
    arrays: dict[str, npt.NDArray[Any]] = {
        "indptr": matrix.indptr.astype(np.int64, copy=False),
        "indices": matrix.indices.astype(np.int32, copy=False),
        "data": data,
    }
    files = {
        name: _write_array(folder / array_name(number, name), array)
        for name, array in arrays.items()
    }
    return ShardRecord(first, first + matrix.shape[0], matrix.nnz, files)


def write_manifest(
    folder: Path,
    shards: Iterable[ShardRecord],
    vocabulary: Vocabulary,
    metadata: Mapping[str, Any],
    contexts: Sequence[str] | None = None,
) -> None:
    """Write vocabulary and manifest beside the written shards; ``contexts``: those of the columns
    if they aren't the words. Raises UserError.
    """
    shards = tuple(shards)
    if [shard.first for shard in shards] + [len(vocabulary)] != [
        0,
        *(shard.last for shard in shards),
    ]:
        raise ValueError("the shards do not hold every row once")
    files = {
        WORDS: _write_list(folder / WORDS, vocabulary.words),
        COUNTS: _write_array(folder / COUNTS, np.asarray(vocabulary.counts, dtype=np.int64)),
    }
    if contexts is not None:
        files[CONTEXTS] = _write_list(folder / CONTEXTS, contexts)
    known = {name: metadata.get(name) for name in ("weighting", "window", "symmetric", "divisor")}
    manifest = {
        "format": FORMAT,
        "version": VERSION if contexts is None else VERSION_OWN_CONTEXTS,
        **known,
        "words": len(vocabulary),
        "tokens": vocabulary.tokens,
        "cells": sum(shard.cells for shard in shards),
        "vocabulary_digest": vocabulary_digest(vocabulary),
        "options": None if vocabulary.options is None else vocabulary.options.to_dict(),
        "metadata": dict(metadata),
        "files": {name: asdict(stored) for name, stored in files.items()},
        "shards": [asdict(shard) for shard in shards],
    }
    with replacing(folder / MANIFEST) as part:
        part.write_text(json_text(manifest, indent=1), encoding="utf-8")


def _write_list(path: Path, words: Sequence[str]) -> Stored:
    text = "\n".join(words)
    if text.count("\n") != len(words) - 1:
        raise UserError(
            tr("A word contains a line break, so it can’t be written to a list."),
            tr("Choose another tokeniser."),
        )
    encoded = text.encode("utf-8", "surrogatepass")
    with replacing(path) as part:
        part.write_bytes(encoded)
    return Stored(len(encoded), hashlib.blake2b(encoded, digest_size=20).hexdigest())


def vocabulary_digest(vocabulary: Vocabulary) -> str:
    """blake2b over words and counts, in hexadecimal: equal words with equal counts give equal
    digests.
    """
    digest = hashlib.blake2b(
        "\n".join(vocabulary.words).encode("utf-8", "surrogatepass"), digest_size=16
    )
    digest.update(np.asarray(vocabulary.counts, dtype="<i8").tobytes())
    return digest.hexdigest()


def array_name(number: int, name: str) -> str:
    """The file name of an array of a shard."""
    return f"{number:05d}.{name}.npy"


class _Hashed:
    """A file that tracks the size and digest of the bytes written to it."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = hashlib.blake2b(digest_size=20)
        self._bytes = 0

    def write(self, data: bytes) -> int:
        self._digest.update(data)
        self._bytes += len(data)
        return self._file.write(data)

    @property
    def file_record(self) -> Stored:
        return Stored(self._bytes, self._digest.hexdigest())


def _write_array(path: Path, array: npt.NDArray[Any]) -> Stored:
    with replacing(path) as part, part.open("wb") as file:
        hashed = _Hashed(file)
        np.lib.format.write_array(hashed, array, allow_pickle=False)
    return hashed.file_record


def _fits_single(data: Doubles) -> bool:
    with np.errstate(over="ignore", under="ignore"):
        return all(
            bool(np.all(block.astype(np.float32) == block))
            for block in (data[at : at + BLOCK] for at in range(0, len(data), BLOCK))
        )


def read_manifest(folder: Path) -> dict[str, Any]:
    try:
        manifest = json_of_file(folder / MANIFEST)
    except FileNotFoundError as error:
        raise UserError(
            tr(
                "The folder {folder} contains no counts: {manifest} is missing.",
                folder=folder,
                manifest=MANIFEST,
            ),
            tr("Perhaps counting didn’t finish."),
        ) from error
    except OSError as error:
        raise cannot_read(folder / MANIFEST, error) from error
    except ValueError as error:
        raise damaged_counts(folder, MANIFEST) from error
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise UserError(
            tr("{path} isn’t part of counts written by this program.", path=folder / MANIFEST),
            tr("Choose another folder."),
        )
    if manifest.get("version") not in (VERSION, VERSION_OWN_CONTEXTS):
        raise UserError(
            tr(
                "The counts in {folder} use format version {version}.",
                folder=folder,
                version=manifest.get("version"),
            ),
            tr(
                "This program reads version {version}. Update it to read newer ones.",
                version=VERSION_OWN_CONTEXTS,
            ),
        )
    return manifest


def read_vocabulary(folder: Path, manifest: Mapping[str, Any]) -> Vocabulary:
    words = tuple((folder / WORDS).read_bytes().decode("utf-8", "surrogatepass").split("\n"))
    counts = np.load(folder / COUNTS, allow_pickle=False)
    if counts.dtype != np.int64 or counts.shape != (len(words),) or len(words) != manifest["words"]:
        raise damaged_counts(folder, WORDS)
    options = None
    if manifest["options"] is not None:
        # Unknown options of a later version shouldn’t prevent reading the counts.
        with suppress(UserError):
            options = CorpusOptions.from_mapping(manifest["options"])
    vocabulary = Vocabulary(words, counts, options)
    if vocabulary_digest(vocabulary) != manifest["vocabulary_digest"]:
        raise damaged_counts(folder, WORDS)
    return vocabulary


def read_contexts(folder: Path, manifest: Mapping[str, Any]) -> tuple[str, ...] | None:
    """The contexts of the columns, None if they are the words. Raises UserError and OSError."""
    stored = manifest["files"].get(CONTEXTS)
    if stored is None:
        return None
    encoded = (folder / CONTEXTS).read_bytes()
    if hashlib.blake2b(encoded, digest_size=20).hexdigest() != Stored(**stored).digest:
        raise damaged_counts(folder, CONTEXTS)
    return tuple(encoded.decode("utf-8", "surrogatepass").split("\n"))


def shard_of(values: Mapping[str, Any]) -> ShardRecord:
    files = {name: Stored(**values["files"][name]) for name in ARRAYS}
    return ShardRecord(int(values["first"]), int(values["last"]), int(values["cells"]), files)


def digest_of(manifest: Mapping[str, Any]) -> str:
    what = [manifest["vocabulary_digest"], [shard["files"] for shard in manifest["shards"]]]
    if CONTEXTS in manifest["files"]:
        what.append(manifest["files"][CONTEXTS])
    return hashlib.blake2b(json.dumps(what, sort_keys=True).encode(), digest_size=16).hexdigest()


def _ours(file: Path) -> bool:
    name = file.name
    if name in (MANIFEST, WORDS, COUNTS, CONTEXTS) or (
        name.startswith(".") and name.endswith(".part")
    ):
        return file.is_file()
    number, _, rest = name.partition(".")
    return number.isdecimal() and rest in [f"{each}.npy" for each in ARRAYS] and file.is_file()


def damaged_counts(folder: Path, name: str) -> UserError:
    return UserError(
        tr("The counts in {folder} are corrupt ({name}).", folder=folder, name=name),
        tr("Count again, or restore them from a copy."),
    )
