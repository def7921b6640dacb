"""Inputs that are almost valid: a seeded mutator that also changes the contents of archives.

The same seed and number give the same input on every machine, so a finding can be repeated without
its file.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import random
import struct
import zipfile
import zlib

# Values that readers often mishandle: huge and negative numbers, NaN, U+0000, lone surrogates,
# right-to-left text, combining marks, formulas.
_TOKENS = (
    b"0", b"-1", b"1000000000000", b"99999999999999999999", b"1e309", b"nan", b"inf", b"-inf", b"NaN", b"0x10", b"1_0",
    b"\0", b"\xed\xa0\x80", b"\xff\xfe", b"\xef\xbb\xbf", b"\xe2\x80\xae", b"\xd7\xa9\xd7\x9c", b"\xcc\x81" * 50,
    b" ", b"\t", b"\n", b"\r\n", b"\r", b"\n\n", b",", b'"', b"'", b"=cmd|'/c'!A1", b"<script>", b"</page>", b"&#0;",
    b"&amp;", b"{", b"}", b"[" * 200, b"null", b"true", b'{"a":', b"__import__", b"../../", b"/etc/passwd",
    b"PK\x03\x04", b"\x93NUMPY", b"O", b"|O", b"<f8", b">f4", b"\xe2\x80\xa8", b"\xc2\xa0", b"\xe3\x80\x80",
    b"%s%n", b"</s>",
)  # fmt: skip
_NAMES = (
    "../../out.txt",
    "/tmp/out.txt",
    "..\\out.txt",
    "C:\\out.txt",
    "a/../../b.txt",
    "x\0y",
    "",
    ".",
    "manifest.json",
)
_INTEGERS = (
    0,
    1,
    -1,
    2**15,
    2**31 - 1,
    -(2**31),
    2**31,
    2**32 - 1,
    2**62,
    2**63 - 1,
    10**12,
    12,
    100,
)
_LONG = 1 << 20
_LARGEST = 4 << 20


def mutate(data: bytes, rng: random.Random, depth: int = 0) -> bytes:
    """Damage ``data`` in one to five places; an archive more often than not inside a member."""
    if depth < 3 and rng.random() < 0.6:
        inner = _inside(data, rng, depth)
        if inner is not None:
            return inner
    for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
        data = rng.choice(_STEPS)(data, rng)
    return data[:_LARGEST]


def _inside(data: bytes, rng: random.Random, depth: int) -> bytes | None:
    try:
        if data.startswith(b"PK\x03\x04"):
            return _zip(data, rng, depth)
        if data.startswith(b"\x1f\x8b"):
            return gzip.compress(mutate(gzip.decompress(data), rng, depth + 1), 1)
        if data.startswith(b"BZh"):
            return bz2.compress(mutate(bz2.decompress(data), rng, depth + 1), 1)
        if data.startswith(b"\xfd7zXZ\0"):
            return lzma.compress(mutate(lzma.decompress(data), rng, depth + 1), preset=0)
    except (
        OSError,
        ValueError,
        EOFError,
        zlib.error,
        lzma.LZMAError,
        zipfile.BadZipFile,
        struct.error,
    ):
        return None
    return None


def _zip(data: bytes, rng: random.Random, depth: int) -> bytes:
    """A zip with valid checksums in which one member is damaged, misnamed, duplicated or
    missing.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        members = [
            (info.filename, info.compress_type, archive.read(info)) for info in archive.infolist()
        ]
    choice = rng.randrange(len(members)) if members else 0
    kind = rng.random()
    entries: list[tuple[str, int, bytes]] = []
    for number, (name, method, content) in enumerate(members):
        if number != choice or kind < 0.05:
            entries.append((name, method, content))
        elif kind < 0.75:
            entries.append((name, method, mutate(content, rng, depth + 1)))
        elif kind < 0.85:
            entries.append((rng.choice(_NAMES) or "x", method, content))
        elif kind < 0.9:
            entries += [(name, method, content), (name, method, content[: len(content) // 2])]
        elif kind < 0.93:
            entries.append((name, zipfile.ZIP_DEFLATED, bytes(64 << 20)))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, method, content in entries:
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.compress_type = method
            info._compresslevel = 1  # type: ignore[attr-defined]
            if name not in archive.NameToInfo or kind >= 0.85:
                _write_entry(archive, info, content)
    return out.getvalue()


def _write_entry(archive: zipfile.ZipFile, info: zipfile.ZipInfo, content: bytes) -> None:
    with archive.open(info, "w") as file:
        file.write(content)


def _place(data: bytes, rng: random.Random) -> int:
    """Position of the next error; headers are more likely than the rest."""
    return (
        rng.randrange(min(len(data), 200) + 1)
        if rng.random() < 0.4
        else rng.randrange(len(data) + 1)
    )


def _flip(data: bytes, rng: random.Random) -> bytes:
    if not data:
        return data
    at = min(_place(data, rng), len(data) - 1)
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def _byte(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]


def _cut(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + data[at + rng.choice((1, 2, 8, 100, len(data))) :]


def _truncate(data: bytes, rng: random.Random) -> bytes:
    return data[: rng.randrange(len(data) + 1)]


def _insert(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    return data[:at] + rng.choice(_TOKENS) + data[at:]


def _replace_number(data: bytes, rng: random.Random) -> bytes:
    """Replace a number written in digits by another one."""
    digits = [at for at in range(len(data[:4000])) if 48 <= data[at] <= 57]
    if not digits:
        return _insert(data, rng)
    first = last = rng.choice(digits)
    while last < len(data) and 48 <= data[last] <= 57:
        last += 1
    return data[:first] + rng.choice(_TOKENS[:11]) + data[last:]


def _integer(data: bytes, rng: random.Random) -> bytes:
    at, value = _place(data, rng), rng.choice(_INTEGERS)
    width = rng.choice((4, 8))
    integer_bytes = (value % 2 ** (8 * width)).to_bytes(
        width, rng.choice(("little", "little", "big"))
    )
    return data[:at] + integer_bytes + data[at + width :]


def _repeat(data: bytes, rng: random.Random) -> bytes:
    at = _place(data, rng)
    part = data[at : at + rng.choice((1, 10, 100, 1000))]
    return data[:at] + part * rng.choice((2, 2, 10, 100)) + data[at:]


def _long(data: bytes, rng: random.Random) -> bytes:
    """Insert a word of 1 MB, or more often, repeat a part."""
    if rng.random() < 0.9:
        return _repeat(data, rng)
    at = _place(data, rng)
    return data[:at] + rng.choice((b"a", b"\xc3\xa9", b"1", b"(", b" ")) * _LONG + data[at:]


def _swap(data: bytes, rng: random.Random) -> bytes:
    first, second = sorted((_place(data, rng), _place(data, rng)))
    return (
        data[:first]
        + data[second : second + second - first]
        + data[first:second]
        + data[2 * second - first :]
    )


_STEPS = (
    _flip,
    _byte,
    _cut,
    _truncate,
    _insert,
    _insert,
    _replace_number,
    _replace_number,
    _integer,
    _repeat,
    _long,
    _swap,
)
