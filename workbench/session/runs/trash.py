"""Moving runs to the trash and back, and damaged ones out of the way."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from workbench.core.atomic import cannot_write
from workbench.core.errors import UserError
from workbench.core.operating_system import system

_DAY = 86_400.0


def move(path: Path, where: Path, gone: UserError, *, beside: bool = False) -> Path:
    """Move a file or folder into another folder, and return its new path.

    beside : add a number if the folder contains an entry of that name, instead of replacing it

    Raises UserError: ``gone`` if the path no longer exists, because another process moved it, or
    an error if it cannot be written.
    """
    target, number = where / path.name, 1
    try:
        where.mkdir(parents=True, exist_ok=True)
        while beside and target.exists():
            number += 1
            target = where / f"{path.name}.{number}"
        system().replace(path, target)
    except FileNotFoundError as error:
        raise gone from error
    except OSError as error:
        raise cannot_write(target, error) from error
    return target


def set_aside(
    path: Path, where: Path, message: str, hint: Callable[[Path], str]
) -> UserError | None:
    """Move a damaged file or folder out of the way. Return ``message`` with ``hint`` of the new
    path, or why the move failed; None if another process has moved it.
    """
    if not path.exists():
        return None
    try:
        place = move(path, where, UserError(message), beside=True)
    except UserError as error:
        if path.exists():
            return error
        return None
    return UserError(message, hint(place))


def left_behind(path: Path) -> bool:
    """Whether a killed process left this file, by its age: live processes need only minutes."""
    try:
        return time.time() - path.stat().st_mtime > _DAY
    except OSError:
        return False
