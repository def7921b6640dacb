"""Trainings that were under way when their process ended: kept from time to time, and found by the next one.

store/interrupted/<identifier>.npz   the last good state, whole, with its provenance and what it was part of
                  <identifier>.lock  held by the process that trains it, as long as that lives
"""

from __future__ import annotations

import dataclasses
import json
import math
import threading
import time
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.atomic import cannot_write
from workbench.core.errors import Cancelled, UserError
from workbench.core.language import tr
from workbench.core.locks import Lock, held
from workbench.core.reading import DAMAGE, texts_of
from workbench.core.run import Run
from workbench.core.threads import step_back
from workbench.corpus.corpus import Corpus
from workbench.models.base import MODELS, ModelParams
from workbench.models.continuing import PASSES, Kept
from workbench.session.continuing import ancestry
from workbench.session.records import RunRecord, State, now, read_trace
from workbench.session.training import finished, provenance
from workbench.vectors.embeddings import Embeddings

# Of a training, in seconds: before the first state is kept, and between two at most where the trainer has a new one.
FIRST, BETWEEN = 20.0, 40.0
# A state is also kept whenever so much more of the training is done.
STEP = 0.1
# Writing may take this share of the time.
SHARE = 0.03
_LOOK = 1.0
_TOLD = "interrupted"
_MOST_METADATA = 64 << 20
_DAY = 86_400.0
_DAMAGE = (*DAMAGE, OSError)


@dataclass(frozen=True)
class Interrupted:
    """A training that did not come to its end, as far as it is kept.

    progress : share of the training that the kept state has behind it, 0..1
    source : how its corpus is opened again, as the settings remember one (``opening.remembered``)
    group : of the grid it belongs to, or ""
    output : the file that the command line was to write, or ""
    """

    identifier: str
    name: str
    algorithm: str
    parameters: Mapping[str, Any]
    corpus_name: str
    corpus_digest: str
    source: Mapping[str, Any]
    progress: float
    colour: int
    created: str
    group: str = ""
    output: str = ""

    @property
    def left(self) -> int:
        """Passes still to be made, one at least: what was broken off in the middle is made whole."""
        asked = float(self.parameters.get(MODELS[self.algorithm].passes, 1))
        # Not one more for the last bit of a float.
        return max(math.ceil(asked * (1.0 - self.progress) - 1e-6), 1)


class Interruptions:
    """The folder of them. Methods may be called from any thread."""

    def __init__(self, store: Path) -> None:
        self._folder = store / "interrupted"
        self._trash = store / "trash"
        self._damaged = store / "damaged"
        # Of the trainings that this process has under way.
        self._guards: set[Guard] = set()

    def write_now(self) -> int:
        """Keep the last good state of every training that this process has under way; how many there are.

        For the case that the process is about to end: what is due is not waited for.
        """
        return sum(guard.write_now() for guard in tuple(self._guards))

    def path(self, identifier: str) -> Path:
        """The file of its state, for commands that read it."""
        return self._folder / f"{identifier}.npz"

    def found(self) -> tuple[list[Interrupted], list[UserError]]:
        """Those whose process is gone, the oldest first; and what was found damaged and set aside."""
        entries, problems = [], []
        for path in self._files():
            identifier = path.stem
            if held(self._lock(identifier)):
                continue
            try:
                entries.append(_entry(identifier, _metadata(path)))
            except _DAMAGE as error:
                problem = self._set_aside(path, error)
                if problem is not None:
                    problems.append(problem)
        return entries, problems

    def take(self, entry: Interrupted) -> tuple[RunRecord, Embeddings]:
        """An interrupted training as a run that was stopped, and its vectors. Nothing is removed yet.

        Raises UserError where it is gone or damaged.
        """
        from workbench.vectors.formats import load_vectors

        path = self.path(entry.identifier)
        if not path.is_file() or held(self._lock(entry.identifier)):
            raise UserError(
                tr("“{name}” is no longer there to go on with.", name=entry.name),
                tr("Another window may have taken it meanwhile."),
            )
        try:
            kept = load_vectors(path, "npz")
            known = dict(kept.metadata)
            told = known.pop(_TOLD)
            trace = read_trace(told["trace"])
            params = MODELS[entry.algorithm].params_type.from_mapping(entry.parameters)
        except (UserError, *_DAMAGE, TypeError) as error:
            raise self._set_aside(path, error) or UserError(
                tr("“{name}” is no longer there.", name=entry.name)
            ) from error
        made = finished(kept, params)
        made = dataclasses.replace(made, metadata={**made.metadata, **known})
        record = RunRecord(
            identifier=entry.identifier,
            name=entry.name,
            algorithm=entry.algorithm,
            parameters=entry.parameters,
            corpus_name=entry.corpus_name,
            corpus_digest=entry.corpus_digest,
            created=entry.created,
            colour=entry.colour,
            state=State.STOPPED,
            saved_trace=trace,
            group=entry.group,
            summary={**made.metadata, "vocabulary": len(made), "dim": made.dim},
        )
        return record, made

    def forget(self, identifier: str) -> None:
        """Remove what is kept of a training, because it is kept elsewhere or was thrown away."""
        self.path(identifier).unlink(missing_ok=True)
        lock = self._lock(identifier)
        if not held(lock):
            lock.unlink(missing_ok=True)

    def discard(self, identifier: str) -> None:
        """Move it to the trash. Raises UserError."""
        self._move(self.path(identifier), self._trash)

    def undiscard(self, identifier: str) -> None:
        """Bring it back from the trash. Raises UserError."""
        self._move(self._trash / self.path(identifier).name, self._folder)

    def guard(self, record: RunRecord, corpus: Corpus, params: ModelParams, run: Run, more: Mapping[str, Any]) -> Guard:
        """What keeps the states of a training while it goes on. ``more``: ``source``, ``origin`` and ``output``."""
        return Guard(self, record, corpus, params, run, more)

    def watch(self, guard: Guard, live: bool) -> None:
        """Count a guard among those that ``write_now`` asks, or no longer."""
        (self._guards.add if live else self._guards.discard)(guard)

    def _lock(self, identifier: str) -> Path:
        return self._folder / f"{identifier}.lock"

    def _files(self) -> list[Path]:
        if not self._folder.is_dir():
            return []
        files = []
        for path in sorted(self._folder.iterdir()):
            if path.suffix == ".npz" and not path.name.startswith("."):
                files.append(path)
            elif path.suffix in (".part", ".lock") and _age(path) > _DAY and not held(path):
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
                "What was kept of the interrupted training {stem} is damaged ({reason}).", stem=path.stem, reason=reason
            ),
            tr("It was moved to {place}.", place=place),
        )

    def _move(self, path: Path, where: Path) -> Path:
        target = where / path.name
        try:
            where.mkdir(parents=True, exist_ok=True)
            path.replace(target)
        except FileNotFoundError as error:
            raise UserError(tr("The training is no longer there."), tr("Another window may have taken it.")) from error
        except OSError as error:
            raise cannot_write(target, error) from error
        return target


class Guard:
    """Keeps the last good state of a training on disk, from a thread of its own: ``with guard: ...; guard.done()``.

    Nothing is written in the first seconds. A training that ends by ``done``, or that was thrown away, leaves nothing;
    one that ends otherwise leaves its last state. What cannot be written is tried again at the next state.
    """

    def __init__(
        self,
        shelf: Interruptions,
        record: RunRecord,
        corpus: Corpus,
        params: ModelParams,
        run: Run,
        more: Mapping[str, Any],
    ) -> None:
        self._shelf = shelf
        self._record = record
        self._corpus = corpus
        self._params = params
        self._run = run
        self._more = more
        self._created = now()
        self._over = threading.Event()
        self._writing = threading.Lock()
        self._thread = threading.Thread(target=self._watch, name=f"keeping: {record.name}")
        self._lock: Lock | None = None
        self._done = False
        self.written = 0

    def __enter__(self) -> Guard:
        if MODELS[self._record.algorithm].loss_label:
            self._thread.start()
            self._shelf.watch(self, True)
        return self

    def hold(self) -> None:
        """Take what was kept of it before for this process's. Raises UserError where another has it."""
        path = self._shelf.path(self._record.identifier)
        self._lock = Lock.take(path.with_suffix(".lock"))
        if self._lock is None:
            raise UserError(tr("Another process goes on with this training."), tr("Wait until it has ended."))

    def done(self) -> None:
        """The result is safe elsewhere."""
        self._done = True

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> None:
        self._over.set()
        self._shelf.watch(self, False)
        if self._thread.ident is not None:
            self._thread.join()
        with self._writing:
            if self._lock is None:
                return
            # Cancelled because the window closes: somebody may want to go on tomorrow.
            cancelled = kind is not None and issubclass(kind, Cancelled)
            if self._done or (cancelled and self._record.discarded):
                self._shelf.path(self._record.identifier).unlink(missing_ok=True)
            self._lock.release()

    def _watch(self) -> None:
        step_back()
        began = time.monotonic()
        last, progress, spent, seen = -math.inf, 0.0, 0.0, None
        while not self._over.wait(min(_LOOK, FIRST / 4)):
            at = time.monotonic()
            kept = self._run.latest("kept")
            if not isinstance(kept, Kept) or kept is seen or at - began < FIRST:
                continue
            due = at - last >= BETWEEN or kept.progress - progress >= STEP
            if not due or (self.written and spent * (1 + 1 / self.written) > SHARE * (at - began)):
                continue
            seen, last, progress = kept, at, kept.progress
            if self.write(kept):
                self.written += 1
            spent += time.monotonic() - at

    def write_now(self) -> bool:
        """Put the last good state on disk although none is due, from any thread; whether one is there."""
        kept = self._run.latest("kept")
        with self._writing:
            return not self._over.is_set() and isinstance(kept, Kept) and kept.progress > 0 and self._put(kept)

    def write(self, kept: Kept) -> bool:
        """Put a state on disk, in place of the one before; whether that went well."""
        with self._writing:
            return self._put(kept)

    def _put(self, kept: Kept) -> bool:
        from workbench.vectors.formats import save_vectors

        path = self._shelf.path(self._record.identifier)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if self._lock is None:
                self._lock = Lock.take(path.with_suffix(".lock"))
                if self._lock is None:
                    return False
            save_vectors(self._stamped(kept), path, "npz")
        except (UserError, OSError):
            return False
        return True

    def _stamped(self, kept: Kept) -> Embeddings:
        """The state with its provenance, as that of a run stopped here, and what it takes to offer it."""
        known = provenance(self._corpus, self._record.algorithm, self._params, self._run, self._created)
        if PASSES in kept.embeddings.state:
            known["passes"] = float(kept.embeddings.state[PASSES])
        origin = self._more.get("origin")
        if origin is not None:
            known["continued"] = dict(origin)
        trace = self._run.trace
        behind = trace.progress <= kept.progress
        columns = {name: getattr(trace, name)[behind].tolist() for name in ("progress", "loss", "seconds", "error")}
        record = self._record
        known |= {
            "stopped": True,
            _TOLD: {
                "name": record.name,
                "colour": record.colour,
                "group": record.group,
                "progress": kept.progress,
                "source": dict(self._more.get("source") or {}),
                "output": str(self._more.get("output") or ""),
                "trace": columns,
            },
        }
        return dataclasses.replace(kept.embeddings, metadata={**kept.embeddings.metadata, **known})


def _metadata(path: Path) -> dict[str, Any]:
    """The provenance alone, without the vectors. Raises what damaged files raise."""
    with zipfile.ZipFile(path) as archive:
        info = archive.getinfo("metadata.npy")
        if info.file_size > _MOST_METADATA:
            raise ValueError("its description is too long")
        with archive.open(info) as file:
            text = texts_of(np.lib.format.read_array(file, allow_pickle=False))[0]
    try:
        known = json.loads(text)
    except RecursionError:
        raise ValueError("its description is nested too deeply") from None
    if not isinstance(known, dict):
        raise ValueError("it does not say what it is")
    return known


def _entry(identifier: str, known: Mapping[str, Any]) -> Interrupted:
    """Raises ValueError saying what is wrong."""
    told, corpus, algorithm = known.get(_TOLD), known.get("corpus"), known.get("algorithm")
    parameters = known.get("parameters")
    if not isinstance(told, dict) or not isinstance(corpus, dict) or not isinstance(parameters, dict):
        raise ValueError("it does not say what it is")
    if not isinstance(algorithm, str) or algorithm not in MODELS:
        raise ValueError(f"its algorithm {algorithm!r} is not known")
    progress, colour = told.get("progress"), told.get("colour", 0)
    if not isinstance(progress, (int, float)) or isinstance(progress, bool) or not 0 <= progress <= 1:
        raise ValueError("it does not say how far it was")
    if not isinstance(colour, int) or not isinstance(told.get("source"), dict):
        raise ValueError("it does not say what it is of")
    kind = MODELS[algorithm]
    try:
        kind.params_type.from_mapping(parameters)
    except UserError as error:
        raise ValueError(f"its parameters are wrong: {error.message}") from None
    read_trace(told.get("trace"))
    ancestry(known)
    return Interrupted(
        identifier=identifier,
        name=str(told.get("name", "")) or kind.short,
        algorithm=algorithm,
        parameters=parameters,
        corpus_name=str(corpus.get("name", "")),
        corpus_digest=str(corpus.get("digest", "")),
        source=told["source"],
        progress=float(progress),
        colour=max(0, colour),
        created=str(known.get("created", "")),
        group=str(told.get("group", "")),
        output=str(told.get("output", "")),
    )


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except OSError:
        return 0.0
