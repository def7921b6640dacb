"""Stars and notes of runs, and changes to several runs at once, each with undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.runs.run_record import RunRecord
from workbench.session.selection.undo import UndoStep

if TYPE_CHECKING:
    from workbench.session.session import Session

# A note is a remark in a table, not a document.
MOST_LETTERS = 2000


class Marking:
    """The part of the session that marks runs. Belongs to its thread."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def star(self, records: Sequence[RunRecord], on: bool) -> None:
        """Give these runs a star, or take it."""
        changed = [record for record in records if record.star != on]
        if not changed:
            return
        for record in changed:
            record.star = on
            self.keep(record)
        if len(changed) == 1:
            what = tr("star of run “{name}”", name=changed[0].name)
        else:
            what = tr("stars of {number} runs", number=len(changed))
        self._session.undo.push(
            what, lambda: self.star(changed, not on), lambda: self.star(changed, on)
        )
        self._session.runs_changed.emit()

    def note(self, record: RunRecord, text: str) -> None:
        """Write a note to a run, on one line; "" takes it away."""
        text, before = " ".join(text.split())[:MOST_LETTERS], record.note
        if text == before:
            return
        record.note = text
        self.keep(record)
        self._session.undo.push(
            tr("note to run “{name}”", name=record.name),
            lambda: self.note(record, before),
            lambda: self.note(record, text),
        )
        self._session.runs_changed.emit()

    def delete(self, records: Sequence[RunRecord]) -> tuple[tuple[RunRecord, ...], UndoStep | None]:
        """Move runs to the trash, as one change; those that went, and the change. Those under way
        are left.
        """
        session = self._session
        wanted = [record for record in records if record.state.over and record in session.runs]
        with session.undo.pause_recording():
            _each(session.delete, wanted)
        gone = tuple(record for record in wanted if record not in session.runs)
        if not gone:
            return gone, None
        if len(gone) == 1:
            what = tr("deletion of run “{name}”", name=gone[0].name)
        else:
            what = tr("deletion of {number} runs", number=len(gone))
        return gone, session.undo.push(
            what, lambda: _each(session.undelete, gone), lambda: _each(session.delete, gone)
        )

    def keep(self, record: RunRecord) -> None:
        """Write down what is changed of a run, where it lies in the store."""
        if record.stored:
            try:
                self._session.store.mark(record.identifier, record.marks)
            except UserError as error:
                self._session.message.emit(error.message, error.hint, True)


def _each(act: Callable[[RunRecord], object], records: Sequence[RunRecord]) -> None:
    for record in records:
        act(record)
