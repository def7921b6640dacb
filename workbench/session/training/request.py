"""Specification of one training, and the request that the queue and the thread get."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.corpus.corpus import Corpus
from workbench.counts.counts_corpus import CountedCorpus
from workbench.models.params import ModelParams
from workbench.session.runs.journal_entries import QueuedTraining
from workbench.session.runs.run_record import RunRecord


@dataclass(frozen=True)
class TrainingSpec:
    """Specification of one training: its hyperparameters and how to treat its run.

    algorithm : key in MODELS
    params : as ``counts_params.params_for`` makes them for a training from counts
    name : name of the run, "" for an unused one
    show : the run becomes the active one when it is finished
    anyway : the training starts even if memory seems to be insufficient
    group : the grid that the run belongs to, "" for none
    counts : counts to train from, None for the open corpus
    parent, origin : the run to continue, and what the provenance records of it; None for a training
    from the beginning
    """

    algorithm: str
    params: ModelParams
    name: str = ""
    show: bool = True
    anyway: bool = False
    group: str = ""
    counts: CountedCorpus | None = None
    parent: RunRecord | None = None
    origin: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class TrainingRequest:
    """A training with its run and its corpus: everything it needs, even if the session changes
    meanwhile.

    source : how its corpus is opened again
    """

    record: RunRecord
    corpus: Corpus
    spec: TrainingSpec
    source: Mapping[str, Any] = field(default_factory=dict)


def queue_entry(request: TrainingRequest) -> QueuedTraining:
    """The entry of the journal about a training that waits."""
    record, spec = request.record, request.spec
    return QueuedTraining(
        identifier=record.identifier,
        name=record.name,
        algorithm=record.algorithm,
        group=record.group,
        corpus_name=record.corpus_name,
        corpus_digest=record.corpus_digest,
        parameters=dict(record.parameters),
        source=dict(request.source),
        parent=spec.parent.identifier if spec.parent is not None else "",
        origin=dict(spec.origin) if spec.origin is not None else None,
        show=spec.show,
    )
