"""Compressed files as streams: gzip, bzip2 and xz are recognised by their first bytes, never loaded
as a whole, and limited in size.
"""

from __future__ import annotations

import bz2
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, ClassVar, NoReturn, Protocol, cast

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr

HEAD = 1 << 16
# Text shrinks to a third or a fifth, logs to a fiftieth; a file that expands by more than this was
# made to fill disks.
RATIO = 250
_SMALL = 64 << 20
# Parameter of zlib for gzip's header and checksum.
_GZIP = 16 + zlib.MAX_WBITS
# Maximum members of a zip, whose directory is read as a whole, some 600 bytes for each member.
MEMBERS = 500_000
_LARGEST_DIRECTORY = 128 << 20
# Maximum bytes in a tar: of a path on any system, of a block of other metadata, and of all such
# blocks for one member.
_LONGEST_NAME, _LONGEST_FACTS, _MOST_FACTS = 1 << 16, 1 << 18, 1 << 20


class ByteStream(Protocol):
    def read(self, size: int, /) -> bytes: ...


def no_watch() -> None:
    """Stands for a function that is called at each read, to show progress or to cancel."""


class Limited:
    """The first ``size`` bytes of a file, even if the file grows. Seekable if the file is.
    ``watch`` is called before each read.
    """

    def __init__(self, file: IO[bytes], size: int, watch: Callable[[], None] = no_watch) -> None:
        self._file, self.size, self._watch = file, size, watch

    def read(self, size: int = -1, /) -> bytes:
        self._watch()
        left = max(self.size - self._file.tell(), 0)
        return self._file.read(left if size < 0 else min(size, left))

    def seek(self, offset: int, whence: int = 0, /) -> int:
        if whence == 2:
            return self._file.seek(self.size + offset)
        return self._file.seek(offset, whence)

    def tell(self) -> int:
        return self._file.tell()

    def seekable(self) -> bool:
        return self._file.seekable()


class ArchiveError(UserError):
    """An archive, or a compressed file, can’t be unpacked."""


class ExpandsTooMuch(ArchiveError):
    """An archive is much larger than text would be."""


class Budget:
    """Limit on the decompressed size of ``stored`` bytes, summed over all members."""

    def __init__(
        self, shown: str, stored: int | None, watch: Callable[[], None] = no_watch
    ) -> None:
        """``stored`` None: unknown beforehand, as for a pipe, which ends when its writer closes
        it. ``watch`` is called with every spending: a few bytes may expand to any number.
        """
        self._shown, self._watch = shown, watch
        self._left: float = float("inf") if stored is None else max(RATIO * stored, _SMALL)

    def spend(self, size: int) -> None:
        """Subtract ``size`` bytes. Raises ExpandsTooMuch if they exceed the budget."""
        self._watch()
        self._left -= size
        if self._left < 0:
            raise ExpandsTooMuch(
                tr(
                    "{shown} expands to more than {ratio} times its size, which text doesn’t do.",
                    shown=self._shown,
                    ratio=RATIO,
                ),
                tr("Unpack the file yourself if you trust it, then open the text."),
            )


class BudgetedStream:
    """A stream whose bytes are subtracted from a budget."""

    def __init__(self, stream: ByteStream, budget: Budget) -> None:
        self._stream, self._budget = stream, budget

    def read(self, size: int, /) -> bytes:
        part = self._stream.read(size)
        self._budget.spend(len(part))
        return part


class _Gzip:
    """The content of a gzip stream. Passes over padding a block at a time, unlike Python's own
    reader.
    """

    def __init__(self, stream: ByteStream) -> None:
        self._stream = stream
        self._waiting = b""
        self._member = zlib.decompressobj(_GZIP)

    def read(self, size: int, /) -> bytes:
        while True:
            if self._member.eof:
                if not self._next_member():
                    return b""
                self._member = zlib.decompressobj(_GZIP)
            data = self._member.unconsumed_tail or self._waiting or self._stream.read(HEAD)
            self._waiting = b""
            part = self._member.decompress(data, size)
            if part:
                return part
            if not data and not self._member.eof:
                raise EOFError

    def _next_member(self) -> bool:
        """Pass over the zeros after a member; whether another one follows."""
        data = self._member.unused_data
        while True:
            self._waiting = data.lstrip(b"\0")
            if self._waiting:
                return True
            data = self._stream.read(HEAD)
            if not data:
                return False


class Rejoined:
    """A stream that puts bytes back at its start after they were examined."""

    def __init__(self, head: bytes, rest: ByteStream) -> None:
        self._head = head
        self._rest = rest

    def read(self, size: int, /) -> bytes:
        if self._head:
            part, self._head = self._head[:size], self._head[size:]
            return part
        return self._rest.read(size)


def decompress(stream: ByteStream, budget: Budget) -> tuple[bytes, ByteStream]:
    """The first bytes of a stream, uncompressed, and a stream of the rest."""
    head = fill(stream, HEAD)
    whole = cast(IO[bytes], Rejoined(head, stream))
    inner: ByteStream
    if head.startswith(b"\x1f\x8b"):
        inner = _Gzip(whole)
    elif head.startswith(b"BZh") and head[4:10] in (b"1AY&SY", b"\x17rE8P\x90"):
        inner = bz2.BZ2File(whole)
    elif head.startswith(b"\xfd7zXZ\0"):
        inner = lzma.LZMAFile(whole)  # noqa: SIM115 - closed with the file beneath it
    else:
        return head, stream
    inner = BudgetedStream(inner, budget)
    return fill(inner, HEAD), inner


def fill(stream: ByteStream, size: int) -> bytes:
    """``size`` bytes, or fewer only at the end of the stream."""
    parts = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def is_tar(head: bytes) -> bool:
    return head[257:262] == b"ustar"


def zip_members(file: IO[bytes]) -> int:
    """Number of members in a zip's directory, counted before ``zipfile`` reads the directory; 0 if
    there is none.

    The end record isn’t trusted: ``zipfile`` reads all bytes of the directory, however many members
    it contains.
    """
    file.seek(0, 2)
    size = file.tell()
    begin = max(size - (1 << 16) - 22, 0)
    file.seek(begin)
    tail = file.read(-1)
    # Find the end record like zipfile (APPNOTE.TXT, 4.3.14 to 4.3.16): first without a comment,
    # then by its signature.
    plain = len(tail) >= 22 and tail[-22:].startswith(b"PK\x05\x06") and tail.endswith(b"\0\0")
    at = len(tail) - 22 if plain else tail.rfind(b"PK\x05\x06")
    if at < 0:
        return 0
    length = int.from_bytes(tail[at + 12 : at + 16], "little")
    wide = at - 20 - 56
    if (
        wide >= 0
        and tail[at - 20 :].startswith(b"PK\x06\x07")
        and tail[wide:].startswith(b"PK\x06\x06")
    ):
        length, at = int.from_bytes(tail[wide + 40 : wide + 48], "little"), wide
    end = begin + at
    if length > _LARGEST_DIRECTORY:
        return MEMBERS + 1
    file.seek(max(end - length, 0))
    left, found, held = min(length, end), 0, b""
    while left > 0 and (part := file.read(min(left, HEAD))):
        left -= len(part)
        found += (held + part).count(b"PK\x01\x02")
        held = part[-3:]
    return found


class BoundedMember(tarfile.TarInfo):
    """A member of a tar with limits on its name and other metadata, which are held in memory.

    Sparse files are refused, because their maps of holes have no limit. Use one subclass for each
    archive: ``bounded_members``.
    """

    shown: ClassVar[str]
    facts: ClassVar[int]

    def _proc_member(self, archive: tarfile.TarFile) -> object:
        """Check the limits. tarfile calls this for every header before reading its data."""
        kind = type(self)
        if self.size < 0:
            raise tarfile.ReadError("a negative size")
        if self.type == tarfile.GNUTYPE_SPARSE:
            raise self.unsupported_error()
        longest = _BOUNDS.get(self.type)
        if longest is None:
            kind.facts = 0
        else:
            # At most 64 in a row, however short, because tarfile recurses for each of them.
            kind.facts += max(self.size, _MOST_FACTS >> 6)
            if self.size > longest or kind.facts > _MOST_FACTS:
                raise self.unsupported_error()
        return super()._proc_member(archive)  # type: ignore[misc]

    def _proc_gnusparse_10(self, *_: object) -> NoReturn:
        raise self.unsupported_error()

    @classmethod
    def unsupported_error(cls) -> UserError:
        return UserError(
            tr(
                "{shown} contains a sparse file, or file names or attributes that are too long.",
                shown=cls.shown,
            ),
            tr("Unpack the archive, then open the folder."),
        )


_BOUNDS = {
    tarfile.GNUTYPE_LONGNAME: _LONGEST_NAME,
    tarfile.GNUTYPE_LONGLINK: _LONGEST_NAME,
    tarfile.XHDTYPE: _LONGEST_FACTS,
    tarfile.SOLARIS_XHDTYPE: _LONGEST_FACTS,
    tarfile.XGLTYPE: _LONGEST_FACTS,
}


def bounded_members(shown: str) -> type[BoundedMember]:
    """The class of the members of one archive."""
    return type("_Member", (BoundedMember,), {"shown": shown, "facts": 0})


@contextmanager
def sound() -> Iterator[None]:
    """Context for reading an archive: errors of the library in a damaged archive also count as
    damage.
    """
    try:
        yield
    except NotImplementedError:
        raise  # an unknown compression method isn’t damage
    except (ValueError, OverflowError, struct.error, RuntimeError, IndexError) as error:
        raise zipfile.BadZipFile(str(error)) from error


def too_many(shown: str) -> UserError:
    return UserError(
        tr(
            "{shown} contains more than {members:,} files, the maximum for one archive.",
            shown=shown,
            members=MEMBERS,
        ),
        tr("Unpack the archive, then open the folder."),
    )


@contextmanager
def archive_errors(shown: str) -> Iterator[None]:
    """Turn errors while reading an archive into ArchiveError, and others into UserError."""
    again = tr("Download or copy the file again.")
    try:
        yield
    except EOFError as error:
        raise ArchiveError(
            tr("{shown} is truncated: the archive ends in the middle of a file.", shown=shown),
            again,
        ) from error
    except (
        lzma.LZMAError,
        zlib.error,
        zipfile.BadZipFile,
        tarfile.TarError,
    ) as error:
        raise ArchiveError(
            tr(
                "{shown} is a corrupt or truncated archive ({error}).",
                shown=shown,
                error=error_text(error),
            ),
            again,
        ) from error
    except NotImplementedError as error:
        raise ArchiveError(
            tr(
                "{shown} uses an unsupported compression ({error}).",
                shown=shown,
                error=error_text(error),
            ),
            tr("Unpack the file, then open the result."),
        ) from error
    except OSError as error:
        if error.errno is None:  # bz2 reports damaged data like this
            raise ArchiveError(
                tr("{shown} is a corrupt archive ({error}).", shown=shown, error=error_text(error)),
                again,
            ) from error
        raise UserError(
            tr("Couldn’t read {shown}: {strerror}.", shown=shown, strerror=error_text(error)),
            tr("Check the disk and the permissions."),
        ) from error
