"""Undo and redo: a list of changes, each with both directions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from workbench.core.events import Signal

_DEPTH = 200
# Seconds within which changes of one ``merge`` key are one.
_TOGETHER = 1.0


@dataclass(eq=False)
class UndoStep:
    """One change. ``text`` names it after the word "Undo": "rename of run “a”"."""

    text: str
    undo: Callable[[], object]
    redo: Callable[[], object]
    merge: str = ""
    owner: object = None
    at: float = 0.0


class Undo:
    """Changes that were made, the last at the end, and undone ones. Belongs to the session's
    thread.

    A method that changes state makes its change and then calls ``push`` with functions that undo
    and redo it. Nothing is recorded during undo and redo, so both functions may call the method
    that pushes. ``changed()`` is emitted when the changes that can be undone or redone change.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.changed = Signal[()]()
        self._clock = clock
        self._done: list[UndoStep] = []
        self._undone: list[UndoStep] = []
        self._still = 0

    def push(
        self,
        text: str,
        undo: Callable[[], object],
        redo: Callable[[], object],
        *,
        merge: str = "",
        owner: object = None,
    ) -> UndoStep:
        """Record a change that was just made.

        merge : changes with the same key that follow each other within a second are undone together
        owner : object without which the change can't be undone; see ``forget``
        """
        change = UndoStep(text, undo, redo, merge, owner, self._clock())
        if self._still:
            return change
        last = self._done[-1] if self._done else None
        if last is not None and merge and last.merge == merge and change.at - last.at < _TOGETHER:
            change.undo = last.undo
            self._done[-1] = change
        else:
            self._done.append(change)
            del self._done[:-_DEPTH]
        self._undone.clear()
        self.changed.emit()
        return change

    @property
    def recording(self) -> bool:
        """Whether changes are recorded now; False during undo and redo."""
        return self._still == 0

    @contextmanager
    def pause_recording(self) -> Iterator[None]:
        """Don't record changes that are pushed within the block."""
        self._still += 1
        try:
            yield
        finally:
            self._still -= 1

    @property
    def undo_text(self) -> str:
        """Name of the change that ``undo`` would undo, "" if there is none."""
        if self._done:
            return self._done[-1].text
        return ""

    @property
    def redo_text(self) -> str:
        """Name of the change that ``redo`` would redo, "" if there is none."""
        if self._undone:
            return self._undone[-1].text
        return ""

    @property
    def latest(self) -> UndoStep | None:
        """The last change that is not undone."""
        if self._done:
            return self._done[-1]
        return None

    def since(self, change: UndoStep | None) -> list[UndoStep]:
        """The changes made after this one, in order; all changes for None."""
        if change in self._done:
            return self._done[self._done.index(change) + 1 :]
        return list(self._done)

    def undo(self) -> None:
        """Undo the last change."""
        if self._done:
            change = self._done.pop()
            self._undone.append(change)
            self._play(change.undo)

    def redo(self) -> None:
        """Redo the last undone change."""
        if self._undone:
            change = self._undone.pop()
            self._done.append(change)
            self._play(change.redo)

    def revert(self, change: UndoStep) -> None:
        """Undo this change wherever it is in the list; do nothing if it is no longer in it."""
        if change in self._done:
            self._done.remove(change)
            self._undone.append(change)
            self._play(change.undo)

    def is_applied(self, change: UndoStep) -> bool:
        """Whether this change was made and not undone."""
        return change in self._done

    def drop(self, *changes: UndoStep) -> None:
        """Drop changes that were reverted by other means, so that they can't be undone or
        redone.
        """
        self._keep(lambda change: change not in changes)

    def forget(self, owner: object) -> None:
        """Drop all changes of an owner that goes away, such as a closed panel."""
        self._keep(lambda change: change.owner is not owner)

    def clear(self) -> None:
        self._keep(lambda change: False)

    def _keep(self, wanted: Callable[[UndoStep], bool]) -> None:
        done = [change for change in self._done if wanted(change)]
        undone = [change for change in self._undone if wanted(change)]
        if len(done) + len(undone) < len(self._done) + len(self._undone):
            self._done, self._undone = done, undone
            self.changed.emit()

    def _play(self, way: Callable[[], object]) -> None:
        with self.pause_recording():
            way()
        self.changed.emit()
