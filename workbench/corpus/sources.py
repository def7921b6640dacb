"""Which files a corpus is read from: files named one by one, and folders of text."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from workbench.core.errors import UserError

TEXT_SUFFIXES = frozenset((".txt", ".text", ".md", ".markdown", ".rst", ".utf8", ".tok", ".sent"))
ARCHIVE_SUFFIXES = frozenset((".gz", ".bz2", ".xz", ".zip", ".tar", ".tgz", ".tbz2", ".txz"))

# "wiki_00" and "news.en-00001-of-00100" have no suffix in this sense: text often goes without one.
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,8}")


@dataclass(frozen=True)
class Source:
    """A file to read, as it was found.

    ``shown`` is what to call it in a sentence. ``named`` says that its name, or the user, calls it
    text or an archive: then it must be readable; a file without a suffix in a folder may be anything.
    """

    path: Path
    shown: str
    size: int
    mtime_ns: int
    named: bool


def gather(paths: Sequence[str | Path]) -> tuple[Source, ...]:
    """The files that ``paths`` stand for: files as they are, folders searched through in sorted order.

    From folders come text files, archives and files without a suffix; hidden ones are left out.
    Raises UserError for what is missing, cannot be read, or is a folder without text.
    """
    if not paths:
        raise UserError("No corpus was named.", "Name at least one text file, archive or folder.")
    found: list[Source] = []
    for path in paths:
        given = Path(path).expanduser()
        if given.is_dir():
            found += _inside(given)
        elif not given.exists():
            raise UserError(f"There is no file or folder {given}.", "Check its name and place.")
        elif not given.is_file():
            raise UserError(f"{given} is not a file that can be read.", "Name a text file, archive or folder.")
        else:
            found.append(_source(given, given.name, named=True))
    return tuple(found)


def corpus_name(paths: Sequence[str | Path]) -> str:
    """What to call the corpus: the file without suffixes, the folder, or "3 files"."""
    if len(paths) != 1:
        return f"{len(paths)} files"
    path = Path(paths[0]).expanduser().absolute()
    name = path.name
    if path.is_dir():
        return name or str(path)
    while (suffix := PurePosixPath(name).suffix).lower() in TEXT_SUFFIXES | ARCHIVE_SUFFIXES:
        name = name[: -len(suffix)]
    return name


def taken(name: str) -> bool | None:
    """Whether to read a file of a folder or a member of an archive: None says "if it is text".

    ``name`` is its path inside, with slashes.
    """
    path = PurePosixPath(name)
    if any(part.startswith(".") or part == "__MACOSX" for part in path.parts):
        return False
    suffix = path.suffix.lower()
    if suffix in TEXT_SUFFIXES or suffix in ARCHIVE_SUFFIXES:
        return True
    return False if _SUFFIX.fullmatch(suffix) else None


def _inside(folder: Path) -> list[Source]:
    def refuse(error: OSError) -> None:
        raise UserError(
            f"The folder {error.filename} cannot be read ({error.strerror}).", "Change its permissions."
        ) from error

    found = []
    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__MACOSX")
        for name in sorted(names):
            path = Path(place, name)
            choice = taken(name)
            if choice is not False and path.is_file():
                found.append(_source(path, path.relative_to(folder.parent).as_posix(), named=bool(choice)))
    if not found:
        raise UserError(
            f"The folder {folder} holds no text.",
            "It is searched for text files (.txt and the like), archives, and files without a suffix.",
        )
    return found


def _source(path: Path, shown: str, named: bool) -> Source:
    status = path.stat()
    return Source(path.absolute(), shown, status.st_size, status.st_mtime_ns, named)
