"""Export sources from files and from runs in the store."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.analysis.evaluation.leaderboard import Score
from workbench.session.export.export_source import ExportSource
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.store import Store
from workbench.session.runs.vector_loader import loader


def of_file(path: Path, words: tuple[str, ...] = ()) -> ExportSource:
    """A file of vectors. Raises UserError."""
    from workbench.vectors.formats import load_vectors

    embeddings = load_vectors(path)
    return ExportSource(
        path.stem, embeddings, words=words, parent_file=_parent_file(embeddings.metadata, None)
    )


def of_run(
    record: RunRecord,
    store: Store,
    scores: tuple[tuple[str, Score], ...] = (),
    words: tuple[str, ...] = (),
) -> ExportSource:
    """A finished run; loads its vectors if they aren't in memory. Raises UserError."""
    embeddings = loader(store, record)()
    return ExportSource(
        record.name,
        embeddings,
        record.trace,
        scores,
        words,
        _parent_file(embeddings.metadata, store),
    )


def _parent_file(known: Mapping[str, Any], store: Store | None) -> str:
    """File of the vectors that these continue, or "" if it isn’t found."""
    origin = known.get("continued")
    if not isinstance(origin, Mapping):
        return ""
    named = origin.get("file")
    if isinstance(named, str) and named and Path(named).is_file():
        return named
    identifier = origin.get("identifier")
    if store is not None and isinstance(identifier, str) and identifier:
        path = store.vectors_path(identifier)
        if path.is_file():
            return str(path)
        return ""
    return ""
