"""Every declared setting of the program."""

from __future__ import annotations

import importlib
import pkgutil
from functools import cache
from typing import Any

import workbench
from workbench.core.setting import Setting


@cache
def declared_settings() -> tuple[Setting[Any], ...]:
    """Import every module and return the settings that the modules declare."""
    for info in pkgutil.walk_packages(workbench.__path__, "workbench."):
        if not info.name.endswith("__main__"):
            importlib.import_module(info.name)
    return Setting.all()
