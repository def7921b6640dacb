"""Compilation of the analysis kernels ahead of their use."""

from __future__ import annotations

import numpy as np

from workbench.analysis.analogy import solver
from workbench.analysis.analogy.questions import Questions
from workbench.analysis.neighbours import nearest
from workbench.analysis.projection import umap_layout
from workbench.analysis.theory import target_fit
from workbench.vectors.embeddings import Embeddings


def warm() -> None:
    """Compile the kernels, or load them from the cache, by running them on a few words."""
    words = ("a", "b", "c", "d")
    # Questions about words without a vector aren't asked.
    embeddings = Embeddings(words, np.eye(4, dtype=np.float32))
    questions = Questions("warm", (words,), (0,), ("warm",))
    for method in solver.METHODS:
        solver.evaluate(embeddings, questions, method)
    target_fit.warm()
    umap_layout.warm(3)


def warm_map() -> None:
    """Compile the kernels of a map in the plane, or load them from the cache."""
    nearest.all_nearest(np.eye(4, 3, dtype=np.float32), 2, threads=1)
    umap_layout.warm(2)
