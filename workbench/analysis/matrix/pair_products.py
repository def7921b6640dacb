"""A model's value for each pair of words: w·c, or the closest equivalent without c."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from workbench.analysis.neighbours.ranking import dense_rows
from workbench.analysis.theory.softmax_tree import softmax_tree
from workbench.core.arrays import Doubles, Ints
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.counts.huffman import log_probabilities
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.own_contexts import no_product_of_words

PRODUCT = tr("w·c, dot product of word and context vector")
_SCORES = {
    "hs": tr("log Q(c|w) of the Huffman tree"),
    "rows": tr("value of the word’s row at the context’s column"),
    "words": tr("w·w′, dot product of two word vectors"),
}


def pair_products(embeddings: Embeddings, rows: Ints, columns: Ints) -> tuple[Doubles, str]:
    """float64[r, c] of the words at these rows against those at these columns, and a label.

    w·c if the algorithm has context vectors. Without them: log Q(c|w) of hierarchical softmax,
    the entry of the matrix whose rows are the vectors (PPMI, HAL), and w·w′ of LSA.

    Raises UserError for other vectors without contexts.
    """
    missing = no_product_of_words(embeddings)
    if missing is not None:
        raise missing
    algorithm = str(embeddings.metadata.get("algorithm", ""))
    if embeddings.contexts is not None:
        words = _words(embeddings, rows)
        return np.asarray(words @ embeddings.contexts[columns].T.astype(np.float64)), PRODUCT
    if algorithm.endswith("-hs"):
        tree, nodes = softmax_tree(embeddings)
        wide = nodes.astype(np.float64)
        found = [log_probabilities(tree, wide @ word)[columns] for word in _words(embeddings, rows)]
        return np.array(found), _SCORES["hs"]
    if algorithm == "ppmi" and embeddings.dim == len(embeddings):
        return _words(embeddings, rows)[:, columns], _SCORES["rows"]
    if algorithm == "hal":
        return _hal_entries(embeddings, rows, columns), _SCORES["rows"]
    if algorithm == "lsa":
        return _words(embeddings, rows) @ _words(embeddings, columns).T, _SCORES["words"]
    raise UserError(
        tr("These vectors have no context vectors."),
        tr("Train sgns or svd here, or open an .npz file that contains “contexts”."),
    )


def shift_of(embeddings: Embeddings) -> float:
    """k of the algorithm’s PMI − log k; 1 without a shift."""
    parameters = embeddings.metadata.get("parameters")
    known: Mapping[str, Any] = parameters if isinstance(parameters, Mapping) else {}
    # Factorisations with a shift may also have negative samples, but those are sampled zeros.
    k = known.get("shift", known.get("negative", 1.0))
    if isinstance(k, (int, float)) and k > 0:
        return float(k)
    return 1.0


def _words(embeddings: Embeddings, rows: Ints) -> Doubles:
    return np.asarray(dense_rows(embeddings.inputs, rows.tolist()), dtype=np.float64)


def _hal_entries(embeddings: Embeddings, rows: Ints, columns: Ints) -> Doubles:
    """HAL's entries, both directions of a context summed; 0 for columns that were not selected."""
    words = _words(embeddings, rows)
    chosen = embeddings.metadata.get("columns")
    size = len(embeddings)
    if not isinstance(chosen, list):
        return np.asarray(words[:, columns] + words[:, size + columns])
    both = np.zeros((len(rows), size))
    for place, (word, _) in enumerate(chosen):
        both[:, embeddings.index[word]] += words[:, place]
    return np.asarray(both[:, columns])
