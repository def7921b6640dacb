"""Whether a model answers an analogy in both directions, so that its plane is worth seeing."""

from __future__ import annotations

from workbench.analysis.analogy.solver import solve
from workbench.vectors.embeddings import Embeddings


def is_mutual(embeddings: Embeddings, a: str, b: str, c: str, d: str) -> bool:
    """Whether a is the best answer to d − c + b, for d the answer to a − b + c: in a model that
    doesn't know the relation, d is a word near a that leads elsewhere. All words must be known.
    Raises UserError if d − c + b is zero.
    """
    return solve(embeddings, d, c, b, n=1)[0].word == a
