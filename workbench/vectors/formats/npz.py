"""The workbench's own format: all parts of an Embeddings as numpy arrays in a zip file."""

from __future__ import annotations

import dataclasses
import itertools
import json
import math
import struct
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from workbench.core.arrays import Array
from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.core.text.text_files import DAMAGE, texts_of
from workbench.vectors.embeddings import Embeddings, OwnContexts
from workbench.vectors.formats import memmap
from workbench.vectors.formats.array_schema import (
    KEEPS,
    SPARSE,
    arrays_of,
    assemble,
    half_a_character,
    metadata_of,
)
from workbench.vectors.formats.base import Format

# Deflate can’t compress better than 1032 to 1, so a larger declared size is false.
_DEFLATE_LIMIT = 1032
_LOCAL_HEADER = struct.Struct("<26x2H")
# numpy pads all words to the longest; if that takes this many bytes, and most would be padding,
# words are written one after another.
_PADDED = 256 << 20
_ENDS, _BYTES = "words_ends", "words_utf8"
_OWN, _OWN_BIASES = "own_contexts", "own_contexts_biases"
_OWN_ENDS, _OWN_BYTES = "own_contexts_ends", "own_contexts_utf8"
# Identifier of a padding field of a zip entry, the alignment of arrays, and the size of a zip64
# field.
_FILLER, _ALIGNED, _ZIP64_FIELD = 0xD935, 64, 20
_DAMAGE = (*DAMAGE, OSError)
# Maximum unpacked size: eight times the file, or padded words with small vectors (see _PADDED).
_TIMES, _AT_LEAST = 8, _PADDED + (64 << 20)
# Maximum bytes of a list of members, and distance from the end within which the end record must be.
_LONGEST_LIST, _END_WITHIN = 1 << 20, 1 << 17
_LIST_LENGTH, _LONG_LIST_LENGTH = struct.Struct("<12xL"), struct.Struct("<40xQ")


# Arrays of a sparse matrix, as counts are saved.
_COUNTS = ("data", "indices", "indptr")


class _Objects(ValueError):
    """An array, named in the message, contains Python objects, which aren't unpickled."""


class Npz(Format):
    """``words``, ``vectors`` (or their CSR parts ``vectors_data/_indices/_indptr/_shape``), and if
    available ``contexts``, ``biases``, ``context_biases``, ``ngram_vectors``, ``ngram_buckets``,
    ``word_rows``, ``raw``, ``removed``, ``counts``, and ``state_<name>`` for continuing the
    training; ``metadata`` is JSON text. Contexts with a vocabulary of their own are in
    ``own_contexts_utf8`` and ``own_contexts_ends``, like words, and perhaps ``own_contexts`` and
    ``own_contexts_biases``. Read with allow_pickle=False.

    Large tables are uncompressed and aligned, and are mapped when read. If padding all words to the
    longest would take far more space than the words, ``words_utf8`` (their bytes) and
    ``words_ends`` (int64[V], end of each word) replace ``words``.
    """

    key = "npz"
    title = tr("numpy archive")
    suffixes = (".npz",)
    is_zip = True
    keeps = KEEPS
    half = True
    order = 40

    @classmethod
    def holds(cls, embeddings: Embeddings) -> str | None:
        ended = next((word for word in embeddings.words if word.endswith("\0")), None)
        if ended is not None:
            return tr(
                "A {title} can’t store {ended!r}: it ends in a zero byte.",
                title=cls.title,
                ended=ended,
            )
        word = half_a_character(embeddings.words)
        if word is None:
            return None
        return tr(
            "A {title} can’t store {word!r}: it contains invalid Unicode.",
            title=cls.title,
            word=word,
        )

    @classmethod
    def detect(cls, head: bytes, path: Path) -> bool:
        if not head.startswith(b"PK\x03\x04"):
            return False
        try:
            with _open_archive(path) as archive:
                names = set(archive.namelist())
        except _DAMAGE:
            return False
        words = "words.npy" in names or f"{_BYTES}.npy" in names
        return words and ("vectors.npy" in names or "vectors_data.npy" in names)

    @classmethod
    def read(cls, path: Path, limit: int = 0) -> Embeddings:
        try:
            with _open_archive(path) as archive:
                names = [name for name in archive.namelist() if name.endswith(".npy")]
                _prove_room(path, [archive.getinfo(name) for name in names])
                parts = {
                    name.removesuffix(".npy"): _read_member(path, archive, name) for name in names
                }
        except _Objects as error:
            raise UserError(
                tr(
                    "{name} isn’t opened, because {member} contains Python objects.",
                    name=path.name,
                    member=str(error),
                ),
                tr(
                    "Save the words as text: numpy.savez(file, "
                    "words=numpy.array(words, dtype=str), …)."
                ),
            ) from error
        except _DAMAGE as error:
            raise UserError(
                tr(
                    "{name} isn’t a valid NumPy archive, or it is truncated ({error}).",
                    name=path.name,
                    error=_short_reason(error),
                ),
                tr("Download or export the file again."),
            ) from error
        if "words" in parts and all(name in parts for name in _COUNTS):
            raise UserError(
                tr("{name} contains counts, not vectors.", name=path.name),
                tr("Train vectors on the corpus of these counts, or choose a file of vectors."),
            )
        if "words" not in parts and _BYTES not in parts:
            raise _without_words(path, parts)
        try:
            words = _read_words(parts)
            if not ("vectors" in parts or all(name in parts for name in SPARSE)):
                raise ValueError(tr("no words, or no vectors"))
            metadata = {}
            if "metadata" in parts:
                metadata = metadata_of(texts_of(parts["metadata"])[0])
            own = _read_own_contexts(parts)
            found = assemble(path, words, parts, metadata, limit)
            return found if own is None else dataclasses.replace(found, own_contexts=own)
        except (ValueError, TypeError, IndexError, OverflowError) as error:
            raise UserError(
                tr(
                    "{name} doesn’t contain a table of vectors ({error}).",
                    name=path.name,
                    error=_short_reason(error),
                ),
                tr("Export the file again, with arrays “words” and “vectors” of equal length."),
            ) from error

    @classmethod
    def write(cls, path: Path, embeddings: Embeddings) -> None:
        parts = {**_word_arrays(list(embeddings.words)), **arrays_of(embeddings)}
        if embeddings.own_contexts is not None:
            parts |= _own_context_arrays(embeddings.own_contexts)
        parts["metadata"] = np.array(json.dumps(dict(embeddings.metadata), ensure_ascii=False))
        with path.open("wb") as target, zipfile.ZipFile(target, "w") as archive:
            for name, value in parts.items():
                # A fixed date, so that equal embeddings give equal bytes. Floats hardly compress.
                info = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
                if value.dtype.kind == "U":
                    info.compress_type = zipfile.ZIP_DEFLATED
                else:
                    info.extra = _padding_field(
                        target.tell() + 30 + len(info.filename) + _ZIP64_FIELD
                    )
                with archive.open(info, "w", force_zip64=True) as file:
                    np.lib.format.write_array(file, value, allow_pickle=False)


def _padding_field(place: int) -> bytes:
    """A padding field at ``place`` that aligns the following data to a multiple of 64 bytes, like
    numpy's headers.
    """
    room = -(place + 4) % _ALIGNED
    return struct.pack("<2H", _FILLER, room) + bytes(room)


def _word_arrays(words: list[str]) -> dict[str, Array]:
    longest = max(map(len, words), default=0)
    if 4 * longest * len(words) < _PADDED or longest * len(words) < 8 * sum(map(len, words)):
        return {"words": np.array(words, dtype=np.str_)}
    return _joined_words(words)


def _joined_words(words: Sequence[str]) -> dict[str, Array]:
    encoded = [word.encode("utf-8") for word in words]
    ends = np.cumsum([len(word) for word in encoded], dtype=np.int64)
    return {_BYTES: np.frombuffer(b"".join(encoded), dtype=np.uint8), _ENDS: ends}


def _own_context_arrays(own: OwnContexts) -> dict[str, Array]:
    joined = _joined_words(own.words)
    parts = {_OWN_BYTES: joined[_BYTES], _OWN_ENDS: joined[_ENDS]}
    if own.vectors is not None:
        parts[_OWN] = np.asarray(own.vectors, dtype=np.float32)
    if own.biases is not None:
        parts[_OWN_BIASES] = np.asarray(own.biases, dtype=np.float32)
    return parts


def _read_own_contexts(parts: dict[str, Array]) -> OwnContexts | None:
    """Contexts with a vocabulary of their own, None without any. Raises ValueError."""
    if _OWN_BYTES not in parts or _OWN_ENDS not in parts:
        return None
    words = _read_words({_BYTES: parts[_OWN_BYTES], _ENDS: parts[_OWN_ENDS]})
    tables: list[Array | None] = []
    for name, axes in ((_OWN, 2), (_OWN_BIASES, 1)):
        table = parts.get(name)
        if table is not None:
            sound = table.ndim == axes and len(table) == len(words) and table.dtype.kind == "f"
            if not sound or not np.isfinite(table).all():
                raise ValueError(tr("“{name}” isn’t a row of numbers for each context", name=name))
            table = np.asarray(table, dtype=np.float32)
        tables.append(table)
    return OwnContexts(words, *tables)


def _without_words(path: Path, parts: dict[str, Array]) -> UserError:
    """The error for arrays without words, with a recipe for words from a text file."""
    words = 'words=open("words.txt", encoding="utf-8").read().split("\\n")[:len(m)]'
    if all(name in parts for name in _COUNTS):
        message = tr("{name} contains a sparse matrix without words.", name=path.name)
        # Counts have too many columns to be vectors.
        recipe = (
            f'm = scipy.sparse.load_npz("{path.name}").tocsr(); '
            "u, s, _ = scipy.sparse.linalg.svds(m.astype(float), min(100, min(m.shape) - 1)); "
            f'm = u * s; numpy.savez("vectors.npz", {words}, vectors=m)'
        )
    else:
        tables = [name for name, part in parts.items() if part.ndim == 2] or ["vectors"]
        message = tr(
            "{name} contains arrays without words: {arrays}.",
            name=path.name,
            arrays=", ".join(list(parts)[:6]),
        )
        recipe = (
            f'm = numpy.load("{path.name}")["{tables[0]}"]; '
            f'numpy.savez("vectors.npz", {words}, vectors=m)'
        )
    return UserError(
        message,
        tr(
            "If the words are in a text file, one per line, add them in Python: {recipe}",
            recipe=recipe,
        ),
    )


def _read_words(parts: dict[str, Array]) -> list[str]:
    """The words in either form. Raises ValueError."""
    if _BYTES in parts and _ENDS in parts:
        text, ends = parts[_BYTES], parts[_ENDS]
        sound = (
            text.ndim == ends.ndim == 1
            and text.dtype == np.uint8
            and ends.dtype.kind in "iu"
            and len(ends)
        )
        if (
            not sound
            or ends[0] < 0
            or int(ends[-1]) != len(text)
            or (np.diff(ends.astype(np.int64)) < 0).any()
        ):
            raise ValueError(tr("“{name}” doesn’t specify where words end", name=_ENDS))
        whole, places = text.tobytes(), [0, *ends.tolist()]
        return [whole[start:stop].decode("utf-8") for start, stop in itertools.pairwise(places)]
    if "words" not in parts:
        raise ValueError(tr("no words, or no vectors"))
    if parts["words"].ndim == 1 and parts["words"].dtype.kind == "S":
        try:
            parts["words"] = np.char.decode(parts["words"], "utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(tr("“words” contains invalid Unicode")) from error
    if parts["words"].ndim != 1 or parts["words"].dtype.kind != "U":
        raise ValueError(tr("“words” isn’t a list of words"))
    words = texts_of(parts["words"])
    try:
        "".join(words).encode()
    except UnicodeEncodeError as error:
        raise ValueError(tr("“words” contains invalid Unicode")) from error
    return words


def _open_archive(path: Path) -> zipfile.ZipFile:
    """Open an archive after checking its number of members, each of which takes some hundred bytes
    of memory.

    Raises BadZipFile, ValueError and OSError.
    """
    with path.open("rb") as file:
        file.seek(0, 2)
        size = file.tell()
        file.seek(max(0, size - _END_WITHIN))
        end = file.read()
    at = end.rfind(b"PK\x05\x06")
    if at < 0 or len(end) < at + 22:
        raise zipfile.BadZipFile(tr("its end is missing"))
    (length,) = _LIST_LENGTH.unpack_from(end, at)
    if end[max(at - 20, 0) : at].startswith(b"PK\x06\x07"):
        # A zip64 end record before this one replaces it.
        if end[max(at - 76, 0) : at].find(b"PK\x06\x06") != 0:
            raise zipfile.BadZipFile(tr("its list of members isn’t where it should be"))
        (length,) = _LONG_LIST_LENGTH.unpack_from(end, at - 76)
    if length > _LONGEST_LIST:
        raise zipfile.BadZipFile(tr("it has too many members"))
    return zipfile.ZipFile(path)


def _prove_room(path: Path, members: list[zipfile.ZipInfo]) -> None:
    """Raise UserError for compressed arrays that become much larger than their file."""
    size = path.stat().st_size
    packed = [info for info in members if info.compress_type != zipfile.ZIP_STORED]
    unpacked = sum(info.file_size for info in packed)
    if unpacked > _TIMES * size + _AT_LEAST:
        raise UserError(
            tr(
                "{name} is {size:.1f} MB, but would unpack to {unpacked:,.0f} MB.",
                name=path.name,
                size=size / 1e6,
                unpacked=unpacked / 1e6,
            ),
            tr(
                "If the arrays in the file really are full of zeros, save them with numpy.savez, "
                "which doesn’t "
                "compress."
            ),
        )


def _read_member(path: Path, archive: zipfile.ZipFile, name: str) -> Array:
    """One array; its header is compared with the available bytes before memory is allocated."""
    info = archive.getinfo(name)
    if info.file_size > info.compress_size * _DEFLATE_LIMIT + 1024:
        raise ValueError(tr("the header of {name} specifies more than it can contain", name=name))
    with archive.open(info) as file:
        version = np.lib.format.read_magic(file)
        read_header = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }[version]
        shape, by_column, dtype = read_header(file)
        if dtype.hasobject:
            raise _Objects(name)
        head = file.tell()
        size = math.prod(shape) * dtype.itemsize
        if min(shape, default=0) < 0 or size != info.file_size - head:
            raise ValueError(tr("the length of {name} doesn’t match its header", name=name))
        if (
            info.compress_type == zipfile.ZIP_STORED
            and not by_column
            and size >= memmap.MAPPED_FROM
        ):
            return _map_member(path, info, head, dtype, shape)
        data = bytearray(file.read())
    if len(data) != size:
        raise ValueError(tr("{name} is truncated", name=name))
    flat: Array = np.frombuffer(data, dtype=dtype)
    return flat.reshape(shape, order="F" if by_column else "C")


def _map_member(
    path: Path, info: zipfile.ZipInfo, head: int, dtype: np.dtype[Any], shape: tuple[int, ...]
) -> Array:
    """An array that is uncompressed in the archive, after ``head`` bytes of numpy's header."""
    with path.open("rb") as file:
        file.seek(info.header_offset)
        name, extra = _LOCAL_HEADER.unpack(file.read(_LOCAL_HEADER.size))
    start = info.header_offset + _LOCAL_HEADER.size + name + extra
    if memmap.checksum(path, start, info.file_size) != info.CRC:
        raise ValueError(tr("{name} was changed after it was written", name=info.filename))
    return memmap.array_at(path, start + head, dtype, shape)


def _short_reason(error: Exception) -> str:
    text = error_text(error)
    if len(text) <= 120:
        return text
    return text[:119] + "…"
