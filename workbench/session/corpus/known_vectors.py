"""Known vectors: downloaded once, then kept in a file whose large tables are mapped into memory, so
that millions of words open at once.
"""

from __future__ import annotations

import dataclasses
import json
from pathlib import Path

from workbench.core.atomic import replacing
from workbench.core.errors import NotEnoughMemory, UserError
from workbench.core.job_control import JobControl, Phase
from workbench.core.json_text import json_of_file
from workbench.core.language import tr
from workbench.corpus.catalogue import Kind, data_entry
from workbench.corpus.catalogue.download import fetch, prove_disk
from workbench.corpus.catalogue.entry import CatalogueEntry
from workbench.vectors.embeddings import Embeddings
from workbench.vectors.formats import load_vectors, save_vectors

# Bytes of unpacked vectors, as a multiple of the download, and of the file that is kept.
_UNPACKED, _KEPT = 3, 3
# Maximum bytes of a word and its vector in the file that is kept.
_ROW = 2048


@dataclasses.dataclass(frozen=True)
class VectorChoice:
    """What is kept of vectors: their first ``words`` (0: all), rounded to float16 or not."""

    words: int = 0
    half: bool = False


def kept_file(entry: CatalogueEntry) -> Path:
    """Where the file is that opens at once."""
    return entry.place.parent / f"{entry.key}.npz"


def kept_choice(entry: CatalogueEntry) -> VectorChoice | None:
    """What was chosen when the file was made, None without a file."""
    if not kept_file(entry).is_file():
        return None
    try:
        known = json_of_file(_choice_file(entry))
        return VectorChoice(int(known["words"]), bool(known["half"]))
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep_vectors(
    entry: CatalogueEntry,
    choice: VectorChoice,
    run: JobControl | None = None,
    again: bool = False,
) -> Path:
    """The file with this choice of known vectors, downloaded and made if missing. Raises UserError
    and Cancelled.
    """
    run = run or JobControl()
    known = kept_file(entry)
    if kept_choice(entry) == choice and not again:
        return known
    path = fetch(entry, run, again)
    size = sum(entry.place_of(file).stat().st_size for file in entry.files)
    kept = min(size * _KEPT, (choice.words or size) * _ROW)
    prove_disk(entry, known.parent, size if entry.folder else size * _UNPACKED + kept)
    run.enter(Phase.READING, tr("Loading the vectors of {name}", name=entry.title))
    run.check()
    try:
        found = load_vectors(path, limit=choice.words)
    except NotEnoughMemory:
        # The download is whole.
        raise
    except UserError as error:
        raise _unreadable(entry, error) from error
    run.check()
    run.enter(Phase.SAVING)
    metadata = {**found.metadata, "source": entry.source, "licence": entry.licence}
    save_vectors(dataclasses.replace(found, metadata=metadata), known, half=choice.half)
    with replacing(_choice_file(entry)) as temporary:
        temporary.write_text(json.dumps(dataclasses.asdict(choice)), encoding="utf-8")
    return known


def _unreadable(entry: CatalogueEntry, error: UserError) -> UserError:
    """The error for a download that can’t be read. Without a checksum, nothing showed that it was
    whole: it is deleted, so that the next try downloads it again.
    """
    for file in entry.files:
        if not file.checksum:
            entry.place_of(file).unlink(missing_ok=True)
    return UserError(
        tr("Couldn’t read the download of {title}: {why}", title=entry.title, why=error.message),
        tr("Try again later, or see {source}.", source=entry.source),
    )


def open_known(
    entry: CatalogueEntry, choice: VectorChoice | None = None, run: JobControl | None = None
) -> Embeddings:
    """Known vectors: with this choice, or as they were kept last, or else all of them. Raises
    UserError and Cancelled.
    """
    run = run or JobControl()
    path = keep_vectors(entry, choice or kept_choice(entry) or VectorChoice(), run)
    run.enter(Phase.READING, tr("Loading the vectors of {name}", name=entry.title))
    return load_vectors(path)


def vectors_by_name(name: str | Path) -> Path | None:
    """The file of the known vectors that ``name`` names; None if it names a file. Raises UserError
    if they aren’t downloaded.
    """
    entry = data_entry(name, Kind.VECTORS)
    if entry is None:
        return None
    if kept_choice(entry) is None:
        raise UserError(
            tr("{title} hasn’t been downloaded yet.", title=entry.title),
            tr("Download the data with: workbench corpora get {key}.", key=entry.key),
        )
    return kept_file(entry)


def _choice_file(entry: CatalogueEntry) -> Path:
    return entry.place.parent / "kept.json"
