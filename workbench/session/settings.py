"""Settings kept between starts: recent files, theme, layout."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.json_text import json_text, of_json
from workbench.core.paths import settings_folder

_RECENT = 12


class Settings:
    """JSON values by name in one file, written at every change. A damaged file starts anew.

    Several processes may share the file: a change is put into what the file holds then.
    """

    def __init__(self) -> None:
        # Why what was changed last could not be written.
        self.problem: UserError | None = None
        self._path = settings_folder() / "settings.json"
        self._values = self._read()

    def get(self, name: str, default: Any = None) -> Any:
        return self._values.get(name, default)

    def whole(self, name: str, default: int, low: int, high: int) -> int:
        """A whole number from ``low`` to ``high``; whatever else the file holds is ``default``."""
        value = self.get(name, default)
        if isinstance(value, int) and low <= value <= high:
            return value
        return default

    def all(self) -> dict[str, Any]:
        """Every value by its name."""
        return dict(self._values)

    def set(self, name: str, value: Any) -> None:
        """Keep a JSON value. Settings that cannot be written are kept for this sitting only."""
        if name in self._values and self._values[name] == value:
            return
        self.put({name: value})

    def put(self, changes: Mapping[str, Any]) -> None:
        """Keep several JSON values by one write."""
        self._values.update(changes)
        try:
            with replacing(self._path) as part:
                values = {**self._read(), **changes}
                part.write_text(json_text(values, indent=1), encoding="utf-8")
        except UserError as error:
            self.problem = error
        else:
            self.problem = None

    def forget(self, *names: str) -> None:
        """Keep nothing under these names any more."""
        for name in names:
            self._values.pop(name, None)
        try:
            with replacing(self._path) as part:
                values = {name: value for name, value in self._read().items() if name not in names}
                part.write_text(json_text(values, indent=1), encoding="utf-8")
        except UserError:
            return

    def _read(self) -> dict[str, Any]:
        try:
            read = of_json(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        if isinstance(read, dict):
            return read
        return {}

    @property
    def recent(self) -> list[list[str]]:
        """Lists of paths opened together, the latest first, only those that still exist."""
        return [paths for paths, _ in self._recent()]

    def recent_options(self, paths: list[str]) -> dict[str, Any] | None:
        """How version 0.1.0 read these last: the options of a corpus that were not at their
        defaults, or None.
        """
        return next((options for known, options in self._recent() if known == paths), None)

    def add_recent(self, paths: list[str]) -> None:
        """Put ``paths`` first."""
        entries = [(paths, None), *(entry for entry in self._recent() if entry[0] != paths)][
            :_RECENT
        ]
        kept = (
            {"paths": known, "options": chosen} if chosen is not None else known
            for known, chosen in entries
        )
        self.set("recent", list(kept))

    def _recent(self) -> list[tuple[list[str], dict[str, Any] | None]]:
        entries = self._values.get("recent", [])
        found = []
        for entry in entries if isinstance(entries, list) else []:
            paths, options = (
                (entry.get("paths"), entry.get("options"))
                if isinstance(entry, dict)
                else (entry, None)
            )
            if (
                not isinstance(paths, list)
                or not paths
                or not (options is None or isinstance(options, dict))
            ):
                continue
            if all(isinstance(path, str) and exists(path) for path in paths):
                found.append((paths, options))
        return found


def exists(path: str) -> bool:
    """Whether there is such a file or folder; text that cannot be a path is none."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False
