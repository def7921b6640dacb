"""Measures of lessons by name. Each group of measures is one module, here or an entry point of
another package; no list names the groups.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from workbench.core import plug_ins
from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.lessons.measure_registry import DECLARED, Measure

__all__ = ["measure_named", "measures"]


@cache
def measures() -> Mapping[str, Measure]:
    """Every measure by its name, in alphabetical order."""
    for info in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{info.name}")
    added = {module.__name__ for _, module in plug_ins.of_group(f"{plug_ins.PREFIX}measures")}
    # A module that fails may have declared some measures before.
    found = {
        name: each
        for name, each in DECLARED.items()
        if each.function.__module__ in added or not plug_ins.is_plug_in(each.function.__module__)
    }
    return dict(sorted(found.items()))


def measure_named(name: str) -> Measure:
    """The measure of this name. Raises UserError that suggests a similar name."""
    found = measures().get(name)
    if found is None:
        near = difflib.get_close_matches(name, measures(), 1, 0.6)
        if near:
            hint = tr("Did you mean {near}?", near=near[0])
        else:
            hint = tr("“workbench lesson --measures” lists all measures.")
        raise UserError(tr("Unknown measure “{name}”.", name=name), hint)
    return found
