"""Folding in for LSA: each line is a new document, and a word's vector the sum of its documents.

With M = V_D Σ Uᵀ (documents × words) and word vectors U Σ, a new document x (its weighted words) is
at x U Σ⁻¹ (D90; Berry, Dumais & O'Brien 1995, eq. 7), and the vector of a word with the weights t_d
in documents at v_d is Σ_d t_d v_d, as for the words of the training.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from workbench.analysis.rows.still_model import StillModel
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.models.count.lsa import document_counts, document_edges, word_weights

Document = Mapping[int, int]


class DocumentFolding:
    """Global weights of the words of an LSA model, and its word vectors."""

    def __init__(self, still: StillModel, run: JobControl | None = None) -> None:
        """Raises UserError without the corpus, unless frequencies weren't weighted, and
        Cancelled.
        """
        self._still = still
        self._weighting = str(still.values["weighting"])
        self._documents = int(still.embeddings.metadata["documents"])
        self._singular = np.asarray(still.embeddings.metadata["singular_values"], dtype=np.float64)
        self._weights = np.ones(len(still.embeddings))
        if self._weighting != "raw":
            self._weights = self._global_weights(run or JobControl())

    def _global_weights(self, run: JobControl) -> Doubles:
        still = self._still
        if still.corpus is None:
            raise UserError(
                tr("LSA’s weights of words are computed from its documents."),
                tr("Open the corpus that the model was trained on."),
            )
        edges = document_edges(
            still.corpus, str(still.values["documents"]), int(still.values["document_length"])
        )
        matrix = document_counts(still.corpus, len(still.embeddings), edges, run)
        return word_weights(matrix, self._weighting, run)

    def _weight(self, counts: Doubles) -> float:
        """Global weight of a word from its counts by document."""
        if not len(counts) or self._weighting == "raw":
            return float(self._weighting == "raw")
        if self._weighting == "tf-idf":
            return float(np.log(self._documents / len(counts)))
        share = counts / counts.sum()
        return max(0.0, 1 + float(share @ np.log(share)) / float(np.log(self._documents)))

    def vector(self, documents: Sequence[Document], occurrences: Sequence[int]) -> Doubles:
        """float64[d], the word's row from new documents alone.

        documents : how often each known word (by its row) occurs in each line; occurrences : of the
        word itself
        """
        own = np.asarray(occurrences, dtype=np.float64)
        weight = self._weight(own)
        found = np.zeros(len(self._singular))
        for document, number in zip(documents, own.tolist(), strict=True):
            rows = np.fromiter(document, dtype=np.int64)
            cells = self._local(np.array([document[row] for row in rows.tolist()], dtype=float))
            place = (cells * self._weights[rows]) @ self._still.words[rows] / self._singular**2
            found += weight * float(self._local(np.array([number]))[0]) * place
        return found

    def _local(self, counts: Doubles) -> Doubles:
        return np.log1p(counts) if self._weighting == "log-entropy" else counts
