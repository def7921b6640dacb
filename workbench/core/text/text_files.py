"""Reading of whole small files, with errors for files that cannot be read."""

from __future__ import annotations

import os
import stat
import struct
import sys
import tokenize
import zipfile
import zlib
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError, error_text
from workbench.core.language import tr
from workbench.core.operating_system import system
from workbench.core.text.encodings import Findings, NoText, decode_blocks, detect_encoding

# Exceptions of the standard library and numpy for a damaged zip file, or an array header in one.
DAMAGE = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    tokenize.TokenError,
    EOFError,
    LookupError,
    NotImplementedError,
    OverflowError,
    RuntimeError,
    SyntaxError,
    TypeError,
    ValueError,
)

# Maximum bytes of a small file, and bytes of its beginning, which determines the encoding.
MOST, _HEAD = 256_000_000, 1 << 16


def cannot_read(path: str | Path, error: OSError) -> UserError:
    """UserError for a file that the system doesn't let us read."""
    # Windows denies the permission to read a folder.
    if isinstance(error, (IsADirectoryError, PermissionError)) and Path(path).is_dir():
        return UserError(tr("{path} is a folder.", path=path), tr("Name a file."))
    return UserError(
        tr("Couldn’t read {path}: {strerror}.", path=path, strerror=error_text(error)),
        tr("Check the path and its permissions."),
    )


def texts_of(array: npt.NDArray[Any]) -> list[str]:
    """The texts of an array from an untrusted file, row by row. Raises ValueError if it contains
    anything but text.

    numpy stores 32-bit numbers and passes them to Python unchecked; above U+10FFFF, Python's own
    functions fail.
    """
    if array.dtype.kind != "U":
        raise ValueError(tr("not text"))
    flat = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("=")).reshape(-1)
    if flat.dtype.itemsize and (flat.view(np.uint32) > sys.maxunicode).any():
        raise ValueError(tr("it contains an invalid character"))
    texts: list[str] = flat.tolist()
    return texts


def is_ordinary(found: os.stat_result) -> bool:
    """Whether this is a file with an end: not a pipe, a device, or a file that the kernel
    generates, such as /proc/kmsg, which waits for messages, or /proc/kcore, which is the whole
    memory.
    """
    return stat.S_ISREG(found.st_mode) and found.st_dev not in _kernel_devices()


def prove_ordinary(path: Path, hint: str) -> None:
    """Raise UserError for an existing path that is neither an ordinary file nor a folder."""
    try:
        found = path.stat()
    except (OSError, ValueError):
        return
    if not is_ordinary(found) and not stat.S_ISDIR(found.st_mode):
        raise UserError(tr("{path} isn’t a regular file.", path=path), hint)


@cache
def _kernel_devices() -> frozenset[int]:
    return system().kernel_devices()


def read_text(path: Path, most: int = MOST) -> str:
    """A small file as text, in its detected encoding (``core.encodings``); undecodable bytes become
    U+FFFD.

    Line ends become \\n. Raises UserError, also for a path that isn’t text, isn’t a file, or is
    larger than ``most`` bytes.
    """
    data = read_bytes(path, most)
    decided = detect_encoding(data[:_HEAD])
    try:
        text = "".join(decode_blocks(iter((data[decided.mark :],)), decided, Findings()))
    except NoText as error:
        raise UserError(
            tr("{name} contains binary data, not text.", name=path.name), tr("Choose a text file.")
        ) from error
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_bytes(path: Path, most: int = MOST) -> bytes:
    """The content of a small file. Raises UserError, also for a path that isn’t a file, or is
    larger than ``most`` bytes.
    """
    try:
        found = path.stat()
        if not is_ordinary(found) and not stat.S_ISDIR(found.st_mode):
            raise UserError(
                tr("{path} isn’t a regular file.", path=path), tr("Choose a text file.")
            )
        if found.st_size > most:
            raise UserError(
                tr(
                    "{path} is too large ({size:.0f} MB).",
                    path=path,
                    size=found.st_size / 1e6,
                ),
                tr("Choose a file of at most {most:.0f} MB.", most=most / 1e6),
            )
        with path.open("rb") as file:
            # Don’t read further if the file grows meanwhile.
            return file.read(most)
    except OSError as error:
        raise cannot_read(path, error) from error
