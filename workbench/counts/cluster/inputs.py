"""The files of a corpus that workers read: on a disk that they see, or at an address that fsspec
supports.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob
from pathlib import Path, PurePosixPath
from typing import IO, Any, cast

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.core.paths import expand_user
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.ingest.file_discovery import (
    FoundFile,
    Patterns,
    gather,
    is_hidden,
    should_read,
)
from workbench.counts.cluster.optional_deps import load_fsspec

# Assumed size of a file whose server doesn’t report it.
UNKNOWN = 1 << 50
# Protocols that need both the path of an archive and a path in it.
_ARCHIVES = ("zip", "tar", "libarchive")


@dataclass(frozen=True)
class Input:
    """A file: an absolute path or an address with ``://``. Further fields are those of
    ``corpus.ingest.file_discovery.FoundFile``; ``stamp`` is the time of its last change in ns, 0 if
    unknown.
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

    def source(self) -> FoundFile:
        unknown = self.size >= UNKNOWN
        size = 0 if unknown else self.size
        return FoundFile(
            Path(self.path), self.shown, size, self.stamp, self.named, self.chosen, piped=unknown
        )


def found_inputs(paths: Sequence[str | Path], options: CorpusOptions) -> tuple[Input, ...]:
    """The files at ``paths``, in the order of ``corpus.ingest.file_discovery.gather``; addresses
    may contain ``*``.

    Raises UserError for paths that are missing, cannot be read, or contain no text.
    """
    if isinstance(paths, (str, Path)):
        paths = [paths]
    if not paths:
        raise UserError(
            tr("No corpus was named."), tr("Name at least one text file, folder or address.")
        )
    found: list[Input] = []
    for path in paths:
        if "://" in str(path):
            found += _remote(str(path), options)
        elif not expand_user(path).exists() and any(letter in str(path) for letter in "*?"):
            found += _matching(str(path), options)
        else:
            found += _local(path, options)
    kept = tuple(each for each in found if each.path not in options.left_out)
    if not kept:
        raise UserError(tr("All files of the corpus are left out."), tr("Exclude fewer files."))
    return kept


def _local(path: str | Path, options: CorpusOptions) -> list[Input]:
    found = []
    for each in gather([path], options):
        if each.piped:
            raise UserError(
                tr("Couldn’t count {shown}: a pipe can be read only once.", shown=each.shown),
                tr("Save the text as a file, because counting reads it twice."),
            )
        found.append(
            Input(str(each.path), each.shown, each.size, each.mtime_ns, each.named, each.chosen)
        )
    return found


def _matching(pattern: str, options: CorpusOptions) -> list[Input]:
    """Local files that match a pattern, as expanded by a shell."""
    matched = sorted(path for path in glob(str(expand_user(pattern))) if Path(path).is_file())
    if not matched:
        raise UserError(tr("Nothing was found at {url}.", url=pattern), tr("Check the address."))
    return [each for path in matched for each in _local(path, options)]


@contextmanager
def open_input(given: Input) -> Iterator[IO[bytes]]:
    """Open the file, seekable. Raises UserError if it no longer exists or has changed since it was
    found.
    """
    try:
        if given.remote:
            system, path = _system(given.path)
            # A file of unknown size, or one that can only be read from its beginning, is read
            # without requesting blocks by position.
            streamed = {}
            if given.size >= UNKNOWN and _is_web(given.path):
                streamed = {"block_size": 0}
            with _call_filesystem(system.open, path, "rb", **streamed) as file:
                yield cast(IO[bytes], _Remote(file))
            return
        local = Path(given.path)
        status = local.stat()
        if (status.st_size, status.st_mtime_ns) != (given.size, given.stamp):
            raise UserError(
                tr("{shown} changed while it was counted.", shown=given.shown),
                tr("Count again when the file no longer changes."),
            )
        with local.open("rb") as file:
            yield file
    except FileNotFoundError as error:
        raise UserError(
            tr("A worker can’t find {path}.", path=given.path),
            tr(
                "Move the text to a folder that all workers share under the same path, or "
                "to an address such as s3://."
            ),
        ) from error
    except PermissionError as error:
        raise UserError(
            tr("A worker isn’t allowed to read {path}.", path=given.path),
            tr("Change its permissions."),
        ) from error


class _Remote:
    """A file at an address. Raises OSError for every error of its file system: a worker then tries
    again.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file

    def read(self, size: int = -1) -> bytes:
        return bytes(_call_filesystem(self._file.read, size))

    def seek(self, place: int, whence: int = io.SEEK_SET) -> int:
        return int(_call_filesystem(self._file.seek, place, whence))

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return self._file.seekable()


def _call_filesystem(what: Callable[..., Any], *arguments: object, **keywords: object) -> Any:
    try:
        return what(*arguments, **keywords)
    except OSError:
        raise
    except Exception as error:
        raise OSError(str(error) or type(error).__name__) from error


def head_of(given: Input, size: int) -> bytes:
    """The first bytes of a file. Raises UserError if it cannot be read."""
    try:
        with open_input(given) as file:
            buffer = io.BytesIO()
            while buffer.tell() < size and (block := file.read(size - buffer.tell())):
                buffer.write(block)
            return buffer.getvalue()
    except OSError as error:
        raise UserError(
            tr("Couldn’t read {shown}: {error}.", shown=given.shown, error=error_text(error)),
            tr("Check the address and its permissions."),
        ) from error


def _remote(url: str, options: CorpusOptions) -> list[Input]:
    patterns = Patterns.of(options)
    system, path = _system(url)
    # fsspec chains file systems: the part before the first address precedes it, an archive's path
    # follows it.
    links = url.split("::")
    first = next((at for at, link in enumerate(links) if "://" in link), 0)
    protocol = links[first].split("://", 1)[0]

    def named(entry: dict[str, Any], inside: str, certain: bool, chosen: bool = False) -> Input:
        place = str(entry["name"])
        if entry.get("size") is None:
            # A listing may lack the details of each file.
            entry = system.info(place)
        size = entry.get("size")
        own = f"{protocol}://{place}" if "://" not in place else place
        address = "::".join([*links[:first], own, *links[first + 1 :]])
        known = size is not None and (not _is_web(own) or _is_sought(system, place, int(size)))
        return Input(address, inside, int(size or 0) if known else UNKNOWN, 0, certain, chosen)

    try:
        if "*" in path or "?" in path:
            entries = [system.info(place) for place in sorted(system.glob(path))]
            found = [
                named(each, PurePosixPath(each["name"]).name, True)
                for each in entries
                if each["type"] == "file"
            ]
        elif (path.endswith("/") or not _is_web(url)) and system.isdir(path):
            found = []
            for place, entry in sorted(system.find(path, detail=True).items()):
                inside = place.removeprefix(path).lstrip("/")
                chosen = bool(patterns.include) and patterns.includes(inside)
                choice = should_read(PurePosixPath(inside).name)
                if patterns.include:
                    choice = (choice or None) if chosen else False
                if choice is not False and not is_hidden(inside) and not patterns.excludes(inside):
                    found.append(named(entry, inside, bool(choice), chosen))
        else:
            found = [named(system.info(path), PurePosixPath(path).name, True)]
    except FileNotFoundError as error:
        raise UserError(
            tr("Nothing was found at {url}.", url=url), tr("Check the address.")
        ) from error
    except Exception as error:  # errors of the many file systems if a server refuses
        raise UserError(
            tr("Couldn’t read {url}: {error}.", url=url, error=error_text(error)),
            tr("Check the address and its permissions."),
        ) from error
    if not found:
        raise UserError(
            tr("No text was found at {url}.", url=url),
            tr("Name text files or a folder."),
        )
    return found


def _is_web(url: str) -> bool:
    return url.startswith(("http://", "https://"))


def _is_sought(system: Any, path: str, size: int) -> bool:
    """Whether a server can send a file from a position other than its beginning."""
    if size < 2:
        return False
    try:
        with system.open(path, "rb") as file:
            file.seek(size - 1)
            return len(file.read(1)) == 1
    except ValueError:
        return False


def _system(url: str) -> tuple[Any, str]:
    """The file system of an address, and the path in it. Raises UserError."""
    fsspec = load_fsspec()
    if "::" not in url and url.split("://")[0] in _ARCHIVES:
        raise UserError(
            tr("{url} doesn’t name an archive.", url=url),
            tr(
                "Name the archive after two colons, as in zip://*.txt::texts.zip, or name it alone."
            ),
        )
    try:
        system, path = fsspec.core.url_to_fs(url)
    except ImportError as error:
        raise UserError(
            tr("{url} needs a package that isn’t installed ({error}).", url=url, error=error),
            tr("Install the package with pip, here and on all workers."),
        ) from error
    except FileNotFoundError as error:
        raise UserError(
            tr("Nothing was found at {url}.", url=url), tr("Check the address.")
        ) from error
    except Exception as error:  # an unknown protocol or missing credentials
        raise UserError(
            tr("Couldn’t open {url}: {error}.", url=url, error=error_text(error)),
            tr("Check the address."),
        ) from error
    return system, str(path)
