"""Vectors in half precision (IEEE 754 binary16), for files of half the size.

A number is rounded to the nearest float16 with 11 significant bits: the relative error is at most
2⁻¹¹ from 2⁻¹⁴ ≈ 6.1·10⁻⁵ on, and the absolute error at most 2⁻²⁵ ≈ 3·10⁻⁸ below that. A cosine of
two vectors of d numbers changes by less than 2⁻¹⁰ unless the vectors consist of such small numbers.
When read, numbers become float32 again, without further rounding.
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError
from workbench.vectors.embeddings import Embeddings

# Key and value in the provenance of vectors in half precision.
PRECISION, HALF = "precision", "float16"
_LARGEST = float(np.finfo(np.float16).max)
_FIELDS = (
    "vectors",
    "contexts",
    "biases",
    "context_biases",
    "ngram_vectors",
    "word_rows",
    "raw",
    "removed",
)
_STEP = 1 << 16


def to_float16(embeddings: Embeddings) -> Embeddings:
    """Convert all vectors and biases to float16 for writing, and note it in the metadata.

    Training state is left out: from rounded numbers, the training would differ. Raises UserError
    for numbers beyond 65,504, the largest float16, and for sparse vectors.
    """
    if not isinstance(embeddings.vectors, np.ndarray):
        # Sparse vectors consist mostly of indices, and scipy has no float16 matrices.
        raise UserError(
            "Can’t write sparse vectors in float16.",
            "Write the vectors in float32, or train svd for dense vectors.",
        )
    fields: dict[str, Any] = {
        name: _round_table(value)
        for name in _FIELDS
        if (value := getattr(embeddings, name)) is not None
    }
    return dataclasses.replace(
        embeddings, state={}, metadata={**embeddings.metadata, PRECISION: HALF}, **fields
    )


def _round_table(table: npt.NDArray[Any]) -> npt.NDArray[np.float16]:
    rounded = np.empty(table.shape, dtype=np.float16)
    for first in range(0, len(table), _STEP):
        with np.errstate(over="ignore", under="ignore"):
            rounded[first : first + _STEP] = table[first : first + _STEP]
        if not np.isfinite(rounded[first : first + _STEP]).all():
            raise UserError(
                f"These vectors contain numbers beyond {_LARGEST:,.0f}, the largest of float16.",
                "Write the vectors in float32, or scale them to unit length first.",
            )
    return rounded
