"""The shown vector of a word from its two trained rows, and what a change of it asks of them.

Vectors may be W, W + C or [W; C], without the mean and top directions (see
:mod:`workbench.vectors.postprocessing`). Lengths of 1 are left out: only cosines are asked for.
"""

from __future__ import annotations

import numpy as np

from workbench.core.arrays import Doubles
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import choice_of, combine_vectors, remove_directions


class Assembly:
    """How the vectors of a model are made of W and C.

    uses_contexts : whether C is part of them
    """

    def __init__(self, embeddings: Embeddings) -> None:
        self._result = choice_of(embeddings).result
        self.uses_contexts = self._result != "w"
        self._removed = (
            None if embeddings.removed is None else embeddings.removed.astype(np.float64)
        )
        scale = embeddings.metadata.get("context_scale")
        self._scale: Doubles | float = 1.0
        if isinstance(scale, list):
            self._scale = np.asarray(scale, dtype=np.float64)

    def vector(self, word: Doubles, context: Doubles | None) -> Doubles:
        """float64[columns] from rows of W and C, float64[d] each."""
        scaled = None if context is None else (context * self._scale)[None]
        found = combine_vectors(word[None], scaled, self._result)
        if self._removed is not None:
            found = remove_directions(found, self._removed)
        return np.asarray(found[0])

    def pull(self, gradient: Doubles) -> tuple[Doubles, Doubles]:
        """Gradients by the rows of W and C from one by the vector."""
        if self._removed is not None:
            directions = self._removed[1:]
            gradient = gradient - (gradient @ directions.T) @ directions
        if self._result == "w":
            return gradient, np.zeros(len(gradient))
        if self._result == "w+c":
            return gradient, gradient * self._scale
        half = len(gradient) // 2
        return gradient[:half], gradient[half:] * self._scale
