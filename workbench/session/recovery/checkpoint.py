"""Checkpoint file of an interrupted training: its metadata beside the vectors.

The file is the last good state as vectors in ``.npz``. Its provenance is that of a run stopped
there, with one more entry (``describe``) that tells what else it takes to offer it.
"""

from __future__ import annotations

import dataclasses
import json
import math
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.errors import UserError
from workbench.core.job_control import Trace
from workbench.core.language import tr
from workbench.core.text_files import texts_of
from workbench.models.base import MODELS
from workbench.session.runs.run_record import RunRecord, State, read_trace
from workbench.session.training.continuation import ancestry
from workbench.session.training.train_api import finish_embeddings
from workbench.vectors.embeddings import Embeddings

_TOLD = "interrupted"
_MOST_METADATA = 64 << 20


@dataclass(frozen=True)
class Interrupted:
    """A training that did not come to its end, as far as it is kept.

    progress : share of the training that the kept state has behind it, 0..1
    source : how its corpus is opened again, as the settings remember one (``opening.remembered``)
    group : of the grid it belongs to, or ""
    output : the file that the command line was to write, or ""
    """

    identifier: str
    name: str
    algorithm: str
    parameters: Mapping[str, Any]
    corpus_name: str
    corpus_digest: str
    source: Mapping[str, Any]
    progress: float
    colour: int
    created: str
    group: str = ""
    output: str = ""

    @property
    def remaining_passes(self) -> int:
        """Passes still to be made, one at least: what was broken off in the middle is made
        whole.
        """
        asked = float(self.parameters.get(MODELS[self.algorithm].passes, 1))
        # Not one more for the last bit of a float.
        return max(math.ceil(asked * (1.0 - self.progress) - 1e-6), 1)


def describe(
    record: RunRecord, progress: float, trace: Trace, more: Mapping[str, Any]
) -> dict[str, Any]:
    """For the provenance of a state: what offers and runs are read from. ``more``: ``source`` and
    ``output``.
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


def read_entry(path: Path) -> Interrupted:
    """What a file offers, without its vectors. Raises what damaged files raise, or ValueError
    saying what is wrong.
    """
    return _entry(path.stem, _metadata(path))


def read_state(path: Path) -> tuple[Embeddings, Trace]:
    """The vectors of the state and the losses on the way to it. Raises as ``read_entry``, or
    UserError.
    """
    from workbench.vectors.formats import load_vectors

    kept = load_vectors(path, "npz")
    return kept, read_trace(kept.metadata[_TOLD]["trace"])


def to_stopped_run(
    entry: Interrupted, kept: Embeddings, trace: Trace
) -> tuple[RunRecord, Embeddings]:
    """A training as a run that was stopped where the state was kept, and its vectors."""
    known = {key: value for key, value in kept.metadata.items() if key != _TOLD}
    made = finish_embeddings(
        kept, MODELS[entry.algorithm].params_type.from_mapping(entry.parameters)
    )
    made = dataclasses.replace(made, metadata={**made.metadata, **known})
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
        summary={**made.metadata, "vocabulary": len(made), "dim": made.dim},
    )
    return record, made


def _metadata(path: Path) -> dict[str, Any]:
    """The provenance alone, without the vectors. Raises what damaged files raise."""
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
        raise ValueError(tr("it does not say what it is"))
    return known


def _entry(identifier: str, known: Mapping[str, Any]) -> Interrupted:
    """Raises ValueError saying what is wrong."""
    told, corpus, algorithm = known.get(_TOLD), known.get("corpus"), known.get("algorithm")
    parameters = known.get("parameters")
    if (
        not isinstance(told, dict)
        or not isinstance(corpus, dict)
        or not isinstance(parameters, dict)
    ):
        raise ValueError(tr("it does not say what it is"))
    if not isinstance(algorithm, str) or algorithm not in MODELS:
        raise ValueError(tr("its algorithm “{algorithm}” is not known", algorithm=algorithm))
    progress, colour = told.get("progress"), told.get("colour", 0)
    if (
        not isinstance(progress, (int, float))
        or isinstance(progress, bool)
        or not 0 <= progress <= 1
    ):
        raise ValueError(tr("it does not say how far it was"))
    if not isinstance(colour, int) or not isinstance(told.get("source"), dict):
        raise ValueError(tr("it does not say what it is of"))
    kind = MODELS[algorithm]
    try:
        kind.params_type.from_mapping(parameters)
    except UserError as error:
        raise ValueError(tr("its parameters are wrong: {message}", message=error.message)) from None
    read_trace(told.get("trace"))
    ancestry(known)
    return Interrupted(
        identifier=identifier,
        name=str(told.get("name", "")) or kind.short,
        algorithm=algorithm,
        parameters=parameters,
        corpus_name=str(corpus.get("name", "")),
        corpus_digest=str(corpus.get("digest", "")),
        source=told["source"],
        progress=float(progress),
        colour=max(0, colour),
        created=str(known.get("created", "")),
        group=str(told.get("group", "")),
        output=str(told.get("output", "")),
    )
