"""Vector tables of step-by-step training: a model with changed rows on top, without a copy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from workbench.analysis.step.step import (
    BIASES,
    CONTEXT_BIASES,
    CONTEXTS,
    INPUTS,
    NODES,
    VectorChange,
)
from workbench.core.arrays import Doubles, Singles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.corpus import Vocabulary
from workbench.counts.huffman import NODES as KEPT_NODES
from workbench.vectors.embeddings import Embeddings


class StepTables:
    """Rows of several tables in float64; moved rows are stored separately.

    tables : float32[rows, d] by name, never written; sums : AdaGrad's of the same shapes, 1 where
    missing
    """

    def __init__(
        self, words: Vocabulary, tables: Mapping[str, Singles], sums: Mapping[str, Singles]
    ) -> None:
        self._vocabulary = words
        self._tables = tables
        self._sums = sums
        self._moved: dict[tuple[str, int], Doubles] = {}
        self._summed: dict[tuple[str, int], Doubles] = {}

    @property
    def dim(self) -> int:
        return int(self._tables[INPUTS].shape[1])

    def row(self, table: str, row: int) -> Doubles:
        found = self._moved.get((table, row))
        return self._tables[table][row].astype(np.float64) if found is None else found

    def sums(self, table: str, row: int) -> Doubles:
        found = self._summed.get((table, row))
        if found is not None:
            return found
        kept = self._sums.get(table)
        return np.ones_like(self.row(table, row)) if kept is None else kept[row].astype(np.float64)

    def name(self, table: str, row: int) -> str:
        """The word of a row, or the number of a tree node, where the root is V − 2."""
        if table == NODES:
            return tr("node {row}", row=row)
        return self._vocabulary.words[row]

    def put_changes(self, changes: Iterable[VectorChange]) -> None:
        """Apply the changes of a step to the vectors."""
        for change in changes:
            self._moved[change.table, change.row] = change.after
            if len(change.sums):
                self._summed[change.table, change.row] = change.sums_after

    def take_back(self, changes: Iterable[VectorChange]) -> None:
        """Restore the vectors from before a step."""
        for change in changes:
            self._moved[change.table, change.row] = change.before
            if len(change.sums):
                self._summed[change.table, change.row] = change.sums


def fresh_tables(words: Vocabulary, dim: int, seed: int, second: str) -> StepTables:
    """Tables at the start of training: inputs U(−½, ½)/d and the second table 0, or for ``second``
    "glove" both tables and biases U(−½, ½)/d.
    """
    random = np.random.default_rng(seed)

    def draw_table(columns: int) -> Singles:
        values = random.random((len(words), columns), dtype=np.float32) - np.float32(0.5)
        return np.asarray(values / np.float32(dim), dtype=np.float32)

    if second == "glove":
        sides = {
            INPUTS: draw_table(dim),
            BIASES: draw_table(1),
            CONTEXTS: draw_table(dim),
            CONTEXT_BIASES: draw_table(1),
        }
        return StepTables(words, sides, {})
    rows = len(words) - 1 if second == NODES else len(words)
    return StepTables(
        words, {INPUTS: draw_table(dim), second: np.zeros((rows, dim), np.float32)}, {}
    )


def tables_of(embeddings: Embeddings, words: Vocabulary, second: str) -> StepTables:
    """Tables at the end of a training. Raises UserError if the vectors lack a table, or belong to
    other words.
    """
    if list(embeddings.words) != list(words.words):
        raise UserError(
            tr("The active run and the open corpus have different vocabularies."),
            tr("Open the corpus of the run, or start from new vectors."),
        )
    inputs, contexts, state = embeddings.inputs, embeddings.contexts, embeddings.state
    if second == NODES:
        other: Singles | None = state.get(KEPT_NODES)
    else:
        other = contexts
    if not isinstance(inputs, np.ndarray) or other is None or other.shape[1] != inputs.shape[1]:
        raise UserError(
            tr("The active run was saved without its output vectors."),
            tr("Train the model here, or start from new vectors."),
        )
    if second != "glove":
        return StepTables(words, {INPUTS: inputs, second: other}, {})
    biases = embeddings.biases, embeddings.context_biases
    tables = {INPUTS: inputs, CONTEXTS: other}
    for name, bias in ((BIASES, biases[0]), (CONTEXT_BIASES, biases[1])):
        tables[name] = np.zeros((len(words), 1), np.float32) if bias is None else bias[:, None]
    sums = {}
    for name, kept, columns in (
        (INPUTS, "word_sums", slice(None)),
        (CONTEXTS, "context_sums", slice(None)),
        (BIASES, "word_bias", slice(1, 2)),
        (CONTEXT_BIASES, "context_bias", slice(1, 2)),
    ):
        if kept in state and len(state[kept]) == len(words):
            sums[name] = state[kept][:, columns]
    return StepTables(words, tables, sums)
