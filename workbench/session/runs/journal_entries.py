"""Entries of the recovery journal: interrupted trainings and trainings that waited in a queue.

An interrupted training is saved as its last good state, as vectors in ``.npz``. The provenance is
that of a run stopped there, with one more entry (``describe``). A queue is a list in JSON.
"""

from __future__ import annotations

import dataclasses
import json
import math
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.errors import UserError
from workbench.core.job_control import Trace
from workbench.core.json_text import json_text, of_json
from workbench.core.language import tr
from workbench.core.text.text_files import texts_of
from workbench.models.base import MODELS
from workbench.models.postprocess import finish_embeddings
from workbench.session.runs.provenance import ancestry
from workbench.session.runs.run_record import RunRecord, State, read_trace
from workbench.vectors.embeddings import Embeddings

_TOLD = "interrupted"
_MOST_METADATA = 64 << 20
_QUEUE_FORMAT = 1


@dataclass(frozen=True)
class JournalEntry:
    """A training that was not completed.

    source : how its corpus is opened again, as in the settings (``opening.parse_remembered``)
    group : the grid that it belongs to, or ""
    """

    identifier: str
    name: str
    algorithm: str
    group: str
    corpus_name: str
    corpus_digest: str
    parameters: Mapping[str, Any]
    source: Mapping[str, Any]


@dataclass(frozen=True)
class InterruptedTraining(JournalEntry):
    """A training whose process ended first, with its last saved state.

    progress : share of the training that the saved state has completed, 0..1
    output : the file that the command line should have written, or ""
    """

    progress: float
    colour: int
    created: str
    output: str = ""

    @property
    def remaining_passes(self) -> int:
        """Remaining epochs, at least one: an interrupted epoch is completed."""
        passes = float(self.parameters.get(MODELS[self.algorithm].passes, 1))
        # Rounding errors must not add an epoch.
        return max(math.ceil(passes * (1.0 - self.progress) - 1e-6), 1)


@dataclass(frozen=True)
class QueuedTraining(JournalEntry):
    """A training that had not started; its parameters are checked when it is trained.

    parent, origin : the identifier of the run to continue, "" for none, and its provenance
    show : the run becomes active when it is finished
    """

    parent: str
    origin: Mapping[str, Any] | None
    show: bool


@dataclass(frozen=True)
class AbandonedQueue:
    """Trainings on one corpus from the queue that one process left, in order."""

    path: Path
    entries: tuple[QueuedTraining, ...]

    @property
    def corpus_name(self) -> str:
        return self.entries[0].corpus_name

    @property
    def corpus_digest(self) -> str:
        return self.entries[0].corpus_digest


# -- interrupted trainings


def describe(
    record: RunRecord, progress: float, trace: Trace, more: Mapping[str, Any]
) -> dict[str, Any]:
    """The entry in the provenance of a state from which offers and runs are read. ``more``:
    ``source`` and ``output``.
    """
    behind = trace.progress <= progress
    columns = {
        name: getattr(trace, name)[behind].tolist()
        for name in ("progress", "loss", "seconds", "error")
    }
    return {
        "stopped": True,
        _TOLD: {
            "name": record.name,
            "colour": record.colour,
            "group": record.group,
            "progress": progress,
            "source": dict(more.get("source") or {}),
            "output": str(more.get("output") or ""),
            "trace": columns,
        },
    }


def read_interrupted(path: Path) -> InterruptedTraining:
    """The interrupted training in a file, without its vectors. Raises the errors of damaged files,
    or ValueError saying what is wrong.
    """
    known = _read_metadata(path)
    details, corpus, parameters = (_table(known, name) for name in (_TOLD, "corpus", "parameters"))
    algorithm = known.get("algorithm")
    if not isinstance(algorithm, str) or algorithm not in MODELS:
        raise ValueError(tr("its algorithm “{algorithm}” is unknown", algorithm=algorithm))
    progress, colour = details.get("progress"), details.get("colour", 0)
    if isinstance(progress, bool) or not isinstance(progress, (int, float)):
        raise ValueError(tr("its progress is missing"))
    if not 0 <= progress <= 1:
        raise ValueError(tr("its progress is missing"))
    if not isinstance(colour, int) or not isinstance(details.get("source"), dict):
        raise ValueError(tr("its corpus is missing"))
    kind = MODELS[algorithm]
    try:
        kind.params_type.from_mapping(parameters)
    except UserError as error:
        raise ValueError(tr("its parameters are wrong: {message}", message=error.message)) from None
    read_trace(details.get("trace"))
    ancestry(known)
    return InterruptedTraining(
        identifier=path.stem,
        name=str(details.get("name", "")) or kind.short,
        algorithm=algorithm,
        group=str(details.get("group", "")),
        corpus_name=str(corpus.get("name", "")),
        corpus_digest=str(corpus.get("digest", "")),
        parameters=parameters,
        source=details["source"],
        progress=float(progress),
        colour=max(0, colour),
        created=str(known.get("created", "")),
        output=str(details.get("output", "")),
    )


def read_stopped_run(path: Path, entry: InterruptedTraining) -> tuple[RunRecord, Embeddings]:
    """A training as a run that was stopped where its state was saved, and its vectors. Raises the
    errors of damaged files, and UserError.
    """
    from workbench.vectors.formats import load_vectors

    kept = load_vectors(path, "npz")
    known = {key: value for key, value in kept.metadata.items() if key != _TOLD}
    trace = read_trace(kept.metadata[_TOLD]["trace"])
    embeddings = finish_embeddings(
        kept, MODELS[entry.algorithm].params_type.from_mapping(entry.parameters)
    )
    embeddings = dataclasses.replace(embeddings, metadata={**embeddings.metadata, **known})
    record = RunRecord(
        identifier=entry.identifier,
        name=entry.name,
        algorithm=entry.algorithm,
        parameters=entry.parameters,
        corpus_name=entry.corpus_name,
        corpus_digest=entry.corpus_digest,
        created=entry.created,
        colour=entry.colour,
        state=State.STOPPED,
        saved_trace=trace,
        group=entry.group,
        summary={**embeddings.metadata, "vocabulary": len(embeddings), "dim": embeddings.dim},
    )
    return record, embeddings


def _read_metadata(path: Path) -> dict[str, Any]:
    """The provenance alone, without the vectors. Raises the errors of damaged files."""
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("metadata.npy")
        if info.file_size > _MOST_METADATA:
            raise ValueError(tr("its description is too long"))
        with archive.open(info) as file:
            text = texts_of(np.lib.format.read_array(file, allow_pickle=False))[0]
    try:
        known = json.loads(text)
    except RecursionError:
        raise ValueError(tr("its description is nested too deeply")) from None
    if not isinstance(known, dict):
        raise ValueError(tr("its description is incomplete"))
    return known


def _table(known: Mapping[str, Any], name: str) -> dict[str, Any]:
    table = known.get(name)
    if not isinstance(table, dict):
        raise ValueError(tr("its description is incomplete"))
    return table


# -- queues


def read_queue(path: Path) -> list[QueuedTraining]:
    """Read a queue. Raises OSError, RecursionError, and ValueError if something is missing or of
    another type.
    """
    values = of_json(path.read_text(encoding="utf-8"))
    if (
        not isinstance(values, dict)
        or values.get("format") != _QUEUE_FORMAT
        or not isinstance(values.get("waiting"), list)
    ):
        raise ValueError(tr("it isn’t a training queue"))
    return [_queued_training(each) for each in values["waiting"]]


def queue_text(entries: Sequence[QueuedTraining]) -> str:
    """The content of a queue's file."""
    waiting = [vars(entry) for entry in entries]
    return json_text({"format": _QUEUE_FORMAT, "waiting": waiting}, indent=1)


def _queued_training(values: object) -> QueuedTraining:
    if not isinstance(values, dict):
        raise ValueError(tr("a training isn’t a JSON object"))
    fields = dataclasses.fields(QueuedTraining)
    known: dict[str, Any] = {field.name: values.get(field.name) for field in fields}
    for name, value in known.items():
        if name in ("parameters", "source"):
            sound = isinstance(value, dict)
        else:
            sound = isinstance(value, str) or name in ("origin", "show")
        if not sound:
            raise ValueError(tr("a field of a training is missing"))
    if not isinstance(known["origin"], dict):
        known["origin"] = None
    return QueuedTraining(**{**known, "show": known["show"] is True})
