"""A table of vectors in safetensors, with words in the file itself or in tokenizer.json beside it.

model2vec's folder contains model.safetensors with ``embeddings`` [rows, d] (float32, float16 or
int8), and if its vocabulary was quantised ``mapping`` [V], the row of each token, and ``weights``
[V], the factor of each token's row. In models of sentence-transformers, the table is called
``embedding.weight``.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats.array_schema import SPARSE, assemble, metadata_of
from workbench.vectors.formats.safetensors_io import TensorFile, open_tensors
from workbench.vectors.formats.tokenizer_json import read_words
from workbench.vectors.undecoded import NAMELESS, TOKENS, texts_shown

VECTORS = "embeddings"
TOKENIZER = "tokenizer.json"
_TABLES = (VECTORS, "embedding.weight")
_LIST = re.compile(r"\s*\[[\s,]*\]\s*")
_TEXTS = re.compile(r'"(?:[^"\\]|\\.)*+"', re.DOTALL)


def read_static_model(path: Path, limit: int = 0) -> Embeddings:
    """The vectors of one safetensors file. Raises UserError and OSError."""
    try:
        file = open_tensors(path)
        table = next((name for name in _TABLES if name in file.tensors), "")
        sparse = all(name in file.tensors for name in SPARSE)
        if not table and not sparse:
            known = ", ".join(list(file.tensors)[:6]) or tr("none")
            raise UserError(
                tr(
                    "{name} contains no table of word vectors named “{vectors}”, only: {known}.",
                    name=path.name,
                    vectors=VECTORS,
                    known=known,
                ),
                tr("Export the model with model2vec, or save its word vectors under that name."),
            )
        if "words" in file.metadata:
            return _read_own(path, file, table, limit)
        return _of_tokenizer(path, file, table, limit)
    except (ValueError, TypeError, OverflowError) as error:
        raise UserError(
            tr(
                "{name} isn’t a valid safetensors file, or it is truncated ({error}).",
                name=path.name,
                error=error_text(error),
            ),
            tr("Download or export the file again."),
        ) from error


def _read_own(path: Path, file: TensorFile, table: str, limit: int) -> Embeddings:
    text = file.metadata["words"]
    # Check before parsing: there must be one word per row, and no nested lists.
    number = (
        len(file.read("vectors_indptr")) - 1
        if not table
        else (file.tensors[table].shape or (0,))[0]
    )
    marks = _TEXTS.sub("", text)
    if not _LIST.fullmatch(marks) or marks.count(",") != max(number, 1) - 1:
        raise ValueError(tr("“words” isn’t a list of words"))
    words = json.loads(text)
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError(tr("“words” isn’t a list of words"))
    parts = {name: file.read(name) for name in file.tensors if name != table}
    if table:
        parts["vectors"] = file.read(table)
    whole, errors = texts_shown(words)
    metadata = metadata_of(file.metadata.get("metadata", "{}"))
    return assemble(path, whole, parts, metadata | errors, limit)


def _of_tokenizer(path: Path, file: TensorFile, table: str, limit: int) -> Embeddings:
    if not table:
        raise ValueError(tr("sparse vectors without their words"))
    known_rows = file.tensors["mapping" if "mapping" in file.tensors else table].shape
    words, unknown, special = read_words(
        path.with_name(TOKENIZER), known_rows[0] if known_rows else 0
    )
    vectors = file.read(table)
    rows = _table_rows(file, table, vectors)
    known = np.array(sorted(number for number in words if 0 <= number < len(rows)), dtype=np.int64)
    if not len(known):
        raise ValueError(
            tr("{name} lists no words for its {number:,} rows", name=TOKENIZER, number=len(rows))
        )
    nameless = len(rows) - len(known)
    last = int(known[-1])
    if words[last] == unknown and not vectors[rows[last]].any():
        # The format requires this row of zeros for unknown words; it isn’t a word.
        known = known[:-1]
    text = file.metadata.get("metadata")
    tokens = 0
    if not text:
        # In files with a provenance, all other rows are words.
        are_words = np.array([words[number] not in special for number in known.tolist()], np.bool_)
        tokens = len(known) - int(np.count_nonzero(are_words))
        known = known[are_words]
    parts: dict[str, npt.NDArray[Any]] = {}
    plain = (
        len(known) <= len(vectors)
        and "mapping" not in file.tensors
        and bool((known == np.arange(len(known))).all())
    )
    parts["vectors"] = vectors[: len(known)] if plain else vectors[rows[known]]
    if "weights" in file.tensors:
        weights = file.read("weights")
        if weights.shape != (len(rows),) or weights.dtype.kind != "f":
            raise ValueError(tr("“weights” isn’t a number for each token"))
        parts["vectors"] = parts["vectors"].astype(np.float32) * weights[known, None].astype(
            np.float32
        )
    if "counts" in file.tensors and file.tensors["counts"].shape == (len(rows),):
        parts["counts"] = file.read("counts")[known]
    whole, errors = texts_shown([words[number] for number in known.tolist()])
    metadata: dict[str, Any] = (
        metadata_of(text) if text else {"file": path.parent.name or path.name}
    )
    if nameless:
        metadata[NAMELESS] = nameless
    if tokens:
        metadata[TOKENS] = tokens
    return assemble(path, whole, parts, metadata | errors, limit)


def _table_rows(file: TensorFile, table: str, vectors: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The row of the table for each number of a token. Raises ValueError."""
    if vectors.ndim != 2:
        raise ValueError(tr("“{name}” has the shape {shape}", name=table, shape=vectors.shape))
    if "mapping" not in file.tensors:
        return np.arange(len(vectors))
    rows = file.read("mapping")
    if (
        rows.ndim != 1
        or rows.dtype.kind not in "iu"
        or (len(rows) and not 0 <= rows.min() <= rows.max() < len(vectors))
    ):
        raise ValueError(tr("“mapping” contains row numbers outside the table"))
    return rows
