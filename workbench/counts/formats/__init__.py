"""Formats for counts in files. Each format is one module, chosen by the suffix of the file."""

from __future__ import annotations

from pathlib import Path

from workbench.core.errors import UserError
from workbench.core.job_control import JobControl
from workbench.core.language import tr
from workbench.core.registry import Registry
from workbench.counts.formats.base import CountFormat, CountTable

COUNT_FORMATS: Registry[CountFormat] = Registry(
    "workbench.counts.formats", CountFormat, tr("format of counts"), group="count-formats"
)

__all__ = ["COUNT_FORMATS", "CountFormat", "CountTable", "count_format", "save_counts"]


def count_format(path: Path) -> type[CountFormat]:
    """The format of a file name, by its suffix. Raises UserError, also if the format's package is
    missing.
    """
    suffix = path.suffix.lower()
    for kind in COUNT_FORMATS:
        if suffix in kind.suffixes:
            missing = kind.missing()
            if missing is not None:
                raise missing
            return kind
    known = ", ".join(suffix for kind in COUNT_FORMATS for suffix in kind.suffixes)
    raise UserError(
        tr("Can’t write counts as “{name}”.", name=path.name),
        tr("Use one of these suffixes: {known}.", known=known),
    )


def save_counts(counted: CountTable, path: Path, run: JobControl | None = None) -> tuple[Path, ...]:
    """Write counts, each file completely or not at all; return the written files. Raises UserError
    and Cancelled.
    """
    kind = count_format(path)
    reason = kind.holds(counted)
    if reason is not None:
        raise UserError(reason, tr("Choose .npz, which contains everything."))
    kind.write(path, counted, run or JobControl())
    return (path, *kind.beside(path))
