"""Vectors in text that isn’t UTF-8 with line feeds: UTF-16, as PowerShell writes it, and old Mac
line ends (CR). The formats read a temporary file in UTF-8.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.language import tr

_BLOCK = 1 << 20
# Bytes that show whether every other one is zero.
_EXAMINED = 32


def encoding_of(head: bytes) -> str:
    """The encoding of text that has to be recoded, from its first bytes; "" for everything else.

    UTF-16 may have no byte order mark if its first letters are of Latin-1.
    """
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16"
    start = head[:_EXAMINED]
    for encoding, zeros, others in (
        ("utf-16-le", start[1::2], start[::2]),
        ("utf-16-be", start[::2], start[1::2]),
    ):
        if (
            len(start) > 7
            and not any(zeros)
            and all(byte in b"\t\n\r" or 32 <= byte < 127 or byte >= 160 for byte in others)
        ):
            return encoding
    if b"\r" in head and b"\n" not in head and b"\0" not in head:
        return "utf-8"
    return ""


def beginning(head: bytes, encoding: str) -> bytes:
    """The complete lines of the ``head`` of a longer file in UTF-8."""
    text = head[: len(head) // 2 * 2].decode(encoding, "replace")
    lines, end, _ = text.replace("\r\n", "\n").replace("\r", "\n").rpartition("\n")
    return (lines + end).encode("utf-8", "replace")


@contextmanager
def recoded(path: Path, encoding: str) -> Iterator[Path]:
    """A file in UTF-8 with line feeds, as a temporary file of the same name. Raises UserError if it
    isn't in that encoding, and OSError.
    """
    errors = "surrogateescape" if encoding == "utf-8" else "strict"
    with tempfile.TemporaryDirectory(prefix="workbench-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / path.name
        try:
            with (
                path.open(encoding=encoding, errors=errors) as text,
                copy.open("w", encoding="utf-8", errors=errors, newline="\n") as file,
            ):
                while block := text.read(_BLOCK):
                    file.write(block)
        except UnicodeError as error:
            raise UserError(
                tr(
                    "{name} begins as {encoding}, but contains invalid characters.",
                    name=path.name,
                    encoding=encoding.upper(),
                ),
                tr("Save the file as UTF-8."),
            ) from error
        yield copy
