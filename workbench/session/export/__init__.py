"""Exports of a run: commands for other programs, scripts, a methods paragraph and a report."""

from __future__ import annotations

import os
from collections.abc import Collection
from contextlib import ExitStack, suppress
from pathlib import Path

from workbench.core.atomic import replacing
from workbench.core.errors import UserError, error_text
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.registry import Registry
from workbench.session.export.base import Share
from workbench.session.export.export_source import ExportSource

SHARES: Registry[Share] = Registry(
    "workbench.session.export", Share, tr("type of export"), group="exports"
)

__all__ = ["SHARES", "ExportSource", "Share", "share", "texts", "write_one"]


def texts(
    subject: ExportSource, keys: Collection[str] = (), run: JobControl | None = None
) -> dict[str, str]:
    """The texts of these kinds of export by file name; without keys, of all possible kinds that
    aren't made alone.

    Raises UserError for a requested kind that isn't possible, and Cancelled.
    """
    run = run or JobControl()
    found: dict[str, str] = {}
    for number, kind in enumerate(SHARES):
        if kind.key not in keys if keys else kind.alone:
            continue
        run.check()
        run.advance(number / len(SHARES), kind.title)
        reason = kind.why_not(subject)
        if reason is None:
            found |= kind.make(subject, run)
        elif keys:
            raise UserError(reason, tr("Leave {key} out.", key=kind.key))
    return found


def share(
    subject: ExportSource, folder: Path, keys: Collection[str] = (), run: JobControl | None = None
) -> list[Path]:
    """Write these kinds of export into a folder, created if necessary: either all of them, or
    nothing.

    Returns the files. Raises as :func:`texts`, and UserError if the folder cannot be written.
    """
    shared_texts = texts(subject, keys, run)
    if not shared_texts:
        raise UserError(
            tr("These vectors can’t be shared: how they were trained is unknown."),
            tr("Train the vectors here, or open an .npz file that contains the training settings."),
        )
    new = not os.path.exists(folder)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UserError(
            tr("Couldn’t create {folder} ({strerror}).", folder=folder, strerror=error_text(error)),
            tr("Choose another folder or name."),
        ) from error
    paths = [folder / name for name in shared_texts]
    try:
        # No file gets its name before all are written: some of them would look like all.
        with ExitStack() as whole:
            for path, text in zip(paths, shared_texts.values(), strict=True):
                _write(whole.enter_context(replacing(path)), text)
    except UserError:
        if new:
            with suppress(OSError):
                folder.rmdir()
        raise
    return paths


def write_one(path: Path, text: str) -> None:
    """Write one export into a file. Raises UserError if that isn’t possible."""
    with replacing(path) as part:
        _write(part, text)


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", errors="replace", newline="")
