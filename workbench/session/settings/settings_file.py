"""Settings file: the values of declared settings, kept between starts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from workbench.core.atomic import replacing
from workbench.core.errors import UserError
from workbench.core.events import Signal
from workbench.core.json_text import json_text, of_json
from workbench.core.paths import settings_folder
from workbench.core.setting import Setting, encode
from workbench.session.settings.settings_migrations import migrate_settings

T = TypeVar("T")


class Settings:
    """``settings[SETTING]`` is a valid value; every change is written at once. A damaged file
    counts as an empty one.

    Several processes may share the file: a change is merged into its current content, so unknown
    keys are kept.
    """

    def __init__(self) -> None:
        # Why the last change couldn't be written.
        self.problem: UserError | None = None
        self._path = settings_folder() / "settings.json"
        self._values = self._read()
        self._signals: dict[str, Signal[Any]] = {}

    def __getitem__(self, setting: Setting[T]) -> T:
        return setting.read(self._values.get(setting.key))

    def __setitem__(self, setting: Setting[T], value: T) -> None:
        self.put({setting.key: encode(value)})

    def changes(self, setting: Setting[T]) -> Signal[T]:
        """Signal with the new value of a setting. Setting the current value again emits it, too:
        the window may show another value, as during a presentation.
        """
        signal: Signal[T] = self._signals.setdefault(setting.key, Signal[Any]())
        return signal

    def disconnect_all(self) -> None:
        """Disconnect all listeners, because the objects that listened are closed."""
        self._signals.clear()

    def all(self) -> dict[str, Any]:
        """Every value in the file as JSON, by its key."""
        return dict(self._values)

    def put(self, changes: Mapping[str, Any]) -> None:
        """Save JSON values by key, in one write. If the file can’t be written, the values last
        until the program ends.
        """
        known = self._values
        if any(key not in known or known[key] != value for key, value in changes.items()):
            known.update(changes)
            self._write(changes)
        for setting in Setting.all():
            if setting.key in changes and setting.key in self._signals:
                self._signals[setting.key].emit(self[setting])

    def _write(self, changes: Mapping[str, Any]) -> None:
        try:
            with replacing(self._path) as part:
                values = {**self._read(), **changes}
                part.write_text(json_text(values, indent=1), encoding="utf-8")
        except UserError as error:
            self.problem = error
        else:
            self.problem = None

    def _read(self) -> dict[str, Any]:
        try:
            read = of_json(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError, RecursionError):
            read = {}
        if not isinstance(read, dict):
            read = {}
        return migrate_settings(read)
