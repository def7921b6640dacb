"""Vectors in a compressed file: gzip, bzip2, xz, or a zip or tar with a file of vectors, as GloVe
and fastText are published, in some archives beside a licence and the same vectors as text.

Formats need a file of their own, which some map into memory, so the content is unpacked into a
temporary folder.
"""

from __future__ import annotations

import shutil
import tarfile
import tempfile
import zipfile
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.corpus.ingest.decompression import (
    HEAD,
    MEMBERS,
    Budget,
    BudgetedStream,
    Rejoined,
    archive_errors,
    bounded_members,
    decompress,
    fill,
    is_tar,
    sound,
    too_many,
    zip_members,
)

_STREAMS = (b"\x1f\x8b", b"BZh", b"\xfd7zXZ\0")
_BLOCK = 1 << 20
# Files of an archive that are examined for vectors.
_LOOK_AT = 20
# Bytes of a tar without vectors that are searched for files: a tar has no list of its members.
_SEARCHED = 256 << 20
# Files of packers that aren't content, and members of formats that are zip files themselves.
_IGNORED, _OWN = ("__macosx/", "."), (".npy", "/data.pkl", "data.pkl")


def is_packed(head: bytes) -> bool:
    """Whether a file with this beginning may contain another file."""
    return head.startswith((*_STREAMS, b"PK\x03\x04")) or is_tar(head)


def beginnings(path: Path, folder: Path, found: Collection[str] = ()) -> Iterator[tuple[str, Path]]:
    """The names of the first files in a packed file, each with its beginning as a file in
    ``folder``; nothing if they can't contain vectors, or from the first damage.

    A tar has no list of its files: its beginning is searched, and all of it once the caller has
    ``found`` vectors. Text is cut after its last complete line. Raises OSError.
    """
    try:
        with path.open("rb") as file:
            for name, head in _heads(path, file, found):
                part = folder / (Path(name).name or "content")
                text, end, _ = head.rpartition(b"\n")
                whole = not end or len(head) < HEAD or b"\0" in head
                part.write_bytes(head if whole else text + end)
                yield name, part
    except UserError:
        return


def _heads(path: Path, file: IO[bytes], found: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """Names and first bytes of the first files in a packed file."""
    if not _contains_tar(path, file):
        for name in _members(path, file)[:_LOOK_AT]:
            file.seek(0)
            yield name, _head(path, file, name)
        return
    with archive_errors(path.name), _tar(path, file) as members:
        for number, (name, place, member) in enumerate(members):
            if number == _LOOK_AT or (place > _SEARCHED and not found):
                return
            yield name, fill(member, HEAD)


@contextmanager
def unpacked(path: Path, found: Sequence[str] = ()) -> Iterator[Path]:
    """The content of a packed file as a temporary file of its name. ``found`` are the names of the
    files in it that contain vectors; () for any.

    Of files that differ only in their suffix, as the same vectors in two formats, it is the first.
    Raises UserError for a damaged archive, for one with several files, and if the disk is full.
    """
    with path.open("rb") as file:
        packed_tar = _contains_tar(path, file)
        names = list(found)
        if not names and packed_tar:
            with archive_errors(path.name), _tar(path, file) as members:
                names = [name for name, _, _ in members]
            file.seek(0)
        names = names or _members(path, file)
        if found and len({str(Path(name).with_suffix("")) for name in found}) == 1:
            names = names[:1]
        if len(names) != 1:
            raise UserError(
                tr(
                    "{name} contains {number:,} files: {names}.",
                    name=path.name,
                    number=len(names),
                    names=", ".join(names[:6]),
                ),
                tr("Unpack the archive, then open one of the files."),
            )
        with tempfile.TemporaryDirectory(prefix="workbench-", ignore_cleanup_errors=True) as folder:
            part = Path(folder) / Path(names[0]).name
            with (
                part.open("wb") as target,
                archive_errors(path.name),
                _content(path, file, names[0]) as (head, rest),
            ):
                target.write(head)
                shutil.copyfileobj(rest, target, _BLOCK)
            yield part


def _members(path: Path, file: IO[bytes]) -> list[str]:
    """Names of the files in a packed file; empty for a format that is a zip file itself."""
    head = file.read(HEAD)
    file.seek(0)
    if not head.startswith(b"PK\x03\x04"):
        return [path.stem] if head.startswith(_STREAMS) else []
    with archive_errors(path.name), sound():
        if zip_members(file) > MEMBERS:
            raise too_many(path.name)
        file.seek(0)
        with zipfile.ZipFile(file) as archive:
            names = [one.filename for one in archive.infolist() if not one.is_dir()]
    file.seek(0)
    if any(name.endswith(_OWN) for name in names):
        return []
    return [name for name in names if _is_content(name)]


def _is_content(name: str) -> bool:
    return not name.lower().startswith(_IGNORED) and not Path(name).name.startswith(".")


def _contains_tar(path: Path, file: IO[bytes]) -> bool:
    """Whether a file is a tar, perhaps compressed. The file is then at its start again."""
    file.seek(0)
    head = file.read(HEAD)
    file.seek(0)
    if head.startswith(_STREAMS):
        with archive_errors(path.name):
            head, _ = decompress(file, Budget(path.name, path.stat().st_size))
        file.seek(0)
    return is_tar(head)


@contextmanager
def _tar(path: Path, file: IO[bytes]) -> Iterator[Iterator[tuple[str, int, IO[bytes]]]]:
    """The names, places and contents of the files in a tar, of which each must be read before the
    next.
    """
    head, rest = decompress(file, Budget(path.name, path.stat().st_size))
    stream = cast(IO[bytes], Rejoined(head, rest))
    bounded = bounded_members(path.name)
    with sound(), tarfile.open(fileobj=stream, mode="r|", tarinfo=bounded) as archive:

        def members() -> Iterator[tuple[str, int, IO[bytes]]]:
            for number, info in enumerate(archive):
                # Drop members that were read: their list would grow without limit.
                archive.members = []  # type: ignore[attr-defined]
                if number >= MEMBERS:
                    raise too_many(path.name)
                member = archive.extractfile(info) if info.isfile() else None
                if member is not None and _is_content(info.name):
                    yield info.name, info.offset, member

        yield members()


@contextmanager
def _content(path: Path, file: IO[bytes], name: str) -> Iterator[tuple[bytes, IO[bytes]]]:
    budget = Budget(path.name, path.stat().st_size)
    if _contains_tar(path, file):
        with _tar(path, file) as members:
            for other, _, part in members:
                if other == name:
                    yield fill(part, HEAD), part
                    return
        raise tarfile.ReadError(name)
    head = file.read(4)
    file.seek(0)
    if not head.startswith(b"PK"):
        beginning, rest = decompress(file, budget)
        yield beginning, cast(IO[bytes], rest)
        return
    with sound(), zipfile.ZipFile(file) as archive, archive.open(name) as member:
        stream = BudgetedStream(member, budget)
        yield fill(stream, HEAD), cast(IO[bytes], stream)


def _head(path: Path, file: IO[bytes], name: str) -> bytes:
    with archive_errors(path.name), _content(path, file, name) as (head, _):
        return head
