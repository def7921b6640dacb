"""Automatic saving of the last good state of an active training."""

from __future__ import annotations

import dataclasses
import math
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from workbench.core.errors import Cancelled, UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.locks import Lock
from workbench.core.machine.threads import step_back
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.models.checkpointing import PASSES, Checkpoint
from workbench.models.params import ModelParams
from workbench.session.runs.history import size_of
from workbench.session.runs.journal import Journal, lock_path
from workbench.session.runs.journal_entries import describe
from workbench.session.runs.run_record import RunRecord, now
from workbench.session.training.train_api import provenance
from workbench.vectors.embeddings import Embeddings

# Seconds of a training before its first state is saved, and maximum seconds between two states if
# the trainer has a new one.
FIRST, BETWEEN = 20.0, 40.0
# A state is also saved after every further share of this size.
STEP = 0.1
# Share of the time that writing may take.
SHARE = 0.03
LOOK = 1.0
# Maximum bytes of a state that is still written at the end of a session: a second or two on a
# common disk.
AT_END = 1 << 30


class Guard:
    """Keeps the last good state of a training on disk, from a thread of its own: ``with guard: ...;
    guard.mark_saved()``.

    Nothing is written in the first seconds. A training whose result is saved elsewhere, or that
    was discarded, leaves nothing; any other leaves the state written last. With ``to_the_end``, a
    training that is cancelled because the window closes leaves its very last state, however early.
    A failed write is tried again at the next state.

    journal : the guard is in its ``guards`` while it watches
    more : ``source``, ``origin`` and ``output``
    """

    def __init__(
        self,
        journal: Journal,
        record: RunRecord,
        corpus: Corpus,
        params: ModelParams,
        run: JobControl,
        more: Mapping[str, Any],
        to_the_end: bool = False,
    ) -> None:
        self._path = journal.path(record.identifier)
        self._guards = journal.guards
        self._record = record
        self._corpus = corpus
        self._params = params
        self._run = run
        self._more = more
        self._to_the_end = to_the_end
        self._created = now()
        self._over = threading.Event()
        self._writing = threading.RLock()
        self._thread = threading.Thread(target=self._watch, name=f"keeping: {record.name}")
        self._lock: Lock | None = None
        self._done = False
        # The last state that was written, or failed to be.
        self._seen: Checkpoint | None = None
        self.written = 0

    def __enter__(self) -> Guard:
        if MODELS[self._record.algorithm].loss_label:
            self._thread.start()
            self._guards.add(self)
        return self

    def hold(self) -> None:
        """Lock the file with earlier states of this training. Raises UserError if another process
        has locked it.
        """
        self._lock = Lock.take(lock_path(self._path))
        if self._lock is None:
            raise UserError(
                tr("Another window is already continuing this training."),
                tr("Wait until the other window has finished."),
            )

    def mark_saved(self) -> None:
        """Note that the result is saved elsewhere."""
        self._done = True

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: object
    ) -> None:
        self._over.set()
        self._guards.discard(self)
        if self._thread.ident is not None:
            self._thread.join()
        with self._writing:
            cancelled = kind is not None and issubclass(kind, Cancelled)
            if self._to_the_end and cancelled and not self._record.discarded:
                # The window closes: the user may want to continue tomorrow.
                self._write_last()
            if self._lock is None:
                return
            if self._done or (cancelled and self._record.discarded):
                self._path.unlink(missing_ok=True)
            self._lock.release()

    def _watch(self) -> None:
        step_back()
        began = time.monotonic()
        last, progress, spent = -math.inf, 0.0, 0.0
        while not self._over.wait(min(LOOK, FIRST / 4)):
            at = time.monotonic()
            kept = self._latest()
            if kept is None or kept is self._seen or at - began < FIRST:
                continue
            due = at - last >= BETWEEN or kept.progress - progress >= STEP
            if not due or (self.written and spent * (1 + 1 / self.written) > SHARE * (at - began)):
                continue
            self._seen, last, progress = kept, at, kept.progress
            if self.write(kept):
                self.written += 1
            spent += time.monotonic() - at

    def write_now(self) -> bool:
        """Write the last good state although none is due, from any thread. Return whether a state
        is on disk.
        """
        kept = self._latest()
        with self._writing:
            if self._over.is_set() or kept is None or kept.progress <= 0:
                return False
            return self.write(kept)

    def _latest(self) -> Checkpoint | None:
        kept = self._run.latest("kept")
        if isinstance(kept, Checkpoint):
            return kept
        return None

    def _write_last(self) -> None:
        kept = self._latest()
        if kept is None or kept is self._seen or kept.progress <= 0:
            return
        if size_of(kept.embeddings) <= AT_END:
            self.write(kept)

    def write(self, kept: Checkpoint) -> bool:
        """Write a state, in place of the previous one. Return whether that succeeded."""
        from workbench.vectors.formats import save_vectors

        path = self._path
        with self._writing, suppress(UserError, OSError):
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = self._lock or Lock.take(lock_path(path))
            if self._lock is not None:
                save_vectors(self._with_provenance(kept), path, "npz")
                return True
        return False

    def _with_provenance(self, kept: Checkpoint) -> Embeddings:
        """The state with the provenance of a run stopped here, and the entry needed to offer it."""
        known = provenance(
            self._corpus,
            self._record.algorithm,
            self._params,
            self._run,
            self._created,
            kept.progress,
        )
        if PASSES in kept.embeddings.state:
            known["passes"] = float(kept.embeddings.state[PASSES])
        origin = self._more.get("origin")
        if origin is not None:
            known["continued"] = dict(origin)
        known |= describe(self._record, kept.progress, self._run.trace, self._more)
        return dataclasses.replace(kept.embeddings, metadata={**kept.embeddings.metadata, **known})
