"""model2vec's folder: model.safetensors, tokenizer.json, config.json, as opened by its
from_pretrained.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError
from workbench.core.json_text import json_text
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import safetensors_io, static_model
from workbench.vectors.formats.array_schema import half_a_character
from workbench.vectors.formats.base import Format
from workbench.vectors.formats.tokenizer_json import (
    UNKNOWN,
    tokenizer_text,
    unreachable_words,
)

_MODEL, _CONFIG, _MODULES = "model.safetensors", "config.json", "modules.json"


class Model2vec(Format):
    """A static model whose tokens are whole words. An additional row of zeros represents unknown
    words.
    """

    key = "model2vec"
    title = tr("model2vec folder")
    suffixes = (".model2vec",)
    keeps = frozenset({"counts", "metadata"})
    order = 50
    is_folder = True
    files = frozenset({_MODEL, static_model.TOKENIZER, _CONFIG, _MODULES})

    @classmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        if embeddings.sparse:
            return tr(
                "A {title} can’t store sparse vectors ({dim:,} dimensions, most of them "
                "0). Train svd for dense vectors.",
                title=cls.title,
                dim=embeddings.dim,
            )
        word = half_a_character(embeddings.words)
        if word is None:
            return None
        return tr(
            "A {title} can’t store {word!r}: it contains invalid Unicode.",
            title=cls.title,
            word=word,
        )

    @classmethod
    def notes(cls, embeddings: Embeddings) -> tuple[str, ...]:
        sentence = unreachable_words(embeddings.words, _corpus_options(embeddings))
        return (sentence,) if sentence else ()

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        return False

    @classmethod
    def detect_folder(cls, path: Path) -> bool:
        return _place(path) is not None

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        place = _place(path)
        if place is None:
            raise UserError(
                tr(
                    "{name} isn’t a model2vec folder: {model} or {tokenizer} is missing.",
                    name=path.name,
                    model=_MODEL,
                    tokenizer=static_model.TOKENIZER,
                ),
                tr("Download or export the model again."),
            )
        return static_model.read_static_model(place, limit)

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        words, size = list(embeddings.words), len(embeddings)
        rows = size + 1 if UNKNOWN not in embeddings else size
        table = np.zeros((rows, embeddings.dim), dtype=np.float32)
        table[:size] = np.asarray(embeddings.vectors)
        parts: dict[str, npt.NDArray[Any]] = {static_model.VECTORS: table}
        if embeddings.counts is not None:
            counts = np.zeros(rows, dtype=np.int64)
            counts[:size] = embeddings.counts
            parts["counts"] = counts
        text = json_text(dict(embeddings.metadata))
        safetensors_io.write_tensors(path / _MODEL, parts, {"metadata": text})
        tokenizer = tokenizer_text(words, _corpus_options(embeddings))
        (path / static_model.TOKENIZER).write_text(tokenizer, encoding="utf-8")
        config = {
            "model_type": "model2vec",
            "architectures": ["StaticModel"],
            "normalize": False,
            "hidden_dim": embeddings.dim,
            "embedding_dtype": "float32",
        }
        modules = [
            {
                "idx": 0,
                "name": "0",
                "path": ".",
                "type": "sentence_transformers.models.StaticEmbedding",
            }
        ]
        for name, value in ((_CONFIG, config), (_MODULES, modules)):
            (path / name).write_text(json.dumps(value, indent=1) + "\n", encoding="utf-8")


def _corpus_options(embeddings: Embeddings) -> Mapping[str, Any]:
    """Reading options of the corpus, empty if unknown."""
    options = embeddings.options
    return {} if options is None else options.to_dict()


def _place(folder: Path) -> Path | None:
    """Path of the model's file in a folder, or None."""
    for place in (folder, folder / "0_StaticEmbedding"):
        if (place / _MODEL).is_file() and (place / static_model.TOKENIZER).is_file():
            return place / _MODEL
    return None
