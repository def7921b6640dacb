"""Scores of a model for pairs, in the form of its target: products, with biases, or
log-probabilities.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from workbench.analysis.neighbours.ranking import dense_rows
from workbench.analysis.theory.pair_counts import PairCounts
from workbench.analysis.theory.softmax_tree import softmax_tree
from workbench.core.arrays import Doubles
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.counts.huffman import log_probabilities
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.own_contexts import no_product_of_words


class PairScores:
    """Scores of the words of ``pairs`` against each other, in float64.

    kind : "product" w·c; "biased" w·c + b_w + b_c, or w·c without biases; "softmax"
    w·c − log Σ_c' exp(w·c') over all words of the model; "tree" log Q(c|w) of its Huffman tree

    Raises UserError if the vectors lack contexts or nodes that this kind needs.
    """

    def __init__(self, embeddings: Embeddings, pairs: PairCounts, kind: str) -> None:
        self._embeddings = embeddings
        self._kind = kind
        self.rows = np.array([embeddings.index[word] for word in pairs.words], dtype=np.int64)
        self._tree, self._nodes = None, np.empty((0, 0), dtype=np.float32)
        self._contexts: Doubles = np.empty((0, 0))
        if kind == "tree":
            self._tree, self._nodes = softmax_tree(embeddings)
            return
        missing = no_product_of_words(embeddings)
        if missing is not None:
            raise missing
        if embeddings.contexts is None:
            raise UserError(
                tr("These vectors have no context vectors."),
                tr("Train sgns, glove or svd here, or open an .npz file that contains “contexts”."),
            )
        self._all = (
            embeddings.contexts.astype(np.float64) if kind == "softmax" else np.empty((0, 0))
        )
        self._contexts = embeddings.contexts[self.rows].astype(np.float64)

    def inputs(self, places: npt.NDArray[np.int64]) -> Doubles:
        """Word vectors of the words at ``places``: float64[b, d]."""
        return np.asarray(dense_rows(self._embeddings.inputs, self.rows[places]), dtype=np.float64)

    @property
    def contexts(self) -> Doubles:
        """Context vectors of the words: float64[n, d]; without rows for a tree."""
        return self._contexts

    def block(self, places: npt.NDArray[np.int64]) -> Doubles:
        """float64[b, n]: the words at ``places`` against all n."""
        words = self.inputs(places)
        if self._tree is not None:
            nodes = self._nodes.astype(np.float64)
            return np.array(
                [log_probabilities(self._tree, nodes @ word)[self.rows] for word in words]
            )
        found = words @ self._contexts.T
        model = self._embeddings
        if self._kind == "biased" and model.biases is not None and model.context_biases is not None:
            found += model.biases[self.rows[places], None].astype(np.float64)
            found += model.context_biases[self.rows].astype(np.float64)
        elif self._kind == "softmax":
            every = words @ self._all.T
            largest = every.max(axis=1, keepdims=True)
            found -= largest + np.log(np.exp(every - largest).sum(axis=1, keepdims=True))
        return np.asarray(found)
