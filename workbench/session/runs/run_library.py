"""Part of the session that keeps the list of runs: adding, renaming, deleting, restoring and
deriving.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.runs import derived
from workbench.session.runs.derived import Derived
from workbench.session.runs.names import free_colour, unused_name
from workbench.session.runs.run_record import RunRecord
from workbench.session.selection.undo import UndoStep
from workbench.session.training.history import give_room
from workbench.vectors.postprocessing import Postprocessing

if TYPE_CHECKING:
    from workbench.session.session import Session

# Runs deleted in this sitting that can be brought back, and those of them that have in memory what
# is nowhere else: vectors that were not saved, the states of their training.
_DELETED, _DELETED_IN_MEMORY = 200, 8


class RunLibrary:
    """Belongs to the session's thread. ``deleted``: the runs deleted in this sitting, the latest
    last.
    """

    def __init__(self, session: Session) -> None:
        self.deleted: list[RunRecord] = []
        self._deletions: dict[str, UndoStep] = {}
        self._session = session

    def add(self, record: RunRecord) -> None:
        self._session.runs.append(record)
        self._session.runs_changed.emit()
        self._session.show(record)

    def make_vectors(self, parent: RunRecord, choice: Postprocessing) -> None:
        session = self._session
        name, colour = (
            unused_name(derived.name_of(parent, choice), session.runs),
            free_colour(session.runs),
        )
        session.jobs.start(
            tr("Making {name}", name=name),
            lambda run: derived.make_and_keep(parent, choice, name, colour, session.store, run),
            self._add_derived,
            session.say,
        )

    def _add_derived(self, found: Derived) -> None:
        if found.not_saved is not None:
            self._session.say_unsaved(found.not_saved)
        self.add(found.record)

    def rename(self, record: RunRecord, name: str) -> None:
        name = " ".join(name.split())
        if not name or name == record.name:
            return
        before, record.name = record.name, name
        self._session.undo.push(
            tr("rename of run “{before}”", before=before),
            lambda: self.rename(record, before),
            lambda: self.rename(record, name),
        )
        self._session.marking.keep(record)
        self._session.runs_changed.emit()

    def delete(self, record: RunRecord) -> None:
        session = self._session
        if record not in session.runs:
            return
        # What another window has deleted goes from the list of this one, too.
        if record.stored and session.store.holds(record.identifier) and not self.trash(record):
            return
        session.cancel(record)
        session.runs.remove(record)
        self.deleted.append(record)
        if session.undo.recording:
            self._deletions[record.identifier] = session.undo.push(
                tr("deletion of run “{name}”", name=record.name),
                lambda: self.undelete(record),
                lambda: self.delete(record),
            )
        if session.active_run is record:
            session.active_run = None
            session.show(
                session.last_looked_at(session.corpus.digest if session.corpus is not None else "")
            )
            if session.active_run is None:
                session.shown_changed.emit()
        if record.stored:
            # Brought back, it is read again.
            record.embeddings = None
        self._forget_deleted()
        session.runs_changed.emit()

    def _forget_deleted(self) -> None:
        """Let go of what was deleted long ago: for good in this sitting, while the trash of the
        store keeps it.
        """
        in_memory = [record for record in self.deleted if record.embeddings is not None]
        gone = (*self.deleted[:-_DELETED], *in_memory[:-_DELETED_IN_MEMORY])
        self.deleted = [record for record in self.deleted if record not in gone]
        for record in (*gone, *self.deleted[:-_DELETED_IN_MEMORY]):
            record.history.thin(0)
        for record in gone:
            if record.identifier in self._deletions:
                self._session.undo.drop(self._deletions.pop(record.identifier))

    def undelete(self, record: RunRecord | None) -> None:
        session = self._session
        if not self.deleted or (record is not None and record not in self.deleted):
            return
        record = record or self.deleted[-1]
        self.deleted.remove(record)
        if session.undo.recording and record.identifier in self._deletions:
            session.undo.drop(self._deletions.pop(record.identifier))
        back = next(
            (other for other in session.runs if other.identifier == record.identifier), None
        )
        if back is not None:
            # A session file has brought it back meanwhile.
            session.show(back)
            return
        if record.stored:
            try:
                session.store.undelete(record.identifier)
            except UserError as error:
                session.say(error)
                return
        session.runs.append(record)
        session.runs.sort(key=lambda other: other.identifier)
        session.runs_changed.emit()

    def trash(self, record: RunRecord) -> bool:
        """Move a run of the store to its trash; whether that went well."""
        try:
            self._session.store.delete(record.identifier)
        except UserError as error:
            self._session.say(error)
            return False
        return True

    def trim_histories(self) -> None:
        """Bound what the histories of all runs take."""
        give_room([other.history for other in (*self.deleted, *self._session.runs)])
