"""Small files read whole, with one sentence for those that cannot be read."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import UserError


def unreadable(path: str | Path, error: OSError) -> UserError:
    """What to tell of a file that the system does not let us read."""
    return UserError(f"{path} cannot be read ({error.strerror or error}).", "Check the name and your rights.")


def read_text(path: Path) -> str:
    """A file as text: UTF-8, with or without its mark; bytes that are none become U+FFFD. Raises UserError."""
    try:
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise unreadable(path, error) from error
