"""Discovery of the files of a corpus: named files and folders of text."""

from __future__ import annotations

import contextlib
import difflib
import itertools
import os
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from pathlib import Path, PurePosixPath

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.core.paths import expand_user, path_exists
from workbench.core.text.text_files import is_ordinary
from workbench.corpus.corpus import CorpusOptions
from workbench.corpus.readers import ambiguous_suffixes, known_suffixes

PACKED_SUFFIXES = (".gz", ".bz2", ".xz")
ARCHIVE_SUFFIXES = frozenset((".gz", ".bz2", ".xz", ".zip", ".tar", ".tgz", ".tbz2", ".txz"))

MOST_UNKNOWN = 1000
# Entries of a folder among which a similar name is searched.
_MOST_NEIGHBOURS = 2000

_MANY = (".zip", ".tar", ".tgz", ".tbz2", ".txz", ".tar.gz", ".tar.bz2", ".tar.xz")

# "wiki_00" and "news.en-00001-of-00100" have no suffix in this sense: text files often have none.
# One side of a parallel corpus, such as europarl-v7.de-en.de.
_PARALLEL = re.compile(r".*\.(?:([a-z]{2,3})-[a-z]{2,3}\.\1|[a-z]{2,3}-([a-z]{2,3})\.\2)")
_SUFFIX = re.compile(r"\.[A-Za-z][A-Za-z0-9]{0,8}")
# Copies that editors keep (of Emacs, gedit and vi), and lock files of Word.
_COPY = re.compile(r".*~|#.*#|~\$.*", re.DOTALL)


@dataclass(frozen=True)
class FoundFile:
    """A file to read, as it was found.

    ``shown`` is its name for messages. ``named``: its name, or the user, identifies it as text or
    an archive, so it must be readable; a file without a suffix in a folder may be anything.
    ``chosen``: a pattern matches it, so its members need not match one. ``piped``: it is a pipe,
    without a size, that can be read once. ``inside``: it was found in a folder.
    """

    path: Path
    shown: str
    size: int
    mtime_ns: int
    named: bool
    chosen: bool = False
    piped: bool = False
    inside: bool = False


@dataclass
class Unknown:
    """Files of folders that aren't read because nothing in their names says that they are text.

    paths : the first ones, at most MOST_UNKNOWN
    number : of all
    """

    paths: list[Path] = field(default_factory=list)
    number: int = 0

    def add(self, path: Path) -> None:
        self.number += 1
        if len(self.paths) < MOST_UNKNOWN:
            self.paths.append(path)


@dataclass(frozen=True)
class Patterns:
    """Include and exclude patterns for files of folders and archives, matched by path with slashes.

    ``*`` and ``?`` match characters within a name, ``**`` also folders; a pattern without a slash
    applies in every folder. Without ``include``, all files that are known as text match.
    """

    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()

    @classmethod
    def of(cls, options: CorpusOptions) -> Patterns:
        return cls(_split(options.include), _split(options.exclude))

    def wants(self, name: str) -> bool:
        """Whether ``include`` matches a file and ``exclude`` does not; a compressed file also
        matches without the suffix of its compression.
        """
        return self.includes(name) and not self.excludes(name)

    def includes(self, name: str) -> bool:
        return _any(self.include, name)

    def excludes(self, name: str) -> bool:
        return _any(self.exclude, name)


def _split(patterns: str) -> tuple[str, ...]:
    return tuple(
        part.strip().removeprefix("./") for part in re.split(r"[,;]", patterns) if part.strip()
    )


def _any(patterns: tuple[str, ...], name: str) -> bool:
    plain = name
    if name.lower().endswith(PACKED_SUFFIXES):
        plain = name.removesuffix(PurePosixPath(name).suffix)
    return any(
        _expression(pattern).fullmatch(each) for pattern in patterns for each in {name, plain}
    )


@lru_cache(maxsize=256)
def _expression(pattern: str) -> re.Pattern[str]:
    """Convert a pattern to a regular expression without nested repetitions."""
    parts = []
    for token in re.findall(r"\*\*/|\*+|\?|[^*?]+", pattern if "/" in pattern else f"**/{pattern}"):
        if token == "**/":
            parts.append("(?:.*/)?")
        elif token.startswith("**"):
            parts.append(".*")
        elif token == "*":
            parts.append("[^/]*")
        else:
            parts.append("[^/]" if token == "?" else re.escape(token))
    return re.compile("".join(parts), re.IGNORECASE | re.DOTALL)


def gather(
    paths: Sequence[str | Path],
    options: CorpusOptions | None = None,
    unknown: Unknown | None = None,
) -> tuple[FoundFile, ...]:
    """The files at ``paths``: files and pipes themselves, and the contents of folders in sorted
    order.

    Folders contribute files of known kinds, archives and files without a suffix, or the files that
    match the options' patterns, except hidden ones. Others are added to ``unknown``, unless the
    patterns leave them out. Raises UserError for paths that are missing or cannot be read, and for
    folders without text.
    """
    if not paths:
        raise UserError(
            tr("No corpus was named."), tr("Name at least one text file, archive or folder.")
        )
    found: list[FoundFile] = []
    patterns = Patterns.of(options or CorpusOptions())
    for path in paths:
        if not str(path):
            raise UserError(
                tr("The name of a text is empty."), tr("Name a text file, archive or folder.")
            )
        given = expand_user(path)
        if given.is_dir():
            found += _inside(given, patterns, unknown or Unknown())
        elif not path_exists(given):
            raise UserError(
                tr("The file or folder {given} doesn’t exist.", given=given),
                _similar(given) or tr("Check the path."),
            )
        elif given.is_fifo():
            found.append(FoundFile(given.absolute(), given.name, 0, 0, named=True, piped=True))
        elif not is_ordinary(given.stat()):
            raise UserError(
                tr("{given} isn’t a regular file.", given=given),
                tr("Name a text file, archive or folder."),
            )
        else:
            found.append(_source(given, given.name, named=True))
    return tuple(found)


def corpus_name(paths: Sequence[str | Path]) -> str:
    """Name of the corpus: of the folder, or of the file without suffixes. Of several, that of the
    first one, with the number of others: "emma + 4", which fits into sentences like one name.
    """
    if not paths:
        return ""
    if len(paths) > 1:
        return f"{corpus_name(paths[:1])} + {len(paths) - 1:,}"
    path = expand_user(paths[0]).absolute()
    name = path.name
    if path.is_dir():
        return name or str(path)
    while (suffix := PurePosixPath(name).suffix).lower() in _readable_suffixes():
        name = name[: -len(suffix)]
    return name


def should_read(name: str) -> bool | None:
    """Whether to read a file of a folder or a member of an archive: None says "if it is text".

    ``name`` is its path inside, with slashes.
    """
    path = PurePosixPath(name)
    if is_hidden(name) or _COPY.fullmatch(path.name):
        return False
    suffix = path.suffix.lower()
    if (
        suffix in PACKED_SUFFIXES
        and PurePosixPath(path.stem).suffix.lower() in ambiguous_suffixes()
    ):
        return None
    if suffix in _readable_suffixes() or _PARALLEL.fullmatch(path.name.lower()):
        return True
    if _SUFFIX.fullmatch(suffix) and suffix not in ambiguous_suffixes():
        return False
    return None


def is_hidden(name: str) -> bool:
    """Whether a file, or a folder that contains it, is hidden or belongs to the system."""
    return any(part.startswith(".") or part == "__MACOSX" for part in PurePosixPath(name).parts)


def safe_name(name: str) -> str:
    """The name of a member without parts that lead out of the archive, and without characters that
    cannot be shown.
    """
    plain = "".join(
        "\ufffd" if unicodedata.category(letter) in _NOT_SHOWN else letter for letter in name
    )
    parts = [part for part in plain.replace("\\", "/").split("/") if part not in ("", ".", "..")]
    return "/".join(parts) or "\ufffd"


# Control characters, surrogates, and marks that change the direction of writing.
_NOT_SHOWN = frozenset(("Cc", "Cf", "Cs", "Zl", "Zp"))


@cache
def _readable_suffixes() -> frozenset[str]:
    return known_suffixes() | ARCHIVE_SUFFIXES


def _similar(given: Path) -> str:
    """A hint with the file beside it whose name is like this; "" without one."""
    names: list[str] = []
    with contextlib.suppress(OSError):
        names = [one.name for one in itertools.islice(given.parent.iterdir(), _MOST_NEIGHBOURS)]
    found = difflib.get_close_matches(given.name, names, 1, 0.8)
    return tr("Did you mean “{name}”?", name=found[0]) if found else ""


def _inside(folder: Path, patterns: Patterns, unknown: Unknown) -> list[FoundFile]:
    def refuse(error: OSError) -> None:
        raise UserError(
            tr(
                "Couldn’t read the folder {filename}: {strerror}.",
                filename=error.filename,
                strerror=error_text(error),
            ),
            tr("Change its permissions."),
        ) from error

    found = []
    for place, folders, names in os.walk(folder, onerror=refuse):
        folders[:] = sorted(
            name for name in folders if not name.startswith(".") and name != "__MACOSX"
        )
        for name in sorted(names):
            path = Path(place, name)
            inside = path.relative_to(folder).as_posix()
            chosen = bool(patterns.include) and patterns.includes(inside)
            choice = should_read(name)
            if patterns.include and not chosen:
                # An archive may contain matching files.
                choice = False
                if name.lower().endswith(_MANY) and not name.startswith("."):
                    choice = None
            elif chosen and not name.startswith("."):
                choice = choice or None
            if patterns.excludes(inside) or is_hidden(name) or not path.is_file():
                continue
            if choice is not False:
                shown = path.relative_to(folder.parent).as_posix()
                source = _source(path, shown, named=bool(choice), chosen=chosen)
                found.append(replace(source, inside=True))
            elif not patterns.include:
                unknown.add(path)
    if not found:
        message = tr("The folder {folder} contains no text files.", folder=folder)
        if unknown.paths:
            few = ", ".join(path.name for path in unknown.paths[:3])
            message += " " + tr("It contains other files: {names}.", names=few)
        raise UserError(
            message,
            tr("No file matches the include patterns, or all files are excluded.")
            if patterns.include or patterns.exclude
            else tr("Add text files (such as .txt), archives, or files without a suffix."),
        )
    return found


def _source(path: Path, shown: str, named: bool, chosen: bool = False) -> FoundFile:
    status = path.stat()
    return FoundFile(path.absolute(), shown, status.st_size, status.st_mtime_ns, named, chosen)
