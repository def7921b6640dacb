"""Recovery journal: saved states and queues of trainings, in case their process ends first.

store/interrupted/<identifier>.npz   the last good state of a training (see ``entries.py``)
store/waiting/<identifier>.json      the queue of one process, in order
              <identifier>.lock      beside either file, held while the process that writes it lives
store/damaged/                       entries that could not be read; nothing is ever discarded
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Generic, Protocol, TypeVar

from workbench.core.atomic import cannot_write, remove_abandoned_parts, replacing
from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.core.locks import Lock, is_held
from workbench.core.text.text_files import DAMAGE
from workbench.session.runs.journal_entries import (
    AbandonedQueue,
    InterruptedTraining,
    QueuedTraining,
    queue_text,
    read_interrupted,
    read_queue,
    read_stopped_run,
)
from workbench.session.runs.run_record import RunRecord, new_identifier
from workbench.session.runs.trash import left_behind, move, set_aside
from workbench.vectors.embeddings import Embeddings


class CheckpointWriter(Protocol):
    """Saves the last state of a training of this process."""

    def write_now(self) -> bool: ...


Content = TypeVar("Content")
_DAMAGE = (*DAMAGE, OSError)


@dataclass(frozen=True)
class _Kind(Generic[Content]):
    """One kind of entry: its folder in the store, the function that reads a file, and the message
    about a damaged file, with its name and the reason.
    """

    folder: str
    suffix: str
    read: Callable[[Path], Content]
    describe_damage: Callable[[str, str], str]


_INTERRUPTED = _Kind(
    "interrupted",
    ".npz",
    read_interrupted,
    lambda stem, reason: tr(
        "The saved state of the interrupted training {stem} is damaged ({reason}).",
        stem=stem,
        reason=reason,
    ),
)
_QUEUE = _Kind(
    "waiting",
    ".json",
    read_queue,
    lambda _, reason: tr("The saved training queue is damaged ({reason}).", reason=reason),
)


class Journal:
    """Entries of a store, shared by any number of processes: an entry is offered to other processes
    once the process that writes it has ended.

    Methods may be called from any thread, ``write_queue`` and ``close`` only from the session's.

    guards : guards of this process's active trainings
    """

    def __init__(self, store: Path) -> None:
        self.guards: set[CheckpointWriter] = set()
        self._store = store
        self._own_queue = store / _QUEUE.folder / f"{new_identifier()}.json"
        self._lock: Lock | None = None

    # -- this process's trainings

    def path(self, identifier: str) -> Path:
        """The file of a training's state, for commands that read it."""
        return self._store / _INTERRUPTED.folder / f"{identifier}.npz"

    def write_now(self) -> int:
        """Write the last good state of each of this process's active trainings. Return the
        number of states written.

        For a process that is about to end: doesn't wait until a state is due.
        """
        return sum(guard.write_now() for guard in tuple(self.guards))

    def write_queue(self, entries: Sequence[QueuedTraining]) -> None:
        """Save the current queue of this process. If the disk can't be written, nothing is saved
        and the queue continues.
        """
        path = self._own_queue
        try:
            if entries and self._lock is None:
                path.parent.mkdir(parents=True, exist_ok=True)
                self._lock = Lock.take(lock_path(path))
            if entries or path.exists():
                _write_queue(path, entries)
        except (OSError, UserError):
            return
        if not entries:
            self.close()

    def close(self) -> None:
        """Release this process's queue, so that the next process can take it over."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # -- entries of other processes

    def find_interrupted(self) -> tuple[list[InterruptedTraining], list[UserError]]:
        """Trainings whose process has ended, the oldest first; and the errors of damaged entries,
        which are set aside.
        """
        found, problems = self._read_abandoned(_INTERRUPTED)
        return list(found.values()), problems

    def find_queues(
        self, excluded: Callable[[QueuedTraining], bool]
    ) -> tuple[list[AbandonedQueue], list[UserError]]:
        """Trainings that waited, by the process that left them and by corpus, the oldest first; and
        the errors of damaged entries, which are set aside. Trainings that are ``excluded``, because
        a state or run of them exists, are taken out of their file.
        """
        found, problems = self._read_abandoned(_QUEUE)
        queues = []
        for path, entries in found.items():
            without = {entry.identifier for entry in entries if excluded(entry)}
            if without:
                with suppress(UserError):
                    self._take_queued(path, without)
            corpora: dict[str, list[QueuedTraining]] = {}
            for entry in entries:
                if entry.identifier not in without:
                    corpora.setdefault(entry.corpus_digest, []).append(entry)
            queues += [AbandonedQueue(path, tuple(entries)) for entries in corpora.values()]
        return queues, problems

    def take_interrupted(self, entry: InterruptedTraining) -> tuple[RunRecord, Embeddings]:
        """An interrupted training as a stopped run, and its vectors. Doesn't remove the entry.

        Raises UserError if the entry is gone or damaged.
        """
        path = self.path(entry.identifier)
        if not path.is_file() or is_held(lock_path(path)):
            raise UserError(
                tr(
                    "Couldn’t continue “{name}”: its saved state no longer exists.", name=entry.name
                ),
                tr("Another window may have continued the training."),
            )
        try:
            return read_stopped_run(path, entry)
        except (UserError, *_DAMAGE) as error:
            raise self._set_aside(_INTERRUPTED, path, error) or UserError(
                tr("“{name}” no longer exists.", name=entry.name)
            ) from error

    def take_queue(self, queue: AbandonedQueue) -> list[QueuedTraining]:
        """Take trainings out of the file that contains them, and return those that were still in
        it. Raises UserError if the file cannot be written.
        """
        return self._take_queued(queue.path, {entry.identifier for entry in queue.entries})

    def forget(self, identifier: str) -> None:
        """Remove the state of a training that is saved elsewhere or was discarded."""
        path = self.path(identifier)
        path.unlink(missing_ok=True)
        if not is_held(lock_path(path)):
            lock_path(path).unlink(missing_ok=True)

    def discard(self, entry: InterruptedTraining | AbandonedQueue) -> None:
        """Move a state to the trash, or take a queue out of its file. Raises UserError."""
        if isinstance(entry, AbandonedQueue):
            self.take_queue(entry)
        else:
            move(self.path(entry.identifier), self._store / "trash", _missing_error())

    def undiscard(self, entry: InterruptedTraining | AbandonedQueue) -> None:
        """Undo ``discard``, or ``take_queue``. Raises UserError."""
        if isinstance(entry, AbandonedQueue):
            _write_queue(entry.path, [*entry.entries, *_read_queue(entry.path)])
        else:
            path = self.path(entry.identifier)
            move(self._store / "trash" / path.name, path.parent, _missing_error())

    def _take_queued(self, path: Path, identifiers: Collection[str]) -> list[QueuedTraining]:
        there = [] if is_held(lock_path(path)) else _read_queue(path)
        taken = [entry for entry in there if entry.identifier in identifiers]
        if taken:
            _write_queue(path, [entry for entry in there if entry.identifier not in identifiers])
        return taken

    def _read_abandoned(self, kind: _Kind[Content]) -> tuple[dict[Path, Content], list[UserError]]:
        found: dict[Path, Content] = {}
        problems: list[UserError] = []
        for path in self._abandoned_files(kind):
            try:
                found[path] = kind.read(path)
            except _DAMAGE as error:
                problem = self._set_aside(kind, path, error)
                if problem is not None:
                    problems.append(problem)
        return found, problems

    def _abandoned_files(self, kind: _Kind[Content]) -> Iterable[Path]:
        folder = self._store / kind.folder
        if not folder.is_dir():
            return
        remove_abandoned_parts(folder)
        for path in sorted(folder.iterdir()):
            if path.suffix == kind.suffix and not path.name.startswith("."):
                if not is_held(lock_path(path)):
                    yield path
            elif path.suffix == ".lock" and left_behind(path) and not is_held(path):
                # A process that was killed left this file.
                path.unlink(missing_ok=True)

    def _set_aside(self, kind: _Kind[Content], path: Path, reason: Exception) -> UserError | None:
        return set_aside(
            path,
            self._store / "damaged",
            kind.describe_damage(path.stem, error_text(reason)),
            lambda place: tr("The damaged file was moved to {place}.", place=place),
        )


def lock_path(path: Path) -> Path:
    """The lock of an entry."""
    return path.with_suffix(".lock")


def _read_queue(path: Path) -> list[QueuedTraining]:
    try:
        return read_queue(path)
    except _DAMAGE:
        return []


def _write_queue(path: Path, entries: Sequence[QueuedTraining]) -> None:
    """Write a queue, or remove its file if the queue is empty. Raises UserError."""
    if not entries:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise cannot_write(path, error) from error
        return
    with replacing(path) as part:
        part.write_text(queue_text(entries), encoding="utf-8")


def _missing_error() -> UserError:
    return UserError(
        tr("The training no longer exists."),
        tr("Another window may have continued or discarded the training."),
    )
