"""Recently opened files: corpora, vectors and sessions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from workbench.core.paths import exists
from workbench.core.setting import Setting, strings
from workbench.session.settings.settings_file import Settings

_RECENT = 12

Opened = tuple[tuple[str, ...], ...]


def _parse_recent(value: Any) -> Opened | None:
    if not isinstance(value, list):
        return None
    entries = (strings(entry) or () for entry in value)
    return tuple(paths for paths, entry in zip(entries, value, strict=True) if list(paths) == entry)


# Lists of paths that were opened together, the latest first.
RECENT = Setting[Opened]("recent", _parse_recent, ())


def recent_files(settings: Settings) -> list[list[str]]:
    """Lists of paths opened together, the latest first, if they still exist."""
    return [list(paths) for paths in settings[RECENT] if paths and all(map(exists, paths))]


def add_recent(settings: Settings, paths: Sequence[str]) -> None:
    """Put ``paths`` first."""
    others = (known for known in map(tuple, recent_files(settings)) if known != tuple(paths))
    settings[RECENT] = (tuple(paths), *others)[:_RECENT]
