"""Output folder of a count, which replaces an older one when the count is complete."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import uuid
from contextlib import suppress
from pathlib import Path
from typing import Self

from workbench.core.atomic import cannot_write
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.core.operating_system import system
from workbench.core.paths import expand_user
from workbench.counts.cluster.connection import Cluster
from workbench.counts.shard_files import prepare, prove_own
from workbench.counts.shards import ShardedCounts

_DAY = 24 * 3600.0


class OutputFolder:
    """A folder beside ``out`` that becomes ``out`` in the end; until then, ``out`` stays unchanged.

    work : folder for the shards; seen : whether all workers see it at this path
    """

    def __init__(self, out: Path) -> None:
        """Create the folder. Raises UserError if counts could not be written to ``out``."""
        self._out = expand_user(out).absolute()
        self.work = self._out
        self.seen = False
        self._spill: Path | None = None
        if not self._out.parent.is_dir():
            raise UserError(
                tr("The folder {parent} doesn’t exist.", parent=self._out.parent),
                tr("Create the folder first, or choose another one."),
            )
        prove_own(self._out)

    def __enter__(self) -> Self:
        parent = self._out.parent
        try:
            for old in parent.glob(f".{self._out.name}.*.counting"):
                # A killed process left this folder.
                if time.time() - old.stat().st_mtime > _DAY:
                    shutil.rmtree(old, ignore_errors=True)
            self.work = Path(
                tempfile.mkdtemp(prefix=f".{self._out.name}.", suffix=".counting", dir=parent)
            )
        except OSError as error:
            raise cannot_write(self._out, error) from error
        return self

    def __exit__(self, *_: object) -> None:
        for folder in filter(None, [self._spill, self.work]):
            shutil.rmtree(folder, ignore_errors=True)

    def spill_for(self, cluster: Cluster) -> str:
        """The folder for counts of parts, "" if no folder is visible to all workers. Raises
        UserError.
        """
        named = cluster.params.spill
        try:
            _let_in(self.work, cluster)
        except OSError as error:
            raise cannot_write(self._out, error) from error
        self.seen = _is_shared(self.work, cluster)
        if named:
            base = expand_user(named).absolute()
            if not base.is_dir():
                raise UserError(
                    tr("The folder {base} doesn’t exist.", base=base),
                    tr("Create the folder, or leave out --spill."),
                )
        elif self.seen:
            base = self.work
        else:
            return ""
        try:
            self._spill = Path(tempfile.mkdtemp(prefix="spill-", dir=base))
            _let_in(self._spill, cluster)
        except OSError as error:
            raise cannot_write(base, error) from error
        if named and not _is_shared(self._spill, cluster):
            raise UserError(
                tr("Some workers can’t write to the folder {base}.", base=base),
                tr("Name a folder that they share with this machine, or leave out --spill."),
            )
        return str(self._spill)

    def settle(self) -> ShardedCounts:
        """Move the written counts to their final place. Raises UserError."""
        if self._spill is not None:
            shutil.rmtree(self._spill, ignore_errors=True)
        prepare(self._out)
        try:
            self._out.rmdir()
            umask = os.umask(0)
            os.umask(umask)
            # The folder was private while it was written; give it normal permissions.
            self.work.chmod(0o777 & ~umask)
            system().replace(self.work, self._out)
        except OSError as error:
            raise cannot_write(self._out, error) from error
        return ShardedCounts.open(self._out)


def _let_in(folder: Path, cluster: Cluster) -> None:
    """Let workers of another user write to a folder if their group may write beside it, but never
    all users.
    """
    if not cluster.local:
        folder.chmod(folder.parent.stat().st_mode & 0o775)


def _is_shared(folder: Path, cluster: Cluster) -> bool:
    """Whether all workers see exactly this folder, and may write to it."""
    if cluster.local:
        return True
    secret = uuid.uuid4().hex
    try:
        (folder / secret).write_text(secret, encoding="ascii")
        answers = cluster.done_by_workers(_check_folder, str(folder), secret)
    except OSError as error:
        raise cannot_write(folder, error) from error
    finally:
        with suppress(OSError):
            (folder / secret).unlink()
    return bool(answers) and all(answer is True for answer in answers.values())


def _check_folder(folder: str, secret: str) -> bool:
    """Task of a worker: whether it sees the file ``secret``, and can write beside it."""
    place = Path(folder)
    if (place / secret).read_text(encoding="ascii") != secret:
        return False
    mine = place / uuid.uuid4().hex
    mine.touch()
    mine.unlink()
    return True
