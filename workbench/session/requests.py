"""One training asked for, and what its worker thread makes of it."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.core.errors import UserError
from workbench.core.run import Phase, Run
from workbench.core.threads import step_back
from workbench.corpus.corpus import Corpus
from workbench.models.base import ModelParams
from workbench.session.records import RunRecord, State
from workbench.session.store import Store
from workbench.session.training import train_run
from workbench.session.warming import Compilation
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class Request:
    """A training asked for: everything it needs, whatever happens to the session meanwhile.

    ``show``: it is looked at when it is done.
    """

    record: RunRecord
    corpus: Corpus
    params: ModelParams
    show: bool = True


@dataclass(frozen=True)
class Trained:
    """What came of it. ``name`` is the one it was saved under; ``not_saved`` says why it was not."""

    embeddings: Embeddings
    state: State
    summary: Mapping[str, Any]
    name: str
    not_saved: UserError | None


def train_and_keep(request: Request, store: Store, run: Run) -> Trained:
    """In a worker thread: compile if need be, train, save. Raises UserError and Cancelled.

    A run that cannot be saved is handed over all the same.
    """
    step_back()
    record = request.record
    with Compilation(record.algorithm) as compilation:
        compilation.wait(run)
    embeddings = train_run(request.corpus, record.algorithm, request.params, run)
    state = State.STOPPED if embeddings.metadata["stopped"] else State.DONE
    # The record itself belongs to the session's thread.
    finished = dataclasses.replace(record, state=state, summary=summarise(embeddings), saved_trace=run.trace)
    run.enter(Phase.SAVING, "Saving the run.")
    not_saved = None
    try:
        store.save(finished, embeddings)
    except UserError as error:
        not_saved = error
    return Trained(embeddings, state, finished.summary, finished.name, not_saved)


def summarise(embeddings: Embeddings) -> dict[str, Any]:
    """The provenance of vectors with their number (``vocabulary``) and length (``dim``)."""
    return {**embeddings.metadata, "vocabulary": len(embeddings), "dim": embeddings.dim}
