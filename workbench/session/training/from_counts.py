"""Training from counts in a folder in one call, without the text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from workbench.core.job_control import JobControl
from workbench.counts.pair_files import open_counts_or_pairs
from workbench.models.base import MODELS
from workbench.session.corpus.counts_params import params_for
from workbench.session.training.train_api import train_run
from workbench.vectors.embeddings import Embeddings


def train_from_counts(
    folder: str | Path, algorithm: str, run: JobControl | None = None, **params: Any
) -> Embeddings:
    """Train word vectors from sharded counts in one call, for scripts.

    folder : as ``workbench.counts.shards`` writes it; it may be larger than memory. Or a file of
    pairs (``workbench.counts.pair_files``)
    params : hyperparameters of the algorithm; the counts fix the settings for counting

    Raises UserError for anything that the caller can fix.

        >>> vectors = train_from_counts("counts", "glove", dim=100)
    """
    corpus, kind = open_counts_or_pairs(folder, run), MODELS[algorithm]
    return train_run(corpus, algorithm, params_for(corpus, kind, params), run or JobControl())
