"""Folders of known files that are written again as a whole."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.core.atomic import cannot_write
from workbench.core.errors import UserError
from workbench.core.language import tr


@contextmanager
def replacing_folder(path: Path, names: Collection[str]) -> Iterator[Path]:
    """A temporary folder that takes the place of ``path`` when the block ends well.

    A folder that is there already is replaced if it holds nothing but files of these names. Raises UserError
    where it holds others, and where the place cannot be written.
    """
    path = Path(path)
    prove_folder(path, names)
    try:
        room = Path(tempfile.mkdtemp(prefix=f".{path.name}.", suffix=".part", dir=path.parent))
    except OSError as error:
        raise cannot_write(path, error) from error
    new = room / "new"
    try:
        new.mkdir()
        yield new
        for file in new.iterdir():
            with file.open("rb+") as opened:
                os.fsync(opened.fileno())
        if path.is_dir():
            path.replace(room / "old")
        new.replace(path)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        shutil.rmtree(room, ignore_errors=True)


def prove_folder(path: Path, names: Collection[str]) -> None:
    """Raise UserError now if a folder of these files could not take that place."""
    if path.is_symlink() or path.is_file():
        raise UserError(tr("{path} is a file, and a folder is to be written.", path=path), tr("Choose another name."))
    if not path.parent.is_dir():
        raise UserError(
            tr("There is no folder {parent}.", parent=path.parent), tr("Make it first, or choose another place.")
        )
    try:
        if path.is_dir():
            strange = sorted(file.name for file in path.iterdir() if file.name not in names or not file.is_file())
            if strange:
                raise UserError(
                    tr("The folder {path} holds other things ({strange}).", path=path, strange=strange[0]),
                    tr("Choose an empty or a new one."),
                )
        with tempfile.TemporaryDirectory(dir=path.parent):
            pass
    except OSError as error:
        raise cannot_write(path, error) from error
