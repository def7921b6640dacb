"""New runs from the vectors of finished ones, without training: W + C, unit rows and the like."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.core.params import Value
from workbench.models.base import MODELS
from workbench.session.runs.provenance import summarise
from workbench.session.runs.run_record import RunRecord, State, new_identifier, no_trace, now
from workbench.session.runs.store import Store
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import Postprocessing, apply_postprocessing


@dataclass(frozen=True)
class Derived:
    """A run made of another one's vectors; ``not_saved`` says why it is not in the store."""

    record: RunRecord
    not_saved: UserError | None


def name_of(parent: RunRecord, choice: Postprocessing) -> str:
    """Name such as "SGNS 3 · W + C · unit", after the trained run even if ``parent`` is itself
    derived.
    """
    return f"{_trained_name(parent)} · {choice.label}"


def make_and_keep(
    parent: RunRecord, choice: Postprocessing, name: str, colour: int, store: Store, run: JobControl
) -> Derived:
    """In a worker thread: load vectors if necessary, make the run, save it. ``parent`` stays
    unchanged.

    The provenance names the parent. Raises UserError if the choice is impossible, and Cancelled.
    """
    run.enter(Phase.TRAINING, tr("Computing the vectors"))
    if parent.embeddings is not None:
        embeddings = parent.embeddings
    else:
        embeddings = store.vectors(parent.identifier)
    found = apply_postprocessing(embeddings, choice, run)
    run.check()
    return keep_derived(parent, found, name, colour, _parameters(parent, choice), store, run)


def keep_derived(
    parent: RunRecord,
    found: Embeddings,
    name: str,
    colour: int,
    parameters: Mapping[str, Value],
    store: Store,
    run: JobControl,
) -> Derived:
    """In a worker thread: make a run of vectors that were made from those of ``parent``, and save
    it. Its provenance names the parent.
    """
    origin = {
        "identifier": parent.identifier,
        "name": parent.name,
        "trained": _trained_name(parent),
    }
    embeddings = dataclasses.replace(
        found, metadata={**found.metadata, "parent": origin, "created": now()}
    )
    record = RunRecord(
        identifier=new_identifier(),
        name=name,
        algorithm=parent.algorithm,
        parameters=parameters,
        corpus_name=parent.corpus_name,
        corpus_digest=parent.corpus_digest,
        created=now(),
        colour=colour,
        state=State.DONE,
        saved_trace=no_trace(),
        embeddings=embeddings,
        summary=summarise(embeddings),
        stored=True,
    )
    run.enter(Phase.SAVING, tr("Saving the run"))
    try:
        store.save(record, embeddings)
    except UserError as error:
        record.stored = False
        return Derived(record, error)
    return Derived(record, None)


def _trained_name(record: RunRecord) -> str:
    """The name that the trained run had when vectors were first made from it."""
    origin = record.summary.get("parent")
    trained = origin.get("trained") if isinstance(origin, Mapping) else None
    if isinstance(trained, str):
        return trained
    return record.name


def _parameters(parent: RunRecord, choice: Postprocessing) -> dict[str, Value]:
    """The parent's parameters, with the choice if its algorithm has one: a training with them would
    give these vectors.
    """
    known: set[str] = set()
    if parent.algorithm in MODELS:
        known = {spec.name for spec in MODELS[parent.algorithm].params_type.specs()}
    return {
        **parent.parameters,
        **{name: value for name, value in choice.to_dict().items() if name in known},
    }
