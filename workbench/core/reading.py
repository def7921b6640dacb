"""Small files read whole, with one sentence for those that cannot be read."""

from __future__ import annotations

import codecs
import io
import struct
import sys
import tokenize
import zipfile
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from workbench.core.errors import UserError, why
from workbench.core.language import tr

# What a damaged zip file, or an array's header in one, makes the standard library and numpy raise.
DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, tokenize.TokenError, EOFError, LookupError, NotImplementedError,
    OverflowError, RuntimeError, SyntaxError, TypeError, ValueError,
)  # fmt: skip


def unreadable(path: str | Path, error: OSError) -> UserError:
    """What to tell of a file that the system does not let us read."""
    return UserError(
        tr("{path} cannot be read ({strerror}).", path=path, strerror=why(error)),
        tr("Check the name and your rights."),
    )


def texts_of(array: npt.NDArray[Any]) -> list[str]:
    """The texts of an array of an untrusted file, row by row. Raises ValueError where it holds what is no text.

    numpy stores 32-bit numbers and hands them to Python unproved; above U+10FFFF Python's own functions fail.
    """
    if array.dtype.kind != "U":
        raise ValueError(tr("what should be text is none"))
    flat = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("=")).reshape(-1)
    if flat.dtype.itemsize and (flat.view(np.uint32) > sys.maxunicode).any():
        raise ValueError(tr("it holds what is no character"))
    texts: list[str] = flat.tolist()
    return texts


def read_text(path: Path) -> str:
    """A file as text: UTF-8, with or without its mark, or UTF-16 with its mark; bytes that are none become U+FFFD.

    Line ends come as \\n. Raises UserError.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise unreadable(path, error) from error
    # What Windows programs save as "Unicode".
    encoding = "utf-16" if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    return io.TextIOWrapper(io.BytesIO(data), encoding, errors="replace").read()
