"""Source of the Theory panel's vectors: snapshots of the run in training, or the active run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QElapsedTimer

from workbench.analysis.theory.pair_counts import PairCountSettings
from workbench.analysis.theory.targets import TargetSettings
from workbench.core.job_control import Phase
from workbench.models.base import MODELS
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.vectors.embeddings import Embeddings

_SNAPSHOT_MS = 1000


@dataclass(frozen=True, eq=False)
class ModelSource:
    """Vectors, with their algorithm and parameters; ``live`` during training."""

    record: RunRecord
    embeddings: Embeddings
    algorithm: str
    parameters: Mapping[str, Any]
    live: bool

    @property
    def counting(self) -> PairCountSettings:
        return PairCountSettings.of(self.parameters)

    @property
    def setting(self) -> TargetSettings:
        return TargetSettings.of(self.parameters)


def subject_of(record: RunRecord, embeddings: Embeddings, live: bool = False) -> ModelSource:
    """The facts of a run; vectors from a file contain their own, if any."""
    algorithm, parameters = record.algorithm, record.parameters
    if not algorithm:
        kept, stored_algorithm = (
            embeddings.metadata.get("parameters"),
            embeddings.metadata.get("algorithm"),
        )
        parameters = kept if isinstance(kept, Mapping) else {}
        algorithm = ""
        if isinstance(stored_algorithm, str) and stored_algorithm in MODELS:
            algorithm = stored_algorithm
    return ModelSource(record, embeddings, algorithm, parameters, live)


class Following:
    """Requests snapshots of a training, at most one per second, and keeps the newest.

    ``poll`` returns whether the subject has changed.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._since_snapshot = QElapsedTimer()
        self.subject: ModelSource | None = None

    @property
    def training(self) -> RunRecord | None:
        """The run that is followed during its training."""
        record = self._session.training.watched.run
        if record is None or not (
            record.algorithm in MODELS and MODELS[record.algorithm].loss_label
        ):
            return None
        return record

    def poll(self, ready: bool = True) -> bool:
        """Check for a new subject. ``ready`` : the last one has been drawn, so the next may be
        requested.
        """
        subject = self._current(ready)
        before = self.subject
        same = subject is before or (
            subject is not None
            and before is not None
            and (subject.record, subject.live) == (before.record, before.live)
            and subject.embeddings is before.embeddings
        )
        if not same:
            self.subject = subject
        return not same

    def _current(self, ready: bool) -> ModelSource | None:
        record = self.training
        if (
            record is not None
            and record.run is not None
            and record.run.progress.phase is Phase.TRAINING
        ):
            if ready and (
                not self._since_snapshot.isValid() or self._since_snapshot.elapsed() >= _SNAPSHOT_MS
            ):
                self._since_snapshot.restart()
                record.run.request_snapshot()
            seen = record.run.latest("embeddings")
            if isinstance(seen, Embeddings) and ready:
                return subject_of(record, seen, live=True)
            if self.subject is not None and self.subject.record is record:
                return self.subject
        shown = self._session.active.run
        if shown is None or shown.embeddings is None:
            # A training that has just ended is shown a moment later: until then, its last snapshot
            # stays.
            last = self.subject
            kept = (
                last is not None
                and last.live
                and shown is None
                and last.record in self._session.runs
            )
            if kept:
                return last
            return None
        return subject_of(shown, shown.embeddings)
