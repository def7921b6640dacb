"""The folder of the package staticvectors: a table in model.safetensors, whose words and their rows
are in vocab.json.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from workbench.core.errors import UserError, error_text
from workbench.core.json_text import json_of_file
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats.array_schema import assemble
from workbench.vectors.formats.base import Source
from workbench.vectors.formats.safetensors_io import open_tensors
from workbench.vectors.undecoded import NAMELESS, texts_shown

_MODEL, _VOCABULARY, _CONFIG = "model.safetensors", "vocab.json", "config.json"
_TABLE, _CODES, _BUCKETS = "vectors", "codewords", "bucket"
_LARGEST = 256 << 20


class StaticVectors(Source):
    """Unquantised tables of whole words."""

    key = "staticvectors"
    title = tr("staticvectors folder")
    order = 60
    is_folder = True

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        return path.name == _MODEL and b'"data_offsets"' in head and _is_model(path.parent)

    @classmethod
    def detect_folder(cls, path: Path) -> bool:
        return (path / _MODEL).is_file() and _is_model(path)

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        folder = path if path.is_dir() else path.parent
        try:
            config = json_of_file(folder / _CONFIG)
            listed = json_of_file(folder / _VOCABULARY, _LARGEST)
            file = open_tensors(folder / _MODEL)
            if _TABLE not in file.tensors:
                raise ValueError(tr("no table “{name}”", name=_TABLE))
            composed = isinstance(config, dict) and bool(config.get(_BUCKETS))
            if composed or _CODES in file.tensors:
                raise _not_a_table(folder, composed)
            tokens = listed.get("tokens") if isinstance(listed, dict) else None
            vectors = file.read(_TABLE)
            if not isinstance(tokens, dict) or not all(
                type(row) is int and 0 <= row < len(vectors) for row in tokens.values()
            ):
                raise ValueError(tr("“{name}” doesn’t list a row for each word", name=_VOCABULARY))
            words = sorted((word for word in tokens if word), key=tokens.__getitem__)
            if not words or vectors.ndim != 2:
                raise ValueError(tr("no words, or no vectors"))
            shown, errors = texts_shown(words)
            rows = np.array([tokens[word] for word in words], dtype=np.int64)
            vectors = (
                vectors[: len(rows)] if (rows == np.arange(len(rows))).all() else vectors[rows]
            )
            metadata = {"file": folder.name, **errors}
            if len(words) < len(tokens):
                metadata[NAMELESS] = len(tokens) - len(words)
            return assemble(folder, shown, {"vectors": vectors}, metadata, limit)
        except (ValueError, TypeError, OverflowError) as error:
            raise UserError(
                tr(
                    "{name} isn’t a valid folder of staticvectors ({error}).",
                    name=folder.name,
                    error=error_text(error),
                ),
                tr("Download or export the model again."),
            ) from error


def _not_a_table(folder: Path, composed: bool) -> UserError:
    message = tr("The vectors of {name} are quantised.", name=folder.name)
    if composed:
        message = tr("{name} composes its vectors from n-grams.", name=folder.name)
    return UserError(
        message,
        tr(
            "Save its vectors in Python: {recipe}",
            recipe=f'm = StaticVectors("{folder.name}"); numpy.savez("vectors.npz", '
            "words=list(m.tokens), vectors=m.embeddings(list(m.tokens), normalize=False))",
        ),
    )


def _is_model(folder: Path) -> bool:
    return (folder / _VOCABULARY).is_file() and (folder / _CONFIG).is_file()
