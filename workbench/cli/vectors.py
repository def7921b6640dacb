"""Vectors that commands read, and warnings about their files."""

from __future__ import annotations

import sys
from pathlib import Path

from workbench.core.job_control import JobControl
from workbench.corpus.ingest.read_warnings import NOTICED
from workbench.session.corpus.known_vectors import vectors_by_name
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors
from workbench.vectors.undecoded import file_warnings


def read_vectors(
    path: str | Path, run: JobControl | None = None, format: str = "", limit: int = 0
) -> Embeddings:
    """The vectors of a file, or known ones by their key. Warnings about the file go to stderr: at
    once, or with a ``run`` when its work is done.

    Raises UserError.
    """
    path = vectors_by_name(path) or path
    embeddings = load_vectors(path, format, limit)
    report_file_warnings(path, embeddings, run)
    return embeddings


def report_file_warnings(
    path: str | Path, embeddings: Embeddings, run: JobControl | None = None
) -> None:
    """Print warnings about the file at ``path`` that ``embeddings`` were read from."""
    sentences = tuple(f"{Path(path).name}: {sentence}" for sentence in file_warnings(embeddings))
    if run is not None:
        run.publish(NOTICED, (*(run.latest(NOTICED) or ()), *sentences))
        return
    for sentence in sentences:
        print(sentence, file=sys.stderr)
