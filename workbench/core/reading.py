"""Small files read whole, with one sentence for those that cannot be read."""

from __future__ import annotations

import struct
import tokenize
import zipfile
import zlib
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.language import tr

# What a damaged zip file, or an array's header in one, makes the standard library and numpy raise.
DAMAGE = (
    zipfile.BadZipFile, zlib.error, struct.error, tokenize.TokenError, EOFError, LookupError, NotImplementedError,
    OverflowError, RuntimeError, SyntaxError, TypeError, ValueError,
)  # fmt: skip


def unreadable(path: str | Path, error: OSError) -> UserError:
    """What to tell of a file that the system does not let us read."""
    return UserError(
        tr("{path} cannot be read ({strerror}).", path=path, strerror=error.strerror or error),
        tr("Check the name and your rights."),
    )


def read_text(path: Path) -> str:
    """A file as text: UTF-8, with or without its mark; bytes that are none become U+FFFD. Raises UserError."""
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise unreadable(path, error) from error
