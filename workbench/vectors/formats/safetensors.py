"""safetensors: all parts of an Embeddings in one file, with vectors under model2vec's name."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.json_text import json_text
from workbench.core.language import tr
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import safetensors_io, static_model
from workbench.vectors.formats.array_schema import KEEPS, arrays_of, half_a_character
from workbench.vectors.formats.base import Format


class Safetensors(Format):
    """``embeddings`` float32 or float16[V, d] (or CSR parts), and further arrays under the names of
    an .npz; among the file's texts, ``words`` is a JSON list and ``metadata`` the provenance. Large
    tables are mapped when read. The words of model2vec's model.safetensors are in tokenizer.json
    beside it.
    """

    key = "safetensors"
    title = "safetensors"
    suffixes = (".safetensors",)
    keeps = KEEPS - {"own_contexts"}
    half = True
    order = 45

    @classmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        word = half_a_character(embeddings.words)
        if word is not None:
            return tr(
                "A {title} file can’t store {word!r}: it contains invalid Unicode.",
                title=cls.title,
                word=word,
            )
        if sum(map(len, embeddings.words)) > safetensors_io.LONGEST_HEADER // 8:
            return tr("A {title} file can’t store the names of so many words.", title=cls.title)
        return None

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        return safetensors_io.looks_like(head, path.stat().st_size) and b'"data_offsets"' in head

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        return static_model.read_static_model(path, limit)

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        parts = arrays_of(embeddings)
        if static_model.VECTORS not in parts and "vectors" in parts:
            parts = {static_model.VECTORS: parts.pop("vectors"), **parts}
        texts = {
            "words": json_text(list(embeddings.words)),
            "metadata": json_text(dict(embeddings.metadata)),
        }
        try:
            safetensors_io.write_tensors(path, parts, texts)
        except ValueError as error:
            raise UserError(
                tr(
                    "Couldn’t write these vectors as {title} ({error}).",
                    title=cls.title,
                    error=error,
                ),
                tr("Choose .npz."),
            ) from error
