"""What was changed in a form of hyperparameters, in words and with the ways back and forth."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from workbench.core.language import tr
from workbench.core.params import Value
from workbench.models.base import Model
from workbench.session.undo import Undo
from workbench.ui.form import label_of
from workbench.ui.text import lowered


class Settings(NamedTuple):
    """What stands in the form: an algorithm, one of its presets, and what is off it."""

    kind: type[Model]
    preset: str
    changes: Mapping[str, Value]


class SettingChanges:
    """Tells ``undo`` of every change; ``put`` puts settings back into the form."""

    def __init__(self, undo: Undo, put: Callable[[Settings], object], owner: object) -> None:
        self._undo, self._put, self._owner = undo, put, owner
        self._before: Settings | None = None

    def note(self, now: Settings) -> None:
        """The form has other settings now."""
        before, self._before = self._before, now
        if before is None or before == now:
            return
        what, merge = _told(before, now)
        self._undo.push(what, lambda: self._put(before), lambda: self._put(now), merge=merge, owner=self._owner)

    def begin_anew(self) -> None:
        """What the form holds next is no change by anybody."""
        self._before = None


def _told(before: Settings, now: Settings) -> tuple[str, str]:
    """The change in words, and what it is merged with."""
    if now.kind is not before.kind:
        return tr("choice of {title}", title=now.kind.title), ""
    if now.preset != before.preset:
        return tr("choice of preset “{preset}”", preset=now.preset), ""
    names = {*before.changes, *now.changes}
    other = [name for name in names if before.changes.get(name) != now.changes.get(name)]
    if len(other) != 1:
        return tr("change of settings"), ""
    spec = next(spec for spec in now.kind.params_type.specs() if spec.name == other[0])
    if other[0] not in now.changes:
        return tr("reset of “{setting}”", setting=lowered(label_of(spec))), ""
    return tr("change of “{setting}”", setting=lowered(label_of(spec))), f"train.{now.kind.key}.{other[0]}"
