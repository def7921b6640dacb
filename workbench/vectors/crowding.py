"""Detection of vectors that point in so few directions that their cosines mean little."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.param_labels import quoted_param
from workbench.vectors.embeddings import Embeddings

# Number of most frequent words, which users are interested in, and minimum number for a result.
_WORDS, _LEAST = 500, 50
# With fewer directions, every word is equally near to all others: vectors on a line have 1.
_CROWDED = 1.6


def effective_rank(embeddings: Embeddings) -> float:
    """1 over the mean squared cosine of pairs of frequent words: the effective number of
    directions.

    1 for vectors on one line, d for vectors spread evenly in all directions; NaN for fewer than two
    non-zero vectors.
    """
    table = embeddings.vectors[:_WORDS]
    rows = (table.toarray() if sp.issparse(table) else np.asarray(table)).astype(np.float64)
    lengths = np.linalg.norm(rows, axis=1)
    rows = rows[lengths > 0] / lengths[lengths > 0, None]
    number = len(rows)
    if number < 2:
        return float("nan")
    squares = np.square(rows.T @ rows if rows.shape[1] < number else rows @ rows.T).sum()
    return float(number * (number - 1) / max(squares - number, 1e-12))


def crowding_warning(embeddings: Embeddings) -> UserError | None:
    """Warning about vectors whose neighbours mean little, with advice; None if there is no problem.
    Takes milliseconds.
    """
    if len(embeddings) < _LEAST or embeddings.dim < 3:
        return None
    rank = effective_rank(embeddings)
    if not rank < _CROWDED:
        return None
    return UserError(
        tr(
            "Nearly all vectors point the same way, so neighbours mean little: the cosine of two "
            "frequent words is typically {cosine:.2f}.",
            cosine=rank**-0.5,
        ),
        tr(
            "Train for more epochs or with a higher {rate}, or set {top} to 1.",
            rate=quoted_param("learning_rate"),
            top=quoted_param("all_but_the_top"),
        ),
    )
