"""The work of a training in its thread."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.core import jit
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.machine.threads import step_back
from workbench.core.processes.child_task import avoids_compiler
from workbench.models.base import MODELS
from workbench.session.kernel_compiler import Compilation, kernels_of
from workbench.session.runs.provenance import summarise
from workbench.session.runs.run_record import State, divergence
from workbench.session.runs.store import Store
from workbench.session.training.autosave import Guard
from workbench.session.training.memory_check import shortage
from workbench.session.training.pacing import Paces
from workbench.session.training.request import TrainingRequest
from workbench.session.training.train_api import train_run
from workbench.vectors.embeddings import Embeddings


@dataclass(frozen=True)
class TrainingResult:
    """The result. ``marks`` are the marks it was saved with; ``not_saved`` says why it wasn't
    saved; ``problem`` why it ended early without being stopped.
    """

    embeddings: Embeddings
    state: State
    summary: Mapping[str, Any]
    marks: Mapping[str, Any]
    not_saved: UserError | None
    problem: UserError | None


def train_and_keep(request: TrainingRequest, store: Store, run: JobControl) -> TrainingResult:
    """In a worker thread: compile if necessary, train, save. Raises UserError and Cancelled.

    Its states are saved during the training, in case this process ends first. A run that cannot be
    saved is returned all the same.
    """
    step_back(training=True)
    record, spec, parent = request.record, request.spec, request.spec.parent
    start = None
    if parent is not None:
        run.enter(Phase.READING, tr("Loading {name}", name=parent.name))
        start = parent.embeddings or store.vectors(parent.identifier)
        run.check()
    if spec.anyway:
        lacking = None
    else:
        lacking = shortage(MODELS[record.algorithm], spec.params, request.corpus, recorded=True)
    if lacking is not None:
        raise lacking.error
    with Compilation(*kernels_of(record.algorithm, spec.params)) as compilation:
        compilation.wait(run)
    if avoids_compiler():
        # A second process for its counts would only load the compiler again.
        jit.load_numba()
    more = {"source": request.source, "origin": spec.origin}
    with Guard(
        store.journal, record, request.corpus, spec.params, run, more, to_the_end=True
    ) as guard:
        embeddings = train_run(
            request.corpus, record.algorithm, spec.params, run, start, spec.origin
        )
        del start
        record.history.finish(embeddings, run)
        state = State.STOPPED if embeddings.metadata["stopped"] else State.DONE
        # The record itself belongs to the session's thread.
        summary = summarise(embeddings) | (
            {"source": dict(request.source)} if request.source else {}
        )
        finished = dataclasses.replace(record, state=state, summary=summary, saved_trace=run.trace)
        run.enter(Phase.SAVING, tr("Saving the run"))
        not_saved = None
        try:
            store.save(finished, embeddings)
            guard.mark_saved()
            saving = run.seconds.get(Phase.SAVING.value, 0.0) + run.phase_seconds()
            Paces().learn_rest({**run.seconds, Phase.SAVING.value: saving})
        except UserError as error:
            not_saved = error
    return TrainingResult(
        embeddings,
        state,
        finished.summary,
        finished.marks,
        not_saved,
        divergence(embeddings.metadata),
    )
