"""Finished runs on disk: complete or absent, one folder each, shared by any number of processes.

store/runs/<identifier>/run.json      description, provenance, loss trace
                        vectors.npz   words, vectors, contexts, counts
                        snapshots.npz states of its training, if there are any
store/interrupted/, store/waiting/    trainings whose process ended first (see ``journal``)
store/trash/<identifier>              deleted runs, until they are restored
store/damaged/<identifier>            runs that could not be read; nothing is ever discarded
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.analysis.history.trajectory import TrainingFrame
from workbench.core.atomic import cannot_write, new_folder, remove_abandoned_parts, replacing
from workbench.core.errors import UserError, error_text
from workbench.core.json_text import json_text
from workbench.core.language import tr, trn
from workbench.core.paths import store_folder
from workbench.session.runs.history import TrainingHistory
from workbench.session.runs.journal import Journal
from workbench.session.runs.migrations import RECORD, NewerRecord, migrate_record
from workbench.session.runs.run_record import RunRecord, State, divergence, read_trace
from workbench.session.runs.snapshot_file import NAME as SNAPSHOTS
from workbench.session.runs.snapshot_file import keep_within, load_snapshots, save_snapshots
from workbench.session.runs.trash import move, set_aside
from workbench.vectors.embeddings import Embeddings

_RECORD = "run.json"
_VECTORS = "vectors.npz"


class NewerRuns(UserError):
    """Runs of the store that a newer version wrote."""

    def __init__(self, identifiers: Sequence[str]) -> None:
        message = trn(
            "The run {name} was saved by a newer version of Embedding Workbench.",
            "{number} runs were saved by a newer version of Embedding Workbench.",
            len(identifiers),
            name=identifiers[0],
        )
        super().__init__(
            message, tr("Nothing was changed. Install the latest version to open these runs.")
        )


class Store:
    """The folder of finished runs. Methods may be called from any thread."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or store_folder()
        self._runs = self.folder / "runs"
        self._trash = self.folder / "trash"
        self._damaged = self.folder / "damaged"
        self.journal = Journal(self.folder)

    def save(self, record: RunRecord, embeddings: Embeddings) -> None:
        """Write a finished run; it appears in the store complete or not at all. Raises
        UserError.
        """
        from workbench.vectors.formats import save_vectors

        try:
            with new_folder(self._runs / record.identifier) as part:
                save_vectors(embeddings, part / _VECTORS, "npz")
                _write_json(part / _RECORD, record_json(record))
                save_snapshots(part / SNAPSHOTS, record.history.frames)
        except OSError as error:
            raise cannot_write(self._runs, error) from error
        record.history.saved = True
        keep_within(sorted(self._runs.glob(f"*/{SNAPSHOTS}")))

    def load(self) -> tuple[list[RunRecord], list[UserError]]:
        """Every run, oldest first, without vectors; and the errors of runs that are damaged, which
        are set aside, or of a newer version.

        Runs of a newer version stay where they are, for that version to read; one ``NewerRuns``
        reports them.
        """
        records: list[RunRecord] = []
        problems: list[UserError] = []
        newer = []
        for folder in self._folders():
            try:
                record = read_record(folder.name, _read_json(folder / _RECORD))
                if not zipfile.is_zipfile(folder / _VECTORS):
                    raise ValueError(tr("its vectors are missing or truncated"))
            except NewerRecord:
                newer.append(folder.name)
            except (OSError, ValueError) as error:
                problem = self._set_aside(folder, error)
                if problem is not None:
                    problems.append(problem)
            else:
                records.append(record)
        if newer:
            problems.append(NewerRuns(newer))
        return records, problems

    def vectors(self, identifier: str) -> Embeddings:
        """The vectors of a run. Raises UserError; a damaged run is set aside."""
        from workbench.vectors.formats import load_vectors

        path = self.vectors_path(identifier)
        if not path.is_file():
            raise UserError(
                tr("This run is no longer in the store."),
                tr("Train the run again, or restore it from the trash."),
            )
        try:
            return load_vectors(path, "npz")
        except (UserError, OSError, ValueError) as error:
            raise self._set_aside(path.parent, error) or _not_stored() from error

    def snapshots(self, identifier: str, embeddings: Embeddings) -> tuple[TrainingFrame, ...]:
        """The states of a run’s training that were saved with its vectors ``embeddings``; may be
        empty.
        """
        return load_snapshots(self.run_folder(identifier) / SNAPSHOTS, embeddings)

    def vectors_path(self, identifier: str) -> Path:
        """The file of a run's vectors, for commands that read it."""
        return self._runs / identifier / _VECTORS

    def run_folder(self, identifier: str) -> Path:
        """Folder of a run, whether or not it exists."""
        return self._runs / identifier

    def rename(self, identifier: str, name: str) -> None:
        """Give a run another name. Raises UserError if that cannot be written."""
        self.mark(identifier, {"name": name})

    def mark(self, identifier: str, marks: Mapping[str, Any]) -> None:
        """Write the changeable fields of a run (``RunRecord.marks``). Raises UserError if they
        cannot be written.
        """
        path = self._runs / identifier / _RECORD
        try:
            values = migrate_record(_read_json(path))
        except NewerRecord as error:
            raise NewerRuns([identifier]) from error
        except (OSError, ValueError) as error:
            raise _not_stored() from error
        try:
            with replacing(path) as part:
                _write_json(part, {**values, **marks})
        except UserError as error:
            if self.holds(identifier):
                raise
            # Another process has moved it to the trash since it was read.
            raise _not_stored() from error

    def holds(self, identifier: str) -> bool:
        """Whether the store contains a run; another process may have moved it to the trash."""
        return (self._runs / identifier).is_dir()

    def delete(self, identifier: str) -> None:
        """Move a run to the trash. Raises UserError."""
        self._move(self._runs / identifier, self._trash)

    def undelete(self, identifier: str) -> None:
        """Restore a run from the trash, unless it is back in the store already. Raises
        UserError.
        """
        if self.holds(identifier):
            return
        self._move(self._trash / identifier, self._runs)

    def _folders(self) -> list[Path]:
        if not self._runs.is_dir():
            return []
        remove_abandoned_parts(self._runs)
        return [
            folder for folder in sorted(self._runs.iterdir()) if not folder.name.startswith(".")
        ]

    def _set_aside(self, folder: Path, reason: Exception) -> UserError | None:
        return set_aside(
            folder,
            self._damaged,
            tr(
                "The run {name} is damaged ({reason}).", name=folder.name, reason=error_text(reason)
            ),
            lambda place: tr("The rest of the run was moved to {place}.", place=place),
        )

    def _move(self, folder: Path, where: Path) -> Path:
        gone = UserError(
            tr("The run {name} no longer exists.", name=folder.name),
            tr("Another window may have moved or deleted the run."),
        )
        return move(folder, where, gone, beside=True)


def _not_stored() -> UserError:
    return UserError(tr("This run is no longer in the store."), tr("Train the run again."))


def _write_json(path: Path, values: Mapping[str, Any]) -> None:
    path.write_text(json_text(values, indent=1), encoding="utf-8")


def _read_json(path: Path) -> dict[str, Any]:
    """The JSON object in a file. Raises OSError, and ValueError if it contains none."""
    try:
        values = json.loads(path.read_text(encoding="utf-8"))
    except RecursionError:
        raise ValueError(tr("its record is nested too deeply")) from None
    except ValueError:
        raise ValueError(tr("its record isn’t JSON")) from None
    if not isinstance(values, dict):
        raise ValueError(tr("its record isn’t a JSON object"))
    return values


def record_json(record: RunRecord) -> dict[str, Any]:
    """A run as its ``run.json``."""
    trace = record.trace
    return {
        "format": RECORD,
        "name": record.name,
        "algorithm": record.algorithm,
        "parameters": dict(record.parameters),
        "corpus_name": record.corpus_name,
        "corpus_digest": record.corpus_digest,
        "created": record.created,
        "colour": record.colour,
        "state": record.state.value,
        "star": record.star,
        "note": record.note,
        "group": record.group,
        "summary": dict(record.summary),
        "trace": {
            "progress": trace.progress.tolist(),
            "loss": trace.loss.tolist(),
            "seconds": trace.seconds.tolist(),
            "error": trace.error.tolist(),
        },
    }


def read_record(identifier: str, values: Mapping[str, Any]) -> RunRecord:
    """A run from its ``run.json``. Raises ValueError saying what is wrong."""
    values = migrate_record(dict(values))

    def field(name: str, kind: type) -> Any:
        value = values.get(name)
        if not isinstance(value, kind) or isinstance(value, bool) is not (kind is bool):
            raise ValueError(tr("“{name}” is missing or isn’t valid in its record", name=name))
        return value

    state = field("state", str)
    if state not in (State.DONE, State.STOPPED):
        raise ValueError(tr("its state is “{state}”", state=state))
    return RunRecord(
        identifier=identifier,
        name=field("name", str),
        algorithm=field("algorithm", str),
        parameters=field("parameters", dict),
        corpus_name=field("corpus_name", str),
        corpus_digest=field("corpus_digest", str),
        created=field("created", str),
        colour=max(0, field("colour", int)),
        state=State(state),
        star=field("star", bool),
        note=field("note", str),
        group=field("group", str),
        saved_trace=read_trace(values.get("trace")),
        summary=field("summary", dict),
        error=divergence(field("summary", dict)),
        stored=True,
        history=TrainingHistory(unread=True),
    )
