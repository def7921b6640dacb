"""A model with a taught word: one more row, or another row for a known word; nothing else moves."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from workbench.analysis.rows.still_model import TAUGHT, StillModel
from workbench.analysis.teach.letters import own_row
from workbench.analysis.teach.teaching import Taught
from workbench.core.arrays import Doubles
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.lengths import unit_rows
from workbench.vectors.postprocessing import choice_of


def with_word(still: StillModel, taught: Taught) -> Embeddings:
    """The model with the taught word, which must have been taught with ``both_sides``.

    A new word goes among the words of its frequency in the lines. A known word keeps its place and
    its frequency. Where lines don't determine its context vector, it has none (zeros). The model
    can't be trained further. Its provenance lists the word under TAUGHT.
    """
    model = still.embeddings
    place = _Place(model, taught)
    word, context = taught.word_row, taught.context_row
    bias = None if word.bias is None else np.array(word.bias)
    context_bias = None if context is None or context.bias is None else np.array(context.bias)
    vector: Any = taught.vector
    if choice_of(model).normalise:
        vector = unit_rows(vector[None])[0]
    entry = {
        "word": taught.word,
        "known": taught.known,
        "lines": taught.lines,
        "occurrences": taught.occurrences,
    }
    earlier = model.metadata.get(TAUGHT)
    metadata = {**model.metadata, TAUGHT: [*(earlier if isinstance(earlier, list) else []), entry]}
    own = own_row(still, taught.word, word.row) if model.word_rows is not None else None
    return dataclasses.replace(
        model,
        words=place.words(taught.word),
        vectors=place.vectors(model.vectors, vector),
        counts=place.counts(taught.occurrences),
        contexts=place.table(model.contexts, None if context is None else context.row),
        biases=place.table(model.biases, bias),
        context_biases=place.table(model.context_biases, context_bias),
        word_rows=place.table(model.word_rows, own),
        raw=place.table(model.raw, word.row),
        metadata=metadata,
        state={},
    )


def was_taught(model: Embeddings, word: str) -> bool:
    """Whether a word of the model was taught, and isn't in the text of its training."""
    entries = model.metadata.get(TAUGHT)
    if not isinstance(entries, list):
        return False
    known = (one for one in entries if isinstance(one, dict) and one.get("word") == word)
    return any(not one.get("known") for one in known)


class _Place:
    """Where the word's row is, in tables that have a row for each word."""

    def __init__(self, model: Embeddings, taught: Taught) -> None:
        self._model = model
        self._new = not taught.known
        assert model.counts is not None
        self._at = (
            int(np.searchsorted(-model.counts, -taught.occurrences, side="right"))
            if self._new
            else model.index[taught.word]
        )

    def words(self, word: str) -> tuple[str, ...]:
        words = list(self._model.words)
        if self._new:
            words.insert(self._at, word)
        return tuple(words)

    def counts(self, occurrences: int) -> npt.NDArray[np.int64]:
        counts = self._model.counts
        assert counts is not None
        return np.insert(counts, self._at, occurrences) if self._new else counts

    def table(self, table: Any, row: Doubles | None) -> Any:
        """A copy of the table with the row in its place, zeros without a row; None without a
        table.
        """
        if table is None:
            return None
        values = np.zeros(table.shape[1:]) if row is None else row
        if self._new:
            return np.insert(table, self._at, values.astype(table.dtype), axis=0)
        found = table.copy()
        found[self._at] = values
        return found

    def vectors(self, vectors: Any, row: Doubles) -> Any:
        if isinstance(vectors, np.ndarray):
            return self.table(vectors, row)
        own = sp.csr_matrix(row.astype(np.float32)[None])
        after = self._at if self._new else self._at + 1
        found = sp.vstack([vectors[: self._at], own, vectors[after:]]).tocsr()
        if not self._new:
            return found
        # The new word as a context: a column that is empty, because no other vector moves.
        columns = found.indices + (found.indices >= self._at)
        shape = (found.shape[0], found.shape[1] + 1)
        return sp.csr_matrix((found.data, columns, found.indptr), shape=shape)
