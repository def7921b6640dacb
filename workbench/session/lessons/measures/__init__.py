"""Measures of lessons by name. Each group of measures is one module; no list names the groups."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache

from workbench.core.errors import UserError
from workbench.core.language import tr
from workbench.session.lessons.measure_registry import DECLARED, Measure

__all__ = ["measure_named", "measures"]


@cache
def measures() -> Mapping[str, Measure]:
    """Every measure by its name, in alphabetical order."""
    for info in pkgutil.iter_modules(__path__):
        importlib.import_module(f"{__name__}.{info.name}")
    return dict(sorted(DECLARED.items()))


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
