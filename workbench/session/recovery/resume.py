"""Interrupted trainings that the session offers to continue, keep or discard."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.job_control import JobControl, Phase
from workbench.core.language import tr
from workbench.session.corpus.opening import parse_remembered
from workbench.session.recovery.checkpoint import Interrupted
from workbench.session.runs.names import free_colour, unused_name
from workbench.session.runs.run_record import INTERRUPTED, RunRecord
from workbench.session.runs.store import Store
from workbench.vectors.embeddings import Embeddings

if TYPE_CHECKING:
    from workbench.session.session import Session


class Resuming:
    """The interrupted trainings of a session, the oldest first. Belongs to its thread.

    ``changed()`` is emitted when the list is another. A training that is gone on with becomes a run
    that was stopped, and a new one that goes on from it.
    """

    def __init__(self, session: Session) -> None:
        self.changed = Signal()
        self._session = session
        self.entries, self.problems = _find_offers(session.store)
        self._discarded: list[Interrupted] = []
        # The run to train on, and for how many passes, once its corpus is open.
        self._waiting: tuple[RunRecord, int] | None = None
        session.corpus_changed.connect(self._corpus_changed)

    def refresh(self) -> None:
        """Look again: a training of this session may have failed."""
        entries, _ = _find_offers(self._session.store)
        if entries != self.entries:
            self.entries = entries
            self.changed.emit()

    def keep(self, entry: Interrupted) -> None:
        """Make it a run, as far as it was."""
        self._bring_back(entry, 0)

    def go_on(self, entry: Interrupted) -> None:
        """Make it a run, open its corpus where another one is open, and train the passes that are
        left.
        """
        self._bring_back(entry, entry.remaining_passes)

    def discard(self, entry: Interrupted) -> None:
        """Throw it away; ``undiscard`` brings the last one back."""
        try:
            self._session.store.interrupted.discard(entry.identifier)
        except UserError as error:
            self._report_error(error)
        else:
            self._discarded.append(entry)
        self._drop(entry)

    def undiscard(self) -> None:
        if not self._discarded:
            return
        try:
            self._session.store.interrupted.undiscard(self._discarded.pop().identifier)
        except UserError as error:
            self._report_error(error)
        self.refresh()

    # -- what comes of it

    def _bring_back(self, entry: Interrupted, passes: int) -> None:
        self._drop(entry)
        session = self._session
        name, colour = unused_name(entry.name, session.runs), free_colour(session.runs)
        session.jobs.start(
            tr("Bringing back {name}", name=entry.name),
            lambda run: bring_back(session.store, entry, name, colour, run),
            lambda made: self._run_restored(*made, passes),
            self._restoring_failed,
        )

    def _run_restored(self, record: RunRecord, embeddings: Embeddings, passes: int) -> None:
        record.embeddings = embeddings
        record.stored = True
        self._session.add(record)
        if passes:
            self._train_on(record, passes)

    def _restoring_failed(self, error: UserError) -> None:
        self._report_error(error)
        self.refresh()

    def _train_on(self, record: RunRecord, passes: int) -> None:
        session = self._session
        source = record.summary.get("source")
        if session.corpus is not None and session.corpus.digest == record.corpus_digest:
            try:
                session.train_on(record, passes)
            except UserError as error:
                self._report_error(error)
            return
        wanted = None
        if isinstance(source, Mapping):
            wanted = parse_remembered({**source, "digest": record.corpus_digest})
        if wanted is None:
            self._report_error(
                UserError(
                    tr(
                        "The corpus of “{name}” is not open, and where it lies is not known.",
                        name=record.name,
                    ),
                    tr(
                        "Open {name}, then choose Train on… in the menu of the run.",
                        name=record.corpus_name,
                    )
                    if record.corpus_name
                    else tr("Open it, then choose Train on… in the menu of the run."),
                )
            )
            return
        self._waiting = record, passes
        session.reopen(wanted)

    def _corpus_changed(self) -> None:
        session = self._session
        if self._waiting is None or session.opening is not None:
            return
        (record, passes), self._waiting = self._waiting, None
        if session.open_error is not None:
            return
        try:
            session.train_on(record, passes)
        except UserError as error:
            self._report_error(error)

    def _drop(self, entry: Interrupted) -> None:
        self.entries = [other for other in self.entries if other is not entry]
        self.changed.emit()

    def _report_error(self, error: UserError) -> None:
        self._session.message.emit(error.message, error.hint, True)


def _find_offers(store: Store) -> tuple[list[Interrupted], list[UserError]]:
    entries, problems = store.interrupted.find_abandoned()
    for entry in entries:
        if store.holds(entry.identifier):
            # Its process ended between saving the run and forgetting its states.
            store.interrupted.forget(entry.identifier)
    return [entry for entry in entries if not store.holds(entry.identifier)], problems


def bring_back(
    store: Store, entry: Interrupted, name: str, colour: int, run: JobControl
) -> tuple[RunRecord, Embeddings]:
    """In a job: the interrupted training as a run of the store. Raises UserError; then it stays
    where it was.
    """
    run.enter(Phase.READING, tr("Reading what was kept of {name}.", name=entry.name))
    record, embeddings = store.interrupted.take(entry)
    record.name, record.colour = name, colour
    record.summary = {**record.summary, "source": dict(entry.source), INTERRUPTED: entry.progress}
    run.enter(Phase.SAVING, tr("Saving the run."))
    store.save(record, embeddings)
    store.interrupted.forget(entry.identifier)
    return record, embeddings
