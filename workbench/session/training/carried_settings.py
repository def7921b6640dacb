"""Shared settings that carry over to another algorithm, so that the models can be compared."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.core.params import Value
from workbench.models.base import Model

# Settings with the same meaning for every algorithm that has them.
_SHARED = (
    "dim",
    "window",
    "negative",
    "min_count",
    "max_vocab",
    "sample",
    "epochs",
    "seed",
    "threads",
)


def carried_settings(
    before: type[Model], changes: Mapping[str, Value], after: type[Model]
) -> dict[str, Value]:
    """Changes to an algorithm's settings that apply to another algorithm, too.

    An epoch over tokens isn’t an epoch over cells, so epochs carry over only between algorithms of
    the same kind.
    """
    specs = {spec.name: spec for spec in after.params_type.specs()}
    carried: dict[str, Value] = {}
    for name in _SHARED:
        if name not in changes or name not in specs:
            continue
        if name == "epochs" and before.scans_tokens != after.scans_tokens:
            continue
        try:
            carried[name] = specs[name].coerce(changes[name])
        except ValueError:
            continue
    return carried
