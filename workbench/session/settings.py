"""Small things remembered between starts: recent files, theme, layout."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.paths import settings_folder

_RECENT = 12


class Settings:
    """JSON values by name in one file, written at every change. A damaged file starts anew.

    Several processes may share the file: a change is put into what the file holds then.
    """

    def __init__(self) -> None:
        self._path = settings_folder() / "settings.json"
        self._values = self._read()

    def get(self, name: str, default: Any = None) -> Any:
        return self._values.get(name, default)

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
                part.write_text(json.dumps(values, ensure_ascii=False, indent=1), encoding="utf-8")
        except UserError:
            return

    def _read(self) -> dict[str, Any]:
        try:
            read = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return read if isinstance(read, dict) else {}

    @property
    def recent(self) -> list[list[str]]:
        """Lists of paths opened together, the latest first, only those that still exist."""
        entries = self._values.get("recent", [])
        if not isinstance(entries, list):
            return []
        whole = [e for e in entries if isinstance(e, list) and e and all(isinstance(p, str) for p in e)]
        return [e for e in whole if all(exists(p) for p in e)]

    def add_recent(self, paths: list[str]) -> None:
        others = [entry for entry in self.recent if entry != paths]
        self.set("recent", [paths, *others][:_RECENT])


def exists(path: str) -> bool:
    """Whether there is such a file or folder; text that cannot be a path is none."""
    try:
        return Path(path).exists()
    except (OSError, ValueError):
        return False
