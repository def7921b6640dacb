"""Folder of trainings whose process ended before they finished.

store/interrupted/<identifier>.npz   the last good state (see ``checkpoint.py``)
                  <identifier>.lock  held by the process that trains it, as long as that lives
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.core.atomic import remove_abandoned_parts
from workbench.core.errors import UserError, error_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.locks import is_held
from workbench.core.text_files import DAMAGE
from workbench.corpus.corpus import Corpus
from workbench.models.base import ModelParams
from workbench.session.recovery.autosave import Guard
from workbench.session.recovery.checkpoint import (
    Interrupted,
    read_entry,
    read_state,
    to_stopped_run,
)
from workbench.session.runs.run_record import RunRecord
from workbench.session.runs.trash import left_behind, move
from workbench.vectors.embeddings import Embeddings

_DAMAGE = (*DAMAGE, OSError)


class Interruptions:
    """The folder of them. Methods may be called from any thread."""

    def __init__(self, store: Path) -> None:
        self._folder = store / "interrupted"
        self._trash = store / "trash"
        self._damaged = store / "damaged"
        # Of the trainings that this process has under way.
        self._guards: set[Guard] = set()

    def write_now(self) -> int:
        """Keep the last good state of every training that this process has under way; how many
        there are.

        For the case that the process is about to end: what is due is not waited for.
        """
        return sum(guard.write_now() for guard in tuple(self._guards))

    def path(self, identifier: str) -> Path:
        """The file of its state, for commands that read it."""
        return self._folder / f"{identifier}.npz"

    def find_abandoned(self) -> tuple[list[Interrupted], list[UserError]]:
        """Those whose process is gone, the oldest first; and what was found damaged and set
        aside.
        """
        entries, problems = [], []
        for path in self._files():
            if is_held(self._lock(path.stem)):
                continue
            try:
                entries.append(read_entry(path))
            except _DAMAGE as error:
                problem = self._set_aside(path, error)
                if problem is not None:
                    problems.append(problem)
        return entries, problems

    def take(self, entry: Interrupted) -> tuple[RunRecord, Embeddings]:
        """An interrupted training as a run that was stopped, and its vectors. Nothing is removed
        yet.

        Raises UserError where it is gone or damaged.
        """
        path = self.path(entry.identifier)
        if not path.is_file() or is_held(self._lock(entry.identifier)):
            raise UserError(
                tr("“{name}” is no longer there to go on with.", name=entry.name),
                tr("Another window may have taken it meanwhile."),
            )
        try:
            kept, trace = read_state(path)
        except (UserError, *_DAMAGE) as error:
            raise self._set_aside(path, error) or UserError(
                tr("“{name}” is no longer there.", name=entry.name)
            ) from error
        return to_stopped_run(entry, kept, trace)

    def forget(self, identifier: str) -> None:
        """Remove what is kept of a training, because it is kept elsewhere or was thrown away."""
        self.path(identifier).unlink(missing_ok=True)
        lock = self._lock(identifier)
        if not is_held(lock):
            lock.unlink(missing_ok=True)

    def discard(self, identifier: str) -> None:
        """Move it to the trash. Raises UserError."""
        self._move(self.path(identifier), self._trash)

    def undiscard(self, identifier: str) -> None:
        """Bring it back from the trash. Raises UserError."""
        self._move(self._trash / self.path(identifier).name, self._folder)

    def guard(
        self,
        record: RunRecord,
        corpus: Corpus,
        params: ModelParams,
        run: JobControl,
        more: Mapping[str, Any],
        to_the_end: bool = False,
    ) -> Guard:
        """What keeps the states of a training while it goes on. ``more``: ``source``, ``origin``
        and ``output``.
        """
        return Guard(
            self.path(record.identifier),
            self._guards,
            record,
            corpus,
            params,
            run,
            more,
            to_the_end,
        )

    def _lock(self, identifier: str) -> Path:
        return self._folder / f"{identifier}.lock"

    def _files(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        remove_abandoned_parts(self._folder)
        files = []
        for path in sorted(self._folder.iterdir()):
            if path.suffix == ".npz" and not path.name.startswith("."):
                files.append(path)
            elif path.suffix == ".lock" and left_behind(path) and not is_held(path):
                # Left by a process that was killed.
                path.unlink(missing_ok=True)
        return files

    def _set_aside(self, path: Path, reason: Exception) -> UserError | None:
        if not path.exists():
            return None
        try:
            place = self._move(path, self._damaged)
        except UserError as error:
            return error
        return UserError(
            tr(
                "What was kept of the interrupted training {stem} is damaged ({reason}).",
                stem=path.stem,
                reason=error_text(reason),
            ),
            tr("It was moved to {place}.", place=place),
        )

    def _move(self, path: Path, where: Path) -> Path:
        gone = UserError(
            tr("The training is no longer there."), tr("Another window may have taken it.")
        )
        return move(path, where, gone)
