"""Test sets as files: those that are published in an archive are unpacked beside it."""

from __future__ import annotations

import fnmatch
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from workbench.core.atomic import replacing_folder
from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.corpus.catalogue import Kind, data_entry
from workbench.corpus.catalogue.download import fetch
from workbench.corpus.catalogue.entry import CatalogueEntry

# Maximum bytes of all unpacked members: some times those of the largest set.
_MOST = 64 << 20
_DAMAGE = (zipfile.BadZipFile, tarfile.TarError, EOFError, KeyError, ValueError, RuntimeError)


def unpacked_set(entry: CatalogueEntry, run: JobControl | None = None) -> Path:
    """The file of a test set, or the folder if it has several; downloaded and unpacked if missing.
    Raises UserError and Cancelled.
    """
    path = fetch(entry, run)
    if not entry.include:
        return path
    folder = place_of_set(entry)
    if not folder.is_dir():
        _unpack(entry, path, folder)
    found = sorted(folder.iterdir())
    return found[0] if len(found) == 1 else folder


def known_set(name: str) -> str | Path:
    """The file or folder of the test set that ``name`` names, or ``name`` itself if it names none.
    Raises UserError if the set isn’t downloaded.
    """
    entry = data_entry(name, Kind.ANALOGIES, Kind.SIMILARITY)
    if entry is None:
        return name
    entry.prove_here()
    return unpacked_set(entry)


def place_of_set(entry: CatalogueEntry) -> Path:
    """The folder with the unpacked files of a test set."""
    return entry.place.parent / entry.key


def _unpack(entry: CatalogueEntry, path: Path, folder: Path) -> None:
    """Write the members that match ``entry.include``, each under its own name. If one fails, none
    is written.
    """
    rest = _MOST
    contents: dict[str, bytes] = {}
    try:
        for name, content in _members(path, entry.include):
            rest -= len(content)
            if rest < 0:
                raise ValueError(name)
            contents[PurePosixPath(name).name] = content
    except _DAMAGE as error:
        raise _damaged(entry) from error
    if not contents:
        raise _damaged(entry)
    with replacing_folder(folder, contents) as temporary:
        for name, content in contents.items():
            (temporary / name).write_bytes(content)


def _members(path: Path, pattern: str) -> Iterator[tuple[str, bytes]]:
    """Names and contents of the members of a zip or tar whose names match."""
    if zipfile.is_zipfile(path):
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                if not info.is_dir() and fnmatch.fnmatch(info.filename, pattern):
                    if info.file_size > _MOST:
                        raise ValueError(info.filename)
                    yield info.filename, archive.read(info)
        return
    with tarfile.open(path) as packed:
        for member in packed:
            if member.isfile() and fnmatch.fnmatch(member.name, pattern):
                if member.size > _MOST:
                    raise ValueError(member.name)
                content = packed.extractfile(member)
                assert content is not None
                yield member.name, content.read()


def _damaged(entry: CatalogueEntry) -> UserError:
    return UserError(
        tr("The archive of {title} doesn’t contain the expected files.", title=entry.title),
        tr("Download the archive again, or see {source}.", source=entry.source),
    )
