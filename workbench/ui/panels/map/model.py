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
    """Model shown on the map: follows a new training run until another model is chosen or the run
    ends.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._training: RunRecord | None = None
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
        """Follow a new training run or leave a finished one; returns whether anything changed."""
        training = self._session.training.current
        if training is self._training:
            return False
        self._training = self._followed = training
        self._snapshot = None
        return True

    def shown_changed(self) -> None:
        """Leave the training run when another model is chosen; return to it when its run is
        chosen.
        """
        shown = self._session.active.run
        if self._followed is not None and shown is not self._followed:
            self._followed, self._snapshot = None, None
        elif self._followed is None and shown is self._training:
            self._followed = self._training

    def poll_snapshot(self, ready: bool) -> bool:
        """Take a new snapshot if the view is ``ready``, and request the next one from time to time;
        returns whether one has arrived.
        """
        run = None
        if self._followed is not None:
            run = self._followed.run
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
