"""Files and archives as streams of UTF-8, a block at a time: nothing is ever whole in memory.

What a file holds decides how it is read, not its name: gzip, bzip2, xz, zip and tar are known by
their first bytes, and a byte order mark tells UTF-16 and UTF-32 from UTF-8.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import IO, Protocol, cast

from workbench.core.errors import UserError
from workbench.corpus.sources import Source, taken

# Small enough that unpacking and reading a block stays below 50 ms.
BLOCK = 1 << 19
_HEAD = 1 << 16

# Text has next to no control characters; one byte in ten of compressed data is one.
_CONTROL = bytes(set(range(32)) - set(b"\t\n\v\f\r\x1b"))
_MOST_CONTROL = 0.05

_BINARY = (
    (b"%PDF-", "a PDF document"),
    (b"7z\xbc\xaf\x27\x1c", "a 7-Zip archive"),
    (b"Rar!", "a RAR archive"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive"),
    (b"\x89PNG", "a picture"),
    (b"\xff\xd8\xff", "a picture"),
    (b"{\\rtf", "an RTF document"),
)

# Longer marks first: that of UTF-32 begins like that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (codecs.BOM_UTF8, "utf-8"),
)
MEND = "Save it as UTF-8 in an editor, or convert it with iconv."


class _Stream(Protocol):
    def read(self, size: int, /) -> bytes: ...


@dataclass(frozen=True)
class Text:
    """One text: a file, or a member of an archive, to be read to its end before the next.

    path : where it is; a member's name follows the archive's after a slash
    shown : what to call it in a sentence
    size : bytes as stored
    encoding : as found, such as "UTF-8"
    mark : bytes of the byte order mark left out before the first block
    blocks : its text in UTF-8, unchecked where the file is in UTF-8 already
    """

    path: str
    shown: str
    size: int
    encoding: str
    mark: int
    blocks: Iterator[bytes]


def texts(source: Source, file: IO[bytes]) -> Iterator[Text]:
    """The texts in ``file``, which is ``source`` opened; ``file.tell()`` says how far it has been read.

    Raises UserError for what is no text, damaged, cut short, or encrypted.
    """
    with _worded(source.shown):
        head = _fill(file, _HEAD)
        if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
            yield from _zip_members(source, file)
            return
        head, rest = _unpacked(_Rejoined(head, file))
        if _is_tar(head):
            yield from _tar_members(source, _Rejoined(head, rest))
            return
        text = _text(str(source.path), source.shown, source.size, head, rest, source.named)
        if text is not None:
            yield text


def _zip_members(source: Source, file: IO[bytes]) -> Iterator[Text]:
    with zipfile.ZipFile(file) as archive:
        names = archive.namelist()
        if "[Content_Types].xml" in names or "mimetype" in names:
            raise _not_text(source.shown, "an office document or an e-book")
        members = [info for info in archive.infolist() if not info.is_dir() and taken(info.filename) is not False]
        _some(members, source.shown)
        for info in members:
            if info.flag_bits & 1:
                raise UserError(
                    f"{source.shown} is encrypted ({info.filename}).", "Unpack it with its password, then open that."
                )
            with archive.open(info) as member:
                yield from _member(source, info.filename, info.compress_size, member)


def _tar_members(source: Source, stream: _Stream) -> Iterator[Text]:
    found = []
    with tarfile.open(fileobj=cast(IO[bytes], stream), mode="r|") as archive:
        for info in archive:
            if info.isfile() and taken(info.name.removeprefix("./")) is not False:
                found.append(info.name)
                member = archive.extractfile(info)
                if member is not None:
                    yield from _member(source, info.name, info.size, member)
    _some(found, source.shown)


def _member(source: Source, name: str, size: int, stream: _Stream) -> Iterator[Text]:
    shown = f"{source.shown}/{name}"
    head, rest = _unpacked(stream)
    if head.startswith(b"PK\x03\x04") or _is_tar(head):
        raise UserError(f"{source.shown} holds another archive, {name}.", "Unpack it first, then open the folder.")
    text = _text(f"{source.path}/{name}", shown, size, head, rest, bool(taken(name)))
    if text is not None:
        yield text


def _text(path: str, shown: str, size: int, head: bytes, rest: _Stream, named: bool) -> Text | None:
    """A text of ``head`` and ``rest``; of what is none, UserError if ``named`` as text, else None."""
    mark, codec = next((found for found in _MARKS if head.startswith(found[0])), (b"", "utf-8"))
    if codec == "utf-8":
        binary = _binary(head)
        if binary:
            if named:
                raise _not_text(shown, binary)
            return None
    stream = _Rejoined(head[len(mark) :], rest)
    encoding = codec.upper().removesuffix("-LE").removesuffix("-BE")
    blocks = _blocks(stream, shown) if codec == "utf-8" else _transcoded(stream, shown, codec, encoding)
    return Text(path, shown, size, encoding, len(mark), blocks)


def _blocks(stream: _Stream, shown: str) -> Iterator[bytes]:
    with _worded(shown):
        while block := _fill(stream, BLOCK):
            if b"\0" in block:
                raise _not_text(shown, "binary data (it holds zero bytes)")
            yield block


def _transcoded(stream: _Stream, shown: str, codec: str, encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(codec)()
    with _worded(shown):
        while True:
            block = _fill(stream, BLOCK)
            try:
                text = decoder.decode(block, final=not block)
            except UnicodeDecodeError as error:
                raise UserError(f"{shown} begins as {encoding} but is damaged ({error.reason}).", MEND) from error
            if "\0" in text:
                raise _not_text(shown, "binary data (it holds zero characters)")
            if text:
                yield text.encode()
            if not block:
                return


def _unpacked(stream: _Stream) -> tuple[bytes, _Stream]:
    """The first bytes of a stream, uncompressed, and what follows them."""
    head = _fill(stream, _HEAD)
    whole = cast(IO[bytes], _Rejoined(head, stream))
    inner: _Stream
    if head.startswith(b"\x1f\x8b"):
        inner = gzip.GzipFile(fileobj=whole, mode="rb")
    elif head.startswith(b"BZh") and head[4:10] in (b"1AY&SY", b"\x17rE8P\x90"):
        inner = bz2.BZ2File(whole)
    elif head.startswith(b"\xfd7zXZ\0"):
        inner = lzma.LZMAFile(whole)  # noqa: SIM115 - closed with the file beneath it
    else:
        return head, stream
    return _fill(inner, _HEAD), inner


class _Rejoined:
    """A stream whose first bytes were read to look at them."""

    def __init__(self, head: bytes, rest: _Stream) -> None:
        self._head = head
        self._rest = rest

    def read(self, size: int, /) -> bytes:
        if self._head:
            part, self._head = self._head[:size], self._head[size:]
            return part
        return self._rest.read(size)


def _fill(stream: _Stream, size: int) -> bytes:
    """``size`` bytes, or fewer at the end of the stream alone."""
    parts = []
    while size > 0 and (part := stream.read(size)):
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _is_tar(head: bytes) -> bool:
    return head[257:262] == b"ustar"


def _binary(head: bytes) -> str:
    """What kind of binary data begins so, or "" for what may be text."""
    for magic, kind in _BINARY:
        if head.startswith(magic):
            return kind
    if b"\0" in head:
        return "binary data"
    control = len(head) - len(head.translate(None, delete=_CONTROL))
    return "binary data" if control > _MOST_CONTROL * len(head) else ""


def _not_text(shown: str, kind: str) -> UserError:
    return UserError(f"{shown} is not text but {kind}.", "Save or export its text in UTF-8, and open that.")


def _some(members: list[zipfile.ZipInfo] | list[str], shown: str) -> None:
    if not members:
        raise UserError(f"The archive {shown} holds no text.", "It should hold text files (.txt and the like).")


@contextmanager
def _worded(shown: str) -> Iterator[None]:
    """What goes wrong while reading, as a sentence."""
    again = "Download or copy it again."
    try:
        yield
    except EOFError as error:
        raise UserError(f"{shown} is cut short: the archive ends before its text does.", again) from error
    except (gzip.BadGzipFile, lzma.LZMAError, zlib.error, zipfile.BadZipFile, tarfile.TarError) as error:
        raise UserError(f"{shown} is a damaged archive, or cut short ({error}).", again) from error
    except NotImplementedError as error:
        raise UserError(
            f"{shown} is packed in a way that is not known here ({error}).", "Unpack it, then open that."
        ) from error
    except OSError as error:
        if error.errno is None:  # as bz2 says that its data are damaged
            raise UserError(f"{shown} is a damaged archive ({error}).", again) from error
        raise UserError(f"{shown} cannot be read ({error.strerror}).", "Check the disk and the permissions.") from error
