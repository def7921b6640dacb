"""The files of a corpus for workers to read: on a disk that they see, or at an address that fsspec knows."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO, Any

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.sources import Patterns, Source, gather, hidden, taken
from workbench.counts.cluster.needed import load_fsspec

# What is taken for the size of a file whose server does not tell it.
UNKNOWN = 1 << 50


@dataclass(frozen=True)
class Input:
    """A file: an absolute path or an address with ``://``. Otherwise as ``corpus.sources.Source``; ``stamp`` is the
    time of its last change in ns, 0 where that is not known.
    """

    path: str
    shown: str
    size: int
    stamp: int
    named: bool
    chosen: bool = False

    @property
    def remote(self) -> bool:
        return "://" in self.path

    def source(self) -> Source:
        unknown = self.size >= UNKNOWN
        size = 0 if unknown else self.size
        return Source(Path(self.path), self.shown, size, self.stamp, self.named, self.chosen, piped=unknown)


def found_inputs(paths: Sequence[str | Path], options: CorpusOptions) -> tuple[Input, ...]:
    """The files that ``paths`` stand for, in the order of ``corpus.sources.gather``; addresses may hold ``*``.

    Raises UserError for what is missing, cannot be read, or holds no text.
    """
    if isinstance(paths, (str, Path)):
        paths = [paths]
    if not paths:
        raise UserError(tr("No corpus was named."), tr("Name at least one text file, folder or address."))
    found: list[Input] = []
    for path in paths:
        if "://" in str(path):
            found += _remote(str(path), options)
        else:
            for each in gather([path], options):
                if each.piped:
                    raise UserError(
                        tr("{shown} is a pipe, which can be read once only.", shown=each.shown),
                        tr("Write it to a file: counting reads twice."),
                    )
                found.append(Input(str(each.path), each.shown, each.size, each.mtime_ns, each.named, each.chosen))
    kept = tuple(each for each in found if each.path not in options.left_out)
    if not kept:
        raise UserError(tr("All files of the corpus are left out."), tr("Choose fewer of them to leave out."))
    return kept


@contextmanager
def opened(given: Input) -> Iterator[IO[bytes]]:
    """The file as it was found, seekable. Raises UserError where it is not there or not the same any more."""
    try:
        if given.remote:
            system, path = _system(given.path)
            with system.open(path, "rb") as file:
                yield file
            return
        local = Path(given.path)
        status = local.stat()
        if (status.st_size, status.st_mtime_ns) != (given.size, given.stamp):
            raise UserError(
                tr("{shown} was changed while it was counted.", shown=given.shown),
                tr("Count again when nobody writes to it any more."),
            )
        with local.open("rb") as file:
            yield file
    except FileNotFoundError as error:
        raise UserError(
            tr("A worker does not find {path}.", path=given.path),
            tr("Put the text where all workers see it under the same path, or at an address such as s3://."),
        ) from error
    except PermissionError as error:
        raise UserError(tr("A worker may not read {path}.", path=given.path), tr("Change its permissions.")) from error


def head_of(given: Input, size: int) -> bytes:
    """The first bytes of a file. Raises UserError where it cannot be read."""
    try:
        with opened(given) as file:
            buffer = io.BytesIO()
            while buffer.tell() < size and (block := file.read(size - buffer.tell())):
                buffer.write(block)
            return buffer.getvalue()
    except OSError as error:
        raise UserError(
            tr("{shown} cannot be read ({error}).", shown=given.shown, error=error),
            tr("Check its address and your rights."),
        ) from error


def _remote(url: str, options: CorpusOptions) -> list[Input]:
    patterns = Patterns.of(options)
    system, path = _system(url)
    protocol = url.split("://", 1)[0]

    def named(entry: dict[str, Any], inside: str, certain: bool, chosen: bool = False) -> Input:
        size = entry.get("size")
        place = str(entry["name"])
        address = place if "://" in place else f"{protocol}://{place}"
        return Input(address, inside, UNKNOWN if size is None else int(size), 0, certain, chosen)

    try:
        if "*" in path or "?" in path:
            entries = [system.info(place) for place in sorted(system.glob(path))]
            found = [named(each, PurePosixPath(each["name"]).name, True) for each in entries if each["type"] == "file"]
        elif system.isdir(path):
            found = []
            for place, entry in sorted(system.find(path, detail=True).items()):
                inside = place.removeprefix(path).lstrip("/")
                chosen = bool(patterns.include) and patterns.included(inside)
                choice = taken(PurePosixPath(inside).name)
                if patterns.include:
                    choice = (choice or None) if chosen else False
                if choice is not False and not hidden(inside) and not patterns.excluded(inside):
                    found.append(named(entry, inside, bool(choice), chosen))
        else:
            found = [named(system.info(path), PurePosixPath(path).name, True)]
    except FileNotFoundError as error:
        raise UserError(tr("There is nothing at {url}.", url=url), tr("Check the address.")) from error
    except Exception as error:  # whatever the many file systems raise where a server refuses
        raise UserError(
            tr("{url} cannot be read ({error}).", url=url, error=error), tr("Check the address and your rights.")
        ) from error
    if not found:
        raise UserError(tr("There is no text at {url}.", url=url), tr("Name files of text, or a folder of them."))
    return found


def _system(url: str) -> tuple[Any, str]:
    """The file system of an address, and the path in it. Raises UserError."""
    fsspec = load_fsspec()
    try:
        system, path = fsspec.core.url_to_fs(url)
    except ImportError as error:
        raise UserError(
            tr("{url} needs a package that is not installed ({error}).", url=url, error=error),
            tr("Install it with pip."),
        ) from error
    except Exception as error:  # a protocol that is unknown, credentials that are missing
        raise UserError(
            tr("{url} cannot be opened ({error}).", url=url, error=error), tr("Check the address.")
        ) from error
    return system, str(path)
