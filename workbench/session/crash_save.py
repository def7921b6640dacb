"""Emergency saving of unsaved runs and trainings after an unexpected error."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.session.runs.run_record import State
from workbench.session.session import Session


@dataclass(frozen=True)
class Rescued:
    """The result: identifiers of runs that were saved, number of saved trainings, problems."""

    runs: tuple[str, ...] = ()
    trainings: int = 0
    problem: UserError | None = None

    def __str__(self) -> str:
        if self.problem is not None:
            return tr("Not everything could be saved. {problem}", problem=self.problem)
        if self.trainings:
            return tr("Everything is saved, including the training in progress.")
        return tr("Everything is saved.")


def rescue(session: Session) -> Callable[[], Rescued]:
    """Return a function that saves the session's unsaved runs and the states of its trainings.

    Call ``rescue`` in the session's thread; the returned function may run in any thread, and raises
    nothing. ``settle`` reports the outcome to the session. Vectors opened from files aren't saved.
    """
    store = session.store
    unsaved = [
        (replace(record), record.embeddings)
        for record in session.runs
        if record.embeddings is not None
        and not record.stored
        and record.algorithm
        and record.state in (State.DONE, State.STOPPED)
    ]

    def work() -> Rescued:
        written: list[str] = []
        problem: UserError | None = None
        for record, embeddings in unsaved:
            try:
                if not store.holds(record.identifier):
                    store.save(record, embeddings)
            except UserError as error:
                problem = error
            except Exception as error:
                problem = UserError(
                    tr(
                        "Couldn’t save “{name}” ({error}).",
                        name=record.name,
                        error=error_text(error),
                    ),
                    tr("Try to save the run as a file."),
                )
            else:
                written.append(record.identifier)
        try:
            trainings = store.journal.write_now()
        except Exception as error:
            trainings = 0
            problem = UserError(
                tr("Couldn’t save the training in progress ({error}).", error=error_text(error)),
                tr("Stop the training to keep its partial result."),
            )
        return Rescued(tuple(written), trainings, problem)

    return work


def settle(session: Session, rescued: Rescued) -> None:
    """In the session’s thread: mark the saved runs as stored."""
    for record in session.runs:
        if record.identifier in rescued.runs:
            record.stored = True
