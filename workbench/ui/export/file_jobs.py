"""Jobs that write a file, and the message that reports the result."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.session.export import write_one
from workbench.session.session import Session

T = TypeVar("T")


def write_in_job(
    session: Session,
    path: Path,
    write: Callable[[JobControl], T],
    *,
    title: str = "",
    key: str = "",
    quiet: bool = False,
    saved: Callable[[T], None] | None = None,
) -> None:
    """Write a file in a job that continues after a dialog closes, and report the result.

    title : of the job, by default that the file is being saved
    saved : reports what ``write`` returned; by default, a message with the file and its folder
    """

    def report_saved(_: T) -> None:
        session.message.emit(tr("Saved {name}.", name=path.name), str(path.parent), False)

    session.jobs.start(
        title or tr("Saving {name}", name=path.name),
        write,
        saved or report_saved,
        session.message.report,
        key=key,
        quiet=quiet,
    )


def write_text_in_job(session: Session, path: Path, text: str, key: str) -> None:
    """Write a short text in a job, and report the file and its folder."""

    write_in_job(session, path, lambda _: write_one(path, text), key=key, quiet=True)
