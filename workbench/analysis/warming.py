"""Compiling the kernels of the analysis before somebody waits for them."""

from __future__ import annotations

import numpy as np

from workbench.analysis import analogy, neighbours, target_fit
from workbench.analysis.questions import Questions
from workbench.vectors.embeddings import Embeddings


def warm() -> None:
    """Compile the kernels, or load them from the cache, by running them on a few words."""
    words = ("a", "b", "c", "d")
    embeddings = Embeddings(words, np.eye(4, 3, dtype=np.float32))
    assert isinstance(embeddings.unit, np.ndarray)
    neighbours.all_nearest(embeddings.unit, 2, threads=1)
    questions = Questions("warm", (words,), (0,), ("warm",))
    for method in analogy.METHODS:
        analogy.evaluate(embeddings, questions, method)
    target_fit.warm()
