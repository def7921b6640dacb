"""Record of one training (or one opened file of vectors) in the list of runs."""

from __future__ import annotations

import math
import secrets
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError
from workbench.core.job_control import FinalLoss, JobControl, Trace
from workbench.core.language import tr
from workbench.core.params import Value
from workbench.session.runs.final_loss import known_loss
from workbench.session.runs.history import TrainingHistory
from workbench.vectors.embeddings import Embeddings

# Key in the summary of a restored run: the progress at which it was interrupted.
INTERRUPTED = "interrupted"


class State(StrEnum):
    WAITING = "waiting"
    TRAINING = "training"
    PAUSED = "paused"
    DONE = "done"
    STOPPED = "stopped"
    CANCELLED = "cancelled"
    FAILED = "failed"

    @property
    def over(self) -> bool:
        return self in (State.DONE, State.STOPPED, State.CANCELLED, State.FAILED)


def no_trace() -> Trace:
    return Trace(*(np.empty(0) for _ in range(4)))


def now() -> str:
    """The time in UTC, to the second, as ISO 8601."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def new_identifier() -> str:
    """An identifier, unique across processes and sortable by time:
    ``20261120-112527-031415-9f2c``.
    """
    return f"{datetime.now(UTC):%Y%m%d-%H%M%S-%f}-{secrets.token_hex(2)}"


def divergence(known: Mapping[str, Any]) -> UserError | None:
    """The divergence according to the provenance of a run, or None."""
    stored = known.get("diverged")
    if not isinstance(stored, Mapping):
        return None
    return UserError(str(stored.get("message", "")), str(stored.get("hint", "")))


def read_trace(values: object) -> Trace:
    """A trace from its four lists in JSON. Raises ValueError saying what is wrong."""
    if values is None:
        return no_trace()
    if not isinstance(values, dict):
        raise ValueError(tr("its loss isn’t a table"))
    columns = [_column(values.get(name)) for name in ("progress", "loss", "seconds", "error")]
    if len({len(column) for column in columns}) != 1:
        raise ValueError(tr("the columns of its loss differ in length"))
    return Trace(*columns)


def _column(values: object) -> npt.NDArray[np.float64]:
    if not isinstance(values, list) or not all(
        isinstance(v, (int, float)) and not isinstance(v, bool) and math.isfinite(v) for v in values
    ):
        raise ValueError(tr("its loss contains values that aren’t numbers"))
    return np.array(values, dtype=np.float64)


@dataclass(eq=False)
class RunRecord:
    """A run in the list. Changed only by the session, in its thread.

    identifier : unique, sortable by time of creation; the name of its folder in the store
    algorithm : key in MODELS, or "" for vectors opened from a file
    colour : index into the palette of runs, the same in every panel
    run : the live Run while it waits, trains or is saved; None for records read from the store
    stored : whether it is in the store
    discarded : it was deleted while it was training
    star, note : annotations by the user; group : the grid it belongs to, "" for none
    embeddings : the vectors once available; the store loads them when the run is first shown
    history : states of its training; those of runs read from the store are read when the run is
    first shown
    summary : the vectors' provenance (``training.provenance``) with ``vocabulary`` and ``dim``
    """

    identifier: str
    name: str
    algorithm: str
    parameters: Mapping[str, Value]
    corpus_name: str
    corpus_digest: str
    created: str
    colour: int = 0
    state: State = State.WAITING
    run: JobControl | None = None
    embeddings: Embeddings | None = None
    saved_trace: Trace = field(default_factory=no_trace)
    error: UserError | None = None
    summary: Mapping[str, Any] = field(default_factory=dict)
    stored: bool = False
    discarded: bool = False
    star: bool = False
    note: str = ""
    group: str = ""
    history: TrainingHistory = field(default_factory=TrainingHistory)

    @property
    def trace(self) -> Trace:
        """The loss so far, live or saved."""
        if self.run is not None and len(self.run.trace):
            return self.run.trace
        return self.saved_trace

    @property
    def marks(self) -> dict[str, Any]:
        """Fields that can be changed at any time, by the names in its ``run.json``."""
        return {"name": self.name, "star": self.star, "note": self.note}

    @property
    def has_vectors(self) -> bool:
        return self.state in (State.DONE, State.STOPPED)

    @property
    def final_loss(self) -> float | None:
        """The number in ``closing_loss``."""
        final = self.closing_loss
        if final is None:
            return None
        return final.value

    @property
    def closing_loss(self) -> FinalLoss | None:
        """The final loss of the training; of an active one, the current loss. None if there is
        no loss.
        """
        return known_loss(self.summary, self.run, self.trace)
