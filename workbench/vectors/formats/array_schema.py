"""Conversion between Embeddings and named arrays, with all checks, for formats that contain
arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from workbench.core.arrays import Array, Singles
from workbench.core.errors import UserError
from workbench.core.json_text import of_json
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats.memmap import finite_rows

SPARSE = ("vectors_data", "vectors_indices", "vectors_indptr", "vectors_shape")
STATE = "state_"
# Maximum characters of a provenance, which takes up to twenty times as much memory when parsed.
_LONGEST_METADATA = 20_000_000
KEEPS = frozenset(
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
        "own_contexts",
    }
)


def arrays_of(embeddings: Embeddings) -> dict[str, Array]:
    """``vectors`` (or their CSR parts SPARSE) and all other arrays, by name, without words and
    metadata.

    Floats are float32, or float16 if they are given as such (:mod:`workbench.vectors.float16`).
    """
    parts: dict[str, Array] = {}
    if isinstance(embeddings.vectors, np.ndarray):
        parts["vectors"] = _single(embeddings.vectors)
    else:
        matrix = embeddings.vectors
        shape = np.array(matrix.shape, dtype=np.int64)
        data = np.asarray(matrix.data, dtype=np.float32)
        parts |= dict(zip(SPARSE, (data, matrix.indices, matrix.indptr, shape), strict=True))
    for name in (
        "contexts",
        "biases",
        "context_biases",
        "ngram_vectors",
        "word_rows",
        "raw",
        "removed",
    ):
        value = getattr(embeddings, name)
        if value is not None:
            parts[name] = _single(value)
    for name in ("counts", "ngram_buckets"):
        value = getattr(embeddings, name)
        if value is not None:
            parts[name] = np.asarray(value, dtype=np.int64)
    for name, value in embeddings.state.items():
        parts[STATE + name] = np.asarray(value)
    return parts


def _single(value: Array) -> Array:
    if value.dtype == np.float16:
        return value
    return np.asarray(value, dtype=np.float32)


def metadata_of(text: str) -> dict[str, Any]:
    """Provenance from JSON. Raises ValueError."""
    if len(text) > _LONGEST_METADATA:
        raise ValueError(tr("“metadata” is too long"))
    try:
        metadata = of_json(text)
    except RecursionError as error:
        raise ValueError(tr("“metadata” is nested too deeply")) from error
    if not isinstance(metadata, dict):
        raise ValueError(tr("“metadata” is not a JSON object"))
    return metadata


def assemble(
    path: Path,
    words: Sequence[str],
    parts: Mapping[str, Array],
    metadata: Mapping[str, Any],
    limit: int = 0,
) -> Embeddings:
    """Embeddings of these words and arrays, the first ``limit`` (0: all).

    Arrays that are float32 already aren't copied, and may be mapped. Raises UserError for NaN,
    infinite numbers and duplicate words, and ValueError for inconsistent arrays.
    """
    if not ("vectors" in parts or all(name in parts for name in SPARSE)):
        raise ValueError(tr("no vectors"))
    size = len(words)
    take = min(size, limit) if limit else size
    vectors: Singles | sp.csr_matrix
    if "vectors" in parts:
        vectors = _floats(parts, "vectors", (size, None))[:take]
    else:
        vectors = _sparse(parts, size)[:take]
    finite = finite_rows(vectors)
    if take == 0 or vectors.shape[1] == 0:
        raise ValueError(tr("it is empty"))
    if not finite.all():
        word = words[int(np.argmin(finite))]
        raise UserError(
            tr(
                "{name}: the vector of “{word}” contains NaN or an infinite number.",
                name=path.name,
                word=word,
            ),
            tr("Train or export the vectors again. Training may have diverged."),
        )
    words = words[:take]
    if len(set(words)) < take:
        seen: set[str] = set()
        twice = next(word for word in words if word in seen or seen.add(word))  # type: ignore[func-returns-value]
        raise UserError(
            tr("{name}: the word “{twice}” occurs twice.", name=path.name, twice=twice),
            tr("Remove one of the two rows, or export the file again."),
        )
    rest = _further_arrays(parts, size, take, int(vectors.shape[1]))
    # Training state is useless for a part of the words.
    if take == size:
        rest["state"] = {
            name.removeprefix(STATE): _numbers(parts, name)
            for name in parts
            if name.startswith(STATE)
        }
    if "counts" in parts:
        if parts["counts"].shape != (size,) or parts["counts"].dtype.kind not in "iu":
            raise ValueError(tr("“counts” isn’t a whole number for each word"))
        rest["counts"] = parts["counts"].astype(np.int64)[:take]
        if rest["counts"].min() < 0:
            raise ValueError(tr("“counts” contains a negative number"))
    return Embeddings(words, vectors, metadata=metadata, **rest)


def _further_arrays(
    parts: Mapping[str, Array], size: int, take: int, columns: int
) -> dict[str, Any]:
    """The other arrays of floats, by word or of n-grams. Raises ValueError."""
    rest: dict[str, Any] = {}
    by_word = (("contexts", (size, None)), ("biases", (size,)), ("context_biases", (size,)))
    for name, shape in (*by_word, ("word_rows", (size, columns)), ("raw", (size, None))):
        if name in parts:
            rest[name] = _finite(_floats(parts, name, shape), name)[:take]
    if "removed" in parts:
        rest["removed"] = _finite(_floats(parts, "removed", (None, columns)), "removed")
        if not len(rest["removed"]):
            raise ValueError(tr("“removed” is empty"))
    if "ngram_vectors" in parts:
        table = _finite(_floats(parts, "ngram_vectors", (None, columns)), "ngram_vectors")
        rest["ngram_vectors"] = table
        if "ngram_buckets" in parts:
            buckets = parts["ngram_buckets"]
            if (
                buckets.shape != (len(table),)
                or buckets.dtype.kind not in "iu"
                or (np.diff(buckets) <= 0).any()
            ):
                raise ValueError(
                    tr(
                        "“ngram_buckets” isn’t an increasing whole number for each row of "
                        "“ngram_vectors”"
                    )
                )
            rest["ngram_buckets"] = buckets.astype(np.int64)
    return rest


def half_a_character(words: Sequence[str]) -> str | None:
    """The first word that contains a lone surrogate, which isn’t valid text, or None."""
    for word in words:
        if not word.isascii() and any("\ud800" <= character <= "\udfff" for character in word):
            return word
    return None


def _floats(parts: Mapping[str, Array], name: str, shape: tuple[int | None, ...]) -> Singles:
    value = parts[name]
    fits = value.ndim == len(shape) and all(
        want in (None, have) for have, want in zip(value.shape, shape, strict=True)
    )
    if not fits or value.dtype.kind not in "fiu":
        raise ValueError(
            tr(
                "“{name}” has the shape {shape} and type {kind}",
                name=name,
                shape=value.shape,
                kind=value.dtype,
            )
        )
    with np.errstate(over="ignore", invalid="ignore"):
        return np.ascontiguousarray(value, dtype=np.float32)


def _numbers(parts: Mapping[str, Array], name: str) -> Array:
    value = parts[name]
    if value.dtype.kind not in "fiu" or not np.isfinite(value).all():
        raise ValueError(tr("“{name}” contains values that aren’t finite numbers", name=name))
    return value


def _finite(value: Singles, name: str) -> Singles:
    if not finite_rows(value).all():
        raise ValueError(tr("“{name}” contains NaN or an infinite number", name=name))
    return value


def _sparse(parts: Mapping[str, Array], size: int) -> sp.csr_matrix:
    shape = parts["vectors_shape"]
    if (
        shape.shape != (2,)
        or shape.dtype.kind not in "iu"
        or int(shape[0]) != size
        or int(shape[1]) < 0
    ):
        raise ValueError(
            tr("“vectors_shape” is {shape} for {size:,} words", shape=shape.tolist(), size=size)
        )
    indices, indptr = parts["vectors_indices"], parts["vectors_indptr"]
    if (
        indices.ndim != 1
        or indptr.ndim != 1
        or indices.dtype.kind not in "iu"
        or indptr.dtype.kind not in "iu"
    ):
        raise ValueError(tr("“vectors_indices” or “vectors_indptr” isn’t a list of whole numbers"))
    data = _floats(parts, "vectors_data", (None,))
    # scipy's own check ignores rows and columns if the last entry of indptr is 0, but its C code
    # trusts them.
    sound = (
        indptr.shape == (size + 1,)
        and indptr[0] == 0
        and indptr[-1] == len(indices) == len(data)
        and bool((indptr[1:] >= indptr[:-1]).all())
        and (not len(indices) or (indices.min() >= 0 and indices.max() < int(shape[1])))
    )
    if not sound:
        raise ValueError(tr("“vectors_indices” or “vectors_indptr” points outside its table"))
    # numpy's arrays over bytes may be unaligned or in a byte order that scipy's C code can’t read.
    matrix = sp.csr_matrix(
        (data, indices.astype(np.int64), indptr.astype(np.int64)),
        shape=(size, int(shape[1])),
        dtype=np.float32,
    )
    matrix.check_format(full_check=True)
    matrix.sum_duplicates()
    return matrix
