"""A whole session in one file: runs with their vectors, paths of their texts, words, settings, the
window, the map.

The manifest is a JSON object:

- ``version``, ``workbench`` (the program's version), ``saved`` (UTC)
- ``corpora``: for each text ``name``, ``digest``, and how it is opened again
  (``opening.parse_remembered``); ``open``: the digest of the open one
- ``runs``: identifiers, in order; ``shown``: of the active one
- ``selection``: words; ``analogy``: the one answered last, or null
- ``settings``: the program's settings that belong to a session
- ``panels``: further state of panels, by their keys
"""

from __future__ import annotations

import dataclasses
import io
import json
import re
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.arrays import Array
from workbench.core.atomic import new_folder, replacing
from workbench.core.errors import UserError, error_text
from workbench.core.job_control import JobControl, Phase
from workbench.core.json_text import json_text
from workbench.core.language import tr
from workbench.core.version import __version__
from workbench.corpus.corpus import LISTS, CorpusOptions
from workbench.corpus.tokenise.token_filters import parse_word_list
from workbench.session.files.session_archive import (
    MANIFEST,
    SUFFIX,
    ArchiveReader,
    add,
    add_file,
    extract_arrays,
    open_archive,
)
from workbench.session.runs.migrations import VERSION, NewerRecord, migrate_manifest
from workbench.session.runs.run_record import RunRecord, now
from workbench.session.runs.snapshot_file import NAME as SNAPSHOTS
from workbench.session.runs.snapshot_file import load_snapshots, save_snapshots
from workbench.session.runs.store import Store, read_record, record_json
from workbench.session.runs.vector_loader import loader
from workbench.session.settings.session_settings import session_settings
from workbench.vectors.embeddings import Embeddings

# Fields that say how to open a text again.
_REFERENCE = {
    "name": str,
    "digest": str,
    "sample": str,
    "counts": str,
    "paths": list,
    "options": dict,
}
_MOST_TYPED = 1 << 20
_IDENTIFIER = re.compile(r"[0-9A-Za-z-]{1,64}")


@dataclass(frozen=True)
class Contents:
    """Contents of a session file besides its runs. Everything but ``panels`` is JSON.

    corpora : for each text how it is opened again, with ``name`` and ``digest``
    open, shown : digest of the open corpus and identifier of the active run, or ""
    panels : state by the key of the panel; may contain numpy arrays
    """

    corpora: tuple[Mapping[str, Any], ...] = ()
    open: str = ""
    shown: str = ""
    selection: tuple[str, ...] = ()
    analogy: Mapping[str, Any] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    panels: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class OpenedSession:
    """The result of opening a session file. ``records``: the runs that were not in the store; runs
    that could not be saved there carry their vectors, and ``unkept`` says why. ``here``:
    identifiers of the runs that were in the store. ``problems``: errors of parts that could not be
    read.
    """

    path: Path
    contents: Contents
    records: tuple[RunRecord, ...]
    here: tuple[str, ...]
    problems: tuple[UserError, ...]
    unkept: tuple[UserError, ...] = ()


def reference(source: Mapping[str, Any], *, saved: bool) -> dict[str, Any]:
    """The allowed part of a source, which says how a text is opened again: known fields only, and
    no paths of word lists.

    saved : the session is being saved, and the words of a list replace its path if they fit in a
    line. When a session is opened, such paths are dropped, because any file that they name would be
    read.
    """
    known = {
        name: source[name]
        for name, kind in _REFERENCE.items()
        if isinstance(source.get(name), kind)
    }
    options = known.get("options", {})
    names = {spec.name for spec in CorpusOptions.specs()}
    options = {name: value for name, value in options.items() if name in names}
    for name in LISTS:
        value = options.get(name)
        if isinstance(value, str) and value.strip().startswith("@"):
            if saved:
                options[name] = _typed_words(value.strip())
            else:
                options[name] = ""
    if "options" in known:
        return {**known, "options": options}
    return known


def _typed_words(value: str) -> str:
    """The words of a list in a file as a user would type them; "" if they can't be typed."""
    try:
        words = parse_word_list(value)
    except UserError:
        return ""
    fits = 0 < sum(map(len, words)) < _MOST_TYPED and not any(
        "," in word or len(word.split()) != 1 for word in words
    )
    # A first word with “@” would name a file again.
    if fits and not words[0].startswith("@"):
        return " ".join(words)
    return ""


def _shared_record(record: RunRecord, *, saved: bool) -> RunRecord:
    """A run as a session file may contain it: only the allowed part of its source remains."""
    source = record.summary.get("source")
    if not isinstance(source, Mapping):
        return record
    return dataclasses.replace(
        record, summary={**record.summary, "source": reference(source, saved=saved)}
    )


def corpora_of(
    records: Sequence[RunRecord], source: Mapping[str, Any], digest: str, name: str
) -> list[dict[str, Any]]:
    """The texts that runs were trained on, and the open text, each once."""
    found: dict[str, dict[str, Any]] = {}
    if digest:
        found[digest] = {**source, "digest": digest, "name": name}
    for record in records:
        if record.corpus_digest and record.corpus_digest not in found:
            kept = record.summary.get("source")
            known = dict(kept) if isinstance(kept, Mapping) else {}
            found[record.corpus_digest] = {
                **known,
                "digest": record.corpus_digest,
                "name": record.corpus_name,
            }
    return list(found.values())


def save_session(
    path: Path, store: Store, records: Sequence[RunRecord], contents: Contents, run: JobControl
) -> None:
    """In a job: write a session file completely or not at all. Raises UserError and Cancelled.

    If the vectors of a run can no longer be read, the run is reported and nothing is written.
    """
    run.enter(Phase.SAVING, tr("Saving {name}", name=path.name))
    arrays: list[Array] = []
    manifest = {
        "version": VERSION,
        "workbench": __version__,
        "saved": now(),
        **{name: value for name, value in dataclasses.asdict(contents).items() if name != "panels"},
        "corpora": [reference(corpus, saved=True) for corpus in contents.corpora],
        "settings": session_settings(contents.settings),
        "runs": [record.identifier for record in records],
        "panels": extract_arrays(contents.panels, arrays),
    }
    with replacing(path) as part, zipfile.ZipFile(part, "w") as archive:
        # Add the manifest first, so that the first bytes identify a session.
        add(archive, MANIFEST, json_text(manifest, allow_nan=False).encode())
        for number, array in enumerate(arrays):
            buffer = io.BytesIO()
            np.lib.format.write_array(
                buffer, np.ascontiguousarray(array), version=(1, 0), allow_pickle=False
            )
            add(archive, f"arrays/{number}.npy", buffer.getvalue())
        for number, record in enumerate(records):
            run.advance(number / len(records), tr("Saving {name}", name=record.name))
            add(
                archive,
                f"runs/{record.identifier}/run.json",
                json.dumps(record_json(_shared_record(record, saved=True))).encode(),
            )
            _add_vectors(archive, f"runs/{record.identifier}/vectors.npz", store, record, run)
            _add_snapshots(archive, f"runs/{record.identifier}/{SNAPSHOTS}", store, record, run)


def _add_vectors(
    archive: zipfile.ZipFile, name: str, store: Store, record: RunRecord, run: JobControl
) -> None:
    from workbench.vectors.formats import save_vectors

    if record.stored:
        try:
            with store.vectors_path(record.identifier).open("rb") as file:
                add_file(archive, name, file, run)
            return
        except FileNotFoundError as error:
            if record.embeddings is None:
                raise UserError(
                    tr("{name} is no longer in the store.", name=record.name),
                    tr("Delete the run from the list."),
                ) from error
    with tempfile.TemporaryDirectory(prefix="workbench-") as folder:
        vectors_file = Path(folder) / "vectors.npz"
        save_vectors(loader(store, record)(), vectors_file, "npz")
        with vectors_file.open("rb") as file:
            add_file(archive, name, file, run)


def _add_snapshots(
    archive: zipfile.ZipFile, name: str, store: Store, record: RunRecord, run: JobControl
) -> None:
    """Add the states of a training that were saved with its run, or else those in memory."""
    saved = store.run_folder(record.identifier) / SNAPSHOTS
    with tempfile.TemporaryDirectory(prefix="workbench-") as folder:
        if not saved.is_file():
            saved = Path(folder) / SNAPSHOTS
            save_snapshots(saved, record.history.frames)
        with suppress(FileNotFoundError), saved.open("rb") as file:
            add_file(archive, name, file, run)


def read_contents(path: Path) -> tuple[Contents, tuple[str, ...]]:
    """The contents and the identifiers of the runs, without reading the runs. Raises UserError."""
    with open_archive(path) as archive:
        return _parse_contents(archive, path)


def open_session(path: Path, store: Store, run: JobControl) -> OpenedSession:
    """In a job: import the runs of a session file into the store. Raises UserError and Cancelled.

    A run that is already in the store stays unchanged; a damaged one is reported, and the rest is
    opened.
    """
    run.enter(Phase.READING, tr("Opening {name}", name=path.name))
    records, here, problems = [], [], []
    unkept: list[UserError] = []
    with open_archive(path) as archive:
        contents, identifiers = _parse_contents(archive, path)
        for number, identifier in enumerate(identifiers):
            run.check()
            run.advance(number / len(identifiers))
            if store.holds(identifier):
                here.append(identifier)
                continue
            try:
                records.append(_import_run(archive, identifier, store, run, unkept))
            except UserError as error:
                problems.append(error)
    return OpenedSession(
        path, contents, tuple(records), tuple(here), tuple(problems), tuple(unkept)
    )


def _import_run(
    archive: ArchiveReader, identifier: str, store: Store, run: JobControl, unkept: list[UserError]
) -> RunRecord:
    """Import one run, checked before it is moved to the store; if it can’t be saved there, the
    error is appended to ``unkept``. Raises UserError.
    """
    from workbench.vectors.formats import load_vectors

    try:
        record = read_record(identifier, archive.json(f"runs/{identifier}/run.json"))
        record = _shared_record(record, saved=False)
    except NewerRecord as error:
        raise UserError(
            tr(
                "Couldn’t open run {identifier}: {error}.",
                identifier=identifier,
                error=error,
            ),
            tr("Install the latest version to open the session."),
        ) from error
    except ValueError as error:
        raise archive.error(
            tr("run {identifier}: {error}", identifier=identifier, error=error_text(error))
        ) from error
    with tempfile.TemporaryDirectory(prefix="workbench-") as folder:
        try:
            with new_folder(store.run_folder(identifier)) as part:
                _unpack(archive, record, part, run)
            return record
        except UserError as error:
            # The run is damaged, or the store can’t be written: show the run from memory.
            run_folder = Path(folder)
            _unpack(archive, record, run_folder, run)
            record.embeddings = _load_fully(load_vectors(run_folder / "vectors.npz", "npz"))
            record.history.restore(load_snapshots(run_folder / SNAPSHOTS, record.embeddings))
            record.stored = False
            unkept.append(error)
            return record


def _unpack(archive: ArchiveReader, record: RunRecord, folder: Path, run: JobControl) -> None:
    from workbench.vectors.formats import load_vectors

    name = f"runs/{record.identifier}/vectors.npz"
    if name not in archive.names:
        raise archive.error(tr("the vectors of {name} are missing", name=record.name))
    archive.copy(name, folder / "vectors.npz", run)
    archive.prove_arrays(folder / "vectors.npz")
    try:
        load_vectors(folder / "vectors.npz", "npz")
    except UserError as error:
        raise archive.error(tr("the vectors of {name} are damaged", name=record.name)) from error
    snapshots = f"runs/{record.identifier}/{SNAPSHOTS}"
    if snapshots in archive.names:
        archive.copy(snapshots, folder / SNAPSHOTS, run)
        archive.prove_arrays(folder / SNAPSHOTS)
    (folder / "run.json").write_text(json_text(record_json(record), indent=1), encoding="utf-8")


def _load_fully(read: Embeddings) -> Embeddings:
    """Copy all arrays into memory, because their file is about to be deleted."""
    tables: dict[str, Any] = {
        part.name: np.array(value)
        for part in dataclasses.fields(read)
        if isinstance(value := getattr(read, part.name), np.ndarray)
    }
    if not isinstance(read.vectors, np.ndarray):
        tables["vectors"] = read.vectors.copy()
    return dataclasses.replace(read, **tables)


def _parse_contents(archive: ArchiveReader, path: Path) -> tuple[Contents, tuple[str, ...]]:
    manifest = migrate_manifest(archive.json(MANIFEST), path.name)
    runs, corpora, selection = (manifest.get(name, []) for name in ("runs", "corpora", "selection"))
    settings, panels, analogy = (
        manifest.get("settings", {}),
        manifest.get("panels", {}),
        manifest.get("analogy"),
    )
    sound = (
        isinstance(runs, list)
        and all(isinstance(name, str) and _IDENTIFIER.fullmatch(name) for name in runs)
        and len(set(runs)) == len(runs)
        and isinstance(corpora, list)
        and all(isinstance(corpus, dict) for corpus in corpora)
        and isinstance(selection, list)
        and all(isinstance(word, str) for word in selection)
        and isinstance(settings, dict)
        and isinstance(panels, dict)
        and (analogy is None or isinstance(analogy, dict))
    )
    if not sound:
        raise archive.error(tr("its manifest isn’t valid"))
    archive.known = True
    contents = Contents(
        corpora=tuple(reference(corpus, saved=False) for corpus in corpora),
        open=str(manifest.get("open", "")),
        shown=str(manifest.get("shown", "")),
        selection=tuple(selection),
        analogy=analogy,
        settings=session_settings(settings),
        panels=archive.restore_arrays(panels),
    )
    return contents, tuple(runs)


def with_suffix(path: Path) -> Path:
    """The file name of a saved session, with its suffix."""
    if path.suffix == SUFFIX:
        return path
    return path.with_name(path.name + SUFFIX)
