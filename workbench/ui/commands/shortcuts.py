"""Shortcuts of actions: declared ones, and those that the user changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from PySide6.QtGui import QKeySequence

from workbench.core.events import Signal
from workbench.core.setting import Setting, Strings, strings
from workbench.session.settings.settings_file import Settings
from workbench.ui.base.action import Action
from workbench.ui.commands.registry import Known, PanelKind, by_key

_NATIVE = QKeySequence.SequenceFormat.NativeText
_PORTABLE = QKeySequence.SequenceFormat.PortableText
_MOVE = frozenset({"Tab", "Shift+Tab", "Backtab", "Shift+Backtab"})
_PRESS = frozenset({"Return", "Enter", "Space", "Up", "Down", "Left", "Right"})


def _keys_by_action(value: Any) -> Mapping[str, Strings]:
    keys = {key: strings(each) for key, each in value.items()}
    return {key: each for key, each in keys.items() if each is not None}


# Keys changed by the user, by the key of the action.
SHORTCUTS = Setting[Mapping[str, Strings]]("shortcuts", _keys_by_action, {})


def portable_keys(keys: QKeySequence | str) -> str:
    """Keys as they are saved: "Ctrl+Shift+P" on every system."""
    return QKeySequence(keys).toString(_PORTABLE)


def native_keys(keys: str) -> str:
    """Keys as this system writes them."""
    return QKeySequence(keys).toString(_NATIVE)


class Shortcuts:
    """Shortcuts of all actions. Settings contain the changed ones as {key of the action: [keys]}.

    ``changed()`` is emitted when any shortcut changes.
    """

    def __init__(self, settings: Settings, panels: Iterable[PanelKind]) -> None:
        self.changed = Signal[()]()
        self._settings = settings
        self._panels = panels
        settings.changes(SHORTCUTS).connect(lambda _: self.changed.emit())

    @cached_property
    def actions(self) -> Mapping[str, Known]:
        """Every declared action by its key."""
        return by_key(self._panels)

    @property
    def _changed_keys(self) -> dict[str, Strings]:
        return {
            key: tuple(filter(None, map(portable_keys, keys)))
            for key, keys in self._settings[SHORTCUTS].items()
            if isinstance(getattr(self.actions.get(key), "action", None), Action)
        }

    def default_keys(self, key: str) -> tuple[str, ...]:
        """The default keys of an action."""
        action = self.actions[key].action
        if isinstance(action, Action):
            return tuple(portable_keys(keys) for keys in action.keys)
        return ()

    def of(self, key: str) -> tuple[str, ...]:
        """The keys of an action, the first of them the one that menus show."""
        return self.all()[key]

    def all(self) -> dict[str, Strings]:
        """The keys of every action."""
        kept = self._changed_keys
        return {key: kept[key] if key in kept else self.default_keys(key) for key in self.actions}

    def is_changed(self, key: str) -> bool:
        return key in self._changed_keys

    def scope(self, key: str) -> str:
        """The scope of an action's keys: "window", or the panel or group that must have the
        focus.
        """
        known = self.actions[key]
        if known.subject == "run":
            return "run"
        action = known.action
        if isinstance(action, Action) and action.local:
            return known.home.key
        return "window"

    def conflict(self, key: str, keys: str) -> str:
        """Key of another action with the same keys in the same scope, or ""."""
        wanted, where = portable_keys(keys), self.scope(key)
        for other, theirs in self.all().items():
            if other != key and wanted in theirs and self.scope(other) == where:
                return other
        return ""

    def is_reserved(self, key: str, keys: str) -> bool:
        """Whether the keys are needed to move between controls or, for an action of the whole
        window, to press one.
        """
        wanted = portable_keys(keys)
        return wanted in _MOVE or (wanted in _PRESS and self.scope(key) == "window")

    def put(self, key: str, keys: Sequence[str]) -> None:
        """Replace the keys of an action."""
        wanted = tuple(dict.fromkeys(portable_keys(each) for each in keys))
        kept = self._changed_keys
        kept.pop(key, None)
        if wanted != self.default_keys(key):
            kept[key] = wanted
        self._settings[SHORTCUTS] = kept

    def take(self, key: str, keys: str) -> None:
        """Give an action keys that another action may have, which then loses them."""
        other = self.conflict(key, keys)
        if other:
            self.put(other, [each for each in self.of(other) if each != portable_keys(keys)])
        self.put(key, [keys, *self.of(key)[1:]])

    def reset(self, key: str) -> None:
        """Restore the default keys."""
        kept = self._changed_keys
        kept.pop(key, None)
        self._settings[SHORTCUTS] = kept

    def reset_all(self) -> None:
        self._settings[SHORTCUTS] = {}
