"""The workbench's own format: everything an Embeddings holds, as numpy arrays in a zip file."""

from __future__ import annotations

import json
import math
import struct
import tokenize
import zipfile
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings, Floats
from workbench.vectors.formats.base import Format

Array = npt.NDArray[Any]

_SPARSE = ("vectors_data", "vectors_indices", "vectors_indptr", "vectors_shape")
_STATE = "state_"
# Deflate cannot do better than 1032 to 1, so a greater promise is a lie.
_DEFLATE_LIMIT = 1032
# What a damaged zip file or array header makes the standard library and numpy raise.
_DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    tokenize.TokenError,
    EOFError,
    LookupError,
    NotImplementedError,
    OSError,
    OverflowError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)


class Npz(Format):
    """``words``, ``vectors`` (or their CSR parts ``vectors_data/_indices/_indptr/_shape``), and where
    there are some ``contexts``, ``biases``, ``context_biases``, ``ngram_vectors``, ``ngram_buckets``,
    ``word_rows``, ``raw``, ``removed``, ``counts``, and ``state_<name>`` for what its training needs to go
    on; ``metadata`` is JSON text. Read with allow_pickle=False.
    """

    key = "npz"
    title = "numpy archive"
    suffixes = (".npz",)
    keeps = frozenset(
        {
            "counts",
            "contexts",
            "biases",
            "context_biases",
            "ngram_vectors",
            "ngram_buckets",
            "word_rows",
            "raw",
            "removed",
            "state",
            "metadata",
            "sparse",
        }
    )
    order = 40

    @classmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        for word in embeddings.words:
            if word.endswith("\0"):
                return f"A {cls.title} cannot hold a word that ends in a zero byte ({word!r})."
        return None

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        if not head.startswith(b"PK\x03\x04"):
            return False
        try:
            with zipfile.ZipFile(path) as archive:
                names = set(archive.namelist())
        except _DAMAGE:
            return False
        return "words.npy" in names and ("vectors.npy" in names or "vectors_data.npy" in names)

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        try:
            with zipfile.ZipFile(path) as archive:
                parts = {
                    name.removesuffix(".npy"): _member(archive, name)
                    for name in archive.namelist()
                    if name.endswith(".npy")
                }
        except _DAMAGE as error:
            raise UserError(
                f"{path.name} is truncated, damaged or no numpy archive ({_short(error)}).",
                "Download or export it again.",
            ) from error
        try:
            return _assemble(path, parts, limit)
        except (ValueError, TypeError, OverflowError) as error:
            raise UserError(
                f"{path.name} is not a table of vectors ({_short(error)}).",
                "It needs the arrays “words” and “vectors” of one length; export it again.",
            ) from error

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        parts: dict[str, Array] = {"words": np.array(list(embeddings.words), dtype=np.str_)}
        if isinstance(embeddings.vectors, np.ndarray):
            parts["vectors"] = np.asarray(embeddings.vectors, dtype=np.float32)
        else:
            matrix = embeddings.vectors
            shape = np.array(matrix.shape, dtype=np.int64)
            data = np.asarray(matrix.data, dtype=np.float32)
            parts |= dict(zip(_SPARSE, (data, matrix.indices, matrix.indptr, shape), strict=True))
        for name in ("contexts", "biases", "context_biases", "ngram_vectors", "word_rows", "raw", "removed"):
            value = getattr(embeddings, name)
            if value is not None:
                parts[name] = np.asarray(value, dtype=np.float32)
        for name in ("counts", "ngram_buckets"):
            value = getattr(embeddings, name)
            if value is not None:
                parts[name] = np.asarray(value, dtype=np.int64)
        for name, value in embeddings.state.items():
            parts[_STATE + name] = np.asarray(value)
        parts["metadata"] = np.array(json.dumps(dict(embeddings.metadata), ensure_ascii=False))
        with zipfile.ZipFile(path, "w") as archive:
            for name, value in parts.items():
                # A fixed date, so that equal embeddings give equal bytes; floats hardly shrink.
                info = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
                info.compress_type = zipfile.ZIP_DEFLATED if value.dtype.kind == "U" else zipfile.ZIP_STORED
                with archive.open(info, "w", force_zip64=True) as file:
                    np.lib.format.write_array(file, value, allow_pickle=False)


def _member(archive: zipfile.ZipFile, name: str) -> Array:
    """One array; its header is held against the bytes there are before anything is allocated."""
    info = archive.getinfo(name)
    if info.file_size > info.compress_size * _DEFLATE_LIMIT + 1024:
        raise ValueError(f"{name} promises more than it can hold")
    with archive.open(info) as file:
        version = np.lib.format.read_magic(file)
        read_header = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }[version]
        shape, by_column, dtype = read_header(file)
        if dtype.hasobject:
            raise ValueError(f"{name} holds Python objects")
        size = math.prod(shape) * dtype.itemsize
        if min(shape, default=0) < 0 or size != info.file_size - file.tell():
            raise ValueError(f"{name} is not as long as its header says")
        data = bytearray(file.read())
    if len(data) != size:
        raise ValueError(f"{name} ends early")
    flat: Array = np.frombuffer(data, dtype=dtype)
    return flat.reshape(shape, order="F" if by_column else "C")


def _assemble(path: Path, parts: Mapping[str, Array], limit: int) -> Embeddings:
    if "words" not in parts or not ("vectors" in parts or all(name in parts for name in _SPARSE)):
        raise ValueError("no words, or no vectors")
    if parts["words"].ndim != 1 or parts["words"].dtype.kind != "U":
        raise ValueError("“words” is not a list of words")
    words: list[str] = parts["words"].tolist()
    size = len(words)
    take = min(size, limit) if limit else size
    vectors: Floats | sp.csr_matrix
    if "vectors" in parts:
        vectors = _floats(parts, "vectors", (size, None))[:take]
        finite = np.isfinite(vectors).all(axis=1)
    else:
        vectors = _sparse(parts, size)[:take]
        finite = np.ones(take, dtype=bool)
        finite[np.repeat(np.arange(take), np.diff(vectors.indptr))[~np.isfinite(vectors.data)]] = False
    if take == 0 or vectors.shape[1] == 0:
        raise ValueError("it is empty")
    if not finite.all():
        word = words[int(np.argmin(finite))]
        raise UserError(
            f"{path.name}: the vector of “{word}” holds NaN or an infinite number.",
            "Train or export it again; training may have diverged.",
        )
    words = words[:take]
    if len(set(words)) < take:
        seen: set[str] = set()
        twice = next(word for word in words if word in seen or seen.add(word))  # type: ignore[func-returns-value]
        raise UserError(f"{path.name}: the word “{twice}” stands twice.", "Remove one of them, or export it again.")
    rest: dict[str, Any] = {}
    by_word = (("contexts", (size, None)), ("biases", (size,)), ("context_biases", (size,)))
    columns = int(vectors.shape[1])
    for name, shape in (*by_word, ("word_rows", (size, columns)), ("raw", (size, None))):
        if name in parts:
            rest[name] = _finite(_floats(parts, name, shape), name)[:take]
    if "removed" in parts:
        rest["removed"] = _finite(_floats(parts, "removed", (None, columns)), "removed")
        if not len(rest["removed"]):
            raise ValueError("“removed” is empty")
    if "ngram_vectors" in parts:
        table = _finite(_floats(parts, "ngram_vectors", (None, int(vectors.shape[1]))), "ngram_vectors")
        rest["ngram_vectors"] = table
        if "ngram_buckets" in parts:
            buckets = parts["ngram_buckets"]
            if buckets.shape != (len(table),) or buckets.dtype.kind not in "iu" or (np.diff(buckets) <= 0).any():
                raise ValueError("“ngram_buckets” is not a rising whole number for each row of “ngram_vectors”")
            rest["ngram_buckets"] = buckets.astype(np.int64)
    # What a training needs to go on is of no use to a part of the words.
    if take == size:
        rest["state"] = {name.removeprefix(_STATE): _numbers(parts, name) for name in parts if name.startswith(_STATE)}
    if "counts" in parts:
        if parts["counts"].shape != (size,) or parts["counts"].dtype.kind not in "iu":
            raise ValueError("“counts” is not a whole number for each word")
        rest["counts"] = parts["counts"].astype(np.int64)[:take]
        if rest["counts"].min() < 0:
            raise ValueError("“counts” holds a negative number")
    if "metadata" in parts:
        metadata = json.loads(str(parts["metadata"].reshape(-1)[0]))
        if not isinstance(metadata, dict):
            raise ValueError("“metadata” is not a JSON object")
        rest["metadata"] = metadata
    return Embeddings(words, vectors, **rest)


def _floats(parts: Mapping[str, Array], name: str, shape: tuple[int | None, ...]) -> Floats:
    value = parts[name]
    fits = value.ndim == len(shape) and all(want in (None, have) for have, want in zip(value.shape, shape, strict=True))
    if not fits or value.dtype.kind not in "fiu":
        raise ValueError(f"“{name}” has the shape {value.shape} and type {value.dtype}")
    with np.errstate(over="ignore", invalid="ignore"):
        return np.ascontiguousarray(value, dtype=np.float32)


def _numbers(parts: Mapping[str, Array], name: str) -> Array:
    value = parts[name]
    if value.dtype.kind not in "fiu" or not np.isfinite(value).all():
        raise ValueError(f"“{name}” holds something else than finite numbers")
    return value


def _finite(value: Floats, name: str) -> Floats:
    if not np.isfinite(value).all():
        raise ValueError(f"“{name}” holds NaN or an infinite number")
    return value


def _sparse(parts: Mapping[str, Array], size: int) -> sp.csr_matrix:
    shape = parts["vectors_shape"]
    if shape.shape != (2,) or shape.dtype.kind not in "iu" or int(shape[0]) != size or int(shape[1]) < 0:
        raise ValueError(f"“vectors_shape” is {shape.tolist()} for {size:,} words")
    indices, indptr = parts["vectors_indices"], parts["vectors_indptr"]
    if indices.ndim != 1 or indptr.ndim != 1 or indices.dtype.kind not in "iu" or indptr.dtype.kind not in "iu":
        raise ValueError("“vectors_indices” or “vectors_indptr” is not a list of whole numbers")
    data = _floats(parts, "vectors_data", (None,))
    # numpy's arrays over bytes may be unaligned or of foreign byte order for scipy's C code.
    matrix = sp.csr_matrix(
        (data, indices.astype(np.int64), indptr.astype(np.int64)), shape=(size, int(shape[1])), dtype=np.float32
    )
    matrix.check_format(full_check=True)
    matrix.sum_duplicates()
    return matrix


def _short(error: BaseException) -> str:
    text = str(error) or type(error).__name__
    return text if len(text) <= 120 else text[:119] + "…"
