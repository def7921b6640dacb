"""Vectors of a run for a job, from memory or from the store."""

from __future__ import annotations

from collections.abc import Callable

from workbench.core.errors import UserError
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.store import Store
from workbench.vectors.embeddings import Embeddings


def loader(store: Store, record: RunRecord) -> Callable[[], Embeddings]:
    """Function that a worker calls to get the vectors. Make it in the session's thread, which owns
    the record.

    The call raises UserError if the vectors are gone. Vectors read from the store are not kept.
    """
    here, identifier, name = record.embeddings, record.identifier, record.name

    def load() -> Embeddings:
        if here is not None:
            return here
        try:
            return store.vectors(identifier)
        except UserError as error:
            raise UserError(f"{name}: {error.message}", error.hint) from error

    return load


class LoadedVectors:
    """Vectors loaded for comparing, kept while they are needed. Belongs to the session's thread.

    A worker returns loaded vectors with its result; ``keep`` drops everything else.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._held: dict[str, Embeddings] = {}

    def loader(self, record: RunRecord) -> Callable[[], Embeddings]:
        """Like :func:`loader`, with cached vectors."""
        held = self.get(record)
        if held is not None:
            return lambda: held
        return loader(self._store, record)

    def get(self, record: RunRecord) -> Embeddings | None:
        """The vectors if they are in memory."""
        if record.embeddings is not None:
            return record.embeddings
        return self._held.get(record.identifier)

    def keep(self, vectors: dict[str, Embeddings]) -> None:
        """Keep these vectors, by the identifier of their run, and no others."""
        self._held = dict(vectors)
