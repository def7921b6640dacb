"""What the provenance of vectors says about their run."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from workbench.vectors.embeddings import Embeddings


def summarise(embeddings: Embeddings) -> dict[str, Any]:
    """The provenance of vectors with their number (``vocabulary``) and dimension (``dim``)."""
    return {**embeddings.metadata, "vocabulary": len(embeddings), "dim": embeddings.dim}


def ancestry(known: Mapping[str, Any]) -> dict[str, float]:
    """The history before a run, from its provenance: number of earlier ``passes``, and the start of
    its loss on the axes, in ``epochs`` (whole trainings if the algorithm has no epochs) and
    ``seconds``. Empty for a run from the beginning.
    """
    origin = known.get("continued")
    if not isinstance(origin, Mapping):
        return {}
    return {name: amount(origin.get(name), 0.0) for name in ("passes", "epochs", "seconds")}


def amount(value: object, otherwise: float) -> float:
    """A stored number that is finite and not negative, else ``otherwise``."""
    if (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and math.isfinite(value)
        and value >= 0
    ):
        return float(value)
    return otherwise
