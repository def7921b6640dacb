"""Vectors in memory that are also in the store: the least recently viewed ones are released."""

from __future__ import annotations

from collections.abc import Sequence

import scipy.sparse as sp

from workbench.session.runs.history import size_of
from workbench.session.runs.run_record import RunRecord
from workbench.vectors.embeddings import Embeddings

# Maximum bytes of vectors in memory that are also in the store and aren’t in use.
BUDGET = 512_000_000


class Room:
    """Tracks which runs were shown last. Belongs to the session's thread."""

    def __init__(self) -> None:
        self._looked: dict[str, None] = {}

    def looked_at(self, record: RunRecord) -> None:
        self._looked.pop(record.identifier, None)
        self._looked[record.identifier] = None

    def give(
        self, records: Sequence[RunRecord], shown: RunRecord | None, most: int = BUDGET
    ) -> None:
        """Release vectors until the rest fits into ``most`` bytes, but no vectors that are shown or
        not stored.
        """
        known = {record.identifier for record in records}
        self._looked = {identifier: None for identifier in self._looked if identifier in known}
        order = {identifier: at for at, identifier in enumerate(self._looked)}
        held = [
            record
            for record in records
            if record.stored and record is not shown and record.embeddings is not None
        ]
        held.sort(key=lambda record: order.get(record.identifier, -1), reverse=True)
        for record in held:
            assert record.embeddings is not None
            most -= bytes_of(record.embeddings)
            if most < 0:
                # Code that needs the vectors reads them again; jobs have references of their own.
                record.embeddings = None


def bytes_of(embeddings: Embeddings) -> int:
    """Memory of vectors, sparse ones too, without derived data."""
    tables = (embeddings.vectors, embeddings.contexts, embeddings.raw)
    sparse = sum(
        t.data.nbytes + t.indices.nbytes + t.indptr.nbytes for t in tables if sp.issparse(t)
    )
    return size_of(embeddings) + sparse
