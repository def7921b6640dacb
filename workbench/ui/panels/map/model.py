"""Model shown on the map: the active run, or a training run from its first snapshot on."""

from __future__ import annotations

import math
import time

from workbench.core.job_control import Phase
from workbench.session.runs.run_record import RunRecord
from workbench.session.session import Session
from workbench.vectors.embeddings import Embeddings

_SNAPSHOT_S = 1.0


class SeenModel:
    """Model shown on the map: the watched training until it ends, or else the active run."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._followed: RunRecord | None = None
        self._snapshot: Embeddings | None = None
        self._last_snapshot_time = -math.inf

    @property
    def is_live(self) -> bool:
        """Whether the model is still training."""
        return self._followed is not None

    @property
    def record(self) -> RunRecord | None:
        return self._followed or self._session.active.run

    @property
    def embeddings(self) -> Embeddings | None:
        """The vectors that are shown, or about to be; None before the first snapshot and during
        loading.
        """
        if self.is_live:
            return self._snapshot
        return self._session.active.embeddings

    def runs_changed(self) -> bool:
        """Follow a watched training, or leave it; returns whether anything changed."""
        watched = self._session.training.watched.run
        if watched is self._followed:
            return False
        self._followed, self._snapshot = watched, None
        return True

    def poll_snapshot(self, ready: bool) -> bool:
        """Take a new snapshot if the view is ``ready``, and request the next one from time to time;
        returns whether one has arrived.
        """
        run = None if self._followed is None else self._followed.run
        if run is None or run.progress.phase is not Phase.TRAINING:
            return False
        snapshot, came = run.latest("embeddings"), False
        if ready and isinstance(snapshot, Embeddings) and snapshot is not self._snapshot:
            self._snapshot, came = snapshot, True
        now = time.monotonic()
        if now - self._last_snapshot_time >= _SNAPSHOT_S:
            self._last_snapshot_time = now
            run.request_snapshot()
        return came
