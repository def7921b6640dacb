"""Undo of changes to the settings of a training."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from workbench.core.language import tr
from workbench.core.params import Value
from workbench.models.base import Model
from workbench.session.selection.undo import Undo
from workbench.ui.base.text import title_in_sentence


class FormState(NamedTuple):
    """The content of the form: an algorithm, one of its presets, and values that differ from it."""

    kind: type[Model]
    preset: str
    changes: Mapping[str, Value]


class SettingChanges:
    """Reports every change to ``undo``; ``put`` puts settings back into the form."""

    def __init__(self, undo: Undo, put: Callable[[FormState], object], owner: object) -> None:
        self._undo, self._fill_form, self._owner = undo, put, owner
        self._before: FormState | None = None

    def record_change(self, now: FormState) -> None:
        """Record a change of the settings in the form."""
        before, self._before = self._before, now
        if before is None or before == now:
            return
        what, merge = _change_text(before, now)
        self._undo.push(
            what,
            lambda: self._fill_form(before),
            lambda: self._fill_form(now),
            merge=merge,
            owner=self._owner,
        )

    def forget_last(self) -> None:
        """Do not record the next content of the form as a change."""
        self._before = None


def _change_text(before: FormState, now: FormState) -> tuple[str, str]:
    """Description of the change, and the changes that it is merged with."""
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
        return tr("reset of “{setting}”", setting=title_in_sentence(spec.label)), ""
    return tr(
        "change of “{setting}”", setting=title_in_sentence(spec.label)
    ), f"train.{now.kind.key}.{other[0]}"
