"""Files of trainings that had not begun when their process ended.

store/waiting/<identifier>.json   the queue of one process, in order
store/waiting/<identifier>.lock   held while that process lives
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.core.atomic import cannot_write, remove_abandoned_parts, replacing
from workbench.core.errors import UserError, error_text
from workbench.core.json_text import json_text, of_json
from workbench.core.language import tr
from workbench.core.locks import Lock, is_held
from workbench.session.runs.run_record import new_identifier
from workbench.session.runs.trash import left_behind, move
from workbench.session.training.job import TrainingRequest

_FORMAT = 1
_TEXTS = ("identifier", "name", "algorithm", "group", "corpus_name", "corpus_digest", "parent")


@dataclass(frozen=True)
class Waited:
    """One training that had not begun.

    parameters : as its run would have had them; they are checked when it is trained
    parent, origin : the identifier of the run to go on with, "" for none, and what the provenance
    says of it
    source : how its corpus is opened again
    show : it is looked at when it is done
    """

    identifier: str
    name: str
    algorithm: str
    group: str
    corpus_name: str
    corpus_digest: str
    parent: str
    parameters: Mapping[str, Any]
    origin: Mapping[str, Any] | None
    source: Mapping[str, Any]
    show: bool

    @classmethod
    def of(cls, request: TrainingRequest) -> Waited:
        record = request.record
        return cls(
            record.identifier,
            record.name,
            record.algorithm,
            record.group,
            record.corpus_name,
            record.corpus_digest,
            request.parent.identifier if request.parent is not None else "",
            dict(record.parameters),
            dict(request.origin) if request.origin is not None else None,
            dict(request.source),
            request.show,
        )

    @classmethod
    def from_json(cls, values: object) -> Waited:
        """Raises ValueError where something is missing or of another kind."""
        if not isinstance(values, dict):
            raise ValueError(tr("a training is not a table"))
        texts = [values.get(name) for name in _TEXTS]
        tables = [values.get(name) for name in ("parameters", "source")]
        origin = values.get("origin")
        if not all(isinstance(text, str) for text in texts) or not all(
            isinstance(table, dict) for table in tables
        ):
            raise ValueError(tr("a training lacks what belongs to it"))
        known = {name: values[name] for name in (*_TEXTS, "parameters", "source")}
        return cls(
            **known,
            origin=origin if isinstance(origin, dict) else None,
            show=values.get("show") is True,
        )


class WaitedFiles:
    """The folder of them. Belongs to the thread of a session."""

    def __init__(self, store: Path) -> None:
        self._folder = store / "waiting"
        self._damaged = store / "damaged"
        self._own = self._folder / f"{new_identifier()}.json"
        self._lock: Lock | None = None

    def keep(self, entries: Sequence[Waited]) -> None:
        """What this process has in its queue now. A disk that cannot be written keeps nothing: the
        queue goes on.
        """
        try:
            if entries and self._lock is None:
                self._folder.mkdir(parents=True, exist_ok=True)
                self._lock = Lock.take(self._own.with_suffix(".lock"))
            if entries or self._own.exists():
                _write(self._own, entries)
        except (OSError, UserError):
            return
        if not entries:
            self.close()

    def close(self) -> None:
        """This process ends; what it has kept is for the next."""
        if self._lock is not None:
            self._lock.release()
            self._lock = None

    def find_abandoned(self) -> tuple[dict[Path, list[Waited]], list[UserError]]:
        """By file, the oldest first, what processes that are gone have left; and what was damaged
        and set aside.
        """
        found: dict[Path, list[Waited]] = {}
        problems: list[UserError] = []
        for path in self._files():
            try:
                found[path] = _read(path)
            except (OSError, ValueError, RecursionError) as error:
                problem = self._set_aside(path, error)
                if problem is not None:
                    problems.append(problem)
        return found, problems

    def take(self, path: Path, entries: Iterable[Waited]) -> list[Waited]:
        """Take these out of a file that a process has left, and say which of them were still there.
        Raises UserError where the file cannot be written.
        """
        wanted = {entry.identifier for entry in entries}
        try:
            if is_held(path.with_suffix(".lock")):
                there = []
            else:
                there = _read(path)
        except (OSError, ValueError, RecursionError):
            there = []
        taken = [entry for entry in there if entry.identifier in wanted]
        if taken:
            _write(path, [entry for entry in there if entry.identifier not in wanted])
        return taken

    def put_back(self, path: Path, entries: Sequence[Waited]) -> None:
        """Undo ``take``. Raises UserError."""
        try:
            if path.exists():
                there = _read(path)
            else:
                there = []
        except (OSError, ValueError, RecursionError):
            there = []
        _write(path, [*entries, *there])

    def _files(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        remove_abandoned_parts(self._folder)
        files = []
        for path in sorted(self._folder.iterdir()):
            if path.suffix == ".json" and not path.name.startswith("."):
                if not is_held(path.with_suffix(".lock")):
                    files.append(path)
            elif path.suffix == ".lock" and left_behind(path) and not is_held(path):
                # Left by a process that was killed.
                path.unlink(missing_ok=True)
        return files

    def _set_aside(self, path: Path, reason: Exception) -> UserError | None:
        try:
            place = move(
                path, self._damaged, UserError(tr("The list is no longer there."), ""), beside=True
            )
        except UserError as error:
            if path.exists():
                return error
            return None
        return UserError(
            tr(
                "The list of trainings that waited is damaged ({reason}).",
                reason=error_text(reason),
            ),
            tr("It was moved to {place}.", place=place),
        )


def _read(path: Path) -> list[Waited]:
    values = of_json(path.read_text(encoding="utf-8"))
    if (
        not isinstance(values, dict)
        or values.get("format") != _FORMAT
        or not isinstance(values.get("waiting"), list)
    ):
        raise ValueError(tr("it is no such list"))
    return [Waited.from_json(each) for each in values["waiting"]]


def _write(path: Path, entries: Sequence[Waited]) -> None:
    """Raises UserError. An empty list is no file."""
    if not entries:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise cannot_write(path, error) from error
        return
    with replacing(path) as part:
        text = json_text(
            {"format": _FORMAT, "waiting": [vars(entry) for entry in entries]}, indent=1
        )
        part.write_text(text, encoding="utf-8")
