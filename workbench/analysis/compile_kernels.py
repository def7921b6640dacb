"""Compilation of the analysis kernels ahead of their use."""

from __future__ import annotations

import numpy as np

from workbench.analysis.analogy import solver
from workbench.analysis.analogy.questions import Questions
from workbench.analysis.neighbours import nearest
from workbench.analysis.theory import target_fit
from workbench.vectors.embeddings import Embeddings


def warm() -> None:
    """Compile the kernels, or load them from the cache, by running them on a few words."""
    words = ("a", "b", "c", "d")
    embeddings = Embeddings(words, np.eye(4, 3, dtype=np.float32))
    assert isinstance(embeddings.unit, np.ndarray)
    nearest.all_nearest(embeddings.unit, 2, threads=1)
    questions = Questions("warm", (words,), (0,), ("warm",))
    for method in solver.METHODS:
        solver.evaluate(embeddings, questions, method)
    target_fit.warm()
