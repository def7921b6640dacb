"""Runs of the session: adding, renaming, annotating, deleting, restoring and post-processing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.language import tr
from workbench.core.paths import storage_problem
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS
from workbench.session.jobs import Jobs
from workbench.session.messages import Messages
from workbench.session.runs import derived, loss_floor, taught
from workbench.session.runs.derived import Derived
from workbench.session.runs.history import give_room
from workbench.session.runs.loss_floor import Floor
from workbench.session.runs.names import free_colour, unused_name
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.store import Store
from workbench.session.runs.taught import TaughtLines
from workbench.session.selection.undo import Undo, UndoStep
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.postprocessing import Postprocessing

# Number of deleted runs that can be restored until the program ends, and number of those that keep
# data which exists only in memory: unsaved vectors and the states of their training.
_DELETED, _DELETED_IN_MEMORY = 200, 8
# A note is a remark in a table, not a document.
_MOST_LETTERS = 2000


class RunLibrary(Sequence[RunRecord]):
    """The runs of the session, the oldest first.

    records : the list; ``append`` and ``add`` put runs into it
    problems : errors of damaged runs when the store was read
    storage_problem : why nothing can be saved, None if saving works
    deleted : the runs deleted in this session, the latest last
    changed : the list of runs, or the state or phase of one, changed
    added : a finished run was added
    removing, removed : a run is about to be deleted, or has just been
    """

    def __init__(self, store: Store, jobs: Jobs, undo: Undo, message: Messages) -> None:
        self.records, self.problems = store.load()
        self.deleted: list[RunRecord] = []
        self.changed = Signal[()]()
        self.added = Signal[RunRecord]()
        self.removing = Signal[RunRecord]()
        self.removed = Signal[RunRecord]()
        self._deletions: dict[str, UndoStep] = {}
        self._store = store
        self._jobs = jobs
        self._undo = undo
        self._message = message
        # Reported once, not for every run.
        self.storage_problem = storage_problem()

    def __len__(self) -> int:
        return len(self.records)

    def __iter__(self) -> Iterator[RunRecord]:
        return iter(self.records)

    @overload
    def __getitem__(self, at: int) -> RunRecord: ...

    @overload
    def __getitem__(self, at: slice) -> list[RunRecord]: ...

    def __getitem__(self, at: int | slice) -> RunRecord | list[RunRecord]:
        return self.records[at]

    # -- new runs

    def append(self, record: RunRecord) -> None:
        """Put a run at the end of the list, without a signal."""
        self.records.append(record)

    def add(self, record: RunRecord) -> None:
        """Put a finished run into the list; it becomes the active run."""
        self.append(record)
        self.changed.emit()
        self.added.emit(record)

    def merge(self, records: Sequence[RunRecord]) -> None:
        """Put runs from elsewhere into the list, in order of creation, without a signal."""
        self.records += records
        self.records.sort(key=lambda record: record.identifier)

    def postprocess(self, parent: RunRecord, choice: Postprocessing) -> None:
        """Make a new run from the vectors of a finished one by ``choice``. The new run is saved and
        becomes active.

        Outcome: ``added``, or a message with an error.
        """
        name, colour = unused_name(derived.name_of(parent, choice), self), free_colour(self)
        self._jobs.start(
            tr("Deriving {name}", name=name),
            lambda run: derived.make_and_keep(parent, choice, name, colour, self._store, run),
            self._add_derived,
            self._message.report,
        )

    def teach(self, parent: RunRecord, lesson: TaughtLines, corpus: Corpus | None) -> None:
        """Make a new run of a finished one with a word that it learns from lines. The new run is
        saved and becomes active.

        corpus : that of the training, if it is open
        Outcome: ``added``, or a message with an error.
        """
        name, colour = unused_name(taught.name_of(parent, lesson), self), free_colour(self)
        self._jobs.start(
            tr("Deriving {name}", name=name),
            lambda run: taught.teach_and_keep(
                parent, lesson, corpus, name, colour, self._store, run
            ),
            self._add_derived,
            self._message.report,
        )

    def add_quietly(self, found: Derived) -> None:
        """Put a run that was made beside another one into the list; the active run stays."""
        if found.not_saved is not None:
            self.report_unsaved(found.not_saved)
        self.append(found.record)
        self.changed.emit()

    def _add_derived(self, found: Derived) -> None:
        if found.not_saved is not None:
            self.report_unsaved(found.not_saved)
        self.add(found.record)

    def keep_vectors(self, record: RunRecord, embeddings: Embeddings) -> None:
        """Keep vectors that a job read from the store, so that they aren't read again."""
        if record.embeddings is None:
            record.embeddings = embeddings

    def report_unsaved(self, error: UserError) -> None:
        """Report that a run couldn’t be saved, unless nothing can be saved at all."""
        if self.storage_problem is None:
            self._message.report(error)

    def compute_floor(self, record: RunRecord, corpus: Corpus) -> None:
        """Compute the floor of a finished run’s loss from its corpus, and save it with the run.

        Outcome: ``changed``, or a message with an error.
        """
        kind = MODELS[record.algorithm]
        params = kind.params_type.from_mapping(dict(record.parameters))

        def keep(floor: Floor) -> None:
            stored = loss_floor.to_json(floor, record.closing_loss)
            record.summary = {**record.summary, loss_floor.KEY: stored}
            if record.stored:
                self._write_marks(record, {"summary": dict(record.summary)})
            self.changed.emit()

        self._jobs.start(
            tr("Computing the floor of {name}", name=record.name),
            lambda run: loss_floor.compute_floor(corpus, kind, params, run),
            keep,
            self._message.report,
            key="loss.floor",
        )

    def trim_histories(self, shown: RunRecord | None = None) -> None:
        """Keep the histories of all runs within their memory limit; that of the run ``shown`` goes
        last.
        """
        others = [other for other in (*self.deleted, *self.records) if other is not shown]
        last = [] if shown is None else [shown]
        give_room([other.history for other in (*others, *last)])

    # -- annotations

    def rename(self, record: RunRecord, name: str) -> None:
        """Give a run another name; an empty one changes nothing."""
        name = " ".join(name.split())
        if not name or name == record.name:
            return
        before, record.name = record.name, name
        self._undo.push(
            tr("rename of run “{before}”", before=before),
            lambda: self.rename(record, before),
            lambda: self.rename(record, name),
        )
        self.save_annotations(record)
        self.changed.emit()

    def star(self, records: Sequence[RunRecord], on: bool) -> None:
        """Add a star to these runs, or remove it."""
        changed = [record for record in records if record.star != on]
        if not changed:
            return
        for record in changed:
            record.star = on
            self.save_annotations(record)
        if len(changed) == 1:
            what = tr("star of run “{name}”", name=changed[0].name)
        else:
            what = tr("stars of {number} runs", number=len(changed))
        self._undo.push(what, lambda: self.star(changed, not on), lambda: self.star(changed, on))
        self.changed.emit()

    def write_note(self, record: RunRecord, text: str) -> None:
        """Set the note of a run, on one line; "" removes it."""
        text, before = " ".join(text.split())[:_MOST_LETTERS], record.note
        if text == before:
            return
        record.note = text
        self.save_annotations(record)
        self._undo.push(
            tr("note to run “{name}”", name=record.name),
            lambda: self.write_note(record, before),
            lambda: self.write_note(record, text),
        )
        self.changed.emit()

    def save_annotations(self, record: RunRecord) -> None:
        """Write the name, star and note of a run to the store, if the run is in it."""
        if record.stored:
            self._write_marks(record, record.marks)

    def _write_marks(self, record: RunRecord, marks: Mapping[str, Any]) -> None:
        try:
            self._store.mark(record.identifier, marks)
        except UserError as error:
            self._message.report(error)

    # -- deleting and restoring

    def delete(self, record: RunRecord) -> None:
        """Move a run to the store's trash; ``undelete`` restores it.

        A run that is still training is cancelled first.
        """
        if record not in self.records:
            return
        # Runs that another window has deleted also leave this window’s list.
        if record.stored and self._store.holds(record.identifier) and not self.trash(record):
            return
        self.removing.emit(record)
        self.records.remove(record)
        self.deleted.append(record)
        if self._undo.recording:
            self._deletions[record.identifier] = self._undo.push(
                tr("deletion of run “{name}”", name=record.name),
                lambda: self.undelete(record),
                lambda: self.delete(record),
            )
        self.removed.emit(record)
        if record.stored:
            # A restored run is read again.
            record.embeddings = None
        self._forget_deleted()
        self.changed.emit()

    def delete_all(
        self, records: Sequence[RunRecord]
    ) -> tuple[tuple[RunRecord, ...], UndoStep | None]:
        """Move runs to the trash, as one change, and return both. Running trainings stay."""
        wanted = [record for record in records if record.state.over and record in self.records]
        with self._undo.pause_recording():
            _each(self.delete, wanted)
        gone = tuple(record for record in wanted if record not in self.records)
        if not gone:
            return gone, None
        if len(gone) == 1:
            what = tr("deletion of run “{name}”", name=gone[0].name)
        else:
            what = tr("deletion of {number} runs", number=len(gone))
        return gone, self._undo.push(
            what, lambda: _each(self.undelete, gone), lambda: _each(self.delete, gone)
        )

    @property
    def can_undelete(self) -> bool:
        return bool(self.deleted)

    def undelete(self, record: RunRecord | None = None) -> None:
        """Restore a run deleted in this session; without a record, the last one."""
        if not self.deleted or (record is not None and record not in self.deleted):
            return
        record = record or self.deleted[-1]
        self.deleted.remove(record)
        if self._undo.recording and record.identifier in self._deletions:
            self._undo.drop(self._deletions.pop(record.identifier))
        back = next((other for other in self if other.identifier == record.identifier), None)
        if back is not None:
            # A session file has restored it meanwhile.
            self.added.emit(back)
            return
        if record.stored:
            try:
                self._store.undelete(record.identifier)
            except UserError as error:
                self._message.report(error)
                return
        self.merge([record])
        self.changed.emit()

    def trash(self, record: RunRecord) -> bool:
        """Move a stored run to the trash. Return whether that succeeded."""
        try:
            self._store.delete(record.identifier)
        except UserError as error:
            self._message.report(error)
            return False
        return True

    def _forget_deleted(self) -> None:
        """Drop runs deleted long ago: this session can't restore them, but the store's trash keeps
        them.
        """
        in_memory = [record for record in self.deleted if record.embeddings is not None]
        gone = (*self.deleted[:-_DELETED], *in_memory[:-_DELETED_IN_MEMORY])
        self.deleted = [record for record in self.deleted if record not in gone]
        for record in (*gone, *self.deleted[:-_DELETED_IN_MEMORY]):
            record.history.thin(0)
        for record in gone:
            if record.identifier in self._deletions:
                self._undo.drop(self._deletions.pop(record.identifier))


def _each(act: Callable[[RunRecord], object], records: Sequence[RunRecord]) -> None:
    for record in records:
        act(record)
