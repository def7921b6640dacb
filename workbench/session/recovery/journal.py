"""Recovery journal: what is kept of trainings for the case that their process ends before them.

store/interrupted/<identifier>.npz   the last good state of a training (see ``entries.py``)
store/waiting/<identifier>.json      the queue of one process, in order
              <identifier>.lock      beside either, held while the process that writes it lives
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
from workbench.core.text_files import DAMAGE
from workbench.session.recovery.entries import (
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
    """One kind of entries: their folder in the store, how a file is read, and how damage is
    reported with the file's name and the reason.
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
    """Entries of a store, shared by any number of processes: an entry is offered to others when the
    process that writes it has ended.

    Methods may be called from any thread, ``write_queue`` and ``close`` only from the session's.

    guards : of the trainings that this process has under way
    """

    def __init__(self, store: Path) -> None:
        self.guards: set[CheckpointWriter] = set()
        self._store = store
        self._own_queue = store / _QUEUE.folder / f"{new_identifier()}.json"
        self._lock: Lock | None = None

    # -- what this process has under way

    def path(self, identifier: str) -> Path:
        """The file of a training's state, for commands that read it."""
        return self._store / _INTERRUPTED.folder / f"{identifier}.npz"

    def write_now(self) -> int:
        """Keep the last good state of every training that this process has under way; how many
        there are.

        For the case that the process is about to end: what is due is not waited for.
        """
        return sum(guard.write_now() for guard in tuple(self.guards))

    def write_queue(self, entries: Sequence[QueuedTraining]) -> None:
        """The current queue of this process. A disk that cannot be written keeps nothing: the queue
        continues.
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
        """This process ends; what its queue holds is for the next."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    # -- what others have left

    def find_interrupted(self) -> tuple[list[InterruptedTraining], list[UserError]]:
        """Trainings whose process is gone, the oldest first; and what was found damaged and set
        aside.
        """
        found, problems = self._read_abandoned(_INTERRUPTED)
        return list(found.values()), problems

    def find_queues(
        self, excluded: Callable[[QueuedTraining], bool]
    ) -> tuple[list[AbandonedQueue], list[UserError]]:
        """Trainings that waited, by the process that has left them and the corpus, the oldest
        first; and what was damaged and set aside. Trainings of which more is kept are excluded and
        taken out of their file.
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
        """An interrupted training as a run that was stopped, and its vectors. Nothing is removed
        yet.

        Raises UserError if it is gone or damaged.
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
        """Take trainings out of the file in which they were left, and say which of them were still
        there. Raises UserError if the file cannot be written.
        """
        return self._take_queued(queue.path, {entry.identifier for entry in queue.entries})

    def forget(self, identifier: str) -> None:
        """Remove the state of a training, because it is kept elsewhere or was discarded."""
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
                # Left by a process that was killed.
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
    """Raises UserError. An empty list isn’t written."""
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
