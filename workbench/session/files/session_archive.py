"""Session files as zip archives: written completely or not at all, validated when read.

manifest.json               content of the session (see :mod:`.session_file`)
runs/<identifier>/run.json  as in the store
                  vectors.npz
                  snapshots.npz  if there are any
arrays/<number>.npy         arrays of panels

A session file may contain nothing else. Nothing in it is executed or unpickled. Its content may
unpack to at most eight times the size of the file.
"""

from __future__ import annotations

import json
import math
import re
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np

from workbench.core.arrays import Array
from workbench.core.errors import UserError, error_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.text.text_files import DAMAGE, cannot_read, is_ordinary, prove_ordinary

SUFFIX = ".workbench"
MANIFEST = "manifest.json"
_NAMES = re.compile(
    r"manifest\.json|runs/[0-9A-Za-z-]{1,64}/(run\.json|(vectors|snapshots)\.npz)|arrays/[0-9]{1,6}\.npy"
)
_MOST_JSON = 64 << 20
_EXPANSION, _GRANTED = 8, 64 << 20
_PACKED = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
# Words are in an array that is padded to the longest word; written files aren’t padded further.
_WORDS, _MOST_WORDS = "words.npy", 256 << 20
_BLOCK = 1 << 20
_DATE = (1980, 1, 1, 0, 0, 0)
_DAMAGE = (*DAMAGE, MemoryError)


def is_session(path: Path) -> bool:
    """Whether a file is a session, by its first bytes or, if it is damaged, by its name."""
    try:
        # Reading a pipe would block, and would consume its first bytes.
        return (
            path.is_file() and is_ordinary(path.stat()) and (_begins(path) or path.suffix == SUFFIX)
        )
    except OSError:
        return False


def _is_zip(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(2) == b"PK"


def _begins(path: Path) -> bool:
    """Whether a file begins like a session file. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(30 + len(MANIFEST))
    return head.startswith(b"PK\x03\x04") and head.endswith(MANIFEST.encode())


def add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    """Add a small member, compressed; the same content gives the same bytes."""
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content)


def add_file(archive: zipfile.ZipFile, name: str, source: IO[bytes], run: JobControl) -> None:
    """Add a large file, uncompressed."""
    info = zipfile.ZipInfo(name, _DATE)
    with archive.open(info, "w", force_zip64=True) as target:
        copy(source, target, run)


def copy(source: IO[bytes], target: IO[bytes], run: JobControl) -> None:
    while block := source.read(_BLOCK):
        run.check()
        target.write(block)


def extract_arrays(value: Any, found: list[Array]) -> Any:
    """JSON with every array replaced by ``{"array": number}``; appends the arrays to ``found``."""
    if isinstance(value, np.ndarray):
        found.append(value)
        return {"array": len(found) - 1}
    if isinstance(value, Mapping):
        return {str(key): extract_arrays(inner, found) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return [extract_arrays(inner, found) for inner in value]
    return value


class ArchiveReader:
    """An archive whose members are checked before any is read. Raises UserError for every
    problem.
    """

    # Whether the manifest has been read, so that this is a session file.
    known = False

    def __init__(self, path: Path, archive: zipfile.ZipFile) -> None:
        self._path = path
        self._archive = archive
        infos = archive.infolist()
        names = [info.filename for info in infos]
        if MANIFEST not in names:
            # In a truncated file, the end of an archive inside it may pass for its own end.
            raise self.error(
                tr("its end is missing")
                if _begins(path)
                else tr("it doesn’t contain {part}", part=MANIFEST)
            )
        for name in names:
            if not _NAMES.fullmatch(name):
                raise self.error(
                    tr("it contains “{part}”, which isn’t part of a session", part=name[:80])
                )
        if len(set(names)) < len(names):
            raise self.error(tr("it contains a part twice"))
        if any(info.flag_bits & 1 for info in infos):
            raise self.error(tr("it is encrypted"))
        if any(info.compress_type not in _PACKED for info in infos):
            raise self.error(tr("it uses a compression method that sessions don’t use"))
        # No member is ever unpacked beyond the size in the table of contents, whatever is packed.
        self._most = _EXPANSION * path.stat().st_size + _GRANTED
        if sum(info.file_size for info in infos) > self._most:
            raise self.error(tr("its header declares more data than the file contains"))
        self.names = frozenset(names)

    def error(self, what: str) -> UserError:
        message = tr(
            "{name} isn’t a session file, or it is damaged: {what}.",
            name=self._path.name,
            what=what,
        )
        if self.known:
            message = tr("{name} is damaged: {what}.", name=self._path.name, what=what)
        return UserError(message, tr("Copy the file or save the session again."))

    def json(self, name: str) -> dict[str, Any]:
        """The JSON object of a member."""
        if name not in self.names:
            raise self.error(tr("{name} is missing", name=name))
        try:
            info = self._archive.getinfo(name)
            if info.file_size > _MOST_JSON:
                raise ValueError("too long")
            value = json.loads(
                self._archive.read(info).decode("utf-8"),
                parse_float=_finite,
                parse_constant=_finite,
            )
        except RecursionError:
            raise self.error(tr("{name} is nested too deeply", name=name)) from None
        except _DAMAGE as error:
            raise self.error(tr("{name} couldn’t be read", name=name)) from error
        if not isinstance(value, dict):
            raise self.error(tr("{name} isn’t a JSON object", name=name))
        return value

    def array(self, name: str) -> Array:
        """An array of numbers; its header is compared with the available bytes before memory is
        allocated.
        """
        try:
            info = self._archive.getinfo(name)
            with self._archive.open(info) as file:
                version = np.lib.format.read_magic(file)
                header = np.lib.format.read_array_header_1_0 if version == (1, 0) else None
                if header is None:
                    raise ValueError("of another version")
                shape, by_column, dtype = header(file)
                size = math.prod(shape) * dtype.itemsize
                if (
                    dtype.kind not in "fiub"
                    or min(shape, default=0) < 0
                    or size != info.file_size - file.tell()
                ):
                    raise ValueError("not as long as it says")
                values = np.frombuffer(file.read(), dtype=dtype)
            array = values.reshape(shape, order="F" if by_column else "C")
            if dtype.kind == "f" and not np.isfinite(array).all():
                raise ValueError("not finite")
        except _DAMAGE as error:
            raise self.error(tr("{name} isn’t an array of numbers", name=name)) from error
        return array

    def copy(self, name: str, target: Path, run: JobControl) -> None:
        """Unpack a member to the file ``target``."""
        try:
            with self._archive.open(name) as source, target.open("wb") as file:
                copy(source, file, run)
        except _DAMAGE as error:
            raise self.error(tr("{name} couldn’t be unpacked", name=name)) from error

    def prove_arrays(self, path: Path) -> None:
        """Raise UserError if the arrays of a member that was unpacked to ``path`` would take
        more space than the whole session may. Reads only the table of contents: nothing is
        unpacked yet, and nothing beyond those sizes will be.
        """
        try:
            with zipfile.ZipFile(path) as archive:
                infos = archive.infolist()
        except _DAMAGE:
            # Reading the file will report the damage.
            return
        words = sum(info.file_size for info in infos if info.filename == _WORDS)
        others = sum(info.file_size for info in infos) - words
        packed = all(info.compress_type in _PACKED for info in infos)
        if not packed or others > self._most or words > _MOST_WORDS + self._most:
            raise self.error(tr("its header declares more data than the file contains"))

    def restore_arrays(self, value: Any) -> Any:
        """The inverse of ``extract_arrays``."""
        if isinstance(value, dict):
            if set(value) == {"array"} and isinstance(value["array"], int):
                return self.array(f"arrays/{value['array']}.npy")
            return {key: self.restore_arrays(inner) for key, inner in value.items()}
        if isinstance(value, list):
            return [self.restore_arrays(inner) for inner in value]
        return value


@contextmanager
def open_archive(path: Path) -> Iterator[ArchiveReader]:
    """Open a session file for reading. Raises UserError."""
    try:
        prove_ordinary(path, tr("Choose a session file."))
        with zipfile.ZipFile(path) as archive:
            yield ArchiveReader(path, archive)
    except OSError as error:
        raise cannot_read(path, error) from error
    except _DAMAGE as error:
        if not path.stat().st_size:
            raise UserError(
                tr("{name} is empty.", name=path.name),
                tr("Copy the file or save the session again."),
            ) from error
        if path.suffix != SUFFIX and not _is_zip(path):
            raise UserError(
                tr("{name} isn’t a session file.", name=path.name),
                tr("Choose a file whose name ends in {suffix}.", suffix=SUFFIX),
            ) from error
        raise UserError(
            tr(
                "{name} isn’t a session file ({error}).",
                name=path.name,
                error=error_text(error),
            ),
            tr("Copy the file or save the session again."),
        ) from error


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(f"{text} is not a number")
    return value
