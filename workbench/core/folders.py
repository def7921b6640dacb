"""Folders of known files that are written again as a whole."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.core.atomic import OLD, cannot_write, new_part, release_part, sync_folder, sync_whole
from workbench.core.errors import UserError, error_text
from workbench.core.language import tr


@contextmanager
def replacing_folder(path: Path, names: Collection[str]) -> Iterator[Path]:
    """A temporary folder that takes the place of ``path`` when the block ends well.

    A folder that is there already is replaced if it holds nothing but files of these names. Raises
    UserError where it holds others, and where the place cannot be written.
    """
    path = Path(path)
    prove_folder(path, names)
    try:
        room, handle = new_part(path, folder=True)
    except OSError as error:
        raise cannot_write(path, error) from error
    new, old = room / "new", room / OLD / path.name
    try:
        new.mkdir()
        yield new
        sync_whole(new)
        if path.is_dir():
            old.parent.mkdir()
            path.replace(old)
        new.replace(path)
        sync_folder(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        try:
            _clear(room, path, old)
        finally:
            release_part(handle)


def _clear(room: Path, path: Path, old: Path) -> None:
    """Remove the temporary folder. What was there before goes back first if nothing has taken its
    place. Raises UserError where that cannot be done: it stays where it is then.
    """
    try:
        if old.exists() and not os.path.lexists(path):
            old.replace(path)
    except OSError as error:
        raise UserError(
            tr("{path} cannot be written ({reason}).", path=path, reason=error_text(error)),
            tr("The previous contents are in {place}.", place=old),
        ) from error
    shutil.rmtree(room, ignore_errors=True)


def prove_folder(path: Path, names: Collection[str]) -> None:
    """Raise UserError now if a folder of these files could not take that place."""
    if path.is_symlink() or path.is_file():
        raise UserError(
            tr("{path} is a file, and a folder is to be written.", path=path),
            tr("Choose another name."),
        )
    if not path.parent.is_dir():
        raise UserError(
            tr("There is no folder {parent}.", parent=path.parent),
            tr("Make it first, or choose another place."),
        )
    try:
        if path.is_dir():
            strange = sorted(
                file.name for file in path.iterdir() if file.name not in names or not file.is_file()
            )
            if strange:
                raise UserError(
                    tr(
                        "The folder {path} holds other things ({strange}).",
                        path=path,
                        strange=strange[0],
                    ),
                    tr("Choose an empty or a new one."),
                )
        with tempfile.TemporaryDirectory(dir=path.parent):
            pass
    except OSError as error:
        raise cannot_write(path, error) from error
