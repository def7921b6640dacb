"""Embedding Workbench: train, compare and explore word embeddings.

    >>> from workbench import Corpus, train, load_vectors

Importing this package doesn't import Qt. See README.md.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.core.version import __version__ as __version__

if TYPE_CHECKING:
    from workbench.analysis.neighbours.nearest import nearest
    from workbench.corpus.corpus import Corpus
    from workbench.corpus.loader import open_corpus
    from workbench.counts.counts_corpus import open_counts
    from workbench.session.corpus.reading import read_corpus
    from workbench.session.training.train_api import train, train_on
    from workbench.vectors.formats import load_vectors, save_vectors

__all__ = [
    "Corpus",
    "load_vectors",
    "nearest",
    "open_corpus",
    "open_counts",
    "read_corpus",
    "save_vectors",
    "train",
    "train_on",
]

_HOMES = {
    "Corpus": "workbench.corpus.corpus",
    "open_corpus": "workbench.corpus.loader",
    "open_counts": "workbench.counts.counts_corpus",
    "read_corpus": "workbench.session.corpus.reading",
    "train": "workbench.session.training.train_api",
    "train_on": "workbench.session.training.train_api",
    "load_vectors": "workbench.vectors.formats",
    "nearest": "workbench.analysis.neighbours.nearest",
    "save_vectors": "workbench.vectors.formats",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(name)
    import importlib

    return getattr(importlib.import_module(_HOMES[name]), name)
